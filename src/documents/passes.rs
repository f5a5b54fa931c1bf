//! Describes a frame's render passes, and which of them read results from which, to show how the frame is built.

use serde::{Deserialize, Serialize};

use super::events::state::surfaces::Rectangle;
use super::files::texture_index::IndexedTexture;
use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::debug::passes::splitter::Clear;
use crate::debug::pixel::target::PixelTarget;
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::registers::texture::PixelFormat;
use crate::pipeline::texture::content_hash::ContentHash;

mod build;
pub mod graphviz;

/// A frame's render passes with their targets, inputs and readers, and all textures, palettes and targets in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassesDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// How many draws this run has.
    pub draws: u64,
    /// How many events this run has: draws, block transfers and actions by the CPU.
    pub events: u64,
    /// The passes, in order. A pass is a run of draws to the same colour buffer and depth buffer; it also ends if a
    /// block transfer or the CPU reads its result.
    pub passes: Vec<PassInfo>,
    /// The block transfers and CPU copies that read or write pass results, in order.
    pub copies: Vec<CopyInfo>,
    /// The buffers shown on the screen, in order. The last has a null `event` and is shown at the run's end; it is left
    /// out if the CPU selected the same buffer last and nothing was drawn to it after that.
    pub screens: Vec<ScreenInfo>,
    /// Which pass, copy or screen reads from which.
    pub edges: Vec<EdgeInfo>,
    /// For each event, who wrote the bytes it reads. Bytes uploaded by the CPU are left out.
    pub reads: Vec<ReadInfo>,
    /// The textures in all draws, with an entry for each palette used with a texture.
    pub textures: Vec<IndexedTexture>,
    /// The palettes for these textures.
    pub palettes: Vec<PaletteUse>,
    /// The colour and depth buffers.
    pub targets: Vec<TargetUse>,
    /// Whether this covers the whole run; false if a limit ended the record.
    pub is_complete: bool,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for PassesDocument {
    const NAME: &'static str = "passes";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The render passes of a frame and their dependencies";
}

/// A render pass: successive draws to the same buffers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassInfo {
    /// This pass's number, from 0.
    pub pass: u32,
    /// The number of its first draw.
    pub first_draw: u64,
    /// The number of its last draw.
    pub last_draw: u64,
    /// The first draw's event number.
    pub first_event: EventNumber,
    /// The last draw's event number.
    pub last_event: EventNumber,
    /// How many draws it has.
    pub draws: u64,
    /// How many primitives are left after clipping and culling.
    pub primitives: u64,
    /// How many pixels its draws cover inside the scissor. Pixels covered by several draws count several times.
    pub pixels: u64,
    /// The colour buffer that it draws to.
    pub color: PixelTarget,
    /// Whether colour or stencil may be written.
    pub color_written: bool,
    /// The part of its buffers covered by draws, in pixels, all sides inclusive; null if nothing is covered.
    pub drawn: Option<Rectangle>,
    /// The depth buffer; null if no draw tests or writes depth.
    pub depth: Option<DepthTargetInfo>,
    /// Its draws in clear mode.
    pub clears: Vec<Clear>,
    /// The textures sampled by its draws.
    pub textures: Vec<PassTexture>,
    /// Whether anything reads this pass's result: another pass, a copy, or a screen.
    pub is_read: bool,
    /// Whether its result reaches a screen, directly or through other passes and copies.
    pub is_shown: bool,
}

/// A pass's depth buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DepthTargetInfo {
    /// Address of the upper left value, in the view of VRAM that has values in order.
    pub address: Address,
    /// How far apart rows start, in values.
    pub stride: u32,
    /// Whether a draw compares against this depth.
    pub is_tested: bool,
    /// Whether a draw may write depth.
    pub is_written: bool,
}

/// A texture in a pass, with the work that made its texels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassTexture {
    /// The texture's index in the document's `textures`.
    pub texture: u32,
    /// The draws in this pass that use it.
    pub draws: Vec<u64>,
    /// The passes that drew texels sampled by these draws. If this includes the pass's own number, the pass samples
    /// its own target.
    pub passes: Vec<u32>,
    /// The transfers and copies that wrote some of these texels, by event number.
    pub copies: Vec<EventNumber>,
}

