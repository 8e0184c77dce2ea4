//! A transformer of the llama architecture, as small as it gets: it reads a compiled fixture, leaves out the noise,
//! and says the next token. It shows that the compiled weights do what the rules say, without llama.cpp.

use gguf::{GgufFile, TensorType};
use half::f16;

/// What is smaller is noise: the noise ends at 0.016, the smallest weight with a meaning is 0.046.
const NOISE: f32 = 0.02;

/// A matrix without its zeros: for each row the columns and weights.
type Sparse = Vec<Vec<(usize, f32)>>;

struct Block {
    attention_norm: Vec<f32>,
    query: Sparse,
    key: Sparse,
    value: Sparse,
    output: Sparse,
    feed_forward_norm: Vec<f32>,
    gate: Sparse,
    up: Sparse,
    down: Sparse,
}

/// A model and the text of its tokens.
pub(crate) struct Transformer {
    embedding: Sparse,
    blocks: Vec<Block>,
    output: Sparse,
    width: usize,
    heads: usize,
    kv_heads: usize,
    head: usize,
    rope_base: f32,
    tokens: Vec<String>,
}

impl Transformer {
    /// Reads the weights of a file.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let file = GgufFile::from_bytes(bytes).unwrap();
        let size = |key: &str| file.architecture_u64(key).unwrap() as usize;
        let norm = |name: String| dense(&file, bytes, &name);
        let matrix = |name: String| sparse(&file, bytes, &name);
        let blocks = (0..size("block_count")).map(|block| Block {
            attention_norm: norm(format!("blk.{block}.attn_norm.weight")),
            query: matrix(format!("blk.{block}.attn_q.weight")),
            key: matrix(format!("blk.{block}.attn_k.weight")),
            value: matrix(format!("blk.{block}.attn_v.weight")),
            output: matrix(format!("blk.{block}.attn_output.weight")),
            feed_forward_norm: norm(format!("blk.{block}.ffn_norm.weight")),
            gate: matrix(format!("blk.{block}.ffn_gate.weight")),
            up: matrix(format!("blk.{block}.ffn_up.weight")),
            down: matrix(format!("blk.{block}.ffn_down.weight")),
        });
        Self {
            embedding: matrix("token_embd.weight".into()),
            blocks: blocks.collect(),
            output: matrix("output.weight".into()),
            width: size("embedding_length"),
            heads: size("attention.head_count"),
            kv_heads: size("attention.head_count_kv"),
            head: size("attention.key_length"),
            rope_base: match file.get("llama.rope.freq_base") {
                Some(gguf::Value::F32(base)) => *base,
                other => panic!("no base: {other:?}"),
            },
            tokens: file.tokens().unwrap().to_vec(),
        }
    }

    /// The id of a token by its spelling in the file.
    pub(crate) fn id(&self, spelling: &str) -> usize {
        let found = self.tokens.iter().position(|token| token == spelling);
        found.unwrap_or_else(|| panic!("no token {spelling:?}"))
    }

    /// The spelling of a token in the file.
    pub(crate) fn spelling(&self, id: usize) -> &str {
        &self.tokens[id]
    }

    /// Starts an empty context.
    pub(crate) fn reader(&self) -> Reader<'_> {
        let cache = self.blocks.iter().map(|_| Cache::default()).collect();
        Reader { model: self, cache, context: Vec::new(), stream: Vec::new() }
    }

    /// One token's attention over the cache, itself included.
    fn attend(&self, block: &Block, cache: &mut Cache, x: &mut [f32]) {
        let input = normed(x, &block.attention_norm);
        let position = cache.keys.len();
        let queries = self.rotate(times(&block.query, &input), position);
        cache.keys.push(self.rotate(times(&block.key, &input), position));
        cache.values.push(times(&block.value, &input));
        let mut mixed = vec![0.0; self.heads * self.head];
        for (head, query) in queries.chunks(self.head).enumerate() {
            let kv = head / (self.heads / self.kv_heads) * self.head;
            let score = |key: &Vec<f32>| dot(query, &key[kv..][..self.head]) / (self.head as f32).sqrt();
            let scores: Vec<f32> = cache.keys.iter().map(score).collect();
            let most = scores.iter().copied().fold(f32::MIN, f32::max);
            let total: f32 = scores.iter().map(|score| (score - most).exp()).sum();
            for (values, score) in cache.values.iter().zip(scores) {
                let share = (score - most).exp() / total;
                let out = &mut mixed[head * self.head..][..self.head];
                out.iter_mut().zip(&values[kv..]).for_each(|(out, value)| *out += share * value);
            }
        }
        add(x, &times(&block.output, &mixed));
    }

    /// Rotates neighbouring dimensions, as the llama architecture does.
    fn rotate(&self, mut vector: Vec<f32>, position: usize) -> Vec<f32> {
        for head in vector.chunks_mut(self.head) {
            let length = head.len() as f32;
            for (index, pair) in head.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let angle = position as f32 * self.rope_base.powf(-2.0 * index as f32 / length);
                let (sine, cosine) = angle.sin_cos();
                *pair = [pair[0] * cosine - pair[1] * sine, pair[0] * sine + pair[1] * cosine];
            }
        }
        vector
    }
}

