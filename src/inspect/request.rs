//! Requests from a page.

use serde::{Deserialize, Serialize};

use crate::asset::{self, Pose};
use crate::debug::pixel::target::PixelTarget;
use crate::debug::timeline::EventNumber;
use crate::documents::draw_report::ArithmeticName;
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
    /// Opens the file whose bytes come with this request. Runs of the file before it are forgotten.
    ///
    /// If a model consists of several files, they come with it: their bytes follow, in the same order. Their
    /// contents tell which file is the model, and what the others are for.
    Open {
        /// Which file: 0, or 1 for the file to compare with.
        #[serde(default)]
        input: usize,
        /// The file's name.
        name: String,
        /// The container's member to open: its index, name or format. If this is left out, the first with a list.
        #[serde(default)]
        member: Option<String>,
        /// Further files whose bytes follow.
        #[serde(default)]
        others: Vec<OtherFile>,
    },
    /// Keeps the picture whose file comes with this request, so that an edit `--replace-texture ADDRESS=NAME` can
    /// name it. The answer has the name.
    KeepPicture {
        /// The file's name.
        name: String,
    },
    /// Asks for a file's description.
    Input {
        /// Which file.
        #[serde(default)]
        input: usize,
    },
    /// Asks for a description of the part of a file that a run names.
    Part {
        /// The file and its part.
        #[serde(default)]
        run: RunRequest,
    },
    /// Asks for a container's members.
    Members {
        /// The file.
        #[serde(default)]
        run: RunRequest,
        /// The path to a container in this file; if this is left out, the file itself.
        #[serde(default)]
        member: Option<String>,
    },
    /// Asks for a texture as a texture file or a model stores it.
    StoredTexture {
        /// The file and its part.
        #[serde(default)]
        run: RunRequest,
        /// The texture's position in the list of textures.
        texture: usize,
        /// Which of its palettes to use.
        #[serde(default)]
        palette: u32,
        /// The largest width and height: larger pictures are scaled down.
        #[serde(default)]
        max: Option<u32>,
    },
    /// Asks for a run's events.
    Events {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
    },
    /// Asks for a picture in memory.
    Picture {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// When to look; if this is left out, at the run's end.
        #[serde(default)]
        at: Option<Moment>,
        /// Which picture to take.
        source: PictureSource,
        /// The largest width and height: larger pictures are scaled down.
        #[serde(default)]
        max: Option<u32>,
    },
    /// Asks for the pixels covered by a draw.
    Coverage {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// The draw's event.
        event: EventNumber,
    },
    /// Asks how much work each pixel in a colour buffer took.
    Heat {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// How to measure the work.
        kind: HeatKind,
        /// When to look.
        at: Moment,
        /// Which buffer to look at.
        buffer: BufferName,
    },
    /// Asks for the state before an event, or at the end.
    State {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// The event.
        event: EventNumber,
    },
    /// Asks for everything about a draw.
    Draw {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// The draw's event.
        event: EventNumber,
    },
    /// Asks for a pixel's history.
    Pixel {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// The pixel's column.
        x: u32,
        /// The pixel's row.
        y: u32,
        /// The buffer that holds this pixel; if this is left out, the buffer shown at the end.
        #[serde(default)]
        target: Option<PixelTarget>,
        /// The last event in this history; if this is left out, the run's last.
        #[serde(default)]
        until: Option<EventNumber>,
    },
    /// Asks for a run's passes, textures and targets, and for their dependencies.
    Passes {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
    },
    /// Asks for a part of memory, and who wrote each byte last.
    Memory {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// When to look.
        at: Moment,
        /// The first byte's address; below 0x200000 this is an offset in VRAM.
        address: u32,
        /// How many bytes to show.
        length: u32,
        /// Whether to list the run's events that use these bytes.
        #[serde(default)]
        uses: bool,
    },
    /// Asks for the commands that lead to an event: those after the event before, up to and with its own command.
    Commands {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// The event.
        event: EventNumber,
        /// The number of a command, to list commands from there on instead, whatever events they lead to.
        #[serde(default)]
        first: Option<u64>,
        /// How many commands to list at most. If there are more, the last are listed.
        #[serde(default)]
        limit: Option<u32>,
    },
    /// Searches for the next command whose text matches, or for the last before.
    FindCommand {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// A part of the command's text, address or number, in any case.
        text: String,
        /// The number of the command to search from.
        from: u64,
        /// Whether to search for commands before it.
        #[serde(default)]
        backwards: bool,
    },
    /// Asks for a command's reference.
    Reference {
        /// The command's name.
        name: String,
    },
    /// Asks for the first difference between two runs, or for the difference between two events.
    Diff {
        /// The first run.
        a: RunRequest,
        /// The second run.
        b: RunRequest,
        /// An event in each run, to compare these instead.
        #[serde(default)]
        events: Option<[EventNumber; 2]>,
    },
    /// Asks for a model as its camera shows it, at any size.
    Model {
        /// The file, the camera and the pose.
        #[serde(default)]
        run: RunRequest,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// Asks for a file to save.
    Export {
        /// The file to run, with its edits.
        #[serde(default)]
        run: RunRequest,
        /// Which kind of file to save.
        what: ExportKind,
        /// The moment for a picture, or the event for which to cut out a part.
        #[serde(default)]
        at: Option<Moment>,
        /// The draws whose geometry to save, such as `3-7,9`; if this is left out, all.
        #[serde(default)]
        draws: Option<String>,
    },
}

