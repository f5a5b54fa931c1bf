//! Values whose type depends on the hardware: fields in commands.

use serde::{Deserialize, Serialize};

use crate::ge::float::Float;
use crate::ge::float24::Float24;
use crate::ge::registers::field::{FieldInfo, FieldKind};

/// The value of a command's field. The field's kind decides the type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FieldValue {
    /// A switch.
    Flag(bool),
    /// A whole number, an address or a mask.
    Whole(i32),
    /// The name for a code.
    Code(String),
    /// Red, green, blue.
    Color([u8; 3]),
    /// A float.
    Float(Float),
}

impl FieldValue {
    /// Returns the value of a field in a command's argument.
    #[must_use]
    pub fn of(field: &FieldInfo, argument: u32) -> Self {
        let bits = field.extract(argument);
        match field.kind {
            FieldKind::Flag => Self::Flag(bits != 0),
            // Fields have at most 24 bits, so they fit.
            FieldKind::Unsigned | FieldKind::Hexadecimal => Self::Whole(bits.cast_signed()),
            FieldKind::Signed => {
                let shift = u32::BITS.saturating_sub(field.width());
                Self::Whole((bits << shift).cast_signed() >> shift)
            }
            FieldKind::Float => Self::Float(Float24::from_bits(bits).into()),
            FieldKind::Color => {
                let [red, green, blue, _] = bits.to_le_bytes();
                Self::Color([red, green, blue])
            }
            FieldKind::Named(names) => {
                let name = names.get(bits as usize).copied().flatten();
                Self::Code(name.map_or_else(|| format!("CODE_{bits}"), str::to_owned))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;

    fn fields(word: u32) -> String {
        let command = Command::from_word(word);
        let fields = command.opcode().info().fields.iter();
        let values: Vec<FieldValue> = fields.map(|field| FieldValue::of(field, command.argument())).collect();
        serde_json::to_string(&values).expect("JSON")
    }

    #[test]
    fn fields_have_the_type_of_their_kind() {
        assert_eq!(fields(0xDB12_3406), r#"["GREATER",52,18]"#, "a code and numbers");
        assert_eq!(fields(0xE200_8F01), "[1,0,-1,-8]", "signed numbers");
        assert_eq!(fields(0x5500_80FF), "[[255,128,0]]", "a colour");
        assert_eq!(fields(0x1E00_0001), "[true]", "a switch");
        assert_eq!(fields(0x4243_7080), "[240.5]", "a float");
        assert_eq!(fields(0x42FF_8000), "[null]", "an infinity");
        assert_eq!(fields(0xDD07_0000), r#"["KEEP","KEEP","CODE_7"]"#, "a code without a name");
        assert_eq!(fields(0x0112_3456), "[1193046]", "an address");
    }
}
