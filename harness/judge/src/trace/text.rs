//! A trace in words, for a terminal of 80 columns.

use std::fmt;

use wire::TensorName;

use super::report::{TraceOutcome, TraceReport};
use super::suspect::{Both, Cause, Suspect, TracedInput};

impl fmt::Display for TraceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fault = self.fault.as_ref().map(|fault| format!(" with the fault {fault}")).unwrap_or_default();
        writeln!(f, "{}/{}/{}{fault}, against {}", self.subject, self.model, self.case, self.reference)?;
        if let Some(found) = &self.divergence {
            let word = if found.differs { "differ" } else { "agree" };
            let turn = if found.turn > 0 { format!("turn {}, ", found.turn) } else { String::new() };
            let (layer, pos, call) = (found.layer.name(), found.pos, found.call);
            let nmse = number(super::suspect::finite(found.nmse));
            writeln!(f, "logits {word}: {turn}{layer}, position {pos}, call {call}, NMSE {nmse}")?;
        }
        if self.compared > 0 {
            writeln!(f, "{} nodes compared in call {}{}", self.compared, self.call, self.unpaired())?;
        }
        writeln!(f, "\n{}", self.sentence())?;
        self.switches.iter().try_for_each(|switch| writeln!(f, "  {switch}"))?;
        if self.outcome == TraceOutcome::GraphsDiffer {
            alone(f, "here", &self.only_ours)?;
            alone(f, &format!("in {}", self.reference), &self.only_reference)?;
        }
        if self.outcome == TraceOutcome::Given {
            for given in &self.given {
                writeln!(f, "  {}: NMSE {}", given.tensor.name, number(Some(given.nmse)))?;
            }
        }
        self.suspect.iter().try_for_each(|suspect| write!(f, "{suspect}"))
    }
}

/// The first nodes that only one of the graphs has.
fn alone(f: &mut fmt::Formatter<'_>, place: &str, nodes: &[TensorName]) -> fmt::Result {
    const SHOWN: usize = 3;
    let mut names =
        nodes.iter().take(SHOWN).map(|node| format!("{} {}", node.op, node.name)).collect::<Vec<_>>();
    if nodes.len() > SHOWN {
        names.push("…".to_owned());
    }
    if names.is_empty() { Ok(()) } else { writeln!(f, "  only {place}: {}", names.join(", ")) }
}

impl TraceReport {
    fn unpaired(&self) -> String {
        match (self.only_ours.len(), self.only_reference.len()) {
            (0, 0) => String::new(),
            (ours, theirs) => format!("; {ours} only here, {theirs} only in {}", self.reference),
        }
    }

    /// What was found, and of a node why it is blamed, on one line.
    pub(super) fn summary(&self) -> String {
        let why = self.suspect.as_ref().map(|suspect| format!(": {}", suspect.why())).unwrap_or_default();
        self.sentence().replace('\n', " ") + &why
    }

    /// What was found and what to do next.
    pub fn sentence(&self) -> String {
        let reference = &self.reference;
        let node = self.suspect.as_ref().map(Suspect::place).unwrap_or_default();
        match self.outcome {
            TraceOutcome::Agrees => {
                let nearest = number(self.nearest);
                format!(
                    "no node differs from {reference} beyond what its inputs explain; the nearest comes\n\
                     to {nearest} of it"
                )
            }
            TraceOutcome::Node => format!("the first wrong node: {node}"),
            TraceOutcome::WrongWithoutEffect => {
                format!("the logits are within their tolerance, but a node is wrong: {node}")
            }
            TraceOutcome::Growth => format!(
                "no node is wrong by itself: each is within what backends may differ by, and the\n\
                 error grows from node to node, most at {node}"
            ),
            TraceOutcome::Vanished => "the divergence is gone when nodes are computed one by one: fusion, \
                 concurrency or\nasync. Try the app with each of these, one at a time:"
                .to_owned(),
            TraceOutcome::BehindTheGraph => format!(
                "every node agrees with {reference}, and the logits that were read do not: they are\n\
                 lost or changed between the graph and llama_get_logits_ith. Look at synchronising,\n\
                 at the output buffer, and at what the wrapper does with logits"
            ),
            TraceOutcome::Given => {
                "every node computes right from what it is given; what the call was given differs:".to_owned()
            }
            TraceOutcome::BeforeTheGraph => format!(
                "the prompts are not the same tokens as those of {reference}: nothing can be said of\n\
                 the graph. `cargo xtask test` names the layer"
            ),
            TraceOutcome::GraphsDiffer => format!(
                "the graph is not that of {reference}, and what can be compared agrees. Set what\n\
                 chooses between graphs (flash attention, cache types) in the case's config"
            ),
        }
    }
}

