//! Every check and every diagnosis can fail: each row breaks a healthy observation in one way and names the
//! finding that must come.

use std::path::Path;

use judge::case::{Case, Check};
use judge::check::{Expected, evaluate};
use judge::finding::{Code, Finding};
use judge::numbers::{Tolerance, Tolerances};
use judge::triage::triage;
use wire::{
    DecodeCall, Ending, Layer, LoadEvidence, MemoryState, Observation, Piece, Position, Refusal, RefusalCode,
    Request, Stop, StopReason, Token, TokenKind, Turn, VocabToken,
};

const BOS: i32 = 2;
const END: i32 = 6;

fn token(id: i32, text: &str, kind: TokenKind) -> Token {
    Token { id, piece: Piece::from(text), kind }
}

fn logits(step: usize) -> Vec<f32> {
    let likely = 40 + step;
    (0..300).map(|id| if id == likely { 11.5 } else { ((id * 37 + step * 11) % 100) as f32 / 10.0 }).collect()
}

fn position(step: usize, change: impl Fn(&mut Vec<f32>)) -> Position {
    let mut logits = logits(step);
    change(&mut logits);
    Position::of(step as i32, &logits, &[END], None)
}

/// `<bos><turn>Hi` is answered by `A`, `B` and the end of the turn.
fn healthy() -> Observation {
    let mut observation = Observation::ended(Ending::Completed);
    observation.load = Some(LoadEvidence {
        bos: BOS,
        add_bos: true,
        n_ctx: Some(512),
        can_shift: Some(true),
        eot: END,
        eog: vec![END],
        template: Some("template".into()),
        template_bytes: Some(8),
        special: vec![
            VocabToken { id: BOS, text: "<bos>".into(), kind: TokenKind::Control, eog: false },
            VocabToken { id: END, text: "<end>".into(), kind: TokenKind::Control, eog: true },
        ],
        ..LoadEvidence::default()
    });
    observation.turns.push(Turn {
        prompt: Some("<bos><turn>Hi".into()),
        prompt_tokens: vec![
            token(BOS, "<bos>", TokenKind::Control),
            token(5, "<turn>", TokenKind::Control),
            token(70, "Hi", TokenKind::Normal),
        ],
        prefill: vec![position(2, |_| {})],
        decode_calls: vec![DecodeCall { pos: 0, n_tokens: 3, code: 0 }],
        generated: vec![
            token(7, "A", TokenKind::Normal),
            token(8, "B", TokenKind::Normal),
            token(END, "<end>", TokenKind::Control),
        ],
        decode: vec![position(3, |_| {}), position(4, |_| {})],
        stop: Some(Stop { reason: StopReason::Eog, token: Some(END), string: None }),
        thinking: Some("hm".into()),
        thinking_tokens: Some(0),
        answer: Some("AB".into()),
        chunks: vec!["A".into(), "B".into()],
        ..Turn::default()
    });
    observation.turns.push(observation.turns[0].clone());
    observation
}

/// A case with every kind of check, all of which the healthy observation meets.
fn case() -> Case {
    serde_json::from_value(serde_json::json!({
        "id": "test/all", "why": "test", "models": ["m"],
        "stimulus": {"generate": {"prompt": {"chat": {"messages": []}}, "max_tokens": 8}},
        "checks": [
            {"prompt": {"equals": "<bos><turn>Hi", "starts_with": "<bos>", "ends_with": "Hi"}},
            {"answer": {"equals": "AB", "contains": "A", "not_contains": "Z"}},
            {"thinking": {"equals": "hm"}},
            {"tokens": {"equals": ["<bos>", "<turn>", "Hi"]}},
            {"bos": {"equals": 1}},
            {"control-tokens": {"<turn>": 1, "<end>": 0}},
            {"stop": {"reason": "eog", "token": "<end>"}},
            {"generated": {"at_least": 2, "at_most": 4}},
            {"vocab": {"eog": ["<end>"], "not_eog": ["<bos>"], "add_bos": true, "template_bytes": 8,
                       "eot": "<end>", "can_shift": true, "n_ctx": 512}},
            {"golden": {}},
            {"same-turns": {"first": 0, "second": 1}}
        ]
    }))
    .unwrap()
}

