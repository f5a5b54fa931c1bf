//! The rules that decide every pixel's value, a file for each, and the `reference` that applies them.
//!
//! In the order of a draw: `coverage` with `line` and `rectangle` → `interpolate`, `texcoords` → `lod`, `sampler` →
//! `pixel` with `region`, `texture_function`, `fog`, `stencil`, `blend`, `dither` and `logic`. `single` holds the
//! rules that emulators have for the same steps. `pixel_rect` bounds a primitive's pixels without coverage.

pub(crate) mod blend;
#[doc(hidden)]
pub mod coverage;
#[doc(hidden)]
pub mod covered_rows;
pub(crate) mod dither;
pub(crate) mod fog;
pub(crate) mod grid;
pub(crate) mod interpolate;
pub(crate) mod line;
pub(crate) mod lod;
pub(crate) mod lod_spans;
pub(crate) mod logic;
pub(crate) mod pixel;
#[doc(hidden)]
pub mod pixel_rect;
pub(crate) mod rectangle;
pub(crate) mod reference;
#[doc(hidden)]
pub mod region;
pub(crate) mod sampler;
pub(crate) mod setup_reciprocal;
pub(crate) mod single;
pub(crate) mod stencil;
pub(crate) mod texcoords;
pub(crate) mod texel_fetch;
pub(crate) mod texel_source;
pub(crate) mod texture_function;
