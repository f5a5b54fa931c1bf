//! `pspge render`: a picture.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use image::{DynamicImage, GrayImage, Luma, RgbaImage};
use pspge::formats::Content;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::model::Model;
use pspge::pipeline::framebuffer::{self, ColorSurface, DepthSurface};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::sink::{Observer, Step};
use pspge::scene::render::ModelRenderer;
use pspge::scene::render_target::SIZE_MAX;

use crate::camera::CameraArgs;
use crate::failure::Failure;
use crate::input::{Input, InputArgs, OpenOptions};
use crate::run::{self, ArithmeticArg};
use crate::{output, progress};

mod many;

/// Draw INPUT and write the picture as PNG
///
/// A model is framed by a camera. A list of its own (assembly text) is run, and its framebuffer is shown. Several inputs,
/// or a folder with all that is in it, give a picture each in the folder that --output names; what cannot be drawn is
/// reported, and the rest goes on.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File to read; `FILE#MEMBER` for a member of a container, `-` for standard input; several files, or folders, for
    /// many pictures
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    how: OpenOptions,

    /// Picture to write; `-` for standard output. For several inputs or a folder, the folder to write pictures to
    #[arg(short, long, value_name = "OUT.png|DIR")]
    output: PathBuf,

    /// How many threads draw: each a picture of its own where there are several inputs, else parts of the one. 0 for as
    /// many as there are processors
    #[arg(long, visible_alias = "threads", value_name = "N", default_value = "0")]
    jobs: usize,

    /// Size of the picture, up to 4096x4096
    #[arg(long, value_name = "WxH", default_value = "480x272")]
    size: Size,

    #[command(flatten)]
    camera: CameraArgs,

    /// Colour behind a model; with AA the picture has an alpha channel
    #[arg(long, value_name = "RRGGBB[AA]", default_value = "303840")]
    background: Background,

    /// Draw the edges of triangles only
    #[arg(long)]
    wireframe: bool,

    /// How vertices are transformed; without it as the hardware does, but as singles for pictures larger than the
    /// machine's screen
    #[arg(long, value_enum)]
    arithmetic: Option<ArithmeticArg>,

    /// Stop a list or a dump after so many draws or commands
    #[arg(long, value_name = "draw:N|command:N")]
    until: Option<Until>,

    /// Which buffer of a list to show: stencil and depth as grey values
    #[arg(long, value_enum, default_value = "display")]
    buffer: Buffer,
}

/// A buffer to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Buffer {
    /// What the screen would show
    Display,
    /// The framebuffer
    Color,
    /// The depth buffer
    Depth,
    /// The framebuffer's alpha
    Stencil,
}

/// How far to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    Draws(u64),
    Commands(u64),
}

impl FromStr for Until {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once(':').and_then(|(what, number)| Some((what, number.parse().ok()?)));
        match parts {
            Some(("draw", number)) => Ok(Self::Draws(number)),
            Some(("command", number)) => Ok(Self::Commands(number)),
            _ => Err("draw: or command: and a number, such as draw:12"),
        }
    }
}

/// Stops a run, if at all, where it has come far enough.
struct Stop(Option<Until>);

impl Observer for Stop {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let is_over = match self.0 {
            None => false,
            Some(Until::Draws(draws)) => step.draws >= draws,
            Some(Until::Commands(commands)) => step.number >= commands,
        };
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A picture's size in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse().ok().filter(|size| (1..=SIZE_MAX).contains(size));
        let parts = text.split_once(['x', 'X']);
        parts
            .and_then(|(width, height)| Some(Self { width: number(width)?, height: number(height)? }))
            .ok_or_else(|| {
                format!("two numbers from 1 to {SIZE_MAX} with an x between them, such as 480x272")
            })
    }
}

/// A background colour, with or without alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Background {
    color: [u8; 4],
    has_alpha: bool,
}

impl FromStr for Background {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let has_alpha = digits.len() == 8;
        let valid = (has_alpha || digits.len() == 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| valid);
        let value = value.ok_or("six or eight hexadecimal digits, such as ff8000")?;
        let color = if has_alpha { value } else { value << 8 | 0xFF }.to_be_bytes();
        Ok(Self { color, has_alpha })
    }
}