fn tolerance() -> Tolerance {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/tolerances.json");
    Tolerances::read(&path).unwrap().of("cpu", "random-llama", None).clone()
}

fn request(case: &Case) -> Request {
    Request {
        id: 1,
        model: None,
        adapter: None,
        config: case.config.clone(),
        stimulus: case.stimulus.clone(),
        limits: case.limits.clone(),
        forced_tokens: None,
        isolation: case.isolation,
        watch: None,
    }
}

fn codes(case: &Case, observation: &Observation) -> Vec<(Code, Layer)> {
    let reference = healthy();
    let expected = [Expected { name: "the golden", observation: &reference }];
    let findings = evaluate(case, &request(case), observation, &expected, &tolerance());
    if let Some(blame) = triage(&findings, observation, Some(&reference)) {
        let is_blamed = |finding: &&Finding| (finding.code, finding.layer) == (blame.code, blame.layer);
        let cause = findings.iter().find(is_blamed).expect("the cause is among the findings");
        assert!(
            findings.iter().filter(|finding| finding.turn == cause.turn).all(|finding| {
                finding.layer >= cause.layer || finding.code.is_remark() || cause.code.is_carried()
            }),
            "the first layer of a turn is blamed"
        );
    }
    findings.into_iter().map(|finding| (finding.code, finding.layer)).collect()
}

type Break = fn(&mut Observation);

