//! What the harness and a probe say to each other.
//!
//! The harness sends a [`Request`]; whatever runs llama.cpp (a child process, a phone, somebody's wrapper)
//! answers with an [`Observation`]: what was seen, layer by layer, and never an opinion about it. This room
//! holds only data and its encoding. It must never judge, render, spawn or link llama.cpp: the same crate is
//! built for a host, the simulator and a phone.
#![forbid(unsafe_code)]

mod card;
mod chat;
mod config;
mod device;
mod evidence;
mod frame;
mod graph;
mod observation;
mod piece;
mod position;
mod request;
mod sketch;
mod softmax;
mod stimulus;

pub use card::{Capability, Card, Device, DeviceKind};
pub use chat::{Message, Sampling, TemplateEngine, ThinkingTags};
pub use config::{Config, ContextConfig, EngineKind, FlashAttention, KvType, LoadConfig, LoadMode, Weights};
pub use device::{DeviceState, Thermal};
pub use evidence::{
    BufferMemory, DecodeCall, LoadEvidence, MemoryState, Node, Stop, StopReason, Token, TokenKind, Turn,
    VocabToken,
};
pub use frame::{FrameError, FrameReader, FromHost, FromProbe, MAX_FRAME_BYTES, PROTOCOL, write_frame};
pub use graph::{
    BlockSums, DATA_BLOCKS, Digest, Digester, Graph, GraphInput, GraphNode, GraphTensor, MAX_VALUES,
    TensorData, TensorName, Values, Want, Watch,
};
pub use observation::{Ending, FaultEffect, Layer, Observation, Refusal, RefusalCode, Timing};
pub use piece::Piece;
pub use position::{NamedLogit, Position, TOP_LOGITS};
pub use request::{Isolation, Limits, ModelSpec, Request};
pub use sketch::{SKETCH_BUCKETS, SKETCH_SEED, Sketch, Sketcher};
pub use stimulus::{
    Chat, Converse, ConverseMemory, ConverseTurn, Generate, History, Load, Prompt, Score, ScorePath,
    Stimulus, Stream, Tokenize,
};
