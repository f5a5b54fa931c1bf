//! The file of rules.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The contents of `rules.toml`.
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
    /// Heading of the table that lists the rule.
    pub area: String,
    /// The rule, in a few words.
    pub rule: String,
    /// Page and heading of the reference: `numbers#row-sums`.
    pub at: String,
    /// The probes and public tests that measured it.
    #[serde(default)]
    pub experiments: String,
    /// Conformance cases.
    #[serde(default)]
    pub cases: Vec<String>,
    /// Recorded frames of public tests.
    #[serde(default)]
    pub pictures: Vec<String>,
    /// Beginnings of names of measured jobs.
    #[serde(default)]
    pub measured: Vec<String>,
    /// Scenes of `geprobe`: lists that a PSP drew for another project.
    #[serde(default)]
    pub scenes: Vec<String>,
    /// Unit tests of the library.
    #[serde(default)]
    pub unit: Vec<String>,
    /// How sure the rule is.
    pub certainty: Certainty,
    /// Remark.
    #[serde(default)]
    pub note: String,
}

/// How sure a rule is, by the data that are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Results of a PSP that are compared here follow from the rule.
    Verified,
    /// Published results of a PSP are compared in unit tests.
    Values,
    /// No data here decide the rule: it rests on the published measurements.
    Undecided,
}

impl Certainty {
    /// Returns the words of the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Values => "published values",
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
    /// Page and heading of the reference.
    pub at: String,
    /// Remark.
    #[serde(default)]
    pub note: String,
}

/// Probes that no rule names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnassignedProbe {
    /// The probes.
    pub experiments: String,
    /// The reason.
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
