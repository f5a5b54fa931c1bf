//! Columns about buffers, and about the steps from a fragment to a pixel.

use arrow_array::types::{Int8Type, UInt8Type, UInt16Type, UInt32Type};

use super::columns::{DrawColumn, code, color, flag, float, floats, number};
use super::row::DrawRow;
use crate::ge::registers::texture::PixelFormat;
use crate::table::column::Column;

pub(super) fn columns() -> Vec<DrawColumn> {
    [buffers(), areas(), fog(), tests(), blending()].into_iter().flatten().collect()
}

/// The target buffers.
fn buffers() -> Vec<DrawColumn> {
    vec![
        number::<UInt32Type>(
            "framebuffer_address",
            "Address of the first pixel of the colour buffer, in the view of VRAM in which pixels are in order.",
            |state| state.framebuffer.address.get(),
        ),
        number::<UInt32Type>(
            "framebuffer_stride",
            "Pixels from one row of the colour buffer to the next.",
            |state| state.framebuffer.stride,
        )
        .unit("pixels"),
        Column::text("framebuffer_format", "Format of the pixels of the colour buffer.", |row: &DrawRow| {
            row.state.framebuffer.format.map(PixelFormat::text).unwrap_or_default()
        }),
        number::<UInt32Type>(
            "depth_buffer_address",
            "Address of the first pixel of the depth buffer, in the view of VRAM in which pixels are in order.",
            |state| state.depth_buffer.address.get(),
        ),
        number::<UInt32Type>(
            "depth_buffer_stride",
            "Pixels from one row of the depth buffer to the next.",
            |state| state.depth_buffer.stride,
        )
        .unit("pixels"),
    ]
}

/// Viewport, scissor, region and depth range.
fn areas() -> Vec<DrawColumn> {
    vec![
        floats("viewport_center", "x, y and z of the centre of the viewport.", |state| {
            &state.viewport.center
        })
        .unit("pixels, and units of depth"),
        floats("viewport_scale", "Half its width, height and depth; negative if it is mirrored.", |state| {
            &state.viewport.scale
        })
        .unit("pixels, and units of depth"),
        floats(
            "viewport_offset",
            "Column and row of screen space that become column 0 and row 0 of the framebuffer.",
            |state| &state.viewport.offset,
        )
        .unit("pixels"),
        number::<UInt16Type>("scissor_left", "Leftmost column of the scissor rectangle.", |state| {
            state.scissor.left
        })
        .unit("pixels"),
        number::<UInt16Type>("scissor_top", "Its top row.", |state| state.scissor.top).unit("pixels"),
        number::<UInt16Type>("scissor_right", "Its rightmost column, inclusive.", |state| {
            state.scissor.right
        })
        .unit("pixels"),
        number::<UInt16Type>("scissor_bottom", "Its bottom row, inclusive.", |state| state.scissor.bottom)
            .unit("pixels"),
        number::<UInt16Type>("region_left", "Leftmost column of the drawing region.", |state| {
            state.region.left
        })
        .unit("pixels"),
        number::<UInt16Type>("region_top", "Its top row.", |state| state.region.top).unit("pixels"),
        number::<UInt16Type>("region_right", "Its rightmost column, inclusive.", |state| state.region.right)
            .unit("pixels"),
        number::<UInt16Type>("region_bottom", "Its bottom row, inclusive.", |state| state.region.bottom)
            .unit("pixels"),
        number::<UInt16Type>("depth_range_min", "Smallest depth that is drawn.", |state| {
            state.depth_range.min
        }),
        number::<UInt16Type>("depth_range_max", "Largest depth that is drawn.", |state| {
            state.depth_range.max
        }),
        flag(
            "depth_range_clamp",
            "Whether depth is clamped and primitives are clipped at the near plane, instead of culled by depth.",
            |state| state.depth_range.clamp,
        ),
    ]
}

fn fog() -> Vec<DrawColumn> {
    vec![
        flag("fog_enabled", "Whether fog is on.", |state| state.fog.enabled),
        color("fog_color", "Red, green and blue of the fog.", |state| &state.fog.color),
        float("fog_end", "The distance at which it is full.", |state| state.fog.end),
        float("fog_slope", "How much it decreases per unit towards the viewer.", |state| state.fog.slope),
    ]
}

