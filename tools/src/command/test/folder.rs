//! Keeps results in a folder: judgements, pictures of failures, and a log for resuming an interrupted run.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pspge::compare::{Channels, Depth, Picture};
use pspge::documents::judgement::JudgementDocument;
use pspge::pipeline::texture::content_hash::ContentHash;
use serde::{Deserialize, Serialize};

use super::judge::Judged;
use super::suite::Case;
use crate::input::files;
use crate::output;
use crate::terminal::failure::Failure;

/// The file with all judgements.
pub(super) const RESULTS: &str = "results.jsonl";
/// The file with judgements from a run that has not ended.
const UNFINISHED: &str = "unfinished.jsonl";
/// The folder for pictures.
const PICTURES: &str = "pictures";

pub(super) struct Folder {
    path: PathBuf,
    log: File,
    known: HashMap<String, Record>,
}

/// A case's judgements, each with how long it took.
pub(super) type Timed = Vec<(JudgementDocument, Duration)>;

/// A case's judgements, kept so that a run can go on later.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    case: String,
    /// A hash over input and references, to notice changed files.
    contents: ContentHash,
    judgements: Timed,
}

/// The first line in an unfinished run's log, because judgements hold only for the same options.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    version: String,
    options: String,
}

/// Where a judgement's pictures are in the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PictureFiles {
    pub(super) picture: Option<PathBuf>,
    pub(super) reference: Option<PathBuf>,
    pub(super) depth: Option<PathBuf>,
    pub(super) depth_reference: Option<PathBuf>,
}

impl Folder {
    /// Opens a folder, or creates it. Judgements from an interrupted run with the same options stay; this removes
    /// others, together with an earlier run's pictures.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub(super) fn open(path: &Path, options: &str) -> Result<Self, Failure> {
        output::create_folder(path)?;
        let header = Header { version: env!("CARGO_PKG_VERSION").to_owned(), options: options.to_owned() };
        let log_path = path.join(UNFINISHED);
        let known = read_log(&log_path, &header);
        let failed = |error: std::io::Error| Failure::file(log_path.display(), &error);
        let pictures = path.join(PICTURES);
        if known.is_none() && pictures.is_dir() {
            std::fs::remove_dir_all(&pictures).map_err(|error| Failure::file(pictures.display(), &error))?;
        }
        let mut log = File::create(&log_path).map_err(failed)?;
        output::write_json_line(&mut log, &header).map_err(failed)?;
        let known = known.unwrap_or_default();
        for record in known.values() {
            output::write_json_line(&mut log, record).map_err(failed)?;
        }
        Ok(Self { path: path.to_owned(), log, known })
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns judgements from an interrupted run, if the case's files have not changed since.
    pub(super) fn known(&self, case: &Case) -> Option<Timed> {
        let record = self.known.get(&case.name)?;
        (contents(case) == record.contents).then(|| record.judgements.clone())
    }

    pub(super) fn known_count(&self) -> usize {
        self.known.len()
    }

    /// Keeps a case's judgements.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn keep(
        &mut self,
        case: &Case,
        judgements: &[(JudgementDocument, Duration)],
    ) -> Result<(), Failure> {
        let record =
            Record { case: case.name.clone(), contents: contents(case), judgements: judgements.to_vec() };
        let path = self.path.join(UNFINISHED);
        output::write_json_line(&mut self.log, &record).map_err(|error| Failure::file(path.display(), &error))
    }

    /// Returns the last finished run's judgements. This is empty if no run has finished; lines by another version
    /// are left out.
    pub(super) fn earlier(&self) -> Vec<JudgementDocument> {
        let Ok(file) = File::open(self.path.join(RESULTS)) else { return Vec::new() };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        lines.filter_map(|line| serde_json::from_str(&line).ok()).collect()
    }

    /// Removes the run's log, because it is needed only for resuming.
    pub(super) fn finish(&self) {
        // If it cannot be removed, the next run may skip cases that have not changed, so this is no error.
        let _ = std::fs::remove_file(self.path.join(UNFINISHED));
    }
}

