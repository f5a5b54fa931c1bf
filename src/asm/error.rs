//! What can be wrong with assembly text, and where.

use std::fmt;

use crate::ge::address::Address;

use super::lexer::Position;

/// A mistake in assembly text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssemblyError {
    /// Line of the text, from 1 on; 0 where the mistake belongs to no line.
    pub line: u32,
    /// Byte in the line, from 1 on.
    pub column: u32,
    /// What is wrong.
    pub kind: AssemblyErrorKind,
}

/// What is wrong with assembly text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssemblyErrorKind {
    /// The text stopped making sense here.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// What could have stood here.
        wanted: &'static str,
        /// What does.
        found: String,
    },
    /// Digits that are no number.
    #[error("'{0}' is not a number")]
    BadNumber(String),
    /// Digits that are no decimal float.
    #[error("'{0}' is not a decimal number; write raw bits as bits(0x…)")]
    BadFloat(String),
    /// A colour without six or eight digits.
    #[error("'#{0}' is not a colour; it needs {1} hexadecimal digits")]
    BadColor(String, &'static str),
    /// An escape in a string that is none of `\n`, `\t`, `\0`, `\\`, `\"` and `\xNN`.
    #[error("'\\{0}' is not an escape")]
    BadEscape(String),
    /// No such command.
    #[error("no command is called '{name}'{}", did_you_mean(.similar))]
    UnknownCommand {
        /// The name given.
        name: String,
        /// A command with a similar name.
        similar: Option<String>,
    },
    /// No such directive.
    #[error("no directive is called '.{name}'{}", did_you_mean(.similar))]
    UnknownDirective {
        /// The name given, without its dot.
        name: String,
        /// A directive with a similar name.
        similar: Option<String>,
    },
    /// No such label or constant.
    #[error("'{name}' is not defined{}", did_you_mean(.similar))]
    UnknownName {
        /// The name given.
        name: String,
        /// A label or constant with a similar name.
        similar: Option<String>,
    },
    /// A place that needs its value at once uses a label that comes later.
    #[error("this value must be known here, but uses a label that is defined further on")]
    ForwardReference,
    /// A label or constant defined twice.
    #[error("'{name}' was defined in line {first} already")]
    DuplicateName {
        /// The name.
        name: String,
        /// Line of its first definition.
        first: u32,
    },
    /// The command's argument has no such field.
    #[error("{command} has no field '{name}' (it has {fields})")]
    UnknownField {
        /// The command.
        command: &'static str,
        /// The name given.
        name: String,
        /// The fields it has.
        fields: String,
    },
    /// A field given twice.
    #[error("{command} got {field} twice")]
    DuplicateField {
        /// The command.
        command: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A register with one field got no value.
    #[error("{command} needs a value ({field})")]
    MissingValue {
        /// The command.
        command: &'static str,
        /// Its only field.
        field: &'static str,
    },
    /// The field has no code of this name.
    #[error("{field} has no value '{name}' (it has {codes})")]
    UnknownCode {
        /// The field.
        field: &'static str,
        /// The name given.
        name: String,
        /// The names it has.
        codes: String,
    },
    /// A number that does not fit where it stands.
    #[error("{value} does not fit {operand} ({low} to {high})")]
    OutOfRange {
        /// What takes the number.
        operand: String,
        /// The number.
        value: i64,
        /// The least that fits.
        low: i64,
        /// The greatest that fits.
        high: i64,
    },
    /// Bits after `+` that belong to a field.
    #[error("bits 0x{bits:x} of {command} belong to its fields; give the fields instead")]
    CoveredBits {
        /// The command.
        command: &'static str,
        /// The bits that a field covers.
        bits: u32,
    },
    /// An expression beyond 64 bits.
    #[error("the expression overflows")]
    Overflow,
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// Too many parentheses or signs inside one another.
    #[error("the expression is nested too deeply")]
    TooDeep,
    /// A command or entry at an address that is no multiple of 4.
    #[error("{0} is not a multiple of 4, as commands need; use .align 4")]
    Unaligned(Address),
    /// An alignment that is no power of two up to 65536.
    #[error("{0} is not an alignment (a power of two up to 65536)")]
    BadAlignment(i64),
    /// A place where there is no memory.
    #[error("there is no memory at {0}")]
    Unmapped(Address),
    /// Two segments at the same address.
    #[error("{address} was filled in line {first} already")]
    Overlap {
        /// First address that both have.
        address: Address,
        /// Line where the other segment starts.
        first: u32,
    },
    /// More bytes than allowed.
    #[error("more than {limit} bytes")]
    TooLarge {
        /// How many are allowed.
        limit: u64,
    },
    /// `.ge` with a version other than 1.
    #[error("version {0} of the assembly language is not known (1 is)")]
    UnknownVersion(i64),
    /// `.ge` behind other statements.
    #[error(".ge must be the first statement")]
    VersionNotFirst,
    /// A second `.entry`.
    #[error("there is an .entry already")]
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

/// The candidate that is spelt most like `name`, if one comes close.
pub(super) fn closest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    /// Longer names are not worth comparing.
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

/// Levenshtein distance, upper and lower case alike.
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
        assert_eq!(closest_name("banana", names.into_iter()), None, "nothing comes close");
        assert_eq!(edit_distance("kitten", "sitting"), 3, "the well-known example");
    }
}
