//! Writes all findings as a SARIF log, for editors and code scanning to show where they are.
//!
//! Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0. Members are named as in this
//! standard. Unlike the documents of `--json`, the log leaves out members without a value.
//!
//! # Invariants
//! * Every result names a rule in the log, and every place in a result is in a file that exists.
//! * Equal inputs give equal logs: no time, no machine's name.

use std::collections::BTreeMap;
use std::env;
use std::path::{Component, Path, Prefix};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use pspge::check::Rule;
use pspge::documents::FindingDocument;
use pspge::documents::error::ErrorInfo;
use pspge::documents::finding::Severity;
use pspge::ge::address::Address;
use pspge::pipeline::texture::content_hash::ContentHash;
use serde::Serialize;

mod code_quality;

use super::explanation::explanation;
use crate::input::name::InputName;
use crate::terminal::exit_status::ExitStatus;

/// A log with a single run.
#[derive(Debug, Serialize)]
pub(super) struct SarifLog {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
    /// Counts findings with the same text in the same file, to tell them apart.
    #[serde(skip)]
    repetitions: BTreeMap<(String, Option<String>, ContentHash), u64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<RuleDescriptor>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleDescriptor {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: Level,
}

#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Note,
    Warning,
    Error,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    tool_execution_notifications: Vec<Notification>,
}

/// A failure of the run itself, such as an input that cannot be opened.
#[derive(Debug, Serialize)]
struct Notification {
    level: Level,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    properties: ErrorProperties,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorProperties {
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_offset: Option<u64>,
}

/// A finding. SARIF calls it a result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: Level,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    occurrence_count: u64,
    properties: Properties,
}

/// Facts about a finding's place that SARIF has no member for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    draw: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// A place in text, or in another file's bytes.
#[derive(Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Region {
    Text { start_line: u32, start_column: u32 },
    Bytes { byte_offset: u64, byte_length: u64 },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    name: String,
    fully_qualified_name: String,
    kind: &'static str,
}

impl SarifLog {
    /// Creates a log without findings.
    pub(super) fn new() -> Self {
        let driver = Driver {
            name: "pspge",
            version: env!("CARGO_PKG_VERSION"),
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: Rule::ALL.iter().map(|rule| RuleDescriptor::new(*rule)).collect(),
        };
        let invocation = Invocation {
            execution_successful: true,
            exit_code: ExitStatus::Success as u8,
            tool_execution_notifications: Vec::new(),
        };
        let run = Run {
            tool: Tool { driver },
            invocations: [invocation],
            column_kind: "unicodeCodePoints",
            results: Vec::new(),
        };
        Self {
            schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            version: "2.1.0",
            runs: [run],
            repetitions: BTreeMap::new(),
        }
    }

    /// Adds a finding. `is_stored` says whether its offset counts bytes in the input on disk, rather than in data
    /// unpacked from it.
    pub(super) fn add(&mut self, finding: FindingDocument, is_stored: bool) {
        let place = Place::of(&finding, is_stored);
        let hash = fingerprint(&finding);
        let repetition =
            self.repetitions.entry((finding.input.clone(), place.uri.clone(), hash)).or_default();
        *repetition += 1;
        let partial_fingerprints = BTreeMap::from([("messageHash/v1", format!("{hash}:{repetition}"))]);
        let logical_locations = [("draw", finding.draw), ("command", finding.command)]
            .into_iter()
            .filter_map(|(kind, number)| Some(LogicalLocation::new(&finding.input, kind, number?)))
            .collect();
        let rule_index = Rule::ALL.iter().position(|rule| rule.code() == finding.code);
        let [run] = &mut self.runs;
        run.results.push(SarifResult {
            rule_index,
            level: finding.severity.into(),
            message: finding.message.into(),
            locations: [Location { physical_location: place.into_physical(), logical_locations }],
            partial_fingerprints,
            occurrence_count: finding.count,
            properties: Properties {
                input: finding.input,
                draw: finding.draw,
                command: finding.command,
                address: finding.address,
                file: finding.file,
                file_offset: finding.file_offset,
                line: finding.line,
                column: finding.column,
            },
            rule_id: finding.code,
        });
    }

