//! The table with a row for each pixel in the final picture.

use std::sync::LazyLock;

use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type};
use image::{DynamicImage, GrayImage, ImageBuffer, Luma, RgbImage};

use super::column::Column;
use super::kind::Table;
use super::rows::Layout;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::run::replay::Replayed;
use crate::scene::frame::{self, FrameBuffer, FrameError};

/// A pixel in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelRow {
    x: u32,
    y: u32,
    color: [u8; 3],
    depth: Option<u16>,
    stencil: Option<u8>,
}

/// A picture's buffers, copied to read them row by row after the run.
#[derive(Debug)]
pub(super) struct Picture {
    color: RgbImage,
    /// Empty if no depth buffer is set up.
    depth: ImageBuffer<Luma<u16>, Vec<u16>>,
    stencil: GrayImage,
}

impl Picture {
    /// Copies the picture that a run left in memory, or returns `None` if the run has set up no screen and no
    /// framebuffer.
    ///
    /// # Errors
    /// If a buffer has no part with the screen's size.
    pub(super) fn of_run(memory: &Memory, run: &Replayed) -> Result<Option<Self>, FrameError> {
        let buffer = |buffer| frame::final_buffer(memory, run, buffer);
        let Some(color) = buffer(FrameBuffer::Display)? else { return Ok(None) };
        Ok(Some(Self {
            color: color.into_rgb8(),
            depth: buffer(FrameBuffer::Depth)?.map(DynamicImage::into_luma16).unwrap_or_default(),
            stencil: buffer(FrameBuffer::Stencil)?.map(DynamicImage::into_luma8).unwrap_or_default(),
        }))
    }

    /// Iterates over the pixels, row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = PixelRow> {
        self.color.enumerate_pixels().map(|(x, y, color)| PixelRow {
            x,
            y,
            color: color.0,
            // Depth and stencil may be smaller than the picture. Pixels outside them have none.
            depth: self.depth.get_pixel_checked(x, y).map(|Luma([depth])| *depth),
            stencil: self.stencil.get_pixel_checked(x, y).map(|Luma([stencil])| *stencil),
        })
    }
}

/// The columns of [`PixelRow`].
pub(super) static LAYOUT: LazyLock<Layout<PixelRow>> = LazyLock::new(|| {
    let color = |name, description, channel: usize| {
        Column::number::<UInt8Type>(name, description, move |row: &PixelRow| {
            row.color.get(channel).copied().or_never("there are four channels")
        })
        .unit("0 to 255")
    };
    let columns = vec![
        Column::number::<UInt32Type>("x", "Column, from the left.", |row: &PixelRow| row.x).unit("pixels"),
        Column::number::<UInt32Type>("y", "Row, from the top.", |row: &PixelRow| row.y).unit("pixels"),
        color("red", "Red of the picture that `pspge render` draws.", 0),
        color("green", "Green of the picture.", 1),
        color("blue", "Blue of the picture.", 2),
        Column::maybe_number::<UInt16Type>(
            "depth",
            "Depth in the depth buffer. Null outside a smaller one.",
            |row: &PixelRow| row.depth,
        )
        .unit("0 to 65535"),
        Column::maybe_number::<UInt8Type>(
            "stencil",
            "Stencil in the draw buffer. Null outside a smaller one.",
            |row: &PixelRow| row.stencil,
        )
        .unit("0 to 255"),
    ];
    Layout::keyed(Table::Pixels, columns)
});
