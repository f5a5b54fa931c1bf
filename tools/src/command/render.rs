//! `pspge render`: renders inputs to pictures.

use std::path::{Path, PathBuf};

use pspge::debug::what_if::edit::Edit;
use pspge::export::picture_file::{PictureFormat, PictureKind};
use pspge::ge::draw_set::DrawSet;
use pspge::run::stop_after::StopAfter;
use pspge::scene::depth_range::DepthRange;
use pspge::scene::frame_range::FrameRange;
use pspge::{Asset, RunSpec};

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::camera::CameraArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::run::ArithmeticArg;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::what_if::{self, WhatIfArgs};

mod frame;
mod model;
mod overlay;
mod target;
mod values;

use target::Target;
pub(crate) use values::{Background, Compression, Size};
use values::{Buffer, picture_format};

/// Groups options for sequences, in the help.
const SEQUENCES: &str = "Sequences of a model";

/// Render INPUT to a picture
///
/// A model is drawn with a camera that shows all of it. To draw a display list or frame dump, this runs it and
/// writes its framebuffer. Several inputs, or a folder and everything below it, become a picture each in the folder
/// --output. Files that cannot be drawn are reported, and the others are still drawn.
///
/// The extension of --output selects the format: .png, .apng, .bmp, .tga, .qoi, .webp (without loss), .gif, .ppm, or
/// .pgm for depth and stencil.
///
/// An option that cannot apply to INPUT is an error. For several inputs, it is only an error if no input can use it;
/// otherwise, a note names each input that cannot.
#[derive(Debug, clap::Args)]
#[command(mut_args(shorten_help))]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Format of the pictures in an output folder, by its extension [default: png]
    #[arg(long = "type", value_name = "EXTENSION", value_parser = picture_format, hide_short_help = true)]
    picture_type: Option<PictureFormat>,

    /// Compression of PNG files [default: fast]
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true)]
    compression: Option<Compression>,

    #[command(flatten)]
    open: OpenOptions,

    /// Size of the picture [default: 480x272]
    ///
    /// A model has any size up to 4096x4096. For a list or frame dump, 960x544, 1920x1088 and 3840x2176 draw the
    /// screen at this resolution; other sizes show the upper left part of its framebuffer.
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,

    #[command(flatten)]
    camera: CameraArgs,

    /// Draw these frames of --anim: A-B, A-B:STEP, A- or `all`
    ///
    /// The pictures become an animation (--output out.png, out.apng, out.webp, or out.gif with 256 colours), or one
    /// file each, numbered by their frames, in a folder or with a name such as out-%04d.png. The camera stays and
    /// shows all frames.
    #[arg(long, help_heading = SEQUENCES, value_name = "RANGE", requires = "anim")]
    #[arg(conflicts_with_all = ["frame"])]
    frames: Option<FrameRange>,

    /// Draw N pictures from all sides, as a sequence like --frames
    ///
    /// With --frames, the animation goes on during the turn, and repeats if it is shorter.
    #[arg(long, help_heading = SEQUENCES, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=3600))]
    turntable: Option<u32>,

    /// Background colour of a model, in hexadecimal [default: 303840]
    ///
    /// AA gives the picture an alpha channel.
    #[arg(long, value_name = "RRGGBB[AA]")]
    background: Option<Background>,

    #[command(flatten)]
    what_if: WhatIfArgs,

    /// Draw only the edges of triangles: of all, or of those of DRAWS
    #[arg(long, value_name = "DRAWS", num_args = 0..=1, require_equals = true, default_missing_value = "0-")]
    #[arg(hide_short_help = true)]
    wireframe: Option<DrawSet>,

    /// Arithmetic of transform and rasterizer [default: hardware; single for models if --size exceeds 480x272]
    #[arg(long, value_enum, hide_short_help = true)]
    arithmetic: Option<ArithmeticArg>,

    /// Stop a list or frame dump after this draw or command
    ///
    /// `pspge trace` shows their numbers.
    #[arg(long, value_name = "draw:N|command:N")]
    until: Option<StopAfter>,

    /// Buffer to write; depth and stencil become grey values
    #[arg(long, value_enum, default_value = "display")]
    buffer: Buffer,

    /// Show the pixels of draw N in the frame, coloured by their fate
    ///
    /// The frame after the run is dimmed to grey. Pixels written by the draw are red (ff3030). Other colours mark
    /// pixels killed only by the depth test (3060ff), the stencil test (a040ff), the colour test (20d0d0), the alpha
    /// test (ffd020) or the depth range (20c020), or protected by masks (ff80c0). A white line surrounds all of
    /// them.
    #[arg(long, value_name = "N", hide_short_help = true)]
    #[arg(conflicts_with_all = ["wireframe", "normalize", "frames", "turntable"])]
    highlight: Option<u64>,

    /// Show how many fragments were written to each pixel
    ///
    /// From 0 to 8 the colours are 000000, 102060, 1848b0, 1888d8, 18b0a0, 30b040, 90c020, e0d020, f0a018; then
    /// f06018 from 9 on, e02020 from 13, d020c0 from 17 and ffffff from 33. Clears count, block transfers do not. A
    /// note tells the largest and the mean number.
    #[arg(long, conflicts_with_all = ["highlight", "normalize", "frames", "turntable"], hide_short_help = true)]
    overdraw: bool,

    /// Stretch the drawn depths to the whole range of grey values, with a note on their range
    #[arg(long, hide_short_help = true)]
    normalize: bool,
}

