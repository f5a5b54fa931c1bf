//! One draw, from bytes in memory to primitives on the screen.
//!
//! # Invariants
//! This room uses [`crate::ge`] only. It runs no list and fills no pixel.

pub mod draw;
pub mod framebuffer;
pub mod geometry;
pub mod primitive;
pub mod texture;
pub mod vertex;