/// An opened file's number. An engine gives each file that it opens another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct FileNumber(pub u32);

/// A file to open together with another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OtherFile {
    /// Its name.
    pub name: String,
    /// How many bytes it has.
    pub length: usize,
}

/// A file to run, and how to run it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RunRequest {
    /// Which file: 0, or 1 for the file to compare with.
    pub input: usize,
    /// The number that an earlier answer gave to this file; if this is left out, the file now open as `input` is
    /// taken. Several pages share an engine, so another file may be open meanwhile.
    pub file: Option<FileNumber>,
    /// Which part of the file to run; if this is left out, the part with which it was opened.
    pub part: Option<PartSpec>,
    /// The arithmetic used to transform and rasterize; if this is left out, the PSP's.
    pub arithmetic: Option<ArithmeticName>,
    /// Changes to try, each in the form of an option for the command line, such as `--set ZTEST=ALWAYS@57`.
    pub edits: Vec<String>,
    /// A model's camera; if this is left out, the command line's.
    pub camera: Option<CameraSpec>,
    /// A model's pose.
    pub pose: Option<PoseSpec>,
}

impl RunRequest {
    /// Converts to the library's options with the same meaning. Edits that replace a texture take its picture from
    /// `pictures`.
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

/// Which part of a file to open: a container's member, and a model's alternatives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PartSpec {
    /// Path to the member, such as `2/0`; if this is left out, the first with a list.
    pub member: Option<String>,
    /// The level of detail; if this is left out, the finest.
    pub lod: Option<usize>,
    /// The group of alternative parts; if this is left out, 0.
    pub group: Option<usize>,
    /// Whether to draw hidden parts, too.
    pub hidden: bool,
}

impl PartSpec {
    /// Returns the same alternatives, to open a model with them.
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
    /// How high the viewpoint is, in degrees.
    pub pitch: f64,
    /// How much to magnify; 1 frames the model.
    #[serde(default = "one")]
    pub zoom: f64,
}

fn one() -> f64 {
    1.0
}

/// A frame in an animation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PoseSpec {
    /// The animation's number.
    pub animation: usize,
    /// The frame, from 0. Fractions lie between frames.
    #[serde(default)]
    pub frame: f64,
}

/// A moment in a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// The event; for the end, the number of events.
    pub event: EventNumber,
    /// Whether this moment is after the event, not before it.
    #[serde(default)]
    pub after: bool,
}

/// Where to take a picture from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PictureSource {
    /// The buffer shown at the run's end.
    Screen,
    /// The event's colour buffer.
    Color,
    /// The event's depth buffer.
    Depth,
    /// The event's texture.
    Texture {
        /// Which mip level to show.
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
    /// The first byte's address; below 0x200000 this is an offset in VRAM.
    pub address: u32,
    /// How far apart rows start, in pixels; 0 for the width.
    #[serde(default)]
    pub stride: u32,
    /// How a pixel is stored: the name of a texel format, or `DEPTH16`.
    pub format: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether pixels are stored in blocks of 16 bytes by 8 rows.
    #[serde(default)]
    pub swizzled: bool,
    /// The palette for indexed pixels; if this is left out, palette memory at that moment.
    #[serde(default)]
    pub palette: Option<PaletteName>,
}

/// A palette in memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PaletteName {
    /// Its first colour's address.
    pub address: u32,
    /// How a colour is stored.
    pub format: PixelFormat,
}

/// How to measure the work per pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HeatKind {
    /// How many fragments were written.
    Overdraw,
    /// What the fragments covering this pixel cost, in thousandths of a plain fragment.
    Cost,
}

/// A colour buffer with its size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BufferName {
    /// Address of the upper left pixel.
    pub address: Address,
    /// How far apart rows start, in pixels.
    pub stride: u32,
    /// How its pixels are stored.
    pub format: PixelFormat,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The kinds of files to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExportKind {
    /// The geometry as binary glTF.
    Gltf,
    /// The picture at the given moment as PNG.
    Png,
    /// The run with its edits as a frame dump.
    Dump,
    /// The event alone as a frame dump, to replay only this.
    Trim,
}
