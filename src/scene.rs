//! Turns models and frames into pictures: camera, render target, buffers and animations.
//!
//! A [`ModelRenderer`](render::ModelRenderer) draws models, and a [`FrameRenderer`](frame::FrameRenderer) draws
//! frames. Both can draw pictures too large for a PSP's memory.

mod buffer_image;
pub mod camera;
pub mod depth_range;
mod drawn_depth;
pub mod frame;
#[doc(hidden)]
pub mod frame_range;
#[doc(hidden)]
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
