//! What is asked, of whom, in which order, and what is skipped.

use std::sync::Arc;

use judge::case::Case;
use judge::models::Model;
use judge::plan::{Filter, Floors, Origin, Plan, PlanInput, Target, make_plan};
use serde_json::{Value, json};
use wire::Capability;

fn case(id: &str, models: &[&str], rest: &Value) -> Arc<Case> {
    let mut case = json!({
        "id": id, "why": "test", "models": models, "checks": [],
        "stimulus": {"generate": {"prompt": {"text": "x"}, "max_tokens": 1}}
    });
    case.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    Arc::new(serde_json::from_value(case).unwrap())
}

fn model(name: &str, role: &str) -> Arc<Model> {
    let (name, role) = (name.to_owned(), role.to_owned());
    Arc::new(Model { path: name.clone().into(), name, role, listed: true, asked_as: None, cannot: None })
}

fn target(name: &str, capabilities: &[Capability]) -> Arc<Target> {
    let card = json!({
        "backend": name, "devices": [], "os": "", "arch": "", "cpu_features": "", "llama_version": "",
        "bindings": "", "capabilities": capabilities, "engines": [], "template_engines": [], "wrapper": ""
    });
    Arc::new(Target::recorded(name.into(), serde_json::from_value(card).unwrap()))
}

fn plan(cases: &[Arc<Case>], targets: &[Arc<Target>], filters: &[&str]) -> Plan {
    let cannot = Model { cannot: Some("nobody can".into()), ..(*model("d-no", "unmade")).clone() };
    let models =
        [model("a-chat", "chat"), model("b-chat", "chat"), model("c-random", "random"), Arc::new(cannot)];
    let filters: Vec<String> = filters.iter().map(|filter| (*filter).to_owned()).collect();
    let filter = Filter::new(&filters).unwrap();
    make_plan(&PlanInput {
        cases,
        models: &models,
        companions: &[],
        without_model: true,
        targets,
        filter: &filter,
    })
}

fn case_with_variants(id: &str, models: &[&str]) -> Vec<Arc<Case>> {
    let folder = tempfile::tempdir().unwrap();
    let source = json!({
        "id": id, "why": "test", "models": models, "checks": [{"golden": {}}],
        "stimulus": {"generate": {"prompt": {"text": "x"}, "max_tokens": 1}},
        "variants": [
            {"name": "small", "why": "test", "config": {"context": {"n_batch": 7}}},
            {"name": "other", "why": "test", "model": "c-random"}
        ]
    });
    let path = folder.path().join(format!("{id}.json"));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, source.to_string()).unwrap();
    Case::read(folder.path(), &path).unwrap().into_iter().map(Arc::new).collect()
}

#[test]
fn a_variant_is_compared_with_the_case_on_the_reference_or_on_its_own_subject() {
    let cases = case_with_variants("f/a", &["a-chat"]);
    let check = |subjects: &[&str], expected: &[&str]| {
        let targets: Vec<_> = subjects.iter().map(|name| target(name, ALL)).collect();
        let plan = plan(&cases, &targets, &[]);
        let told = |item: &judge::plan::Item| {
            let reference = item.reference_item().map_or_else(|| "-".to_owned(), |other| other.to_string());
            format!("{item} {reference}")
        };
        assert_eq!(plan.items.iter().map(told).collect::<Vec<_>>(), expected);
    };
    check(
        &["cpu"],
        &["cpu/a-chat/f/a -", "cpu/a-chat/f/a@small cpu/a-chat/f/a", "cpu/c-random/f/a@other cpu/a-chat/f/a"],
    );
    check(
        &["cpu", "gpu"],
        &[
            "cpu/a-chat/f/a -",
            "cpu/a-chat/f/a@small cpu/a-chat/f/a",
            "cpu/c-random/f/a@other cpu/a-chat/f/a",
            "gpu/a-chat/f/a@small cpu/a-chat/f/a",
            "gpu/a-chat/f/a cpu/a-chat/f/a",
            "gpu/c-random/f/a@other cpu/a-chat/f/a",
        ],
    );
}

