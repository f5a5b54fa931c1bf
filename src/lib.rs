//! pspge runs the display lists of the PSP's GPU, the Graphics Engine (GE), without an emulator, a game or a window.
//! It follows measured hardware rules bit for bit; [`mod@reference`] states them with their evidence.
//!
//! A display list is a program for the GE, made of 32-bit words with 8 bits of command and 24 bits of argument.
//! Monster Hunter's models carry such lists inside the file, emulators record them as frame dumps, and you can write
//! them by hand. pspge loads the file into emulated memory, executes its list in place, and gives you a picture, a
//! trace, or the decoded geometry.
//!
//! ```
//! use pspge::{RunSpec, View};
//!
//! # fn main() -> Result<(), pspge::Error> {
//! // The bytes of a model, a frame dump, a texture file, or assembly text as here.
//! let bytes = b"
//!     FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
//!     SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
//!     SHADEMODE GOURAUD | BASE hi(corners)
//!     VTYPE color=ABGR8888 position=BITS16 through=1
//!     VADDR lo(corners)
//!     PRIM primitive=TRIANGLES count=3
//!     FINISH | END
//! .align 4
//! corners:
//!     .rgba #ff0000ff | .s16 240 20 0 | .align 4
//!     .rgba #80000aff | .s16 100 250 0 | .align 4
//!     .rgba #ffb000ff | .s16 380 250 0 | .align 4
//! ";
//! let asset = pspge::open("triangle.ge", bytes)?;
//!
//! // A picture: the same bytes on every machine.
//! let image = asset.render(&RunSpec::default().view(View::Front))?;
//! assert_eq!(image.get_pixel(240, 100).0[3], 255);
//!
//! // Every executed command.
//! for line in asset.trace()?.lines {
//!     println!("{line}");
//! }
//!
//! // Decoded primitives, ready for a snapshot test or another program.
//! let geometry = asset.geometry()?;
//! assert_eq!(geometry.triangle_count(), 1);
//!
//! // A custom back end.
//! let mut sink = pspge::NullSink;
//! let run = asset.run(&mut sink)?;
//! assert_eq!(run.report.draws, 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Entry points
//!
//! * [`open`] a file, and see [`Asset`] for everything you can do with it. [`Request`] adds companion files, members
//!   inside containers, and options.
//! * [`Sink`] receives draws: implement it for a custom back end. [`Observer`] sees every command before it is
//!   executed; a [`Watch`](run::watch::Watch) is also told about each draw, transfer and CPU action, with its
//!   outcome.
//! * [`Interpreter`] and [`Rasterizer`] run lists that you build in [`Memory`] with [`ListBuilder`]. [`queue`] runs
//!   a program's lists as the kernel does, with its callbacks; [`recording`] writes the result as a frame dump.
//! * [`mod@reference`] describes the hardware and the file formats, with evidence for each fact.
//! * [`guides`] explain common tasks: [install it](guides::install),
//!   [snapshot-test your own models](guides::snapshot_tests),
//!   [find out why a pixel has its colour](guides::wrong_pixel), [ask a frame ten questions](guides::inspector),
//!   [change a texture and put it back](guides::change_textures), [or a model](guides::change_models),
//!   [draw with a texture pack](guides::texture_packs),
//!   [judge renderers by reference pictures](guides::regression_tests),
//!   [ask a collection of frames in SQL](guides::tables), [write a custom back end](guides::back_end),
//!   [embed the library](guides::embedding), [judge it as a host](guides::hosts),
//!   [add a format](guides::adding_a_format). [Changes](guides::changes) lists each version.
//!
//! # From bytes to pixels
//!
//! ```text
//!  file bytes ── formats ──▶ Model ── scene ──▶ Capture { memory, registers, start }
//!  assembly text ───────────── asm ────────────────┘
//!                                                   │
//!                      Interpreter::run ── Observer, Watch (every command, every event)
//!                                                   │  registers, list flow
//!                                                   ▼
//!                                     Sink::draw(&mut Memory, &Draw)
//!                                                   │
//!        each sink pulls a draw only as far as it needs
//!          Draw itself          registers and counts ───▶ trace
//!          Draw::reader         bytes decoded ──────────▶ decode (world space)
//!          Draw::to_screen      transformed, clipped ───▶ raster ──▶ Memory ──▶ framebuffer ──▶ picture
//! ```
//!
//! Everything drawable becomes a [`Capture`], so no later step depends on where it came from. The framebuffer is
//! memory, so rendering to a texture, block transfers and overlapping buffers need no interface for themselves.
//!
//! # Rooms
//!
//! Each room is a folder and opens with a sentence on its contents. A room uses only rooms above it in this list,
//! and no two files import each other. A test reads the sources to check both. The first seven are a crate for
//! themselves, `pspge-engine`, so that the compiler keeps them apart from the formats and optimises the drawing
//! code. That crate's documentation has their pages, and their names are the same here.
//!
//! These pages show everything for a program that links this library. Items that only pspge's own programs use, such
//! as types for their JSON or parts inside a file format, are public but hidden, and may change with every version.
//!
//! * [`mod@reference`]: how the hardware and the formats behave, with evidence.
//! * [`ge`]: the machine's state. Addresses, memory, commands, registers, numbers, limits.
//! * [`pipeline`]: a draw's way from bytes in memory to primitives on the screen.
//! * [`asm`]: assembly text to lists and back.
//! * [`run`]: interpreter, sinks and watchers, replay, trace, decoded geometry.
//! * [`queue`]: the kernel's list queue, its callbacks and their order.
//! * [`raster`]: the reference rasterizer, the fast rasterizer, and the pixel rules they share.
//! * [`model`]: the result from reading a model format. Memory image, list, skeleton, animations, textures.
//! * [`scene`]: camera and render target, to turn a model into a picture.
//! * [`formats`]: a module for each game, tool or container.
//! * [`export`]: glTF, Wavefront OBJ, frame dumps.
//! * `import`: puts changed pictures back into the files that hold them as textures, and changed geometry into
//!   models.
//! * [`mod@check`]: the linter for lists, frame dumps and models.
//! * [`texture_pack`]: packs with pictures to draw in place of textures.
//! * [`debug`]: the debugger's core. A run's events, and the state at each of them.
//! * [`recording`]: records a running machine's draws as a frame dump.
//! * `asset`: the facade at the crate's root.
//! * `documents`: the types for the JSON that the command prints.
//! * [`compare`]: the difference between two pictures, read or drawn.
//! * `inspect`: answers requests from a page that takes a frame apart.
//! * [`mod@table`]: frames as Arrow tables.
//!
//! # Invariants
//!
//! * The library does no input or output: bytes in, values out. It does not print.
//! * Interpreter and rasterizer do not know each other; no room above [`formats`] in the list knows a format.
//! * Running never fails: a run returns a [`Report`] with [`Note`]s, within [`Limits`]. Only opening a file can
//!   fail, with a located [`FormatError`].
//! * Raw words are the state. Typed views are computed from them, and each register is declared once.
//! * Equal input gives equal bytes on every run, thread count and machine: integer arithmetic where the hardware has
//!   it, a fixed order for operations elsewhere, no platform mathematics.
//! * Every fact names its source: a page in [`mod@reference`], a public hardware test, or "assumed".
//!
//! # Features
//!
//! All but the last four are on by default.
//!
//! * `pictures`: reads the PNG files that assembly text names as textures (part of `formats`).
//! * `formats`: the file formats, and with them [`open`]. Without it, lists come as words, memory images or assembly
//!   text.
//! * `export`: glTF, Wavefront OBJ and recorded frame dumps.
//! * `compare`: compares pictures.
//! * `threads`: draws a picture with several threads.
//! * `serde`: types for the documents that the command prints as JSON (part of `export`).
//! * `import`: puts changed pictures back into texture files, and geometry into models (with `export`). It is off by
//!   default.
//! * `inspect`: the inspector's requests and answers (with `export` and `compare`).
//! * `schema`: JSON Schema for these documents. It is off by default.
//! * `table`: Arrow tables of frames (with `export`). It is off by default.

