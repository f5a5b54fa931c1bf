//! Holds geometry and images in memory, before they are packed for a format.

pub(crate) mod image;
pub(crate) mod maths;
pub(crate) mod mesh;
pub(crate) mod surface;
