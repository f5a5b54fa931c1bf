//! Describes a frame's render passes, and which of them read results from which.

use serde::{Deserialize, Serialize};

use super::events::state::surfaces::Rectangle;
use super::files::texture_index::IndexedTexture;
use super::note::NoteInfo;
use super::pixel::TargetInfo;
use super::schema_id::{Document, SchemaId};
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::registers::texture::PixelFormat;
use crate::pipeline::texture::content_hash::ContentHash;

mod build;
pub mod graphviz;

/// The render passes of a frame with their targets, inputs and readers, and the textures, palettes and targets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassesDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Number of draws of the run.
    pub draws: u64,
    /// Number of events of the run: draws, block transfers and actions of the CPU.
    pub events: u64,
    /// The passes, in order. A pass is a run of draws to the same colour buffer and depth buffer; it also ends if a block
    /// transfer or the CPU reads its result.
    pub passes: Vec<PassInfo>,
    /// The block transfers and copies by the CPU that read or write results of passes, in order.
    pub copies: Vec<CopyInfo>,
    /// The buffers that the screen shows, in order. The last one is that at the end, unless the CPU selected it and
    /// nothing was drawn to it after that.
    pub screens: Vec<ScreenInfo>,
    /// The dependencies between passes, copies and screens.
    pub edges: Vec<EdgeInfo>,
    /// The dependencies of each event: the events that wrote what it reads. Bytes that the CPU uploaded are left out.
    pub reads: Vec<ReadInfo>,
    /// The textures of all draws, each with each of its palettes.
    pub textures: Vec<IndexedTexture>,
    /// The palettes of the textures.
    pub palettes: Vec<PaletteUse>,
    /// The colour and depth buffers.
    pub targets: Vec<TargetUse>,
    /// Whether the whole run was followed; false if a limit ended the record.
    pub is_complete: bool,
    /// Notes on the input and on the run.
    pub notes: Vec<NoteInfo>,
}

impl Document for PassesDocument {
    const NAME: &'static str = "passes";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The render passes of a frame and their dependencies";
}

/// A render pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassInfo {
    /// Number of the pass, from 0.
    pub pass: u32,
    /// Number of the first draw.
    pub first_draw: u64,
    /// Number of the last draw.
    pub last_draw: u64,
    /// Number of the event of the first draw.
    pub first_event: EventNumber,
    /// Number of the event of the last draw.
    pub last_event: EventNumber,
    /// Number of draws.
    pub draws: u64,
    /// Number of primitives that are left after clipping and culling.
    pub primitives: u64,
    /// Number of pixels inside the scissor that the draws cover. Those that several draws cover count several times.
    pub pixels: u64,
    /// The colour buffer.
    pub color: TargetInfo,
    /// Whether colour or stencil may be written.
    pub color_written: bool,
    /// The pixels of the buffers that the draws cover, all sides inclusive; null if they cover none.
    pub drawn: Option<Rectangle>,
    /// The depth buffer; null if no draw tests or writes depth.
    pub depth: Option<DepthTargetInfo>,
    /// The draws in clear mode.
    pub clears: Vec<ClearInfo>,
    /// The textures that its draws use.
    pub textures: Vec<PassTexture>,
    /// Whether anything reads its result: another pass, a copy, or a screen.
    pub is_read: bool,
    /// Whether its result reaches a screen, directly or through others.
    pub is_shown: bool,
}

/// A depth buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DepthTargetInfo {
    /// Address of the upper left value, in the view of VRAM in which values are in order.
    pub address: Address,
    /// Values from one row to the next.
    pub stride: u32,
    /// Whether a draw compares with the depth in it.
    pub is_tested: bool,
    /// Whether a draw may write depth.
    pub is_written: bool,
}

/// A draw in clear mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClearInfo {
    /// Number of the draw.
    pub draw: u64,
    /// Whether colour is written.
    pub color: bool,
    /// Whether stencil is written.
    pub stencil: bool,
    /// Whether depth is written.
    pub depth: bool,
}

