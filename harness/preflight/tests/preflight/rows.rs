//! Devices and models of public reports, each with its link.

use preflight::{Code, Options, Outcome};

use super::support::{GB, MIB, Model, context};

/// A report, and what must come out.
struct Row {
    /// Where it was reported; in words where there is no page.
    link: &'static str,
    device: &'static str,
    bytes: u64,
    entitled: bool,
    options: Options,
    /// The compute buffer, where the report says how large it was.
    compute: Option<u64>,
    outcome: Outcome,
    /// What decides it.
    code: Option<Code>,
}

const FIVE_MINES: &str = "Gemma 4 E4B-it Q4_K_M on llama.cpp b9982, no public page";
const THREE_FILES: &str = "three files on an iPhone 16e, no public page";
const ELIZA: &str = "https://github.com/elizaOS/eliza/pull/11806";
const LITERT: &str = "https://github.com/google-ai-edge/LiteRT-LM/issues/2645";
const E4B: u64 = 5_315_022_080;

fn row(link: &'static str, device: &'static str, bytes: u64, outcome: Outcome, code: Option<Code>) -> Row {
    Row { link, device, bytes, entitled: false, options: context(2048), compute: None, outcome, code }
}

fn rows() -> Vec<Row> {
    use Code::{AddressSpace, AppMemory, BufferCap, NoContextSize, WorkingSet};
    use Outcome::{Fails, Loads, May};
    let eliza = |compute, outcome, code| Row {
        entitled: true,
        options: Options { n_ubatch: 256, ..context(256) },
        compute: Some(compute),
        ..row(ELIZA, "iPhone 16 Pro Max", 4722 * MIB, outcome, code)
    };
    // A cache of 3.5 GiB.
    let long = Options { n_ctx: Some(32_768), ..Options::default() };
    let more_memory = |device, entitled, outcome, code| Row {
        options: long,
        entitled,
        compute: Some(64 * MIB),
        ..row("https://github.com/introlab/rtabmap/pull/1446", device, GB, outcome, code)
    };
    vec![
        row(FIVE_MINES, "iPhone 17 Pro", E4B, Fails, Some(AddressSpace)),
        Row { entitled: true, ..row(FIVE_MINES, "iPhone 17 Pro", E4B, Loads, None) },
        row(LITERT, "iPhone Air", 2_100_000_000, May, Some(AddressSpace)),
        Row { entitled: true, ..row(LITERT, "iPhone Air", 2_100_000_000, Loads, None) },
        row("an mmap on iPhone16,1, no public page", "iPhone16,1", 7_366_500_000, Fails, Some(AddressSpace)),
        row(
            "https://github.com/DenisovAV/flutter_gemma/issues/132",
            "iPhone 15 Pro",
            3_110_000_000,
            May,
            Some(AddressSpace),
        ),
        row(
            "https://github.com/DenisovAV/flutter_gemma/issues/88",
            "iPhone 16",
            3_150_000_000,
            May,
            Some(AddressSpace),
        ),
        row(
            "https://github.com/cactus-compute/cactus/issues/793",
            "iPhone 13",
            6_990_000_000,
            Fails,
            Some(AddressSpace),
        ),
        row(THREE_FILES, "iPhone 16e", 3_800_000_000, Loads, None),
        row(THREE_FILES, "iPhone 16e", 5_520_000_000, Fails, Some(WorkingSet)),
        row(THREE_FILES, "iPhone 16e", 8_510_000_000, Fails, Some(AddressSpace)),
        eliza(1037 * MIB, Fails, Some(WorkingSet)),
        eliza(260 * MIB, Loads, None),
        Row {
            compute: Some(2_248_163_328),
            ..row(
                "https://github.com/ggml-org/llama.cpp/issues/6861",
                "iPhone 15 Pro",
                2 * GB,
                Fails,
                Some(BufferCap),
            )
        },
        Row {
            options: context(0),
            ..row(
                "a context of 262k ended a phone, no public page",
                "iPhone 17 Pro",
                GB,
                Fails,
                Some(NoContextSize),
            )
        },
        more_memory("iPhone 15 Pro", false, Fails, Some(AppMemory)),
        more_memory("iPhone 15 Pro", true, Loads, None),
        Row {
            options: Options { mmap: false, cpu_only: true, ..context(512) },
            ..row("https://github.com/tetherto/qvac/pull/3905", "iPhone 16e", 2028 * MIB, Loads, None)
        },
    ]
}

