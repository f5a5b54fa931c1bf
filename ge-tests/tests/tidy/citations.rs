//! Checks citations of the reference pages: each must name a page and a heading that exist.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{self, Entry};

/// The folder with the reference pages.
const PAGES: &str = "src/engine/reference/";

/// Documents outside this repository, by name, which nothing here may cite.
const FOREIGN: &[&str] =
    &[concat!("ge-", "reference"), concat!("the format ", "document"), concat!("ge-", "measured")];

/// Returns every citation that leads nowhere.
pub(crate) fn violations() -> Vec<String> {
    let pages = Pages::read();
    let mut found = Vec::new();
    for entry in tree::entries() {
        let Some(text) = entry.text().filter(|_| is_searched(entry)) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            for citation in citations(line).filter(|citation| !pages.has(citation)) {
                found.push(format!("{}:{number}: {citation}", entry.path));
            }
            for name in FOREIGN.iter().filter(|name| line.contains(**name)) {
                found.push(format!("{}:{number}: {name} is not in the repository", entry.path));
            }
        }
    }
    found
}

/// Returns whether a citation such as `ge/clipping#near-clipping` names a page and a heading there.
pub(crate) fn leads_somewhere(citation: &str) -> bool {
    Pages::read().has(citation)
}

fn is_searched(entry: &Entry) -> bool {
    entry.path.ends_with(".rs") || entry.path.ends_with(".md")
}

/// The reference pages with the anchors for their headings, by path below `src/engine/reference/` without ending.
struct Pages(BTreeMap<String, BTreeSet<String>>);

impl Pages {
    fn read() -> Self {
        let page = |entry: &Entry| {
            let name = entry.path.strip_prefix(PAGES)?.strip_suffix(".md")?;
            // A folder's overview is the folder's own page.
            let name = name.strip_suffix("/README").unwrap_or(name);
            Some((name.to_owned(), anchors(entry.text()?)))
        };
        Self(tree::entries().iter().filter_map(page).collect())
    }

    fn has(&self, citation: &str) -> bool {
        let (page, anchor) =
            citation.split_once('#').map_or((citation, None), |(page, anchor)| (page, Some(anchor)));
        match self.0.get(page) {
            Some(anchors) => anchor.is_none_or(|anchor| anchors.contains(anchor)),
            // To cite all pages in this folder, its name alone is enough.
            None => page == "ge" && anchor.is_none(),
        }
    }
}

/// Returns the anchors that rustdoc gives to a page's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let title = title.trim().to_lowercase();
        let base: String = title
            .chars()
            .filter_map(|char| match char {
                ' ' => Some('-'),
                '-' | '_' => Some(char),
                _ => char.is_alphanumeric().then_some(char),
            })
            .collect();
        let mut anchor = base.clone();
        for number in 1.. {
            if anchors.insert(anchor) {
                break;
            }
            anchor = format!("{base}-{number}");
        }
    }
    anchors
}

/// Finds citations in a line: rustdoc paths such as `reference::ge::clipping#near-clipping`, and file paths such as
/// `reference/ge/clipping.md#near-clipping`. To compare both, returns them as `ge/clipping#near-clipping`.
fn citations(line: &str) -> impl Iterator<Item = String> {
    let is_part =
        |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | ':' | '/' | '.' | '#');
    let after = |start: &'static str| {
        line.match_indices(start).map(move |(at, _)| {
            let rest = &line[at + start.len()..];
            let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
            rest[..end].trim_end_matches(['.', ':']).to_owned()
        })
    };
    let paths = after("reference::").map(|path| path.replace("::", "/"));
    let files = after("reference/").filter(|path| path.contains(".md")).map(|path| path.replace(".md", ""));
    let known = |path: &String| ["ge", "formats"].iter().any(|folder| path.starts_with(folder));
    let readme = |path: String| path.replace("/README", "");
    paths.chain(files).filter(known).map(readme).collect::<Vec<_>>().into_iter()
}

#[test]
fn anchors_follow_rustdoc() {
    let text = "# The `GE`\n## Near clipping\n```text\n# no heading\n```\n### s, t & q\n## Near clipping\n#5 of them\n";
    let expected = ["near-clipping", "near-clipping-1", "s-t--q", "the-ge"].map(String::from);
    assert_eq!(anchors(text), BTreeSet::from(expected), "one anchor per heading");
}

#[test]
fn citations_are_links_and_paths() {
    let line = "See [x](crate::reference::ge::clipping#near-clipping). Also reference/formats/pmo.md#lists, \
                `pspge::reference::formats`, and reference::reference_pixel.";
    let found: Vec<String> = citations(line).collect();
    assert_eq!(found, ["ge/clipping#near-clipping", "formats", "formats/pmo#lists"], "three citations");
}
