//! `pspge export`: writes geometry as glTF or Wavefront OBJ.

use std::path::{Path, PathBuf};

use pspge::export::scene::Scene;
use pspge::export::{self, DrawFilter, File, FrameSpace, Merge, Placement, RigMode};
use pspge::ge::draw_set::DrawSet;
use pspge::ge::note::Note;
use pspge::model::Model;
use pspge::{Asset, RunSpec};

use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::input::name::InputName;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::placement::PlacementArgs;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;
use crate::what_if::WhatIfArgs;
use crate::{batch, output};

/// Export geometry, textures, skeleton and animations as glTF or Wavefront OBJ
///
/// OUT's extension selects the format: .glb is a single file; .gltf has a separate buffer and pictures; .obj has a
/// .mtl file and pictures, and is posed by --anim and --frame. With --anim, glTF contains only this animation. A
/// frame dump becomes a mesh per material, with its camera; to keep each draw apart, use --merge none.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// Format of the output [default: as the extension of OUT says; glb for a folder or standard output]
    #[arg(long, value_enum)]
    to: Option<ExportFormat>,

    #[command(flatten)]
    placement: PlacementArgs,

    /// Export only these draws from a frame dump or list, by the numbers that `pspge trace` shows: `7`, `40-99`,
    /// `12-`, or a list of these
    #[arg(long, value_name = "DRAWS")]
    draws: Option<DrawSet>,

    #[command(flatten)]
    what_if: WhatIfArgs,

    /// Include through-mode draws in a frame dump or list (sprites, text, menus)
    #[arg(long)]
    through: bool,

    /// Which meshes become one object [default: object for a model, material for a frame dump or list]
    ///
    /// Merging keeps all geometry, materials, skins, morph targets and animations. Only meshes under the same skin
    /// or bone merge, and only with equal morph weights. Surfaces that blend keep their order: they merge with
    /// neighbours in the drawing order, never across another surface that blends.
    #[arg(long, value_enum)]
    merge: Option<MergeArg>,

    /// Coordinate space of a frame dump [default: world if the frame sets a camera in VIEW, else view]
    ///
    /// Through-mode draws (see --through) stay on the screen in every space.
    #[arg(long, value_enum)]
    space: Option<SpaceArg>,
}

/// Coordinate space for an exported frame.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SpaceArg {
    /// World space
    World,
    /// View space: the camera is at the origin and looks along -z
    View,
    /// Screen space, as the frame appears: 100 pixels are a unit. Textures lose their perspective
    Screen,
}

/// Which meshes to merge into an object.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum MergeArg {
    /// Each mesh of a model file and each draw of a frame is an object
    None,
    /// An object for each material
    Material,
    /// An object for all that moves together
    Object,
}

/// The output's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    /// glTF in a single file
    Glb,
    /// glTF with a separate buffer and pictures
    Gltf,
    /// Wavefront OBJ with a .mtl file and pictures
    Obj,
}

impl ExportFormat {
    const fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Obj => "obj",
        }
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let placement = args.placement.placement()?;
    let job = Export { args, format: format(args)?, placement };
    batch::run_into(&job, &args.batch, &Destination::Files(&args.output), console)
}

struct Export<'a> {
    args: &'a Args,
    format: ExportFormat,
    placement: Placement,
}

impl Job for Export<'_> {
    fn info(&self) -> JobInfo {
        JobInfo::new("exported", "nothing to export")
    }

    fn suffix(&self) -> String {
        format!(".{}", self.format.extension())
    }

    /// OBJ files cannot hold names with blanks, so names for their pictures and materials lose them. This may give
    /// two outputs the same name.
    fn conflict_name(&self, output: &Path) -> PathBuf {
        if self.format != ExportFormat::Obj {
            return output.to_owned();
        }
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        output.with_file_name(export::obj::one_word(&name))
    }

    fn members(&self, input: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(input)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let (mut asset, _) = self.args.open.open(&task.input, None, &mut session.notes)?;
        if !asset.is_drawable() {
            return Ok(Outcome::Nothing);
        }
        let scene = scene(self.args, self.format, task, &mut asset, &mut session.notes)?;
        let merge = match self.args.merge {
            None => Merge::usual(asset.model().is_some()),
            Some(MergeArg::None) => Merge::None,
            Some(MergeArg::Material) => Merge::Material,
            Some(MergeArg::Object) => Merge::Object,
        };
        let scene = Scene { placement: self.placement, ..scene.merged(merge) };
        session.notes.list.add_export(&scene.notes);
        // The scene has its own notes about limits, so these would repeat them.
        let run_notes: Vec<Note> =
            scene.run_notes.iter().filter(|note| note.limit_hit().is_none()).copied().collect();
        session.notes.list.add_run(&run_notes);
        let Some(output) = &task.output else { return Ok(Outcome::Nothing) };
        if scene.meshes.is_empty() {
            return Ok(Outcome::Nothing);
        }
        write(&scene, self.format, output, session)?;
        Ok(Outcome::Done)
    }
}

