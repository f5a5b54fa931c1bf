//! Rules on the texture sampled by a draw.

use crate::asm::text::describe;
use crate::check::context::DrawContext;
use crate::check::findings::{Findings, SAME};
use crate::check::rows::ByteRows;
use crate::check::rule::Rule;
use crate::check::stale::{RunningTransfers, StaleTextures};
use crate::check::supply::{Supply, Unwritten};
use crate::check::texels::TexelBox;
use crate::ge::opcode::Opcode;
use crate::ge::registers::texture::{TextureAddress, TextureBufferWidth, TextureFilter, TextureMode};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::{MAX_SIZE, Texture};

pub(crate) fn check(
    context: &DrawContext<'_>,
    supply: &mut Supply,
    stale: &mut StaleTextures,
    transfers: &RunningTransfers,
    findings: &mut Findings,
) {
    if !context.is_textured {
        return;
    }
    let texture = Texture::from_registers(context.registers, 0);
    let texels = context.sampled(&texture);
    check_layout(context, &texture, texels, findings);
    check_level(context, &texture, texels, 0, supply, findings);
    check_target(context, &texture, texels, findings);
    let rows = texels.rows(&texture);
    if rows.is_some_and(|rows| transfers.reach(&rows)) {
        let address = texture.address;
        let message =
            || format!("the texture at {address} is sampled after a block transfer into it, without TEXSYNC");
        findings.add(Rule::TransferWithoutSync, SAME, context.place, message);
    }
    if let Some(writer) = rows.and_then(|rows| stale.sample(rows)) {
        let address = texture.address;
        let message = || {
            format!("the texture at {address} was changed by {writer} after it was sampled, without TEXFLUSH")
        };
        findings.add(Rule::StaleTexture, SAME, context.place, message);
    }
    // The cache's tags hold none of these, so a texture that differs in any of them can hit old lines.
    let key = (texture.address, texture.row_bytes, texture.format.number(), texture.swizzled);
    if let Some(before) = stale.switch(key) {
        let address = texture.address;
        let message = || format!("the texture at {address} follows that at {before} without TEXFLUSH");
        findings.add(Rule::MissingTexflush, SAME, context.place, message);
    }
    check_levels(context, supply, findings);
}

/// Checks size, row length and swizzling of level 0.
fn check_layout(context: &DrawContext<'_>, texture: &Texture, texels: TexelBox, findings: &mut Findings) {
    let place = context.place;
    let size = || describe(context.command(Opcode::TEXSIZE0));
    let buffer = || describe(context.command(Opcode::TEXBUFWIDTH0));
    if texture.width() > MAX_SIZE || texture.height() > MAX_SIZE {
        let message =
            || format!("the texture has {}x{} texels ({})", texture.width(), texture.height(), size());
        findings.add(Rule::TextureTooLarge, [texture.width(), texture.height()], place, message);
    }
    let declared = context.registers.view::<TextureBufferWidth>(Opcode::TEXBUFWIDTH0).width & 0x7FF;
    let bytes = u32::from(declared).saturating_mul(texture.format.bits()) / 8;
    // With a single row, the distance between rows does not matter.
    let has_rows = texture.height() > 1;
    if texture.swizzled && bytes < 16 {
        let message = || format!("the rows of a swizzled texture have {bytes} bytes ({})", buffer());
        findings.add(Rule::NarrowSwizzle, [bytes, 0], place, message);
    } else if has_rows && !texture.format.is_compressed() && bytes != texture.row_bytes {
        let message = || format!("rows of {bytes} bytes count as {} ({})", texture.row_bytes, buffer());
        findings.add(Rule::UnalignedWidth, [Opcode::TEXBUFWIDTH0.code().into(), bytes], place, message);
    } else if has_rows && texels.last_column() >= u32::from(declared) {
        let last = texels.last_column();
        let message = || format!("samples column {last} of rows of {declared} texels ({})", buffer());
        findings.add(Rule::NarrowTextureBuffer, [declared.into(), 0], place, message);
    }
}

/// Checks a level's address and bytes.
fn check_level(
    context: &DrawContext<'_>,
    texture: &Texture,
    texels: TexelBox,
    level: u8,
    supply: &mut Supply,
    findings: &mut Findings,
) {
    let (place, memory) = (context.place, context.memory);
    let register = Opcode::TEXADDR0.plus(level);
    if context.registers.view::<TextureAddress>(register).address.0 & 15 != 0 {
        let message = || {
            let register = describe(context.command(register));
            format!("{register} is not a multiple of 16: the texture is at {}", texture.address)
        };
        findings.add(Rule::UnalignedAddress, [register.code().into(), 0], place, message);
    }
    if !memory.is_mapped(texture.address, 1) {
        let message = || {
            format!(
                "the texture at {} does not exist ({})",
                texture.address,
                describe(context.command(register))
            )
        };
        findings.add(Rule::TextureUnmapped, [texture.address.get(), 0], place, message);
        return;
    }
    let mut past_end = false;
    texels.for_each_run(texture, &mut |start, length| past_end |= !memory.is_mapped(start, length));
    if past_end {
        let message = || format!("the texture at {} passes the end of memory", texture.address);
        findings.add(Rule::ReadPastMemory, [2, texture.address.get()], place, message);
    }
    let Unwritten { bytes, first: Some(first) } = supply.unwritten_texels(memory, texture, texels) else {
        return;
    };
    let rule = if first.is_vram() { Rule::UnwrittenVram } else { Rule::UnwrittenTexture };
    let message = || {
        let (width, height, format) = (texture.width(), texture.height(), texture.format);
        let address = texture.address;
        format!(
            "the texture {width}x{height} {format} at {address} reads {bytes} unwritten bytes, from {first} on"
        )
    };
    findings.add(rule, [texture.address.get(), 0], place, message);
}

/// Checks whether this draw samples the buffer that it writes.
fn check_target(context: &DrawContext<'_>, texture: &Texture, texels: TexelBox, findings: &mut Findings) {
    let Some(source) = texels.rows(texture) else { return };
    let surface = ColorSurface::from_registers(context.registers);
    let overlaps = |area| ByteRows::of_color(&surface, &area).is_some_and(|rows| rows.overlaps(&source));
    if overlaps(context.reached.clone()) && overlaps(context.covered()) {
        let message = || {
            let target = describe(context.command(Opcode::FRAMEBUFPTR));
            format!("samples the texture at {}, which it draws to ({target})", texture.address)
        };
        findings.add(Rule::TextureIsTarget, [texture.address.get(), 0], context.place, message);
    }
}

/// Checks the levels after the first.
fn check_levels(context: &DrawContext<'_>, supply: &mut Supply, findings: &mut Findings) {
    let mode: TextureMode = context.registers.get();
    let uses_levels = context.registers.get::<TextureFilter>().minification.uses_mipmaps();
    if !uses_levels {
        return;
    }
    for level in 1..=mode.max_level {
        let texture = Texture::from_registers(context.registers, level);
        if texture.address.get() == 0 {
            let message = || {
                let mode = describe(context.command(Opcode::TEXMODE));
                format!("TEXADDR{level} is 0, but {mode} allows level {level}")
            };
            findings.add(Rule::MissingLevel, [level.into(), 0], context.place, message);
        } else {
            check_level(context, &texture, TexelBox::whole(&texture), level, supply, findings);
        }
    }
}
