//! Reads the rows in the reference page *commands*, to show them in help texts.
//!
//! # Invariants
//! Every command has exactly one row, which a test checks.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use crate::ge::opcode::Opcode;

/// The page, as the documentation shows it.
const PAGE: &str = include_str!("../../reference/ge/commands.md");
const PAGE_NAME: &str = "commands";
/// How links to other pages start.
const LINK_START: &str = "crate::reference::ge::";

/// A section in the Graphics Engine's reference. Its text form is the file and the heading in the repository, to
/// open it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The page's name, such as `lists`.
    pub page: String,
    /// The heading's anchor, such as `prim`; empty for the whole page.
    pub anchor: String,
}

impl Section {
    /// Parses `page#anchor`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (page, anchor) = text.split_once('#').unwrap_or((text, ""));
        let page = if page.is_empty() { PAGE_NAME } else { page };
        let is_name =
            |name: &str| name.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char));
        (is_name(page) && is_name(anchor)).then(|| Self { page: page.to_owned(), anchor: anchor.to_owned() })
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "src/engine/reference/ge/{}.md", self.page)?;
        if !self.anchor.is_empty() {
            write!(f, "#{}", self.anchor)?;
        }
        Ok(())
    }
}

/// A command's row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// Argument and effect.
    pub(super) details: String,
    /// The row's own section, then sections it links to.
    pub(super) sections: Vec<Section>,
}

pub(super) fn row(opcode: Opcode) -> Row {
    ROWS.get(&opcode.code()).cloned().unwrap_or_default()
}

/// All rows, by command number.
static ROWS: LazyLock<HashMap<u8, Row>> = LazyLock::new(|| rows().collect());

/// Reads the tables whose first two columns are `code` and `name`.
fn rows() -> impl Iterator<Item = (u8, Row)> {
    let mut section = String::new();
    let mut is_commands = false;
    PAGE.lines().flat_map(move |line| {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_lowercase().replace(' ', "-");
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        match cells.as_slice() {
            _ if !line.starts_with('|') => is_commands = false,
            ["code", "name", ..] => is_commands = true,
            [codes, _, rest @ ..] if is_commands && !codes.starts_with('-') => {
                let row = parse_row(&section, rest);
                return numbers(codes).into_iter().map(|code| (code, row.clone())).collect();
            }
            _ => {}
        }
        Vec::new()
    })
}

/// Reads the columns after the name. In some tables, the last column only says whether a context holds the register,
/// so this skips it.
fn parse_row(section: &str, cells: &[&str]) -> Row {
    let own = Section { page: PAGE_NAME.to_owned(), anchor: section.to_owned() };
    let mut row = Row { details: String::new(), sections: vec![own] };
    for cell in cells.iter().filter(|cell| !matches!(**cell, "" | "–" | "yes" | "matrix")) {
        let text = resolve_links(cell, &mut row.sections);
        if !row.details.is_empty() {
            row.details.push_str(": ");
        }
        row.details.push_str(&text);
    }
    row
}

/// Removes Markdown from a cell, to show it as plain text, and collects the sections its links lead to.
fn resolve_links(cell: &str, sections: &mut Vec<Section>) -> String {
    let mut text = String::new();
    let mut rest = cell;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((title, after)) = link.split_once("](") else { break };
        let Some((target, after)) = after.split_once(')') else { break };
        text.push_str(before);
        text.push_str(title);
        let section = Section::parse(target.trim_start_matches(LINK_START));
        sections.extend(section.filter(|section| !sections.contains(section)));
        rest = after;
    }
    text.push_str(rest);
    text.replace(['`', '*'], "")
}

/// Reads `04`, `2A, 2B` or `18–1B`.
fn numbers(cell: &str) -> Vec<u8> {
    let number = |text: &str| u8::from_str_radix(text.trim(), 16).ok();
    cell.split(',')
        .flat_map(|part| {
            let (first, last) = part.split_once('–').unwrap_or((part, part));
            number(first)
                .zip(number(last))
                .map_or(0..0, |(first, last)| u16::from(first)..u16::from(last).saturating_add(1))
        })
        .filter_map(|code| u8::try_from(code).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_one_row() {
        let mut codes: Vec<u8> = rows().map(|(code, _)| code).collect();
        codes.sort_unstable();
        assert_eq!(codes, (0..=u8::MAX).collect::<Vec<_>>(), "each number once");
    }

    #[test]
    fn reads_codes_and_links() {
        assert_eq!(numbers("18–1B"), [0x18, 0x19, 0x1A, 0x1B], "a range");
        assert_eq!(numbers("42, 43"), [0x42, 0x43], "a list");
        let row = row(Opcode::VADDR);
        assert_eq!(row.details, "0–23: vertex pointer = relative address", "without links");
        let sections: Vec<String> = row.sections.iter().map(Section::to_string).collect();
        let expected = ["commands.md#flow-and-drawing", "lists.md#relative-addresses"];
        assert_eq!(
            sections,
            expected.map(|end| format!("src/engine/reference/ge/{end}")),
            "its own and the linked one"
        );
    }
}
