//! Rules on memory read and written by lists.

use super::{DRAW, Input, Row, TEXTURE, commands, with_data};
use crate::check::Rule;

/// Sets a transfer's target to VRAM, and starts it.
const TRANSFER: &str = "TRANSFERSRCW width=8 high=hi(t) | TRANSFERDST 0 | TRANSFERDSTW width=8 high=4
    TRANSFERSIZE x=7 y=1 | TRANSFERSTART BITS32";

/// Draws depth with 32-bit colours, and samples it at an address.
fn sampled_depth(address: &str) -> Input {
    commands(format!(
        "ZTESTENABLE 1 | ZTEST ALWAYS | {DRAW} | ZTESTENABLE 0 | {TEXTURE} | TEXFORMAT BGR5650
         TEXBUFWIDTH0 width=512 high=4 | TEXADDR0 {address} | {DRAW}"
    ))
}

/// Loads a palette with 16 colours in 16 bits.
const PALETTE: &str = "CLUTADDR lo(t) | CLUTADDRUPPER hi(t) | CLUTFORMAT mask=255 | LOADCLUT 1";

pub(super) fn rows() -> Vec<Row> {
    let textured = |state: &str| commands(format!("{TEXTURE} | {state} | {DRAW}"));
    let draw = |state: &str| commands(format!("{state} | {DRAW}"));
    let mut rows = reads();
    rows.extend([
        (Rule::UnalignedAddress, draw("FRAMEBUFPTR 0x4"), draw("FRAMEBUFPTR 0x10")),
        (Rule::UnalignedAddress, textured("TEXADDR0 lo(t)+8"), textured("NOP")),
        (Rule::UnalignedWidth, draw("FRAMEBUFWIDTH width=511"), draw("FRAMEBUFWIDTH width=508")),
        (Rule::UnalignedWidth, textured("TEXBUFWIDTH0 width=6 high=hi(t)"), textured("NOP")),
        (
            Rule::UnalignedVertices,
            draw("VADDR lo(v)+1"),
            draw("VTYPE position=BITS8 through=1 | VADDR lo(v)+1"),
        ),
        (
            Rule::UnalignedIndices,
            draw("VTYPE position=BITS16 index=BITS16 through=1 | IADDR lo(zeros)+1"),
            draw("VTYPE position=BITS16 index=BITS8 through=1 | IADDR lo(zeros)+1"),
        ),
        (
            Rule::TextureIsTarget,
            textured("TEXADDR0 0 | TEXBUFWIDTH0 width=512 high=4"),
            textured("TEXADDR0 0x100000 | TEXBUFWIDTH0 width=512 high=4"),
        ),
        (Rule::DepthView, sampled_depth("0x112820"), sampled_depth("0x712820")),
        (
            Rule::StaleTexture,
            textured(&format!("{DRAW} | VADDR lo(tv) | {}", transfer_over_texture(""))),
            textured(&format!("{DRAW} | VADDR lo(tv) | {}", transfer_over_texture("TEXFLUSH"))),
        ),
        (
            Rule::StaleTexels,
            textured(&format!("{DRAW} | TEXADDR0 lo(zeros) | VADDR lo(tv)")),
            textured(&format!("{DRAW} | TEXADDR0 lo(zeros) | TEXFLUSH | VADDR lo(tv)")),
        ),
        (
            Rule::TransferOverlap,
            commands(
                "TRANSFERSRC lo(t) | TRANSFERSRCW width=8 high=hi(t) | TRANSFERDST lo(t)+16
                 TRANSFERDSTW width=8 high=hi(t) | TRANSFERSIZE x=7 y=0 | TRANSFERSTART BITS32",
            ),
            commands(
                "TRANSFERSRC lo(t)+16 | TRANSFERSRCW width=8 high=hi(t) | TRANSFERDST lo(t)
                 TRANSFERDSTW width=8 high=hi(t) | TRANSFERSIZE x=7 y=0 | TRANSFERSTART BITS32",
            ),
        ),
        (
            Rule::TransferWithoutSync,
            textured(&format!("{DRAW} | VADDR lo(tv) | {}", transfer_over_texture("TEXFLUSH"))),
            textured(&format!("{DRAW} | VADDR lo(tv) | {}", transfer_over_texture("TEXFLUSH | TEXSYNC"))),
        ),
        (
            Rule::MissingTexflush,
            textured(&format!("{DRAW} | TEXADDR0 lo(t)+64 | VADDR lo(tv)")),
            textured(&format!("{DRAW} | TEXADDR0 lo(t)+64 | TEXFLUSH | VADDR lo(tv)")),
        ),
        (
            Rule::StalePalette,
            textured(&format!("TEXFORMAT CLUT4 | {PALETTE} | CLUTADDR lo(t)+32")),
            textured(&format!("TEXFORMAT CLUT4 | {PALETTE} | CLUTADDR lo(t)+32 | LOADCLUT 1")),
        ),
        (
            Rule::PaletteNeverLoaded,
            textured("TEXFORMAT CLUT4"),
            textured(&format!("TEXFORMAT CLUT4 | {PALETTE}")),
        ),
        (
            Rule::PaletteTooShort,
            textured(&format!("TEXFORMAT CLUT8 | {PALETTE}")),
            textured(&format!("TEXFORMAT CLUT4 | {PALETTE}")),
        ),
        (
            Rule::EmptyPaletteLoad,
            commands("CLUTADDR lo(t) | CLUTADDRUPPER hi(t) | LOADCLUT 0"),
            commands("LOADCLUT 0"),
        ),
        (
            Rule::MissingLevel,
            textured("TEXMODE max_level=1 | TEXFILTER minification=NEAREST_MIPMAP_NEAREST"),
            textured(
                "TEXMODE max_level=1 | TEXFILTER minification=NEAREST_MIPMAP_NEAREST
                 TEXADDR1 lo(t) | TEXBUFWIDTH1 width=4 high=hi(t) | TEXSIZE1 width_log2=1 height_log2=1",
            ),
        ),
        (
            Rule::TextureTooLarge,
            textured("TEXSIZE0 width_log2=10 height_log2=2"),
            textured("TEXSIZE0 width_log2=9 height_log2=2"),
        ),
        (
            Rule::NarrowSwizzle,
            textured("TEXMODE swizzled=1 | TEXBUFWIDTH0 width=2 high=hi(t)"),
            textured("TEXMODE swizzled=1"),
        ),
        (
            Rule::NarrowTextureBuffer,
            with_data(
                format!("{TEXTURE} | TEXSIZE0 width_log2=3 height_log2=2 | VADDR lo(w) | {DRAW}"),
                WIDE,
            ),
            textured("TEXSIZE0 width_log2=3 height_log2=2"),
        ),
        (
            Rule::BuffersOverlap,
            draw("ZTESTENABLE 1 | ZTEST ALWAYS | ZBUFPTR 0x8000"),
            draw("ZTESTENABLE 1 | ZTEST ALWAYS | ZBUFPTR 0x88000"),
        ),
        (Rule::BufferPastVram, draw("FRAMEBUFPTR 0x1ff000"), draw("FRAMEBUFPTR 0x180000")),
        (Rule::BufferTooNarrow, draw("FRAMEBUFWIDTH width=64"), draw("FRAMEBUFWIDTH width=100")),
    ]);
    rows
}