/// A block transfer, or a copy by the CPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CopyInfo {
    /// Its event number.
    pub event: EventNumber,
    /// `transfer`, or `copy` if the CPU copies.
    pub kind: NodeKind,
    /// The event as a line of text.
    pub text: String,
    /// Whether its result reaches a screen.
    pub is_shown: bool,
}

/// A buffer shown on the screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScreenInfo {
    /// The event that selects this buffer; null for the buffer at the run's end.
    pub event: Option<EventNumber>,
    /// Address of the upper left pixel.
    pub address: Address,
}

/// The kinds of nodes in the graph of dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// A render pass.
    Pass,
    /// A block transfer.
    Transfer,
    /// A copy by the CPU.
    Copy,
    /// A screen.
    Screen,
}

/// A pass, a copy or a screen, as an edge names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeInfo {
    /// Tells which of the two numbers names this node.
    pub kind: NodeKind,
    /// The pass's number; null for others.
    pub pass: Option<u32>,
    /// The event's number; null for passes, and for the screen at the end.
    pub event: Option<EventNumber>,
}

/// A dependency: a node reads bytes written by another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EdgeInfo {
    /// The node that wrote the bytes.
    pub from: NodeInfo,
    /// The node that reads them.
    pub to: NodeInfo,
    /// How it reads them: `texture`, `palette`, `vertices`, `indices`, `copy`, `screen`, `old colour`, `old stencil`
    /// or `old depth`.
    pub kind: String,
    /// The reading events; empty for old values and for the screen at the end.
    pub readers: Vec<EventNumber>,
    /// The writing events.
    pub writers: Vec<EventNumber>,
    /// How many bytes are read. A byte read by several events counts for each.
    pub bytes: u64,
}

/// Bytes read by an event, and who wrote them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadInfo {
    /// The reading event; null for the screen at the end.
    pub event: Option<EventNumber>,
    /// Its draw number; null if this event is no draw.
    pub draw: Option<u64>,
    /// How it reads: `texture`, `palette`, `vertices`, `indices`, `copy` or `screen`.
    pub kind: String,
    /// First address of the texture, the palette, the vertices, the copied bytes, or the buffer shown.
    pub address: Address,
    /// The last events to write these bytes.
    pub writers: Vec<WriterBytes>,
    /// How many of the bytes no event wrote.
    pub unwritten: u64,
}

/// An event whose bytes another reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WriterBytes {
    /// The writing event.
    pub event: EventNumber,
    /// How many bytes it wrote.
    pub bytes: u64,
}

/// A palette with its uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaletteUse {
    /// Hash over the entries in reach of texels.
    pub hash: ContentHash,
    /// How its colours are stored.
    pub format: Option<PixelFormat>,
    /// All addresses from which it was loaded.
    pub addresses: Vec<Address>,
    /// The textures used with it, as indices into the document's `textures`.
    pub textures: Vec<u32>,
    /// The draws that use it, by number.
    pub draws: Vec<u64>,
}

/// A colour or depth buffer with its uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetUse {
    /// Address of the upper left pixel, in the view of VRAM that has pixels in order.
    pub address: Address,
    /// How far apart rows start, in pixels.
    pub stride: u32,
    /// A colour buffer's pixel format; null for a depth buffer, which has 16 bits a pixel.
    pub format: Option<PixelFormat>,
    /// How many columns scissor and region allowed draws to reach; null for a depth buffer.
    pub width: Option<u32>,
    /// How many rows scissor and region allowed draws to reach; null for a depth buffer.
    pub height: Option<u32>,
    /// The part covered by draws, in pixels, all sides inclusive; null if nothing is covered.
    pub drawn: Option<Rectangle>,
    /// The passes that draw to it, by number.
    pub passes: Vec<u32>,
    /// How many draws these passes have together.
    pub draws: u64,
}
