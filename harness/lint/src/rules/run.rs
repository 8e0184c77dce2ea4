//! All rules, in order.

use super::{bos, control, ends, template, thinking};
use crate::builtin::{self, BuiltinAnswers};
use crate::finding::NotAsked;
use crate::preset::Preset;
use crate::{Finding, LintCode, LintReport, Subject};

/// What is wrong with `subject`, which messages call `name`. `builtin` is what llama.cpp's built-in matcher said to
/// [`crate::builtin_questions`].
pub fn lint(name: &str, subject: &Subject, builtin: &BuiltinAnswers) -> LintReport {
    let mut findings = Vec::new();
    let mut not_asked = Vec::new();
    let preset = Preset::of(subject);
    if let Some(vocabulary) = &subject.vocabulary {
        ends::vocabulary(vocabulary, &mut findings);
        bos::vocabulary(vocabulary, &mut findings);
    } else {
        use LintCode::{
            BosMissing, BosStaleFlag, BosTwice, ControlNotAToken, ControlUnmarked, EogExtra, EogMissing,
            EogUnmarked, NoTemplate, TurnEndNotEog,
        };
        not_asked.push(NotAsked {
            codes: vec![
                BosMissing,
                BosStaleFlag,
                BosTwice,
                ControlNotAToken,
                ControlUnmarked,
                EogExtra,
                EogMissing,
                EogUnmarked,
                NoTemplate,
                TurnEndNotEog,
            ],
            why: "there is no vocabulary beside the template; name the model's GGUF file".to_owned(),
        });
    }
    match preset {
        None => {
            let message = "tokenizer.chat_template is not in the file's metadata";
            findings.push(Finding::new(LintCode::NoTemplate, message));
        }
        Some(preset) => {
            if template::renders(&preset, &mut findings) {
                template::judge(&preset, &mut findings);
                thinking::judge(&preset, &mut findings);
                ends::turn(&preset, subject.vocabulary.as_ref(), &mut findings);
                if let Some(vocabulary) = &subject.vocabulary {
                    bos::template(&preset, vocabulary, &mut findings);
                    control::judge(&preset, vocabulary, &mut findings);
                }
            }
            match builtin {
                Ok(answers) => builtin::judge(&preset, answers, &mut findings),
                Err(why) => not_asked.push(NotAsked {
                    codes: vec![LintCode::BuiltinDiffers, LintCode::BuiltinRefuses],
                    why: why.clone(),
                }),
            }
        }
    }
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity()), finding.code));
    LintReport { subject: name.to_owned(), findings, not_asked }
}