#[cfg(feature = "formats")]
mod asset;

pub mod check;
#[cfg(feature = "compare")]
pub mod compare;
pub mod debug;
#[doc(hidden)]
#[cfg(all(feature = "serde", feature = "formats"))]
pub mod documents;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "formats")]
pub mod formats;
#[cfg(feature = "formats")]
pub mod guides;
#[cfg(feature = "import")]
pub mod import;
#[doc(hidden)]
#[cfg(feature = "inspect")]
pub mod inspect;
pub mod model;
#[cfg(feature = "export")]
pub mod recording;
pub mod scene;
#[cfg(feature = "table")]
pub mod table;
pub mod texture_pack;

// Each item has a single page: the engine's items in its crate, and others in their room.
#[doc(no_inline)]
pub use pspge_engine::{asm, ge, pipeline, queue, raster, reference, run};

/// The `image` crate, whose types hold pictures. Use this to have the same version as pspge.
///
/// ```
/// let pixel: pspge::image::Rgba<u8> = pspge::image::Rgba([255, 0, 0, 255]);
/// assert_eq!(pixel.0[3], 255);
/// ```
pub use image;

#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::{
    Asset, Error, Geometry, GeometryDraw, Pose, Rendering, RunSpec, Trace, View, open, open_as, open_with,
};
#[cfg(feature = "formats")]
#[doc(no_inline)]
pub use formats::{Content, Format, FormatError, Member, Request};
#[doc(no_inline)]
pub use model::{Animation, Model, ModelTexture, Skeleton};
#[doc(no_inline)]
pub use pspge_engine::{
    Address, Arithmetic, Capture, ColorSurface, Command, CommandLine, DecodedDraw, DepthSurface, Draw,
    Ending, Engine, GeometrySink, ImmediateDraw, Interpreter, Limit, Limits, ListBuilder, Memory, Note,
    NullObserver, NullSink, Observer, Opcode, RasterOptions, Rasterizer, Registers, Report, ScreenPrimitive,
    ScreenVertex, Shape, Sink, Step, Vertex, replay,
};
#[doc(no_inline)]
pub use scene::{camera::Camera, render::ModelRenderer};