#[test]
fn what_was_reported_comes_out() {
    for row in rows() {
        let model = Model { bytes: row.bytes, ..Model::default() };
        let report = model.report(row.device, row.entitled, &row.options, row.compute);
        let said = format!("{} on {}:\n{report}", row.link, row.device);
        assert_eq!((report.outcome, report.bites_first), (row.outcome, row.code), "{said}");
    }
}

#[test]
fn what_fails_for_want_of_entitlements_names_both_keys_first() {
    let model = Model { bytes: E4B, ..Model::default() };
    let report = model.on("iPhone 17 Pro", false, &context(2048));
    let cure = &report.findings[0].cures[0];
    for key in ["extended-virtual-addressing", "increased-memory-limit"] {
        assert!(cure.contains(&format!("com.apple.developer.kernel.{key}")), "{cure}");
    }
    assert!(!report.is_fine());
}

/// Each rule is found in one situation, and not in the usual one.
#[test]
fn every_rule_can_be_met() {
    let usual = Model { trained: 4096, ..Model::default() }.on("iPhone 16", true, &context(4096));
    let codes =
        |report: &preflight::Report| report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes(&usual), [Code::HistoryBudget]);
    let f16 = Model { kind: gguf::TensorType::F16, bytes: 2 * GB, ..Model::default() };
    let q8 = gguf::TensorType::Q8_0;
    let table: Vec<(Code, Model, &str, Options)> = vec![
        (Code::BeyondTraining, Model { trained: 2048, ..Model::default() }, "iPhone 16", context(4096)),
        (Code::ContextTier, Model::default(), "iPhone 13", context(6144)),
        (Code::CpuRepack, Model::default(), "iPhone 16", Options { cpu_only: true, ..context(512) }),
        (Code::DeviceByMemory, Model::default(), "8gb", context(512)),
        (Code::FullPrecision, f16, "iPhone 16", context(512)),
        (Code::Headroom, Model { bytes: 3 * GB, ..Model::default() }, "iPhone 16e", context(512)),
        (
            Code::KvTypes,
            Model { head: 80, ..Model::default() },
            "iPhone 16",
            Options { type_k: q8, ..context(512) },
        ),
        (Code::MmapOff, Model::default(), "iPhone 16", Options { mmap: false, ..context(512) }),
        (
            Code::QuantisedV,
            Model::default(),
            "iPhone 16",
            Options { type_v: q8, flash_attention: false, ..context(512) },
        ),
    ];
    for (code, model, device, options) in table {
        let report = model.on(device, false, &options);
        assert!(codes(&report).contains(&code), "{}:\n{report}", code.name());
    }
}

#[test]
fn names_are_sorted_and_each_stands_on_the_page() {
    let page = include_str!("../../../../docs/preflight.md");
    assert!(Code::ALL.is_sorted_by_key(|code| code.name()));
    for code in Code::ALL {
        assert!(
            page.contains(&format!("| `{}` |", code.name())),
            "{} is not on docs/preflight.md",
            code.name()
        );
    }
}

#[test]
fn an_architecture_that_llama_cpp_does_not_have_does_not_load() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = gguf::Writer::new("lama");
    for key in ["context_length", "embedding_length", "block_count", "attention.head_count"] {
        file.set(&format!("lama.{key}"), 64_u32);
    }
    file.zeros("output.weight", &[64, 64], gguf::TensorType::F16).unwrap();
    let path = folder.path().join("m.gguf");
    file.write_to(&path).unwrap();
    let files = gguf::memory::ModelFiles::open(&path).unwrap();
    let (device, rights) = (super::support::device_named("iPhone 16"), super::support::rights(true));
    let report = preflight::Report::of("m", &files, &device, &rights, &context(512), None).unwrap();
    assert_eq!(report.bites_first, Some(Code::UnknownArchitecture));
    assert!(report.findings[0].message.contains("\"llama\" is the closest"), "{report}");
}
