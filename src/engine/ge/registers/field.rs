//! Declares register fields: the `register!` and `codes!` macros and the [`Field`] trait.
//!
//! A register is declared once, with a line and a bit range for each field. This declaration makes a typed view
//! (pure functions of the word) and a list of [`FieldInfo`], for the command table to pass to the decoder, the trace
//! and the assembler.
//!
//! # Invariants
//! Fields are inside 24 bits and no wider than their type allows (checked at compile time). Every bit pattern
//! decodes, and field → bits → field is the identity.

use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;

/// How to read and print a field's bits, for the trace and the assembler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// An unsigned number, printed in decimal.
    Unsigned,
    /// A two's-complement number as wide as this field, printed in decimal.
    Signed,
    /// Bits printed in hexadecimal, for addresses and masks.
    Hexadecimal,
    /// A single bit, printed as 0 or 1.
    Flag,
    /// A [`Float24`].
    Float,
    /// 24 bits of colour, red lowest, printed as `#RRGGBB`.
    Color,
    /// A code with names for some values, by number; `None` for numbers without a name.
    Named(&'static [Option<&'static str>]),
}

/// A named range among a register's argument bits. The command table lists these for each register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// The field's name, for the trace to print and the assembler to read.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u8,
    /// Highest bit, inclusive.
    pub high: u8,
    /// How to read and print the bits.
    pub kind: FieldKind,
    /// A sentence to explain this field in help texts.
    pub doc: &'static str,
}

impl FieldInfo {
    /// Returns how many bits this field has.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.high.saturating_sub(self.low).saturating_add(1) as u32
    }

    /// Returns a mask with this field's bits, in place.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        (1u32 << self.width()).wrapping_sub(1) << self.low
    }

    /// Extracts this field's bits from an argument, moved down to bit 0.
    #[must_use]
    pub const fn extract(&self, argument: u32) -> u32 {
        (argument & self.mask()) >> self.low
    }
}

/// A type for register fields, to convert their bits to values and back.
pub trait Field: Copy {
    /// How to read and print the bits.
    const KIND: FieldKind;
    /// The widest field this type can hold, in bits.
    const WIDTH: u32;
    /// Decodes a field's bits, moved down to bit 0.
    fn from_bits(bits: u32) -> Self;
    /// Encodes this value as a field's bits, moved down to bit 0.
    fn to_bits(self) -> u32;
}

macro_rules! unsigned_field {
    ($($type:ty: $width:literal),*) => {$(
        impl Field for $type {
            const KIND: FieldKind = FieldKind::Unsigned;
            const WIDTH: u32 = $width;
            #[expect(clippy::cast_possible_truncation, reason = "the field is no wider than the type")]
            fn from_bits(bits: u32) -> Self {
                bits as $type
            }
            fn to_bits(self) -> u32 {
                u32::from(self)
            }
        }
    )*};
}
unsigned_field!(u8: 8, u16: 16);

impl Field for u32 {
    const KIND: FieldKind = FieldKind::Unsigned;
    const WIDTH: Self = 24;
    fn from_bits(bits: Self) -> Self {
        bits
    }
    fn to_bits(self) -> Self {
        self
    }
}

impl Field for bool {
    const KIND: FieldKind = FieldKind::Flag;
    const WIDTH: u32 = 1;
    fn from_bits(bits: u32) -> Self {
        bits != 0
    }
    fn to_bits(self) -> u32 {
        u32::from(self)
    }
}

impl Field for Float24 {
    const KIND: FieldKind = FieldKind::Float;
    const WIDTH: u32 = 24;
    fn from_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }
    fn to_bits(self) -> u32 {
        self.to_bits()
    }
}

/// Bits to print in hexadecimal, for addresses, masks and references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hex(pub u32);

impl Field for Hex {
    const KIND: FieldKind = FieldKind::Hexadecimal;
    const WIDTH: u32 = 24;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn to_bits(self) -> u32 {
        self.0
    }
}

/// A signed field with 8 bits.
impl Field for i8 {
    const KIND: FieldKind = FieldKind::Signed;
    const WIDTH: u32 = 8;
    fn from_bits(bits: u32) -> Self {
        bits.to_le_bytes()[0].cast_signed()
    }
    fn to_bits(self) -> u32 {
        u32::from(self.cast_unsigned())
    }
}

/// A signed number with 4 bits, −8..=7, for the dither matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nibble(pub i8);

impl Field for Nibble {
    const KIND: FieldKind = FieldKind::Signed;
    const WIDTH: u32 = 4;
    fn from_bits(bits: u32) -> Self {
        Self((bits.to_le_bytes()[0] << 4).cast_signed() >> 4)
    }
    fn to_bits(self) -> u32 {
        u32::from(self.0.cast_unsigned() & 15)
    }
}

/// A colour in a command argument: red in the low byte, then green, then blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);

impl Field for Rgb {
    const KIND: FieldKind = FieldKind::Color;
    const WIDTH: u32 = 24;
    fn from_bits(bits: u32) -> Self {
        let [red, green, blue, _] = bits.to_le_bytes();
        Self([red, green, blue])
    }
    fn to_bits(self) -> u32 {
        u32::from_le_bytes([self.0[0], self.0[1], self.0[2], 0])
    }
}

/// A typed view, to read and write a register's argument field by field.
pub trait View: Copy {
    /// This view's fields in declaration order.
    const FIELDS: &'static [FieldInfo];
    /// Decodes an argument.
    fn from_argument(argument: u32) -> Self;
    /// Encodes this view as an argument. Bits outside all fields become 0.
    fn to_argument(self) -> u32;
}