impl Suspect {
    /// `layer 0, MUL_MAT_ID ffn_moe_down-0`.
    fn place(&self) -> String {
        let layer = self.layer.map(|layer| format!("layer {layer}, ")).unwrap_or_default();
        format!("{layer}{} {}", self.tensor.op, self.tensor.name)
    }

    fn why(&self) -> String {
        match self.cause {
            Cause::Parameters => {
                let all = self.parameters.iter();
                let words = all.map(|p| format!("{} is {}, not {}", p.name, p.ours, p.reference));
                format!("the operator was given other parameters: {}", words.collect::<Vec<_>>().join("; "))
            }
            Cause::Types => {
                let input = |input: &&TracedInput| input.kind.differ();
                let (what, kind) = match self.inputs.iter().find(input) {
                    Some(input) if !self.kind.differ() => (input.tensor.name.as_str(), &input.kind),
                    _ => ("the result", &self.kind),
                };
                format!("{what} is {}, not {}", kind.ours, kind.reference)
            }
            Cause::Weight => {
                let differs =
                    |input: &&TracedInput| input.weight && input.nmse.is_some_and(|nmse| nmse > 0.0);
                let weight = self.inputs.iter().find(differs);
                let name = weight.map(|input| input.tensor.name.as_str()).unwrap_or_default();
                format!("its weight {name} is not the reference's: another file, or damaged on its way")
            }
            Cause::Operator => "from the same inputs the operator computes something else".to_owned(),
        }
    }
}

impl fmt::Display for Suspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  why     {}", self.why())?;
        let (kind, shape) = (both(&self.kind), shape(self.shape));
        writeln!(
            f,
            "  result  {kind} {shape}, NMSE {}, explained {}",
            number(self.nmse),
            number(Some(self.allowed))
        )?;
        writeln!(f, "  ran on  {}", both(&self.backend))?;
        for input in &self.inputs {
            let what = if input.weight { "weight" } else { "input" };
            let nmse = match input.nmse {
                None => "not read".to_owned(),
                Some(0.0) => "the same".to_owned(),
                nmse => format!("NMSE {}", number(nmse)),
            };
            let name = &input.tensor.name;
            writeln!(f, "  {what:<7} {name} {} {}, {nmse}", both(&input.kind), self::shape(input.shape))?;
        }
        if !self.worst.is_empty() {
            writeln!(f, "\n  {:>24}  {:>14}  {:>14}", "index", "here", "reference")?;
        }
        for value in &self.worst {
            let at = value.at.map(|index| index.to_string()).join(", ");
            writeln!(f, "  {:>24}  {:>14}  {:>14}", format!("[{at}]"), value.ours, value.reference)?;
        }
        Ok(())
    }
}

fn both(both: &Both) -> String {
    if both.differ() { format!("{} (reference: {})", both.ours, both.reference) } else { both.ours.clone() }
}

/// Extents without the ones at the end.
fn shape(shape: [i64; 4]) -> String {
    let used = shape.iter().rposition(|extent| *extent != 1).map_or(1, |last| last + 1);
    format!("{:?}", &shape[..used])
}

/// Two digits that count.
fn number(value: Option<f64>) -> String {
    match value {
        None => "not finite".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) if (0.01..1000.0).contains(&value) => format!("{value:.2}"),
        Some(value) => format!("{value:.1e}"),
    }
}
