//! Writes pictures into textures that store colours.

use image::RgbaImage;

use super::bytes::FileBytes;
use super::dither::Dither;
use super::pictures::is_same;
use crate::model::storage::{ColorStorage, LevelStorage};

/// Writes the texels in a level that differ from the picture.
pub(super) fn write(
    bytes: &mut FileBytes,
    level: &LevelStorage,
    storage: &ColorStorage,
    picture: &RgbaImage,
    dither: bool,
) {
    let width = (storage.bytes * 8, storage.is_big);
    let mut dither = Dither::new(picture.width(), dither);
    for (y, row) in (0..).zip(picture.rows()) {
        for (x, pixel) in (0..).zip(row) {
            let Some(old) = bytes.texel(level, width, x, y) else { continue };
            if is_same(storage.decode(old), pixel.0) {
                continue;
            }
            let wanted = dither.adjusted(x, pixel.0);
            let number = storage.encode(wanted, old);
            dither.spread(x, wanted, storage.decode(number));
            bytes.set_texel(level, width, (x, y), number);
        }
        dither.next_row();
    }
}

/// Returns whether the file's texels show this picture.
pub(super) fn are_those_of(
    bytes: &FileBytes,
    level: &LevelStorage,
    storage: &ColorStorage,
    picture: &RgbaImage,
) -> bool {
    let width = (storage.bytes * 8, storage.is_big);
    picture.enumerate_pixels().all(|(x, y, pixel)| {
        bytes.texel(level, width, x, y).is_none_or(|number| storage.decode(number) == pixel.0)
    })
}
