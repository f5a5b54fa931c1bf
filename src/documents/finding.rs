//! Describes a finding of the linter.

use serde::{Deserialize, Serialize};

use super::schema_id::{Document, SchemaId};
use crate::check::{self, Finding, Place, TouchedPixels};
use crate::ge::address::Address;

/// A finding of the linter in a list, a dump or a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// A word for the kind of finding.
    pub code: String,
    /// How serious it is.
    pub severity: Severity,
    /// The finding as a sentence.
    pub message: String,
    /// Number of the draw that it concerns.
    pub draw: Option<u64>,
    /// Number of the command that it concerns.
    pub command: Option<u64>,
    /// Address of that command.
    pub address: Option<Address>,
    /// The file that holds that command.
    pub file: Option<String>,
    /// Offset of that command, or of the fault, in its file; null for assembly text.
    pub file_offset: Option<u64>,
    /// Line of that command in assembly text, from 1.
    pub line: Option<u32>,
    /// Column of that command in characters, from 1.
    pub column: Option<u32>,
    /// How many times it occurred.
    pub count: u64,
    /// The pixels that the draw touches, if a PSP and emulators show something else there.
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
    /// Without effect, or usual in games but worth a look.
    Hint,
    /// Very likely a mistake.
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
