//! Reads the page of changes: a section for each version, the newest first.

use anyhow::{Context, Result, bail};
use semver::Version;

/// The page's path from the repository's root.
pub const PAGE: &str = "src/guides/changes.md";

/// These words in a heading mark a version that is not published.
const UNPUBLISHED: &str = "(not published yet)";

/// A version's section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The version in its heading.
    pub version: Version,
    /// The rest of the heading, such as `(not published yet)` or a date.
    pub remark: String,
    /// Its text, without the heading.
    pub text: String,
}

impl Section {
    /// Whether the heading calls this version not published.
    #[must_use]
    pub fn is_unpublished(&self) -> bool {
        self.remark.contains(UNPUBLISHED)
    }
}

/// Splits the page into sections, in its order.
///
/// # Errors
///
/// If a heading does not start with a version, the versions do not descend, or a section is empty.
pub fn sections(page: &str) -> Result<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    for part in page.split("\n## ").skip(1) {
        let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
        let (number, remark) = heading.split_once(' ').unwrap_or((heading, ""));
        let version = Version::parse(number)
            .with_context(|| format!("the heading {heading:?} does not start with a version"))?;
        if let Some(newer) = sections.last().filter(|newer| newer.version <= version) {
            bail!("the section of {version} comes after that of {}", newer.version);
        }
        let text = text.trim().to_owned();
        if text.is_empty() {
            bail!("the section of {version} is empty");
        }
        sections.push(Section { version, remark: remark.to_owned(), text });
    }
    Ok(sections)
}

/// Returns a version's section, which must be the first.
///
/// # Errors
///
/// If the page is malformed, or its first section belongs to another version.
pub fn newest(page: &str, version: &Version) -> Result<Section> {
    let Some(first) = sections(page)?.into_iter().next() else { bail!("it has no section") };
    if first.version != *version {
        bail!("its first section is that of {}, and the version is {version}", first.version);
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_descend_and_have_text() {
        let page = "# Changes\n\n## 0.2.0 (not published yet)\n\nNew.\n\n### Part\n\n* More.\n\n## 0.1.0, 2026-12-01\n\nFirst.\n";
        let found = sections(page);
        assert!(found.is_err(), "a comma belongs to the remark, not to the version");
        let page = page.replace("0.1.0, ", "0.1.0 ");
        let found = sections(&page).expect("a page");
        assert_eq!(found.len(), 2, "subsections belong to their section");
        assert!(found[0].is_unpublished() && !found[1].is_unpublished(), "as the headings say");
        assert_eq!(found[0].text, "New.\n\n### Part\n\n* More.", "without the heading");
        let newest_of = |version: &str| newest(&page, &Version::parse(version).expect("a version"));
        assert_eq!(newest_of("0.2.0").expect("a section").remark, UNPUBLISHED, "the first section");
        for version in ["0.1.0", "0.2.1"] {
            assert!(newest_of(version).is_err(), "{version} is not the first section");
        }
        assert!(newest("# Changes\n", &Version::new(0, 1, 0)).is_err(), "no section");
    }

    #[test]
    fn pages_out_of_order_are_errors() {
        for page in ["\n## 0.1.0\nOld.\n\n## 0.2.0\nNew.", "\n## 0.1.0\nA.\n\n## 0.1.0\nB.", "\n## 0.1.0\n\n"]
        {
            assert!(sections(page).is_err(), "{page}");
        }
    }
}