/// A model as `render` draws it when nothing else is asked for, at another size.
pub(crate) fn renderer(size: Size, arithmetic: Arithmetic) -> ModelRenderer {
    ModelRenderer {
        camera: CameraArgs::default().camera(),
        width: size.width,
        height: size.height,
        background: [0; 4],
        options: RasterOptions { arithmetic, ..RasterOptions::default() },
        limits: Limits::default(),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match args.inputs.as_slice() {
        [input] if !Path::new(input).is_dir() => {
            let input = InputArgs { input: input.clone(), how: args.how.clone() };
            let content = input.load()?;
            output::write_png(&args.output, &draw(args, &input, content, threads(args.jobs))?)
        }
        _ => many::run(args),
    }
}

/// As many threads as wanted, or as the machine has processors. A picture does not fill more than a few.
fn threads(wanted: usize) -> u32 {
    const MOST: usize = 8;
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST);
    u32::try_from(if wanted == 0 { available() } else { wanted }).unwrap_or(1)
}

fn draw(args: &Args, input: &InputArgs, content: Input, threads: u32) -> Result<DynamicImage, Failure> {
    match content {
        Input::File { content: Content::Model(model), .. } => Ok(draw_model(args, input, &model, threads)),
        content => draw_list(args, input, content, threads),
    }
}

fn options(args: &Args, threads: u32) -> RasterOptions {
    let fits_screen = args.size.width <= 480 && args.size.height <= 272;
    let arithmetic = match args.arithmetic {
        Some(arithmetic) => arithmetic.into(),
        None if fits_screen => Arithmetic::Hardware,
        None => Arithmetic::Single,
    };
    RasterOptions { arithmetic, wireframe: args.wireframe, threads, ..RasterOptions::default() }
}

fn draw_model(args: &Args, input: &InputArgs, model: &Model, threads: u32) -> DynamicImage {
    let renderer = ModelRenderer {
        camera: args.camera.camera(),
        width: args.size.width,
        height: args.size.height,
        background: args.background.color,
        options: options(args, threads),
        limits: input.limits(),
    };
    let setup = renderer.setup(model);
    let bar = progress::bar("tiles", setup.tiles().count() as u64);
    let picture = renderer.render_tiles(model, &setup, setup.tiles(), &mut |_| bar.inc(1));
    bar.finish_and_clear();
    if let Some(reached) = picture.reached {
        run::warn_of(input, reached);
    }
    let colors = picture.colors;
    match args.buffer {
        Buffer::Depth => DynamicImage::ImageLuma16(picture.depth),
        Buffer::Stencil => {
            let alpha = |x, y| Luma([colors.get_pixel(x, y).0[3]]);
            DynamicImage::ImageLuma8(GrayImage::from_fn(colors.width(), colors.height(), alpha))
        }
        Buffer::Display | Buffer::Color if args.background.has_alpha => DynamicImage::ImageRgba8(colors),
        Buffer::Display | Buffer::Color => opaque(colors),
    }
}

fn opaque(colors: RgbaImage) -> DynamicImage {
    DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(colors).into_rgb8())
}

fn draw_list(args: &Args, input: &InputArgs, content: Input, threads: u32) -> Result<DynamicImage, Failure> {
    let (mut capture, _) = run::capture(input, content)?;
    let options = options(args, threads);
    let mut raster = Rasterizer::new(options);
    let mut until = Stop(args.until);
    let replayed = run::run(&mut capture, options.arithmetic, &mut raster, &mut until, &input.limits());
    run::warn(input, &replayed.report.notes);
    let registers = replayed.registers;
    let Size { width, height } = args.size;
    if width > 1024 || height > 1024 {
        return Err(Failure::usage("--size: a framebuffer is at most 1024x1024"));
    }
    let memory = &capture.memory;
    let surface = ColorSurface::from_registers(&registers);
    Ok(match (args.buffer, capture.final_display()) {
        (Buffer::Display, Some(display)) => opaque(framebuffer::displayed(display, memory, width, height)),
        (Buffer::Display | Buffer::Color, _) => opaque(surface.to_rgba(memory, width, height)),
        (Buffer::Stencil, _) => DynamicImage::ImageLuma8(surface.stencil_to_gray(memory, width, height)),
        (Buffer::Depth, _) => {
            let surface = DepthSurface::from_registers(&registers);
            DynamicImage::ImageLuma16(surface.to_gray(memory, width, height))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_colors() {
        assert_eq!("480x272".parse(), Ok(Size { width: 480, height: 272 }), "the screen");
        for wrong in ["480", "0x5", "5x4097", "x", "-1x5"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
        assert_eq!(
            "ff8000".parse(),
            Ok(Background { color: [255, 128, 0, 255], has_alpha: false }),
            "opaque"
        );
        assert_eq!("#00000000".parse(), Ok(Background { color: [0; 4], has_alpha: true }), "transparent");
        for wrong in ["ff80", "gg8000", "+12345", "ff80001"] {
            assert!(wrong.parse::<Background>().is_err(), "{wrong}");
        }
    }
}
