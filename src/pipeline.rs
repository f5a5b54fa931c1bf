//! One draw: from bytes in memory to primitives on the screen.
//!
//! # Invariants
//! This module depends on [`crate::ge`] only. It executes no display list and fills no pixel.

pub mod draw;
pub mod framebuffer;
pub mod geometry;
pub mod primitive;
pub mod texture;
pub mod vertex;
