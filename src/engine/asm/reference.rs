//! Describes the Graphics Engine's commands as text for help screens: name, fields, values, an example in assembly.
//!
//! All facts come from the command table and from the page [commands](crate::reference::ge::commands).
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::asm::reference::{Found, describe, find};
//!
//! let Found::One(opcode) = find("prim") else { panic!("a command of this name exists") };
//! let text = describe(opcode).to_string();
//! assert!(text.contains("count      bits 0-15"), "{text}");
//! ```

use std::fmt;

use crate::ge::command_table::{Class, Evidence};
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::{FieldInfo, FieldKind};

use super::required::is_required;

mod class;
mod example;
mod page;
mod search;

pub use class::{CLASSES, of_class};
pub use page::Section;
pub use search::{Found, find};

/// Everything known about a command. Its text form has several lines, for people to read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandReference {
    /// The command.
    pub opcode: Opcode,
    /// The kind of effect: an entry in [`CLASSES`].
    pub class: Class,
    /// The class's name.
    pub class_name: &'static str,
    /// A sentence on the effect.
    pub about: &'static str,
    /// The argument and the effect as the reference page states them; empty for unused commands.
    pub details: String,
    /// The argument's fields, in the table's order.
    pub fields: Vec<FieldReference>,
    /// Argument bits outside all fields.
    pub unnamed_bits: u32,
    /// The command with its register's value after reset, as assembly text.
    pub reset: String,
    /// Whether a saved context includes the register.
    pub is_context_saved: bool,
    /// A line of assembly text, to show how to use this command.
    pub example: String,
    /// The evidence for the effect, in words.
    pub evidence: String,
    /// Reference sections to read, the most general first.
    pub sections: Vec<Section>,
}

/// Everything known about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldReference {
    /// The field.
    pub info: FieldInfo,
    /// A sentence on its values.
    pub values: String,
    /// The named values, as number and name.
    pub codes: Vec<(u32, &'static str)>,
    /// Whether assembly text must state this field.
    pub is_required: bool,
}

/// Collects everything known about a command.
#[must_use]
pub fn describe(opcode: Opcode) -> CommandReference {
    let info = opcode.info();
    let row = page::row(opcode);
    let mut sections = row.sections;
    let evidence = match info.evidence {
        Evidence::Hardware(test) => format!("hardware test {test}"),
        Evidence::Document(section) => {
            if let Some(section) = Section::parse(section)
                && !sections.contains(&section)
            {
                sections.push(section);
            }
            "reference".to_owned()
        }
    };
    let only_field = info.fields.len() == 1;
    CommandReference {
        opcode,
        class: info.class,
        class_name: class::class_name(info.class),
        about: info.doc,
        details: row.details,
        fields: info.fields.iter().map(|field| field_reference(opcode, field, only_field)).collect(),
        unnamed_bits: info.unnamed_bits(),
        reset: example::reset(opcode),
        is_context_saved: opcode.is_context_saved(),
        example: example::example(opcode),
        evidence,
        sections,
    }
}

fn field_reference(opcode: Opcode, field: &FieldInfo, is_only: bool) -> FieldReference {
    let codes = match field.kind {
        FieldKind::Named(names) => {
            (0_u32..).zip(names).filter_map(|(number, name)| Some((number, (*name)?))).collect()
        }
        _ => Vec::new(),
    };
    let is_optional_alone = super::text::is_value_optional(opcode.info());
    let is_required = is_required(opcode, field.name) || (is_only && !is_optional_alone);
    FieldReference { info: *field, values: values(field), codes, is_required }
}

/// Describes the values a field may have.
fn values(field: &FieldInfo) -> String {
    let count = 1_u64 << field.width();
    let largest = count.saturating_sub(1);
    match field.kind {
        FieldKind::Unsigned => format!("0 to {largest}"),
        FieldKind::Signed => format!("-{} to {}", count / 2, (count / 2).saturating_sub(1)),
        FieldKind::Hexadecimal => format!("0x0 to 0x{largest:x}"),
        FieldKind::Flag => "0 or 1".to_owned(),
        FieldKind::Float => "a 24-bit float".to_owned(),
        FieldKind::Color => "a colour #RRGGBB".to_owned(),
        FieldKind::Named(_) => "one of these codes".to_owned(),
    }
}

impl fmt::Display for CommandReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}  0x{:02X}  {}", self.opcode, self.opcode.code(), self.class_name)?;
        writeln!(f, "    {}", self.about)?;
        if !self.details.is_empty() {
            writeln!(f, "    {}", self.details)?;
        }
        if !self.fields.is_empty() {
            writeln!(f, "\nFields")?;
        }
        let width = self.fields.iter().map(|field| field.info.name.len()).max().unwrap_or(0);
        for field in &self.fields {
            let FieldInfo { name, low, high, doc, .. } = field.info;
            let bits = if low == high { format!("bit {low}") } else { format!("bits {low}-{high}") };
            let required = if field.is_required { " (required)" } else { "" };
            writeln!(f, "    {name:width$}  {bits:<10}  {}{required}: {doc}", field.values)?;
            for (number, name) in &field.codes {
                writeln!(f, "    {:width$}  {:<10}    {number} {name}", "", "")?;
            }
        }
        if self.unnamed_bits != 0 && !self.fields.is_empty() {
            writeln!(f, "    Bits outside all fields: 0x{:06x}; '+0x…' sets them.", self.unnamed_bits)?;
        }
        writeln!(f, "\nExample        {}", self.example)?;
        writeln!(f, "After reset    {}", self.reset)?;
        writeln!(f, "Saved context  {}", if self.is_context_saved { "yes" } else { "no" })?;
        writeln!(f, "Evidence       {}", self.evidence)?;
        for (number, section) in self.sections.iter().enumerate() {
            writeln!(f, "{:<14} {section}", if number == 0 { "Reference" } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_every_command() {
        for opcode in Opcode::all() {
            let reference = describe(opcode);
            assert!(!reference.sections.is_empty(), "{opcode} belongs to a section");
            let is_unused = reference.class == Class::Unused;
            assert_eq!(reference.details.is_empty(), is_unused, "{opcode}: {}", reference.details);
            assert!(!reference.to_string().contains("crate::"), "{opcode}: links are resolved");
        }
        let count: usize = CLASSES.iter().map(|(class, ..)| of_class(*class).count()).sum();
        assert_eq!(count, 256, "every command has one class");
    }

    #[test]
    fn shows_fields_and_codes() {
        let text = describe(Opcode::PRIM).to_string();
        let expected = "\
PRIM  0x04  draw
    Draws vertices and advances the vertex or index pointer.
    0–15 count, 16–18 type: draws

Fields
    primitive  bits 16-18  one of these codes (required): The primitive to draw.
                             0 POINTS
                             1 LINES
                             2 LINE_STRIP
                             3 TRIANGLES
                             4 TRIANGLE_STRIP
                             5 TRIANGLE_FAN
                             6 RECTANGLES
                             7 CONTINUE
    count      bits 0-15   0 to 65535 (required): Number of vertices.
    Bits outside all fields: 0xf80000; '+0x…' sets them.

Example        PRIM primitive=TRIANGLES count=3
After reset    PRIM primitive=POINTS count=0
Saved context  no
Evidence       hardware test primitives/*
Reference      src/engine/reference/ge/commands.md#flow-and-drawing
               src/engine/reference/ge/lists.md#prim
";
        assert_eq!(text, expected, "a register with codes");
    }
}
