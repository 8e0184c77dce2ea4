//! What was asked for and what there was.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use wire::{Observation, Request};

/// Buffers and limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryEvidence {
    /// The buffers that llama.cpp said it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Amount>,
    /// What it must not exceed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Amount>,
}

/// So many bytes of something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amount {
    /// Of what.
    pub name: String,
    /// Bytes.
    pub bytes: u64,
}

/// llama.cpp b11434, src/llama-model.cpp, llama-kv-cache.cpp, llama-context.cpp: MiB with two decimals.
static BUFFER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?<name>\S+ +(?:model|KV|RS|compute|output) +buffer) +size *= *(?<mib>[0-9]+\.[0-9]+) MiB")
        .expect("a pattern")
});

/// What a model that was never mapped would have taken: src/llama-model.cpp, print_info.
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:file|model) size *= *(?<size>[0-9]+\.[0-9]+) (?<unit>[MG])iB").expect("a pattern")
});

/// ggml-metal-device.m, in units of 10⁶ bytes.
static WORKING_SET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"recommendedMaxWorkingSetSize *= *(?<mb>[0-9]+\.[0-9]+) MB").expect("a pattern")
});

impl MemoryEvidence {
    /// What the log and the request tell; `None` where they tell of no buffer or no limit.
    pub(super) fn of(request: &Request, observation: &Observation) -> Option<Self> {
        const MIB: f64 = 1024.0 * 1024.0;
        let log = &observation.log_tail;
        let mut buffers: Vec<Amount> = Vec::new();
        for found in log.iter().filter_map(|line| BUFFER.captures(line)) {
            let Some(buffer) = amount(&found["name"], &found["mib"], MIB) else { continue };
            // The same buffer may be made anew, larger.
            buffers.retain(|earlier| earlier.name != buffer.name);
            buffers.push(buffer);
        }
        if !buffers.iter().any(|buffer| buffer.name.ends_with("model buffer")) {
            let file = log.iter().find_map(|line| FILE.captures(line)).and_then(|found| {
                amount("model file", &found["size"], if &found["unit"] == "G" { 1024.0 * MIB } else { MIB })
            });
            buffers.splice(0..0, file);
        }
        buffers.retain(|buffer| buffer.bytes > 0);
        let working_set = log
            .iter()
            .find_map(|line| WORKING_SET.captures(line))
            .and_then(|found| amount("recommended working set", &found["mb"], 1e6));
        let address_space = request.limits.address_space.or(request.limits.balloon);
        let address_space = address_space.map(|bytes| Amount { name: "address space".to_owned(), bytes });
        let limits: Vec<Amount> = address_space.into_iter().chain(working_set).collect();
        (!buffers.is_empty() && !limits.is_empty()).then_some(Self { buffers, limits })
    }
}

fn amount(name: &str, number: &str, unit: f64) -> Option<Amount> {
    let bytes = (number.parse::<f64>().ok()? * unit) as u64;
    Some(Amount { name: name.split_whitespace().collect::<Vec<_>>().join(" "), bytes })
}

#[cfg(test)]
mod tests {
    use wire::{Config, Ending, Isolation, Limits, Stimulus};

    use super::*;

    #[test]
    fn buffers_and_limits_are_read_from_log_and_request() {
        let limits = Limits { address_space: Some(512), balloon: None };
        let (config, isolation, stimulus) = (Config::default(), Isolation::Shared, Stimulus::Inspect {});
        let (forced_tokens, watch) = (None, None);
        let request = Request {
            id: 1,
            model: None,
            adapter: None,
            config,
            stimulus,
            limits,
            forced_tokens,
            isolation,
            watch,
        };
        let mut seen = Observation::ended(Ending::Completed);
        assert_eq!(MemoryEvidence::of(&request, &seen), None);
        let mut told = |log: &[&str]| {
            seen.log_tail = log.iter().map(|line| (*line).to_owned()).collect();
            let memory = MemoryEvidence::of(&request, &seen).unwrap();
            let pairs =
                |amounts: Vec<Amount>| amounts.into_iter().map(|a| (a.name, a.bytes)).collect::<Vec<_>>();
            (pairs(memory.buffers), pairs(memory.limits))
        };
        let name = |name: &str, bytes| (name.to_owned(), bytes);
        let (buffers, limits) = told(&[
            "load_tensors:   CPU_Mapped model buffer size =    10.50 MiB",
            "sched_reserve:        CPU compute buffer size =     9.00 MiB",
            "llama_kv_cache:        CPU KV buffer size =     2.00 MiB",
            "sched_reserve:        CPU compute buffer size =     1.00 MiB",
            "ggml_metal_init: recommendedMaxWorkingSetSize  =  8589.95 MB",
            "print_info: file size   = 99.00 MiB (4.5 BPW)",
            "load: something else of 3.00 MiB",
        ]);
        let expected = [("CPU_Mapped model buffer", 11_010_048), ("CPU KV buffer", 2_097_152)];
        let compute = ("CPU compute buffer", 1_048_576);
        assert_eq!(
            buffers,
            expected.into_iter().chain([compute]).map(|(n, b)| name(n, b)).collect::<Vec<_>>()
        );
        assert_eq!(limits, [name("address space", 512), name("recommended working set", 8_589_950_000)]);
        let (never_mapped, _) = told(&["print_info: file size   = 1.00 GiB (16.00 BPW)"]);
        assert_eq!(never_mapped, [name("model file", 1 << 30)]);
    }
}
