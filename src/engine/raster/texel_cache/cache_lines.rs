//! The reference draws with this model of the hardware's texture cache. It keeps lines, follows pixels in the order
//! that fills them, and knows which pixels of a primitive its own texels do not show yet.
//! Source: [texture cache](crate::reference::ge::textures#texture-cache).

mod cached_draw;
mod line;
mod lines;
mod pixel_walk;
mod write_delay;

pub(crate) use cached_draw::{CachedDraw, TexelAccess};
pub(crate) use line::{CachedLine, LinePlace, LineTag, ROW_BYTES, ROWS, cached_bits, set_of};
pub(crate) use lines::{CacheLines, SETS, WAYS};
pub(crate) use pixel_walk::PixelWalk;
