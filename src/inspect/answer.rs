//! Answers to the requests from a page.

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
    /// The facts about a file.
    Input(Box<InputAnswer>),
    /// A picture is kept.
    KeepPicture {
        /// The name by which an edit can name it: that of the file, with a number if another picture has it.
        name: String,
    },
    /// The members of a container.
    Members {
        /// The members, in the order of the file; none if it is no container.
        members: Vec<MemberRow>,
    },
    /// The events of a run.
    Events(Box<EventsAnswer>),
    /// A picture. Its bytes follow, row by row.
    Picture(PictureAnswer),
    /// The pixels that a draw covers. The number of its fragments at each pixel of the box follows, one byte each; 255 is
    /// 255 or more.
    Coverage(CoverageAnswer),
    /// The work per pixel. Its values follow, 32 bits each, little-endian.
    Heat(HeatAnswer),
    /// The state before an event.
    State(Box<StateAnswer>),
    /// Everything about a draw.
    Draw {
        /// The report.
        document: Box<DrawReportDocument>,
    },
    /// The history of a pixel.
    Pixel {
        /// The history.
        document: Box<PixelDocument>,
    },
    /// The passes of a run.
    Passes {
        /// The passes.
        document: Box<PassesDocument>,
    },
    /// A part of memory. Its bytes follow; those without memory are 0.
    Memory {
        /// The facts about it.
        document: Box<MemoryDocument>,
    },
    /// Commands of a run.
    Commands(CommandsAnswer),
    /// A command that was looked for.
    FindCommand(FoundCommandAnswer),
    /// The reference of a command.
    Reference {
        /// The reference.
        document: Box<OpcodeDocument>,
    },
    /// The first difference of two runs.
    Diff {
        /// The difference.
        document: Box<DiffDocument>,
    },
    /// A file to save. Its bytes follow.
    File {
        /// A name for it.
        name: String,
        /// The media type.
        media_type: String,
        /// What was left out.
        notes: Vec<NoteInfo>,
    },
    /// There is no answer.
    Error {
        /// The reason.
        error: ErrorInfo,
    },
}

/// The facts about a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InputAnswer {
    /// The name of the shown part, as a command takes it.
    pub name: String,
    /// The name of the file or folder that was opened, without a member.
    pub container: String,
    /// The part of it that is shown.
    pub part: PartSpec,
    /// Whether it holds members to choose from.
    pub has_members: bool,
    /// Number under which the engine keeps it, for the runs of later requests.
    pub file: FileNumber,
    /// Hash of the file.
    pub hash: ContentHash,
    /// Id of the game that a frame was recorded from.
    pub game: Option<String>,
    /// Words of the command line's options with which the file was opened, without those that choose its part.
    pub options: Vec<String>,
    /// The contents, as `pspge info` lists them; null for frames and lists, whose events say more.
    pub info: Option<InfoDocument>,
    /// The kind of content.
    pub kind: InputKind,
    /// Whether it has a display list to run.
    pub is_runnable: bool,
    /// The camera that shows a model best at first, if it is not the usual one: a flat map is looked at from above, a picture from the front.
    pub camera: Option<CameraSpec>,
    /// The pose that a model was opened in; null for its pose at rest.
    pub pose: Option<PoseSpec>,
    /// Notes on the file.
    pub notes: Vec<NoteInfo>,
}

/// The kind of content of a file, as a page distinguishes them.
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
    /// A folder of files, of which none is shown.
    Folder,
    /// A file without a display list.
    Other,
}

/// A member of a container.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberRow {
    /// The path that leads to it.
    pub path: String,
    /// Whether it holds members in turn.
    pub holds_members: bool,
    /// The facts about it.
    pub info: MemberInfo,
}

impl From<&ListedMember> for MemberRow {
    fn from(listed: &ListedMember) -> Self {
        let ListedMember { path, holds_members, member } = listed;
        Self { path: path.clone(), holds_members: *holds_members, info: member.into() }
    }
}

/// The events of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventsAnswer {
    /// Number of events.
    pub count: u32,
    /// The events, in order.
    pub events: Vec<EventRow>,
    /// The colour buffers that the events write.
    pub buffers: Vec<BufferInfo>,
    /// The buffer that is shown at the end; null if there is none.
    pub screen: Option<BufferInfo>,
    /// Notes on the run.
    pub notes: Vec<NoteInfo>,
    /// The way in which the run ended, as a sentence.
    pub ended: String,
    /// Whether all events are complete; false if a limit ended the run.
    pub is_complete: bool,
}