    /// Adds an input's error, which takes the place of its findings.
    pub(super) fn fail(&mut self, input: &str, error: &ErrorInfo) {
        let [Run { invocations: [invocation], .. }] = &mut self.runs;
        invocation.execution_successful = false;
        let notifications = &mut invocation.tool_execution_notifications;
        notifications
            .extend(std::iter::once(error).chain(&error.others).map(|error| Notification::new(input, error)));
        if error.omitted > 0 {
            let message = format!("{} more errors are not shown", error.omitted);
            notifications.push(Notification::new(input, &ErrorInfo::new(&error.code, &message)));
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        let [Run { invocations: [invocation], .. }] = &self.runs;
        !invocation.execution_successful
    }

    /// Sets the command's exit status.
    pub(super) fn end(&mut self, status: ExitStatus) {
        let [Run { invocations: [invocation], .. }] = &mut self.runs;
        invocation.exit_code = status as u8;
    }
}

impl RuleDescriptor {
    fn new(rule: Rule) -> Self {
        Self {
            id: rule.code(),
            name: format!("{rule:?}"),
            short_description: rule.title().to_owned().into(),
            full_description: rule.why().to_owned().into(),
            help: explanation(rule).join("\n").into(),
            default_configuration: Configuration { level: Severity::from(rule.severity()).into() },
        }
    }
}

impl Notification {
    fn new(input: &str, error: &ErrorInfo) -> Self {
        // The named file may not exist, because this may be the error.
        let file = error.file.as_deref().filter(|file| *file != STANDARD_INPUT).unwrap_or(input);
        let region = error.line.zip(error.column);
        let region = region.map(|(start_line, start_column)| Region::Text { start_line, start_column });
        let place = Place { uri: (file != "-").then(|| uri(InputName::parse(file).path)), region };
        let physical_location = place.into_physical();
        Self {
            level: Level::Error,
            message: error.message.clone().into(),
            locations: physical_location
                .map(|place| Location { physical_location: Some(place), logical_locations: Vec::new() })
                .into_iter()
                .collect(),
            properties: ErrorProperties { code: error.code.clone(), file_offset: error.offset },
        }
    }
}

impl LogicalLocation {
    fn new(input: &str, kind: &'static str, number: u64) -> Self {
        let name = format!("{kind} {number}");
        Self { fully_qualified_name: format!("{input}: {name}"), name, kind }
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self { text }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Hint => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// How errors call the input `-`.
const STANDARD_INPUT: &str = "standard input";

/// A finding's file, and the place in it.
struct Place {
    uri: Option<String>,
    region: Option<Region>,
}

impl Place {
    fn of(finding: &FindingDocument, is_stored: bool) -> Self {
        let existing = |name: &str| {
            let path = InputName::parse(name).path;
            Path::new(path).exists().then(|| uri(path))
        };
        let FindingDocument { input, file, file_offset, address, .. } = finding;
        let own = file.as_deref().and_then(existing);
        let text = finding.line.zip(finding.column);
        let region = match (text, *file_offset) {
            (Some((start_line, start_column)), _) => Some(Region::Text { start_line, start_column }),
            // With an address the place is a word in the list, and otherwise a point in the file.
            (None, Some(byte_offset)) if is_stored => {
                Some(Region::Bytes { byte_offset, byte_length: if address.is_some() { 4 } else { 0 } })
            }
            (None, _) => None,
        };
        match own {
            Some(uri) => Self { uri: Some(uri), region },
            // Standard input, unnamed companions and built-in texts are no files, so their findings belong to the
            // input as a whole.
            None => Self { uri: existing(input), region: region.filter(|_| file.is_none()) },
        }
    }

    /// Returns the place for SARIF, or `None` if there is no file.
    fn into_physical(self) -> Option<PhysicalLocation> {
        let Self { uri, region } = self;
        Some(PhysicalLocation { artifact_location: ArtifactLocation { uri: uri? }, region })
    }
}

/// Returns a path's URI: relative to the current folder if the path is relative or below it.
fn uri(path: &str) -> String {
    let path = Path::new(path);
    let folder = env::current_dir().ok();
    let path = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
                    parts.push(format!("file:///{}:", char::from(letter)));
                }
                _ => parts.push(format!("file:///{}", encode(component))),
            },
            // On Windows this follows the drive.
            Component::RootDir if parts.is_empty() => parts.push("file://".to_owned()),
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) => parts.push(encode(component)),
        }
    }
    parts.join("/")
}

