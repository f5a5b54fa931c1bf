//! Assembles the directives for layout and data.

use std::ops::RangeInclusive;

use crate::ge::address::Address;

use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::error::similar::closest_name;
use super::expression::Parser;
use super::include::file_directive::{binary, include};
use super::include::loaded::unescape;
use super::lexer::{Span, TokenKind};
use super::pass::Pass;
use super::texture_directive::texture;

/// All directives without their dot, to suggest similar names.
pub(super) const DIRECTIVES: [&str; 23] = [
    "ge", "org", "entry", "stall", "set", "default", "align", "word", "u8", "s8", "u16", "s16", "u32", "s32",
    "f32", "float24", "rgba", "ascii", "fill", "space", "include", "incbin", "texture",
];

/// The range for address operands.
const ADDRESSES: RangeInclusive<i64> = 0..=u32::MAX as i64;

/// Assembles the directive in the current token.
pub(super) fn directive(pass: &mut Pass<'_>, name: &str) -> Result<(), Fault> {
    let start = pass.parser.span();
    pass.parser.advance();
    match name {
        "ge" => version(pass)?,
        "org" => {
            let address = pass.parser.known_integer_in(&pass.scope, ADDRESSES, ".org")?;
            pass.end_of_statement()?;
            pass.output.move_to(Address::new(address));
            pass.scope.here_known = pass.output.is_laid_out();
        }
        "entry" => pass.entry = Some(only_address(pass.entry, pass, start, ".entry")?),
        "stall" => pass.stall = Some(only_address(pass.stall, pass, start, ".stall")?),
        "set" => constant(pass, true)?,
        "default" => constant(pass, false)?,
        "align" => align(pass, start)?,
        "fill" | "space" => fill(pass, name == "fill", start)?,
        "word" => numbers(pass, 4, i64::from(i32::MIN)..=i64::from(u32::MAX), ".word")?,
        "u8" => numbers(pass, 1, 0..=i64::from(u8::MAX), ".u8")?,
        "s8" => numbers(pass, 1, i64::from(i8::MIN)..=i64::from(i8::MAX), ".s8")?,
        "u16" => numbers(pass, 2, 0..=i64::from(u16::MAX), ".u16")?,
        "s16" => numbers(pass, 2, i64::from(i16::MIN)..=i64::from(i16::MAX), ".s16")?,
        "u32" => numbers(pass, 4, 0..=i64::from(u32::MAX), ".u32")?,
        "s32" => numbers(pass, 4, i64::from(i32::MIN)..=i64::from(i32::MAX), ".s32")?,
        "f32" => floats(pass, 32)?,
        "float24" => floats(pass, 24)?,
        "rgba" => data(pass, |pass, span| {
            let bytes: [u8; 4] = pass.parser.color("six or eight")?;
            pass.output.bytes(&bytes, span)
        })?,
        "ascii" => data(pass, |pass, span| {
            let bytes = string(&pass.parser)?;
            pass.parser.advance();
            pass.output.bytes(&bytes, span)
        })?,
        // The included text goes on with its own statements, so this statement ends inside `include`.
        "include" => return include(pass),
        "incbin" => binary(pass, start)?,
        "texture" => texture(pass, start)?,
        _ => {
            let similar = closest_name(name, DIRECTIVES.into_iter()).map(|name| format!(".{name}"));
            let kind = AssemblyErrorKind::UnknownDirective { name: name.to_owned(), similar };
            return Err(Fault::new(start, kind));
        }
    }
    pass.end_of_statement()
}

/// Checks that a command may be at this address.
pub(super) fn check_aligned(address: u32, span: Span) -> Result<(), Fault> {
    if address.is_multiple_of(4) {
        return Ok(());
    }
    Err(Fault::new(span, AssemblyErrorKind::Unaligned(Address::new(address))))
}

fn version(pass: &mut Pass<'_>) -> Result<(), Fault> {
    let start = pass.parser.span();
    let version = pass.parser.known_integer(&pass.scope)?;
    if version == 1 {
        return Ok(());
    }
    Err(Fault::new(pass.parser.since(start), AssemblyErrorKind::UnknownVersion(version)))
}

/// Reads a command's address for a directive that is allowed only once. `earlier` is the directive's address so far.
fn only_address(
    earlier: Option<Address>,
    pass: &mut Pass<'_>,
    start: Span,
    directive: &'static str,
) -> Result<Address, Fault> {
    let operand = pass.parser.span();
    let address = pass.parser.integer_in(&pass.scope, ADDRESSES, directive)?;
    if earlier.is_some() {
        return Err(Fault::new(start, AssemblyErrorKind::DuplicateDirective(directive)));
    }
    if let Some(address) = address {
        check_aligned(address, pass.parser.since(operand))?;
    }
    Ok(Address::new(address.unwrap_or(0)))
}

