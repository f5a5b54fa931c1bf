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
//! Everything drawable becomes a [`ge::capture::Capture`]; nothing behind it knows where it came from. The framebuffer is
//! memory, so that rendering to a texture, block transfers and overlapping buffers work by themselves. A model's own
//! list runs where it lies in the file.
//!
//! # Rooms
//!
//! Each room is a folder and opens with a sentence on what belongs there. A room uses only the rooms above it in this
//! list that it needs; no two files import each other. A test reads the sources and checks both.
//!
//! * [`ge`]: the state of the machine. Addresses, memory, commands, registers, numbers, limits.
//! * [`asm`]: assembly text to lists and back.
//! * [`pipeline`]: one draw, from bytes in memory to primitives on the screen.
//! * [`model`]: the result of a model format: memory image, list, skeleton, animations, textures.
//! * [`run`]: interpreter, sinks and observers, replay, trace, decoded geometry.
//! * [`raster`]: the reference rasterizer, the fast one, and the pixel rules that they share.
//! * [`scene`]: camera, render target, and the way from a model to a picture.
//! * [`formats`]: one folder for each file format.
//! * [`export`]: glTF, Wavefront OBJ, frame dumps.
//! * [`mod@reference`]: how the hardware and the formats behave, with evidence.
//!
//! # Invariants
//!
//! * The library does no input or output: bytes in, values out. It prints nothing.
//! * Interpreter and rasterizer do not know each other; no room below [`formats`] knows a format.
//! * Running never fails: a run returns a [`run::interpreter::Report`] with [`ge::note::Note`]s, within
//!   [`ge::limits::Limits`]. Only opening a file can fail, with a located [`formats::FormatError`].
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
//! use pspge::scene::render::ModelRenderer;
//! use pspge::raster::RasterOptions;
//! use pspge::scene::camera::Camera;
//!
//! # fn main() -> Result<(), formats::FormatError> {
//! # let bytes: Vec<u8> = Vec::new();
//! let opened = formats::open(&Request::new("model.pac", &bytes))?;
//! if let Content::Model(model) = opened.content {
//!     let renderer = ModelRenderer {
//!         camera: Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 },
//!         width: 480,
//!         height: 272,
//!         background: [48, 56, 64, 255],
//!         options: RasterOptions::default(),
//!         limits: Limits::default(),
//!     };
//!     let picture = renderer.render(&model, &mut |_| {});
//!     println!("{} pixels", picture.colors.pixels().len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Adding a format
//!
//! An adapter ends in a memory image and a list; drawing, tracing, decoding, packing and exporting follow by
//! themselves. `src/formats/pmdl` is an example with everything; `src/formats/pmo` one whose files hold lists already.
//!
//! 1. **The bytes**: a folder `src/formats/NAME` beside `NAME.rs`. `raw` has the structures, byte for byte, and no
//!    logic; `read` turns a [`formats::cursor::View`] into a checked form, locates every error
//!    ([`formats::FormatError`]: the field that is wrong, not where it leads), collects warnings
//!    ([`formats::error::Warnings`]), and bounds its work by the size of the file however its parts overlap. There is
//!    no indexing and no unchecked arithmetic in that tree. What can be wrong is an enum in `NAME.rs`, with its
//!    variant in [`formats::error::Problem`].
//! 2. **The program**: `lower` parses nothing. It places files (`Loader::place`) or what was made of them
//!    (`Loader::store`), and writes the list with [`ge::list::ListBuilder`] as a good programmer of the machine would:
//!    state once, a CALL for each group, palettes and matrices as the hardware takes them, BBOX and BJUMP where the
//!    format says what need not be drawn. What the hardware lacks is lowered there, and what is lost is a note.
//! 3. **The model**: a [`model::Model`]. `parts` tie each called list to mesh, material, texture and bones; `uploads`
//!    name the matrices in the list that move with a bone: WORLD for rigid nodes, BONE for skins. `skeleton` and
//!    `animations` ([`model::Sampler`]: a local matrix for each bone at any frame) make `--anim` work. Coordinates
//!    stay the file's; `up` says which way is up. Fields that mean nothing here go to `fields`, oddities to `notes`,
//!    counts to `info`, those that only this format has to `info.extra`.
//! 4. **The door**: a variant of [`formats::Format`], a row in the table of adapters (recognised by content; formats
//!    with a magic come first, containers name their members), an arm in `open_file`. Then the help of
//!    `tools/src/main.rs` and `tools/src/input.rs`, and the README.
//! 5. **A sample**: code in `ge-tests/src/bin/samples` that writes a small file with all that public files lack;
//!    `cargo dev sample` puts it into `tools/sample`.
//! 6. **Tests**: unit tests beside the code; in `ge-tests`, an oracle that reads the bytes with plain offsets and
//!    none of the library (`src/pmdl_oracle.rs`), against which every decoded vertex is held (`tests/pmdl_geometry.rs`),
//!    counts published with real files (`tests/pmdl_corpus.rs`), the text of every error (`tests/pmdl_errors.rs`),
//!    damage of all kinds (`tests/hostile.rs`), and pictures of the sample (`tests/sample.rs`: look at them before
//!    accepting). That packed models draw the same picture is tested for all samples at once.

pub mod asm;
pub mod export;
pub mod formats;
pub mod ge;
pub mod model;
pub mod pipeline;
pub mod raster;
pub mod reference;
pub mod run;
pub mod scene;
