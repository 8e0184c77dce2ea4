//! All rules.

use super::{Finding, Situation, context, memory, rights, space, weights};

type Rule = fn(&Situation<'_>) -> Option<Finding>;

/// In the order in which a phone meets them: the signature, the file, mapping it, the GPU's buffers, memory, the rest.
const RULES: &[Rule] = &[
    rights::not_granted,
    weights::damaged,
    weights::unknown_architecture,
    space::address_space,
    context::no_size,
    context::quantised_v,
    context::kv_types,
    memory::buffer_cap,
    memory::working_set,
    memory::app_memory,
    memory::headroom,
    context::tier_of_memory,
    context::beyond_training,
    context::swa_full,
    weights::full_precision,
    weights::mmap_off,
    weights::cpu_repack,
    weights::flash_rate,
    rights::missing,
    weights::split,
    context::history,
    rights::by_memory,
    weights::uncompared,
];

/// What all rules find, the worst first; among equals the one that is met first.
pub(crate) fn findings(at: &Situation<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = RULES.iter().filter_map(|rule| rule(at)).collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    found
}
