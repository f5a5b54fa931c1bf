//! Writes a log as a report for GitLab's merge requests.
//!
//! Source: GitLab's documentation of Code Quality, "Import Code Quality results from a CI/CD job": GitLab reads only
//! the members below. A report is a list, and its paths are relative to the repository.

use percent_encoding::percent_decode_str;
use pspge::pipeline::texture::content_hash::ContentHash;
use serde::Serialize;

use super::{Level, Location, Region, Run, SarifLog};

/// A finding, or an input that cannot be opened.
#[derive(Debug, Serialize)]
pub(in crate::command::check) struct Issue {
    description: String,
    check_name: String,
    /// Lets GitLab recognise the finding in the next run.
    fingerprint: String,
    severity: &'static str,
    location: Place,
}

#[derive(Debug, Serialize)]
struct Place {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: u32,
}

impl SarifLog {
    /// Returns the log as issues. Findings in no file, such as standard input, are left out, because an issue needs
    /// a file.
    pub(in crate::command::check) fn into_issues(self) -> Vec<Issue> {
        let [Run { results, invocations: [invocation], .. }] = self.runs;
        let failures = invocation.tool_execution_notifications.into_iter().filter_map(|failure| {
            let [location] = <[Location; 1]>::try_from(failure.locations).ok()?;
            let text = failure.message.text;
            let fingerprint = text.clone();
            Issue::new(failure.properties.code, text, fingerprint, "critical", &location)
        });
        let findings = results.into_iter().filter_map(|result| {
            let severity = match result.level {
                Level::Note => "info",
                Level::Warning => "minor",
                Level::Error => "major",
            };
            let fingerprint = result.partial_fingerprints.into_values().collect::<String>();
            let [location] = result.locations;
            Issue::new(result.rule_id, result.message.text, fingerprint, severity, &location)
        });
        failures.chain(findings).collect()
    }
}

impl Issue {
    fn new(
        check_name: String,
        description: String,
        fingerprint: String,
        severity: &'static str,
        location: &Location,
    ) -> Option<Self> {
        let physical = location.physical_location.as_ref()?;
        let path = decode(&physical.artifact_location.uri);
        let begin = match physical.region {
            Some(Region::Text { start_line, .. }) => start_line,
            // An issue needs a line, so findings in other bytes appear at the start of their file.
            Some(Region::Bytes { .. }) | None => 1,
        };
        let fingerprint =
            ContentHash::of(format!("{path}\n{check_name}\n{fingerprint}").as_bytes()).to_string();
        let location = Place { path, lines: Lines { begin } };
        Some(Self { description, check_name, fingerprint, severity, location })
    }
}

/// Turns a relative URI back into a path: escapes become bytes.
fn decode(uri: &str) -> String {
    percent_decode_str(uri).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_bytes() {
        for (uri, path) in
            [("a/b.ge", "a/b.ge"), ("a%20b/%C3%A4.ge", "a b/\u{e4}.ge"), ("100%", "100%"), ("%zz", "%zz")]
        {
            assert_eq!(decode(uri), path, "{uri}");
        }
    }
}
