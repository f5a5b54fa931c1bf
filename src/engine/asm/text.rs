//! Formats a command as a line of text: `PRIM primitive=RECTANGLES count=2`.
//!
//! Traces print this text and [`crate::asm`] reads it. It depends only on the opcode table.
//!
//! # Invariants
//! This is exact for all 2³² words: [`crate::asm::parse_command`] restores the described word.
//!
//! Source: [commands](crate::reference::ge::commands), through the opcode table.

use std::fmt::{self, Display};

use crate::ge::command::Command;
use crate::ge::command_table::{Class, OpcodeInfo};
use crate::ge::float24::Float24;
use crate::ge::registers::field::{FieldInfo, FieldKind};

use super::required::is_required;

/// Registers with at most this many fields show all; registers with more fields omit default values, to stay
/// readable.
const ALL_FIELDS_MAX: usize = 3;

/// Formats a command's name and argument.
///
/// A register with a single field shows its value alone: `TEXENABLE 1`. A register with several fields shows them by
/// name. With more than three fields, it omits zero numbers, zero flags and the code NONE, except for [fields that
/// must be stated](super::is_required); omitted fields are 0. Argument bits outside all fields follow as `+0x…`.
pub fn describe(command: Command) -> impl Display {
    CommandText { command, with_name: true }
}

/// Formats a command's argument as [`describe`] does, but without the name, for documents that show the name
/// separately. Empty if all fields are omitted.
pub fn describe_argument(command: Command) -> impl Display {
    CommandText { command, with_name: false }
}

/// Formats a single field's value from an argument.
///
/// Shows codes by name if they have a name, flags as 0 or 1, addresses and masks in hexadecimal, colours as
/// `#RRGGBB`, floats as the shortest decimal that reads back exactly.
pub fn field_value(field: &'static FieldInfo, argument: u32) -> impl Display {
    FieldValue { field, bits: field.extract(argument) }
}

/// Tells whether a register's only field may be omitted at 0. This is so for the ids in FINISH and END, which are
/// rarely used.
pub(crate) fn is_value_optional(info: &OpcodeInfo) -> bool {
    info.class == Class::Flow && matches!(info.fields, [only] if only.kind == FieldKind::Unsigned)
}

struct CommandText {
    command: Command,
    with_name: bool,
}

impl Display for CommandText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.command.opcode().info();
        let argument = self.command.argument();
        let mut separator = "";
        if self.with_name {
            f.write_str(info.name)?;
            separator = " ";
        }
        match info.fields {
            [only] => {
                if only.extract(argument) != 0 || !is_value_optional(info) {
                    write!(f, "{separator}{}", field_value(only, argument))?;
                    separator = " ";
                }
            }
            fields => {
                let is_shown = |field: &FieldInfo| {
                    is_shown(field, fields.len(), argument) || is_required(info.opcode, field.name)
                };
                let all_omitted = !fields.iter().any(is_shown);
                for (index, field) in fields.iter().enumerate() {
                    if is_shown(field) || (all_omitted && index == 0) {
                        write!(f, "{separator}{}={}", field.name, field_value(field, argument))?;
                        separator = " ";
                    }
                }
            }
        }
        let unnamed = argument & info.unnamed_bits();
        if unnamed != 0 {
            write!(f, "{separator}+0x{unnamed:x}")?;
        }
        Ok(())
    }
}

/// Tells whether to show a field, in a register with `fields` fields.
fn is_shown(field: &FieldInfo, fields: usize, argument: u32) -> bool {
    let bits = field.extract(argument);
    bits != 0
        || fields <= ALL_FIELDS_MAX
        || matches!(field.kind, FieldKind::Named(names) if names.first() != Some(&Some("NONE")))
}

struct FieldValue {
    field: &'static FieldInfo,
    bits: u32,
}

impl Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        match self.field.kind {
            FieldKind::Unsigned | FieldKind::Flag => write!(f, "{bits}"),
            FieldKind::Signed => {
                // Sign extension: move the field's sign bit to bit 31 and back.
                let shift = u32::BITS.saturating_sub(self.field.width());
                write!(f, "{}", (bits << shift).cast_signed() >> shift)
            }
            FieldKind::Hexadecimal => write!(f, "0x{bits:x}"),
            FieldKind::Float => write!(f, "{}", Float24::from_bits(bits)),
            FieldKind::Color => {
                let [red, green, blue, _] = bits.to_le_bytes();
                write!(f, "#{red:02x}{green:02x}{blue:02x}")
            }
            FieldKind::Named(names) => match names.get(bits as usize).copied().flatten() {
                Some(name) => f.write_str(name),
                None => write!(f, "{bits}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: u32) -> String {
        describe(Command::from_word(word)).to_string()
    }

    #[test]
    fn one_field_shows_its_value_alone() {
        assert_eq!(text(0x1E00_0001), "TEXENABLE 1", "a switch");
        assert_eq!(text(0x4243_7080), "VIEWPORTXSCALE 240.5", "a float");
        assert_eq!(text(0x5500_80FF), "MATERIALAMBIENT #ff8000", "red is the low byte");
        assert_eq!(text(0xDE00_0007), "ZTEST GREATER_EQUAL", "a code");
        assert_eq!(text(0x0F00_0000), "FINISH", "an unused id is omitted");
        assert_eq!(text(0x0F00_0005), "FINISH 5", "an id");
        assert_eq!(text(0x0112_3456), "VADDR 0x123456", "an address");
    }

    #[test]
    fn several_fields_show_their_names() {
        assert_eq!(text(0x0406_0002), "PRIM primitive=RECTANGLES count=2", "all fields of a short register");
        assert_eq!(text(0x0400_0000), "PRIM primitive=POINTS count=0", "zero fields of a short register");
        assert_eq!(text(0x1280_0102), "VTYPE texcoord=BITS16 position=BITS16 through=1", "NONE is left out");
        assert_eq!(text(0x1200_0000), "VTYPE texcoord=NONE", "one field is always shown");
        assert_eq!(
            text(0x0600_0000),
            "SPLINE u_count=0 v_count=0 u_edge=OPEN v_edge=OPEN",
            "required fields"
        );
        assert_eq!(text(0xC500_0000), "CLUTFORMAT format=BGR5650 mask=0x0", "a required field");
        assert_eq!(text(0xE200_8F01), "DITH0 x0=1 x2=-1 x3=-8", "signed nibbles");
    }

    #[test]
    fn shows_every_argument_bit() {
        assert_eq!(text(0x0B00_0001), "RET +0x1", "a command without fields");
        assert_eq!(text(0x04FE_0002), "PRIM primitive=RECTANGLES count=2 +0xf80000", "unnamed bits");
        assert_eq!(text(0x42FF_FFFF), "VIEWPORTXSCALE nan(0xFFFFFF)", "NaN");
        assert_eq!(text(0x4280_0000), "VIEWPORTXSCALE -0.0", "negative zero");
        assert_eq!(text(0x42FF_8000), "VIEWPORTXSCALE -inf", "infinity");
        assert_eq!(text(0xDD07_0000), "STENCILOP stencil_fail=KEEP depth_fail=KEEP pass=7", "unnamed code");
        assert_eq!(describe_argument(Command::from_word(0x0B00_0001)).to_string(), "+0x1", "argument alone");
    }
}
