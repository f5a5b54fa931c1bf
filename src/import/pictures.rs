//! Compares pixels, and makes the pictures of smaller levels.

use image::RgbaImage;

use crate::asm::picture::half;
use crate::model::storage::LevelStorage;

/// Returns whether two pixels show the same: the colour of transparent ones does not count. Programs that draw often lose
/// it, and the file keeps it.
pub(super) fn is_same(one: [u8; 4], other: [u8; 4]) -> bool {
    one == other || one[3] == 0 && other[3] == 0
}

/// Returns a picture for each level, the first of which is the given one.
pub(super) fn smaller_levels(picture: &RgbaImage, levels: &[LevelStorage]) -> Vec<RgbaImage> {
    let mut pictures = vec![picture.clone()];
    // Of a larger texture only a part is shown, so that the smaller levels cannot follow from it.
    let is_whole = levels.first().is_some_and(|level| picture.dimensions() == (level.width, level.height));
    for level in levels.iter().skip(1).filter(|_| is_whole) {
        pictures.extend(pictures.last().map(|last| half(last, level.width, level.height)));
    }
    pictures
}
