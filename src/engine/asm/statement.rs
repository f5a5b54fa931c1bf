//! Parses commands: a name and its fields' values.
//!
//! # Invariants
//! This is the inverse of [`crate::asm::text::describe`]: parsing its text restores the word.

use crate::asm::text::is_value_optional;
use crate::ge::command::Command;
use crate::ge::command_table::OpcodeInfo;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::{FieldInfo, FieldKind};

use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::error::similar::closest_name;
use super::expression::Parser;
use super::lexer::{Span, TokenKind};
use super::libgu;
use super::required::is_required;
use super::scope::{Lookup, Scope};

/// Parses a command and appends its word. A matrix data command appends a word for each value. In the first pass,
/// unknown values read as 0.
pub(super) fn commands(parser: &mut Parser<'_>, scope: &Scope, words: &mut Vec<u32>) -> Result<(), Fault> {
    let TokenKind::Name(name) = parser.kind() else { return Err(parser.expected("a command")) };
    let Some(opcode) = Opcode::from_name(name) else {
        let similar = closest_name(name, Opcode::all().map(|opcode| opcode.info().name));
        return Err(parser.error(AssemblyErrorKind::UnknownCommand { name: name.to_owned(), similar }));
    };
    let start = parser.span();
    parser.advance();
    words.push(one_command(parser, scope, opcode, start)?);
    if let ([element], Some(_)) = (opcode.info().fields, Matrix::of_data_opcode(opcode)) {
        while !parser.at_statement_end() {
            words.push(Command::new(opcode, value(parser, scope, element)?).word());
        }
    }
    Ok(())
}

/// Parses a command's argument and returns the command's word. `name` is the place of the command's name, for
/// errors.
fn one_command(parser: &mut Parser<'_>, scope: &Scope, opcode: Opcode, name: Span) -> Result<u32, Fault> {
    let info = opcode.info();
    let mut argument = 0;
    let mut seen = 0;
    if let [only] = info.fields
        && !is_field_name(parser)
    {
        if !is_end_of_fields(parser) {
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
    // A token that is not a field's name is a value here, but values need names.
    if info.fields.len() > 1 && !is_end_of_fields(parser) {
        let fields: Vec<String> = info.fields.iter().map(|field| format!("{}=", field.name)).collect();
        let kind = AssemblyErrorKind::UnnamedValue { command: info.name, fields: fields.join(", ") };
        return Err(parser.error(kind));
    }
    let missing = |field: &&FieldInfo| is_required(opcode, field.name) && seen & field.mask() == 0;
    if info.fields.iter().any(|field| missing(&field)) {
        let fields: Vec<String> = info.fields.iter().filter(missing).map(describe_values).collect();
        let kind = AssemblyErrorKind::MissingFields { command: info.name, fields: fields.join(" and ") };
        return Err(Fault::new(name, kind));
    }
    if parser.accept('+') {
        argument |= uncovered_bits(parser, scope, info)?;
    }
    Ok(Command::new(opcode, argument).word())
}

fn is_end_of_fields(parser: &Parser<'_>) -> bool {
    parser.at_statement_end() || parser.kind() == TokenKind::Symbol('+')
}

/// Formats a field with the values it takes, for messages: `primitive= (one of POINTS, LINES)`.
fn describe_values(field: &FieldInfo) -> String {
    match field.kind {
        FieldKind::Named(names) => format!("{}= (one of {})", field.name, code_names(names)),
        _ => format!("{}= (0 to {})", field.name, (1_u64 << field.width()).saturating_sub(1)),
    }
}

fn code_names(names: &[Option<&'static str>]) -> String {
    names.iter().flatten().copied().collect::<Vec<_>>().join(", ")
}

fn is_field_name(parser: &Parser<'_>) -> bool {
    matches!(parser.kind(), TokenKind::Name(_)) && parser.peek_second() == TokenKind::Symbol('=')
}

/// Looks up this command's field by the name in the current token.
fn field(parser: &Parser<'_>, info: &'static OpcodeInfo) -> Result<&'static FieldInfo, Fault> {
    let TokenKind::Name(name) = parser.kind() else { return Err(parser.expected("a field")) };
    info.fields.iter().find(|field| field.name == name).ok_or_else(|| {
        let mut fields = info.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
        if fields.is_empty() {
            fields.push_str("none");
        }
        parser.error(AssemblyErrorKind::UnknownField { command: info.name, name: name.to_owned(), fields })
    })
}

/// Reads a field's value and returns its bits, shifted to their position in the argument.
pub(super) fn value(parser: &mut Parser<'_>, scope: &Scope, field: &'static FieldInfo) -> Result<u32, Fault> {
    // Homebrew combines these constants to the whole argument, so they are shifted already.
    if let TokenKind::Name(name) = parser.kind()
        && !scope.symbols.contains_key(name)
        && let Some(bits) = libgu::vertex_type_bits(name).filter(|bits| bits & !field.mask() == 0)
        && Opcode::VTYPE.info().fields.iter().any(|own| std::ptr::eq(own, field))
    {
        parser.advance();
        return Ok(bits);
    }
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
                // Codes may also come from constants, so a name is wrong only if it is neither code nor symbol.
                let is_function = parser.peek_second() == TokenKind::Symbol('(');
                if !is_function && matches!(scope.look_up(name), Lookup::Undefined(_)) {
                    let (name, codes) = (name.to_owned(), code_names(names));
                    let kind = AssemblyErrorKind::UnknownCode { field: field.name, name, codes };
                    return Err(parser.error(kind));
                }
            }
            0..=count.saturating_sub(1)
        }
        FieldKind::Signed => (count / 2).saturating_neg()..=(count / 2).saturating_sub(1),
        FieldKind::Unsigned | FieldKind::Hexadecimal | FieldKind::Flag | FieldKind::Color => {
            0..=count.saturating_sub(1)
        }
    };
    let bits = parser.integer_in(scope, range, field.name)?.unwrap_or(0);
    Ok((bits << field.low) & field.mask())
}

/// Reads the number after `+`: argument bits outside all fields.
fn uncovered_bits(parser: &mut Parser<'_>, scope: &Scope, info: &OpcodeInfo) -> Result<u32, Fault> {
    let start = parser.span();
    let bits = parser.integer_in(scope, 0..=0x00FF_FFFF, "the argument")?.unwrap_or(0);
    let covered = bits & !info.unnamed_bits();
    if covered != 0 {
        let kind = AssemblyErrorKind::CoveredBits { command: info.name, bits: covered };
        return Err(Fault::new(parser.since(start), kind));
    }
    Ok(bits)
}
