//! Each defect, planted into a healthy model, is found; the healthy twins are clean.

use gguf::{GgufFile, Value, Writer};
use lint::{BuiltinAnswer, BuiltinAnswers, Finding, LintCode, Severity, Subject, lint};
use proptest::prelude::*;

const SMOLLM2: &str = include_str!("../../gguf/templates/smollm2.jinja");
const CHATML: &str = include_str!("../../gguf/templates/chatml.jinja");
const QWEN3: &str = include_str!("../../gguf/templates/qwen3.jinja");
const GEMMA3: &str = include_str!("../../gguf/templates/gemma3.jinja");
const GEMMA2: &str = include_str!("../../gguf/templates/gemma2.jinja");

/// What a vocabulary is made of: each token with its type, and further keys.
#[derive(Clone)]
struct Model {
    architecture: &'static str,
    template: Option<String>,
    tokens: Vec<(&'static str, i32)>,
    keys: Vec<(&'static str, Value)>,
}

/// ChatML, as SmolLM2 has it.
fn smollm2() -> Model {
    Model {
        architecture: "llama",
        template: Some(SMOLLM2.to_owned()),
        tokens: vec![("<|endoftext|>", 3), ("<|im_start|>", 3), ("<|im_end|>", 3), ("hello", 1), ("</a>", 1)],
        keys: vec![
            ("tokenizer.ggml.model", "gpt2".into()),
            ("tokenizer.ggml.pre", "smollm".into()),
            ("tokenizer.ggml.bos_token_id", 1_u32.into()),
            ("tokenizer.ggml.eos_token_id", 2_u32.into()),
            ("tokenizer.ggml.add_bos_token", false.into()),
        ],
    }
}

/// SentencePiece with BOS from the template alone.
fn gemma() -> Model {
    Model {
        architecture: "gemma3",
        template: Some(GEMMA3.to_owned()),
        tokens: vec![("<pad>", 3), ("<eos>", 3), ("<bos>", 3), ("<start_of_turn>", 3), ("<end_of_turn>", 3)],
        keys: vec![
            ("tokenizer.ggml.model", "llama".into()),
            ("tokenizer.ggml.bos_token_id", 2_u32.into()),
            ("tokenizer.ggml.eos_token_id", 1_u32.into()),
            ("tokenizer.ggml.add_bos_token", false.into()),
        ],
    }
}

impl Model {
    fn template(mut self, template: &str) -> Self {
        self.template = Some(template.to_owned());
        self
    }

    /// Every `from` in the template becomes `to`.
    fn replace(self, from: &str, to: &str) -> Self {
        let old = self.template.clone().unwrap();
        assert!(old.contains(from), "{from} is not in the template");
        self.template(&old.replace(from, to))
    }

    fn key(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.keys.retain(|(known, _)| *known != key);
        self.keys.push((key, value.into()));
        self
    }

    fn without(mut self, key: &str) -> Self {
        self.keys.retain(|(known, _)| *known != key);
        self
    }

    fn token(mut self, text: &'static str, kind: i32) -> Self {
        self.tokens.retain(|(known, _)| *known != text);
        self.tokens.push((text, kind));
        self
    }

    /// The token `text` has another type, at the same id.
    fn mark(mut self, text: &str, kind: i32) -> Self {
        self.tokens.iter_mut().filter(|(known, _)| *known == text).for_each(|token| token.1 = kind);
        self
    }

    /// Through the bytes of a file, as a real one.
    fn subject(&self) -> Subject {
        let mut writer = Writer::new(self.architecture);
        if let Some(template) = &self.template {
            writer.set("tokenizer.chat_template", template.as_str());
        }
        writer.set(
            "tokenizer.ggml.tokens",
            self.tokens.iter().map(|(text, _)| (*text).to_owned()).collect::<Vec<_>>(),
        );
        writer
            .set("tokenizer.ggml.token_type", self.tokens.iter().map(|(_, kind)| *kind).collect::<Vec<_>>());
        for (key, value) in &self.keys {
            writer.set(key, value.clone());
        }
        Subject::of_model(&GgufFile::from_bytes(&writer.to_bytes()).unwrap())
    }
}

fn nobody() -> BuiltinAnswers {
    Err("nobody asked".to_owned())
}

fn found(subject: &Subject, builtin: &BuiltinAnswers) -> Vec<Finding> {
    lint("m", subject, builtin).findings
}

/// The healthy twin with one defect for each code that needs no probe.
fn planted() -> Vec<(LintCode, Model)> {
    use LintCode::*;
    let thinking = smollm2().template(QWEN3).token("<think>", 4).token("</think>", 4);
    vec![
        (BosMissing, gemma().replace("{{- bos_token }}", "")),
        (BosStaleFlag, gemma().key("tokenizer.ggml.pre", "gemma4")),
        (BosTwice, gemma().key("tokenizer.ggml.add_bos_token", true)),
        (ControlNotAToken, smollm2().replace("<|im_start|>", "<|im_begin|>")),
        (ControlUnmarked, smollm2().mark("<|im_start|>", 1)),
        (EogExtra, gemma().token("</s>", 1)),
        (EogMissing, smollm2().without("tokenizer.ggml.eos_token_id")),
        (EogUnmarked, smollm2().mark("<|im_end|>", 1)),
        (HistoryLost, smollm2().template(LOSES_ANSWERS)),
        (NoGenerationPrompt, smollm2().replace("add_generation_prompt", "false")),
        (NoTemplate, Model { template: None, ..smollm2() }),
        (SystemLost, smollm2().template(LOSES_SYSTEM)),
        (SystemRefused, gemma().template(GEMMA2)),
        (TemplateCutShort, smollm2().template(&SMOLLM2[..SMOLLM2.len() - 30])),
        (TemplateRunsCode, smollm2().template(&format!("{SMOLLM2}{{{{ ''.__class__ }}}}"))),
        (TemplateUnrenderable, smollm2().template("{{ messages[0].content.x.y }}")),
        (ThinkingByDefault, thinking.clone()),
        (ThinkingNoSwitch, thinking.clone().replace("enable_thinking is defined and enable_thinking is false", "true")),
        (ThinkingSwitch, thinking.clone().replace("enable_thinking is false", "not enable_thinking or enable_thinking is undefined")),
        (ThinkingUnbalanced, thinking.clone().replace(".split('</think>')[-1]", ".split('</think>')[0]")),
        (TurnEndMissing, smollm2().template("{% for m in messages %}{{ m.role }}: {{ m.content }}{% if not loop.last %}\n{% endif %}{% endfor %}{% if add_generation_prompt %}\nassistant:{% endif %}")),
        (TurnEndNotEog, smollm2().token("<|turn_end|>", 3).replace("<|im_end|>", "<|turn_end|>")),
    ]
}

const LOSES_ANSWERS: &str = "{% for m in messages if m.role != 'assistant' %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
const LOSES_SYSTEM: &str = "{% for m in messages if m.role != 'system' %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

#[test]
fn healthy_models_are_clean() {
    for (name, model) in [("smollm2", smollm2()), ("chatml", smollm2().template(CHATML)), ("gemma", gemma())]
    {
        let report = lint(name, &model.subject(), &nobody());
        assert_eq!(report.findings, [], "{name}");
        assert_eq!(report.not_asked.len(), 1, "only what a probe would be needed for");
    }
    let alone = lint("t", &Subject::of_template(SMOLLM2), &nobody());
    assert_eq!((alone.findings, alone.not_asked.len()), (vec![], 2));
}

#[test]
fn each_planted_defect_is_found() {
    let planted = planted();
    for (code, model) in &planted {
        let findings = found(&model.subject(), &nobody());
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(code), "{code}: {findings:#?}");
        // What a defect brings with it is never an error of another kind, but for what it makes impossible to say.
        let others = findings.iter().filter(|one| one.code != *code && one.severity() == Severity::Error);
        assert_eq!(others.count(), 0, "{code}: {findings:#?}");
    }
    let probed = [LintCode::BuiltinDiffers, LintCode::BuiltinRefuses];
    for code in LintCode::ALL.iter().filter(|code| !probed.contains(code)) {
        assert!(planted.iter().any(|(known, _)| known == code), "{code} is planted nowhere");
    }
}

#[test]
fn the_builtin_matcher_is_compared_when_it_was_asked() {
    let subject = smollm2().template(CHATML).subject();
    let prompts: Vec<String> = lint::builtin_questions()
        .iter()
        .map(|messages| {
            let turns = messages.iter().map(|m| format!("<|im_start|>{}\n{}<|im_end|>\n", m.role, m.content));
            turns.collect::<String>() + "<|im_start|>assistant\n"
        })
        .collect();
    let same: Vec<_> = prompts.iter().cloned().map(BuiltinAnswer::Prompt).collect();
    let report = lint("m", &subject, &Ok(same.clone()));
    assert_eq!((report.findings, report.not_asked), (vec![], vec![]));
    let other = same.iter().cloned().map(|answer| match answer {
        BuiltinAnswer::Prompt(prompt) => BuiltinAnswer::Prompt(prompt.replace("QUESTION", "question")),
        refused => refused,
    });
    let findings = found(&subject, &Ok(other.collect()));
    let [one] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(one.code, LintCode::BuiltinDiffers);
    assert!(
        one.message.starts_with("3 of 3 conversations") && one.message.contains("\"question-7"),
        "{}",
        one.message
    );
    let thinking = smollm2().template(QWEN3).token("<think>", 4).token("</think>", 4).subject();
    let findings = found(&thinking, &Ok(same));
    let switch = findings.iter().find(|one| one.code == LintCode::BuiltinDiffers).unwrap();
    assert!(switch.message.contains("enable_thinking cannot be set"), "{}", switch.message);
    let findings = found(&subject, &Ok(vec![BuiltinAnswer::Refused; 3]));
    assert_eq!(findings[0].code, LintCode::BuiltinRefuses);
}

#[test]
fn a_tokenizer_config_carries_its_template() {
    let config = serde_json::json!({ "bos_token": "<s>", "chat_template": SMOLLM2 }).to_string();
    assert_eq!(Subject::of_template(&config).template.as_deref(), Some(SMOLLM2));
    assert_eq!(Subject::of_template("{}").template.as_deref(), Some("{}"));
}

/// What the OASIS schema of SARIF 2.1.0 requires of the parts that are used: sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.49.
#[test]
fn sarif_has_the_shape_that_its_schema_demands() {
    let subject =
        smollm2().template(&format!("{SMOLLM2}\n{{{{ ''.__class__ }}}}")).mark("<|im_end|>", 1).subject();
    let log = lint::sarif(&lint("m.gguf", &subject, &nobody()), "models/m.gguf", "0.1.0");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.ends_with("sarif-2.1.0.json")));
    let [run] = &log["runs"].as_array().unwrap()[..] else { panic!("not one run") };
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string());
    let rules = driver["rules"].as_array().unwrap();
    assert_eq!(rules.len(), LintCode::ALL.len());
    let level =
        |value: &serde_json::Value| ["none", "note", "warning", "error"].contains(&value.as_str().unwrap());
    for rule in rules {
        assert!(
            rule["id"].is_string() && rule["helpUri"].as_str().unwrap().starts_with("https://"),
            "{rule}"
        );
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[text]["text"].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
        assert!(level(&rule["defaultConfiguration"]["level"]), "{rule}");
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{results:#?}");
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(level(&result["level"]) && result["message"]["text"].is_string(), "{result}");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "models/m.gguf");
        assert!(place["region"].is_null() || place["region"]["startLine"].as_u64() >= Some(1), "{place}");
    }
    assert!(results.iter().any(|result| result["locations"][0]["physicalLocation"]["region"].is_object()));
}

