//! Assembles and disassembles display lists.
//!
//! Call [`assemble`] to turn text into a [`Program`], which converts to a [`Capture`](crate::ge::capture::Capture) or a
//! flat binary, and [`assemble_with`] if the text includes files. [`disassemble`] turns any bytes into text that
//! assembles to the same bytes. [`mod@reference`] describes each command.
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
//! # Statements
//! A line holds any number of statements, separated by `|`. `;` and `//` start a comment. A statement may follow a
//! label on its line. Commands, fields and codes have their names from the opcode table ([`crate::ge::opcode`]) and are
//! case-sensitive. Labels and constants may contain single points: `sky.width`.
//!
//! # Commands
//! * `VIEWPORTXSCALE 240.5`, `TEXENABLE 1`: a register with a single field takes its value. FINISH and END default to 0
//!   if the value is omitted.
//! * `PRIM primitive=RECTANGLES count=2`: a register with several fields takes them by name, in any order. Omitted
//!   fields are 0, but fields for which 0 is almost surely a mistake [must be stated](is_required).
//! * `RET`: a command without fields.
//! * `CLUTFORMAT format=ABGR8888 mask=0xff +0x800000`: after all fields, `+` sets argument bits outside them.
//! * `WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0`: matrix data takes several values and assembles to a command for
//!   each.
//!
//! Commands must be at multiples of 4.
//!
//! # Values
//! * Whole numbers: `12`, `-3`, `0x1f`, `0b101`, `1_000`; labels and constants; `.`, the address of this statement, or
//!   of this value in data; `lo(e)`, the low 24 bits; `hi(e)`, the bits above them; `+ - * /` and parentheses. Blanks
//!   separate values: `1 - 2` and `1-2` are a single value, `1 -2` are two.
//! * Codes by name (`RECTANGLES`) or number. If a code and a label share a name, the code wins.
//! * Floats: `1`, `-0.5`, `1e-3`, `inf`, or an expression in parentheses. Registers and `.float24` keep the upper 24
//!   bits (rounding towards zero). Use `bits(0x3f8000)` and `nan(0x7fc000)` to state the bits directly.
//! * Colours: `#RRGGBB`, or a number 0xBBGGRR as the register holds it.
//!
//! # Directives
//! | directive | effect |
//! | --- | --- |
//! | `.ge 1` | states the language and its version; allowed only as the first statement of a text |
//! | `.org ADDRESS` | sets the address of the following statements; initially 0x08800000 |
//! | `.entry ADDRESS` | sets the start of execution; default: the first byte in the text |
//! | `.set NAME VALUE` | defines a constant |
//! | `.default NAME VALUE` | defines a constant unless it is defined already, for example on the command line |
//! | `.align N` | fills with zeros up to a multiple of N, a power of two |
//! | `.word N…` | 32-bit words, signed or unsigned |
//! | `.u8 .s8 .u16 .s16 .u32 .s32 N…` | little-endian integers |
//! | `.f32 X…` | IEEE singles |
//! | `.float24 X…` | 24-bit floats, each in a word whose top byte is 0 |
//! | `.rgba #RRGGBBAA…` | colours, red first; `#RRGGBB` is opaque |
//! | `.ascii "TEXT"…` | bytes, with the escapes `\n \t \0 \\ \" \xNN` |
//! | `.fill COUNT BYTE` | COUNT times the same byte |
//! | `.space COUNT` | COUNT zeros |
//! | `.include "PATH"` | continues with another text, then returns |
//! | `.include <NAME>` | does the same with a [built-in text](#built-in-texts) |
//! | `.incbin "PATH" OFFSET LENGTH` | bytes of a file; without LENGTH up to its end, without OFFSET from its start |
//! | `.texture "PATH" FORMAT OPTIONS…` | a PNG picture as a [texture](#textures) |
//!
//! Labels may be used before their definition, except if the layout depends on them: in `.org`, `.set`,
//! `.default`, `.align`, `.space`, `.incbin`, `.texture` and the count of `.fill`. All bytes must lie in existing
//! memory (main RAM, VRAM or the scratchpad), and each byte may be assembled only once.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! let program = pspge::asm::assemble("start: NOP | FINISH | END")?;
//! assert_eq!(program.symbols["start"], program.entry);
//! assert_eq!(program.image()?.len(), 12);
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```
//!
//! # Files
//! Paths are relative to the text in which they appear. The library reads files only through the [`IncludeProvider`] in
//! the request. A text may be included several times if it defines no labels, because a constant may be defined again
//! by the same statement with the same value.
//!
//! # Textures
//! `.texture` converts a picture in place. It needs a label before it, at a multiple of 16, to define names that start
//! with this label:
//!
//! ```text
//!     TEXFORMAT sky.format | TEXMODE swizzled=sky.swizzled max_level=sky.max_level
//!     TEXADDR0 lo(sky) | TEXBUFWIDTH0 width=sky.bufwidth high=hi(sky)
//!     TEXSIZE0 width_log2=sky.width_log2 height_log2=sky.height_log2
//!     CLUTFORMAT format=sky.palette_format mask=0xff
//!     CLUTADDR lo(sky.palette) | CLUTADDRUPPER hi(sky.palette) | LOADCLUT sky.palette_blocks
//!     TEXFLUSH
//!     ; …
//! .align 16
//! sky: .texture "sky.png" CLUT8 swizzled palette=ABGR4444
//! ```
//!
//! FORMAT is a code for TEXFORMAT. Each colour becomes the nearest in the format. The picture's sides must be powers of
//! two, at most 512.
//!
//! | option | effect |
//! | --- | --- |
//! | `swizzled` | stores blocks of 16 bytes by 8 rows |
//! | `mipmaps=N` | adds N smaller levels, 1 to 7, each an average of the one before |
//! | `palette=FORMAT` | stores the colours of an indexed texture in this format; default: ABGR8888 |
//! | `palette=LABEL` | uses the palette of the texture with this label, which is defined above |
//! | `quantize` | reduces the colours of a picture that has more than its palette (16 or 256) |
//! | `pad` | extends the sides to powers of two by transparent pixels at the right and at the bottom |
//!
//! An indexed texture's palette holds the colours in the order in which the picture uses them first; smaller levels
//! take the nearest. It follows the texels.
//!
//! | name | value |
//! | --- | --- |
//! | `.width` `.height` | size in texels |
//! | `.width_log2` `.height_log2` | its logarithms, for TEXSIZE |
//! | `.bufwidth` | row length in texels, for TEXBUFWIDTH; rows have multiples of 16 bytes |
//! | `.format` `.swizzled` | values for TEXFORMAT and TEXMODE |
//! | `.levels` `.max_level` | number of levels, and that number less 1, for TEXMODE |
//! | `.picture_width` `.picture_height` | size of the picture without padding |
//! | `.level0` to `.level7` | addresses of the levels, for TEXADDR |
//! | `.level1.width` and so on | size, logarithms and row length of a level |
//! | `.palette` | address of the palette |
//! | `.palette_format` `.palette_colors` | colour format and number of colours |
//! | `.palette_blocks` | size in blocks of 32 bytes, for LOADCLUT |
//!
//! # Built-in texts
//! [`BUILT_IN_TEXTS`] lists them with their contents: constants, and the state that homebrew programs expect from
//! `libgu`.
//!
//! | text | contents |
//! | --- | --- |
//! | `<psp>` | constants: screen size, memory, a usual division of VRAM; no bytes |
//! | `<psp/init>` | the state after `sceGuInit` and the first `sceGuStart` |
//! | `<psp/screen>` | framebuffer, depth buffer, scissor and viewport of 480x272 pixels |
//! | `<psp/identity>` | identity matrices |
//! | `<psp/clear>` | clears the screen to MATERIALAMBIENT and MATERIALALPHA, and depth to 0 |
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! let program = pspge::asm::assemble("
//!     .include <psp/init>
//!     .include <psp/screen>
//!     MATERIALAMBIENT #204060
//!     .include <psp/clear>
//!     FINISH | END
//! ")?;
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```
//!
//! # Errors
//! [`AssemblyErrors`] holds all mistakes in a text, each with its place and source line.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod assemble;
mod directive;
mod disassemble;
mod error;
mod error_kind;
mod excerpt;
mod expression;
mod fault;
mod file_directive;
mod include;
mod lexer;
mod libgu;
mod listing;
mod loaded;
mod location;
mod output;
mod pass;
mod prelude;
mod program;
pub mod reference;
mod required;
mod run;
mod scope;
mod setting;
mod similar;
mod source_map;
mod statement;
pub mod text;
mod texture;
mod texture_directive;
mod walk;

pub use assemble::{
    Assembly, AssemblyRequest, assemble, assemble_with, is_assembly, parse_command, parse_integer,
};
pub use disassemble::{Image, disassemble};
pub use error::{AssemblyError, AssemblyErrors, ERRORS_MAX};
pub use error_kind::AssemblyErrorKind;
pub use include::{IncludeProvider, IncludedFile, MemoryFiles, NoIncludes, resolve};
pub use libgu::{GuCall, GuCalls, GuFunction, GuText, gu_call};
pub use listing::Listing;
pub use loaded::{INCLUDE_BYTES_MAX, INCLUDES_MAX};
pub use location::Location;
pub use output::PROGRAM_BYTES_MAX;
pub use pass::INCLUDE_DEPTH_MAX;
pub use prelude::{BuiltInText, TEXTS as BUILT_IN_TEXTS};
pub use program::{IMAGE_BYTES_MAX, LIST_BYTES_MAX, ListTooLong, Program, Segment};
pub use required::is_required;
pub use setting::{SettingError, parse_setting};
pub use source_map::SourceMap;
pub use texture::TextureError;
#[doc(hidden)]
pub use texture::{dxt, picture};
pub use walk::{STATES_MAX, STEPS_MAX, Walk, walk};

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