/// Escapes every byte in a name except those that mean themselves in a URI.
fn encode(component: Component<'_>) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    percent_encode(component.as_os_str().as_encoded_bytes(), ESCAPED).to_string()
}

/// Hashes the rule and the message without its numbers. Addresses and draw numbers change if a list grows before the
/// finding, and by this hash other programs still recognise it.
fn fingerprint(finding: &FindingDocument) -> ContentHash {
    let is_separator = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words = finding.message.split(is_separator).map(|word| if is_number(word) { "0" } else { word });
    let text: Vec<&str> = std::iter::once(finding.code.as_str()).chain(words).collect();
    ContentHash::of(text.join(" ").as_bytes())
}

#[cfg(test)]
mod tests {
    use pspge::check::Finding;
    use serde_json::{Value, json};

    use super::*;

    /// Returns where a finding is, in a text with this name.
    fn place(input: &str, file: &str) -> Value {
        let mut capture = pspge::asm::assemble("RET | FINISH | END | .align 4").expect("a list").capture();
        let findings: Vec<Finding> =
            pspge::check::check(&mut capture, &pspge::check::CheckOptions::default());
        let finding = findings.first().expect("RET without CALL");
        let file = Some(file.to_owned());
        let finding =
            FindingDocument { file, line: Some(2), column: Some(7), ..FindingDocument::new(input, finding) };
        let mut log = SarifLog::new();
        log.add(finding, true);
        let log = serde_json::to_value(&log).expect("JSON");
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"].clone()
    }

    #[test]
    fn places_are_in_files_that_exist() {
        // Tests run in the package's folder.
        let whole = json!({ "artifactLocation": { "uri": "Cargo.toml" } });
        assert_eq!(place("Cargo.toml", "<psp/init>"), whole, "a built-in text");
        assert_eq!(place("Cargo.toml", "textures"), whole, "the role of an unnamed file");
        assert_eq!(place("-", "-"), Value::Null, "standard input");
        let region = json!({ "startLine": 2, "startColumn": 7 });
        let own = json!({ "artifactLocation": { "uri": "src/main.rs" }, "region": region });
        assert_eq!(place("Cargo.toml", "src/main.rs"), own, "an included text");
    }

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("lists/a.ge", "lists/a.ge"),
            ("./lists/./a.ge", "lists/a.ge"),
            ("../a b#1.ge", "../a%20b%231.ge"),
            ("c:d.ge", "c%3Ad.ge"),
            ("d\u{fc}ne/100%.ge", "d%C3%BCne/100%25.ge"),
        ] {
            // A drive is only a drive on Windows.
            if !(cfg!(windows) && path.contains(':')) {
                assert_eq!(uri(path), expected, "{path}");
            }
        }
        let folder = env::current_dir().expect("a folder");
        assert_eq!(uri(&folder.join("x").join("a.ge").display().to_string()), "x/a.ge", "below the folder");
        #[cfg(unix)]
        assert_eq!(uri("/no such folder/a.ge"), "file:///no%20such%20folder/a.ge", "elsewhere");
    }
}
