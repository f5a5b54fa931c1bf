//! pspge runs the display lists of the PSP's GPU, the Graphics Engine (GE), without an emulator, a game or a window. It
//! follows measured hardware rules bit for bit; [`mod@reference`] states them with their evidence.
//!
//! A display list is a program of 32-bit words, 8 bits of command and 24 bits of argument. Models of Monster Hunter carry
//! such lists inside the file, emulators record them as frame dumps, and you can write them by hand. pspge loads the
//! file into emulated memory, executes its list in place, and gives you a picture, a trace, or the decoded geometry.
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
//! * [`open`] a file, and see [`Asset`] for everything that can be done with it. [`Request`] adds companion files, members
//!   of containers, and options.
//! * [`Sink`] receives draws: implement it for a custom back end. [`Observer`] sees every command before it is
//!   executed; a [`Watch`](run::watch::Watch) is told of each draw, transfer and action of the CPU, and of its outcome.
//! * [`Interpreter`] and [`Rasterizer`] run lists that you build in [`Memory`] with [`ListBuilder`]. [`queue`] runs those of a
//!   program as the kernel does, with its callbacks; [`recording`] writes what they draw as a frame dump.
//! * [`mod@reference`] describes the hardware and the file formats, with the evidence for each fact.
//! * [`guides`] explain common tasks: [install it](guides::install), [snapshot-test your own models](guides::snapshot_tests),
//!   [find out why a pixel has its colour](guides::wrong_pixel), [ask a frame ten questions](guides::inspector),
//!   [change a texture and put it back](guides::change_textures), [or a model](guides::change_models), [draw with a texture pack](guides::texture_packs),
//!   [judge renderers by reference pictures](guides::regression_tests),
//!   [ask a collection of frames in SQL](guides::tables), [write a custom back end](guides::back_end),
//!   [embed the library](guides::embedding), [judge it as a host](guides::hosts), [add a format](guides::adding_a_format). [Changes](guides::changes) lists each
//!   version.
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
//! Everything drawable becomes a [`Capture`], and no later step depends on its origin. The framebuffer is memory, so
//! rendering to a texture, block transfers and overlapping buffers need no interface of their own.
//!
//! # Rooms
//!
//! Each room is a folder and opens with a sentence on its contents. A room uses only rooms above it in this list,
//! and no two files import each other. A test reads the sources and checks both. The first seven are a crate of their own,
//! `pspge-engine`, so that the compiler keeps them apart from the formats and optimises what draws.
//!
//! * [`mod@reference`]: how the hardware and the formats behave, with evidence.
//! * [`ge`]: the state of the machine. Addresses, memory, commands, registers, numbers, limits.
//! * [`pipeline`]: one draw, from bytes in memory to primitives on the screen.
//! * [`asm`]: assembly text to lists and back.
//! * [`run`]: interpreter, sinks and watchers, replay, trace, decoded geometry.
//! * [`queue`]: the kernel's queue of lists, its callbacks and their order.
//! * [`raster`]: the reference rasterizer, the fast one, and the pixel rules that they share.
//! * [`model`]: the result of a model format. Memory image, list, skeleton, animations, textures.
//! * [`scene`]: camera, render target, and the way from a model to a picture.
//! * [`formats`]: one module for each game, tool or container.
//! * [`export`]: glTF, Wavefront OBJ, frame dumps.
//! * `import`: changed pictures back into the files that hold them as textures, and changed geometry into models.
//! * [`mod@check`]: the linter for lists, frame dumps and models.
//! * [`debug`]: the debugger's core. The events of a run, and the state at each of them.
//! * [`recording`]: what a running machine draws, as a frame dump.
//! * `asset`: the facade at the root of the crate.
//! * [`documents`]: the types of the JSON that the command prints.
//! * [`compare`]: the difference of two pictures, read or drawn.
//! * [`inspect`]: answers the requests of a page that takes a frame apart.
//! * [`mod@table`]: frames as Arrow tables.
//!
//! # Invariants
//!
//! * The library does no input or output: bytes in, values out. It does not print.
//! * Interpreter and rasterizer do not know each other; no room above [`formats`] in the list knows a format.
//! * Running never fails: a run returns a [`Report`] with [`Note`]s, within [`Limits`]. Only opening a file can fail,
//!   with a located [`FormatError`].
//! * Raw words are the state. Typed views are computed from them, and each register is declared once.
//! * Equal input gives equal bytes on every run, thread count and machine: integer arithmetic where the hardware has it,
//!   a fixed order of operations elsewhere, no platform mathematics.
//! * Every fact names its source: a page of [`mod@reference`], a public hardware test, or "assumed".
//!
//! # Features
//!
//! All but the last four are on by default.
//!
//! * `pictures`: the PNG files that assembly text names as textures (part of `formats`).
//! * `formats`: the file formats, and with them [`open`]. Without it, lists come as words, memory images or assembly text.
//! * `export`: glTF, Wavefront OBJ and recorded frame dumps.
//! * `compare`: comparison of pictures.
//! * `threads`: several threads that draw one picture.
//! * `serde`: types of the [`documents`] that the command prints as JSON (part of `export`).
//! * `import`: changed pictures back into files of textures, and geometry into models (with `export`). It is off by default.
//! * `inspect`: the requests and answers of the inspector (with `export`).
//! * `schema`: JSON Schema of these documents. It is off by default.
//! * `table`: Arrow tables of frames (with `export`). It is off by default.

