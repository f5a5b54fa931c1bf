//! The geometry stages: from decoded vertices to primitives on the screen.
//!
//! Stages, one per file: [`morph`] → [`skin`] → [`patch`] → [`transform`] with [`texgen`], [`material`] and [`light`],
//! and [`fog`] → [`assemble`] → [`standing`] and [`clip`] → [`viewport`] and [`cull`]. Each is generic over the number system.
//! Source: `ge-reference.md` §4.5–§6, §10, appendix C.
//!
//! # Invariants
//! Stages are pure functions of registers and vertices. The order of every sum is written down in [`math`].

pub mod assemble;
pub mod bounding;
pub mod clip;
pub mod cull;
pub mod fog;
pub mod lanes;
pub mod light;
pub mod material;
pub mod math;
pub mod morph;
pub mod normal;
pub mod patch;
pub mod power;
pub mod rectangle;
pub mod skin;
pub mod standing;
pub mod texgen;
pub mod transform;
pub mod viewport;

/// A vertex in clip space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipVertex<R> {
    /// Position: x, y, z, w. In through mode pixels, depth and 1.
    pub position: [R; 4],
    /// Texture coordinates s, t, q.
    pub texture: [R; 3],
    /// Fog factor, 1 where there is no fog.
    pub fog: R,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Secondary colour.
    pub secondary: [u8; 3],
}
