//! Errors in assembly text.

use std::fmt;

use crate::ge::address::Address;

use super::lexer::Position;

/// An error in assembly text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssemblyError {
    /// Line of the text, from 1; 0 if the error belongs to no line.
    pub line: u32,
    /// Byte column in the line, from 1.
    pub column: u32,
    /// What is wrong.
    pub kind: AssemblyErrorKind,
}

/// The kinds of errors in assembly text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssemblyErrorKind {
    /// The parser found another token than it expected.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// The tokens that are allowed here.
        wanted: &'static str,
        /// The token found.
        found: String,
    },
    /// A malformed whole number.
    #[error("'{0}' is not a number")]
    BadNumber(String),
    /// A malformed decimal float, or one too large for a single.
    #[error("'{0}' is not a decimal number; write raw bits as bits(0x…)")]
    BadFloat(String),
    /// A colour that does not have six or eight hexadecimal digits.
    #[error("'#{0}' is not a colour: it must have {1} hexadecimal digits")]
    BadColor(String, &'static str),
    /// An unknown escape in a string; known ones are `\n`, `\t`, `\0`, `\\`, `\"` and `\xNN`.
    #[error("unknown escape '\\{0}'")]
    BadEscape(String),
    /// An unknown command.
    #[error("unknown command '{name}'{}", did_you_mean(.similar))]
    UnknownCommand {
        /// The name given.
        name: String,
        /// A command with a similar name.
        similar: Option<String>,
    },
    /// An unknown directive.
    #[error("unknown directive '.{name}'{}", did_you_mean(.similar))]
    UnknownDirective {
        /// The name given, without its dot.
        name: String,
        /// A directive with a similar name.
        similar: Option<String>,
    },
    /// An undefined label or constant.
    #[error("'{name}' is not defined{}", did_you_mean(.similar))]
    UnknownName {
        /// The name given.
        name: String,
        /// A label or constant with a similar name.
        similar: Option<String>,
    },
    /// A label is used before its definition in a statement that the layout depends on.
    #[error("this value must not depend on a label that is defined later")]
    ForwardReference,
    /// A label or constant is defined twice.
    #[error("'{name}' is already defined in line {first}")]
    DuplicateName {
        /// The name.
        name: String,
        /// Line of its first definition.
        first: u32,
    },
    /// The command has no such field.
    #[error("{command} has no field '{name}' (fields: {fields})")]
    UnknownField {
        /// The command.
        command: &'static str,
        /// The name given.
        name: String,
        /// The names of its fields.
        fields: String,
    },
    /// A field is given twice.
    #[error("field '{field}' of {command} is set twice")]
    DuplicateField {
        /// The command.
        command: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A register with one field has no value.
    #[error("{command} needs a value ({field})")]
    MissingValue {
        /// The command.
        command: &'static str,
        /// Its only field.
        field: &'static str,
    },
    /// The field has no code of this name.
    #[error("{field} has no value '{name}' (values: {codes})")]
    UnknownCode {
        /// The field.
        field: &'static str,
        /// The name given.
        name: String,
        /// The names of its codes.
        codes: String,
    },
    /// A number is outside the range of its operand.
    #[error("{value} is out of range for {operand} ({low} to {high})")]
    OutOfRange {
        /// The operand.
        operand: String,
        /// The number.
        value: i64,
        /// The smallest allowed value.
        low: i64,
        /// The largest allowed value.
        high: i64,
    },
    /// Bits after `+` that belong to a field.
    #[error("bits 0x{bits:x} of {command} belong to its fields; set the fields instead")]
    CoveredBits {
        /// The command.
        command: &'static str,
        /// Those of the bits that a field covers.
        bits: u32,
    },
    /// An expression overflows 64 bits.
    #[error("the expression overflows 64 bits")]
    Overflow,
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// Parentheses or signs are nested too deeply.
    #[error("the expression is nested too deeply")]
    TooDeep,
    /// A command or entry at an address that is not a multiple of 4.
    #[error("{0} is not a multiple of 4, as commands require; use .align 4")]
    Unaligned(Address),
    /// An alignment that is not a power of two up to 65536.
    #[error("an alignment must be a power of two up to 65536, not {0}")]
    BadAlignment(i64),
    /// An address without memory.
    #[error("there is no memory at {0}")]
    Unmapped(Address),
    /// Two segments overlap.
    #[error("{address} already holds bytes from line {first}")]
    Overlap {
        /// The first address that both contain.
        address: Address,
        /// Line of the first statement of the other segment.
        first: u32,
    },
    /// The program or flat binary is too large.
    #[error("the output exceeds {limit} bytes")]
    TooLarge {
        /// The largest number of bytes allowed.
        limit: u64,
    },
    /// `.ge` with a version other than 1.
    #[error("version {0} of the assembly language is not supported (only version 1 is)")]
    UnknownVersion(i64),
    /// `.ge` after other statements.
    #[error(".ge must be the first statement")]
    VersionNotFirst,
    /// A second `.entry`.
    #[error("only one .entry is allowed")]
    DuplicateEntry,
}

impl AssemblyError {
    pub(super) const fn new(position: Position, kind: AssemblyErrorKind) -> Self {
        Self { line: position.line, column: position.column, kind }
    }
}

impl fmt::Display for AssemblyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}", self.kind)
        } else {
            write!(f, "line {}: {}", self.line, self.kind)
        }
    }
}

impl std::error::Error for AssemblyError {}

fn did_you_mean(similar: &Option<String>) -> String {
    similar.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

/// Finds the candidate with the smallest edit distance to `name`, if it is at most 2 (1 for short names).
pub(super) fn closest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    // Bounds the quadratic cost of the comparison.
    const LENGTH_MAX: usize = 40;
    if name.len() > LENGTH_MAX {
        return None;
    }
    let allowed = if name.len() <= 4 { 1 } else { 2 };
    candidates
        .filter(|candidate| candidate.len() <= LENGTH_MAX)
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// Computes the Levenshtein distance, ignoring case.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<u8> = right.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, byte) in left.bytes().map(|byte| byte.to_ascii_lowercase()).enumerate() {
        let mut diagonal = index;
        let mut before = index.saturating_add(1);
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        for (cell, other) in row.iter_mut().skip(1).zip(&right) {
            let changed = diagonal.saturating_add(usize::from(byte != *other));
            let best = before.min(*cell).saturating_add(1).min(changed);
            diagonal = *cell;
            *cell = best;
            before = best;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_names() {
        let names = ["PRIM", "PATCHPRIM", "VADDR", "IADDR"];
        assert_eq!(closest_name("prim", names.into_iter()).as_deref(), Some("PRIM"), "case does not count");
        assert_eq!(closest_name("VADR", names.into_iter()).as_deref(), Some("VADDR"), "a letter is missing");
        assert_eq!(closest_name("banana", names.into_iter()), None, "no candidate is close");
        assert_eq!(edit_distance("kitten", "sitting"), 3, "the textbook example");
    }
}
