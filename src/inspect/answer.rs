//! Answers to a page's requests.

use serde::{Deserialize, Serialize};

use crate::debug::timeline::EventNumber;
use crate::documents::error::ErrorInfo;
use crate::documents::event_state::WriterInfo;
use crate::documents::info::MemberInfo;
use crate::documents::note::NoteInfo;
use crate::documents::opcode::{FieldDescription, OpcodeDocument};
use crate::documents::state::pixel::ClearState;
use crate::documents::state::surfaces::Rectangle;
use crate::documents::timeline::EventKindName;
use crate::documents::value::FieldValue;
use crate::documents::{
    CommandDocument, DiffDocument, DrawReportDocument, InfoDocument, MemoryDocument, PassesDocument,
    PixelDocument, StateDocument,
};
use crate::formats::ListedMember;
use crate::ge::address::Address;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::texture::content_hash::ContentHash;

use super::request::{CameraSpec, FileNumber, PartSpec, PoseSpec};

/// An answer. Some have bytes, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// Describes a file.
    Input(Box<InputAnswer>),
    /// Confirms that a picture is kept.
    KeepPicture {
        /// The name for edits to refer to this picture: the file's name, with a number if another picture has it.
        name: String,
    },
    /// Lists a container's members.
    Members {
        /// The members, in the file's order; empty if the file is no container.
        members: Vec<MemberRow>,
    },
    /// Lists a run's events.
    Events(Box<EventsAnswer>),
    /// A picture. Its bytes follow, row by row.
    Picture(PictureAnswer),
    /// The pixels covered by a draw. How many fragments each pixel in the box has follows, in a byte each; 255 means
    /// 255 or more.
    Coverage(CoverageAnswer),
    /// The work per pixel. Its values follow, 32 bits each, little-endian.
    Heat(HeatAnswer),
    /// The state before an event.
    State(Box<StateAnswer>),
    /// Everything about a draw.
    Draw {
        /// The draw's report.
        document: Box<DrawReportDocument>,
    },
    /// A pixel's history.
    Pixel {
        /// The history itself.
        document: Box<PixelDocument>,
    },
    /// A run's passes.
    Passes {
        /// The passes and their dependencies.
        document: Box<PassesDocument>,
    },
    /// A part of memory. Its bytes follow; bytes without memory are 0.
    Memory {
        /// Describes this part.
        document: Box<MemoryDocument>,
    },
    /// Commands in a run.
    Commands(CommandsAnswer),
    /// The result of a search for a command.
    FindCommand(FoundCommandAnswer),
    /// A command's reference.
    Reference {
        /// The reference itself.
        document: Box<OpcodeDocument>,
    },
    /// The first difference between two runs.
    Diff {
        /// Describes the difference.
        document: Box<DiffDocument>,
    },
    /// A file to save. Its bytes follow.
    File {
        /// A name under which to save it.
        name: String,
        /// Its media type.
        media_type: String,
        /// Tells which parts were left out.
        notes: Vec<NoteInfo>,
    },
    /// There is no answer.
    Error {
        /// Why there is none.
        error: ErrorInfo,
    },
}

/// Describes a file, to choose which panels a page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InputAnswer {
    /// The shown part's name, as a command takes it.
    pub name: String,
    /// The name of the file or folder opened, without a member.
    pub container: String,
    /// Which part is shown.
    pub part: PartSpec,
    /// Whether it holds members to choose from.
    pub has_members: bool,
    /// The number under which the engine keeps this file, for later requests to name it.
    pub file: FileNumber,
    /// The file's hash.
    pub hash: ContentHash,
    /// The id of the game that a frame was recorded from.
    pub game: Option<String>,
    /// The words of the command line's options with which this file was opened, without options that choose its
    /// part.
    pub options: Vec<String>,
    /// Its contents, as `pspge info` lists them; null for frames and lists, because their events say more.
    pub info: Option<InfoDocument>,
    /// The kind of content.
    pub kind: InputKind,
    /// Whether it has a display list to run.
    pub is_runnable: bool,
    /// The camera to show a model with at first, if another than the usual camera shows it best: a flat map from
    /// above, a picture from the front.
    pub camera: Option<CameraSpec>,
    /// The pose in which a model was opened; null for its pose at rest.
    pub pose: Option<PoseSpec>,
    /// Notes on the file.
    pub notes: Vec<NoteInfo>,
}

