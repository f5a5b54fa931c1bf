//! Compares pixels, and makes pictures for smaller levels.

use image::RgbaImage;

use crate::asm::picture::half;
use crate::model::storage::LevelStorage;

/// Returns whether two pixels look the same. The colour of transparent pixels does not count, because drawing
/// programs often lose it, and the file should keep its own.
pub(super) fn is_same(one: [u8; 4], other: [u8; 4]) -> bool {
    one == other || one[3] == 0 && other[3] == 0
}

/// Returns a picture for each level, the first of which is the given picture.
pub(super) fn smaller_levels(picture: &RgbaImage, levels: &[LevelStorage]) -> Vec<RgbaImage> {
    let mut pictures = vec![picture.clone()];
    // A larger texture shows only a part, so its smaller levels cannot be made from the picture.
    let is_whole = levels.first().is_some_and(|level| picture.dimensions() == (level.width, level.height));
    for level in levels.iter().skip(1).filter(|_| is_whole) {
        pictures.extend(pictures.last().map(|last| half(last, level.width, level.height)));
    }
    pictures
}
