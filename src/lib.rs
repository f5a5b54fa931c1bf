//! The Graphics Engine (GE) of the PSP: a display-list interpreter, a rasterizer that draws what the hardware draws,
//! decoded geometry, and adapters for model formats. This page is the architecture.
//!
//! # From bytes to pixels
//!
//! ```text
//!  file bytes ── formats ──▶ Model ── scene ──▶ Capture { memory, registers, start }
//!  assembly text ───────── assembly ───────────────┘
//!                                                   │
//!                      Interpreter::run ── Observer (every command: trace, breakpoints)
//!                                                   │  registers, list flow
//!                                                   ▼
//!                                     Sink::draw(&mut Memory, &Draw)
//!                                                   │
//!        each sink pulls a draw only as far down as it needs
//!          Draw itself          registers and counts ───▶ trace
//!          Draw::raw_vertices   bytes decoded ──────────▶ decode (world space)
//!          Draw::to_screen      transformed, clipped ───▶ raster ──▶ Memory ──▶ framebuffer ──▶ picture
//! ```
//!
//! Everything drawable becomes a [`capture::Capture`]; nothing behind it knows where it came from. The framebuffer is
//! memory, so that rendering to a texture, block transfers and overlapping buffers work by themselves. A model's own
//! list runs where it lies in the file.
//!
//! # Where things are
//!
//! * **Base**: [`address`], [`edram`], [`memory`]; [`command`], [`opcode`] (the table of all 256 commands),
//!   [`registers`] with their typed views, [`float24`]; [`arithmetic`] (the hardware's number format);
//!   [`color`], [`list`], [`capture`], [`limits`], [`note`], [`primitive`].
//! * **Geometry**: [`vertex`] decodes, [`geometry`] has a file for each stage, [`draw`] strings them together.
//! * **Running**: [`interpreter`], [`sink`], [`trace`], [`decode`].
//! * **Pixels**: [`raster`] (its `reference` is the oracle), [`texture`], [`framebuffer`].
//! * **Text**: [`text`] for one command, [`assembly`] for whole lists.
//! * **Files out**: [`export`] (models and frames as glTF and Wavefront OBJ).
//! * **Files**: [`formats`] (one folder a format), [`model`] (what models yield), [`replay`] (what
//!   frame dumps do), [`scene`] (a camera
//!   around it), [`portrait`] (the whole way to a picture).
//!
//! # Invariants
//!
//! * The library does no input or output: bytes in, values out. It prints nothing.
//! * Modules use lower ones only: base ← vertex, texture, framebuffer ← geometry ← draw ← sink ← interpreter, raster,
//!   trace, decode. Interpreter and rasterizer do not know each other; nothing below knows formats. A test reads
//!   the sources and checks it.
//! * Running never fails: a run returns a [`interpreter::Report`] with [`note::Note`]s, within
//!   [`limits::Limits`]. Only opening a file can fail, with a located [`formats::FormatError`].
//! * The raw words are the state. Typed views are computed from them, and each register is declared once.
//! * The same input gives the same bytes on every run and every machine: integer arithmetic where the hardware has
//!   it, a written order of operations elsewhere, no platform mathematics.
//! * Every fact names its source: a section of the GE reference, a public hardware test, or "assumed".
//!
//! # Drawing a model
//!
//! ```no_run
//! use pspge::formats::{self, Content, Request};
//! use pspge::ge::limits::Limits;
//! use pspge::scene::render::Portrait;
//! use pspge::raster::RasterOptions;
//! use pspge::scene::camera::Camera;
//!
//! # fn main() -> Result<(), formats::FormatError> {
//! # let bytes: Vec<u8> = Vec::new();
//! let opened = formats::open(&Request::new("model.pac", &bytes))?;
//! if let Content::Model(model) = opened.content {
//!     let portrait = Portrait {
//!         camera: Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 },
//!         width: 480,
//!         height: 272,
//!         background: [48, 56, 64, 255],
//!         options: RasterOptions::default(),
//!         limits: Limits::default(),
//!     };
//!     let picture = portrait.draw(&model, &mut |_| {});
//!     println!("{} pixels", picture.colors.pixels().len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Adding a format
//!
//! A format is one folder and one line. The folder declares a [`formats::Descriptor`]: name, recognition, companion
//! files, parse options, and a function that opens a file. The line adds it to the list in `src/formats.rs`, or from
//! outside to a [`formats::Registry`] with [`formats::Registry::with`]. Recognition, `pspge --format`, companion search,
//! parse options and help texts follow from the descriptor; drawing, tracing, decoding, packing and exporting follow
//! from the model. `ge-tests/tests/added_format.rs` adds one in this way, in 130 lines.
//!
//! * `raw` has the structures, byte for byte. `read` checks a [`formats::core::cursor::View`] and locates every error:
//!   at the field that is wrong, not at its target. `problem` has the format's own errors, which are carried by
//!   [`formats::FormatError`]. Work is bounded by the size of the file, even if its parts overlap.
//! * `lower` parses nothing. It places data with a [`formats::core::loader::Loader`] and writes the list with a
//!   [`formats::core::state_writer::StateWriter`] as a good programmer of the machine would: each state once, a CALL
//!   for each group, BBOX and BJUMP if the format has boxes. It returns a [`model::Model`].
//! * A format that needs types of its game's other formats shares a folder with them. No format imports the list.
//! * Samples, oracles and corpus counts are in `ge-tests`: `src/bin/samples`, `src/pmdl_oracle.rs`,
//!   `tests/pmdl_corpus.rs`.

pub mod asm;
pub mod export;
pub mod formats;
pub mod ge;
pub mod model;
pub mod pipeline;
pub mod raster;
pub mod run;
pub mod scene;
