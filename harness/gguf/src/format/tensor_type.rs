//! The element types of tensors: numbers, names and block sizes of ggml.

use std::fmt;

macro_rules! tensor_types {
    ($($name:ident = $number:literal, $label:literal, $block:literal, $bytes:literal;)*) => {
        /// The element type of a tensor: `ggml_type`. Quantised types store whole blocks along the first dimension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, non_camel_case_types, reason = "ggml's own names")]
        pub enum TensorType { $($name = $number,)* }

        impl TensorType {
            /// Every type, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// ggml's name of the type.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $label,)* }
            }

            /// Elements in a block.
            pub const fn block_elements(self) -> u64 {
                match self { $(Self::$name => $block,)* }
            }

            /// Bytes of a block.
            pub const fn block_bytes(self) -> u64 {
                match self { $(Self::$name => $bytes,)* }
            }
        }
    };
}

// Number, name, elements and bytes of a block, as ggml.h and ggml-common.h of b11434 define them.
tensor_types! {
    F32 = 0, "f32", 1, 4;
    F16 = 1, "f16", 1, 2;
    Q4_0 = 2, "q4_0", 32, 18;
    Q4_1 = 3, "q4_1", 32, 20;
    Q5_0 = 6, "q5_0", 32, 22;
    Q5_1 = 7, "q5_1", 32, 24;
    Q8_0 = 8, "q8_0", 32, 34;
    Q8_1 = 9, "q8_1", 32, 36;
    Q2_K = 10, "q2_K", 256, 84;
    Q3_K = 11, "q3_K", 256, 110;
    Q4_K = 12, "q4_K", 256, 144;
    Q5_K = 13, "q5_K", 256, 176;
    Q6_K = 14, "q6_K", 256, 210;
    Q8_K = 15, "q8_K", 256, 292;
    IQ2_XXS = 16, "iq2_xxs", 256, 66;
    IQ2_XS = 17, "iq2_xs", 256, 74;
    IQ3_XXS = 18, "iq3_xxs", 256, 98;
    IQ1_S = 19, "iq1_s", 256, 50;
    IQ4_NL = 20, "iq4_nl", 32, 18;
    IQ3_S = 21, "iq3_s", 256, 110;
    IQ2_S = 22, "iq2_s", 256, 82;
    IQ4_XS = 23, "iq4_xs", 256, 136;
    I8 = 24, "i8", 1, 1;
    I16 = 25, "i16", 1, 2;
    I32 = 26, "i32", 1, 4;
    I64 = 27, "i64", 1, 8;
    F64 = 28, "f64", 1, 8;
    IQ1_M = 29, "iq1_m", 256, 56;
    BF16 = 30, "bf16", 1, 2;
    TQ1_0 = 34, "tq1_0", 256, 54;
    TQ2_0 = 35, "tq2_0", 256, 66;
    MXFP4 = 39, "mxfp4", 32, 17;
    NVFP4 = 40, "nvfp4", 64, 36;
    Q1_0 = 41, "q1_0", 128, 18;
    Q2_0 = 42, "q2_0", 64, 18;
}

impl TensorType {
    /// The type with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.iter().copied().find(|candidate| candidate.number() == number)
    }

    /// The number in the file.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Bytes of a tensor with these dimensions, the row length first; `None` where the row is no whole number of
    /// blocks or the size does not fit into 63 bits.
    pub fn bytes(self, dims: &[u64]) -> Option<u64> {
        let row = dims.first().copied().unwrap_or(1);
        if !row.is_multiple_of(self.block_elements()) {
            return None;
        }
        let elements = dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim))?;
        let bytes = (elements / self.block_elements()).checked_mul(self.block_bytes())?;
        i64::try_from(bytes).is_ok().then_some(bytes)
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
