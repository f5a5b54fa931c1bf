//! Records the fates of fragments for debuggers: at a watched pixel (`explain`, `pixel_watch`), in a draw
//! (`draw_counter`), or at every pixel of a run (`overdraw`). The reference reports each fragment to a `recorder`.

pub(crate) mod draw_counter;
pub(crate) mod drawn_pixels;
pub(crate) mod explain;
pub(crate) mod fragment_counts;
pub mod fragment_record;
pub(crate) mod overdraw;
pub(crate) mod pixel_watch;
#[doc(hidden)]
pub mod probe;
pub(crate) mod recorder;
pub(crate) mod watched_pixel;
