//! `pspge import-model`: writes changed geometry back into a model.

use std::path::PathBuf;

use pspge::documents::ModelImportDocument;
use pspge::documents::model_import::GroupResult;
use pspge::export::Placement;
use pspge::formats::{CompanionFile, File, FileRole, Opened};
use pspge::import::{GeometryError, GeometryProblem, WrittenModel, import_model, mesh_data_path};

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::input::frame_dump::check_output;
use crate::input::name::InputName;
use crate::input::options::FileOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::placement::PlacementArgs;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

/// Write changed geometry back into a model
///
/// The geometry is a binary glTF file (.glb), written by `pspge export` and changed in another program: triangles,
/// normals, texture coordinates, vertex colours, and bone weights. Materials and bones are found in the model by
/// their names. Give the export's options, such as --scale and --up, here, too.
///
/// Anything unchanged in the file stays as it is, to the byte, and so do materials missing from it. Models of
/// Monster Hunter (PMO) can be written, also in containers (PAC) and ZIP archives. If lists and vertices are in a
/// second file, this is written next to the output, with the extension .mesh.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Binary glTF file with the new geometry, at rest
    #[arg(value_name = "GLB")]
    geometry: PathBuf,

    /// Model that the geometry goes into; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(long, value_name = "MODEL", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    into: String,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    placement: PlacementArgs,

    /// Print how each group fared as JSON (see pspge schema model-import)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    open: FileOptions,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    check_output(&args.output, args.json)?;
    let job = Import { args, placement: args.placement.placement()? };
    batch::run_into(&job, &BatchArgs::only(&args.into), &Destination::Files(&args.output), console)
}

struct Import<'a> {
    args: &'a Args,
    placement: Placement,
}

impl Job for Import<'_> {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.args.json, ..JobInfo::new("written", "no model") }
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let args = self.args;
        let geometry = crate::input::files::read(&args.geometry)?;
        let (asset, bytes) = args.open.open(&task.input, None, &mut session.notes)?;
        let Some(opened) = asset.opened() else {
            return Err(failure(args, task, &GeometryProblem::Kind(asset.kind().to_owned()).into()));
        };
        let file = File { name: InputName::parse(&task.input).path, bytes: &bytes };
        let second = second_file(opened)?;
        let mesh_data = second.as_ref().map(|(name, bytes)| File { name, bytes });
        let written = import_model(opened, file, mesh_data, &geometry, self.placement)
            .map_err(|error| failure(args, task, &error))?;
        if written.mesh_data.is_some() && args.output.is_stdout() {
            let problem = "this model becomes two files, which standard output cannot hold";
            return Err(Failure::usage(problem));
        }
        // A file that cannot be read again must not be written.
        let mesh_data = written.mesh_data.as_ref().map(|bytes| File { name: "mesh data", bytes });
        args.open.open_with_mesh_data(&task.input, &written.bytes, mesh_data)?;
        let second = second.as_ref().map(|(_, bytes)| bytes.as_slice());
        finish(args, task, (&bytes, second), &written, session)?;
        Ok(Outcome::Done)
    }
}

/// Reads the file with lists and vertices, for a model in two files. In an archive, the library finds it.
fn second_file(opened: &Opened) -> Result<Option<(String, Vec<u8>)>, Failure> {
    let is_second = |file: &&CompanionFile| file.role == FileRole::MeshData;
    let Some(file) = opened.companions.iter().find(is_second) else { return Ok(None) };
    let path = crate::input::path_text::path(&file.name);
    if path.is_file() { Ok(Some((file.name.clone(), crate::input::files::read(&path)?))) } else { Ok(None) }
}

/// Explains why the geometry cannot be written.
fn failure(args: &Args, task: &Task, error: &GeometryError) -> Failure {
    let problem = &error.problem;
    match problem {
        GeometryProblem::Format(error) => Failure::format(&task.input, error),
        _ if problem.is_of_model() => Failure::input(&task.input, problem.code(), None, error),
        _ => Failure::input(&args.geometry.display().to_string(), problem.code(), None, error),
    }
}

/// Writes the file, and prints how each group fared.
fn finish(
    args: &Args,
    task: &Task,
    before: (&[u8], Option<&[u8]>),
    written: &WrittenModel,
    session: &mut Session,
) -> Result<(), Failure> {
    let Some(path) = &task.output else { return Ok(()) };
    let mesh_path = written.mesh_data.as_ref().map(|_| mesh_data_path(path));
    if let (Some(path), Some(bytes)) = (&mesh_path, &written.mesh_data) {
        session.write(path, bytes)?;
    }
    session.write(path, &written.bytes)?;
    let output = path.display().to_string();
    let mesh_data = mesh_path.map(|path| path.display().to_string());
    let geometry = args.geometry.display().to_string();
    let notes = session.notes.list.entries().to_vec();
    let files = [task.input.as_str(), &geometry, &output];
    let document = ModelImportDocument::new(files, mesh_data, before, written, notes);
    if args.json {
        return session.json(&document);
    }
    // The file itself may be on standard output.
    if args.output.is_stdout() {
        return Ok(());
    }
    let changed = document.groups.iter().filter(|group| group.result != GroupResult::Unchanged);
    let (count, all, bytes) = (changed.clone().count(), document.groups.len(), document.changed_bytes);
    let second = document.mesh_data.iter().map(|name| format!(" and {name}")).collect::<String>();
    session
        .out
        .line(format_args!("{output}{second}: {count} of {all} groups changed, {bytes} bytes differ"))?;
    for group in changed {
        let [old, new] = group.triangles;
        let result = match group.result {
            GroupResult::Unchanged => continue,
            GroupResult::Rounded => "vertices rounded anew, because the model became larger".to_owned(),
            GroupResult::Vertices => "other vertices".to_owned(),
            GroupResult::Rebuilt if group.parts > 1 => {
                format!("{old} triangles before, {new} now, in {} groups", group.parts)
            }
            GroupResult::Rebuilt => format!("{old} triangles before, {new} now"),
        };
        session.out.line(format_args!("  mesh {}, group {}: {result}", group.mesh, group.group))?;
    }
    Ok(())
}