/// Writes a scene's files. Referenced files go first, so that a file never names a missing one.
fn write(scene: &Scene, format: ExportFormat, output: &Path, session: &mut Session) -> Result<(), Failure> {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let mut files = match format {
        ExportFormat::Glb => {
            let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
            vec![File { name, bytes: export::gltf::write_glb(scene) }]
        }
        ExportFormat::Gltf => export::gltf::write_gltf(scene, &stem),
        ExportFormat::Obj => export::obj::write_materials(scene, &stem),
    };
    let is_stream = output == Path::new("-");
    if is_stream && format != ExportFormat::Glb {
        return Err(Failure::usage("--output -: standard output takes a single file; use --to glb"));
    }
    files.reverse();
    for file in &files {
        let path = if is_stream { output.to_owned() } else { output.with_file_name(&file.name) };
        session.write(&path, &file.bytes)?;
    }
    if format == ExportFormat::Obj {
        let path = output.with_file_name(format!("{stem}.obj"));
        output::write_with(&path, |text| export::obj::write_geometry(scene, &stem, text))?;
        session.written.push(path);
    }
    if !is_stream {
        for path in &session.written {
            session.out.line(format_args!("{}", path.display()))?;
        }
    }
    Ok(())
}

/// Chooses the format by `--to`, or else by the output's extension.
fn format(args: &Args) -> Result<ExportFormat, Failure> {
    let path = &args.output.output;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let by_extension = match extension.as_str() {
        "glb" => Some(ExportFormat::Glb),
        "gltf" => Some(ExportFormat::Gltf),
        "obj" => Some(ExportFormat::Obj),
        _ => None,
    };
    // A folder may hold a single model.
    let is_several = args.batch.names_several() && (args.batch.inputs.len() != 1 || by_extension.is_none());
    let is_file = !args.output.names_folder() && !args.output.is_stdout() && !is_several;
    let name = path.display();
    match (args.to, by_extension) {
        (Some(wanted), Some(other)) if is_file && wanted != other => {
            let wanted = wanted.extension();
            Err(Failure::usage(format_args!("--output {name}: the extension does not fit --to {wanted}")))
        }
        (Some(wanted), _) => Ok(wanted),
        (None, Some(format)) if is_file => Ok(format),
        (None, None) if is_file && !extension.is_empty() => {
            Err(Failure::usage(format_args!("--output {name}: the extension must be .glb, .gltf or .obj")))
        }
        _ => Ok(ExportFormat::Glb),
    }
}

fn scene(
    args: &Args,
    format: ExportFormat,
    task: &Task,
    asset: &mut Asset,
    notes: &mut Notes,
) -> Result<Scene, Failure> {
    let filter = DrawFilter {
        draws: args.draws.clone(),
        through: args.through,
        compares_order: true,
        limits: args.open.limits(),
    };
    let name = InputName::parse(&task.input).stem();
    if let Some(model) = asset.model_mut() {
        args.check_model(format, task, notes)?;
        if format == ExportFormat::Obj {
            return Ok(export::model_scene(model, &name, &filter, RigMode::Static));
        }
        keep_selected_animation(args, model);
        return Ok(export::model_scene(model, &name, &filter, RigMode::Rigged));
    }
    let space = match args.space {
        None => FrameSpace::Automatic,
        Some(SpaceArg::World) => FrameSpace::World,
        Some(SpaceArg::View) => FrameSpace::View,
        Some(SpaceArg::Screen) => FrameSpace::Screen,
    };
    let edits = args.what_if.edits(asset, &filter.limits, notes)?;
    let spec = RunSpec::default().limits(filter.limits).edits(edits);
    let mut shot = asset.shot(&spec).map_err(|error| Failure::asset(&task.input, &error))?;
    let scene = export::frame_scene(&mut shot.capture, &name, &filter, space);
    args.check_draws(&scene, task)?;
    notes.list.add_unused(&scene.unused_overrides);
    Ok(scene)
}

impl Args {
    /// Reports given options that cannot apply to a model.
    fn check_model(&self, format: ExportFormat, task: &Task, notes: &mut Notes) -> Result<(), Failure> {
        let whole = "a model is exported as a whole";
        let options = [
            ("--draws", self.draws.is_some(), whole),
            ("--through", self.through, whole),
            ("--space", self.space.is_some(), whole),
            (
                "--frame",
                self.open.model.frame.is_some() && format != ExportFormat::Obj,
                "glTF holds the whole animation; only .obj is posed",
            ),
        ];
        for (option, _, reason) in options.into_iter().filter(|(_, is_given, _)| *is_given) {
            notes.ignore_option(&task.input, option, reason)?;
        }
        for option in self.what_if.given() {
            notes.ignore_option(&task.input, option, whole)?;
        }
        Ok(())
    }

    /// Fails if `--draws` names draws missing from the run.
    fn check_draws(&self, scene: &Scene, task: &Task) -> Result<(), Failure> {
        let Some(missing) = self.draws.as_ref().and_then(|draws| draws.missing(scene.draws)) else {
            return Ok(());
        };
        let reason = match scene.draws {
            0 => "it has no draws".to_owned(),
            1 => "it has 1 draw, number 0".to_owned(),
            count => format!("it has {count} draws, numbered from 0 to {}", count - 1),
        };
        Err(Failure::inapplicable(&task.input, &format!("--draws {missing}"), reason))
    }
}

/// With `--anim`, removes all other animations and returns the bones to the rest pose, because glTF poses the model
/// itself.
fn keep_selected_animation(args: &Args, model: &mut Model) {
    let Some(wanted) = &args.open.model.anim else { return };
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
