//! Describes a problem found by the linter.

use serde::{Deserialize, Serialize};

use super::schema_id::{Document, SchemaId};
use crate::check::{self, Finding, Place, TouchedPixels};
use crate::ge::address::Address;

/// A problem found by the linter in a list, a dump or a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// A word for this kind of finding, for programs.
    pub code: String,
    /// How serious it is.
    pub severity: Severity,
    /// The finding as a sentence.
    pub message: String,
    /// The draw concerned, by number.
    pub draw: Option<u64>,
    /// The command concerned, by number.
    pub command: Option<u64>,
    /// The command's address.
    pub address: Option<Address>,
    /// The file with this command.
    pub file: Option<String>,
    /// Offset of that command, or of the fault, in its file; null for assembly text.
    pub file_offset: Option<u64>,
    /// That command's line in assembly text, from 1.
    pub line: Option<u32>,
    /// That command's column, in characters, from 1.
    pub column: Option<u32>,
    /// How many times this occurred.
    pub count: u64,
    /// The pixels touched by this draw, if a PSP and emulators show something else there.
    pub pixels: Option<TouchedPixels>,
}

impl FindingDocument {
    /// Creates the document for a finding.
    #[must_use]
    pub fn new(input: &str, finding: &Finding) -> Self {
        let Place { command, address, draw, mut file, mut file_offset, location } = finding.place.clone();
        let place = location.as_ref().map(|location| (location.line, location.column)).unzip();
        if let Some(location) = location {
            (file, file_offset) = (Some(location.file), None);
        }
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            code: finding.rule.code().to_owned(),
            severity: finding.severity.into(),
            message: finding.message.clone(),
            draw,
            command,
            address,
            file,
            file_offset,
            line: place.0,
            column: place.1,
            count: finding.count,
            pixels: finding.pixels,
        }
    }
}

impl Document for FindingDocument {
    const NAME: &'static str = "finding";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A finding of the linter";
}

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[derive(PartialOrd, Ord)]
pub enum Severity {
    /// This has no effect, or is usual in games but worth a look.
    Hint,
    /// This is very likely a mistake.
    Warning,
    /// The hardware hangs, or the picture is certainly wrong.
    Error,
}

impl From<check::Severity> for Severity {
    fn from(severity: check::Severity) -> Self {
        match severity {
            check::Severity::Hint => Self::Hint,
            check::Severity::Warning => Self::Warning,
            check::Severity::Error => Self::Error,
        }
    }
}