#[test]
fn each_way_of_breaking_has_its_finding() {
    let table: &[(&str, Code, Layer, Break)] = &[
        ("another prompt", Code::PromptDiffers, Layer::Template, |o| {
            o.turns[0].prompt = Some("<bos>Hi".into());
        }),
        ("no prompt", Code::ObservationIncomplete, Layer::Load, |o| o.turns[0].prompt = None),
        ("other tokens", Code::TokensDiffer, Layer::Tokens, |o| o.turns[0].prompt_tokens[2].id = 71),
        ("double BOS", Code::DoubleBos, Layer::Tokens, |o| {
            let bos = o.turns[0].prompt_tokens[0].clone();
            o.turns[0].prompt_tokens.insert(0, bos);
        }),
        ("no BOS", Code::MissingBos, Layer::Tokens, |o| drop(o.turns[0].prompt_tokens.remove(0))),
        ("special token as text", Code::SpecialTokenSplit, Layer::Tokens, |o| {
            o.turns[0].prompt_tokens[1].kind = TokenKind::Normal;
        }),
        ("user text as control token", Code::UserTextBecameControl, Layer::Tokens, |o| {
            o.turns[0].prompt_tokens.push(token(END, "<end>", TokenKind::Control));
        }),
        ("NaN while reading the prompt", Code::LogitsNotFinite, Layer::Prefill, |o| {
            o.turns[0].prefill[0] = position(2, |logits| logits[9] = f32::NAN);
        }),
        ("infinity while answering", Code::LogitsNotFinite, Layer::Decode, |o| {
            o.turns[0].decode[1] = position(4, |logits| logits[9] = f32::INFINITY);
        }),
        ("stale logits", Code::LogitsStale, Layer::Decode, |o| {
            o.turns[0].decode[1] = Position::of(4, &logits(4), &[END], Some(&logits(4)));
        }),
        ("noise in the prompt", Code::LogitsDiffer, Layer::Prefill, |o| {
            o.turns[0].prefill[0] =
                position(2, |logits| logits.iter_mut().for_each(|l| *l += *l * *l / 50.0));
        }),
        ("noise in the answer", Code::LogitsDiffer, Layer::Decode, |o| {
            o.turns[0].decode[0] = position(3, |logits| logits.reverse());
        }),
        ("logits left out", Code::ObservationIncomplete, Layer::Load, |o| o.turns[0].prefill.clear()),
        ("the answer's logits left out", Code::ObservationIncomplete, Layer::Load, |o| {
            o.turns[0].decode.clear();
        }),
        ("EOG lowered", Code::EogProbabilityDiffers, Layer::Prefill, |o| {
            o.turns[0].prefill[0] = position(2, |logits| logits[END as usize] -= 3.0);
        }),
        ("decode failed", Code::DecodeFailed, Layer::Decode, |o| o.turns[0].decode_calls[0].code = -1),
        ("no KV slot", Code::ContextFull, Layer::Memory, |o| o.turns[0].decode_calls[0].code = 1),
        ("a batch too large", Code::BatchTooLarge, Layer::Decode, |o| {
            o.turns[0].decode_calls[0].n_tokens = 513;
        }),
        ("more in memory than was decoded", Code::MemoryInconsistent, Layer::Memory, |o| {
            o.turns[0].memory = Some(MemoryState { pos_min: 0, pos_max: 4 });
        }),
        ("positions that did not begin anew", Code::MemoryInconsistent, Layer::Memory, |o| {
            o.turns[0].memory = Some(MemoryState { pos_min: 7, pos_max: 9 });
        }),
        ("on after the end", Code::EndIgnored, Layer::Stop, |o| {
            o.turns[0].generated.push(token(7, "A", TokenKind::Normal));
        }),
        ("over the budget", Code::GeneratedCount, Layer::Stop, |o| {
            o.turns[0].generated.splice(0..0, vec![token(7, "A", TokenKind::Normal); 6]);
        }),
        ("a thought that was not split", Code::ThinkingDiffers, Layer::Parse, |o| o.turns[0].thinking = None),
        ("another choice", Code::SamplingDiffers, Layer::Sampling, |o| o.turns[0].chosen = vec![9, 8, END]),
        ("never ended", Code::NeverEnded, Layer::Stop, |o| {
            o.turns[0].stop = Some(Stop { reason: StopReason::Length, token: None, string: None });
        }),
        ("ended at another token", Code::StopDiffers, Layer::Stop, |o| {
            o.turns[0].generated[2] = token(1, "<eos>", TokenKind::Control);
        }),
        ("too many tokens", Code::GeneratedCount, Layer::Stop, |o| {
            let end = o.turns[0].generated[2].clone();
            o.turns[0].generated.extend([end.clone(), end]);
        }),
        ("an empty answer", Code::EmptyAnswer, Layer::Stop, |o| drop(o.turns[0].generated.drain(..2))),
        ("budget spent thinking", Code::BudgetSpentThinking, Layer::Parse, |o| {
            let turn = &mut o.turns[0];
            turn.stop = Some(Stop { reason: StopReason::Length, token: None, string: None });
            (turn.answer, turn.thinking_tokens) = (Some(String::new()), Some(3));
        }),
        ("another thought", Code::ThinkingDiffers, Layer::Parse, |o| {
            o.turns[0].thinking = Some("hmm".into());
        }),
        ("another answer", Code::TextDiffers, Layer::Text, |o| o.turns[0].answer = Some("A".into())),
        ("lost text in the stream", Code::ChunksDiffer, Layer::Text, |o| {
            o.turns[0].chunks = vec!["B".into()];
        }),
        ("EOG forgotten", Code::VocabularyDiffers, Layer::Tokens, |o| {
            o.load.as_mut().unwrap().special[1].eog = false;
        }),
        ("context smaller", Code::ContextParameter, Layer::Load, |o| {
            o.load.as_mut().unwrap().n_ctx = Some(256);
        }),
        ("template cut", Code::PromptDiffers, Layer::Template, |o| {
            o.load.as_mut().unwrap().template = Some("temp".into());
        }),
        ("a leak", Code::MemoryLeak, Layer::Memory, |o| o.turns[1].decode[0].top[0].1 += 1e-6),
        ("another answer to the same", Code::TurnDiffers, Layer::Turns, |o| {
            o.turns[1].answer = Some("AC".into());
        }),
        ("a turn missing", Code::ObservationIncomplete, Layer::Load, |o| drop(o.turns.pop())),
        ("killed", Code::Died, Layer::Decode, |o| {
            o.ending = Ending::Died { signal: Some(9), exit_code: None }
        }),
        ("hung", Code::Hung, Layer::Decode, |o| o.ending = Ending::Hung { deadline_ms: 5 }),
        ("garbage", Code::Garbled, Layer::Decode, |o| {
            o.ending = Ending::Garbled { problem: "not a frame".into(), excerpt: "hello".into() };
        }),
    ];
    let case = case();
    assert_eq!(codes(&case, &healthy()), [], "no alarm on the healthy observation");
    for (name, code, layer, change) in table {
        let mut observation = healthy();
        change(&mut observation);
        let seen = codes(&case, &observation);
        assert!(seen.contains(&(*code, *layer)), "{name}: expected {code} at {layer:?}, saw {seen:?}");
    }
}

