//! Requests from a page.

use serde::{Deserialize, Serialize};

use crate::asset::{self, Pose};
use crate::debug::timeline::EventNumber;
use crate::documents::draw_report::ArithmeticName;
use crate::documents::pixel::TargetInfo;
use crate::formats::Selection;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limits;
use crate::ge::registers::texture::PixelFormat;
use crate::scene::camera::Camera;

use super::error::InspectError;
use super::given_pictures::GivenPictures;

/// A request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "request", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Opens the file whose bytes come with the request. Runs of the file before it are forgotten.
    ///
    /// A model in several files comes with them: their bytes follow, in the same order. Which file is the model, and what
    /// the others are for, is told from their contents.
    Open {
        /// Which file: 0, or 1 for the one to compare with.
        #[serde(default)]
        input: usize,
        /// The name of the file.
        name: String,
        /// The member of a container: its index, name or format. The first one with a list if it is left out.
        #[serde(default)]
        member: Option<String>,
        /// Further files, whose bytes follow.
        #[serde(default)]
        others: Vec<OtherFile>,
    },
    /// Keeps the picture whose file comes with the request, so that an edit `--replace-texture ADDRESS=NAME` can name it. The
    /// answer has the name.
    KeepPicture {
        /// The name of the file.
        name: String,
    },
    /// The facts about a file.
    Input {
        /// Which file.
        #[serde(default)]
        input: usize,
    },
    /// The facts about the part of a file that a run names.
    Part {
        /// The file and its part.
        #[serde(default)]
        run: RunRequest,
    },
    /// The members of a container.
    Members {
        /// The file.
        #[serde(default)]
        run: RunRequest,
        /// The path of a container in it; the file itself if it is left out.
        #[serde(default)]
        member: Option<String>,
    },
    /// A texture of a file of textures or of a model, as the file stores it.
    StoredTexture {
        /// The file and its part.
        #[serde(default)]
        run: RunRequest,
        /// Position of the texture in the list of them.
        texture: usize,
        /// Number of the palette.
        #[serde(default)]
        palette: u32,
        /// Largest width and height: larger pictures are scaled down.
        #[serde(default)]
        max: Option<u32>,
    },
    /// The events of a run.
    Events {
        /// The run.
        #[serde(default)]
        run: RunRequest,
    },
    /// A picture in memory.
    Picture {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The moment; the end of the run if it is left out.
        #[serde(default)]
        at: Option<Moment>,
        /// The picture.
        source: PictureSource,
        /// Largest width and height: larger pictures are scaled down.
        #[serde(default)]
        max: Option<u32>,
    },
    /// The pixels that a draw covers.
    Coverage {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The event of the draw.
        event: EventNumber,
    },
    /// The work that each pixel of a colour buffer took.
    Heat {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The measure.
        kind: HeatKind,
        /// The moment.
        at: Moment,
        /// The buffer.
        buffer: BufferName,
    },
    /// The state before an event, or at the end.
    State {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The event.
        event: EventNumber,
    },
    /// Everything about a draw.
    Draw {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The event of the draw.
        event: EventNumber,
    },
    /// The history of a pixel.
    Pixel {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// The buffer; the one that is shown at the end if it is left out.
        #[serde(default)]
        target: Option<TargetInfo>,
        /// The last event of the history; that of the run if it is left out.
        #[serde(default)]
        until: Option<EventNumber>,
    },
    /// The passes, textures and targets of a run, and their dependencies.
    Passes {
        /// The run.
        #[serde(default)]
        run: RunRequest,
    },
    /// A part of memory, with the last writers of its bytes.
    Memory {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The moment.
        at: Moment,
        /// Address of the first byte; below 0x200000 it is an offset in VRAM.
        address: u32,
        /// Number of bytes.
        length: u32,
        /// Whether to list the events of the run that use the bytes.
        #[serde(default)]
        uses: bool,
    },
    /// The commands from the event before up to and with the command of an event.
    Commands {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The event.
        event: EventNumber,
        /// Number of a command, to list those from it on instead, whatever events they lead to.
        #[serde(default)]
        first: Option<u64>,
        /// Largest number of commands, the last ones.
        #[serde(default)]
        limit: Option<u32>,
    },
    /// The next command of the run, or the last one before, that is written in a way.
    FindCommand {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// A part of its text, of its address or of its number, in any case.
        text: String,
        /// Number of the command from which to look.
        from: u64,
        /// Whether to look for commands before it.
        #[serde(default)]
        backwards: bool,
    },
    /// The reference of a command.
    Reference {
        /// The name of the command.
        name: String,
    },
    /// The first difference of two runs, or the difference of two events.
    Diff {
        /// The first run.
        a: RunRequest,
        /// The second run.
        b: RunRequest,
        /// An event of each run, to compare these instead.
        #[serde(default)]
        events: Option<[EventNumber; 2]>,
    },
    /// A model as its camera shows it, at any size.
    Model {
        /// The file, the camera and the pose.
        #[serde(default)]
        run: RunRequest,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// A file to save.
    Export {
        /// The run.
        #[serde(default)]
        run: RunRequest,
        /// The kind of file.
        what: ExportKind,
        /// The moment of a picture, or the event that a part is cut out for.
        #[serde(default)]
        at: Option<Moment>,
        /// The draws whose geometry is saved, such as `3-7,9`; all if they are left out.
        #[serde(default)]
        draws: Option<String>,
    },
}

