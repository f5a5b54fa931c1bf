//! The draw to examine, which is a PRIM, BEZIER or SPLINE, or an immediate primitive.

use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::vertex::{PrimitiveType, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::pixel_rect::PixelRect;
use crate::run::sink::Sink;
use crate::run::watch::RunEventKind;

/// A draw of either kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'a> {
    /// PRIM, BEZIER or SPLINE.
    Draw(&'a Draw<'a>),
    /// Vertices in registers.
    Immediate(&'a ImmediateDraw<'a>),
}

impl<'a> Subject<'a> {
    /// Returns the draw in this event, or `None` for other kinds of events.
    pub(super) const fn of(kind: RunEventKind<'a>) -> Option<Self> {
        match kind {
            RunEventKind::Draw(draw) => Some(Self::Draw(draw)),
            RunEventKind::Immediate(draw) => Some(Self::Immediate(draw)),
            RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => None,
        }
    }

    /// Returns the registers used by this draw.
    pub(super) const fn registers(&self) -> &'a Registers {
        match self {
            Self::Draw(draw) => draw.registers,
            Self::Immediate(draw) => draw.registers,
        }
    }

    pub(super) const fn number(&self) -> u64 {
        match self {
            Self::Draw(draw) => draw.number,
            Self::Immediate(draw) => draw.number,
        }
    }

    /// Returns the primitive type to draw, which a CONTINUE takes from an earlier draw.
    pub(super) fn primitive(&self) -> PrimitiveType {
        match self {
            Self::Draw(draw) => draw.effective_primitive(),
            Self::Immediate(draw) => draw.primitive,
        }
    }

    pub(super) fn vertex_type(&self) -> VertexType {
        self.registers().get()
    }

    pub(super) fn is_through(&self) -> bool {
        self.vertex_type().through
    }

    pub(super) fn is_clear(&self) -> bool {
        self.registers().get::<ClearMode>().enabled
    }

    /// Passes the primitives that survive culling and clipping to `out`.
    pub(super) fn to_screen(
        self,
        memory: &Memory,
        arithmetic: Arithmetic,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        match self {
            Self::Draw(draw) => draw.to_screen(memory, arithmetic, out),
            Self::Immediate(draw) => {
                if let Some(primitive) = draw.to_screen(arithmetic) {
                    out(&primitive);
                }
            }
        }
    }

    /// Returns the box around its primitives, ignoring the scissor. The box is empty if no primitive survives.
    pub(super) fn around(self, memory: &Memory, arithmetic: Arithmetic) -> PixelRect {
        let mut around = PixelRect::EMPTY;
        self.to_screen(memory, arithmetic, &mut |primitive| {
            around = around.union(&PixelRect::around(primitive));
        });
        around
    }

    /// Draws it into a sink, but with these registers.
    pub(super) fn draw_with(self, registers: &Registers, memory: &mut Memory, sink: &mut impl Sink) {
        match self {
            Self::Draw(draw) => sink.draw(memory, &Draw { registers, ..*draw }),
            Self::Immediate(draw) => {
                sink.draw_immediate(memory, &ImmediateDraw { registers, ..draw.clone() });
            }
        }
    }
}