/// An event of a run. Members that its kind does not have are null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventRow {
    /// Number of the event.
    pub event: EventNumber,
    /// The kind of event.
    pub kind: EventKindName,
    /// Number of the draw.
    pub draw: Option<u64>,
    /// Number of commands executed before the event, which is the number of its own command if it has one.
    pub command: u64,
    /// Address of the command; of an action of the CPU, of the word that the list waits at.
    pub address: Address,
    /// The event as a line of text, without its number.
    pub text: String,
    /// The primitive type of a draw.
    pub primitive: Option<PrimitiveType>,
    /// Number of vertices of a draw, or of control points of a patch.
    pub vertices: Option<u32>,
    /// Number of the pass. A pass is a run of draws to the same buffers.
    pub pass: Option<u32>,
    /// Position of the colour buffer in the list of buffers.
    pub buffer: Option<u32>,
    /// The texture of a draw.
    pub texture: Option<EventTexture>,
    /// Number of fragments that a draw covers inside the scissor, before all tests; of a transfer, its pixels.
    pub covered: u64,
    /// Number of fragments of a draw that passed all tests; of a transfer, its pixels.
    pub passed: u64,
    /// The primitives of a draw by what became of them.
    pub primitives: Option<PrimitiveCounts>,
    /// The pixels of the buffer that a draw covers, all sides inclusive.
    #[serde(rename = "box")]
    pub bounds: Option<Rectangle>,
    /// An estimate of the cost of the event, in pixels of a plain draw. A vertex counts as eight.
    pub cost: u64,
    /// Names of the registers that were written since the event before, each once.
    pub registers: Vec<String>,
    /// Whether an edit leaves the event out.
    pub is_left_out: bool,
    /// The planes that a draw in clear mode writes; null for other events.
    pub clears: Option<ClearState>,
    /// Names of the switches that are on for a draw, such as `FOGENABLE`.
    pub switches: Vec<String>,
    /// Blending, tests and effects that are on for a draw, as the lines of `pspge trace --draws` word them.
    pub state: Vec<String>,
}

/// Numbers of primitives of a draw. Those that are not named here are dropped: outside the view, or behind the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrimitiveCounts {
    /// All of them.
    pub all: u64,
    /// Those that reach the rasterizer, in whole or in part.
    pub drawn: u64,
    /// Those that are culled for their face.
    pub culled: u64,
    /// Those that are culled because they have no area.
    pub flat: u64,
}

/// The texture of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventTexture {
    /// Address of the first texel of level 0.
    pub address: Address,
    /// Storage of texels.
    pub format: TexelFormat,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Number of levels.
    pub levels: u32,
}

/// A colour buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BufferInfo {
    /// Address of the upper left pixel.
    pub address: Address,
    /// Pixels from one row to the next.
    pub stride: u32,
    /// Format of the pixels.
    pub format: PixelFormat,
    /// Columns that draws may reach.
    pub width: u32,
    /// Rows that draws may reach.
    pub height: u32,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PictureAnswer {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The form of its bytes.
    pub pixels: PixelBytes,
    /// Address of its first byte in memory; null if it is not in memory as such.
    pub address: Option<Address>,
    /// Pixels from one row to the next, in memory.
    pub stride: u32,
    /// The storage of a pixel, in memory.
    pub format: String,
    /// Whether the picture is stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
}

/// The form of the bytes of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PixelBytes {
    /// Red, green, blue, alpha. The alpha of a colour buffer is its stencil.
    Rgba8,
    /// Depth, 16 bits, little-endian.
    Depth16,
}

/// The pixels that a draw covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoverageAnswer {
    /// First column of the box around them.
    pub left: u32,
    /// First row of the box.
    pub top: u32,
    /// Columns of the box; 0 without pixels.
    pub width: u32,
    /// Rows of the box.
    pub height: u32,
    /// Number of pixels.
    pub pixels: u64,
    /// Number of fragments: pixels that several primitives cover count several times.
    pub fragments: u64,
}

/// The work per pixel of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeatAnswer {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The largest value.
    pub largest: u32,
    /// The sum of all values.
    pub total: u64,
}

/// The state before an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateAnswer {
    /// The state by topic.
    pub document: StateDocument,
    /// The registers in groups.
    pub groups: Vec<RegisterGroup>,
}

/// Registers that decide one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterGroup {
    /// The name of the group.
    pub name: String,
    /// The registers.
    pub registers: Vec<RegisterRow>,
}

/// A register.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterRow {
    /// Name of the command that writes it.
    pub name: String,
    /// The argument, of 24 bits.
    pub argument: u32,
    /// The argument as assembly text.
    pub text: String,
    /// The effect of the command, in one sentence.
    pub meaning: String,
    /// The fields of the argument.
    pub fields: Vec<FieldRow>,
    /// Whether the argument is 0.
    pub is_zero: bool,
    /// The argument before the event before, if it differs; null otherwise.
    pub before: Option<u32>,
    /// That argument as assembly text.
    pub before_text: Option<String>,
    /// The last writer.
    pub writer: WriterInfo,
    /// Why an edit cannot set it; null if one can.
    pub fixed: Option<String>,
}

/// A field of a register.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldRow {
    /// Its name, its bits and its named values.
    pub description: FieldDescription,
    /// The value.
    pub value: FieldValue,
    /// The value as an edit takes it.
    pub text: String,
}

/// Commands of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandsAnswer {
    /// The commands, in order.
    pub commands: Vec<CommandDocument>,
    /// Number of the command of the event; null if it has none.
    pub event_command: Option<u64>,
    /// Number of commands before the first one that are left out.
    pub left_out: u64,
    /// Number of commands of the whole run.
    pub total: u64,
    /// Addresses of the calls in which the first command is, the outermost first. Empty if commands are left out.
    pub callers: Vec<Address>,
}

/// A command that was looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundCommandAnswer {
    /// Its number; null if there is none in that direction.
    pub command: Option<u64>,
    /// Number of such commands in the whole run.
    pub count: u64,
}
