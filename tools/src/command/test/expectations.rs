//! Reads expectations from a TOML file: which cases are known to fail, by how much, and why.

use std::path::{Path, PathBuf};

use pspge::documents::judgement::{ExpectationInfo, MatchFigures};
use serde::Deserialize;
use serde_spanned::Spanned;

use super::pattern::Pattern;
use super::requirement::{Requirement, Tier};
use crate::input::files;
use crate::terminal::failure::Failure;

/// This file's name in the folder of cases.
pub(super) const NAME: &str = "pspge-test.toml";

#[derive(Debug, Default)]
pub(super) struct Expectations {
    /// The file; `None` if there is none.
    pub(super) path: Option<PathBuf>,
    pub(super) text: String,
    requirements: Vec<RequirementEntry>,
    pub(super) entries: Vec<Expectation>,
}

/// A requirement for some cases, used instead of the command line's.
#[derive(Debug)]
struct RequirementEntry {
    case: Pattern,
    renderer: Pattern,
    requirement: Requirement,
}

/// Expects cases to fail.
#[derive(Debug)]
pub(super) struct Expectation {
    case: Pattern,
    renderer: Pattern,
    /// Explains the expectation to people.
    pub(super) info: ExpectationInfo,
    written: WrittenExpectation,
}

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    require: Vec<Spanned<WrittenRequirement>>,
    #[serde(default)]
    expect: Vec<WrittenExpectation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRequirement {
    case: Option<Spanned<String>>,
    renderer: Option<Spanned<String>>,
    #[serde(rename = "match")]
    tier: Option<Tier>,
    max_mse: Option<f64>,
}

/// An expectation as written. A missing bound allows any value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExpectation {
    case: Spanned<String>,
    renderer: Option<Spanned<String>>,
    kind: String,
    reason: String,
    /// Whether to leave the case out.
    #[serde(default)]
    skip: bool,
    #[serde(rename = "match")]
    tier: Option<Tier>,
    pixels: Option<u64>,
    largest: Option<u16>,
    mse: Option<f64>,
    depth_pixels: Option<u64>,
    depth_largest: Option<u16>,
}

impl Expectations {
    /// Reads the named file, or else the folder's, if it has this file.
    ///
    /// # Errors
    /// If it cannot be read, is no TOML, or holds something unknown; this has the fault's line and column.
    pub(super) fn read(named: Option<&Path>, folder: &Path) -> Result<Self, Failure> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => folder.join(NAME),
        };
        // A named file may not exist yet, because --bless makes it.
        if !path.is_file() {
            return Ok(Self { path: named.map(Path::to_owned), ..Self::default() });
        }
        let text = String::from_utf8(files::read(&path)?).map_err(|error| {
            let offset = error.utf8_error().valid_up_to() as u64;
            Failure::input(&path.display().to_string(), "not-text", offset, "is not UTF-8 text")
        })?;
        let read = Self::of_text(&text).map_err(|(offset, problem)| {
            Failure::text(&path.display().to_string(), "expectations", &text, offset, problem)
        })?;
        Ok(Self { path: Some(path), text, ..read })
    }

    /// Reads expectations from text. An error has the fault's offset.
    fn of_text(text: &str) -> Result<Self, (usize, String)> {
        let written: Written = toml_edit::de::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            (offset, error.message().to_owned())
        })?;
        let name = |text: Option<Spanned<String>>| {
            let (start, text) = match text {
                Some(text) => (text.span().start, text.into_inner()),
                None => (0, "*".to_owned()),
            };
            text.parse::<Pattern>().map_err(|problem| (start, problem))
        };
        let mut found = Self::default();
        for entry in written.require {
            let start = entry.span().start;
            let WrittenRequirement { case, renderer, tier, max_mse } = entry.into_inner();
            let requirement = match (tier, max_mse) {
                (Some(tier), None) => Requirement::Tier(tier),
                (None, Some(most)) => Requirement::MaxMse(most),
                _ => return Err((start, "a requirement has either match or max_mse".to_owned())),
            };
            let (case, renderer) = (name(case)?, name(renderer)?);
            found.requirements.push(RequirementEntry { case, renderer, requirement });
        }
        for written in written.expect {
            found.entries.push(Expectation {
                case: name(Some(written.case.clone()))?,
                renderer: name(written.renderer.clone())?,
                info: ExpectationInfo {
                    kind: written.kind.clone(),
                    reason: written.reason.clone(),
                    allows: written.allows(),
                },
                written,
            });
        }
        Ok(found)
    }

    /// Returns the requirement for a case and a renderer. The last entry to name them wins; without any, this is
    /// `usual`.
    pub(super) fn requirement(&self, case: &str, renderer: &str, usual: Requirement) -> Requirement {
        let named = |entry: &&RequirementEntry| entry.case.is(case) && entry.renderer.is(renderer);
        self.requirements.iter().rfind(named).map_or(usual, |entry| entry.requirement)
    }

    /// Returns the expectation for a case and a renderer. The last entry to name them wins.
    pub(super) fn of(&self, case: &str, renderer: &str) -> Option<&Expectation> {
        self.entries.iter().rfind(|entry| entry.case.is(case) && entry.renderer.is(renderer))
    }
}

