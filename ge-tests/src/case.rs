//! Reads case folders: `case.toml`, the program texts and the tables.
//!
//! # Invariants
//! A [`Case`] was read completely and is consistent: [`Case::read`], not a run, reports unknown keys, missing files,
//! unparsable tables and known failures without a row.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::compare::{Picture, Region};
use crate::rows::Table;
use crate::shapes::Shape;

/// A case folder after reading it.
#[derive(Debug)]
pub struct Case {
    /// Folder below `cases`, for example `filtering/linear`.
    pub name: String,
    /// What `case.toml` contains.
    pub settings: Settings,
    /// The included texts and the program, in order.
    pub program: String,
    /// The rows, if the case has any.
    pub table: Option<Table>,
    /// The expected picture, if the case has one.
    pub picture: Option<Picture>,
}

/// The keys in `case.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The fact shown by this case, in a sentence.
    pub about: String,
    /// Where the facts come from, for example `pspautotests gpu/filtering/linear`.
    pub source: String,
    /// How certain the expectation is.
    pub evidence: Evidence,
    /// Whether PPSSPP's software renderer passes the test behind these facts.
    pub ppsspp: Status,
    /// Which result to compare for this case.
    #[serde(default)]
    pub kind: CaseKind,
    /// Texts included before the program, by path below `cases`.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// The program, by path below the case folder.
    pub list: PathBuf,
    /// Shapes to append to the program.
    #[serde(default)]
    pub shapes: Vec<Shape>,
    /// The table with parameters and expected values.
    pub rows: Option<PathBuf>,
    /// The expected picture.
    pub picture: Option<PictureSettings>,
    /// The word to fill VRAM with before a run.
    #[serde(default)]
    pub background: u32,
    /// Arithmetic for transform and lighting.
    #[serde(default)]
    pub arithmetic: ArithmeticName,
    /// Modes for eDRAM address translation, for the CPU to request in this order before a run; unknown modes are
    /// refused. Only for cases with rows. May contain parameters.
    pub translation: Option<String>,
    /// Lets the CPU do more than wait for the list's end. Only for cases with rows.
    pub session: Option<SessionSettings>,
    /// Known failures. If any of them passes, this case fails, to keep the list up to date.
    #[serde(default)]
    pub known_failures: Vec<KnownFailure>,
}

/// The CPU's side of a list (see [`crate::session`]).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSettings {
    /// How many words to supply at first, from the list's start; `-` for all. May contain parameters.
    pub stall: String,
    /// The register to read at every callback.
    pub watch: String,
}

/// A case's expected picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureSettings {
    /// The file with the pixel runs.
    pub expect: PathBuf,
    /// Left, top, width and height of the rectangle to compare.
    pub region: [u32; 4],
    /// The colour to expect in every pixel outside the runs, as `RRGGBB`.
    pub background: String,
}

/// Rows, or the picture, known to fail at present.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// Row numbers, from 1.
    #[serde(default)]
    pub rows: Vec<usize>,
    /// Whether the picture fails.
    #[serde(default)]
    pub picture: bool,
    /// Why they fail, for people to read.
    pub reason: String,
}

/// How an expectation is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// A test that ran on a real console.
    Hardware,
    /// A public document.
    Document,
    /// Games' data, which look right only this way.
    Observed,
    /// A reasonable assumption.
    Assumed,
}

impl Evidence {
    /// Returns the word that begins such cases' trial names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::Document => "document",
            Self::Observed => "observed",
            Self::Assumed => "assumed",
        }
    }
}

/// Whether another implementation passes the same test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It passes.
    Passes,
    /// It fails.
    Fails,
    /// It is not known.
    Unknown,
}

/// Which result a case compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseKind {
    /// Memory after the run: rows of numbers, a picture, or both.
    #[default]
    Frame,
    /// The executed commands, compared with a snapshot.
    Trace,
}

/// The arithmetic for transformation and lighting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArithmeticName {
    /// 16 significant bits, as in hardware.
    #[default]
    Hardware,
    /// Single precision.
    Single,
}

impl Case {
    /// Reads the folder `name` below `root`.
    ///
    /// # Errors
    /// If a file is missing or unreadable, or if the files contradict one another.
    pub fn read(root: &Path, name: &str) -> Result<Self> {
        let folder = root.join(name);
        let settings: Settings =
            toml::from_str(&text(&folder.join("case.toml"))?).with_context(|| format!("{name}/case.toml"))?;
        let mut program = String::new();
        for included in &settings.include {
            program += &text(&root.join(included))?;
            program.push('\n');
        }
        program += &text(&folder.join(&settings.list))?;
        for shape in &settings.shapes {
            program.push('\n');
            program += &shape.text();
        }
        let table = match &settings.rows {
            Some(rows) => Some(
                Table::parse(&text(&folder.join(rows))?)
                    .with_context(|| format!("{name}/{}", rows.display()))?,
            ),
            None => None,
        };
        let picture = match &settings.picture {
            Some(picture) => {
                let region = Region::new(picture.region)?;
                let expected = text(&folder.join(&picture.expect))?;
                Some(
                    Picture::parse(&expected, region, &picture.background)
                        .with_context(|| format!("{name}/{}", picture.expect.display()))?,
                )
            }
            None => None,
        };
        let case = Self { name: name.to_owned(), settings, program, table, picture };
        case.check().with_context(|| format!("{name}/case.toml"))?;
        Ok(case)
    }

    fn check(&self) -> Result<()> {
        let traces = self.settings.kind == CaseKind::Trace;
        ensure!(
            traces != (self.table.is_some() || self.picture.is_some()),
            "a frame case needs rows or a picture, a trace case has neither"
        );
        let accompanied = self.settings.translation.is_some() || self.settings.session.is_some();
        ensure!(
            !accompanied || self.table.is_some(),
            "`translation` and `session` are for cases with rows only"
        );
        let rows = self.table.as_ref().map_or(0, |table| table.rows.len());
        for known in &self.settings.known_failures {
            ensure!(!known.reason.trim().is_empty(), "a known failure needs a reason");
            ensure!(known.picture || !known.rows.is_empty(), "a known failure names rows or the picture");
            ensure!(!known.picture || self.picture.is_some(), "the case has no picture that could fail");
            for row in &known.rows {
                ensure!((1..=rows).contains(row), "the table has no row {row}");
            }
        }
        Ok(())
    }

    /// Returns the name to filter this trial by: the evidence or `trace`, then the folder.
    #[must_use]
    pub fn trial_name(&self) -> String {
        let first =
            if self.settings.kind == CaseKind::Trace { "trace" } else { self.settings.evidence.name() };
        format!("{first}::{}", self.name.replace('/', "::"))
    }

    /// Returns whether this row, counted from 1, is known to fail.
    #[must_use]
    pub fn is_known_row(&self, row: usize) -> bool {
        self.settings.known_failures.iter().any(|known| known.rows.contains(&row))
    }

    /// Returns whether the picture is known to fail.
    #[must_use]
    pub fn is_known_picture(&self) -> bool {
        self.settings.known_failures.iter().any(|known| known.picture)
    }
}

/// Lists all case folders below `root` by name, sorted: every `<group>/<name>` with a `case.toml`.
///
/// # Errors
/// If a folder cannot be listed.
pub fn names(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for group in folders(root)? {
        for case in folders(&root.join(&group))? {
            let name = format!("{group}/{case}");
            if root.join(&name).join("case.toml").exists() {
                names.push(name);
            }
        }
    }
    names.sort();
    Ok(names)
}

fn folders(path: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}
