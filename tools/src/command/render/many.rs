//! Rendering many inputs: every file of a folder, or several named ones, each to a picture of its own in a folder.
//!
//! # Invariants
//! Which picture gets which name depends on the inputs only, not on who is done first. A file that cannot be drawn does
//! not keep others from being drawn.

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
use crate::{files, memory, output, progress};

/// What became of an input.
enum Outcome {
    Drawn,
    /// A file of a folder in which there is nothing to draw.
    Skipped,
    Failed(Failure),
}

/// An input and where its picture goes.
struct Job {
    input: String,
    picture: PathBuf,
    /// Found in a folder, so that it may well be no drawing at all.
    found: bool,
}

/// Draws all inputs into the folder that the output names.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let jobs = jobs(&args.inputs, &args.output)?;
    let bar = progress::bar("files", jobs.len() as u64);
    let draw = |job: &Job| {
        let outcome = draw(args, job);
        if let Outcome::Failed(failure) = &outcome
            && let Some(message) = failure.message()
        {
            bar.suspend(|| eprintln!("error: {message}"));
        }
        bar.inc(1);
        outcome
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build();
    let outcomes: Vec<Outcome> = match pool {
        Ok(pool) => pool.install(|| jobs.par_iter().map(draw).collect()),
        // No threads to be had: one after another.
        Err(_) => jobs.iter().map(draw).collect(),
    };
    bar.finish_and_clear();
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| wanted(outcome)).count();
    let drawn = count(|outcome| matches!(outcome, Outcome::Drawn));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let memory = memory::peak().map(|bytes| format!(", at most {} of memory", memory::Mebibytes(bytes)));
    eprintln!("{drawn} drawn, {skipped} with nothing to draw, {failed} failed{}", memory.unwrap_or_default());
    if failed > 0 { Err(Failure::Told) } else { Ok(()) }
}

fn draw(args: &Args, job: &Job) -> Outcome {
    match picture(args, job) {
        Ok(None) => Outcome::Skipped,
        Ok(Some(picture)) => match write(&job.picture, &picture) {
            Ok(()) => Outcome::Drawn,
            Err(failure) => Outcome::Failed(failure),
        },
        Err(failure) => Outcome::Failed(failure),
    }
}

/// The picture of an input; `None` for a file of a folder in which there is nothing to draw.
fn picture(args: &Args, job: &Job) -> Result<Option<DynamicImage>, Failure> {
    if job.found && args.how.format.is_none() {
        let bytes = files::read(Path::new(&job.input))?;
        if formats::sniff(&bytes).is_none() && !asm::is_assembly(&bytes) {
            return Ok(None);
        }
    }
    let input = InputArgs { input: job.input.clone(), how: args.how.clone() };
    let content = input.load()?;
    let drawable = matches!(
        content,
        Input::Program { .. } | Input::File { content: Content::Model(_) | Content::Frame { .. }, .. }
    );
    if job.found && !drawable {
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

/// All inputs with their pictures: files of folders in the order of their names, at the same place in `folder` as they
/// have in theirs.
fn jobs(inputs: &[String], folder: &Path) -> Result<Vec<Job>, Failure> {
    let mut jobs = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if !path.is_dir() {
            let (file, member) = input::split(input);
            let name = Path::new(file).file_name().unwrap_or_default();
            let picture = picture_name(&folder.join(name), member);
            jobs.push(Job { input: input.clone(), picture, found: false });
            continue;
        }
        // Pictures of an earlier run are no inputs.
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
                jobs.push(Job { input, picture, found: true });
            }
        }
    }
    tell_apart(&mut jobs);
    Ok(jobs)
}

/// `model.pac` gives `model.png`, and its member 3 `model-3.png`.
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

/// Where several inputs would give the same picture, each gets its whole name; where that is not enough, a number.
fn tell_apart(jobs: &mut [Job]) {
    let count = |jobs: &[Job]| {
        let mut count = HashMap::<PathBuf, usize>::new();
        jobs.iter().for_each(|job| *count.entry(job.picture.clone()).or_default() += 1);
        count
    };
    let shared = count(jobs);
    for job in jobs.iter_mut().filter(|job| shared.get(&job.picture).is_some_and(|&count| count > 1)) {
        let (file, member) = input::split(&job.input);
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let whole = job.picture.with_file_name(format!("{name}.x"));
        job.picture = picture_name(&whole, member);
    }
    let shared = count(jobs);
    let mut numbers = HashMap::<PathBuf, usize>::new();
    for job in jobs.iter_mut().filter(|job| shared.get(&job.picture).is_some_and(|&count| count > 1)) {
        let number = numbers.entry(job.picture.clone()).or_default();
        *number += 1;
        let stem = job.picture.file_stem().unwrap_or_default().to_string_lossy();
        job.picture = job.picture.with_file_name(format!("{stem}~{number}.png"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(inputs: &[&str]) -> Vec<String> {
        let inputs: Vec<String> = inputs.iter().map(|&input| input.to_owned()).collect();
        let jobs = jobs(&inputs, Path::new("out")).expect("no folders");
        jobs.iter().map(|job| job.picture.to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn pictures_are_named_after_their_inputs() {
        assert_eq!(pictures(&["a/one.pmo", "two.pac#3"]), ["out/one.png", "out/two-3.png"], "plain");
        assert_eq!(pictures(&["x#../../evil"]), ["out/x-..-..-evil.png"], "never outside the folder");
        assert_eq!(
            pictures(&["one.pmo", "one.pac", "two.pmo"]),
            ["out/one.pmo.png", "out/one.pac.png", "out/two.png"],
            "told apart by their endings"
        );
        assert_eq!(
            pictures(&["a/one.pmo", "b/one.pmo"]),
            ["out/one.pmo~1.png", "out/one.pmo~2.png"],
            "told apart by numbers"
        );
    }
}