#[cfg(feature = "formats")]
mod asset;

pub mod check;
#[cfg(feature = "compare")]
pub mod compare;
pub mod debug;
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
#[cfg(feature = "inspect")]
pub mod inspect;
pub mod model;
#[cfg(feature = "export")]
pub mod recording;
pub mod scene;
#[cfg(feature = "table")]
pub mod table;
pub mod texture_pack;

#[doc(inline)]
pub use pspge_engine::{asm, ge, pipeline, queue, raster, reference, run};

/// The `image` crate, whose types hold pictures.
///
/// ```
/// let pixel: pspge::image::Rgba<u8> = pspge::image::Rgba([255, 0, 0, 255]);
/// assert_eq!(pixel.0[3], 255);
/// ```
pub use image;

/// ```
/// let asset = pspge::open("signal.ge", b"NOP | FINISH | END")?;
/// assert_eq!((asset.name(), asset.format()), ("signal.ge", "ge"));
/// assert!(asset.notes().is_empty(), "the file has no oddities");
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::Asset;

/// ```
/// let error = pspge::open("notes.txt", b"dear diary").expect_err("not a file of a known format");
/// assert_eq!(error.to_string(), "not a file of a known format: it is a text");
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::Error;

/// ```
/// let text = b"BASE hi(points) | VTYPE position=BITS16 | VADDR lo(points)\n\
///     PRIM primitive=POINTS count=2 | FINISH | END\n\
///     .align 4\npoints: .s16 32767 0 0 0 32767 0";
/// let geometry = pspge::open("points.ge", text)?.geometry()?;
/// assert_eq!(geometry.vertex_count(), 2);
/// println!("{}", geometry.summary());
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::Geometry;

/// ```
/// # let text = b"BASE hi(points) | VTYPE position=BITS16 | VADDR lo(points)\n\
/// #     PRIM primitive=POINTS count=2 | FINISH | END\n\
/// #     .align 4\npoints: .s16 32767 0 0 0 32767 0";
/// let geometry = pspge::open("points.ge", text)?.geometry()?;
/// let draw: &pspge::GeometryDraw = &geometry.draws[0];
/// assert_eq!((draw.primitive.name(), draw.points.as_slice()), (Some("POINTS"), [0, 1].as_slice()));
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::GeometryDraw;

/// ```
/// use pspge::{RunSpec, View};
///
/// let options = RunSpec::default().view(View::Left).size(256, 256).background([32, 32, 32, 255]);
/// assert_eq!(options.size, [256, 256]);
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::RunSpec;

/// ```
/// let pose = pspge::Pose { animation: "walk".to_owned(), frame: 2.5 };
/// let error = pspge::open("list.ge", b"FINISH | END")?.animate(&pose.animation, pose.frame).expect_err("no model");
/// assert_eq!(error.to_string(), "no animation \"walk\"");
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::Pose;

/// ```
/// use pspge::{Rendering, RunSpec};
///
/// let asset = pspge::open("empty.ge", b"FINISH | END")?;
/// let Rendering { color, depth, notes, .. } = asset.rasterize(&RunSpec::default())?;
/// assert_eq!((color.dimensions(), depth.dimensions()), ((480, 272), (480, 272)));
/// assert!(notes.is_empty(), "nothing was left out");
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::Rendering;