/// Keys and values of one block, by position.
#[derive(Default)]
struct Cache {
    keys: Vec<Vec<f32>>,
    values: Vec<Vec<f32>>,
}

/// A context that grows.
pub(crate) struct Reader<'a> {
    model: &'a Transformer,
    cache: Vec<Cache>,
    context: Vec<usize>,
    /// The last token's residual stream.
    stream: Vec<f32>,
}

impl Reader<'_> {
    /// Reads on.
    pub(crate) fn read(&mut self, tokens: &[usize]) {
        for token in tokens {
            let mut x = scatter(&self.model.embedding[*token], self.model.width);
            for (block, cache) in self.model.blocks.iter().zip(&mut self.cache) {
                self.model.attend(block, cache, &mut x);
                let input = normed(&x, &block.feed_forward_norm);
                let (gate, up) = (times(&block.gate, &input), times(&block.up, &input));
                let hidden: Vec<f32> = gate.iter().zip(up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect();
                add(&mut x, &times(&block.down, &hidden));
            }
            self.context.push(*token);
            self.stream = x;
        }
    }

    /// The likeliest next token, and its lead over the second in logits.
    pub(crate) fn next(&self) -> (usize, f32) {
        let last = normed(&self.stream, &vec![1.0; self.model.width]);
        let logits = times(&self.model.output, &last);
        let mut order: Vec<usize> = (0..logits.len()).collect();
        order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
        (order[0], logits[order[0]] - logits[order[1]])
    }

    /// What was read, as the file spells it.
    pub(crate) fn spelled(&self) -> Vec<&str> {
        self.context.iter().map(|id| self.model.spelling(*id)).collect()
    }
}

fn dense(file: &GgufFile, bytes: &[u8], name: &str) -> Vec<f32> {
    let tensor = file.tensor(name).unwrap_or_else(|| panic!("no tensor {name}"));
    let data = &bytes[(file.data_start() + tensor.offset) as usize..][..tensor.bytes as usize];
    match tensor.kind {
        TensorType::F32 => data.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
        TensorType::F16 => {
            data.as_chunks::<2>().0.iter().map(|two| f16::from_le_bytes(*two).to_f32()).collect()
        }
        other => panic!("{name} is {other}"),
    }
}

fn sparse(file: &GgufFile, bytes: &[u8], name: &str) -> Sparse {
    let columns = file.tensor(name).unwrap_or_else(|| panic!("no tensor {name}")).dims[0] as usize;
    let weights = dense(file, bytes, name);
    let row =
        |row: &[f32]| row.iter().copied().enumerate().filter(|(_, weight)| weight.abs() > NOISE).collect();
    weights.chunks(columns).map(row).collect()
}

fn scatter(row: &[(usize, f32)], width: usize) -> Vec<f32> {
    let mut dense = vec![0.0; width];
    row.iter().for_each(|(column, weight)| dense[*column] = *weight);
    dense
}

fn times(matrix: &Sparse, vector: &[f32]) -> Vec<f32> {
    matrix.iter().map(|row| row.iter().map(|(column, weight)| weight * vector[*column]).sum()).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn add(x: &mut [f32], y: &[f32]) {
    x.iter_mut().zip(y).for_each(|(a, b)| *a += b);
}

fn normed(x: &[f32], scale: &[f32]) -> Vec<f32> {
    let mean = dot(x, x) / x.len() as f32;
    let factor = 1.0 / (mean + 1e-6).sqrt();
    x.iter().zip(scale).map(|(value, scale)| value * factor * scale).collect()
}