/// The kinds of content that a page treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// A model, shown through a camera.
    Model,
    /// A recorded frame.
    Frame,
    /// A display list on its own.
    List,
    /// A folder with several files, none of them shown yet.
    Folder,
    /// A file without a display list.
    Other,
}

/// A container's member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberRow {
    /// The path that leads to it, to open it.
    pub path: String,
    /// Whether it holds members in turn.
    pub holds_members: bool,
    /// Describes the member.
    pub info: MemberInfo,
}

impl From<&ListedMember> for MemberRow {
    fn from(listed: &ListedMember) -> Self {
        let ListedMember { path, holds_members, member } = listed;
        Self { path: path.clone(), holds_members: *holds_members, info: member.into() }
    }
}

/// A run's events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventsAnswer {
    /// How many events there are.
    pub count: u32,
    /// The events, in order.
    pub events: Vec<EventRow>,
    /// The colour buffers that these events write.
    pub buffers: Vec<BufferInfo>,
    /// The buffer shown at the end; null if there is none.
    pub screen: Option<BufferInfo>,
    /// Notes on this run.
    pub notes: Vec<NoteInfo>,
    /// How this run ended, as a sentence.
    pub ended: String,
    /// Whether the events are complete; false if a limit ended the run.
    pub is_complete: bool,
}

/// An event in a run. Members that its kind does not have are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventRow {
    /// The event's number.
    pub event: EventNumber,
    /// The kind of event.
    pub kind: EventKindName,
    /// The draw's number.
    pub draw: Option<u64>,
    /// How many commands ran before this event, which is the number of its own command if it has one.
    pub command: u64,
    /// Address of the command; for an action by the CPU, of the word at which the list waits.
    pub address: Address,
    /// The event as a line of text, without its number.
    pub text: String,
    /// The draw's primitive type.
    pub primitive: Option<PrimitiveType>,
    /// How many vertices the draw has, or control points for a patch.
    pub vertices: Option<u32>,
    /// The pass's number. A pass is a run of draws to the same buffers.
    pub pass: Option<u32>,
    /// Its colour buffer, as an index into `buffers`.
    pub buffer: Option<u32>,
    /// The draw's texture.
    pub texture: Option<EventTexture>,
    /// How many fragments a draw covers inside the scissor, before all tests; for a transfer, how many pixels it
    /// copies.
    pub covered: u64,
    /// How many of a draw's fragments passed all tests; for a transfer, how many pixels it copies.
    pub passed: u64,
    /// What became of the draw's primitives.
    pub primitives: Option<PrimitiveCounts>,
    /// The pixels that a draw covers in the buffer, all sides inclusive.
    #[serde(rename = "box")]
    pub bounds: Option<Rectangle>,
    /// An estimate of what this event costs, in pixels of a plain draw. A vertex counts as eight.
    pub cost: u64,
    /// The registers written since the event before, by name, each once.
    pub registers: Vec<String>,
    /// Whether an edit leaves this event out.
    pub is_left_out: bool,
    /// The planes written by a draw in clear mode; null for other events.
    pub clears: Option<ClearState>,
    /// The switches that are on for this draw, by name, such as `FOGENABLE`.
    pub switches: Vec<String>,
    /// Blending, tests and effects that are on for this draw, worded as in `pspge trace --draws`.
    pub state: Vec<String>,
}

/// How many of a draw's primitives met which fate. Primitives not counted by any member but `all` are dropped: they
/// are outside the view, or behind the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrimitiveCounts {
    /// All primitives.
    pub all: u64,
    /// Primitives that reach the rasterizer, in whole or in part.
    pub drawn: u64,
    /// Primitives culled for their face.
    pub culled: u64,
    /// Primitives culled because they have no area.
    pub flat: u64,
}