/// ```
/// use pspge::{Ending, Trace};
///
/// let asset = pspge::open("return.ge", b"RET | FINISH | END")?;
/// let Trace { lines, report } = asset.trace()?;
/// assert_eq!((lines.len(), report.ending), (3, Ending::Finished));
/// assert!(report.notes[0].to_string().contains("empty stack"), "there is no call to return from");
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::Trace;

/// ```
/// let camera = pspge::View::Top.camera();
/// assert_eq!(camera.pitch, 90.0);
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::View;

#[cfg(feature = "formats")]
#[doc(inline)]
pub use asset::{open, open_as, open_with};

/// ```
/// use pspge::Content;
///
/// let asset = pspge::open("list.ge", b"FINISH | END")?;
/// match asset.content() {
///     Some(Content::Model(model)) => println!("{} draws", model.info.draws),
///     Some(_) => println!("a file without a model"),
///     None => println!("assembly text"),
/// }
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use formats::Content;

/// ```
/// let format = pspge::Format::from_name("ppdmp").expect("a known format");
/// assert_eq!(format.name(), "ppdmp");
/// for format in pspge::Format::all() {
///     println!("{format}");
/// }
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use formats::Format;

/// ```
/// let error = pspge::open("broken.tm2", b"TIM2").expect_err("the header is cut off");
/// let pspge::Error::Format(error) = error else { panic!("the file has a format") };
/// println!("{error}");
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use formats::FormatError;

/// ```
/// let asset = pspge::open("list.ge", b"FINISH | END")?;
/// for member in asset.members() {
///     let member: &pspge::Member = member;
///     println!("{} at 0x{:x}", member.index, member.offset);
/// }
/// # Ok::<(), pspge::Error>(())
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use formats::Member;

/// ```
/// use pspge::{Limit, Limits, Request};
///
/// // Allow only 1000 commands.
/// let limits = Limits::default().with(Limit::Commands, 1000);
/// let request = Request { limits, ..Request::new("list.ge", b"FINISH | END") };
/// assert!(pspge::open_with(&request).is_ok());
/// ```
#[cfg(feature = "formats")]
#[doc(inline)]
pub use formats::Request;

/// ```
/// use pspge::Address;
///
/// let start = Address::vram(0x1000);
/// assert_eq!(start.offset(16), Address::new(0x0400_1010));
/// assert!(start.is_vram());
/// ```
#[doc(inline)]
pub use ge::address::Address;

/// ```
/// use pspge::Arithmetic;
///
/// assert_eq!(Arithmetic::default(), Arithmetic::Hardware);
/// ```
#[doc(inline)]
pub use ge::arithmetic::Arithmetic;

/// ```
/// use pspge::ge::overrides::Overrides;
/// use pspge::{Address, Capture, Memory, Registers};
///
/// let capture = Capture {
///     memory: Memory::default(),
///     registers: Registers::new(),
///     start: Address::new(0x0880_0000),
///     sources: Vec::new(),
///     events: Vec::new(),
///     overrides: Overrides::default(),
/// };
/// assert!(capture.final_display().is_none(), "no screen was set");
/// ```
#[doc(inline)]
pub use ge::capture::Capture;

/// ```
/// use pspge::{Command, Opcode};
///
/// let command = Command::from_word(0x0403_0003);
/// assert_eq!((command.opcode(), command.argument()), (Opcode::PRIM, 0x03_0003));
/// ```
#[doc(inline)]
pub use ge::command::Command;

/// ```
/// let limit = pspge::Limit::from_name("commands").expect("a known limit");
/// assert_eq!(limit.name(), "commands");
/// ```
#[doc(inline)]
pub use ge::limits::Limit;

/// ```
/// use pspge::{Limit, Limits};
///
/// let limits = Limits::default().with(Limit::Commands, 100);
/// assert_eq!(limits.get(Limit::Commands), 100);
/// ```
#[doc(inline)]
pub use ge::limits::Limits;

/// ```
/// use pspge::{Address, ListBuilder, Memory, Opcode};
///
/// let mut memory = Memory::default();
/// let mut list = ListBuilder::new(Address::new(0x0880_0000));
/// list.set(Opcode::FRAMEBUFWIDTH, 512).finish();
/// list.store(&mut memory);
/// assert_eq!(memory.read_u32(list.start()) >> 24, 0x9D);
/// ```
#[doc(inline)]
pub use ge::list::ListBuilder;

