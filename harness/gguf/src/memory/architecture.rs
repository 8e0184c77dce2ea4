//! Which kind of memory llama.cpp makes for an architecture: `llama_model::create_memory`.

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// None: encoders and diffusion models.
    None,
    /// Keys and values, in layers with a window in a cache of their own.
    Attention,
    /// States alone.
    Recurrent,
    /// Keys and values in some layers, states in the others.
    Hybrid,
    /// As [`Memory::Hybrid`], but both in every layer.
    Both,
    /// As [`Memory::Hybrid`], and an indexer's keys.
    HybridIndexed,
    /// Keys and values, and an indexer's keys in some layers.
    Indexed,
    /// As [`Memory::Indexed`], the indexer with values, too, behind the leading dense layers.
    IndexedBlocks,
    /// A window in every layer, and compressed caches and states besides.
    Compressed,
    /// Another model's context.
    Another,
}

impl Memory {
    pub(super) fn of(architecture: &str) -> Self {
        match architecture {
            "bert" | "jina-bert-v2" | "jina-bert-v3" | "nomic-bert" | "nomic-bert-moe" | "neo-bert"
            | "eurobert" | "wavtokenizer-dec" | "modern-bert" | "gemma-embedding" | "dream" | "llada"
            | "llada-moe" | "rnd1" | "clef" | "clip" => Self::None,
            "mamba" | "mamba2" | "rwkv6" | "rwkv6qwen2" | "rwkv7" | "arwkv7" => Self::Recurrent,
            "falcon-h1" => Self::Both,
            "jamba" | "plamo2" | "granitehybrid" | "lfm2" | "lfm2moe" | "nemotron_h" | "nemotron_h_moe"
            | "qwen3next" | "kimi-linear" | "bailingmoe3" | "kimi-k3" | "qwen35" | "qwen35moe"
            | "minimax-01" => Self::Hybrid,
            "glm5-next" | "qwen4exp" => Self::HybridIndexed,
            "glm-dsa" | "deepseek32" | "hy_v4" | "dots3note" => Self::Indexed,
            "minimax-m3" => Self::IndexedBlocks,
            "deepseek4" => Self::Compressed,
            "dflash" | "eagle3" | "gemma4-assistant" => Self::Another,
            _ => Self::Attention,
        }
    }
}
