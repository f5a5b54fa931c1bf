//! Reads vertices from memory and decodes them.
//!
//! # Invariants
//! A layout is computed once per draw. To be fast and safe, decoding allocates nothing and never fails: missing
//! memory reads as 0.
//!
//! Source: [vertices](crate::reference::ge::vertices).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod attributes;
mod decode;
mod reader;

pub use crate::ge::vertex_layout::{MAX_VERTEX_BYTES, VertexLayout};
pub use attributes::{LastAttributes, Vertex};
pub use reader::VertexReader;
