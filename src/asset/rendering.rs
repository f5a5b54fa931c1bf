//! A picture with its depth.

use image::{ImageBuffer, Luma, RgbaImage};

use crate::ge::note::Note;

/// The result of [`Asset::rasterize`](super::Asset::rasterize).
///
/// ```
/// let asset = pspge::open("empty.ge", b"FINISH | END")?;
/// let pspge::Rendering { color, .. } = asset.rasterize(&pspge::RunSpec::default())?;
/// assert_eq!(color.dimensions(), (480, 272));
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rendering {
    /// Colours. For a model, drawn pixels are opaque and the others have the background's alpha. A frame is
    /// opaque.
    pub color: RgbaImage,
    /// Depth as in the depth buffer. This can be smaller than the colours, because the depth buffer may be.
    pub depth: ImageBuffer<Luma<u16>, Vec<u16>>,
    /// Everything left out or guessed during the run.
    pub notes: Vec<Note>,
}
