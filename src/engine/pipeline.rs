//! The way of a draw from bytes in memory to primitives on the screen.
//!
//! # Invariants
//! This module depends on [`crate::ge`] only. It executes no display list and fills no pixel.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::{Arithmetic, Draw, Memory, ScreenPrimitive};
//!
//! /// Returns the primitives of a draw that reach the screen.
//! fn visible(memory: &Memory, draw: &Draw<'_>) -> Vec<ScreenPrimitive> {
//!     let mut primitives = Vec::new();
//!     draw.to_screen(memory, Arithmetic::Hardware, &mut |primitive| primitives.push(*primitive));
//!     primitives
//! }
//! ```

pub mod bounds;
pub mod draw;
pub mod framebuffer;
#[doc(hidden)]
pub mod geometry;
pub mod primitive;
pub mod texture;
pub mod vertex;
