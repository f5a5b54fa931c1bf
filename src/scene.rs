//! Turns models and frames into pictures: camera, render target, buffers and animations.
//!
//! ```
//! use pspge::scene::render_target::RenderTargetSetup;
//!
//! // A picture larger than the PSP's memory is drawn in tiles.
//! let setup = RenderTargetSetup {
//!     width: 1024,
//!     height: 600,
//!     background: [0; 4],
//!     view: [0.0; 12],
//!     projection: [0.0; 16],
//! };
//! assert_eq!(setup.tiles().count(), 4);
//! ```

mod buffer_image;
pub mod camera;
pub mod depth_range;
mod drawn_depth;
pub mod frame;
#[doc(hidden)]
pub mod frame_range;
pub mod frame_scratch;
pub mod frame_size;
#[doc(hidden)]
pub mod highlight;
#[doc(hidden)]
pub mod overdraw;
pub mod render;
pub mod render_target;
#[doc(hidden)]
pub mod sequence;
