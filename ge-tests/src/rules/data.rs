//! Reads the file of rules.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The content of `rules.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleTable {
    /// The rules, by area.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
    /// Open points, for somebody to measure.
    #[serde(rename = "open")]
    pub open_points: Vec<OpenPoint>,
    /// Probes without a rule.
    #[serde(default)]
    pub unassigned: Vec<UnassignedProbe>,
}

/// A measured rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The heading for the table that lists this rule.
    pub area: String,
    /// The rule, in a few words.
    pub rule: String,
    /// Where the reference states this rule, as page and heading: `numbers#row-sums`.
    pub at: String,
    /// Probes and public tests that measured it.
    #[serde(default)]
    pub experiments: String,
    /// Conformance cases.
    #[serde(default)]
    pub cases: Vec<String>,
    /// Recorded frames from public tests.
    #[serde(default)]
    pub pictures: Vec<String>,
    /// How the names of its measured jobs begin.
    #[serde(default)]
    pub measured: Vec<String>,
    /// Scenes for `geprobe`: lists drawn by a PSP for another project.
    #[serde(default)]
    pub scenes: Vec<String>,
    /// Game frames in the corpus whose second reference picture depends on this rule.
    #[serde(default)]
    pub frames: Vec<String>,
    /// Unit tests in the library.
    #[serde(default)]
    pub unit: Vec<String>,
    /// How sure this rule is.
    pub certainty: Certainty,
    /// Why no experiment on a PSP can decide this rule, if it is undecided. Otherwise `cases/probe` has an
    /// experiment.
    #[serde(default)]
    pub no_probe: String,
    /// Remark.
    #[serde(default)]
    pub note: String,
}

/// How sure a rule is, judged by the data in this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Results from a PSP follow from this rule, and are compared here.
    Verified,
    /// Unit tests compare published results from a PSP.
    Values,
    /// Pictures by a renderer depend on this rule, and this renderer was compared with a PSP.
    Alike,
    /// This rule is not about the GE but about replaying a dump, and the source of the tool for this on a PSP states
    /// it.
    Tool,
    /// No data here decide this rule: it rests on the published measurements.
    Undecided,
}

impl Certainty {
    /// Returns the words to show for it in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Values => "published values",
            Self::Alike => "drawn alike",
            Self::Tool => "stated by the replay tool",
            Self::Undecided => "**not decided here**",
        }
    }
}

/// An open point: a question without a measured answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenPoint {
    /// The point, in a few words.
    pub point: String,
    /// Where the reference mentions this point, as page and heading.
    pub at: String,
    /// Remark.
    #[serde(default)]
    pub note: String,
}

/// Probes without a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnassignedProbe {
    /// The probes.
    pub experiments: String,
    /// Why they have no rule.
    pub why: String,
}

impl RuleTable {
    /// Reads the file.
    ///
    /// # Errors
    /// If the file cannot be read or does not have this form.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }
}
