//! The core of [pspge](https://docs.rs/pspge), for everything the PSP's Graphics Engine does with a display list.
//! It knows no file format.
//!
//! Programs use the crate `pspge`, which has these rooms under the same names and adds files, models and the
//! debugger. This crate is separate so that the compiler optimises the drawing code, and little else. Items that
//! only pspge uses are public but hidden, and may change with every version. Examples call this crate `pspge`,
//! because users reach it by that name.

pub mod asm;
pub mod ge;
pub mod pipeline;
pub mod queue;
pub mod raster;
pub mod reference;
pub mod run;

#[doc(no_inline)]
pub use ge::{
    address::Address,
    arithmetic::Arithmetic,
    capture::Capture,
    command::Command,
    limits::{Limit, Limits},
    list::ListBuilder,
    memory::Memory,
    note::Note,
    opcode::Opcode,
    registers::Registers,
};
#[doc(no_inline)]
pub use pipeline::{
    draw::{Draw, ImmediateDraw},
    framebuffer::{ColorSurface, DepthSurface},
    primitive::{ScreenPrimitive, ScreenVertex, Shape},
    vertex::Vertex,
};
#[doc(no_inline)]
pub use raster::{Engine, RasterOptions, Rasterizer};
#[doc(no_inline)]
pub use run::{
    decode::{DecodedDraw, GeometrySink},
    interpreter::{Ending, Interpreter, Report},
    replay::run as replay,
    sink::{NullObserver, NullSink, Observer, Sink, Step},
    trace::CommandLine,
};
