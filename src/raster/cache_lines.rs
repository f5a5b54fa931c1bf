//! The texture cache of the hardware as the reference draws with it: lines, the order of pixels that fills them, and the
//! pixels that a primitive has written and its texels do not show yet.
//! Source: [texture cache](crate::reference::ge::textures#texture-cache).

mod cached_draw;
mod line;
mod lines;
mod pixel_walk;
mod write_delay;

pub(super) use cached_draw::{CachedDraw, TexelAccess};
pub(super) use line::{CachedLine, LinePlace, LineTag, ROW_BYTES, ROWS, cached_bits, set_of};
pub(super) use lines::{CacheLines, SETS, WAYS};
pub(super) use pixel_walk::PixelWalk;