/// Corners with coordinates up to column 8.
const WIDE: &str = "w: .u16 0 0 | .s16 0 0 0 | .u16 8 0 | .s16 99 0 0 | .u16 0 4 | .s16 0 99 0";

/// Copies bytes over the texture.
fn transfer_over_texture(after: &str) -> String {
    let after = if after.is_empty() { "NOP" } else { after };
    format!(
        "TRANSFERSRC lo(zeros) | TRANSFERSRCW width=8 high=hi(t) | TRANSFERDST lo(t)
         TRANSFERDSTW width=8 high=hi(t) | TRANSFERSIZE x=7 y=0 | TRANSFERSTART BITS32 | {after}"
    )
}

/// Rules on missing and unwritten memory.
fn reads() -> Vec<Row> {
    let draw = |state: &str| commands(format!("{state} | {DRAW}"));
    let textured = |state: &str| commands(format!("{TEXTURE} | {state} | {DRAW}"));
    let transfer = |source: &str| commands(format!("TRANSFERSRC {source} | {TRANSFER}"));
    vec![
        (Rule::VerticesUnmapped, draw("BASE 0 | VADDR 0"), draw("NOP")),
        (Rule::PaletteUnmapped, commands("CLUTADDR 0 | CLUTADDRUPPER 0 | LOADCLUT 1"), commands(PALETTE)),
        (
            Rule::TransferUnmapped,
            commands("TRANSFERSRC 0 | TRANSFERSRCW width=8 high=0 | TRANSFERSTART BITS32"),
            transfer("lo(t)"),
        ),
        (Rule::TextureUnmapped, textured("TEXADDR0 0 | TEXBUFWIDTH0 width=4 high=0"), textured("NOP")),
        (
            Rule::ReadPastMemory,
            draw("BASE hi(0x0bfffff0) | VADDR lo(0x0bfffff0)"),
            draw("BASE hi(0x0bffffe0) | VADDR lo(0x0bffffe0)"),
        ),
        (
            Rule::ReadPastMemory,
            textured("TEXADDR0 lo(0x0bfffff0) | TEXBUFWIDTH0 width=4 high=hi(0x0bfffff0)"),
            textured("TEXADDR0 lo(0x0bffffc0) | TEXBUFWIDTH0 width=4 high=hi(0x0bffffc0)"),
        ),
        (Rule::UnwrittenVertices, draw("VADDR lo(v)+0x10000"), draw("NOP")),
        (
            Rule::UnwrittenIndices,
            draw("VTYPE position=BITS16 index=BITS16 through=1 | IADDR lo(v)+0x10000"),
            draw("VTYPE position=BITS16 index=BITS16 through=1 | IADDR lo(zeros)"),
        ),
        (Rule::UnwrittenTexture, textured("TEXADDR0 lo(t)+0x10000"), textured("NOP")),
        (
            Rule::UnwrittenVram,
            textured("TEXADDR0 0x100000 | TEXBUFWIDTH0 width=4 high=4"),
            commands(format!(
                "TRANSFERSRC lo(t) | {TRANSFER} | {TEXTURE} | FRAMEBUFPTR 0x100000
                 TEXADDR0 0 | TEXBUFWIDTH0 width=4 high=4 | {DRAW}"
            )),
        ),
        (
            Rule::UnwrittenPalette,
            commands("CLUTADDR lo(t)+0x10000 | CLUTADDRUPPER hi(t) | LOADCLUT 1"),
            commands(PALETTE),
        ),
        (Rule::UnwrittenTransfer, transfer("lo(t)+0x10000"), transfer("lo(t)")),
        (
            Rule::VerticesPastFile,
            with_data("VADDR lo(p) | PRIM primitive=POINTS count=2", ".align 16 | p: .s16 1 2 3"),
            with_data("VADDR lo(p) | PRIM primitive=POINTS count=1", ".align 16 | p: .s16 1 2 3"),
        ),
        (Rule::VerticesInList, commands(format!("here: VADDR lo(here) | {DRAW}")), commands(DRAW)),
    ]
}
