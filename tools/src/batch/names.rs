//! Names outputs.
//!
//! # Invariants
//! An output's name depends on its input's name alone: `model.pac` gives `model.pac.png`, its member 3
//! `model.pac.3.png`. Files in a folder keep their subfolders. No name leads out of the output folder.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Component, Path, PathBuf};

use super::arguments::Destination;
use super::inputs::{Found, Inputs};
use crate::input::name::InputName;
use crate::job::{Job, Task};
use crate::terminal::failure::Failure;

/// Makes a task for each input, with a path for its output.
///
/// # Errors
/// If several inputs would go to standard output or into a single file.
pub(super) fn assign(
    inputs: &Inputs,
    destination: &Destination<'_>,
    job: &impl Job,
) -> Result<Vec<Task>, Failure> {
    let Some(args) = destination.arguments() else {
        return Ok((0..).zip(&inputs.list).map(|found| task(found, None)).collect());
    };
    let output = args.output.as_path();
    if inputs.is_batch && args.is_stdout() {
        return Err(Failure::usage("--output -: several inputs need an output folder"));
    }
    if inputs.is_batch && output.exists() && !output.is_dir() {
        let problem =
            format!("--output {}: several inputs need a folder, and this is a file", output.display());
        return Err(Failure::usage(problem));
    }
    let is_file = matches!(destination, Destination::Files(_));
    // A single input takes the path as it is, because the user has then named the output itself.
    if !inputs.is_batch && (!is_file || !args.names_folder()) {
        return Ok((0..).zip(&inputs.list).map(|found| task(found, Some(output.to_owned()))).collect());
    }
    let suffix = if is_file { job.suffix() } else { String::new() };
    let name = |found: &Found| Some(output.join(name_of(found, args.parents, &suffix)));
    let mut tasks: Vec<Task> =
        (0..).zip(&inputs.list).map(|(number, found)| task((number, found), name(found))).collect();
    mark_conflicts(&mut tasks, |output| job.conflict_name(output));
    Ok(tasks)
}

fn task((number, found): (usize, &Found), output: Option<PathBuf>) -> Task {
    Task { number, input: found.input.clone(), output, is_found: found.is_found, conflict: None }
}

/// Returns an output's path relative to the output folder.
fn name_of(found: &Found, keeps_parents: bool, suffix: &str) -> PathBuf {
    let InputName { member, .. } = InputName::parse(&found.input);
    let name = match found.path.file_name() {
        Some(name) if found.path != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    };
    let member = member.map(|member| format!(".{}", safe(member))).unwrap_or_default();
    let keeps_folders = keeps_parents || found.is_in_folder;
    let folder = found.path.parent().filter(|_| keeps_folders).unwrap_or(Path::new(""));
    // Leaves out `..`, roots and drive letters, so that the path stays inside the output folder.
    let is_plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
    let folder: PathBuf = folder.components().filter(is_plain).collect();
    folder.join(format!("{name}{member}{suffix}"))
}

/// Replaces characters in a member's name that are special in file names.
fn safe(member: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
    member.chars().map(letter).collect()
}

/// Marks each task that would overwrite an earlier task's output.
fn mark_conflicts(tasks: &mut [Task], name: impl Fn(&Path) -> PathBuf) {
    let mut inputs: HashMap<PathBuf, String> = HashMap::new();
    for task in tasks {
        let Some(output) = &task.output else { continue };
        match inputs.entry(name(output)) {
            Entry::Occupied(first) => task.conflict = Some(first.get().clone()),
            Entry::Vacant(free) => {
                free.insert(task.input.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(input: &str, keeps_parents: bool) -> String {
        let path = PathBuf::from(InputName::parse(input).path);
        let found = Found { input: input.to_owned(), path, is_in_folder: false, is_found: false };
        name_of(&found, keeps_parents, ".png").to_string_lossy().replace('\\', "/")
    }

    #[test]
    fn outputs_are_named_after_their_inputs() {
        assert_eq!(name("a/one.pmo", false), "one.pmo.png", "the name of the file");
        assert_eq!(name("two.pac#3", false), "two.pac.3.png", "a member");
        assert_eq!(name("a/one.pmo", true), "a/one.pmo.png", "with its folders");
        assert_eq!(name("/b/../c/one.pmo", true), "b/c/one.pmo.png", "never outside the output folder");
        assert_eq!(name("x#../../evil", false), "x...-..-evil.png", "nor by the name of a member");
        assert_eq!(name("-", false), "stdin.png", "standard input");
    }

    #[test]
    fn second_output_of_a_name_is_a_conflict() {
        let new = |input: &str, output: &str| Task {
            number: 0,
            input: input.to_owned(),
            output: Some(PathBuf::from(output)),
            is_found: false,
            conflict: None,
        };
        let mut tasks = [new("a/x", "out/x.png"), new("b/x", "out/x.png"), new("a/y", "out/y.png")];
        mark_conflicts(&mut tasks, Path::to_owned);
        assert_eq!(tasks.map(|task| task.conflict), [None, Some("a/x".to_owned()), None], "the second one");
    }
}