/// Writes a failure's pictures below a folder.
///
/// # Errors
/// If a picture cannot be written.
pub(super) fn write_pictures(folder: &Path, judged: &Judged) -> Result<(), Failure> {
    let names = picture_files(folder, &judged.document);
    let (drawn, reference) = (judged.drawn.as_ref(), judged.reference.as_ref());
    let all = [
        (names.picture, drawn.map(|drawn| &drawn.picture)),
        (names.depth, drawn.and_then(|drawn| drawn.depth.as_ref())),
        (names.reference, reference.and_then(|reference| reference.picture.as_ref())),
        (names.depth_reference, reference.and_then(|reference| reference.depth.as_ref())),
    ];
    for (path, picture) in all {
        let (Some(path), Some(picture)) = (path, picture) else { continue };
        if let Some(folder) = path.parent() {
            output::create_folder(folder)?;
        }
        let bytes = opaque(picture).to_png();
        let bytes = bytes.map_err(|error| Failure::file_problem(path.display(), "input-output", error))?;
        // Several renderers share a reference, so a file may be written twice, which `output::write` would refuse.
        std::fs::write(&path, bytes).map_err(|error| Failure::file(path.display(), &error))?;
    }
    Ok(())
}

/// Returns where a judgement's pictures are below a folder, whether they exist or not.
pub(super) fn picture_files(folder: &Path, judgement: &JudgementDocument) -> PictureFiles {
    let case = folder.join(PICTURES).join(safe_path(&judgement.case));
    let file = |name: &str| Some(case.join(name));
    let has_depth = judgement.depth.is_some();
    PictureFiles {
        picture: file(&format!("{}.png", judgement.renderer)),
        reference: file("reference.png").filter(|_| judgement.picture.is_some()),
        depth: file(&format!("{}-depth.png", judgement.renderer)).filter(|_| has_depth),
        depth_reference: file("reference-depth.png").filter(|_| has_depth),
    }
}

/// Turns a case's name into a path that stays in its folder on every system.
fn safe_path(name: &str) -> PathBuf {
    let part = |part: &str| {
        let letter = |letter: char| {
            let is_wrong = letter.is_control() || "<>:\"\\|?*".contains(letter);
            if is_wrong { '_' } else { letter }
        };
        let safe: String = part.chars().map(letter).collect();
        if safe.chars().all(|letter| letter == '.') { "_".to_owned() } else { safe }
    };
    name.split('/').map(part).collect()
}

/// Removes a picture's alpha, because it is not compared.
fn opaque(picture: &Picture) -> Picture {
    let kept = match picture.channels() {
        Channels::Grey | Channels::Rgb => return picture.clone(),
        Channels::GreyAlpha => Channels::Grey,
        Channels::Rgba => Channels::Rgb,
    };
    let samples = picture.samples().chunks(picture.channels().count());
    let samples = samples.flat_map(|pixel| pixel.iter().take(kept.count()).copied());
    let depth: Depth = picture.depth();
    Picture::new(picture.size(), kept, depth, samples.collect()).unwrap_or_else(|_| picture.clone())
}

/// Reads an interrupted run's log, leaving out a line that was cut off. Returns `None` if no log has these options.
fn read_log(path: &Path, header: &Header) -> Option<HashMap<String, Record>> {
    let mut lines = BufReader::new(File::open(path).ok()?).lines().map_while(Result::ok);
    let found: Header = serde_json::from_str(&lines.next()?).ok()?;
    if found != *header {
        return None;
    }
    let records = lines.filter_map(|line| serde_json::from_str::<Record>(&line).ok());
    Some(records.map(|record| (record.case.clone(), record)).collect())
}

fn contents(case: &Case) -> ContentHash {
    let references =
        case.references.iter().flat_map(|reference| [&reference.picture, &reference.depth]).flatten();
    let mut hashes = Vec::new();
    for path in std::iter::once(case.path()).chain(references.cloned()) {
        let bytes = files::read_bytes(&path).unwrap_or_default();
        hashes.extend(ContentHash::of(&bytes).to_string().into_bytes());
    }
    hashes.extend(format!("{:?}", case.measured).into_bytes());
    ContentHash::of(&hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cases_stay_in_the_folder() {
        for (name, path) in [
            ("a/b.ppdmp", "a/b.ppdmp"),
            ("../../up", "_/_/up"),
            ("a:b\\c?.zip", "a_b_c_.zip"),
            ("a//b", "a/_/b"),
        ] {
            let safe = safe_path(name);
            assert!(safe.is_relative(), "{name}");
            assert_eq!(safe.to_string_lossy().replace('\\', "/"), path, "{name}");
        }
    }
}
