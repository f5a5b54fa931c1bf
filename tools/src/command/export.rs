//! `pspge export`: geometry as glTF or Wavefront OBJ.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use pspge::export::scene::Scene;
use pspge::export::{self, DrawFilter, File, FrameSpace, RigMode};
use pspge::formats::Content;
use pspge::model::Model;

use crate::failure::Failure;
use crate::input::{Input, InputArgs};
use crate::output::{self, Output};
use crate::run;

/// Export geometry, textures, skeleton and animations as glTF or Wavefront OBJ
///
/// The extension of OUT selects the format: .glb is a single file; .gltf has a separate buffer and pictures;
/// .obj has a .mtl file and pictures, and is posed by --anim and --frame. With --anim, glTF contains that
/// animation only. A frame dump becomes one mesh per draw, with its camera.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Output file; its extension selects the format: .glb, .gltf or .obj. `-` writes .glb to standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Export only these draws, a number or a range from 0, such as 12 or 40-99; `pspge trace --draws` lists
    /// them
    #[arg(long, value_name = "A-B")]
    draws: Option<DrawRange>,

    /// Include draws in through mode (sprites, text, menus)
    #[arg(long)]
    through: bool,

    /// Coordinate space of a frame dump [default: world if the frame sets a camera in VIEW, else view]
    #[arg(long, value_enum)]
    space: Option<SpaceArg>,
}

/// Coordinate space of an exported frame.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SpaceArg {
    /// World space
    World,
    /// View space: the camera is at the origin and looks along -z
    View,
}

/// A range of draws, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DrawRange(RangeInclusive<u64>);

impl FromStr for DrawRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = first.parse().ok().zip(last.parse().ok()).filter(|(first, last)| first <= last);
        range
            .map(|(first, last)| Self(first..=last))
            .ok_or("expected a number or a range, such as 12 or 40-99")
    }
}

/// Format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExportFormat {
    Glb,
    Gltf,
    Obj,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let format = format(&args.output)?;
    let scene = scene(args, format)?;
    if scene.meshes.is_empty() {
        let notes: String = scene.notes.iter().map(|note| format!("; {note}")).collect();
        return Err(Failure::file(&args.input.input, format_args!("at 0x0: nothing to export{notes}")));
    }
    let stem = args.output.file_stem().unwrap_or_default().to_string_lossy();
    let mut files = match format {
        ExportFormat::Glb => {
            let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
            vec![File { name, bytes: export::gltf::write_glb(&scene) }]
        }
        ExportFormat::Gltf => export::gltf::write_gltf(&scene, &stem),
        ExportFormat::Obj => export::obj::write_materials(&scene, &stem),
    };
    let is_stream = args.output == Path::new("-");
    let mut out = Output::new();
    // The file that names the others is written last, so they exist when it does.
    files.reverse();
    for file in &files {
        let path = if is_stream { args.output.clone() } else { args.output.with_file_name(&file.name) };
        output::write(&path, &file.bytes)?;
        if !is_stream {
            out.line(format_args!("{}", path.display()))?;
        }
    }
    if format == ExportFormat::Obj {
        let path = args.output.with_file_name(format!("{stem}.obj"));
        output::write_with(&path, |text| export::obj::write_geometry(&scene, &stem, text))?;
        out.line(format_args!("{}", path.display()))?;
    }
    for note in scene.notes.iter().filter(|_| !is_stream) {
        out.line(format_args!("note: {note}"))?;
    }
    out.finish()
}

/// Returns the format that the extension of the output selects.
fn format(path: &Path) -> Result<ExportFormat, Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        _ if path == Path::new("-") => Ok(ExportFormat::Glb),
        "glb" => Ok(ExportFormat::Glb),
        "gltf" => Ok(ExportFormat::Gltf),
        "obj" => Ok(ExportFormat::Obj),
        _ => Err(Failure::usage(format_args!(
            "--output {}: the extension must be .glb, .gltf or .obj",
            path.display()
        ))),
    }
}

fn scene(args: &Args, format: ExportFormat) -> Result<Scene, Failure> {
    let filter = DrawFilter {
        draws: args.draws.as_ref().map(|draws| draws.0.clone()),
        through: args.through,
        limits: args.input.limits(),
    };
    let name = args.input.stem();
    match run::open(&args.input)? {
        Input::File { content: Content::Model(mut model), .. } => {
            if format == ExportFormat::Obj {
                return Ok(export::model_scene(&model, &name, &filter, RigMode::Static));
            }
            keep_selected_animation(args, &mut model);
            Ok(export::model_scene(&model, &name, &filter, RigMode::Rigged))
        }
        input => {
            let (mut capture, _) = run::capture(&args.input, input)?;
            let space = match args.space {
                None => FrameSpace::Automatic,
                Some(SpaceArg::World) => FrameSpace::World,
                Some(SpaceArg::View) => FrameSpace::View,
            };
            Ok(export::frame_scene(&mut capture, &name, &filter, space))
        }
    }
}

/// With `--anim`, removes all other animations and returns the bones to the rest pose.
fn keep_selected_animation(args: &Args, model: &mut Model) {
    let Some(wanted) = &args.input.how.anim else { return };
    let by_name = model.animations.iter().position(|animation| animation.name.as_ref() == Some(wanted));
    if let Some(number) = by_name.or_else(|| wanted.parse().ok())
        && number < model.animations.len()
    {
        model.animations = vec![model.animations.swap_remove(number)];
    }
    let rest = model.skeleton.as_ref().map(|skeleton| skeleton.world(&skeleton.rest()));
    if let Some(rest) = rest {
        model.pose(&rest);
    }
}