/// ```
/// use pspge::{Address, Memory};
///
/// let mut memory = Memory::default();
/// memory.write(Address::new(0x0880_0000), &[1, 2, 3, 4]);
/// // The mirror outside the cache shows the same bytes.
/// assert_eq!(memory.read_u32(Address::new(0x4880_0000)), 0x0403_0201);
/// ```
#[doc(inline)]
pub use ge::memory::Memory;

/// ```
/// use pspge::{Address, Interpreter, Limits, Memory, Note, NullObserver, NullSink, Registers};
///
/// // A list at an address without memory.
/// let mut interpreter = Interpreter::new(Registers::new(), pspge::Arithmetic::Hardware);
/// let (memory, start) = (&mut Memory::default(), Address::new(0x0000_1000));
/// let report = interpreter.run(memory, start, &mut NullSink, &mut NullObserver, &Limits::default());
/// let note: &Note = &report.notes[0];
/// println!("{note}");
/// ```
#[doc(inline)]
pub use ge::note::Note;

/// ```
/// use pspge::Opcode;
///
/// assert_eq!(Opcode::from_name("PRIM"), Some(Opcode::PRIM));
/// assert_eq!(Opcode::new(0x9B).name(), "CULL");
/// println!("{}", Opcode::CULL.info().doc);
/// ```
#[doc(inline)]
pub use ge::opcode::Opcode;

/// ```
/// use pspge::{Command, Opcode, Registers};
///
/// let mut registers = Registers::new();
/// registers.write(Command::new(Opcode::FOGENABLE, 1));
/// assert!(registers.is_on(Opcode::FOGENABLE));
/// ```
#[doc(inline)]
pub use ge::registers::Registers;

/// ```
/// /// Prints the animations of a model.
/// fn list_animations(model: &pspge::Model) {
///     for animation in &model.animations {
///         let animation: &pspge::Animation = animation;
///         println!("{:?}: {} frames", animation.name, animation.frames);
///     }
/// }
/// ```
#[doc(inline)]
pub use model::Animation;

/// ```
/// /// Returns the address of the list that draws a model, and the number of meshes.
/// fn summary(model: &pspge::Model) -> (pspge::Address, usize) {
///     (model.entry, model.info.meshes)
/// }
/// ```
#[doc(inline)]
pub use model::Model;

/// ```
/// use pspge::{Model, ModelTexture};
///
/// /// Decodes the first texture of a model with its first palette.
/// fn first_texture(model: &Model) -> Option<pspge::image::RgbaImage> {
///     let texture: &ModelTexture = model.textures.first()?;
///     Some(texture.decode(&model.memory, 0))
/// }
/// ```
#[doc(inline)]
pub use model::ModelTexture;

/// ```
/// use pspge::Skeleton;
///
/// let skeleton = Skeleton::new(Vec::new()).expect("no bone has a missing parent");
/// assert!(skeleton.bones().is_empty());
/// ```
#[doc(inline)]
pub use model::Skeleton;

/// ```
/// use pspge::{Draw, Memory};
///
/// /// Prints the raw vertices of a draw, as a sink may do.
/// fn print_vertices(memory: &Memory, draw: &Draw<'_>) {
///     for vertex in draw.raw_vertices(memory) {
///         println!("{:?}", vertex.position);
///     }
/// }
/// ```
#[doc(inline)]
pub use pipeline::draw::Draw;

/// ```
/// /// Returns whether an immediate draw bypasses the transform.
/// fn is_through(draw: &pspge::ImmediateDraw<'_>) -> bool {
///     draw.is_through()
/// }
/// ```
#[doc(inline)]
pub use pipeline::draw::ImmediateDraw;

/// ```
/// use pspge::{ColorSurface, Memory, Registers};
///
/// let surface = ColorSurface::from_registers(&Registers::new());
/// let image = surface.to_rgba(&Memory::default(), 16, 16);
/// assert_eq!(image.get_pixel(0, 0).0[..3], [0, 0, 0]);
/// ```
#[doc(inline)]
pub use pipeline::framebuffer::ColorSurface;

/// ```
/// use pspge::{DepthSurface, Memory, Registers};
///
/// let surface = DepthSurface::from_registers(&Registers::new());
/// assert_eq!(surface.read(&Memory::default(), 0, 0), 0);
/// ```
#[doc(inline)]
pub use pipeline::framebuffer::DepthSurface;

