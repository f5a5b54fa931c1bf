//! `pspge export`: geometry for other programs.

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

/// Write INPUT's geometry as glTF or Wavefront OBJ, with textures, skeleton and animations
///
/// The ending of OUT decides: .glb is one file; .gltf has its buffer and pictures beside it; .obj comes with .mtl and
/// pictures, at rest or at --anim and --frame. A frame dump comes out as one mesh a draw, with the camera. With --anim,
/// glTF holds that animation only.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// File to write: .glb, .gltf or .obj; `-` for .glb on standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Only these draws, by number from 0, such as 12 or 40-99 (pspge trace --draws lists them)
    #[arg(long, value_name = "A-B")]
    draws: Option<Draws>,

    /// Draws in through mode (flat pictures, texts, menus), too
    #[arg(long)]
    through: bool,

    /// Where the geometry of a frame dump comes out; without it in world space where the program keeps a camera in
    /// VIEW, else in view space
    #[arg(long, value_enum)]
    space: Option<SpaceArg>,
}

/// Where a frame comes out.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SpaceArg {
    /// Where WORLD puts it
    World,
    /// In front of the camera, which looks along -z
    View,
}

/// A range of draws, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Draws(RangeInclusive<u64>);

impl FromStr for Draws {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = first.parse().ok().zip(last.parse().ok()).filter(|(first, last)| first <= last);
        range.map(|(first, last)| Self(first..=last)).ok_or("a number or a range, such as 12 or 40-99")
    }
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Glb,
    Gltf,
    Obj,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let target = target(&args.output)?;
    let scene = scene(args, target)?;
    if scene.meshes.is_empty() {
        let notes: String = scene.notes.iter().map(|note| format!("; {note}")).collect();
        return Err(Failure::file(&args.input.input, format_args!("at 0x0: nothing to export{notes}")));
    }
    let stem = args.output.file_stem().unwrap_or_default().to_string_lossy();
    let mut files = match target {
        Target::Glb => {
            let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
            vec![File { name, bytes: export::gltf::write_glb(&scene) }]
        }
        Target::Gltf => export::gltf::write_gltf(&scene, &stem),
        Target::Obj => export::obj::write_materials(&scene, &stem),
    };
    let is_stream = args.output == Path::new("-");
    let mut out = Output::new();
    // The file that names the others comes last: where it exists, they do.
    files.reverse();
    for file in &files {
        let path = if is_stream { args.output.clone() } else { args.output.with_file_name(&file.name) };
        output::write(&path, &file.bytes)?;
        if !is_stream {
            out.line(format_args!("{}", path.display()))?;
        }
    }
    if target == Target::Obj {
        let path = args.output.with_file_name(format!("{stem}.obj"));
        output::write_with(&path, |text| export::obj::write_geometry(&scene, &stem, text))?;
        out.line(format_args!("{}", path.display()))?;
    }
    for note in scene.notes.iter().filter(|_| !is_stream) {
        out.line(format_args!("note: {note}"))?;
    }
    out.finish()
}

fn target(path: &Path) -> Result<Target, Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        _ if path == Path::new("-") => Ok(Target::Glb),
        "glb" => Ok(Target::Glb),
        "gltf" => Ok(Target::Gltf),
        "obj" => Ok(Target::Obj),
        _ => Err(Failure::usage(format_args!(
            "--output {}: the ending decides what is written, and has to be .glb, .gltf or .obj",
            path.display()
        ))),
    }
}

fn scene(args: &Args, target: Target) -> Result<Scene, Failure> {
    let selection = DrawFilter {
        draws: args.draws.as_ref().map(|draws| draws.0.clone()),
        through: args.through,
        limits: args.input.limits(),
    };
    let name = args.input.stem();
    match args.input.load()? {
        Input::File { content: Content::Model(mut model), .. } => {
            if target == Target::Obj {
                return Ok(export::model_scene(&model, &name, &selection, RigMode::Static));
            }
            only(args, &mut model);
            Ok(export::model_scene(&model, &name, &selection, RigMode::Rigged))
        }
        input => {
            let (mut capture, _) = run::capture(&args.input, input)?;
            let space = match args.space {
                None => FrameSpace::Automatic,
                Some(SpaceArg::World) => FrameSpace::World,
                Some(SpaceArg::View) => FrameSpace::View,
            };
            Ok(export::frame_scene(&mut capture, &name, &selection, space))
        }
    }
}

/// Leaves only the animation that was asked for, and puts the bones back to rest.
fn only(args: &Args, model: &mut Model) {
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