/// Defines a constant. Without `must_be_new`, an existing definition stays, as `.default` needs it.
fn constant(pass: &mut Pass<'_>, must_be_new: bool) -> Result<(), Fault> {
    let TokenKind::Name(name) = pass.parser.kind() else { return Err(pass.parser.expected("a name")) };
    let span = pass.parser.span();
    pass.parser.advance();
    pass.parser.accept('=');
    let mut value = pass.parser.known_integer(&pass.scope).and_then(|value| {
        pass.end_of_statement()?;
        Ok(value)
    });
    if let Err(fault) = &mut value {
        // A constant that needs itself is a mistake of its own, not a consequence of the lost name.
        if let Fault::Error(_, kind) = fault
            && matches!(&**kind, AssemblyErrorKind::ForwardReference { name: used } if used == name)
        {
            **kind = AssemblyErrorKind::UnknownName { name: name.to_owned(), similar: None };
        }
        // This name counts as lost from now on, so that its uses are no further mistakes.
        pass.scope.lost.add(name);
    }
    let value = value?;
    if !must_be_new && pass.scope.symbols.contains_key(name) {
        return Ok(());
    }
    pass.define(name, value, false, span)
}

fn align(pass: &mut Pass<'_>, start: Span) -> Result<(), Fault> {
    let operand = pass.parser.span();
    let alignment = pass.parser.known_integer(&pass.scope)?;
    let known = u32::try_from(alignment).ok().filter(|a| a.is_power_of_two() && *a <= 0x1_0000);
    let Some(alignment) = known else {
        let kind = AssemblyErrorKind::BadAlignment(alignment);
        return Err(Fault::new(pass.parser.since(operand), kind));
    };
    pass.end_of_statement()?;
    // The alignment is a power of two, so this is the distance to the next multiple.
    let padding = pass.output.here().wrapping_neg() & alignment.wrapping_sub(1);
    pass.output.fill(padding, 0, pass.parser.since(start))
}

fn fill(pass: &mut Pass<'_>, has_byte: bool, start: Span) -> Result<(), Fault> {
    let count = pass.parser.known_integer_in(&pass.scope, ADDRESSES, "the count")?;
    let mut byte = 0;
    if has_byte {
        pass.parser.accept(',');
        if !pass.parser.at_statement_end() {
            let value = pass.parser.integer_in(&pass.scope, 0..=255, "a byte")?;
            [byte, ..] = value.unwrap_or(0).to_le_bytes();
        }
    }
    pass.end_of_statement()?;
    pass.output.fill(count, byte, pass.parser.since(start))
}

/// Reads at least one value, up to the statement's end. Commas may separate values.
fn data(
    pass: &mut Pass<'_>,
    mut value: impl FnMut(&mut Pass<'_>, Span) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if pass.parser.at_statement_end() {
        return Err(pass.parser.expected("a value"));
    }
    while !pass.parser.at_statement_end() {
        pass.scope.here = pass.output.here();
        let span = pass.parser.span();
        value(pass, span)?;
        if pass.parser.accept(',') && pass.parser.at_statement_end() {
            return Err(pass.parser.expected("a value"));
        }
    }
    Ok(())
}

fn numbers(pass: &mut Pass<'_>, size: usize, range: RangeInclusive<i64>, operand: &str) -> Result<(), Fault> {
    data(pass, |pass, span| {
        let value = pass.parser.integer_in(&pass.scope, range.clone(), operand)?.unwrap_or(0);
        pass.output.bytes(value.to_le_bytes().get(..size).unwrap_or_default(), span)
    })
}

fn floats(pass: &mut Pass<'_>, width: u32) -> Result<(), Fault> {
    data(pass, |pass, span| {
        let bits = pass.parser.float(&pass.scope, width)?.unwrap_or(0);
        pass.output.bytes(&bits.to_le_bytes(), span)
    })
}

/// Decodes the string in the current token.
fn string(parser: &Parser<'_>) -> Result<Vec<u8>, Fault> {
    let TokenKind::Text(text) = parser.kind() else { return Err(parser.expected("a string in quotes")) };
    unescape(text).map_err(|escape| parser.error(AssemblyErrorKind::BadEscape(escape)))
}
