//! Finds dependencies: which events wrote the bytes read by draws, block transfers and the CPU.
//!
//! # The writer of a byte
//! The writer is the last event that stored the byte. If a draw has no test that may fail, it stores every covered
//! pixel, so it is the writer for all of them. A draw with tests is the writer for pixels that it changed; a pixel
//! stored with the same value keeps its writer. Depth is followed in the same way if anything but a depth test reads
//! it; otherwise its writer is the last draw that covered it. A recorded copy to VRAM leaves out pixels already
//! drawn by the run itself, so it is the writer for bytes that it changed, and for bytes without a writer.
//!
//! # The bytes of a texture
//! If several events wrote a texture, and at least one was a draw or a transfer, only some texels count: for each
//! primitive those between the outermost texels that it samples, as the reference rasterizer finds them. Otherwise,
//! and with mip maps, all texels count.
//!
//! ```
//! use pspge::debug::passes::dependencies::ReadKind;
//! use pspge::debug::Shot;
//!
//! let list = "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=15 y=15 | REGION2 x=63 y=63
//!     BASE hi(v) | VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FRAMEBUFPTR 0x8000 | TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=4 height_log2=4
//!     TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FINISH | END | .align 4 | v: .s16 0 0 0 0 0 16 16 16 16 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let found = Shot::new(capture).dependencies(None);
//! assert_eq!(found.passes.len(), 2);
//! let read = &found.reads[0];
//! assert_eq!((read.kind, read.writers[0].writer), (ReadKind::Texture, found.passes[0].events[0]));
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

use std::fmt;
use std::sync::Arc;

use super::splitter::PassFacts;
use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::memory::written_bytes::WrittenBytes;
use crate::debug::timeline::{EventNumber, Timeline};
use crate::ge::address::Address;
use crate::ge::capture::Display;
use crate::ge::limits::LimitHit;
use crate::ge::memory::Memory;
use crate::run::replay::Replayed;
use crate::run::texture_uses::TextureUse;

/// The dependencies between a run's events.
#[derive(Debug)]
pub struct Dependencies {
    /// The events.
    pub timeline: Timeline,
    /// The render passes, in order.
    pub passes: Vec<PassFacts>,
    /// Where each event's bytes come from, by event number.
    pub origins: Vec<Origin>,
    /// Reads with at least one byte written by an event, in the readers' order. This leaves out bytes from uploads
    /// alone.
    pub reads: Vec<Read>,
    /// The draws' textures.
    pub textures: Vec<TextureUse>,
    /// The buffer to show at the end: the CPU's last choice, or the buffer last drawn to.
    pub display: Option<Display>,
    /// Tells each byte's last writer.
    pub writers: ByteWriters,
    /// Memory after the run.
    pub memory: Memory,
    /// The run's result.
    pub replayed: Replayed,
    /// The limit hit by the record, if it ended early.
    pub limit_hit: Option<LimitHit>,
}

/// Where bytes in a frame come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A draw in the render pass with this number.
    Pass(u32),
    /// A block transfer.
    Transfer,
    /// A copy by the CPU from bytes written by a draw, a transfer or another such copy.
    Copy,
    /// Another action by the CPU. Its bytes are a constant, or come from the recording.
    Upload,
}

/// Bytes read together, with their writers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The reading event; `None` for the screen after the last event.
    pub reader: Option<EventNumber>,
    /// How the reader uses the bytes.
    pub kind: ReadKind,
    /// The first address: for a texture, a palette, vertices, copied bytes, or the buffer on the screen.
    pub address: Address,
    /// Who wrote the bytes, rising. There is at least one writer, and none comes after the reader. A draw that
    /// samples its own target reads the results of earlier draws.
    pub writers: Arc<[WrittenBytes]>,
    /// How many bytes were never written by an event.
    pub unwritten: u64,
}

/// How bytes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadKind {
    /// A draw's texels.
    Texture,
    /// A draw's palette. The bytes were read when it was loaded.
    Palette,
    /// A draw's vertices or control points.
    Vertices,
    /// A draw's indices.
    Indices,
    /// The source for a block transfer or for a copy by the CPU.
    Copy,
    /// The buffer shown on the screen, selected by the CPU or at the run's end.
    Screen,
}

impl ReadKind {
    /// Returns the kind's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Texture => "texture",
            Self::Palette => "palette",
            Self::Vertices => "vertices",
            Self::Indices => "indices",
            Self::Copy => "copy",
            Self::Screen => "screen",
        }
    }
}

impl fmt::Display for ReadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
