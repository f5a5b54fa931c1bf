//! Columns about the texture and its palette.

use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type};

use super::columns::{DrawColumn, code, color, flag, float, floats, number};
use super::row::DrawRow;
use crate::documents::state::texture::LevelState;
use crate::ge::address::Address;
use crate::table::column::Column;

pub(super) fn columns() -> Vec<DrawColumn> {
    [texels(), sampling(), palette()].into_iter().flatten().collect()
}

/// Creates a column of a number about level 0, null without levels.
fn level(
    name: &'static str,
    about: &'static str,
    unit: &'static str,
    value: fn(&LevelState) -> u32,
) -> DrawColumn {
    Column::maybe_number::<UInt32Type>(name, about, move |row: &DrawRow| {
        row.state.texture.levels.first().map(value)
    })
    .unit(unit)
}

/// The stored texels.
fn texels() -> Vec<DrawColumn> {
    vec![
        flag("texture_enabled", "Whether primitives are textured.", |state| state.texture.enabled),
        code("texture_format", "Storage of texels.", |state| state.texture.format.text()),
        flag("texture_swizzled", "Whether texels are stored in blocks of 16 bytes by 8 rows.", |state| {
            state.texture.swizzled
        }),
        flag("texture_palette_per_level", "Whether each level has its own palette.", |state| {
            state.texture.palette_per_level
        }),
        Column::number::<UInt8Type>("texture_levels", "Number of levels.", |row: &DrawRow| {
            u8::try_from(row.state.texture.levels.len()).unwrap_or(u8::MAX)
        }),
        level("texture_address", "Address of the first texel of level 0.", "", |level| level.address.get()),
        level(
            "texture_buffer_width",
            "Texels from one row of level 0 to the next, as the register has it.",
            "texels",
            |level| level.buffer_width,
        ),
        level(
            "texture_row_bytes",
            "Bytes from one row of level 0 to the next, as the hardware rounds it; for compressed texels, of rows of \
             blocks.",
            "bytes",
            |level| level.row_bytes,
        ),
        level("texture_width", "Width of level 0.", "texels", |level| level.width),
        level("texture_height", "Height of level 0.", "texels", |level| level.height),
        Column::list::<UInt32Type>(
            "texture_addresses",
            "Address of the first texel of each level, the largest level first.",
            |row: &DrawRow, out| {
                out.extend(row.state.texture.levels.iter().map(|level| Address::get(level.address)));
            },
        ),
        Column::maybe_text(
            "texture_hash",
            "Hash of the stored texels of all levels, as in `textures`. Null if texturing is off, or if a limit was \
             reached.",
            |row: &DrawRow| row.state.texture.hash.map(|hash| hash.to_string().into()),
        ),
    ]
}

/// Filters, wrapping, function, and how coordinates are made.
fn sampling() -> Vec<DrawColumn> {
    vec![
        code("texture_filter_minification", "The filter for textures that are drawn smaller.", |state| {
            state.texture.filter.minification.text()
        }),
        flag(
            "texture_filter_magnify_linear",
            "Whether textures that are drawn larger are filtered bilinearly.",
            |state| state.texture.filter.magnify_linear,
        ),
        flag("texture_clamp_s", "Whether the coordinate s is clamped instead of wrapped.", |state| {
            let [clamp, _] = state.texture.clamp;
            clamp
        }),
        flag("texture_clamp_t", "Whether the coordinate t is clamped instead of wrapped.", |state| {
            let [_, clamp] = state.texture.clamp;
            clamp
        }),
        code("texture_function", "How texel and fragment colour combine.", |state| {
            state.texture.function.function.text()
        }),
        flag("texture_function_use_alpha", "Whether the alpha of texels is used.", |state| {
            state.texture.function.use_alpha
        }),
        flag("texture_function_double", "Whether the result is doubled.", |state| {
            state.texture.function.double
        }),
        color(
            "texture_function_environment_color",
            "Red, green and blue of the colour of the function BLEND.",
            |state| &state.texture.function.environment_color,
        ),
        floats("texture_scale", "Scale of texture coordinates, for u and v.", |state| &state.texture.scale),
        floats("texture_offset", "Offset of texture coordinates, for u and v.", |state| {
            &state.texture.offset
        }),
        code("texture_lod_mode", "How the level is chosen.", |state| state.texture.lod.mode.text()),
        float("texture_lod_bias", "Added to the level.", |state| state.texture.lod.bias).unit("levels"),
        float("texture_lod_slope", "The slope for the mode SLOPE.", |state| state.texture.lod.slope),
        code("texture_mapping_mode", "The source of texture coordinates.", |state| {
            state.texture.mapping.mode.text()
        }),
        code("texture_mapping_source", "The vector that the texture matrix multiplies.", |state| {
            state.texture.mapping.source.text()
        }),
        number::<UInt8Type>("texture_mapping_s_light", "The light of the environment map for s.", |state| {
            state.texture.mapping.s_light
        }),
        number::<UInt8Type>("texture_mapping_t_light", "The light of the environment map for t.", |state| {
            state.texture.mapping.t_light
        }),
    ]
}

/// The palette, and how texels select its entries.
fn palette() -> Vec<DrawColumn> {
    vec![
        number::<UInt32Type>("palette_address", "Address that CLUTADDR selects.", |state| {
            state.palette.address.get()
        }),
        number::<UInt8Type>(
            "palette_blocks",
            "Number of 32-byte blocks that the last LOADCLUT loaded.",
            |state| state.palette.blocks,
        ),
        code("palette_format", "Storage of colours.", |state| state.palette.format.text()),
        number::<UInt8Type>("palette_shift", "Right shift of a texel's bits.", |state| state.palette.shift)
            .unit("bits"),
        number::<UInt8Type>("palette_mask", "Mask after the shift.", |state| state.palette.mask),
        number::<UInt16Type>("palette_start", "First entry, combined with the index by OR.", |state| {
            state.palette.start
        }),
        Column::maybe_text(
            "palette_hash",
            "Hash of the entries that texels can reach, as in `textures`. Null if texels are colours.",
            |row: &DrawRow| row.state.palette.hash.map(|hash| hash.to_string().into()),
        ),
    ]
}