/// An event's texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventTexture {
    /// Address of the first texel in level 0.
    pub address: Address,
    /// How texels are stored.
    pub format: TexelFormat,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// How many levels it has.
    pub levels: u32,
}

/// A colour buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BufferInfo {
    /// Address of the upper left pixel.
    pub address: Address,
    /// How far apart rows start, in pixels.
    pub stride: u32,
    /// How its pixels are stored.
    pub format: PixelFormat,
    /// How many columns draws may reach.
    pub width: u32,
    /// How many rows draws may reach.
    pub height: u32,
}

/// Describes a picture, for a page to read its bytes and to save it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PictureAnswer {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// How its bytes are to be read.
    pub pixels: PixelBytes,
    /// Its first byte's address in memory; null if memory does not hold it in this form.
    pub address: Option<Address>,
    /// How far apart rows start, in pixels, in memory.
    pub stride: u32,
    /// How a pixel is stored, in memory.
    pub format: String,
    /// Whether this picture is stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
}

/// How a picture's bytes are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PixelBytes {
    /// Red, green, blue, alpha. For a colour buffer, alpha is its stencil.
    Rgba8,
    /// Depth, 16 bits, little-endian.
    Depth16,
}

/// The pixels covered by a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoverageAnswer {
    /// The first column of the box around them.
    pub left: u32,
    /// The box's first row.
    pub top: u32,
    /// How many columns the box has; 0 without pixels.
    pub width: u32,
    /// How many rows the box has.
    pub height: u32,
    /// How many pixels are covered.
    pub pixels: u64,
    /// How many fragments there are: pixels covered by several primitives count several times.
    pub fragments: u64,
}

/// The work per pixel in a buffer, for a heat map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeatAnswer {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The largest value, to scale the colours.
    pub largest: u32,
    /// The sum over all values.
    pub total: u64,
}

/// The state before an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateAnswer {
    /// The state by topic.
    pub document: StateDocument,
    /// The registers, grouped to be shown.
    pub groups: Vec<RegisterGroup>,
}

/// Registers on the same topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterGroup {
    /// The group's name.
    pub name: String,
    /// Its registers.
    pub registers: Vec<RegisterRow>,
}

/// A register as a page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterRow {
    /// The command that writes it, by name.
    pub name: String,
    /// Its argument, 24 bits.
    pub argument: u32,
    /// Its argument as assembly text.
    pub text: String,
    /// The command's effect, in a sentence.
    pub meaning: String,
    /// The argument's fields.
    pub fields: Vec<FieldRow>,
    /// Whether the argument is 0.
    pub is_zero: bool,
    /// The argument just before the previous event, if it differs; null otherwise.
    pub before: Option<u32>,
    /// This earlier argument as assembly text.
    pub before_text: Option<String>,
    /// The command or action that wrote it last.
    pub writer: WriterInfo,
    /// Why an edit cannot set this register; null if one can.
    pub fixed: Option<String>,
}

/// A register's field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldRow {
    /// Its name, its bits and its named values.
    pub description: FieldDescription,
    /// Its value.
    pub value: FieldValue,
    /// Its value in the form that an edit takes.
    pub text: String,
}

/// Commands in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandsAnswer {
    /// The commands, in order.
    pub commands: Vec<CommandDocument>,
    /// The number of the event's own command; null if it has none.
    pub event_command: Option<u64>,
    /// How many earlier commands are left out.
    pub left_out: u64,
    /// How many commands the whole run has.
    pub total: u64,
    /// Addresses of the calls that lead to the first command, the outermost first. Empty if commands are left out.
    pub callers: Vec<Address>,
}

/// The result of a search for a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundCommandAnswer {
    /// The command's number; null if there is none in this direction.
    pub command: Option<u64>,
    /// How many such commands the whole run has.
    pub count: u64,
}
