//! Everything that happens to fragments after their texels are known, in lanes.

pub(crate) mod blend;
pub(crate) mod framebuffer_word;
pub(crate) mod pixel;
pub(crate) mod pixel_state;
pub(crate) mod shade;
pub(crate) mod stencil;
pub(crate) mod target;
