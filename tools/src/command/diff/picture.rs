//! Draws a picture to show a difference.

use image::RgbImage;
use pspge::compare::{self, CompareError, CompareOptions, Factor, Picture, View};

use crate::terminal::failure::Failure;

/// Converts both runs' buffers to pictures.
pub(super) fn of_images([a, b]: [RgbImage; 2]) -> Result<[Picture; 2], Failure> {
    let picture = |image| Picture::from_image(image).map_err(|error| failure(&error.into()));
    Ok([picture(a)?, picture(b)?])
}

/// Makes a PNG file with A, the amplified difference, and B, from left to right.
pub(super) fn side_by_side([a, b]: &[Picture; 2]) -> Result<Vec<u8>, Failure> {
    let options = CompareOptions { ignore_alpha: true, ..CompareOptions::default() };
    let view = compare::view(a, b, &options, View::SideBySide(Factor::default()));
    view.and_then(|picture| picture.to_png()).map_err(|error| failure(&error))
}

fn failure(error: &CompareError) -> Failure {
    Failure::usage(format_args!("--output: {error}"))
}