/// A view that belongs to a single register.
pub trait Register: View {
    /// The command to write this register.
    const OPCODE: Opcode;
}

/// Declares a newtype for a small code, with the hardware's names for its values. This is no `enum`, because lists
/// may contain values without a name.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident: $bits:literal bits { $($(#[$value_meta:meta])* $value:ident = $number:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $name(u8);

        impl $name {
            $($(#[$value_meta])* pub const $value: Self = Self($number);)*

            const NAMES: [Option<&'static str>; 1 << $bits] = {
                let mut names = [None; 1 << $bits];
                $(names[$number] = Some(stringify!($value));)*
                names
            };

            /// Returns this code's number.
            #[must_use]
            pub const fn number(self) -> u8 {
                self.0
            }

            /// Creates the code with this number, dropping bits beyond the field's width.
            #[must_use]
            pub const fn from_number(number: u8) -> Self {
                Self(number & ((1u16 << $bits) - 1).to_le_bytes()[0])
            }

            /// Returns this code's name, if it has any.
            #[must_use]
            #[expect(clippy::indexing_slicing, reason = "one name per code that the bits can hold")]
            pub const fn name(self) -> Option<&'static str> {
                Self::NAMES[self.0 as usize]
            }
        }

        impl $crate::ge::registers::field::Field for $name {
            const KIND: $crate::ge::registers::field::FieldKind =
                $crate::ge::registers::field::FieldKind::Named(&Self::NAMES);
            const WIDTH: u32 = $bits;
            fn from_bits(bits: u32) -> Self {
                Self::from_number(bits.to_le_bytes()[0])
            }
            fn to_bits(self) -> u32 {
                u32::from(self.0)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$crate::ge::registers::code_text::text(&Self::NAMES, self.0))
            }
        }

        #[cfg(feature = "serde")]
        impl $name {
            /// Returns this code's text for documents: its name, or `CODE_7` for a number without a name.
            #[doc(hidden)]
            pub fn text(self) -> std::borrow::Cow<'static, str> {
                $crate::ge::registers::code_text::text(&Self::NAMES, self.0)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::ge::registers::code_text::deserialize(&Self::NAMES, deserializer).map(Self)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::ge::registers::code_text::schema(&Self::NAMES)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => write!(f, "{}", self.0),
                }
            }
        }
    };
}
pub(crate) use codes;

/// Declares a register's typed view. `Name = OPCODE { … }` also binds this view to its only command.
macro_rules! register {
    ($(#[$meta:meta])* $name:ident = $opcode:ident { $($body:tt)* }) => {
        $crate::ge::registers::field::register! { $(#[$meta])* $name { $($body)* } }

        impl $crate::ge::registers::field::Register for $name {
            const OPCODE: $crate::ge::opcode::Opcode = $crate::ge::opcode::Opcode::$opcode;
        }
    };
    ($(#[$meta:meta])* $name:ident { $(#[doc = $doc:literal] $field:ident: $type:ty = $low:literal..=$high:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl $crate::ge::registers::field::View for $name {
            const FIELDS: &'static [$crate::ge::registers::field::FieldInfo] = &[$({
                assert!($low <= $high && $high < 24, "fields lie inside the argument");
                assert!(
                    $high - $low < <$type as $crate::ge::registers::field::Field>::WIDTH,
                    "the field is no wider than its type"
                );
                $crate::ge::registers::field::FieldInfo {
                    name: stringify!($field),
                    low: $low,
                    high: $high,
                    kind: <$type as $crate::ge::registers::field::Field>::KIND,
                    doc: $doc.trim_ascii(),
                }
            }),*];

            #[allow(unused_variables, reason = "a register may have no field")]
            fn from_argument(argument: u32) -> Self {
                Self {
                    $($field: <$type as $crate::ge::registers::field::Field>::from_bits(
                        (argument >> $low) & ((1u32 << ($high - $low + 1)) - 1),
                    ),)*
                }
            }

            fn to_argument(self) -> u32 {
                0 $(| ($crate::ge::registers::field::Field::to_bits(self.$field)
                    & ((1u32 << ($high - $low + 1)) - 1)) << $low)*
            }
        }

        impl $name {
            /// Returns the command to write this value to `opcode`, which must be a register with this shape.
            #[must_use]
            pub fn to(self, opcode: $crate::ge::opcode::Opcode) -> $crate::ge::command::Command {
                $crate::ge::command::Command::new(opcode, $crate::ge::registers::field::View::to_argument(self))
            }
        }
    };
}
pub(crate) use register;

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::registers::vertex::{Prim, PrimitiveType, VertexType};

    #[test]
    fn views_round_trip_inside_their_fields() {
        let mask = VertexType::FIELDS.iter().fold(0, |mask, field| mask | field.mask());
        for argument in [0, 0x00FF_FFFF, 0x0080_0182, 0x1F_4B22] {
            assert_eq!(VertexType::from_argument(argument).to_argument(), argument & mask, "{argument:#x}");
        }
    }

    #[test]
    fn decodes_unnamed_codes_and_nibbles() {
        let prim = Prim::from_argument(7 << 16 | 3);
        assert_eq!((prim.primitive, prim.count), (PrimitiveType::CONTINUE, 3), "type and count");
        assert_eq!(Nibble::from_bits(0xF).0, -1, "nibbles are signed");
    }
}
