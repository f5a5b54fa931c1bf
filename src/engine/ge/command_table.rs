//! The command table: class, argument fields and evidence for all 256 commands.
//!
//! The rows are in [`super::opcode`]; this file adds the argument fields declared by the registers.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use bitvec::array::BitArray;

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

/// The kind of effect that a command has, to handle similar commands together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Controls the list's flow or its addressing.
    Flow,
    /// Draws or tests vertices at once.
    Draw,
    /// Writes a matrix memory.
    Matrix,
    /// Sets state for the next draw to use.
    State,
    /// Moves data at once.
    Load,
    /// Sets or emits a vertex given in registers.
    Immediate,
    /// Has no known effect.
    Unused,
}

/// The evidence for a command's effect, to tell measured effects from documented ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A hardware test, by its name in the public suite pspautotests.
    Hardware(&'static str),
    /// A section in the [GE reference](crate::reference::ge), as `page#anchor`.
    Document(&'static str),
}

/// A row in the table: everything known about a command.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// The command's number.
    pub opcode: Opcode,
    /// The command's name in public documentation.
    pub name: &'static str,
    /// The kind of effect it has.
    pub class: Class,
    /// The fields in its argument.
    pub fields: &'static [FieldInfo],
    /// The evidence for its effect.
    pub evidence: Evidence,
    /// A sentence on its effect, for help texts.
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

/// Which registers a saved context includes, as opcodes in rising order.
///
/// Source: [saved context](crate::reference::ge::lists#saved-context) (hardware test `ge/context`).
const CONTEXT_SAVED_RANGES: [RangeInclusive<usize>; 16] = [
    0x00..=0x02,
    0x10..=0x10,
    0x12..=0x28,
    0x2C..=0x33,
    0x36..=0x38,
    0x42..=0x4D,
    0x50..=0x51,
    0x53..=0x58,
    0x5B..=0xB5,
    0xB8..=0xC3,
    0xC5..=0xD0,
    0xD2..=0xE9,
    0xEB..=0xEC,
    0xEE..=0xEE,
    0xF0..=0xF6,
    0xF8..=0xF9,
];

/// A bit for each opcode, 1 if a saved context includes its register, to look this up at once.
static CONTEXT_SAVED: LazyLock<BitArray<[u32; 8]>> = LazyLock::new(|| {
    let mut saved = BitArray::ZERO;
    for opcodes in CONTEXT_SAVED_RANGES {
        saved[opcodes].fill(true);
    }
    saved
});

impl Opcode {
    /// Looks up this command's row.
    #[must_use]
    pub fn info(self) -> &'static OpcodeInfo {
        &TABLE[usize::from(self.code())]
    }

    /// Returns whether a saved context includes this register.
    #[must_use]
    pub fn is_context_saved(self) -> bool {
        CONTEXT_SAVED[usize::from(self.code())]
    }
}

impl OpcodeInfo {
    /// Returns the argument bits outside all fields, for texts that must keep every bit.
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
            assert_eq!(row.opcode.code(), number, "{} is in the wrong row", row.name);
            assert_eq!(Opcode::from_name(row.name), Some(row.opcode), "{} has a unique name", row.name);
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
            "words 17 to 225 of a context"
        );
    }
}
