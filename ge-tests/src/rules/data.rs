//! The file of rules.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What `rules.toml` contains.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleTable {
    /// The rules, by area.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
    /// Open points.
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
    /// Page and heading in the reference: `numbers#row-sums`.
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
    /// How the measured jobs' names begin.
    #[serde(default)]
    pub measured: Vec<String>,
    /// Scenes for `geprobe`: lists drawn by a PSP for another project.
    #[serde(default)]
    pub scenes: Vec<String>,
    /// Game frames in the corpus whose second reference picture depends on the rule.
    #[serde(default)]
    pub frames: Vec<String>,
    /// Unit tests in the library.
    #[serde(default)]
    pub unit: Vec<String>,
    /// How sure this rule is.
    pub certainty: Certainty,
    /// Why no experiment on a PSP can decide an undecided rule. Otherwise `cases/probe` has one.
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
    /// Results from a PSP follow from the rule, and are compared here.
    Verified,
    /// Unit tests compare published results from a PSP.
    Values,
    /// Pictures of a renderer that was compared with a PSP depend on the rule.
    Alike,
    /// The rule is not about the GE but about replaying a dump, and the source of the tool that does so on a PSP states it.
    Tool,
    /// No data here decide the rule: it rests on the published measurements.
    Undecided,
}

impl Certainty {
    /// Returns the table's words for it.
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
    /// Page and heading in the reference.
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
    /// Why they have none.
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
