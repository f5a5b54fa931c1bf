//! What a case folder says: `case.toml`, its texts and its tables.
//!
//! # Invariants
//! A [`Case`] was read completely and is consistent: unknown keys, missing files, unparsable tables and known
//! failures that name no row are errors of reading, not of running.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::compare::{Picture, Region};
use crate::rows::Table;
use crate::shapes::Shape;

/// A case folder, read.
#[derive(Debug)]
pub struct Case {
    /// Folder below `cases`, for example `filtering/linear`.
    pub name: String,
    /// `case.toml`.
    pub settings: Settings,
    /// The included texts and the program, in order.
    pub program: String,
    /// The rows, where the case has some.
    pub table: Option<Table>,
    /// The expected picture, where the case has one.
    pub picture: Option<Picture>,
}

/// The keys of `case.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the case shows, in one sentence.
    pub about: String,
    /// Where the facts come from, for example `pspautotests gpu/filtering/linear`.
    pub source: String,
    /// How sure the expectation is.
    pub evidence: Evidence,
    /// What is known of PPSSPP's software renderer on the test that the facts come from.
    pub ppsspp: Status,
    /// What is compared.
    #[serde(default)]
    pub kind: CaseKind,
    /// Texts put in front of the program, by path below `cases`.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// The program.
    pub list: PathBuf,
    /// Shapes put behind the program.
    #[serde(default)]
    pub shapes: Vec<Shape>,
    /// Parameters and expected numbers.
    pub rows: Option<PathBuf>,
    /// The expected picture.
    pub picture: Option<PictureSettings>,
    /// The word all of VRAM holds before a run.
    #[serde(default)]
    pub background: u32,
    /// How transformation and lighting compute.
    #[serde(default)]
    pub arithmetic: ArithmeticName,
    /// The modes of eDRAM address translation that the CPU asks for before a run, one after the other; those that
    /// do not exist are refused. Only for cases with rows, whose parameters may stand in it.
    pub translation: Option<String>,
    /// What the CPU does with the list, where it does more than wait for its end. Only for cases with rows.
    pub session: Option<SessionSettings>,
    /// What is known to come out wrong. It must, or the list is out of date.
    #[serde(default)]
    pub known_failures: Vec<KnownFailure>,
}

/// What the CPU does with a list ([`crate::session`]).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSettings {
    /// How many words from the list's start on the CPU supplies at first; `-` for all of them. Parameters may
    /// stand in it.
    pub stall: String,
    /// The register that the CPU reads whenever it is called.
    pub watch: String,
}

/// The expected picture of a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureSettings {
    /// The file with the runs of pixels.
    pub expect: PathBuf,
    /// Left, top, width and height of what is compared.
    pub region: [u32; 4],
    /// The colour of every pixel that no run covers, as `RRGGBB`.
    pub background: String,
}

/// Rows that are known to fail, or the picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// Rows, counted from 1.
    #[serde(default)]
    pub rows: Vec<usize>,
    /// Whether it is the picture that fails.
    #[serde(default)]
    pub picture: bool,
    /// Why.
    pub reason: String,
}

/// How we know what a case expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// A test that ran on a real console.
    Hardware,
    /// A public document.
    Document,
    /// What games' data need to look right.
    Observed,
    /// A reasonable assumption.
    Assumed,
}

impl Evidence {
    /// The first part of the names of such cases.
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

/// How another implementation does on the same test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It passes.
    Passes,
    /// It fails.
    Fails,
    /// Nobody told.
    Unknown,
}

/// What a case compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseKind {
    /// Memory after the run: rows of numbers, a picture, or both.
    #[default]
    Frame,
    /// The commands executed, against a snapshot.
    Trace,
}

/// The arithmetic of transformation and lighting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArithmeticName {
    /// 16 significant bits, as the hardware.
    #[default]
    Hardware,
    /// Single precision.
    Single,
}

impl Case {
    /// Reads the folder `name` below `root`.
    ///
    /// # Errors
    /// Where a file is missing or unreadable, or where the files contradict one another.
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
            ensure!(!known.picture || self.picture.is_some(), "there is no picture that could fail");
            for row in &known.rows {
                ensure!((1..=rows).contains(row), "there is no row {row}");
            }
        }
        Ok(())
    }

    /// The name of the trial: evidence or kind, then the folder.
    #[must_use]
    pub fn trial_name(&self) -> String {
        let first =
            if self.settings.kind == CaseKind::Trace { "trace" } else { self.settings.evidence.name() };
        format!("{first}::{}", self.name.replace('/', "::"))
    }

    /// Whether this row, counted from 1, is known to fail.
    #[must_use]
    pub fn is_known_row(&self, row: usize) -> bool {
        self.settings.known_failures.iter().any(|known| known.rows.contains(&row))
    }

    /// Whether the picture is known to fail.
    #[must_use]
    pub fn is_known_picture(&self) -> bool {
        self.settings.known_failures.iter().any(|known| known.picture)
    }
}

/// The names of all case folders below `root`, sorted: every `<group>/<name>` that holds a `case.toml`.
///
/// # Errors
/// Where a folder cannot be listed.
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
