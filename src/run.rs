//! Running lists: the interpreter, the sinks that receive draws, and the observers that watch commands.
//!
//! # Invariants
//! This room knows no rasterizer and no file format.

pub mod decode;
pub mod interpreter;
pub mod replay;
pub mod sink;
pub mod trace;
