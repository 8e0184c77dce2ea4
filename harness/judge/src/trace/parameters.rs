//! Names for the numbers in `ggml_tensor::op_params`.

use serde::{Deserialize, Serialize};

/// A parameter of an operator that is not the same in both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// What it is called in ggml, or its index.
    pub name: String,
    /// The subject's value.
    pub ours: String,
    /// The reference's value.
    pub reference: String,
}

/// Which parameters of the operator `op` differ. The layouts are those of `ggml_rope_impl`, `ggml_soft_max_impl`,
/// `ggml_flash_attn_ext` and `ggml_norm_impl` in ggml.c at b11434; of any other operator they are shown as integers.
pub(super) fn differing(op: &str, ours: &[i32], reference: &[i32]) -> Vec<Parameter> {
    let value = |params: &[i32], index: usize| params.get(index).copied().unwrap_or(0);
    (0..ours.len().max(reference.len()))
        .filter(|&index| value(ours, index) != value(reference, index))
        .map(|index| {
            let (name, is_float) = name(op, index);
            let shown = |params| shown(value(params, index), is_float);
            Parameter { name, ours: shown(ours), reference: shown(reference) }
        })
        .collect()
}

fn shown(bits: i32, is_float: bool) -> String {
    if is_float { f32::from_bits(bits.cast_unsigned()).to_string() } else { bits.to_string() }
}

/// The name of a parameter, and whether it is an f32.
fn name(op: &str, index: usize) -> (String, bool) {
    const ROPE: [(&str, bool); 11] = [
        ("n_past", false),
        ("n_dims", false),
        ("mode", false),
        ("n_ctx", false),
        ("n_ctx_orig", false),
        ("freq_base", true),
        ("freq_scale", true),
        ("ext_factor", true),
        ("attn_factor", true),
        ("beta_fast", true),
        ("beta_slow", true),
    ];
    const SOFT_MAX: [(&str, bool); 3] = [("scale", true), ("max_bias", true), ("logit_softcap", true)];
    const NORM: [(&str, bool); 1] = [("eps", true)];
    const SCALE: [(&str, bool); 2] = [("scale", true), ("bias", true)];
    let names: &[(&str, bool)] = match op {
        "ROPE" => &ROPE,
        "SOFT_MAX" | "FLASH_ATTN_EXT" => &SOFT_MAX,
        "NORM" | "RMS_NORM" => &NORM,
        "SCALE" => &SCALE,
        _ => &[],
    };
    match names.get(index) {
        Some((name, is_float)) => ((*name).to_owned(), *is_float),
        None => (format!("op_params[{index}]"), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_base_is_called_by_its_name() {
        let params = |base: f32| vec![0, 64, 0, 0, 2048, base.to_bits().cast_signed()];
        let found = differing("ROPE", &params(10_000.0), &params(1e6));
        let expected =
            Parameter { name: "freq_base".into(), ours: "10000".into(), reference: "1000000".into() };
        assert_eq!(found, [expected]);
        assert_eq!(differing("GLU", &[2], &[])[0].name, "op_params[0]");
        assert_eq!(differing("ROPE", &[0, 1], &[0, 1, 0]), []);
    }
}
