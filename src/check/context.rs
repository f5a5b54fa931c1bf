//! A draw to examine, with everything needed by the rules on draws.

use super::finding::Place;
use super::scan::Scan;
use super::subject::Subject;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::command::Command;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::TextureWrap;
use crate::ge::registers::vertex::{IndexFormat, VertexType};
use crate::pipeline::texture::Texture;
use crate::raster::pixel_rect::PixelRect;

use super::texels::TexelBox;

/// A draw to examine.
#[derive(Debug)]
pub(super) struct DrawContext<'a> {
    /// The draw itself.
    pub subject: Subject<'a>,
    /// Memory as it is before this draw.
    pub memory: &'a Memory,
    /// The registers used by this draw.
    pub registers: &'a Registers,
    /// How its vertices lie in memory.
    pub vertex_type: VertexType,
    /// Whether it is in through mode.
    pub is_through: bool,
    /// Whether it is in clear mode.
    pub is_clear: bool,
    /// Whether texturing is on and has an effect.
    pub is_textured: bool,
    /// Its command's place, for findings.
    pub place: &'a Place,
    /// The coordinate ranges and odd values found in its vertices.
    pub scan: Scan,
    /// The arithmetic to transform vertices with.
    pub arithmetic: Arithmetic,
    /// The pixels inside the scissor that this draw may cover; in through mode, the box around its primitives.
    pub reached: PixelRect,
}

impl<'a> DrawContext<'a> {
    /// Scans the vertices to prepare the examination.
    pub(super) fn new(
        subject: Subject<'a>,
        memory: &'a Memory,
        place: &'a Place,
        arithmetic: Arithmetic,
    ) -> Self {
        let registers: &Registers = subject.registers();
        let is_clear = subject.is_clear();
        let is_through = subject.is_through();
        // Through mode needs no transform, so its exact box is cheap. Elsewhere [`Self::covered`] computes it on
        // demand.
        let reached =
            if is_through { covered(&subject, memory, arithmetic) } else { PixelRect::scissor(registers) };
        Self {
            subject,
            memory,
            registers,
            vertex_type: subject.vertex_type(),
            is_through,
            is_clear,
            is_textured: registers.is_on(Opcode::TEXENABLE) && !is_clear,
            place,
            scan: Scan::new(&subject, memory),
            arithmetic,
            reached,
        }
    }

    /// Returns the last word written to a register.
    pub(super) const fn command(&self, opcode: Opcode) -> Command {
        self.registers.command(opcode)
    }

    /// Returns whether this draw reads vertices from memory.
    pub(super) const fn reads_vertices(&self) -> bool {
        matches!(self.subject, Subject::Draw(_))
    }

    pub(super) fn is_indexed(&self) -> bool {
        self.reads_vertices() && self.vertex_type.index != IndexFormat::NONE
    }

    /// Returns the box around this draw's primitives, inside the scissor. Outside through mode this lowers the draw
    /// again, so call it only if [`Self::reached`] is not precise enough.
    pub(super) fn covered(&self) -> PixelRect {
        if self.is_through {
            self.reached.clone()
        } else {
            covered(&self.subject, self.memory, self.arithmetic)
        }
    }

    /// Returns which texels in level 0 this draw samples.
    pub(super) fn sampled(&self, texture: &Texture) -> TexelBox {
        let Some([low, high]) = self.scan.uv else { return TexelBox::whole(texture) };
        #[expect(clippy::cast_precision_loss, reason = "powers of two up to 32768")]
        let size = if self.is_through { [1.0; 2] } else { [texture.width() as f32, texture.height() as f32] };
        let texels = |[u, v]: [f32; 2]| [u * size[0], v * size[1]];
        TexelBox::around([texels(low), texels(high)], texture, self.registers.get::<TextureWrap>())
    }
}

fn covered(subject: &Subject<'_>, memory: &Memory, arithmetic: Arithmetic) -> PixelRect {
    subject.around(memory, arithmetic).intersection(&PixelRect::scissor(subject.registers()))
}
