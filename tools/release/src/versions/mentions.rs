//! Finds versions in texts: example dependencies, file names, the command's output, headers.

use semver::Version;
use toml_edit::{Document, Item};

use super::allows;
use crate::changes;
use crate::checkout::SourceFile;

/// Folders to skip: this check and its examples, recorded data, and lists of other packages' versions.
const SKIPPED: &[&str] = &["tools/release/", "ge-tests/cases/", "snapshots/", "tools/page-tests/"];

/// These words may come between the name and its number, besides punctuation: `#define PSPGE_VERSION_STRING "0.1.0"`,
/// `project(pspge VERSION 0.1.0)`, `The version of pspge is v0.1.0`.
const WORDS: &[&str] = &["version", "string", "is", "v"];

/// Lists mentions in a text that disagree with the version.
pub(super) fn violations(file: &SourceFile, version: &Version) -> Vec<String> {
    if SKIPPED.iter().any(|folder| file.path.starts_with(folder)) || file.path == changes::PAGE {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        for mentioned in numbers(line).filter(|mentioned| mentioned != version) {
            found.push(format!("line {number} names version {mentioned}, not {version}"));
        }
        if let Some(requirement) = requirement(line).filter(|requirement| !allows(requirement, version)) {
            found.push(format!(
                "line {number} shows the requirement {requirement:?}, which excludes {version}"
            ));
        }
        if let Some((part, mentioned)) = defined(line)
            && mentioned != part_of(version, part)
        {
            found
                .push(format!("line {number} defines {part} as {mentioned}, not {}", part_of(version, part)));
        }
    }
    found
}

/// Finds versions with three numbers that follow the name of one of our packages.
fn numbers(line: &str) -> impl Iterator<Item = Version> {
    let lower = line.to_ascii_lowercase();
    let starts: Vec<usize> = lower.match_indices("pspge").map(|(at, name)| at + name.len()).collect();
    starts.into_iter().filter_map(move |start| version_after_name(lower.get(start..)?))
}

/// Reads the version after the rest of a name and punctuation: `-tools = "0.1.0"`, `@0.1.0`, ` 0.1.0`.
fn version_after_name(rest: &str) -> Option<Version> {
    let suffix =
        ["-tools", "-c", "_c", "-python", "-web"].into_iter().find_map(|name| rest.strip_prefix(name));
    let mut rest = suffix.unwrap_or(rest);
    loop {
        rest = rest.trim_start_matches([' ', '-', '_', '@', '=', '"', '(', '\'']);
        match WORDS.iter().find_map(|word| rest.strip_prefix(word)) {
            Some(more) => rest = more,
            None => break,
        }
    }
    let end = rest.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(rest.len());
    Version::parse(rest.get(..end)?.trim_end_matches('.')).ok()
}

/// Reads the requirement in a line such as `pspge = "0.1"` or `pspge = { version = "0.1", … }`.
fn requirement(line: &str) -> Option<String> {
    let name = line.split_once('=')?.0.trim();
    if !(name == "pspge" || name == "pspge-tools") {
        return None;
    }
    let line = Document::parse(line).ok()?;
    let item = line.get(name)?;
    let version = item.as_str().or_else(|| item.get("version").and_then(Item::as_str));
    version.map(str::to_owned)
}

/// Reads name and value from a line such as `#define PSPGE_VERSION_MAJOR 0`.
fn defined(line: &str) -> Option<(&str, u64)> {
    let mut words = line.strip_prefix("#define ")?.split_whitespace();
    let part = words.next()?.strip_prefix("PSPGE_VERSION_")?;
    let value = words.next()?.parse().ok()?;
    matches!(part, "MAJOR" | "MINOR" | "PATCH").then_some((part, value))
}

/// Returns a version's number by its name in a header.
fn part_of(version: &Version, part: &str) -> u64 {
    match part {
        "MAJOR" => version.major,
        "MINOR" => version.minor,
        _ => version.patch,
    }
}