impl Expectation {
    pub(super) const fn skips(&self) -> bool {
        self.written.skip
    }

    /// Whether a difference is as small as expected.
    pub(super) fn allows(&self, picture: Option<&MatchFigures>, depth: Option<&MatchFigures>) -> bool {
        self.written.holds(picture, depth)
    }

    /// Whether to expect any difference, and even a missing picture.
    pub(super) fn allows_everything(&self) -> bool {
        self.written.bounds().is_empty()
    }

    /// Whether this expectation is about this case and renderer alone, so that it can be changed for them.
    pub(super) fn is_only_for(&self, case: &str, renderer: &str) -> bool {
        self.case.only() == Some(case) && self.renderer.only() == Some(renderer)
    }

    /// Whether this expectation is about a case and a renderer, by name or by pattern.
    pub(super) fn is_about(&self, case: &str, renderer: &str) -> bool {
        self.case.is(case) && self.renderer.is(renderer)
    }
}

impl WrittenExpectation {
    fn holds(&self, picture: Option<&MatchFigures>, depth: Option<&MatchFigures>) -> bool {
        let tier = self.tier.is_none_or(|tier| Requirement::Tier(tier).holds(picture, depth));
        let within = |figures: Option<&MatchFigures>, pixels: Option<u64>, largest: Option<u16>| {
            figures.is_none_or(|figures| {
                pixels.is_none_or(|most| figures.differing_pixels <= most)
                    && largest.is_none_or(|most| figures.largest_difference <= most)
            })
        };
        let mse = picture.is_none_or(|figures| self.mse.is_none_or(|most| figures.mse <= most));
        tier && mse
            && within(picture, self.pixels, self.largest)
            && within(depth, self.depth_pixels, self.depth_largest)
    }

    /// Writes each bound as text.
    fn bounds(&self) -> Vec<String> {
        let Self { tier, pixels, largest, mse, depth_pixels, depth_largest, .. } = self;
        let bounds = [
            tier.map(|tier| format!("match {}", Requirement::Tier(tier))),
            pixels.map(|most| format!("{most} pixels")),
            largest.map(|most| format!("a difference of {most}")),
            mse.map(|most| format!("mse {most}")),
            depth_pixels.map(|most| format!("{most} depths")),
            depth_largest.map(|most| format!("a difference of depth of {most}")),
        ];
        bounds.into_iter().flatten().collect()
    }

    /// Says how large a difference may be.
    fn allows(&self) -> String {
        let bounds = self.bounds();
        match (self.skip, bounds.is_empty()) {
            (true, _) => "everything: it is skipped".to_owned(),
            (false, true) => "any failure".to_owned(),
            (false, false) => format!("at most {}", bounds.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        [[require]]
        renderer = "gl*"
        match = "area"

        [[expect]]
        case = "a.ppdmp"
        renderer = "pspge"
        kind = "accuracy"
        reason = "the formula is unknown"
        pixels = 10
        largest = 2

        [[expect]]
        case = "broken/*"
        kind = "input"
        reason = "hangs"
        skip = true
    "#;

    fn figures(pixels: u64, largest: u16) -> MatchFigures {
        MatchFigures {
            differing_pixels: pixels,
            largest_difference: largest,
            ..MatchFigures::identical([8, 8], 3)
        }
    }

    #[test]
    fn entries_name_cases_and_renderers() {
        let read = Expectations::of_text(TEXT).expect("expectations");
        let exact = Requirement::Tier(Tier::Exact);
        assert_eq!(read.requirement("x", "gl-4x", exact), Requirement::Tier(Tier::Area), "of the renderer");
        assert_eq!(read.requirement("x", "pspge", exact), exact, "of others");
        assert!(read.of("a.ppdmp", "gl").is_none(), "another renderer");
        assert!(read.of("broken/x.ppdmp", "gl").is_some_and(Expectation::skips), "a pattern");
        let entry = read.of("a.ppdmp", "pspge").expect("an entry");
        assert_eq!(entry.info.allows, "at most 10 pixels, a difference of 2");
        assert!(entry.is_only_for("a.ppdmp", "pspge") && !entry.allows_everything(), "one case");
        assert!(entry.allows(Some(&figures(10, 2)), Some(&figures(99, 99))), "just so; depth is not bounded");
        assert!(
            !entry.allows(Some(&figures(11, 2)), None) && !entry.allows(Some(&figures(1, 3)), None),
            "more"
        );
    }

    #[test]
    fn mistakes_have_an_offset() {
        let wrong = |text: &str| Expectations::of_text(text).expect_err("a mistake");
        let (offset, problem) = wrong("[[expect]]\ncase = \"a\"\nkind = \"b\"\nreason = \"c\"\npixel = 1\n");
        assert!(problem.contains("pixel") && offset == 46, "{problem} {offset}");
        assert_eq!(wrong("[[expect]]\ncase = 5").0, 18, "a wrong type");
        let (offset, problem) = wrong("# Two rules.\n[[require]]\nmatch = \"near\"\nmax_mse = 1.0");
        assert!(problem.contains("either") && offset == 13, "{problem} {offset}");
    }
}
