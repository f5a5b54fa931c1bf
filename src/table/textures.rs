//! The table with a row for each texture, and for each palette it is drawn with.

use std::sync::LazyLock;

use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type, UInt64Type};

use super::column::Column;
use super::kind::Table;
use super::rows::Layout;
use crate::ge::address::Address;
use crate::run::texture_uses::TextureUse;

/// A texture with a palette, and its number in the frame.
#[derive(Clone, Debug)]
pub(super) struct TextureRow {
    /// Counts textures in the order in which draws first use them.
    pub(super) number: u32,
    /// The texture with its draws.
    pub(super) texture: TextureUse,
}

/// The columns of [`TextureRow`].
pub(super) static LAYOUT: LazyLock<Layout<TextureRow>> = LazyLock::new(|| {
    let columns = vec![
        Column::number::<UInt32Type>(
            "texture",
            "Number of the texture in the frame, from 0, in the order of first use.",
            |row: &TextureRow| row.number,
        ),
        Column::text("hash", "Hash of the stored texels of all levels.", |row: &TextureRow| {
            row.texture.hash.to_string().into()
        }),
        Column::maybe_text(
            "palette_hash",
            "Hash of the palette entries that texels can reach. Null without a palette.",
            |row: &TextureRow| row.texture.palette_hash.map(|hash| hash.to_string().into()),
        ),
        Column::text(
            "name",
            "Name of the picture that `pspge textures` writes, without extension. It is different for different textures.",
            |row: &TextureRow| row.texture.name().into(),
        ),
        Column::number::<UInt32Type>("width", "Width.", |row: &TextureRow| row.texture.width).unit("texels"),
        Column::number::<UInt32Type>("height", "Height.", |row: &TextureRow| row.texture.height)
            .unit("texels"),
        Column::text("format", "Storage of texels.", |row: &TextureRow| row.texture.format.text()),
        Column::flag(
            "swizzled",
            "Whether texels are stored in blocks of 16 bytes by 8 rows.",
            |row: &TextureRow| row.texture.swizzled,
        ),
        Column::number::<UInt32Type>("levels", "Number of levels.", |row: &TextureRow| row.texture.levels),
        Column::list::<UInt32Type>(
            "addresses",
            "Addresses of the first texel. The same texels may be at several.",
            |row: &TextureRow, out| out.extend(row.texture.addresses.iter().map(|address| address.get())),
        ),
        Column::maybe_text(
            "palette_format",
            "Storage of the colours of the palette. Null without a palette.",
            |row: &TextureRow| row.texture.palette.map(|palette| palette.format.text()),
        ),
        Column::maybe_number::<UInt8Type>(
            "palette_shift",
            "Right shift of a texel's bits. Null without a palette.",
            |row: &TextureRow| row.texture.palette.map(|palette| palette.shift),
        )
        .unit("bits"),
        Column::maybe_number::<UInt8Type>(
            "palette_mask",
            "Mask after the shift. Null without a palette.",
            |row: &TextureRow| row.texture.palette.map(|palette| palette.mask),
        ),
        Column::maybe_number::<UInt16Type>(
            "palette_start",
            "First entry, combined with the index by OR. Null without a palette.",
            |row: &TextureRow| row.texture.palette.map(|palette| palette.start),
        ),
        Column::list::<UInt32Type>(
            "palette_addresses",
            "Addresses that the palette was loaded from.",
            |row: &TextureRow, out| {
                out.extend(row.texture.palette_addresses.iter().copied().map(Address::get));
            },
        ),
        Column::flag(
            "rendered",
            "Whether draws of the run may have drawn some of the texels: the texture is a render target.",
            |row: &TextureRow| row.texture.is_rendered,
        ),
        Column::flag("mapped", "Whether all texels exist. Missing ones read as 0.", |row: &TextureRow| {
            row.texture.is_mapped
        }),
        Column::number::<UInt64Type>(
            "draw_count",
            "Number of draws that use the texture.",
            |row: &TextureRow| row.texture.draw_count(),
        ),
        Column::list::<UInt64Type>("draws", "Numbers of these draws.", |row: &TextureRow, out| {
            out.extend(row.texture.draws.iter().cloned().flatten());
        }),
    ];
    Layout::keyed(Table::Textures, columns)
});