/// Clear mode and tests.
fn tests() -> Vec<DrawColumn> {
    [clear(), color_tests(), stencil_and_depth()].into_iter().flatten().collect()
}

fn clear() -> Vec<DrawColumn> {
    vec![
        flag("clear_enabled", "Whether clear mode is on.", |state| state.clear.enabled),
        flag("clear_color", "Whether clear mode writes colour.", |state| state.clear.color),
        flag("clear_stencil", "Whether clear mode writes stencil.", |state| state.clear.stencil),
        flag("clear_depth", "Whether clear mode writes depth.", |state| state.clear.depth),
    ]
}

fn color_tests() -> Vec<DrawColumn> {
    vec![
        flag("alpha_test_enabled", "Whether the alpha test is on.", |state| state.alpha_test.enabled),
        code("alpha_test_function", "Its comparison.", |state| state.alpha_test.function.text()),
        number::<UInt8Type>("alpha_test_reference", "Its reference.", |state| state.alpha_test.reference),
        number::<UInt8Type>("alpha_test_mask", "Bits that it compares.", |state| state.alpha_test.mask),
        flag("color_test_enabled", "Whether the colour test is on.", |state| state.color_test.enabled),
        code("color_test_function", "Its comparison.", |state| state.color_test.function.text()),
        color("color_test_reference", "Red, green and blue of its reference.", |state| {
            &state.color_test.reference
        }),
        color("color_test_mask", "Bits of red, green and blue that it compares.", |state| {
            &state.color_test.mask
        }),
    ]
}

fn stencil_and_depth() -> Vec<DrawColumn> {
    vec![
        flag("stencil_test_enabled", "Whether the stencil test is on.", |state| state.stencil_test.enabled),
        code("stencil_test_function", "Its comparison.", |state| state.stencil_test.function.text()),
        number::<UInt8Type>("stencil_test_reference", "Its reference.", |state| state.stencil_test.reference),
        number::<UInt8Type>("stencil_test_mask", "Bits that it compares.", |state| state.stencil_test.mask),
        code("stencil_test_stencil_fail", "Operation if the stencil test fails.", |state| {
            state.stencil_test.stencil_fail.text()
        }),
        code("stencil_test_depth_fail", "Operation if the depth test fails.", |state| {
            state.stencil_test.depth_fail.text()
        }),
        code("stencil_test_pass", "Operation if both pass.", |state| state.stencil_test.pass.text()),
        flag("depth_test_enabled", "Whether the depth test is on.", |state| state.depth_test.enabled),
        code("depth_test_function", "Its comparison.", |state| state.depth_test.function.text()),
        flag(
            "depth_test_writes",
            "Whether depth may be written: the test is on, and ZWRITEDISABLE is off.",
            |state| state.depth_test.writes,
        ),
    ]
}

/// Blending, dithering, logic operation and masks.
fn blending() -> Vec<DrawColumn> {
    vec![
        flag("blend_enabled", "Whether blending is on.", |state| state.blend.enabled),
        code("blend_equation", "How both operands combine.", |state| state.blend.equation.text()),
        code("blend_source", "Factor of the source colour.", |state| state.blend.source.text()),
        code("blend_destination", "Factor of the destination colour.", |state| {
            state.blend.destination.text()
        }),
        color("blend_fixed_source", "Red, green and blue of the fixed factor of the source.", |state| {
            &state.blend.fixed_source
        }),
        color(
            "blend_fixed_destination",
            "Red, green and blue of the fixed factor of the destination.",
            |state| &state.blend.fixed_destination,
        ),
        flag("dither_enabled", "Whether dithering is on.", |state| state.dither.enabled),
        Column::maybe_list::<Int8Type>(
            "dither_matrix",
            "The dither matrix by rows, four of four. Null without dithering.",
            |row: &DrawRow, out| {
                let dither = &row.state.dither;
                if dither.enabled {
                    out.extend(dither.matrix.as_flattened());
                }
                dither.enabled
            },
        ),
        flag("logic_enabled", "Whether the logic operation is on.", |state| state.logic.enabled),
        code("logic_operation", "The operation.", |state| state.logic.operation.text()),
        color("mask_color", "Bits of red, green and blue that are protected from writes.", |state| {
            &state.mask.color
        }),
        number::<UInt8Type>("mask_stencil", "Bits of the stencil that are protected from writes.", |state| {
            state.mask.stencil
        }),
    ]
}
