//! Vertices in memory and decoded.
//!
//! # Invariants
//! A layout is computed once per draw. Decoding allocates nothing and never fails: bytes that do not exist read
//! as zero. Source: `ge-reference.md` §4.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod attributes;
mod decode;
mod layout;
mod reader;

pub use attributes::{LastAttributes, Vertex};
pub use layout::{MAX_VERTEX_BYTES, VertexLayout};
pub use reader::VertexReader;
