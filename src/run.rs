//! List execution: the interpreter, the sinks that receive its draws, and the observers that watch its
//! commands.
//!
//! # Invariants
//! This room knows no rasterizer and no file format.

pub mod decode;
pub mod interpreter;
pub mod replay;
pub mod sink;
pub mod trace;
