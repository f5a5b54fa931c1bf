//! Dependencies: which events wrote the bytes that draws, block transfers and the CPU read.
//!
//! # The writer of a byte
//! The writer is the last event that stored the byte. A draw that stores every pixel it covers, because it has no test
//! that may fail, is the writer of all of them. A draw with tests is the writer of the pixels that it changed; a pixel
//! that it stored with the same value keeps its writer. Depth is followed in the same way if anything but a depth test
//! reads it; otherwise its writer is the last draw that covered it. A recorded copy to VRAM leaves out the pixels that the
//! run has drawn itself. It is the writer of the bytes that it changed, and of those without a writer.
//!
//! # The bytes of a texture
//! If several events wrote a texture, and one of them was a draw or a transfer, the texels between the outermost ones of
//! each primitive count, as the reference rasterizer finds them. Otherwise, and with mip maps, all texels count.
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

/// The dependencies of the events of a run.
#[derive(Debug)]
pub struct Dependencies {
    /// The events.
    pub timeline: Timeline,
    /// The render passes, in order.
    pub passes: Vec<PassFacts>,
    /// The origin of the bytes of each event, by event.
    pub origins: Vec<Origin>,
    /// The reads of bytes of which an event wrote some, in the order of the readers. Bytes that come from uploads alone
    /// are left out.
    pub reads: Vec<Read>,
    /// The textures of the draws.
    pub textures: Vec<TextureUse>,
    /// The buffer that is shown at the end: the last one that the CPU selected, or the last one drawn to.
    pub display: Option<Display>,
    /// The last writers of all bytes.
    pub writers: ByteWriters,
    /// Memory after the run.
    pub memory: Memory,
    /// The result of the run.
    pub replayed: Replayed,
    /// The limit that ended the record early, if there is one.
    pub limit_hit: Option<LimitHit>,
}

/// The part of a frame that bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A draw of the render pass with this number.
    Pass(u32),
    /// A block transfer.
    Transfer,
    /// A copy by the CPU of bytes that a draw, a transfer or another such copy wrote.
    Copy,
    /// Another action of the CPU: the bytes are those of the recording, or a constant.
    Upload,
}

/// Bytes that were read, with their writers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The event that reads; `None` for the screen after the last event.
    pub reader: Option<EventNumber>,
    /// The way in which it reads.
    pub kind: ReadKind,
    /// The first address of the texture, the palette, the vertices, the copied bytes, or the buffer that is shown.
    pub address: Address,
    /// The writers of the bytes, rising. There is at least one, and none comes after the reader. A draw that samples
    /// its own target reads what earlier draws left there.
    pub writers: Arc<[WrittenBytes]>,
    /// Number of the bytes that no event wrote.
    pub unwritten: u64,
}

/// The way in which bytes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadKind {
    /// Texels of a draw.
    Texture,
    /// The palette of a draw. It was read when it was loaded.
    Palette,
    /// Vertices or control points of a draw.
    Vertices,
    /// Indices of a draw.
    Indices,
    /// The source of a block transfer or of a copy by the CPU.
    Copy,
    /// The buffer that the screen shows: selected by the CPU, or at the end of the run.
    Screen,
}

impl ReadKind {
    /// Returns the name of the kind.
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