#[test]
fn each_refusal_has_its_finding() {
    let table = [
        (RefusalCode::LoadFailed, "x", Code::LoadFailed),
        (RefusalCode::MmapFailed, "x", Code::AddressSpace),
        (RefusalCode::AllocationFailed, "unable to allocate CPU_REPACK buffer", Code::RepackAllocationFailed),
        (RefusalCode::AllocationFailed, "unable to allocate CPU buffer", Code::AllocationFailed),
        (RefusalCode::ContextFailed, "x", Code::ContextFailed),
        (RefusalCode::NoTemplate, "x", Code::NoChatTemplate),
        (RefusalCode::TemplateUnsupported, "x", Code::TemplateUnsupported),
        (RefusalCode::TemplateError, "x", Code::TemplateError),
        (RefusalCode::TokenizeFailed, "x", Code::TokenizeFailed),
        (RefusalCode::PromptTooLong, "x", Code::PromptTooLong),
        (RefusalCode::CannotShift, "x", Code::CannotShift),
        (RefusalCode::Unsupported, "x", Code::Unsupported),
        (RefusalCode::BadRequest, "x", Code::BadRequest),
    ];
    let mut case = case();
    case.checks.clear();
    for (code, message, finding) in table {
        let refusal = Refusal { layer: Layer::Load, code, message: message.into() };
        let observation = Observation::ended(Ending::Refused(refusal));
        assert_eq!(codes(&case, &observation), [(finding, Layer::Load)], "{code:?}");
    }
}

#[test]
fn what_has_no_golden_is_compared_with_the_live_reference() {
    let mut case = case();
    case.checks = vec![Check::Live {}];
    let mut observation = healthy();
    assert_eq!(codes(&case, &observation), []);
    observation.turns[0].decode[0] = position(3, |logits| logits.reverse());
    let found = [Code::LogitsDiffer, Code::EogProbabilityDiffers].map(|code| (code, Layer::Decode));
    assert_eq!(codes(&case, &observation), found);
}

#[test]
fn an_expected_finding_passes_and_its_absence_fails() {
    let mut case = case();
    case.checks.clear();
    case.expects = vec![Code::Died];
    let mut observation = healthy();
    assert_eq!(codes(&case, &observation), [(Code::ExpectedFindingMissing, Layer::Load)]);
    observation.ending = Ending::Died { signal: Some(6), exit_code: None };
    assert_eq!(codes(&case, &observation), []);
}

