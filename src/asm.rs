//! Assembler and disassembler for display lists.
//!
//! [`assemble`] turns text into a [`Program`], which converts to a [`Capture`](crate::ge::capture::Capture)
//! or a flat binary. [`disassemble`] turns any bytes into text that assembles to the same bytes.
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
//! A line holds any number of statements, separated by `|`. `;` and `//` start a comment. A statement may
//! follow a label on its line. Names of commands, fields and codes are those of the opcode table
//! ([`crate::ge::opcode`]) and are case-sensitive.
//!
//! # Commands
//! * `VIEWPORTXSCALE 240.5`, `TEXENABLE 1`: a register with one field takes its value. FINISH and END default
//!   to 0 if the value is omitted.
//! * `PRIM primitive=RECTANGLES count=2`: a register with several fields takes them by name, in any order.
//!   Omitted fields are 0.
//! * `RET`: a command without fields.
//! * `CLUTFORMAT format=ABGR8888 mask=0xff +0x800000`: after all fields, `+` sets argument bits that no field
//!   covers.
//! * `WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0`: matrix data takes several values and assembles to one
//!   command for each.
//!
//! Commands must be at multiples of 4.
//!
//! # Values
//! * Whole numbers: `12`, `-3`, `0x1f`, `0b101`, `1_000`; labels and constants; `.`, the address of this
//!   statement, or of this value in data; `lo(e)`, the low 24 bits; `hi(e)`, the bits above them; `+ - * /`
//!   and parentheses. Blanks separate values: `1 - 2` and `1-2` are one value, `1 -2` are two.
//! * Codes by name (`RECTANGLES`) or number. If a code and a label share a name, the code wins.
//! * Floats: `1`, `-0.5`, `1e-3`, `inf`, or an expression in parentheses. Registers and `.float24` keep the
//!   upper 24 bits (rounding towards zero). `bits(0x3f8000)` and `nan(0x7fc000)` state the bits directly.
//! * Colours: `#RRGGBB`, or a number 0xBBGGRR as the register holds it.
//!
//! # Directives
//! | directive | effect |
//! | --- | --- |
//! | `.ge 1` | states the language and its version; allowed only as the first statement |
//! | `.org ADDRESS` | sets the address of the following statements; initially 0x08800000 |
//! | `.entry ADDRESS` | sets the start of execution; default: the first byte in the text |
//! | `.set NAME VALUE` | defines a constant |
//! | `.align N` | fills with zeros up to a multiple of N, a power of two |
//! | `.word N…` | 32-bit words, signed or unsigned |
//! | `.u8 .s8 .u16 .s16 .u32 .s32 N…` | little-endian integers |
//! | `.f32 X…` | IEEE singles |
//! | `.float24 X…` | 24-bit floats, each in a word whose top byte is 0 |
//! | `.rgba #RRGGBBAA…` | colours, red first; `#RRGGBB` is opaque |
//! | `.ascii "TEXT"…` | bytes, with the escapes `\n \t \0 \\ \" \xNN` |
//! | `.fill COUNT BYTE` | COUNT times the same byte |
//! | `.space COUNT` | COUNT zeros |
//!
//! Labels may be used before their definition, except if the layout depends on them: in `.org`, `.set`,
//! `.align`, `.space` and the count of `.fill`. All bytes must lie in existing memory (main RAM, VRAM or the
//! scratchpad), and each byte may be assembled only once.
//!
//! ```
//! let program = pspge::asm::assemble("start: NOP | FINISH | END")?;
//! assert_eq!(program.symbols["start"], program.entry);
//! assert_eq!(program.image()?.len(), 12);
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

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
