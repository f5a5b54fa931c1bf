//! Models and frames as files for other programs: decoded primitives into a neutral scene, the scene into bytes.
//!
//! Everything comes from draws that were executed, so that models and recorded frames come out alike: registers at the
//! draw say what a surface looks like, and which texture it has.
//!
//! # Invariants
//! Writers see only [`scene`]. Nothing is written here: a file is a name and bytes. The same input gives the same bytes.

mod build;
mod collect;
mod decompose;
mod frame;
pub mod gltf;
mod material;
mod model;
pub mod obj;
mod picture;
pub mod recorder;
mod rig;
pub mod scene;
mod skin;
mod text;
mod weld;

pub use collect::DrawFilter;
pub use frame::{FrameSpace, frame_scene};
pub use model::{RigMode, model_scene};

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A picture as PNG. Nothing but memory could fail here; what fails is empty.
fn png(image: &scene::Image) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let written = image.pixels.write_to(&mut bytes, image::ImageFormat::Png);
    if written.is_ok() { bytes.into_inner() } else { Vec::new() }
}
