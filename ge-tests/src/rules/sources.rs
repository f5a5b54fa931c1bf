//! Finds the tests for rules to name, with their sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::case::{self, Case};
use crate::input;
use crate::inventory::Inventory;
use crate::measured;

/// All tests that exist.
#[derive(Debug)]
pub struct Sources {
    /// The conformance cases.
    pub cases: BTreeMap<String, CaseSize>,
    /// Recorded frames by their public test's name, with how many pixels are wrong.
    pub pictures: BTreeMap<String, usize>,
    /// Measured jobs by name.
    pub measured: Vec<String>,
    /// The scenes for `geprobe` by name.
    pub scenes: BTreeSet<String>,
    /// The corpus's game frames by name.
    pub frames: BTreeSet<String>,
    /// The library's unit tests by name.
    pub unit_tests: BTreeSet<String>,
}

/// How many results a case has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseSize {
    /// Rows.
    pub rows: usize,
    /// Rows known to fail.
    pub failing_rows: usize,
    /// Pictures: 0 or 1.
    pub pictures: usize,
    /// Pictures known to fail.
    pub failing_pictures: usize,
}

impl Sources {
    /// Reads the cases and tables below `ge-tests/cases`, and the library's source code.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(workspace: &Path) -> Result<Self> {
        let root = workspace.join("ge-tests/cases");
        let cases: Vec<Case> =
            case::names(&root)?.iter().map(|name| Case::read(&root, name)).collect::<Result<_>>()?;
        let inventory = Inventory::read(&root, &cases)?;
        Ok(Self {
            cases: cases.iter().map(|case| (case.name.clone(), CaseSize::of(case))).collect(),
            pictures: inventory.tests().filter_map(|test| Some((test.name.clone(), test.frame?.0))).collect(),
            measured: measured::names(&root)?,
            scenes: scene_names(&root)?,
            frames: frame_names(&root)?,
            unit_tests: unit_tests(&workspace.join("src"))?,
        })
    }

    /// Counts measured jobs with names that begin like this, because a rule names them by their start.
    #[must_use]
    pub fn measured_jobs(&self, start: &str) -> usize {
        self.measured.iter().filter(|name| name.starts_with(start)).count()
    }
}

impl CaseSize {
    fn of(case: &Case) -> Self {
        let rows = case.table.as_ref().map_or(0, |table| table.rows.len());
        Self {
            rows,
            failing_rows: (1..=rows).filter(|row| case.is_known_row(*row)).count(),
            pictures: usize::from(case.picture.is_some()),
            failing_pictures: usize::from(case.is_known_picture()),
        }
    }
}

/// The file for the corpus's scene names, below `ge-tests/cases`.
const SCENES: &str = "scenes.txt";

/// Reads recorded scene names. They need no corpus, which may have further scenes.
fn scene_names(root: &Path) -> Result<BTreeSet<String>> {
    let path = root.join(SCENES);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(text.lines().filter(|line| !line.starts_with(';')).map(str::to_owned).collect())
}

/// The file with an expectation for each game frame of the corpus, below `ge-tests/cases`.
const FRAMES: &str = "frames.toml";

/// Reads the game frames' names: `nova` for `nova.ppdmp`.
fn frame_names(root: &Path) -> Result<BTreeSet<String>> {
    let path = root.join(FRAMES);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let names = text.lines().filter_map(|line| line.strip_prefix("case = \"")?.strip_suffix(".ppdmp\""));
    Ok(names.map(str::to_owned).collect())
}

/// Records scene names, for `scene_names` to read.
///
/// # Errors
/// If the file cannot be written.
pub fn write_scene_names(root: &Path, names: &BTreeSet<String>) -> Result<()> {
    let mut text = String::from(
        "; Names of the scenes of the corpus. `INSTA_UPDATE=always` with PSPGE_CORPUS records them again.\n",
    );
    for name in names {
        text += name;
        text.push('\n');
    }
    fs::write(root.join(SCENES), text).with_context(|| SCENES.to_owned())
}

/// Lists functions with `#[test]` in all files below a folder.
fn unit_tests(folder: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for path in input::files_below(folder) {
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for after in text.split("#[test]").skip(1) {
            let name = after.split_once("fn ").and_then(|(_, rest)| rest.split_once('('));
            found.extend(name.map(|(name, _)| name.to_owned()));
        }
    }
    Ok(found)
}
