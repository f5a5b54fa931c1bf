//! A camera and a render target around a model, and the way from a model to a picture.

pub mod camera;
pub mod render;
pub mod render_target;