/// ```
/// /// Returns the number of vertices of a primitive on the screen.
/// fn count(primitive: &pspge::ScreenPrimitive) -> usize {
///     primitive.vertices().len()
/// }
/// ```
#[doc(inline)]
pub use pipeline::primitive::ScreenPrimitive;

/// ```
/// use pspge::ScreenVertex;
///
/// // The centre of the pixel at column 2, row 1, in 1/16 pixel.
/// let vertex = ScreenVertex { x: 2 * 16 + 8, y: 16 + 8, ..ScreenVertex::default() };
/// assert_eq!(vertex.x / 16, 2);
/// ```
#[doc(inline)]
pub use pipeline::primitive::ScreenVertex;

/// ```
/// use pspge::{ScreenVertex, Shape};
///
/// let shape = Shape::Line([ScreenVertex::default(); 2]);
/// assert!(matches!(shape, Shape::Line(_)));
/// ```
#[doc(inline)]
pub use pipeline::primitive::Shape;

/// ```
/// let vertex = pspge::Vertex { position: [1.0, 2.0, 3.0], ..pspge::Vertex::default() };
/// assert_eq!(vertex.weights, [0.0; 8]);
/// ```
#[doc(inline)]
pub use pipeline::vertex::Vertex;

/// ```
/// assert_eq!(pspge::Engine::default(), pspge::Engine::Fast);
/// ```
#[doc(inline)]
pub use raster::Engine;

/// ```
/// use pspge::{RasterOptions, Rasterizer};
///
/// let options = RasterOptions { wireframe: true, ..RasterOptions::default() };
/// assert_eq!(Rasterizer::new(options).statistics().pixels, 0);
/// ```
#[doc(inline)]
pub use raster::RasterOptions;

/// ```
/// use pspge::{Limits, RasterOptions, Rasterizer};
///
/// // A rasterizer is a sink: run any capture into it, then read the framebuffer from memory.
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let mut rasterizer = Rasterizer::new(RasterOptions::default());
/// let arithmetic = pspge::Arithmetic::Hardware;
/// let observer = &mut pspge::NullObserver;
/// pspge::replay(&mut capture, arithmetic, &mut rasterizer, observer, &Limits::default());
/// assert_eq!(rasterizer.statistics().primitives, 0);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[doc(inline)]
pub use raster::Rasterizer;

/// ```
/// /// Returns the texture coordinates of a decoded draw.
/// fn texcoords(draw: &pspge::DecodedDraw) -> Vec<[f32; 2]> {
///     draw.vertices.iter().map(|vertex| vertex.texcoord).collect()
/// }
/// ```
#[doc(inline)]
pub use run::decode::DecodedDraw;

/// ```
/// use pspge::{Arithmetic, GeometrySink, Limits, NullObserver};
///
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let mut sink = GeometrySink::new();
/// pspge::replay(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, &Limits::default());
/// assert!(sink.draws().is_empty());
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[doc(inline)]
pub use run::decode::GeometrySink;

/// ```
/// let run = pspge::open("list.ge", b"FINISH | END")?.run(&mut pspge::NullSink)?;
/// assert_eq!(run.report.ending, pspge::Ending::Finished);
/// # Ok::<(), pspge::Error>(())
/// ```
#[doc(inline)]
pub use run::interpreter::Ending;

/// ```
/// use pspge::{Arithmetic, Interpreter, Limits, NullObserver, NullSink, Registers};
///
/// let program = pspge::asm::assemble("AMBIENTCOLOR #ffffff | FINISH | END")?;
/// let mut memory = program.capture().memory;
/// let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
/// let limits = Limits::default();
/// let report = interpreter.run(&mut memory, program.entry, &mut NullSink, &mut NullObserver, &limits);
/// assert_eq!(report.commands, 3);
/// assert_eq!(interpreter.registers().rgb(pspge::Opcode::AMBIENTCOLOR), [255; 3]);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[doc(inline)]
pub use run::interpreter::Interpreter;

/// ```
/// /// Returns whether a run did everything that the list asked for.
/// fn is_complete(report: &pspge::Report) -> bool {
///     report.ending == pspge::Ending::Finished && report.notes.is_empty()
/// }
/// ```
#[doc(inline)]
pub use run::interpreter::Report;

