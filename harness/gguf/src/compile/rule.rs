//! Rules: "current token, perhaps the token before it, and flags → next token".

use super::{Chain, CompileError, Flags, TokenId, Vocabulary};

/// A rule. The strongest of those that hold decides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rule {
    /// The current token.
    pub(crate) current: TokenId,
    /// The token before it, where that matters.
    pub(crate) previous: Option<TokenId>,
    /// Flags that must be up, ascending.
    pub(crate) flags: Vec<usize>,
    /// What comes next.
    pub(crate) next: TokenId,
    /// Strength.
    pub(crate) strength: u16,
}

struct Step {
    rule: Rule,
    /// The token before is part of the situation, not merely known.
    strict: bool,
}

/// Turns chains into rules: a token that has one successor everywhere needs no condition; one that has several is
/// told apart by the flags, and where those agree, by the token before it.
pub(crate) fn rules(
    chains: &[Chain],
    flags: &Flags,
    vocabulary: &Vocabulary,
) -> Result<Vec<Rule>, CompileError> {
    let mut steps = Vec::new();
    for chain in chains {
        steps_of(chain, flags, vocabulary, &mut steps)?;
    }
    let mut rules: Vec<Rule> = steps.iter().map(|step| simplified(step, &steps)).collect();
    rules.sort();
    rules.dedup();
    let needless: Vec<bool> = rules.iter().map(|rule| is_needless(rule, &rules, flags)).collect();
    let mut needless = needless.into_iter();
    rules.retain(|_| !needless.next().unwrap_or(false));
    Ok(rules)
}

fn steps_of(
    chain: &Chain,
    flags: &Flags,
    vocabulary: &Vocabulary,
    steps: &mut Vec<Step>,
) -> Result<(), CompileError> {
    let mut raised = chain.when.iter().map(|word| flags.raised_by(word)).collect::<Result<Vec<_>, _>>()?;
    raised.sort_unstable();
    for after in &chain.after {
        let mut current = vocabulary.id(after.current)?;
        let mut previous = after.previous.map(|piece| vocabulary.id(piece)).transpose()?;
        for (index, piece) in chain.tokens.iter().enumerate() {
            let next = vocabulary.id(piece)?;
            let rule = Rule { current, previous, flags: raised.clone(), next, strength: chain.strength };
            steps.push(Step { rule, strict: index == 0 });
            previous = Some(current);
            current = next;
        }
    }
    Ok(())
}

/// The rule of a step, without the conditions that no other step with the same current token calls for.
fn simplified(step: &Step, steps: &[Step]) -> Rule {
    let rule = &step.rule;
    let siblings = || steps.iter().filter(|other| other.rule.current == rule.current);
    let forked = siblings().any(|other| other.rule.next != rule.next);
    let flags_agree = siblings()
        .any(|one| siblings().any(|two| one.rule.next != two.rule.next && one.rule.flags == two.rule.flags));
    let mut simple = rule.clone();
    if !(step.strict || (forked && flags_agree)) {
        simple.previous = None;
    }
    if !forked && !step.strict {
        simple.flags = Vec::new();
        simple.strength = 1;
    }
    simple
}

/// Whether a rule that asks for less says the same, and nobody between the two can say otherwise.
fn is_needless(rule: &Rule, rules: &[Rule], flags: &Flags) -> bool {
    let same_place = |other: &&Rule| other.current == rule.current && other.previous == rule.previous;
    rules.iter().filter(same_place).any(|weaker| {
        weaker.strength <= rule.strength
            && (weaker.strength, weaker.flags.len()) != (rule.strength, rule.flags.len())
            && weaker.next == rule.next
            && weaker.flags.iter().all(|flag| rule.flags.contains(flag))
            && !rules.iter().filter(same_place).any(|other| {
                other.next != rule.next
                    && !flags.exclude(&other.flags, &rule.flags)
                    && (weaker.strength..rule.strength).contains(&other.strength)
            })
    })
}
