//! The frame of an asset: its display list as it is drawn, with the options that decide it.

use pspge::documents::note_list::NoteList;
use pspge::raster::RasterOptions;
use pspge::scene::render::ModelRenderer;
use pspge::{Arithmetic, Capture, Limits, RenderOptions};

use crate::asset::Asset;
use crate::failure::Failure;
use crate::options::RunOptions;

/// A display list, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The list and its memory. That of a model includes the camera and the clear.
    pub(crate) capture: Capture,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) limits: Limits,
    pub(crate) threads: u32,
    /// The notes on the file.
    pub(crate) notes: NoteList,
}

impl Frame {
    /// Returns the frame of an asset at the size of the screen, with the changes to try.
    ///
    /// # Errors
    /// If the asset cannot be drawn, or an option does not apply to it.
    pub(crate) fn new(asset: &Asset, options: &RunOptions) -> Result<Self, Failure> {
        let arithmetic = options.arithmetic()?.unwrap_or_default();
        Self::with_arithmetic(asset, options, arithmetic)
    }

    /// Does the same, but computes with this arithmetic.
    pub(crate) fn with_arithmetic(
        asset: &Asset,
        options: &RunOptions,
        arithmetic: Arithmetic,
    ) -> Result<Self, Failure> {
        if !asset.is_drawable() {
            return Err(asset.not_drawable());
        }
        let limits = asset.limits;
        let mut capture = match asset.model(options)? {
            Some(model) => {
                let renderer = RenderOptions::default().with_arithmetic(arithmetic).limits(limits).renderer();
                ModelRenderer { camera: options.camera()?, ..renderer }.capture(&model)
            }
            None => asset.inner.to_capture()?,
        };
        options.apply(&mut capture, arithmetic, &limits)?;
        Ok(Self { capture, arithmetic, limits, threads: options.threads, notes: asset.notes.clone() })
    }

    /// Returns the options of the rasterizer.
    pub(crate) fn raster(&self) -> RasterOptions {
        RasterOptions { arithmetic: self.arithmetic, threads: self.threads, ..RasterOptions::default() }
    }
}
