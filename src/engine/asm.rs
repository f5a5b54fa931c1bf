//! Assembles and disassembles display lists, to write tests by hand and to read recorded lists.
//!
//! Call [`assemble`] to turn text into a [`Program`], which converts to a [`Capture`](crate::ge::capture::Capture)
//! or a flat binary, and [`assemble_with`] if the text includes files. [`disassemble`] turns any bytes into text
//! that assembles to the same bytes. [`mod@reference`] describes each command.
//!
//! ```
//! # extern crate pspge_engine as pspge;
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
#![doc = include_str!("asm/syntax.md")]
//!
//! # Errors
//! [`AssemblyErrors`] holds all mistakes in a text, each with its place and source line, to fix them in a single
//! round.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod assemble;
mod directive;
mod disassemble;
mod error;
mod expression;
mod include;
mod lexer;
mod libgu;
mod listing;
mod output;
mod pass;
mod prelude;
mod program;
#[doc(hidden)]
pub mod reference;
mod required;
mod run;
mod scope;
mod setting;
mod statement;
#[doc(hidden)]
pub mod text;
mod texture;
mod texture_directive;
mod walk;

pub use assemble::{
    Assembly, AssemblyRequest, assemble, assemble_with, is_assembly, parse_command, parse_integer,
};
pub use disassemble::{Image, disassemble};
pub use error::error_kind::AssemblyErrorKind;
pub use error::location::Location;
pub use error::{AssemblyError, AssemblyErrors, ERRORS_MAX};
pub use include::loaded::{INCLUDE_BYTES_MAX, INCLUDES_MAX};
pub use include::source_map::SourceMap;
pub use include::{IncludeProvider, IncludedFile, MemoryFiles, NoIncludes, resolve};
pub use libgu::{GuCall, GuCalls, GuFunction, GuText, gu_call};
pub use listing::Listing;
pub use output::PROGRAM_BYTES_MAX;
pub use pass::INCLUDE_DEPTH_MAX;
pub use prelude::{BuiltInText, TEXTS as BUILT_IN_TEXTS};
pub use program::{IMAGE_BYTES_MAX, LIST_BYTES_MAX, ListTooLong, Program, Segment};
pub use required::is_required;
pub use setting::{SettingError, parse_setting};
pub use texture::TextureError;
#[doc(hidden)]
pub use texture::{dxt, picture};
pub use walk::{STATES_MAX, STEPS_MAX, Walk, walk};

/// The syntax of assembly texts as Markdown, so that programs can show it.
pub const SYNTAX: &str = include_str!("asm/syntax.md");

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