#[test]
fn parts_hold_everything_once_and_stay_what_they_were() {
    let targets = [target("cpu", ALL), target("gpu", ALL)];
    let some = |count: usize| -> Vec<Arc<Case>> {
        let own = (0..count).map(|n| case(&format!("f/{n}"), &["role:chat"], &json!({})));
        own.chain(case_with_variants("f/v", &["a-chat"])).collect()
    };
    let part = |cases: &[Arc<Case>], text: &str| {
        let mut plan = plan(cases, &targets, &[]);
        plan.keep(text.parse().unwrap());
        assert!(!plan.complete);
        names(&plan)
    };
    let (few, many) = (some(20), some(60));
    let (all, mut parts) = (names(&plan(&few, &targets, &[])), Vec::new());
    for text in ["1/3", "2/3", "3/3"] {
        let (before, after) = (part(&few, text), part(&many, text));
        assert!(before.len() > all.len() / 6, "{text} holds {} of {}", before.len(), all.len());
        assert!(before.iter().all(|name| after.contains(name)), "{text} changed when cases were added");
        let variants = before.iter().filter(|name| name.contains("/f/v")).count();
        assert!(
            variants == 0 || variants == 6,
            "a case, its variants and both subjects' answers are in one part"
        );
        parts.extend(before);
    }
    parts.sort();
    let mut all = all;
    all.sort();
    assert_eq!(parts, all);
}

fn names(plan: &Plan) -> Vec<String> {
    plan.items.iter().map(ToString::to_string).collect()
}

const ALL: &[Capability] = &[Capability::Generate, Capability::Load];