/// A texture in a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassTexture {
    /// Position of the texture in the list of the document.
    pub texture: u32,
    /// The draws of the pass that use it.
    pub draws: Vec<u64>,
    /// The passes that drew some of the texels that these draws sample; with its own number, the pass samples its own
    /// target.
    pub passes: Vec<u32>,
    /// The events of transfers and copies that wrote some of these texels.
    pub copies: Vec<EventNumber>,
}

/// A block transfer, or a copy by the CPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CopyInfo {
    /// Number of the event.
    pub event: EventNumber,
    /// Whether the CPU copies.
    pub kind: NodeKind,
    /// The event as a line of text.
    pub text: String,
    /// Whether its result reaches a screen.
    pub is_shown: bool,
}

/// A buffer that the screen shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScreenInfo {
    /// Number of the event that selects the buffer; null for the buffer at the end of the run.
    pub event: Option<EventNumber>,
    /// Address of the upper left pixel.
    pub address: Address,
}

/// A kind of node.
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

/// A pass, a copy or a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeInfo {
    /// The kind.
    pub kind: NodeKind,
    /// Number of the pass; null for others.
    pub pass: Option<u32>,
    /// Number of the event; null for passes and for the screen at the end.
    pub event: Option<EventNumber>,
}

/// A dependency of a node on another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EdgeInfo {
    /// The node that wrote the bytes.
    pub from: NodeInfo,
    /// The node that reads them.
    pub to: NodeInfo,
    /// The way in which it reads them: `texture`, `palette`, `vertices`, `indices`, `copy`, `screen`, `old colour`,
    /// `old stencil` or `old depth`.
    pub kind: String,
    /// The events that read; empty for old values and for the screen at the end.
    pub readers: Vec<EventNumber>,
    /// The events that wrote the bytes.
    pub writers: Vec<EventNumber>,
    /// Number of bytes, each counted as often as an event reads it.
    pub bytes: u64,
}

/// Bytes that an event reads, and the events that wrote them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadInfo {
    /// Number of the event that reads; null for the screen at the end.
    pub event: Option<EventNumber>,
    /// Number of the draw; null if the event is none.
    pub draw: Option<u64>,
    /// The way in which it reads: `texture`, `palette`, `vertices`, `indices`, `copy` or `screen`.
    pub kind: String,
    /// First address of the texture, the palette, the vertices, the copied bytes, or the buffer that is shown.
    pub address: Address,
    /// The events that wrote the bytes last.
    pub writers: Vec<WriterBytes>,
    /// Number of the bytes that no event wrote.
    pub unwritten: u64,
}

/// An event that wrote bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WriterBytes {
    /// Number of the event.
    pub event: EventNumber,
    /// Number of bytes.
    pub bytes: u64,
}

/// A palette with its uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaletteUse {
    /// Hash of the entries that texels can reach.
    pub hash: ContentHash,
    /// Storage of the colours.
    pub format: Option<PixelFormat>,
    /// Addresses that it was loaded from.
    pub addresses: Vec<Address>,
    /// Positions of its textures in the list of the document.
    pub textures: Vec<u32>,
    /// Numbers of the draws that use it.
    pub draws: Vec<u64>,
}

/// A colour or depth buffer with its uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetUse {
    /// Address of the upper left pixel, in the view of VRAM in which pixels are in order.
    pub address: Address,
    /// Pixels from one row to the next.
    pub stride: u32,
    /// Format of the pixels of a colour buffer; null for a depth buffer, which has 16 bits a pixel.
    pub format: Option<PixelFormat>,
    /// Columns that scissor and region allowed draws to reach; null for a depth buffer.
    pub width: Option<u32>,
    /// Rows that scissor and region allowed draws to reach; null for a depth buffer.
    pub height: Option<u32>,
    /// The pixels that draws cover, all sides inclusive; null if they cover none.
    pub drawn: Option<Rectangle>,
    /// Numbers of the passes that draw to it.
    pub passes: Vec<u32>,
    /// Number of draws of these passes.
    pub draws: u64,
}
