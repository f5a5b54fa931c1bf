//! Display lists as text, to be written by hand and read by people.
//!
//! [`assemble`] turns text into a [`Program`], which becomes a [`Capture`](crate::ge::capture::Capture) or a flat binary. [`disassemble`] goes
//! the other way: its text assembles to the same bytes, whatever they are.
//!
//! ```
//! let program = pspge::asm::assemble("
//!     .ge 1                          ; the first statement may name the language and its version
//!     start:
//!         BASE hi(vertices)          ; a register with one field takes its value alone
//!         VTYPE color=ABGR8888 position=BITS16 through=1
//!         VADDR lo(vertices)
//!         PRIM primitive=RECTANGLES count=(end-vertices)/12
//!         FINISH | END               ; several statements on one line
//!     .align 16
//!     vertices:
//!         .rgba #ff8000 | .s16 0 0 0 0
//!         .rgba #ff8000 | .s16 480 272 0 0
//!     end:
//! ")?;
//! assert_eq!(program.entry.get(), 0x0880_0000);
//! assert_eq!(program.symbols["vertices"].get(), 0x0880_0020);
//! assert_eq!(program.image()?[12..16], [0x02, 0x00, 0x06, 0x04]);
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```
//!
//! # Statements
//! A line holds any number of statements, separated by `|`. `;` and `//` start a comment. A statement may follow
//! a label on its line. Names of commands, fields and codes are those of the opcode table ([`crate::ge::opcode`]),
//! capitals and all.
//!
//! # Commands
//! * `VIEWPORTXSCALE 240.5`, `TEXENABLE 1`: a register with one field takes its value. FINISH and END may do
//!   without; their value is then 0.
//! * `PRIM primitive=RECTANGLES count=2`: a register with several fields takes them by name, in any order. Omitted
//!   fields are 0.
//! * `RET`: a command without fields.
//! * `CLUTFORMAT format=ABGR8888 mask=0xff +0x800000`: behind everything else, `+` sets argument bits that no
//!   field covers.
//! * `WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0`: matrix data takes several values, one command for each.
//!
//! Commands stand at multiples of 4.
//!
//! # Values
//! * Whole numbers: `12`, `-3`, `0x1f`, `0b101`, `1_000`; labels and constants; `.`, the address of this
//!   statement, or of this value in data; `lo(e)`, the low 24 bits; `hi(e)`, what is above them; `+ - * /` and
//!   parentheses. Blanks separate values: `1 - 2` and `1-2` are one value, `1 -2` are two.
//! * Codes by name (`RECTANGLES`) or number. A code's name goes before a label of the same name.
//! * Floats: `1`, `-0.5`, `1e-3`, `inf`, or an expression in parentheses. They are cut down to 24 bits towards
//!   zero. `bits(0x3f8000)` and `nan(0x7fc000)` give the bits themselves.
//! * Colours: `#RRGGBB`, or a number 0xBBGGRR as the register holds it.
//!
//! # Directives
//! | directive | does |
//! | --- | --- |
//! | `.ge 1` | names the language and its version; first statement or nowhere |
//! | `.org ADDRESS` | places what follows; the default is 0x08800000 |
//! | `.entry ADDRESS` | where execution begins; the default is the first byte in the text |
//! | `.set NAME VALUE` | defines a constant |
//! | `.align N` | zeros up to a multiple of N, a power of two |
//! | `.word N…` | any words, signed or not |
//! | `.u8 .s8 .u16 .s16 .u32 .s32 N…` | little-endian numbers |
//! | `.f32 X…` | IEEE singles |
//! | `.float24 X…` | 24-bit floats, each in a word whose top byte is 0 |
//! | `.rgba #RRGGBBAA…` | colours, red first; `#RRGGBB` is opaque |
//! | `.ascii "TEXT"…` | bytes, with `\n \t \0 \\ \" \xNN` |
//! | `.fill COUNT BYTE` | a byte many times |
//! | `.space COUNT` | zeros |
//!
//! Labels may be used before they are defined, except where the layout depends on them: `.org`, `.set`,
//! `.align`, `.space` and the count of `.fill`. What is assembled must lie in existing memory (main RAM, VRAM or
//! the scratchpad), and no byte may be given twice.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod assemble;
mod disassemble;
mod error;
mod expression;
mod lexer;
mod output;
mod program;
mod statement;
pub mod text;
mod walk;

pub use assemble::{assemble, is_assembly, parse_command};
pub use disassemble::{Image, disassemble};
pub use error::{AssemblyError, AssemblyErrorKind};
pub use output::PROGRAM_BYTES_MAX;
pub use program::{IMAGE_BYTES_MAX, Program, Segment};
pub use walk::{STATES_MAX, STEPS_MAX, Walk, walk};

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
