//! The report for people, in 80 columns.

use std::fmt;

use super::build::{Outcome, Report};
use super::wrap::wrap;
use crate::size::{size, thousands};
use crate::{Check, Finding, Severity};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = match self.identifiers.first() {
            Some(identifier) => format!("{} ({identifier}, {} GB)", self.device, self.ram),
            None => format!("{} ({} GB)", self.device, self.ram),
        };
        f.write_str(&wrap("", 2, &format!("{} on {device}", self.model.name)))?;
        f.write_str(&wrap("", 2, &self.verdict()))?;
        f.write_str("\n")?;
        self.needs(f)?;
        self.table(f)?;
        self.list(f, "What is in the way", Severity::Risk, Severity::Fails)?;
        self.list(f, "What could be better", Severity::Advice, Severity::Advice)?;
        self.list(f, "Worth knowing", Severity::Note, Severity::Note)
    }
}

impl Report {
    /// The answer, the margin, the cheapest cure.
    fn verdict(&self) -> String {
        let first = self.findings.first().filter(|finding| finding.severity >= Severity::Risk);
        match (self.outcome, first) {
            (Outcome::Fails, Some(finding)) => {
                format!("WILL NOT WORK: {}{}", finding.message, cheapest(finding))
            }
            (Outcome::May, Some(finding)) => {
                format!("MAY NOT WORK: {}{}", finding.message, cheapest(finding))
            }
            _ => match self.tightest() {
                Some((check, margin)) => format!(
                    "WILL LOAD AND CHAT, by all that is known. Tightest: {}, with {:.0} % to spare.",
                    check.what,
                    margin * 100.0
                ),
                None => "WILL LOAD AND CHAT, by all that is known; no limit of this device is.".to_owned(),
            },
        }
    }

    fn tightest(&self) -> Option<(&Check, f64)> {
        let margins = self.checks.iter().filter_map(|check| Some((check, check.margin()?)));
        margins.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What the model takes.
    fn needs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types: Vec<String> = self
            .model
            .types
            .iter()
            .take(3)
            .map(|share| format!("{} {}", size(share.bytes), share.kind))
            .collect();
        let more = if self.model.types.len() > 3 { ", …" } else { "" };
        let line = |f: &mut fmt::Formatter<'_>, name: &str, text: String| {
            f.write_str(&wrap(&format!("  {name:<9}"), 11, &text))
        };
        line(f, "weights", format!("{} ({}{more})", size(self.model.weight_bytes), types.join(", ")))?;
        let context = &self.context;
        let kinds = if context.type_k == context.type_v {
            context.type_k.to_owned()
        } else {
            format!("{}/{}", context.type_k, context.type_v)
        };
        let assumed = if context.assumed { ", assumed: say --n-ctx" } else { "" };
        let cache = format!(
            "{} for {} tokens in {kinds} ({} a token{assumed})",
            size(context.cache_bytes),
            thousands(context.n_ctx),
            size(context.bytes_per_token),
        );
        line(f, "cache", cache)?;
        let how = if context.compute.measured { "llama.cpp says so" } else { "estimated" };
        line(f, "compute", format!("{} ({how})", size(context.compute.bytes)))?;
        if let Some(longest) = context.longest {
            let all = if longest >= self.model.n_ctx_train { ", all that it was trained for" } else { "" };
            let text = format!("{} tokens of context fit beside the weights{all}", thousands(longest));
            line(f, "longest", text)?;
        }
        if let Some(streaming) = &self.streaming {
            let mut text = format!(
                "{} of {} in a layer, {:.0} % of the weights; a token reads {} in {} pieces",
                streaming.used,
                streaming.experts,
                streaming.experts_share * 100.0,
                size(streaming.expert_bytes_per_token),
                streaming.reads_per_token
            );
            if let Some(rate) = streaming.bytes_per_second {
                text = format!("{text}: {} a second at the rate you want", size(rate));
            }
            line(f, "experts", text)?;
        }
        if let Some(turns) = &self.conversation {
            let text = match turns.overflows_at_turn {
                Some(turn) => format!(
                    "turn {turn} of {} tokens no longer fits, where nothing is cleared or trimmed",
                    thousands(turns.turn_tokens)
                ),
                None => "states do not grow: a conversation never overflows".to_owned(),
            };
            line(f, "turns", text)?;
        }
        f.write_str("\n")
    }

    /// The limits.
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.checks.is_empty() {
            return Ok(());
        }
        writeln!(f, "  {:<19}{:>10}{:>11}  {:<11}{:>10}  entitled", "limit", "needs", "allowed", "", "left")?;
        for check in &self.checks {
            let limit = check.limit.as_ref();
            let allowed = limit.map_or("not known".to_owned(), |limit| size(limit.bytes));
            let certainty = limit.map_or("", |limit| limit.certainty.name());
            let left = match limit {
                Some(limit) if limit.bytes >= check.needs => size(limit.bytes - check.needs),
                Some(limit) => format!("-{}", size(check.needs - limit.bytes)),
                None => String::new(),
            };
            let entitled = check.entitled.as_ref().map_or(String::new(), |limit| size(limit.bytes));
            let needs = size(check.needs);
            let row = format!(
                "  {:<19}{needs:>10}{allowed:>11}  {certainty:<11}{left:>10}  {entitled}",
                check.what
            );
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, title: &str, from: Severity, to: Severity) -> fmt::Result {
        let wanted = |finding: &&Finding| (from..=to).contains(&finding.severity);
        let mut findings = self.findings.iter().filter(wanted).peekable();
        if findings.peek().is_none() {
            return Ok(());
        }
        writeln!(f, "\n{title}")?;
        for finding in findings {
            f.write_str(&wrap("  - ", 4, &format!("{} ({})", finding.message, finding.code.name())))?;
            for cure in &finding.cures {
                f.write_str(&wrap("    → ", 6, cure))?;
            }
            if let Some(limit) = finding.limit.as_ref().filter(|_| finding.severity >= Severity::Risk) {
                f.write_str(&wrap("    from ", 9, &limit.source))?;
            }
        }
        Ok(())
    }
}

fn cheapest(finding: &Finding) -> String {
    finding.cures.first().map_or_else(String::new, |cure| format!(". Cheapest cure: {cure}."))
}
