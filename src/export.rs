//! Exports models and frames for other programs: draws become a neutral scene, and the scene becomes files.
//!
//! All geometry comes from executed draws, so that models and recorded frames take the same way. A surface looks as
//! the registers say at its draw.
//!
//! # Invariants
//! Writers use only [`scene`]. This module never touches a disk: a [`File`] is a name with bytes. Equal input gives
//! equal bytes.
//!
//! ```
//! let asset = pspge::open("list.ge", b"FINISH | END")?;
//! let scene = asset.to_scene()?;
//! assert!(scene.meshes.is_empty(), "the list draws nothing");
//! let glb = pspge::export::gltf::write_glb(&scene);
//! assert_eq!(&glb[..4], b"glTF");
//! # Ok::<(), pspge::Error>(())
//! ```

#[doc(hidden)]
pub mod animated_png;
#[doc(hidden)]
pub mod animation;
mod collector;
mod decompose;
mod drawing_order;
mod frame;
mod frame_notes;
pub mod gltf;
mod material;
mod merge;
mod model;
pub mod note;
pub mod obj;
pub mod picture_file;
mod placement;
pub mod png_compression;
#[doc(hidden)]
pub mod recorder;
mod rig;
pub mod scene;
mod scene_builder;
mod screen_space;
mod skin;
mod text_writer;
mod texture_images;
mod weld;

pub use collector::DrawFilter;
pub use frame::{FrameSpace, frame_scene};
pub use merge::Merge;
pub use model::{RigMode, model_scene};
pub use note::{ExportNote, ExportNoteKind};
pub use placement::{Placement, PlacementError, UpAxis};

use image::DynamicImage;

use picture_file::PictureFormat;

/// A file for the caller to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without directories.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Encodes an image as PNG. Returns no bytes if this fails, but an image with pixels always fits.
fn png(image: &scene::Image) -> Vec<u8> {
    let picture = DynamicImage::ImageRgba8(image.pixels.clone());
    PictureFormat::Png.encode(&picture).unwrap_or_default()
}