#[test]
fn selectors_mean_names_globs_and_roles() {
    let cases = [
        case("f/glob", &["*-chat"], &json!({})),
        case("f/name", &["b-chat"], &json!({})),
        case("f/none", &[], &json!({})),
        case("f/role", &["role:random"], &json!({})),
        case("f/unknown", &["z"], &json!({})),
    ];
    let seen = names(&plan(&cases, &[target("cpu", ALL)], &[]));
    let expected = [
        "cpu/-/f/none",
        "cpu/a-chat/f/glob",
        "cpu/b-chat/f/glob",
        "cpu/b-chat/f/name",
        "cpu/c-random/f/role",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn references_come_first_and_only_golden_cases_have_one() {
    let cases = [
        case("f/golden", &["a-chat"], &json!({"checks": [{"golden": {}}]})),
        case("f/plain", &["a-chat"], &json!({})),
    ];
    let targets = [target("cpu", ALL), target("cpu-baseline", ALL), target("vulkan", ALL)];
    let plan = plan(&cases, &targets, &[]);
    let referred = |name: &str| {
        let item = plan.items.iter().find(|item| item.to_string() == name).unwrap();
        item.reference.as_ref().map(|target| target.name.clone())
    };
    assert_eq!(referred("vulkan/a-chat/f/golden").as_deref(), Some("cpu-baseline"));
    assert_eq!(referred("cpu-baseline/a-chat/f/golden"), None);
    assert_eq!(referred("vulkan/a-chat/f/plain"), None);
    let first_dependent = plan.items.iter().position(|item| item.reference.is_some()).unwrap();
    assert!(plan.items[first_dependent..].iter().all(|item| item.reference.is_some()));
}

#[test]
fn neighbours_share_a_worker() {
    let small = json!({"config": {"context": {"n_ctx": 256}}});
    let cases = [
        case("f/1", &["*-chat"], &json!({})),
        case("f/2", &["*-chat"], &small),
        case("f/3", &["*-chat"], &json!({})),
        case("f/4", &["*-chat"], &small),
    ];
    let plan = plan(&cases, &[target("cpu", ALL)], &[]);
    let keys: Vec<_> =
        plan.items.iter().map(|item| (item.model_name().to_owned(), item.case.config.clone())).collect();
    let changes = keys.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(changes, 3, "two models with two configurations are four runs of neighbours: {keys:?}");
}

#[test]
fn a_missing_engine_skips_what_names_it_and_nothing_else() {
    let cases = [
        case("f/raw", &["a-chat"], &json!({})),
        case("f/safe", &["a-chat"], &json!({"config": {"engine": "safe"}})),
        case("f/shim", &["a-chat"], &json!({"stimulus": {"render": {"engine": "jinja"}}})),
    ];
    let without = target("cpu", ALL);
    let mut with = Target::clone(&without);
    with.card.engines = vec![wire::EngineKind::Raw, wire::EngineKind::Safe];
    with.card.template_engines = vec![wire::TemplateEngine::Jinja];
    with.card.capabilities.push(Capability::Render);
    let counts = |target| {
        let plan = plan(&cases, &[target], &[]);
        let mut reasons: Vec<_> = plan.skipped.iter().map(|skipped| skipped.reason.clone()).collect();
        reasons.sort();
        (plan.items.len(), reasons)
    };
    let reasons = ["llama.cpp's own Jinja engine", "the engine over llama-cpp-2"];
    let reasons = reasons.map(|engine| format!("cpu was built without {engine}"));
    assert_eq!(counts(without), (1, reasons.to_vec()));
    assert_eq!(counts(Arc::new(with)), (3, vec![]));
}

#[test]
fn a_missing_capability_skips_with_its_name() {
    let limited = json!({"limits": {"address_space": 1}, "stimulus": {"load": {}}});
    let cases = [case("f/generate", &[], &json!({})), case("f/limited", &[], &limited)];
    let plan = plan(&cases, &[target("cpu", &[Capability::Load])], &[]);
    let reasons: Vec<&str> = plan.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
    let expected = ["cpu has no capability \"generate\"", "cpu has no capability \"address-space-limit\""];
    assert_eq!(reasons, expected);
    assert!(plan.items.is_empty() && plan.complete);
}

#[test]
fn what_cannot_be_made_skips_with_its_reason() {
    let plan = plan(&[case("f/1", &["role:unmade"], &json!({}))], &[target("cpu", ALL)], &[]);
    assert_eq!((plan.items.len(), plan.skipped[0].reason.as_str()), (0, "nobody can"));
}

#[test]
fn a_live_check_names_a_reference_and_no_golden() {
    let cases = [case("f/1", &["c-random"], &json!({"checks": [{"live": {}}]}))];
    let plan = plan(&cases, &[target("cpu", ALL), target("vulkan", ALL)], &[]);
    let references: Vec<bool> = plan.items.iter().map(|item| item.reference.is_some()).collect();
    assert_eq!((references, cases[0].has_golden()), (vec![false, true], false));
}

#[test]
fn a_filter_makes_a_plan_incomplete() {
    let cases = [case("f/1", &[], &json!({})), case("g/1", &[], &json!({}))];
    let plan = plan(&cases, &[target("cpu", ALL)], &["g/*"]);
    assert_eq!(names(&plan), ["cpu/-/g/1"]);
    assert!(!plan.complete);
    assert!(Filter::new(&["[".into()]).unwrap_err().to_string().starts_with("\"[\" is no filter"));
}

#[test]
fn too_few_items_on_a_subject_are_said() {
    let cases = [case("f/1", &[], &json!({})), case("f/2", &[], &json!({"stimulus": {"load": {}}}))];
    let plan_of = |capabilities| plan(&cases, &[target("cpu", capabilities)], &[]);
    let floors = Floors::new([("cpu".to_owned(), 2), ("metal".to_owned(), 9)]);
    assert!(floors.missed(&plan_of(ALL)).is_empty());
    let missed = floors.missed(&plan_of(&[Capability::Load]));
    assert!(
        missed.len() == 1 && missed[0].starts_with("only 1 items would run on cpu, and 2 must"),
        "{missed:?}"
    );
    let filtered = plan(&cases, &[target("cpu", ALL)], &["f/1"]);
    assert!(floors.missed(&filtered).is_empty(), "a filtered plan has no floor");
}

#[test]
fn an_item_knows_how_it_was_asked_for() {
    let asked = |name: &str, origin: Origin, checks: Value, others: &[Arc<Target>]| {
        let subject = Arc::new(Target { origin, ..(*target(name, ALL)).clone() });
        let targets: Vec<Arc<Target>> = others.iter().cloned().chain([subject]).collect();
        let plan = plan(&[case("eog/x", &["a-chat"], &json!({"checks": checks}))], &targets, &[]);
        plan.items.iter().find(|item| item.target.name == name).unwrap().asked_with()
    };
    let (plain, compared) = (json!([]), json!([{"live": {}}]));
    let cpu = [target("cpu", ALL)];
    let carried = || Origin::Carried("./my wrapper".into());
    let source = || Origin::Source("../llama.cpp".into());
    for (name, origin, checks, others, expected) in [
        ("vulkan", Origin::Backend, &plain, &cpu[..], None),
        ("vulkan", Origin::Backend, &compared, &cpu[..], Some("--backend cpu,vulkan")),
        ("vulkan", Origin::Backend, &compared, &[], None),
        ("mine", carried(), &plain, &cpu[..], Some("--probe './my wrapper'")),
        ("mine", carried(), &compared, &cpu[..], Some("--probe './my wrapper' --backend cpu")),
        ("cpu", source(), &compared, &[], Some("--llama-src ../llama.cpp --backend cpu")),
    ] {
        assert_eq!(asked(name, origin, checks.clone(), others).as_deref(), expected, "{name} {checks}");
    }
}