/// What looks like a defect and is how real families are: Mistral's turns need no opening, GLM's are ended by the next
/// one, DeepSeek's answers begin with the end of a thought, Gemma 4 stops for a tool.
#[test]
fn what_families_mean_is_no_defect() {
    let tokens = vec![("<|user|>", 3), ("<|assistant|>", 3), ("<|system|>", 3), ("<|eos|>", 3)];
    let glm = Model { tokens: tokens.clone(), ..smollm2() };
    for (name, model) in [
        ("mistral", smollm2().template(MISTRAL)),
        ("command r", smollm2().template(COMMAND_R)),
        ("glm", glm.template(GLM).key("tokenizer.ggml.eot_token_id", 0_u32)),
        ("deepseek", smollm2().template(&CHATML.replace("message.content", "'</think>' + message.content"))),
        ("gemma 4", smollm2().token("<|tool_response>", 4)),
    ] {
        let report = lint(name, &model.subject(), &nobody());
        let worse = report.findings.iter().filter(|one| one.code != LintCode::ThinkingNoSwitch);
        assert_eq!(worse.collect::<Vec<_>>(), Vec::<&Finding>::new(), "{name}");
    }
    let unsaid = Model { tokens, ..smollm2() }.template(GLM);
    let codes: Vec<_> = found(&unsaid.subject(), &nobody()).iter().map(|one| one.code).collect();
    assert_eq!(codes, [LintCode::TurnEndMissing], "nobody said that <|user|> ends");
}