/// Number of an opened file. Each file that an engine opens has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct FileNumber(pub u32);

/// A file that is opened together with another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OtherFile {
    /// Its name.
    pub name: String,
    /// Number of its bytes.
    pub length: usize,
}

/// A run of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RunRequest {
    /// Which file: 0, or 1 for the one to compare with.
    pub input: usize,
    /// The number of this file in the answer to its request; that which is open as `input` if it is left out. Several pages
    /// share an engine, so that another file may be open meanwhile.
    pub file: Option<FileNumber>,
    /// The part of the file; that with which it was opened if it is left out.
    pub part: Option<PartSpec>,
    /// The arithmetic of transform and rasterizer; that of the PSP if it is left out.
    pub arithmetic: Option<ArithmeticName>,
    /// Changes to try, each in the form of an option of the command line, such as `--set ZTEST=ALWAYS@57`.
    pub edits: Vec<String>,
    /// The camera of a model; that of the command line if it is left out.
    pub camera: Option<CameraSpec>,
    /// The pose of a model.
    pub pose: Option<PoseSpec>,
}

impl RunRequest {
    /// Converts to the library's options with the same meaning. Edits that replace a texture take its picture from `pictures`.
    ///
    /// # Errors
    /// Fails if an edit cannot be parsed, or if its picture is missing.
    pub(super) fn to_options(
        &self,
        limits: &Limits,
        pictures: &GivenPictures,
    ) -> Result<asset::RunSpec, InspectError> {
        let mut options = asset::RunSpec::default().limits(*limits);
        options.arithmetic = self.arithmetic.map(Arithmetic::from);
        options.pose =
            self.pose.map(|PoseSpec { animation, frame }| Pose { animation: animation.to_string(), frame });
        if let Some(CameraSpec { yaw, pitch, zoom }) = self.camera {
            options.camera = Camera { yaw, pitch, zoom };
        }
        for text in &self.edits {
            options.edits.push(pictures.edit(text)?);
        }
        Ok(options)
    }
}

/// A part of a file: a member of a container, and the alternatives of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PartSpec {
    /// Path of the member, such as `2/0`; the first with a list if it is left out.
    pub member: Option<String>,
    /// Level of detail; the finest if it is left out.
    pub lod: Option<usize>,
    /// Group of alternative parts; 0 if it is left out.
    pub group: Option<usize>,
    /// Whether to draw hidden parts, too.
    pub hidden: bool,
}

impl PartSpec {
    /// Returns the same alternatives for opening a model.
    #[must_use]
    pub fn selection(&self) -> Selection {
        Selection {
            level_of_detail: self.lod.unwrap_or(0),
            group: self.group.unwrap_or(0),
            hidden: self.hidden,
        }
    }
}

/// A camera around a model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CameraSpec {
    /// Rotation around the vertical axis in degrees: 0 looks at the front, 90 at the model's left side.
    pub yaw: f64,
    /// Elevation of the viewpoint in degrees.
    pub pitch: f64,
    /// Magnification; 1 frames the model.
    #[serde(default = "one")]
    pub zoom: f64,
}

fn one() -> f64 {
    1.0
}

/// A frame of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PoseSpec {
    /// Number of the animation.
    pub animation: usize,
    /// The frame, from 0. Fractions lie between frames.
    #[serde(default)]
    pub frame: f64,
}

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// The event; the number of events for the end.
    pub event: EventNumber,
    /// Whether the moment is after the event, not before it.
    #[serde(default)]
    pub after: bool,
}

/// The origin of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PictureSource {
    /// The buffer that is shown at the end of the run.
    Screen,
    /// The colour buffer of the event.
    Color,
    /// The depth buffer of the event.
    Depth,
    /// The texture of the event.
    Texture {
        /// The level of the mip map.
        #[serde(default)]
        level: u32,
    },
    /// Memory, in any format.
    Memory(MemoryPicture),
}

/// A picture anywhere in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemoryPicture {
    /// Address of the first byte; below 0x200000 it is an offset in VRAM.
    pub address: u32,
    /// Pixels from one row to the next; 0 for the width.
    #[serde(default)]
    pub stride: u32,
    /// The storage of a pixel: the name of a format of texels, or `DEPTH16`.
    pub format: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether pixels are stored in blocks of 16 bytes by 8 rows.
    #[serde(default)]
    pub swizzled: bool,
    /// The palette of indices; palette memory at that moment if it is left out.
    #[serde(default)]
    pub palette: Option<PaletteName>,
}

/// A palette in memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PaletteName {
    /// Address of its first colour.
    pub address: u32,
    /// Storage of a colour.
    pub format: PixelFormat,
}

/// The work per pixel that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HeatKind {
    /// Number of fragments that were written.
    Overdraw,
    /// The cost of the fragments that cover the pixel, in thousandths of a plain one.
    Cost,
}

/// A colour buffer with its size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BufferName {
    /// Address of the upper left pixel.
    pub address: Address,
    /// Pixels from one row to the next.
    pub stride: u32,
    /// Format of the pixels.
    pub format: PixelFormat,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// A kind of file to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExportKind {
    /// The geometry as binary glTF.
    Gltf,
    /// The picture of the moment as PNG.
    Png,
    /// The run with its edits as a frame dump.
    Dump,
    /// The event alone as a frame dump that replays it.
    Trim,
}