/// ```
/// use pspge::{Arithmetic, Limits, NullObserver, NullSink};
///
/// let mut capture = pspge::asm::assemble("NOP | FINISH | END")?.capture();
/// let limits = Limits::default();
/// let run = pspge::replay(&mut capture, Arithmetic::Hardware, &mut NullSink, &mut NullObserver, &limits);
/// assert_eq!(run.report.commands, 3);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[doc(inline)]
pub use run::replay::run as replay;

/// ```
/// let asset = pspge::open("list.ge", b"FINISH | END")?;
/// let options = pspge::RunSpec::default();
/// asset.run_with(&options, &mut pspge::NullSink, &mut pspge::NullObserver)?;
/// # Ok::<(), pspge::Error>(())
/// ```
#[doc(inline)]
pub use run::sink::NullObserver;

/// ```
/// let run = pspge::open("list.ge", b"FINISH | END")?.run(&mut pspge::NullSink)?;
/// assert_eq!(run.report.draws, 0);
/// # Ok::<(), pspge::Error>(())
/// ```
#[doc(inline)]
pub use run::sink::NullSink;

/// ```
/// use std::ops::ControlFlow;
/// use pspge::{Memory, Observer, Opcode, Step};
///
/// /// Stops in front of the first PRIM.
/// struct Breakpoint;
///
/// impl Observer for Breakpoint {
///     fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
///         if step.command.opcode() == Opcode::PRIM { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
///     }
/// }
///
/// let asset = pspge::open("list.ge", b"NOP | PRIM primitive=POINTS count=1 | FINISH | END")?;
/// let run = asset.run_with(&pspge::RunSpec::default(), &mut pspge::NullSink, &mut Breakpoint)?;
/// assert_eq!(run.report.commands, 1);
/// # Ok::<(), pspge::Error>(())
/// ```
#[doc(inline)]
pub use run::sink::Observer;

/// ```
/// use pspge::{Draw, ImmediateDraw, Memory, Sink};
///
/// /// Counts vertices.
/// #[derive(Default)]
/// struct Counter(u32);
///
/// impl Sink for Counter {
///     fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
///         self.0 += draw.count;
///     }
///     fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
///         self.0 += draw.vertices.len() as u32;
///     }
///     fn flush(&mut self, _: &mut Memory) {}
/// }
///
/// let mut counter = Counter::default();
/// let text = b"BASE hi(points) | VTYPE position=BITS16 through=1 | VADDR lo(points)\n\
///     PRIM primitive=POINTS count=2 | FINISH | END\n\
///     .align 4\npoints: .s16 0 0 0 9 9 0";
/// pspge::open("points.ge", text)?.run(&mut counter)?;
/// assert_eq!(counter.0, 2);
/// # Ok::<(), pspge::Error>(())
/// ```
#[doc(inline)]
pub use run::sink::Sink;

/// ```
/// use pspge::Step;
///
/// /// Formats a step as address and word.
/// fn describe(step: &Step<'_>) -> String {
///     format!("{} {:08x}", step.at, step.command.word())
/// }
/// ```
#[doc(inline)]
pub use run::sink::Step;

/// ```
/// let asset = pspge::open("list.ge", b"NOP | FINISH | END")?;
/// let lines: Vec<pspge::CommandLine> = asset.trace()?.lines;
/// assert!(lines[0].to_string().contains("NOP"));
/// # Ok::<(), pspge::Error>(())
/// ```
#[doc(inline)]
pub use run::trace::CommandLine;

/// ```
/// use pspge::Camera;
///
/// // From the model's left side, a little above.
/// let camera = Camera { yaw: 90.0, pitch: 15.0, zoom: 1.0 };
/// let points = [[-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]];
/// let (view, projection) = camera.frame(points, 480, 272);
/// assert_eq!((view.len(), projection.len()), (12, 16));
/// ```
#[doc(inline)]
pub use scene::camera::Camera;

/// ```
/// use pspge::{Model, ModelRenderer, RunSpec};
///
/// /// Draws a model tile by tile and reports progress.
/// fn draw(model: &Model) -> pspge::image::RgbaImage {
///     let renderer: ModelRenderer = RunSpec::default().size(1024, 1024).renderer();
///     renderer.render(model, &mut |tile| println!("{tile:?}")).colors
/// }
/// ```
#[doc(inline)]
pub use scene::render::ModelRenderer;
