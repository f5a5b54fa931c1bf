//! `pspge pack`: writes a frame dump of anything that can be drawn.

use std::path::PathBuf;

use pspge::export::recorder::Recorder;
use pspge::formats::Content;
use pspge::formats::ppdmp::Dump;
use pspge::ge::arithmetic::Arithmetic;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::scene::render::ModelRenderer;

use crate::camera::CameraArgs;
use crate::command::render::{Size, renderer};
use crate::failure::Failure;
use crate::input::{Input, InputArgs};
use crate::output;
use crate::run;

/// Write INPUT as a PPSSPP frame dump that draws the same picture
///
/// The camera options of a model are those of `render`. A frame dump is converted to the newest version.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Output file; `-` for standard output
    #[arg(short, long, value_name = "OUT.ppdmp")]
    output: PathBuf,

    #[command(flatten)]
    camera: CameraArgs,

    /// Picture size of a model, up to 512x512; players show the first 480x272 pixels
    #[arg(long, value_name = "WxH", default_value = "480x272")]
    size: Size,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let dump = match run::open(&args.input)? {
        Input::File { content: Content::Frame { capture, recording }, format, members, counts } => {
            match recording.downcast_ref::<Dump>() {
                Some(dump) => dump.upgraded(),
                None => {
                    let content = Content::Frame { capture, recording };
                    record(args, Input::File { content, format, members, counts })?
                }
            }
        }
        input => record(args, input)?,
    };
    output::write(&args.output, &dump.to_bytes())
}

fn record(args: &Args, input: Input) -> Result<Dump, Failure> {
    let arithmetic = Arithmetic::Hardware;
    let (mut capture, model) = run::capture(&args.input, input)?;
    if let Some(model) = model {
        if args.size.width > 512 || args.size.height > 512 {
            return Err(Failure::usage("--size: the framebuffer of a dump is at most 512x512"));
        }
        let renderer = renderer(args.size, arithmetic);
        capture = ModelRenderer { camera: args.camera.camera(), ..renderer }.capture(&model);
    }
    let limits = args.input.limits();
    let mut recorder = Recorder::new(&capture, *b"PSPGE0001", &limits);
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let replayed = run::run(&mut capture, arithmetic, &mut raster, &mut recorder, &limits);
    run::warn(&args.input, &replayed.report.notes);
    if let Some(hit) = recorder.limit_hit() {
        run::warn_limit_hit(&args.input, hit);
    }
    recorder.finish(&replayed.registers).ok_or_else(|| {
        Failure::file(&args.input.input, "at 0x0: the draws use more data than a frame dump can hold")
    })
}
