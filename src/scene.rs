//! Draws a model: camera, render target, and the way from a model to a picture.

pub mod camera;
pub mod render;
pub mod render_target;
