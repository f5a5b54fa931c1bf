//! Renders several files, or all files of a folder, to one picture each.
//!
//! # Invariants
//! * The names of the pictures depend only on the inputs, not on the order in which threads finish.
//! * A file that cannot be drawn does not stop the others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use image::DynamicImage;
use pspge::asm;
use pspge::formats::{self, Content};
use rayon::prelude::*;
use walkdir::WalkDir;

use super::Args;
use crate::failure::Failure;
use crate::input::{self, Input, InputArgs};
use crate::{files, memory, output, progress, run};

/// The result for one input.
enum Outcome {
    Drawn,
    /// The file is from a folder and cannot be drawn.
    Skipped,
    Failed(Failure),
}

/// An input and the path of its picture.
struct RenderTask {
    input: String,
    picture: PathBuf,
    /// The input was found in a folder; if it cannot be drawn, that is not an error.
    from_folder: bool,
}

/// Draws all inputs into the folder `--output`.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let tasks = tasks(&args.inputs, &args.output)?;
    let bar = progress::bar("files", tasks.len() as u64);
    let draw = |task: &RenderTask| {
        let outcome = draw(args, task);
        if let Outcome::Failed(failure) = &outcome
            && let Some(message) = failure.message()
        {
            bar.suspend(|| eprintln!("error: {message}"));
        }
        bar.inc(1);
        outcome
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build();
    let outcomes: Vec<Outcome> = match pool {
        Ok(pool) => pool.install(|| tasks.par_iter().map(draw).collect()),
        // If the system gives no threads, this one draws.
        Err(_) => tasks.iter().map(draw).collect(),
    };
    bar.finish_and_clear();
    let count = |matches: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| matches(outcome)).count();
    let drawn = count(|outcome| matches!(outcome, Outcome::Drawn));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let memory = memory::peak().map(|bytes| format!(", peak memory {}", memory::Mebibytes(bytes)));
    eprintln!("{drawn} drawn, {skipped} skipped, {failed} failed{}", memory.unwrap_or_default());
    if failed > 0 { Err(Failure::Reported) } else { Ok(()) }
}

fn draw(args: &Args, task: &RenderTask) -> Outcome {
    match picture(args, task) {
        Ok(None) => Outcome::Skipped,
        Ok(Some(picture)) => match write(&task.picture, &picture) {
            Ok(()) => Outcome::Drawn,
            Err(failure) => Outcome::Failed(failure),
        },
        Err(failure) => Outcome::Failed(failure),
    }
}

/// Draws an input. Returns `None` for a file from a folder that cannot be drawn.
fn picture(args: &Args, task: &RenderTask) -> Result<Option<DynamicImage>, Failure> {
    if task.from_folder && args.open_options.format.is_none() {
        let bytes = files::read(Path::new(&task.input))?;
        if formats::sniff(&bytes).is_none() && !asm::is_assembly(&bytes) {
            return Ok(None);
        }
    }
    let input = InputArgs { input: task.input.clone(), how: args.open_options.clone() };
    let content = run::open(&input)?;
    let drawable = matches!(
        content,
        Input::Program { .. } | Input::File { content: Content::Model(_) | Content::Frame { .. }, .. }
    );
    if task.from_folder && !drawable {
        return Ok(None);
    }
    super::draw(args, &input, content, 1).map(Some)
}

fn write(path: &Path, picture: &DynamicImage) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder.display(), error))?;
    }
    output::write_png(path, picture)
}

/// Returns all inputs with the paths of their pictures below `folder`. Files of an input folder come in the
/// order of their names and keep their subfolders.
fn tasks(inputs: &[String], folder: &Path) -> Result<Vec<RenderTask>, Failure> {
    let mut tasks = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if !path.is_dir() {
            let (file, member) = input::split(input);
            let name = Path::new(file).file_name().unwrap_or_default();
            let picture = picture_name(&folder.join(name), member);
            tasks.push(RenderTask { input: input.clone(), picture, from_folder: false });
            continue;
        }
        // Pictures of an earlier run are not inputs.
        let results = folder.canonicalize().ok();
        let is_result =
            |path: &Path| results.is_some() && path.is_dir() && path.canonicalize().ok() == results;
        let walk = WalkDir::new(path).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_result(entry.path())) {
            let entry = entry.map_err(|error| Failure::file(input, error))?;
            if entry.file_type().is_file() {
                let inside = entry.path().strip_prefix(path).unwrap_or(entry.path());
                let picture = picture_name(&folder.join(inside), None);
                let input = entry.path().to_string_lossy().into_owned();
                tasks.push(RenderTask { input, picture, from_folder: true });
            }
        }
    }
    make_names_unique(&mut tasks);
    Ok(tasks)
}

/// Returns the path of a picture: `model.png` for `model.pac`, `model-3.png` for its member 3.
fn picture_name(path: &Path, member: Option<&str>) -> PathBuf {
    match member {
        None => path.with_extension("png"),
        Some(member) => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let member: String = member
                .chars()
                .map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' })
                .collect();
            path.with_file_name(format!("{stem}-{member}.png"))
        }
    }
}

/// If several inputs would get the same picture name, adds their extensions to it; if that is not enough, a
/// number.
fn make_names_unique(tasks: &mut [RenderTask]) {
    let count = |tasks: &[RenderTask]| {
        let mut count = HashMap::<PathBuf, usize>::new();
        tasks.iter().for_each(|task| *count.entry(task.picture.clone()).or_default() += 1);
        count
    };
    let shared = count(tasks);
    for task in tasks.iter_mut().filter(|task| shared.get(&task.picture).is_some_and(|&count| count > 1)) {
        let (file, member) = input::split(&task.input);
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        // `picture_name` replaces the last extension.
        let with_extension = task.picture.with_file_name(format!("{name}.x"));
        task.picture = picture_name(&with_extension, member);
    }
    let shared = count(tasks);
    let mut numbers = HashMap::<PathBuf, usize>::new();
    for task in tasks.iter_mut().filter(|task| shared.get(&task.picture).is_some_and(|&count| count > 1)) {
        let number = numbers.entry(task.picture.clone()).or_default();
        *number += 1;
        let stem = task.picture.file_stem().unwrap_or_default().to_string_lossy();
        task.picture = task.picture.with_file_name(format!("{stem}~{number}.png"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(inputs: &[&str]) -> Vec<String> {
        let inputs: Vec<String> = inputs.iter().map(|&input| input.to_owned()).collect();
        let tasks = tasks(&inputs, Path::new("out")).expect("no folders");
        tasks.iter().map(|task| task.picture.to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn pictures_are_named_after_their_inputs() {
        assert_eq!(pictures(&["a/one.pmo", "two.pac#3"]), ["out/one.png", "out/two-3.png"], "plain");
        assert_eq!(pictures(&["x#../../evil"]), ["out/x-..-..-evil.png"], "never outside the folder");
        assert_eq!(
            pictures(&["one.pmo", "one.pac", "two.pmo"]),
            ["out/one.pmo.png", "out/one.pac.png", "out/two.png"],
            "extensions make them unique"
        );
        assert_eq!(
            pictures(&["a/one.pmo", "b/one.pmo"]),
            ["out/one.pmo~1.png", "out/one.pmo~2.png"],
            "numbers make them unique"
        );
    }
}