/// Keeps the options for changes out of the short help, because it has no room for them.
fn shorten_help(arg: clap::Arg) -> clap::Arg {
    if arg.get_help_heading() == Some(what_if::HEADING) { arg.hide_short_help(true) } else { arg }
}

impl Args {
    fn size(&self) -> Size {
        self.size.unwrap_or(Size::SCREEN)
    }

    fn wanted_size(&self) -> Option<[u32; 2]> {
        self.size.map(|size| [size.width, size.height])
    }

    fn spec(&self, asset: &Asset, session: &mut Session) -> Result<RunSpec, Failure> {
        let Size { width, height } = self.size();
        let mut edits = self.what_if.edits(asset, &self.open.limits(), &mut session.notes)?;
        edits.extend(self.wireframe.clone().map(Edit::Wireframe));
        let mut spec = RunSpec::default()
            .camera(self.camera.camera())
            .size(width, height)
            .background(self.background.unwrap_or_default().color)
            .edits(edits)
            .threads(session.threads)
            .limits(self.open.limits());
        spec.arithmetic = self.arithmetic.map(Into::into);
        Ok(spec)
    }

    const fn wants_sequence(&self) -> bool {
        self.frames.is_some() || self.turntable.is_some()
    }

    /// Whether an output folder gets a folder of pictures per sequence, named after its input.
    fn makes_folders(&self) -> bool {
        self.wants_sequence() && self.picture_type != Some(PictureFormat::Apng)
    }

    /// Returns the file for a picture of a frame dump or list. Next to folders of pictures it needs an extension,
    /// because the task's name has none.
    fn file_of_frame(&self, output: &Path, is_in_folder: bool) -> PathBuf {
        if self.makes_folders() && is_in_folder {
            let mut name = output.as_os_str().to_owned();
            name.push(self.picture_type.unwrap_or(PictureFormat::Png).to_string());
            return PathBuf::from(name);
        }
        output.to_owned()
    }

