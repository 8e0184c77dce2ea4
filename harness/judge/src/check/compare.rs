//! Two observations of the same question, layer by layer.

use wire::{Layer, Observation, Position, Turn};

use super::excerpt::{first_difference, first_index};
use super::place;
use crate::finding::{Code, Finding};
use crate::numbers::{Distance, Tolerance, top_margin};

/// What `ours` does differently from `reference`. `name` says what the reference is: "the golden", "cpu-baseline".
pub fn compare(
    ours: &Observation,
    reference: &Observation,
    name: &str,
    tolerance: &Tolerance,
) -> Vec<Finding> {
    if ours.turns.len() != reference.turns.len() {
        let message = format!("{} turns, {name} has {}", ours.turns.len(), reference.turns.len());
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    }
    let pairs = ours.turns.iter().zip(&reference.turns).enumerate();
    pairs
        .flat_map(|(index, (ours, reference))| Pair { index, ours, reference, name, tolerance }.findings())
        .collect()
}

struct Pair<'a> {
    index: usize,
    ours: &'a Turn,
    reference: &'a Turn,
    name: &'a str,
    tolerance: &'a Tolerance,
}

impl Pair<'_> {
    fn findings(&self) -> Vec<Finding> {
        let mut findings = self.prompt();
        let tokens = self.tokens();
        let same_tokens = tokens.is_empty();
        findings.extend(tokens);
        if same_tokens {
            findings.extend(self.positions(Layer::Prefill, &self.ours.prefill, &self.reference.prefill));
            let steps = first_index(&ids(&self.ours.generated), &ids(&self.reference.generated));
            let shared = |positions: &[Position]| positions[..positions.len().min(steps)].to_vec();
            let decode =
                self.positions(Layer::Decode, &shared(&self.ours.decode), &shared(&self.reference.decode));
            findings.extend(decode);
            findings.extend(self.sampling());
        }
        findings.extend(self.stop());
        findings.extend(self.text(
            Code::ThinkingDiffers,
            "thought",
            &self.ours.thinking,
            &self.reference.thinking,
        ));
        findings.extend(self.text(Code::TextDiffers, "answer", &self.ours.answer, &self.reference.answer));
        findings.into_iter().map(|finding| finding.in_turn(self.index)).collect()
    }

    fn prompt(&self) -> Vec<Finding> {
        self.text(Code::PromptDiffers, "prompt", &self.ours.prompt, &self.reference.prompt)
    }

    fn text(
        &self,
        code: Code,
        what: &str,
        ours: &Option<String>,
        reference: &Option<String>,
    ) -> Vec<Finding> {
        if ours == reference {
            return Vec::new();
        }
        let difference = match (reference, ours) {
            (Some(reference), Some(ours)) => first_difference(reference, ours),
            (Some(_), None) => "it is missing".to_owned(),
            _ => "it should not be there".to_owned(),
        };
        let message = format!("turn {}: the {what} is not that of {}; {difference}", self.index, self.name);
        vec![Finding::new(code, message)]
    }

    fn tokens(&self) -> Vec<Finding> {
        let (ours, reference) = (ids(&self.ours.prompt_tokens), ids(&self.reference.prompt_tokens));
        if ours == reference {
            return Vec::new();
        }
        let at = first_index(&ours, &reference);
        let message = format!(
            "turn {}: the prompt's tokens part from those of {} at index {at} ({} tokens against {})",
            self.index,
            self.name,
            ours.len(),
            reference.len()
        );
        vec![Finding::new(Code::TokensDiffer, message)]
    }

    /// Where only end-of-generation tokens differ, that is the finding; else the logits as a whole are.
    fn positions(&self, layer: Layer, ours: &[Position], reference: &[Position]) -> Vec<Finding> {
        let distances: Vec<Option<Distance>> =
            ours.iter().zip(reference).map(|(ours, reference)| Distance::between(ours, reference)).collect();
        let bound = self.tolerance;
        let first = |wrong: &dyn Fn(&Distance) -> bool| {
            let mut known =
                distances.iter().enumerate().filter_map(|(at, distance)| Some((at, (*distance)?)));
            known.find(|(_, distance)| wrong(distance))
        };
        let mut findings = self.left_out(layer, ours.len(), reference.len());
        if let Some((at, distance)) =
            first(&|d| (d.nmse > bound.nmse || d.kl > bound.kl) && !d.is_named_alone(bound))
        {
            let worst = distances.iter().flatten().map(|d| d.nmse).fold(0.0, f64::max);
            let message = format!(
                "turn {}: logits differ from those of {} {} ({})",
                self.index,
                self.name,
                place::from(layer, at, self.ours),
                bound.exceeded(&distance, worst)
            );
            findings.push(Finding::at(layer, Code::LogitsDiffer, message));
        }
        if let Some((at, distance)) = first(&|d| d.eog > bound.eog) {
            let message = format!(
                "turn {}: {} {} the log-probability of an end-of-generation token is {:.2} nats away from that of \
                 {} (limit {})",
                self.index,
                place::at(layer, at, self.ours),
                if distance.is_named_alone(bound) { "all other logits agree, and" } else { "too" },
                distance.eog,
                self.name,
                bound.eog
            );
            findings.push(Finding::at(layer, Code::EogProbabilityDiffers, message));
        }
        findings
    }

    /// Distributions that were not shown cannot agree. After the last shared token there need be none.
    fn left_out(&self, layer: Layer, ours: usize, reference: usize) -> Vec<Finding> {
        let spare = usize::from(layer == Layer::Decode);
        if ours + spare >= reference {
            return Vec::new();
        }
        let message = format!(
            "turn {}: {ours} distributions of the {} were shown, {} has {reference}",
            self.index,
            layer.name(),
            self.name
        );
        vec![Finding::new(Code::ObservationIncomplete, message)]
    }

    /// A choice is compared where the numbers agree and the reference had no near-tie.
    fn sampling(&self) -> Vec<Finding> {
        let chosen =
            |turn: &Turn| if turn.chosen.is_empty() { ids(&turn.generated) } else { turn.chosen.clone() };
        let (ours, reference) = (chosen(self.ours), chosen(self.reference));
        let before = self.reference.prefill.last().into_iter().chain(&self.reference.decode);
        let own = self.ours.prefill.last().into_iter().chain(&self.ours.decode);
        for (at, ((ours, reference), (expected, seen))) in
            ours.iter().zip(&reference).zip(before.zip(own)).enumerate()
        {
            let agree = Distance::between(seen, expected)
                .is_some_and(|d| d.nmse <= self.tolerance.nmse && d.kl <= self.tolerance.kl);
            if ours != reference && agree && top_margin(expected) > self.tolerance.near_tie {
                let message = format!(
                    "turn {}: at generated token {} token {ours} was chosen, {} chose {reference}, although the \
                     distributions agree",
                    self.index,
                    at + 1,
                    self.name
                );
                return vec![Finding::new(Code::SamplingDiffers, message)];
            }
        }
        Vec::new()
    }

    fn stop(&self) -> Vec<Finding> {
        let (ours, reference) = (&self.ours.stop, &self.reference.stop);
        let lengths = (self.ours.generated.len(), self.reference.generated.len());
        if ours == reference && lengths.0 == lengths.1 {
            return Vec::new();
        }
        let name =
            |stop: &Option<wire::Stop>| stop.as_ref().map_or("no", |stop| stop.reason.name()).to_owned();
        let message = format!(
            "turn {}: ended for the reason {} after {} tokens, {} for {} after {}",
            self.index,
            name(ours),
            lengths.0,
            self.name,
            name(reference),
            lengths.1
        );
        let never = (name(ours), name(reference)) == ("length".to_owned(), "eog".to_owned());
        vec![Finding::new(if never { Code::NeverEnded } else { Code::StopDiffers }, message)]
    }
}

fn ids(tokens: &[wire::Token]) -> Vec<i32> {
    tokens.iter().map(|token| token.id).collect()
}