/// Three turns of 100 tokens in a context of 256: the third does not fit.
fn conversation() -> Observation {
    let mut observation = healthy();
    observation.load.as_mut().unwrap().n_ctx = Some(256);
    let mut turn = observation.turns[0].clone();
    turn.prompt_tokens = vec![token(70, "Hi", TokenKind::Normal); 98];
    turn.memory = Some(MemoryState { pos_min: 0, pos_max: 99 });
    turn.decode_calls = vec![DecodeCall { pos: 0, n_tokens: 98, code: 0 }];
    let mut full = turn.clone();
    full.decode_calls = vec![DecodeCall { pos: 200, n_tokens: 98, code: 1 }];
    full.stop = Some(Stop { reason: StopReason::ContextFull, token: None, string: None });
    full.answer = None;
    full.generated.clear();
    observation.turns = vec![turn.clone(), turn, full];
    observation
}

#[test]
fn each_way_of_breaking_a_conversation_has_its_finding() {
    let case: Case = serde_json::from_value(serde_json::json!({
        "id": "test/turns", "why": "test", "models": ["m"],
        "stimulus": {"converse": {"turns": [], "memory": "kept", "history": "last-only", "max_tokens": 8}},
        "checks": [
            {"remembered": {"turn": 0, "word": "A"}},
            {"forgotten": {"turn": 1, "word": "Z"}},
            {"memory": {"turn": 1, "pos_min": 0, "pos_max": 99, "at_most": 255}},
            {"overflow": {"turn": 2}}
        ],
        "expects": ["context-full"]
    }))
    .unwrap();
    let table: &[(&str, Code, Break)] = &[
        ("forgot", Code::HistoryLost, |o| o.turns[0].answer = Some("B".into())),
        ("leaked", Code::MemoryLeak, |o| o.turns[1].answer = Some("Z".into())),
        ("moved", Code::MemoryState, |o| o.turns[1].memory = Some(MemoryState { pos_min: 1, pos_max: 99 })),
        ("never full", Code::MemoryState, |o| o.turns[2].stop = o.turns[1].stop.clone()),
        ("full too early", Code::MemoryState, |o| o.turns[1].stop = o.turns[2].stop.clone()),
        ("full though there is room", Code::MemoryState, |o| o.turns[2].decode_calls[0].pos = 100),
        ("room where there is none", Code::MemoryState, |o| o.turns[2].decode_calls[0].code = 0),
    ];
    assert_eq!(codes(&case, &conversation()), []);
    for (name, code, change) in table {
        let mut observation = conversation();
        change(&mut observation);
        let seen = codes(&case, &observation);
        assert!(seen.iter().any(|(seen, _)| seen == code), "{name}: expected {code}, saw {seen:?}");
    }
}

#[test]
fn a_switch_that_changes_nothing_is_found() {
    let case: Case = serde_json::from_value(serde_json::json!({
        "id": "test/switch", "why": "test", "models": ["m"], "stimulus": {"render": {}},
        "checks": [{"switched-prompts": {"first": 0, "second": 1}}]
    }))
    .unwrap();
    let mut observation = healthy();
    assert_eq!(codes(&case, &observation), [(Code::ThinkingSwitchIgnored, Layer::Template)]);
    observation.turns[1].prompt = Some("another".into());
    assert_eq!(codes(&case, &observation), []);
}

#[test]
fn a_refusal_is_judged_at_the_layer_that_refused() {
    let case: Case = serde_json::from_value(serde_json::json!({
        "id": "test/refusal", "why": "test", "stimulus": {"render": {}},
        "checks": [{"refusal": {"contains": "system role"}}], "expects": ["template-error"]
    }))
    .unwrap();
    let refused = |message: &str| {
        let refusal =
            Refusal { layer: Layer::Template, code: RefusalCode::TemplateError, message: message.into() };
        Observation::ended(Ending::Refused(refusal))
    };
    assert_eq!(codes(&case, &refused("no system role here")), []);
    assert_eq!(codes(&case, &refused("syntax error")), [(Code::RefusalDiffers, Layer::Template)]);
    let seen = codes(&case, &healthy());
    assert!(seen.contains(&(Code::RefusalDiffers, Layer::Load)), "{seen:?}");
}