const MISTRAL: &str = "{% for m in messages %}{% if m.role == 'assistant' %} {{ m.content }}<|im_end|>{% else %}[INST] {{ m.content }}[/INST]{% endif %}{% endfor %}";
const COMMAND_R: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}A: {% endif %}{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\nThought: ";
const GLM: &str = "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}";

proptest! {
    /// No damage to a template makes the lint panic, whatever it then finds.
    #[test]
    fn damaged_templates_are_looked_at_all_the_same(
        which in 0..3_usize,
        places in proptest::collection::vec((0..4_000_usize, "[{}%#'|<>é a0]"), 0..4),
        cut in 0..4_000_usize,
    ) {
        let mut template = [SMOLLM2, QWEN3, GEMMA3][which].to_owned();
        let boundary = |template: &str, place: usize| {
            (0..=place.min(template.len())).rev().find(|at| template.is_char_boundary(*at)).unwrap_or(0)
        };
        for (place, text) in places {
            let at = boundary(&template, place);
            template.insert_str(at, &text);
        }
        template.truncate(boundary(&template, cut));
        let report = lint("m", &smollm2().template(&template).subject(), &nobody());
        prop_assert!(report.findings.is_sorted_by_key(|one| std::cmp::Reverse(one.severity())));
    }
}

/// The families' templates alone: what is known of each.
#[test]
fn families_are_known() {
    let templates = concat!(env!("CARGO_MANIFEST_DIR"), "/../gguf/templates");
    for (name, codes) in [
        ("chatml", &[][..]),
        ("gemma2", &[LintCode::SystemRefused]),
        ("gemma3", &[]),
        ("gemma4-12b", &[LintCode::ThinkingSwitch]),
        ("gemma4-e2b", &[LintCode::ThinkingSwitch]),
        ("llama3", &[]),
        ("qwen3", &[LintCode::ThinkingByDefault]),
        ("qwen35", &[LintCode::ThinkingByDefault]),
        ("smollm2", &[]),
    ] {
        let template = std::fs::read_to_string(format!("{templates}/{name}.jinja")).unwrap();
        let findings = found(&Subject::of_template(&template), &nobody());
        assert_eq!(findings.iter().map(|one| one.code).collect::<Vec<_>>(), codes, "{name}: {findings:#?}");
    }
}
