//! The command table: class, argument fields and evidence of all 256 commands.
//!
//! The rows are written in [`super::opcode`]; this file adds the argument fields, which the registers declare.

use crate::ge::opcode::{Opcode, commands};
use crate::ge::registers::field::{FieldInfo, View};
use crate::ge::registers::flow::{
    Base, End, Finish, JumpTarget, NoArgument, OffsetAddress, RelativeAddress, Signal,
};
use crate::ge::registers::light::{Byte, Color, LightMode, LightType, MaterialUpdate};
use crate::ge::registers::pixel::{
    AlphaMask, BlendMode, ClearMode, ColorMask, ColorReference, ColorTest, Corner, DepthLimit, DepthTest,
    DitherRow, LogicOp, MaskedTest, StencilOperations,
};
use crate::ge::registers::surface::{
    BufferAddress, BufferWidth, FramebufferFormat, ImmediateCoordinate, ImmediateVertex, TransferAddress,
    TransferPosition, TransferStart, TransferWidth,
};
use crate::ge::registers::texture::{
    ClutAddress, ClutAddressUpper, ClutFormat, LoadClut, TextureAddress, TextureBufferWidth, TextureFilter,
    TextureFormat, TextureFunc, TextureLevel, TextureMap, TextureMode, TextureShade, TextureSize,
    TextureWrap,
};
use crate::ge::registers::transform::{
    Cull, MatrixNumber, PatchDivision, PatchPrim, Scalar, ScreenOffset, Shade, Switch,
};
use crate::ge::registers::vertex::{Bezier, BoundingBox, Prim, Spline, VertexType};

/// What a command does to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Steers the list or its addressing.
    Flow,
    /// Draws or tests vertices at once.
    Draw,
    /// Writes a matrix memory.
    Matrix,
    /// Sets state that the next draw uses.
    State,
    /// Moves data at once.
    Load,
    /// Sets or emits a vertex given in registers.
    Immediate,
    /// No effect is known.
    Unused,
}

/// How we know what a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A hardware test, by its name in the public suite.
    Hardware(&'static str),
    /// A public document and its section.
    Document(&'static str),
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// The command's number.
    pub opcode: Opcode,
    /// The command's name in public documentation.
    pub name: &'static str,
    /// What it does to the engine.
    pub class: Class,
    /// The fields of its argument.
    pub fields: &'static [FieldInfo],
    /// How we know.
    pub evidence: Evidence,
    /// One sentence on what it does.
    pub doc: &'static str,
}

macro_rules! declare_table {
    ($(#[doc = $doc:literal] $name:ident = $code:literal, $class:ident, $view:ident, $evidence:ident($source:literal);)*) => {
        /// All 256 commands in numerical order.
        static TABLE: [OpcodeInfo; 256] = [$(OpcodeInfo {
            opcode: Opcode::$name,
            name: stringify!($name),
            class: Class::$class,
            fields: <$view as View>::FIELDS,
            evidence: Evidence::$evidence($source),
            doc: $doc.trim_ascii(),
        }),*];
    };
}

commands!(declare_table);

impl Opcode {
    /// Returns the command's row of the table.
    #[must_use]
    pub fn info(self) -> &'static OpcodeInfo {
        &TABLE[usize::from(self.code())]
    }

    /// Whether the register is part of a saved context. Source: `ge-reference.md` §3.9.
    #[must_use]
    pub const fn is_context_saved(self) -> bool {
        matches!(
            self.code(),
            0x00..=0x02
                | 0x10
                | 0x12..=0x28
                | 0x2C..=0x33
                | 0x36..=0x38
                | 0x42..=0x4D
                | 0x50..=0x51
                | 0x53..=0x58
                | 0x5B..=0xB5
                | 0xB8..=0xC3
                | 0xC5..=0xD0
                | 0xD2..=0xE9
                | 0xEB..=0xEC
                | 0xEE
                | 0xF0..=0xF6
                | 0xF8..=0xF9
        )
    }
}

impl OpcodeInfo {
    /// The argument bits that no field covers.
    #[must_use]
    pub fn unnamed_bits(&self) -> u32 {
        !self.fields.iter().fold(0, |mask, field| mask | field.mask()) & 0x00FF_FFFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_numerical_order() {
        for (row, number) in TABLE.iter().zip(0..=u8::MAX) {
            assert_eq!(row.opcode.code(), number, "{} stands at the wrong place", row.name);
            assert_eq!(
                Opcode::from_name(row.name),
                Some(row.opcode),
                "{} is the only one of its name",
                row.name
            );
        }
    }

    #[test]
    fn fields_do_not_overlap() {
        for row in &TABLE {
            let mut seen = 0;
            for field in row.fields {
                assert_eq!(seen & field.mask(), 0, "{} {}", row.name, field.name);
                seen |= field.mask();
            }
        }
    }

    #[test]
    fn saved_context_has_209_registers() {
        assert_eq!(
            Opcode::all().filter(|opcode| opcode.is_context_saved()).count(),
            209,
            "ge-reference §3.9"
        );
    }
}
