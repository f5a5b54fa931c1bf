//! Options for drawing models, frame dumps and lists before a comparison.

use pspge::RunSpec;
use pspge::scene::frame::FrameBuffer;

use super::side::Opening;
use crate::camera::CameraArgs;
use crate::command::render::{Background, Size};
use crate::input::options::OpenOptions;
use crate::run::ArithmeticArg;
use crate::terminal::failure::Failure;
use crate::terminal::notes::{IgnoredOption, Notes};

const HEADING: &str = "Drawing of models, frame dumps and lists";

/// How to draw models, frame dumps and lists.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RenderingArgs {
    /// Size to draw at [default: as the other picture, or 480x272]
    #[arg(long, help_heading = HEADING, value_name = "WxH")]
    size: Option<Size>,

    /// Buffer to compare [default: display]
    #[arg(long, help_heading = HEADING, value_enum)]
    buffer: Option<BufferArg>,

    /// Background colour of a model, in hexadecimal [default: 303840]
    #[arg(long, help_heading = HEADING, value_name = "RRGGBB[AA]", hide_short_help = true)]
    background: Option<Background>,

    /// Draw only the edges of triangles
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    wireframe: bool,

    /// Arithmetic of transform and rasterizer [default: hardware; single if the size exceeds 480x272]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_enum)]
    arithmetic: Option<ArithmeticArg>,

    #[command(flatten)]
    camera: CameraArgs,

    #[command(flatten)]
    pub(super) open: OpenOptions,
}

/// A buffer to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum BufferArg {
    /// The colours that the display shows; those of the draw buffer if there is none
    Display,
    /// The colours of the draw buffer
    Color,
    /// The depth buffer
    Depth,
    /// The alpha channel of the draw buffer
    Stencil,
}

impl RenderingArgs {
    /// Returns options for drawing, without a size.
    pub(super) fn options(&self, threads: u32) -> RunSpec {
        let mut options = RunSpec::default()
            .camera(self.camera.camera())
            .background(self.background.unwrap_or_default().color)
            .threads(threads)
            .limits(self.open.limits());
        options.wireframe = self.wireframe;
        options.arithmetic = self.arithmetic.map(Into::into);
        options
    }

    pub(super) fn size(&self) -> Option<[u32; 2]> {
        self.size.map(|size| [size.width, size.height])
    }

    pub(super) const fn buffer(&self) -> FrameBuffer {
        match self.buffer {
            Some(BufferArg::Display) | None => FrameBuffer::Display,
            Some(BufferArg::Color) => FrameBuffer::Color,
            Some(BufferArg::Depth) => FrameBuffer::Depth,
            Some(BufferArg::Stencil) => FrameBuffer::Stencil,
        }
    }

    /// Reports given options that cannot apply to a pair: options for drawing if both sides are pictures, options
    /// for models if neither side is a model, and options neither side can use.
    ///
    /// # Errors
    /// For a lone pair, the first option that cannot apply.
    pub(super) fn check(&self, openings: &mut [Opening; 2], notes: &mut Notes) -> Result<(), Failure> {
        let name = openings[0].name.clone();
        let mut assets = openings.iter().filter_map(Opening::asset).peekable();
        if assets.peek().is_none() {
            let given = self.given_for_drawing().into_iter().chain(self.given_for_models());
            return given
                .into_iter()
                .try_for_each(|option| notes.ignore_option(&name, &option, "both inputs are pictures"));
        }
        if !assets.any(|asset| asset.model().is_some()) {
            for option in self.given_for_models() {
                notes.ignore_option(&name, &option, "neither input is a model")?;
            }
        }
        check_sides(openings, notes)
    }

    /// Names the given options that need a model.
    fn given_for_models(&self) -> Vec<String> {
        let background = self.background.map(|_| "--background");
        self.camera.given().chain(background).map(str::to_owned).collect()
    }

    /// Names the given options that need something to draw.
    fn given_for_drawing(&self) -> Vec<String> {
        let (model, files) = (&self.open.model, &self.open.files);
        let given = [
            ("--size", self.size.is_some()),
            ("--buffer", self.buffer.is_some()),
            ("--wireframe", self.wireframe),
            ("--arithmetic", self.arithmetic.is_some()),
            ("--textures", files.textures.is_some()),
            ("--skeleton", files.skeleton.is_some()),
            ("--mesh-data", files.mesh_data.is_some()),
            ("--animations", files.animations.is_some()),
            ("--format", files.format.is_some()),
            ("--limits", files.limits.is_given()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option.to_owned());
        let parse_options = files.parse_option.iter().map(|name| format!("--parse-option {name}"));
        given.chain(model.given()).chain(parse_options).collect()
    }
}

/// Reports options that no drawn side could use. If only one side ignores an option, this is worth a note, because
/// the user may expect it on both.
fn check_sides(openings: &mut [Opening; 2], notes: &mut Notes) -> Result<(), Failure> {
    let [first, second] = openings;
    let of_first = first.notes.take_ignored_options();
    let of_second = second.notes.take_ignored_options();
    let ignores =
        |options: &[IgnoredOption], option: &str| options.iter().any(|known| known.option == option);
    for IgnoredOption { option, reason } in &of_first {
        if second.asset().is_none() || ignores(&of_second, option) {
            notes.ignore_option(&first.name, option, reason)?;
        } else {
            first.notes.list.inform("option-ignored-by-one", format!("{option} is ignored: {reason}"));
        }
    }
    for IgnoredOption { option, reason } in of_second {
        if first.asset().is_none() {
            notes.ignore_option(&second.name, &option, &reason)?;
        } else if !ignores(&of_first, &option) {
            second.notes.list.inform("option-ignored-by-one", format!("{option} is ignored: {reason}"));
        }
    }
    Ok(())
}
