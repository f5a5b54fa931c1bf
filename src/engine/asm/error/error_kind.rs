//! Every kind of error in assembly text, with its message.

use crate::ge::address::Address;

use super::location::Location;
use crate::asm::texture::TextureError;

/// Every kind of error in assembly text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyErrorKind {
    /// The parser expected another token.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// The tokens allowed here.
        wanted: &'static str,
        /// The token found.
        found: String,
    },
    /// A malformed whole number.
    #[error("'{0}' is not a number")]
    BadNumber(String),
    /// A malformed decimal float, or a float too large for a single.
    #[error("'{0}' is not a decimal number; write raw bits as bits(0x…)")]
    BadFloat(String),
    /// A colour without exactly six or eight hexadecimal digits.
    #[error("'#{0}' is not a colour: it must have {1} hexadecimal digits")]
    BadColor(String, &'static str),
    /// An unknown escape in a string; known escapes are `\n`, `\t`, `\0`, `\\`, `\"` and `\xNN`.
    #[error("unknown escape '\\{0}'")]
    BadEscape(String),
    /// An unknown command.
    #[error("unknown command '{name}'{}", did_you_mean(.similar))]
    UnknownCommand {
        /// The name given.
        name: String,
        /// A command with a similar name, to suggest it.
        similar: Option<String>,
    },
    /// An unknown directive.
    #[error("unknown directive '.{name}'{}", did_you_mean(.similar))]
    UnknownDirective {
        /// The name given, without its dot.
        name: String,
        /// A directive with a similar name, to suggest it.
        similar: Option<String>,
    },
    /// An undefined label or constant.
    #[error("'{name}' is not defined{}", did_you_mean(.similar))]
    UnknownName {
        /// The name given.
        name: String,
        /// A label or constant with a similar name, to suggest it.
        similar: Option<String>,
    },
    /// A name is used before its definition, in a statement that decides the layout.
    #[error("this value must be known here, but '{name}' is defined later")]
    ForwardReference {
        /// The label or constant.
        name: String,
    },
    /// A label or constant is defined twice.
    #[error("'{name}' is already defined{}", defined_at(.first))]
    DuplicateName {
        /// The name.
        name: String,
        /// Place of its first definition; `None` for constants from outside the text.
        first: Option<Location>,
    },
    /// The command has no such field.
    #[error("{command} has no field '{name}' (fields: {fields})")]
    UnknownField {
        /// The command.
        command: &'static str,
        /// The name given.
        name: String,
        /// Its fields' names, to show the choice.
        fields: String,
    },
    /// This field is given twice.
    #[error("field '{field}' of {command} is set twice")]
    DuplicateField {
        /// The command.
        command: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A register with a single field has no value.
    #[error("{command} needs a value ({field})")]
    MissingValue {
        /// The command.
        command: &'static str,
        /// Its only field.
        field: &'static str,
    },
    /// A value without a name, although this command needs names to tell its several fields apart.
    #[error("{command} takes its values by name: {fields}")]
    UnnamedValue {
        /// The command.
        command: &'static str,
        /// Its fields' names, to show the choice.
        fields: String,
    },
    /// Fields are omitted although their default of 0 is almost surely not meant.
    #[error("{command} needs {fields}")]
    MissingFields {
        /// The command.
        command: &'static str,
        /// The omitted fields, each with its values.
        fields: String,
    },
    /// This field has no code with this name.
    #[error("{field} has no value '{name}' (values: {codes})")]
    UnknownCode {
        /// The field.
        field: &'static str,
        /// The name given.
        name: String,
        /// The field's codes, to show the choice.
        codes: String,
    },
    /// A number is outside its operand's range.
    #[error("{value} is out of range for {operand} ({low} to {high}){}", low_bits(*value, *high))]
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
    /// The number after `+` has bits that belong to a field.
    #[error("bits 0x{bits:x} of {command} belong to its fields; set the fields instead")]
    CoveredBits {
        /// The command.
        command: &'static str,
        /// The bits covered by a field.
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
    /// A command, entry or stall address that is not a multiple of 4.
    #[error("{0} is not a multiple of 4, as commands require; use .align 4")]
    Unaligned(Address),
    /// An alignment other than a power of two up to 65536.
    #[error("an alignment must be a power of two up to 65536, not {0}")]
    BadAlignment(i64),
    /// An address without memory.
    #[error("there is no memory at {0}")]
    Unmapped(Address),
    /// Two segments overlap.
    #[error("{address} already holds bytes from {first}")]
    Overlap {
        /// The first address in both.
        address: Address,
        /// Place of the other segment's first statement.
        first: Location,
    },
    /// The program or flat binary is too large.
    #[error("the output exceeds {limit} bytes")]
    TooLarge {
        /// The most bytes allowed.
        limit: u64,
    },
    /// `.ge` with a version other than 1.
    #[error("version {0} of the assembly language is not supported (only version 1 is)")]
    UnknownVersion(i64),
    /// `.ge` after other statements.
    #[error(".ge must be the first statement of its text")]
    VersionNotFirst,
    /// A second `.entry` or `.stall`.
    #[error("only one {0} is allowed")]
    DuplicateDirective(&'static str),
    /// An included file does not exist.
    #[error("file '{path}' not found")]
    FileNotFound {
        /// The path as written.
        path: String,
    },
    /// An included file cannot be read.
    #[error("cannot read '{path}': {reason}")]
    FileUnreadable {
        /// The path as written.
        path: String,
        /// The reason, from the [provider](crate::asm::IncludeProvider).
        reason: String,
    },
    /// An included text is not UTF-8.
    #[error("'{path}' is not UTF-8 text (byte {offset} is wrong)")]
    NotText {
        /// The path as written.
        path: String,
        /// Offset of the first wrong byte.
        offset: usize,
    },
    /// A file's path is empty or not UTF-8.
    #[error("this is not a path")]
    BadPath,
    /// No built-in text has this name.
    #[error("there is no built-in text <{name}> (there are: {known})")]
    UnknownBuiltIn {
        /// The name given.
        name: String,
        /// The names of all built-in texts, to show the choice.
        known: String,
    },
    /// A text includes itself, directly or through others.
    #[error("includes form a loop: {}", .chain.join(" -> "))]
    IncludeLoop {
        /// The texts' names, from the first to its repetition.
        chain: Vec<String>,
    },
    /// Includes are nested too deeply.
    #[error("includes are nested more than {limit} deep")]
    IncludesTooDeep {
        /// The deepest nesting allowed.
        limit: usize,
    },
    /// The included files are too large in total.
    #[error("the included files exceed {limit} bytes in total")]
    IncludesTooLarge {
        /// The most bytes allowed.
        limit: u64,
    },
    /// Too many files are included.
    #[error("more than {limit} files are included")]
    TooManyIncludes {
        /// The most files allowed.
        limit: usize,
    },
    /// `.texture` without a label before it.
    #[error(".texture needs a label before it, which names its constants")]
    UnnamedTexture,
    /// A texture whose address is not a multiple of 16.
    #[error("{0} is not a multiple of 16, as textures require; use .align 16 before the label")]
    UnalignedTexture(Address),
    /// An unknown option in `.texture`.
    #[error("unknown texture option '{name}' (options: {known})")]
    UnknownTextureOption {
        /// The name given.
        name: String,
        /// The names of all options, to show the choice.
        known: &'static str,
    },
    /// An option in `.texture` is given twice.
    #[error("texture option '{0}' is given twice")]
    DuplicateTextureOption(&'static str),
    /// The text depends on a mistake in an unknown place.
    #[error("the text cannot be assembled")]
    Unexplained,
    /// The picture cannot become a texture in this format.
    #[error(transparent)]
    Texture(#[from] TextureError),
}

fn did_you_mean(similar: &Option<String>) -> String {
    similar.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

fn defined_at(first: &Option<Location>) -> String {
    first.as_ref().map_or_else(|| " outside the text".to_owned(), |first| format!(" at {first}"))
}

/// Advises to use `lo` if the value looks like an address but only its low 24 bits are wanted.
const fn low_bits(value: i64, high: i64) -> &'static str {
    let is_address = high == 0xFF_FFFF && high < value && value <= 0xFFFF_FFFF;
    if is_address { "; of an address lo() takes the low 24 bits" } else { "" }
}
