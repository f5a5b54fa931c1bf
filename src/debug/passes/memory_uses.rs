//! Lists the events that read or write a part of memory.
//!
//! A draw uses the bytes of all pixels that its primitives cover, whether or not these pass the tests, and all bytes
//! in its texture's levels. The words of the list itself do not count.
//!
//! ```
//! use pspge::debug::Shot;
//! use pspge::debug::passes::memory_uses::UseKind;
//!
//! let list = "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=15 y=15 | REGION2 x=63 y=63
//!     BASE hi(v) | VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FRAMEBUFPTR 0x8000 | TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=4 height_log2=4
//!     TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FINISH | END | .align 4 | v: .s16 0 0 0 0 0 16 16 16 16 0";
//! let shot = Shot::new(pspge::asm::assemble(list)?.capture());
//! let uses = shot.memory_uses(pspge::Address::vram(0), 64);
//! assert_eq!((uses[0].kind, uses[0].is_write, uses[0].bytes), (UseKind::Color, true, 64), "the first rectangle");
//! assert_eq!((uses[1].kind, uses[1].is_write, uses[1].bytes), (UseKind::Texture, false, 64), "the second");
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

use std::ops::Range;

use super::dependencies::ReadKind;
use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::edram::Translation;

/// How an event uses a part of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The event; `None` for the screen after the last event.
    pub event: Option<EventNumber>,
    /// How it uses the bytes.
    pub kind: UseKind,
    /// Whether it may write them, not only read them.
    pub is_write: bool,
    /// How many of the part's bytes it uses.
    pub bytes: u64,
}

/// How an event uses bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum UseKind {
    /// A draw may sample them as texels.
    Texture,
    /// A draw uses them as palette. They were read when the palette was loaded.
    Palette,
    /// A draw reads them as vertices or control points.
    Vertices,
    /// A draw reads them as indices.
    Indices,
    /// A block transfer or a copy by the CPU reads them, or a block transfer writes them.
    Copy,
    /// They are shown.
    Screen,
    /// A draw's colours depend on them, by blending, logic operations or masks, or it may write them as colour or
    /// stencil.
    Color,
    /// A draw's stencil test depends on them.
    Stencil,
    /// A draw's depth test compares with them, or the draw may write them as depth.
    Depth,
    /// The CPU writes them.
    Cpu,
}

impl UseKind {
    /// Returns the kind's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Texture => ReadKind::Texture.name(),
            Self::Palette => ReadKind::Palette.name(),
            Self::Vertices => ReadKind::Vertices.name(),
            Self::Indices => ReadKind::Indices.name(),
            Self::Copy => ReadKind::Copy.name(),
            Self::Screen => ReadKind::Screen.name(),
            Self::Color => "color",
            Self::Stencil => "stencil",
            Self::Depth => "depth",
            Self::Cpu => "cpu",
        }
    }
}

impl From<ReadKind> for UseKind {
    fn from(kind: ReadKind) -> Self {
        match kind {
            ReadKind::Texture => Self::Texture,
            ReadKind::Palette => Self::Palette,
            ReadKind::Vertices => Self::Vertices,
            ReadKind::Indices => Self::Indices,
            ReadKind::Copy => Self::Copy,
            ReadKind::Screen => Self::Screen,
        }
    }
}

/// How an event accesses bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    kind: UseKind,
    is_write: bool,
}

impl Access {
    /// Describes an event that depends on the bytes.
    pub(super) fn read(kind: impl Into<UseKind>) -> Self {
        Self { kind: kind.into(), is_write: false }
    }

    /// Describes an event that may write the bytes.
    pub(super) const fn write(kind: UseKind) -> Self {
        Self { kind, is_write: true }
    }
}

/// Collects the events that use a part of memory.
#[derive(Debug)]
pub(super) struct MemoryUses {
    /// The part, as bytes that somebody has written. So views of VRAM and other addresses for the same bytes are
    /// alike.
    part: ByteWriters,
    found: Vec<MemoryUse>,
    /// Where the last palette was loaded from, and its length.
    palette: Option<(Address, u32)>,
}

impl MemoryUses {
    /// Asks for `length` bytes from an address on.
    pub(super) fn new((address, length): (Address, u32), translation: Translation) -> Self {
        let mut part = ByteWriters::default();
        part.set(address, length, translation, EventNumber::default());
        Self { part, found: Vec::new(), palette: None }
    }

    /// Adds a use of a byte range, if it touches the part.
    pub(super) fn add(
        &mut self,
        event: Option<EventNumber>,
        access: Access,
        (start, length): (Address, u32),
        translation: Translation,
    ) {
        let mut bytes = 0;
        self.part.visit(start, length, translation, |range, asked| {
            bytes += asked.map_or(0, |_| range.len() as u64);
        });
        self.push(event, access, bytes);
    }

    /// The same for linear bytes in VRAM.
    pub(super) fn add_vram(&mut self, event: EventNumber, access: Access, bytes: Range<usize>) {
        let mut count = 0;
        self.part.visit_vram(bytes, |range, asked| count += asked.map_or(0, |_| range.len() as u64));
        self.push(Some(event), access, count);
    }

    fn push(&mut self, event: Option<EventNumber>, Access { kind, is_write }: Access, bytes: u64) {
        match self.found.last_mut() {
            _ if bytes == 0 => {}
            // Rows, levels and pieces of the same use count together.
            Some(last) if (last.event, last.kind, last.is_write) == (event, kind, is_write) => {
                last.bytes = last.bytes.saturating_add(bytes);
            }
            _ => self.found.push(MemoryUse { event, kind, is_write, bytes }),
        }
    }

    /// Notes from where a palette is loaded; `None` if it comes from a recording.
    pub(super) const fn load_palette(&mut self, from: Option<(Address, u32)>) {
        self.palette = from;
    }

    /// Notes that a draw uses the palette.
    pub(super) fn add_palette(&mut self, event: EventNumber, translation: Translation) {
        if let Some(palette) = self.palette {
            self.add(Some(event), Access::read(UseKind::Palette), palette, translation);
        }
    }

    /// Returns the uses, in order.
    pub(super) fn finish(self) -> Vec<MemoryUse> {
        self.found
    }
}
