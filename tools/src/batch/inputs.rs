//! Lists a batch's inputs: names on the command line, lists of names, files in folders, members of containers.

use std::path::{Path, PathBuf};

use pspge::{asm, formats};
use walkdir::WalkDir;

use super::arguments::{BatchArgs, Destination, Shard};
use crate::input::name::InputName;
use crate::input::path_text;
use crate::job::Job;
use crate::terminal::failure::Failure;

/// An input, with the path to name its output after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The input as the user would name it.
    pub(crate) input: String,
    /// The file's path relative to the folder it was found in, or as given on the command line.
    pub(crate) path: PathBuf,
    pub(crate) is_in_folder: bool,
    /// Whether it was found in a folder or container, so that the user did not ask for it by name.
    pub(crate) is_found: bool,
}

#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) list: Vec<Found>,
    /// Whether the user asked for several: by several names, a folder, a list, or all members in a container.
    pub(crate) is_batch: bool,
}

/// Lists a run's inputs, sorting files in a folder by name.
///
/// # Errors
/// If no input is given, a list of files cannot be read, or a folder holds no files.
pub(super) fn list(
    job: &impl Job,
    args: &BatchArgs,
    destination: &Destination<'_>,
) -> Result<Inputs, Failure> {
    let mut names = args.inputs.clone();
    if let Some(path) = &args.files_from {
        names.extend(read_list(path)?);
    }
    if names.is_empty() {
        return Err(Failure::usage("no input is given (see --help)"));
    }
    let mut is_batch = names.len() > 1 || args.files_from.is_some() || args.shard.is_some();
    let mut list = Vec::new();
    for name in names {
        let input = InputName::parse(&name);
        let (path, wants_members) = (input.path, input.wants_members());
        let start = list.len();
        let folder = path_text::path(path);
        if folder.is_dir() {
            let was_batch = is_batch;
            is_batch = true;
            let mut files = files_of(&folder, destination);
            if files.is_empty() {
                return Err(Failure::input(path, "empty-folder", None, "the folder holds no files"));
            }
            // Files that make up a single model give a single output, if the user names a file for it.
            if let Destination::Files(output) = destination
                && output.output.extension().is_some()
                && !output.names_folder()
                && let Some(model) = only_model(&files)
            {
                files = vec![model];
                is_batch = was_batch;
            }
            list.extend(files);
        } else {
            list.push(Found {
                input: name.clone(),
                path: PathBuf::from(path),
                is_in_folder: false,
                is_found: false,
            });
            is_batch |= wants_members;
        }
        // Only this name's files are replaced by their members, because others may be wanted whole.
        if wants_members {
            let files = list.split_off(start);
            list.extend(files.into_iter().flat_map(|file| members_of(job, file)));
        }
    }
    Ok(Inputs { list, is_batch })
}

impl Inputs {
    pub(super) fn keep(&mut self, shard: Shard) {
        let mut number = 0..;
        self.list.retain(|_| number.next().is_some_and(|number| shard.has(number)));
    }
}

/// Replaces a file, or a container in it, by its members: `FILE#*` or `FILE#MEMBER/*`. A container stays if its
/// members cannot be listed, so that its job reports the error.
fn members_of(job: &impl Job, file: Found) -> Vec<Found> {
    let InputName { path, member } = InputName::parse(&file.input);
    let container = match member.and_then(|member| member.strip_suffix("/*")) {
        Some(member) => format!("{path}#{member}"),
        None => path.to_owned(),
    };
    let found = |member| Found { input: format!("{path}#{member}"), is_found: true, ..file.clone() };
    match job.members(&container) {
        Ok(members) if !members.is_empty() => members.into_iter().map(found).collect(),
        Ok(_) | Err(_) => vec![Found { input: container, ..file }],
    }
}

/// Reads a list of names. Zero bytes separate them if the list has any, so that names may contain line breaks; else
/// line breaks do.
fn read_list(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = crate::input::files::read(path)?;
    let name = path.display().to_string();
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let names = bytes.split(|byte| *byte == separator).map(|name| name.strip_suffix(b"\r").unwrap_or(name));
    let text = |line: &[u8]| {
        let problem = "the list of files is not UTF-8 text";
        path_text::of_line(line).map_err(|_| Failure::input(&name, "not-text", None, problem))
    };
    names.filter(|name| !name.is_empty()).map(text).collect()
}

/// Finds the model in a folder that holds nothing but a single model's files: the only file that is more than a
/// companion of others. Foreign files do not count.
pub(crate) fn only_model(files: &[Found]) -> Option<Found> {
    /// Folders with more files hold more than one model.
    const FILES_MAX: usize = 64;
    if files.len() > FILES_MAX || files.iter().any(|file| file.path.components().count() > 1) {
        return None;
    }
    let (mut models, mut has_companions) = (Vec::new(), false);
    for file in files {
        let bytes = crate::input::files::look_at(Path::new(&file.input)).ok()?;
        match formats::sniff(&bytes) {
            Some(format) if format.descriptor().serves_as.is_some() => has_companions = true,
            None if !asm::is_assembly(&bytes) => {}
            _ => models.push(file),
        }
    }
    match models.as_slice() {
        [only] if has_companions => Some((*only).clone()),
        _ => None,
    }
}

/// Lists files below a folder. Leaves out the output folder, because outputs from an earlier run are not inputs.
pub(crate) fn files_of(folder: &Path, destination: &Destination<'_>) -> Vec<Found> {
    let outputs = destination.arguments().and_then(|args| args.output.canonicalize().ok());
    let is_output = |path: &Path| outputs.is_some() && path.is_dir() && path.canonicalize().ok() == outputs;
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
    let mut files = Vec::new();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_output(entry.path())) {
        let path = match &entry {
            Ok(entry) if entry.file_type().is_dir() => continue,
            Ok(entry) => entry.path(),
            // The path stays in the list, so that its job fails with the reason.
            Err(error) => match error.path() {
                Some(path) => path,
                None => continue,
            },
        };
        let inside = path_text::decoded(path.strip_prefix(folder).unwrap_or(path).as_os_str()).into();
        files.push(Found { input: path_text::shown(path), path: inside, is_in_folder: true, is_found: true });
    }
    files
}
