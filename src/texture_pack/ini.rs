//! Reads `textures.ini` line by line, as PPSSPP does. A comment begins at `#`, even after a value, unless `\` comes
//! before it or the value is in quotes; a line that begins with `;` is a comment, too. This is our own reader,
//! because crates for INI files follow other rules and do not say on which line a key is.

use std::fmt;

/// The lines with a key, by section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Ini {
    sections: Vec<Section>,
    /// The lines left out, with the reason.
    pub problems: Vec<(u32, LineProblem)>,
}

/// Why a line does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineProblem {
    /// The bytes are not text.
    #[error("the line is not UTF-8")]
    NotText,
    /// There is no key with `=`.
    #[error("the line is neither a section nor KEY = VALUE")]
    NoKey,
    /// A section with this name came before. Only the first counts.
    #[error("a second section [{0}] does not count")]
    SecondSection(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    /// Its line number; 0 for lines before any section.
    number: u32,
    name: String,
    lines: Vec<Line>,
}

/// A line with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// The key.
    pub key: String,
    /// The value; may be empty.
    pub value: String,
}

impl Ini {
    /// Reads a file. Lines that do not count become problems.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let mut ini = Self::default();
        let mut known: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let Ok(line) = std::str::from_utf8(line) else {
                ini.problems.push((number, LineProblem::NotText));
                continue;
            };
            if let Some((name, _)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
                let lower = name.to_ascii_lowercase();
                if known.contains(&lower) {
                    ini.problems.push((number, LineProblem::SecondSection(name.to_owned())));
                } else {
                    known.push(lower);
                }
                ini.sections.push(Section { number, name: name.to_owned(), lines: Vec::new() });
                continue;
            }
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let Some((key, value)) = key_and_value(line) else {
                ini.problems.push((number, LineProblem::NoKey));
                continue;
            };
            if ini.sections.is_empty() {
                ini.sections.push(Section { number: 0, name: String::new(), lines: Vec::new() });
            }
            if let Some(section) = ini.sections.last_mut() {
                section.lines.push(Line { number, key, value });
            }
        }
        ini
    }

    /// Returns the names of all sections, each with its line number.
    pub fn sections(&self) -> impl Iterator<Item = (u32, &str)> {
        let named = self.sections.iter().filter(|section| section.number > 0);
        named.map(|section| (section.number, &*section.name))
    }

    /// Returns the lines in the first section with this name, in upper or lower case.
    #[must_use]
    pub fn section(&self, name: &str) -> &[Line] {
        let section = self.sections.iter().find(|section| section.name.eq_ignore_ascii_case(name));
        section.map_or(&[], |section| &section.lines)
    }

    /// Returns the first line in a section with this key, in upper or lower case.
    #[must_use]
    pub fn get(&self, section: &str, key: &str) -> Option<&Line> {
        self.section(section).iter().find(|line| line.key.eq_ignore_ascii_case(key))
    }
}

/// Splits a line. Returns `None` if a comment comes before `=`, or if there is no key.
fn key_and_value(line: &str) -> Option<(String, String)> {
    let mut key = String::new();
    let mut rest = line;
    loop {
        let (before, after) = rest.split_at_checked(rest.find(['=', '#'])?)?;
        if let Some(value) = after.strip_prefix('=') {
            key.push_str(before);
            rest = value;
            break;
        }
        key.push_str(before.strip_suffix('\\')?);
        key.push('#');
        rest = after.strip_prefix('#')?;
    }
    let key = key.trim().to_owned();
    (!key.is_empty()).then(|| (key, value(rest)))
}

/// Strips comment and quotes from a value.
fn value(text: &str) -> String {
    let quoted = |text: &str| Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    if let Some(value) = quoted(text.trim()) {
        return value;
    }
    let mut value = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('#') {
        let Some(escaped) = before.strip_suffix('\\') else {
            rest = before;
            break;
        };
        value.push_str(escaped);
        value.push('#');
        rest = after;
    }
    value.push_str(rest);
    quoted(value.trim()).unwrap_or_else(|| value.trim().to_owned())
}

/// Writes a text as a value, with `\` before each `#`.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.replace('#', "\\#"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(u32, String, String)> {
        let ini = Ini::read(text.as_bytes());
        let line = |line: &Line| (line.number, line.key.clone(), line.value.clone());
        ini.section("a").iter().map(line).collect()
    }

    #[test]
    fn lines_are_read_as_documented() {
        for (line, expected) in [
            ("key = value", Some(("key", "value"))),
            ("  key=value # comment", Some(("key", "value"))),
            ("key =", Some(("key", ""))),
            ("key = a\\#b # comment", Some(("key", "a#b"))),
            ("k\\#y = \"a # b\"", Some(("k#y", "a # b"))),
            ("key = \" a \" # comment", Some(("key", " a "))),
            ("key = a = b", Some(("key", "a = b"))),
            ("; key = value", None),
            ("# key = value", None),
            ("key", None),
            ("key # a = b", None),
            ("= value", None),
            ("#", None),
        ] {
            let expected = expected.map(|(key, value)| (2, key.to_owned(), value.to_owned()));
            assert_eq!(pairs(&format!("[A]\n{line}")), Vec::from_iter(expected), "{line}");
        }
    }

    #[test]
    fn problems_have_lines() {
        let ini = Ini::read(b"\xEF\xBB\xBF[a]\r\nx=1\r\n\xFF=2\r\nword\n[A] ; again\nx=2\nx=3");
        assert_eq!(
            ini.problems,
            [
                (3, LineProblem::NotText),
                (4, LineProblem::NoKey),
                (5, LineProblem::SecondSection("A".to_owned()))
            ]
        );
        assert_eq!(ini.get("a", "X").map(|line| &*line.value), Some("1"), "the first section and key");
        assert_eq!(ini.get("b", "x"), None, "no such section");
    }

    /// Keys and values come back as they were written, whatever characters they have.
    #[test]
    fn written_values_are_read() {
        for value in ["a", "a#b", "#", "a/b c.png", "=", "a\\b"] {
            assert_eq!(pairs(&format!("[a]\nk = {}", Escaped(value)))[0].2, value, "{value}");
        }
    }
}