    /// Names the option, if given, that asks for an overlay instead of colours.
    const fn overlay(&self) -> Option<&'static str> {
        match (self.highlight, self.overdraw) {
            (Some(_), _) => Some("--highlight"),
            (None, true) => Some("--overdraw"),
            (None, false) => None,
        }
    }

    fn model_kind(&self) -> PictureKind {
        match self.buffer.kind() {
            PictureKind::Color if self.background.is_some_and(|background| background.has_alpha) => {
                PictureKind::ColorWithAlpha
            }
            kind => kind,
        }
    }

    /// Names given options that apply only to models.
    fn model_options_given(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("--background", self.background.is_some()),
            ("--frames", self.frames.is_some()),
            ("--turntable", self.turntable.is_some()),
        ];
        let given = given.into_iter().filter_map(|(option, is_given)| is_given.then_some(option));
        self.camera.given().chain(given)
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    if args.normalize && args.buffer != Buffer::Depth {
        return Err(Failure::usage("--normalize needs --buffer depth"));
    }
    if args.background.is_some() && args.buffer == Buffer::Depth {
        return Err(Failure::usage("--background cannot apply: the depth buffer has no colours"));
    }
    if let Some(option) = args.overlay()
        && matches!(args.buffer, Buffer::Depth | Buffer::Stencil)
    {
        return Err(Failure::usage(format_args!("{option} needs --buffer display or color")));
    }
    batch::run_into(args, &args.batch, &Destination::Files(&args.output), console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo::new("drawn", "nothing to draw")
    }

    fn suffix(&self) -> String {
        if self.makes_folders() {
            return String::new();
        }
        self.picture_type.unwrap_or(PictureFormat::Png).to_string()
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let Some(output) = &task.output else { return Ok(Outcome::Nothing) };
        let is_in_folder = !session.is_single || self.output.names_folder();
        if self.picture_type.is_some() && !is_in_folder {
            return Err(Failure::usage("--type needs an output folder; the name of a file has its type"));
        }
        let compression = self.compression.map(Into::into);
        let sequence = match self.picture_type.unwrap_or(PictureFormat::Png) {
            _ if !self.wants_sequence() => None,
            format if is_in_folder && self.makes_folders() => {
                Some(Target::of_folder(output, format, compression)?)
            }
            _ => Some(Target::of_sequence(output, compression)?),
        };
        if sequence.is_none() {
            // This fails early: an unknown extension is an error before anything is read.
            Target::of_picture(output, compression)?;
        }
        let (asset, _) = self.open.open(&task.input, None, &mut session.notes)?;
        if !asset.is_drawable() {
            return Ok(Outcome::Nothing);
        }
        let is_model = asset.model().is_some();
        if let Some(until) = self.until.filter(|_| is_model) {
            let option = format!("--until {until}");
            session.notes.ignore_option(&task.input, &option, "a model is drawn as a whole")?;
        }
        let reason = format!("{} is not a model", asset.kind());
        for option in self.model_options_given().filter(|_| !is_model) {
            session.notes.ignore_option(&task.input, option, &reason)?;
        }
        let target = match sequence {
            Some(target) if is_model => target,
            _ if is_model => Target::of_picture(output, compression)?,
            _ => Target::of_picture(&self.file_of_frame(output, is_in_folder), compression)?,
        };
        target.check(if is_model && self.overlay().is_none() {
            self.model_kind()
        } else {
            self.buffer.kind()
        })?;
        let spec = self.spec(&asset, session)?;
        let failure = |error| Failure::asset(&task.input, &error);
        if self.overlay().is_some() {
            overlay::draw(self, task, &asset, &spec, &target, session)?;
        } else if let Some((model, renderer)) = asset.model_renderer(&spec).map_err(failure)? {
            if self.wants_sequence() {
                model::draw_sequence(self, task, &renderer, &mut model.into_owned(), &target, session)?;
            } else {
                model::draw(self, &renderer, &model, &target, session)?;
            }
        } else {
            let shot = asset.shot(&spec).map_err(failure)?;
            frame::draw(self, task, &shot, &target, session)?;
        }
        Ok(Outcome::Done)
    }
}

/// Notes the depth range shown in a normalized picture.
fn depth_note(range: Option<DepthRange>, session: &mut Session) {
    let message = match range {
        None => "no depth was drawn, so the picture is as in the buffer".to_owned(),
        Some(DepthRange { low, high }) if low == high => {
            format!("all drawn depths are {low}, which is shown as 65535")
        }
        Some(range) => format!("depths from {range} are shown as 0 to 65535"),
    };
    session.notes.list.inform("depth-range", message);
}
