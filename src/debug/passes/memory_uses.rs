//! Lists the events that read or write a part of memory.
//!
//! Draws use the bytes of the pixels that their primitives cover, whether or not these pass the tests, and all bytes of the
//! levels of their texture. The words of the list itself do not count.
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
//! let kinds: Vec<_> = uses.iter().map(|found| (found.event.map(|event| event.0), found.kind, found.bytes)).collect();
//! assert_eq!(kinds[..2], [(Some(0), UseKind::WriteColor, 64), (Some(1), UseKind::Texture, 64)]);
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

use super::dependencies::ReadKind;
use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::edram::Translation;

/// An event's use of a part of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The event; `None` for the screen after the last one.
    pub event: Option<EventNumber>,
    /// How it uses the bytes.
    pub kind: UseKind,
    /// How many of them.
    pub bytes: u64,
}

/// How an event uses bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// A draw may sample them as texels.
    Texture,
    /// A draw uses them as palette. They were read when it was loaded.
    Palette,
    /// A draw reads them as vertices or control points.
    Vertices,
    /// A draw reads them as indices.
    Indices,
    /// A block transfer or a copy by the CPU reads them.
    Copy,
    /// They are shown.
    Screen,
    /// A draw's colours depend on them, by blending, logic operations or masks.
    ReadColor,
    /// A draw's stencil test depends on them.
    ReadStencil,
    /// A draw's depth test compares with them.
    ReadDepth,
    /// A draw may write them as colour or stencil.
    WriteColor,
    /// A draw may write them as depth.
    WriteDepth,
    /// A block transfer writes them.
    WriteTransfer,
    /// The CPU writes them.
    WriteCpu,
}

impl UseKind {
    /// Returns whether the event may write the bytes.
    #[must_use]
    pub const fn is_write(self) -> bool {
        matches!(self, Self::WriteColor | Self::WriteDepth | Self::WriteTransfer | Self::WriteCpu)
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

/// Collects the uses of a part of memory.
#[derive(Debug)]
pub(super) struct MemoryUses {
    /// The part, as the bytes that somebody has written. So views of VRAM and other addresses for the same bytes are
    /// alike.
    part: ByteWriters,
    found: Vec<MemoryUse>,
    /// The address and the length of the last palette.
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
        kind: UseKind,
        (start, length): (Address, u32),
        translation: Translation,
    ) {
        let mut bytes = 0;
        self.part.visit(start, length, translation, |range, asked| {
            bytes += asked.map_or(0, |_| range.len() as u64);
        });
        self.push(event, kind, bytes);
    }

    /// The same for linear bytes of VRAM.
    pub(super) fn add_vram(&mut self, event: EventNumber, kind: UseKind, bytes: std::ops::Range<usize>) {
        let mut count = 0;
        self.part.visit_vram(bytes, |range, asked| count += asked.map_or(0, |_| range.len() as u64));
        self.push(Some(event), kind, count);
    }

    fn push(&mut self, event: Option<EventNumber>, kind: UseKind, bytes: u64) {
        match self.found.last_mut() {
            _ if bytes == 0 => {}
            // Rows, levels and pieces of one use count together.
            Some(last) if (last.event, last.kind) == (event, kind) => {
                last.bytes = last.bytes.saturating_add(bytes);
            }
            _ => self.found.push(MemoryUse { event, kind, bytes }),
        }
    }

    /// Notes from where a palette is loaded; `None` if it comes from a recording.
    pub(super) const fn load_palette(&mut self, from: Option<(Address, u32)>) {
        self.palette = from;
    }

    /// Adds the use of the palette by a draw.
    pub(super) fn add_palette(&mut self, event: EventNumber, translation: Translation) {
        if let Some(palette) = self.palette {
            self.add(Some(event), UseKind::Palette, palette, translation);
        }
    }

    /// Returns the uses, in order.
    pub(super) fn finish(self) -> Vec<MemoryUse> {
        self.found
    }
}
