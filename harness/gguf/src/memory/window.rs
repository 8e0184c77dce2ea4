//! Which layers see a sliding window only, and how wide it is: what each architecture's loader decides.

use super::MemoryError;
use super::keys::Keys;

const WINDOW: &str = "attention.sliding_window";
const PATTERN: &str = "attention.sliding_window_pattern";

/// A sliding window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Its width in tokens.
    pub(super) tokens: u64,
    /// For each layer, whether it sees the window only.
    pub(super) layers: Vec<bool>,
}

/// How a loader comes to a window's width.
#[derive(Clone, Copy)]
enum Width {
    /// The key must be there.
    Required,
    /// The key, or this.
    Or(u64),
    /// The key where it is there and not 0; else there is no window.
    Optional,
    /// As [`Width::Optional`], but the width is always this.
    OptionalOf(u64),
    /// This, unless the key is there and 0.
    UnlessZero(u64),
}

/// How a loader comes to the layers.
#[derive(Clone, Copy)]
enum Layers {
    /// A list that must be there.
    Listed,
    /// A list, or every layer but each n-th.
    EachBut(u64),
    /// A list, or every layer but the first of each n.
    FirstOf(u64),
    /// Every layer that is not recurrent.
    NotRecurrent,
    /// All.
    All,
}

/// The rule of an architecture, if it has windows at all.
fn rule(architecture: &str, n_layer: u64) -> Option<(Width, Layers)> {
    use Layers::{All, EachBut, FirstOf, Listed, NotRecurrent};
    use Width::{Optional, OptionalOf, Or, Required, UnlessZero};
    Some(match architecture {
        "cohere2" | "exaone-moe" | "muse-glimmer" => (Required, EachBut(4)),
        "cohere2moe" => (Required, FirstOf(4)),
        "gemma2" => (Or(4096), EachBut(2)),
        "gemma3n" => (Required, EachBut(5)),
        "gpt-oss" => (Required, EachBut(2)),
        "gemma4" | "granite_swa" | "maple" | "mimo2" | "spark2_5" | "step35" | "dots3note" => {
            (Required, Listed)
        }
        "afmoe" | "mellum" | "olmo2" => (Optional, EachBut(4)),
        "gemma3" => (Optional, EachBut(6)),
        "plamo3" => (Optional, EachBut(8)),
        "laguna" => (Optional, FirstOf(4)),
        "smallthinker" => (OptionalOf(4096), FirstOf(4)),
        "lfm2" => (Optional, NotRecurrent),
        "llama4" => (UnlessZero(8192), EachBut(4)),
        "deepseek4" => (Required, All),
        // Only the one with 64 layers.
        "exaone4" if n_layer == 64 => (Or(4096), EachBut(4)),
        _ => return None,
    })
}

impl Window {
    /// The window of a model with `all` layers, of which the first `n_layer` are its own and the rest predict ahead;
    /// `recurrent` says which layers keep a state instead of a cache.
    pub(super) fn read(
        keys: &Keys<'_>,
        all: u64,
        n_layer: u64,
        recurrent: &[bool],
    ) -> Result<Option<Self>, MemoryError> {
        let Some((width, layers)) = rule(keys.architecture(), n_layer) else { return Ok(None) };
        let Some(tokens) = tokens(keys, width)? else { return Ok(None) };
        let layers = flags(keys, layers, all, n_layer, recurrent)?;
        Ok(Some(Self { tokens, layers }))
    }
}

fn tokens(keys: &Keys<'_>, width: Width) -> Result<Option<u64>, MemoryError> {
    let found = keys.number(WINDOW)?;
    Ok(match width {
        Width::Required => Some(keys.required(WINDOW)?),
        Width::Or(default) => Some(found.unwrap_or(default)),
        Width::Optional => found.filter(|tokens| *tokens > 0),
        Width::OptionalOf(always) => found.filter(|tokens| *tokens > 0).map(|_| always),
        Width::UnlessZero(always) => Some(always).filter(|_| found != Some(0)),
    })
}

fn flags(
    keys: &Keys<'_>,
    layers: Layers,
    all: u64,
    n_layer: u64,
    recurrent: &[bool],
) -> Result<Vec<bool>, MemoryError> {
    let listed = |list: Vec<u64>| {
        (0..all as usize).map(|layer| list.get(layer).is_some_and(|flag| *flag != 0)).collect()
    };
    let (pattern, first) = match layers {
        Layers::All => return Ok(vec![true; all as usize]),
        Layers::NotRecurrent => {
            let own = |(layer, recurrent): (usize, &bool)| (layer as u64) < n_layer && !recurrent;
            return Ok(recurrent.iter().enumerate().map(own).collect());
        }
        Layers::Listed => return Ok(listed(keys.required_list(PATTERN)?)),
        Layers::EachBut(pattern) => (pattern, false),
        Layers::FirstOf(pattern) => (pattern, true),
    };
    if let Some(list) = keys.list(PATTERN)? {
        return Ok(listed(list));
    }
    // llama.cpp: 0 means all layers, 1 means none.
    let pattern = keys.number(PATTERN)?.unwrap_or(pattern);
    let slides = |layer: u64| match (pattern, first) {
        (0, _) => true,
        (pattern, true) => !layer.is_multiple_of(pattern),
        (pattern, false) => layer % pattern < pattern - 1,
    };
    Ok((0..all).map(|layer| layer < n_layer && slides(layer)).collect())
}
