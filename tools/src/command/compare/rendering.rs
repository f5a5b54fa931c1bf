//! How models, frame dumps and lists are drawn for a comparison.

use pspge::RenderOptions;
use pspge::scene::frame::FrameBuffer;

use crate::camera::CameraArgs;
use crate::command::render::{Background, Size};
use crate::failure::Failure;
use crate::input::options::OpenOptions;
use crate::run::ArithmeticArg;

const HEADING: &str = "Drawing of models, frame dumps and lists";

/// How models, frame dumps and lists are drawn.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RenderingArgs {
    /// Size to draw at [default: as the other picture, or 480x272]
    #[arg(long, help_heading = HEADING, value_name = "WxH")]
    size: Option<Size>,

    /// Buffer to compare [default: display]
    #[arg(long, help_heading = HEADING, value_enum)]
    buffer: Option<BufferArg>,

    /// Background colour of a model, in hexadecimal [default: 303840]
    #[arg(long, help_heading = HEADING, value_name = "RRGGBB[AA]")]
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
    /// Returns the options for drawing, without size.
    pub(super) fn options(&self, threads: u32) -> RenderOptions {
        let background = self.background.unwrap_or_default();
        let mut options = RenderOptions::default()
            .camera(self.camera.camera())
            .background(background.color)
            .threads(threads)
            .limits(self.open.limits());
        options.wireframe = self.wireframe;
        options.arithmetic = self.arithmetic.map(Into::into);
        options
    }

    /// Returns the size, if one is given.
    pub(super) fn size(&self) -> Option<[u32; 2]> {
        self.size.map(|size| [size.width, size.height])
    }

    /// Returns the buffer to compare.
    pub(super) const fn buffer(&self) -> FrameBuffer {
        match self.buffer {
            Some(BufferArg::Display) | None => FrameBuffer::Display,
            Some(BufferArg::Color) => FrameBuffer::Color,
            Some(BufferArg::Depth) => FrameBuffer::Depth,
            Some(BufferArg::Stencil) => FrameBuffer::Stencil,
        }
    }

    /// Checks that the given options can apply.
    ///
    /// # Errors
    /// The first option that needs an input to be drawn, or a model, if there is none.
    pub(super) fn check(&self, input: &str, is_drawn: bool, has_model: bool) -> Result<(), Failure> {
        if !is_drawn && let Some(option) = self.first_given().or(self.first_model_option()) {
            return Err(Failure::inapplicable(input, option, "both inputs are pictures"));
        }
        if !has_model && let Some(option) = self.first_model_option() {
            return Err(Failure::inapplicable(input, option, "neither input is a model"));
        }
        Ok(())
    }

    /// Returns the first given option for models.
    fn first_model_option(&self) -> Option<&'static str> {
        self.camera.given().next().or(self.background.map(|_| "--background"))
    }

    /// Returns the first given option for anything that is drawn.
    fn first_given(&self) -> Option<&'static str> {
        let (model, files) = (&self.open.model, &self.open.files);
        let given = [
            ("--size", self.size.is_some()),
            ("--buffer", self.buffer.is_some()),
            ("--wireframe", self.wireframe),
            ("--arithmetic", self.arithmetic.is_some()),
            ("--anim", model.anim.is_some()),
            ("--lod", model.lod.is_some()),
            ("--group", model.group.is_some()),
            ("--hidden", model.hidden),
            ("--textures", files.textures.is_some()),
            ("--skeleton", files.skeleton.is_some()),
            ("--mesh-data", files.mesh_data.is_some()),
            ("--animations", files.animations.is_some()),
            ("--format", files.format.is_some()),
            ("--parse-option", !files.parse_option.is_empty()),
            ("--limits", files.limits.is_given()),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }
}
