//! Parses commands: a name and the values of its fields.
//!
//! # Invariants
//! The inverse of [`crate::asm::text::describe`]: parsing its text restores the word.

use crate::asm::text::is_value_optional;
use crate::ge::command::Command;
use crate::ge::command_table::OpcodeInfo;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::{FieldInfo, FieldKind};

use super::error::{AssemblyError, AssemblyErrorKind, closest_name};
use super::expression::{Parser, Scope, in_range};
use super::lexer::TokenKind;

/// Parses one command and appends its word. A matrix data command appends one word per value. In the first
/// pass, unknown values read as 0.
pub(super) fn commands(
    parser: &mut Parser<'_>,
    scope: &Scope,
    words: &mut Vec<u32>,
) -> Result<(), AssemblyError> {
    let TokenKind::Name(name) = parser.kind() else { return Err(parser.expected("a command")) };
    let Some(opcode) = Opcode::from_name(name) else {
        let similar = closest_name(name, Opcode::all().map(|opcode| opcode.info().name));
        return Err(parser.error(AssemblyErrorKind::UnknownCommand { name: name.to_owned(), similar }));
    };
    parser.advance();
    words.push(one_command(parser, scope, opcode)?);
    if let ([element], Some(_)) = (opcode.info().fields, Matrix::of_data_opcode(opcode)) {
        while !parser.at_statement_end() {
            words.push(Command::new(opcode, value(parser, scope, element)?).word());
        }
    }
    Ok(())
}

fn one_command(parser: &mut Parser<'_>, scope: &Scope, opcode: Opcode) -> Result<u32, AssemblyError> {
    let info = opcode.info();
    let mut argument = 0;
    let mut seen = 0;
    if let [only] = info.fields
        && !is_field_name(parser)
    {
        let is_missing = parser.at_statement_end() || parser.kind() == TokenKind::Symbol('+');
        if !is_missing {
            argument = value(parser, scope, only)?;
        } else if !is_value_optional(info) {
            let kind = AssemblyErrorKind::MissingValue { command: info.name, field: only.name };
            return Err(parser.error(kind));
        }
        seen = only.mask();
    }
    while is_field_name(parser) {
        let field = field(parser, info)?;
        if seen & field.mask() != 0 {
            let kind = AssemblyErrorKind::DuplicateField { command: info.name, field: field.name };
            return Err(parser.error(kind));
        }
        seen |= field.mask();
        parser.advance();
        parser.advance();
        argument |= value(parser, scope, field)?;
    }
    if parser.accept('+') {
        argument |= uncovered_bits(parser, scope, info)?;
    }
    Ok(Command::new(opcode, argument).word())
}

fn is_field_name(parser: &Parser<'_>) -> bool {
    matches!(parser.kind(), TokenKind::Name(_)) && parser.peek_second() == TokenKind::Symbol('=')
}

/// Looks up the field that the current token names.
fn field(parser: &Parser<'_>, info: &'static OpcodeInfo) -> Result<&'static FieldInfo, AssemblyError> {
    let TokenKind::Name(name) = parser.kind() else { return Err(parser.expected("a field")) };
    info.fields.iter().find(|field| field.name == name).ok_or_else(|| {
        let mut fields = info.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
        if fields.is_empty() {
            fields.push_str("none");
        }
        parser.error(AssemblyErrorKind::UnknownField { command: info.name, name: name.to_owned(), fields })
    })
}

/// Reads the value of a field and returns its bits, shifted to their position in the argument.
fn value(parser: &mut Parser<'_>, scope: &Scope, field: &'static FieldInfo) -> Result<u32, AssemblyError> {
    let position = parser.position();
    let count = 1i64 << field.width();
    let range = match field.kind {
        FieldKind::Float => {
            return Ok(parser.float(scope, field.width())?.unwrap_or(0) << field.low);
        }
        FieldKind::Color if matches!(parser.kind(), TokenKind::Color(_)) => {
            let [red, green, blue] = parser.color("six")?;
            return Ok(u32::from_le_bytes([red, green, blue, 0]) << field.low);
        }
        FieldKind::Named(names) => {
            if let TokenKind::Name(name) = parser.kind() {
                if let Some(bits) =
                    (0u32..).zip(names).find_map(|(bits, code)| (*code == Some(name)).then_some(bits))
                {
                    parser.advance();
                    return Ok(bits << field.low);
                }
                let is_function = parser.peek_second() == TokenKind::Symbol('(');
                if !is_function && !scope.symbols.contains_key(name) && scope.labels_known {
                    return Err(unknown_code(parser, field, name, names));
                }
            }
            0..=count.saturating_sub(1)
        }
        FieldKind::Signed => (count / 2).saturating_neg()..=(count / 2).saturating_sub(1),
        FieldKind::Unsigned | FieldKind::Hexadecimal | FieldKind::Flag | FieldKind::Color => {
            0..=count.saturating_sub(1)
        }
    };
    let number = parser.integer(scope)?;
    let bits = in_range(number, range, field.name, position)?.unwrap_or(0);
    Ok((bits << field.low) & field.mask())
}

fn unknown_code(
    parser: &Parser<'_>,
    field: &FieldInfo,
    name: &str,
    names: &[Option<&'static str>],
) -> AssemblyError {
    let codes = names.iter().flatten().copied().collect::<Vec<_>>().join(", ");
    parser.error(AssemblyErrorKind::UnknownCode { field: field.name, name: name.to_owned(), codes })
}

/// Reads the number after `+`: argument bits that no field covers.
fn uncovered_bits(parser: &mut Parser<'_>, scope: &Scope, info: &OpcodeInfo) -> Result<u32, AssemblyError> {
    let position = parser.position();
    let number = parser.integer(scope)?;
    let bits = in_range(number, 0..=0x00FF_FFFF, "the argument", position)?.unwrap_or(0);
    let covered = bits & !info.unnamed_bits();
    if covered != 0 {
        let kind = AssemblyErrorKind::CoveredBits { command: info.name, bits: covered };
        return Err(AssemblyError::new(position, kind));
    }
    Ok(bits)
}
