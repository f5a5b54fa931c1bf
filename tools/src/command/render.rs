//! `pspge render`: renders inputs to PNG.

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

/// Render INPUT to a PNG picture
///
/// A model is drawn with a camera that shows all of it. A display list or frame dump is run, and its
/// framebuffer is written. Several inputs, or a folder and everything below it, become one picture each in
/// the folder --output. Files that cannot be drawn are reported, and the others are still drawn.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Input files or folders; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    open_options: OpenOptions,

    /// Output picture, `-` for standard output; with several inputs or a folder, the output folder
    #[arg(short, long, value_name = "OUT.png|DIR")]
    output: PathBuf,

    /// Worker threads; 0 = one per CPU
    #[arg(long, value_name = "N", default_value = "0")]
    threads: usize,

    /// Picture size: up to 4096x4096 for a model, 1024x1024 for a list or frame dump
    #[arg(long, value_name = "WxH", default_value = "480x272")]
    size: Size,

    #[command(flatten)]
    camera: CameraArgs,

    /// Background colour of a model, in hexadecimal; with AA the picture gets an alpha channel
    #[arg(long, value_name = "RRGGBB[AA]", default_value = "303840")]
    background: Background,

    /// Draw only the edges of triangles
    #[arg(long)]
    wireframe: bool,

    /// Arithmetic of transform and rasterizer [default: hardware; single if --size exceeds 480x272]
    #[arg(long, value_enum)]
    arithmetic: Option<ArithmeticArg>,

    /// Stop a list or frame dump after N draws or N commands
    #[arg(long, value_name = "draw:N|command:N")]
    until: Option<Until>,

    /// Buffer to write; depth and stencil become grey values
    #[arg(long, value_enum, default_value = "display")]
    buffer: Buffer,
}

/// A buffer to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Buffer {
    /// The buffer that the display shows; the draw buffer if there is none
    Display,
    /// The buffer that draws write to
    Color,
    /// The depth buffer
    Depth,
    /// The alpha channel of the draw buffer
    Stencil,
}

/// The draw or command at which to stop.
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
            _ => Err("expected draw:N or command:N, such as draw:12"),
        }
    }
}

/// Stops a run at `--until`.
struct StopAt(Option<Until>);

impl Observer for StopAt {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let is_reached = match self.0 {
            None => false,
            Some(Until::Draws(draws)) => step.draws >= draws,
            Some(Until::Commands(commands)) => step.number >= commands,
        };
        if is_reached { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Size of a picture in pixels.
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
            .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {SIZE_MAX}, such as 480x272"))
    }
}

/// A background colour as red, green, blue, alpha.
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
        let value = value.ok_or("expected six or eight hexadecimal digits, such as ff8000")?;
        let color = if has_alpha { value } else { value << 8 | 0xFF }.to_be_bytes();
        Ok(Self { color, has_alpha })
    }
}

/// Returns the renderer of `render` with default options, for a size and a number format.
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
            let input = InputArgs { input: input.clone(), how: args.open_options.clone() };
            let content = run::open(&input)?;
            output::write_png(&args.output, &draw(args, &input, content, thread_count(args.threads))?)
        }
        _ => many::run(args),
    }
}

/// Returns the number of threads for one picture: `requested`, or one per CPU if it is 0. A picture cannot
/// keep more than a few threads busy, so the latter is at most 8.
fn thread_count(requested: usize) -> u32 {
    const MAX: usize = 8;
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MAX);
    u32::try_from(if requested == 0 { available() } else { requested }).unwrap_or(1)
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
    if let Some(hit) = picture.reached {
        run::warn_limit_hit(input, hit);
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

/// Removes the alpha channel.
fn opaque(colors: RgbaImage) -> DynamicImage {
    DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(colors).into_rgb8())
}

fn draw_list(args: &Args, input: &InputArgs, content: Input, threads: u32) -> Result<DynamicImage, Failure> {
    let (mut capture, _) = run::capture(input, content)?;
    let options = options(args, threads);
    let mut raster = Rasterizer::new(options);
    let mut stop_at = StopAt(args.until);
    let replayed = run::run(&mut capture, options.arithmetic, &mut raster, &mut stop_at, &input.limits());
    run::warn(input, &replayed.report.notes);
    let registers = replayed.registers;
    let Size { width, height } = args.size;
    if width > 1024 || height > 1024 {
        return Err(Failure::usage("--size: the framebuffer of a list is at most 1024x1024"));
    }
    let memory = &capture.memory;
    let surface = ColorSurface::from_registers(&registers);
    Ok(match (args.buffer, replayed.display) {
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
    fn sizes_and_colors_parse() {
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
