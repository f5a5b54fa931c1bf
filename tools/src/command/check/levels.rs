//! Reads `--allow` and `--deny`, to leave findings out or to count them as errors.

use std::fmt;
use std::str::FromStr;

use pspge::check::{Finding, Rule, Severity};
use pspge::formats::Choices;

use crate::terminal::failure::Failure;

/// Selects a rule, or all rules with a severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selector {
    Rule(Rule),
    Warnings,
    Hints,
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rule = || {
            Rule::from_code(text).ok_or_else(|| {
                let names = Rule::ALL.iter().map(|rule| rule.code()).chain(["warnings", "hints"]);
                let nearest = Choices::new(text, names, |_, name| name.to_owned()).nearest;
                let suggestion =
                    nearest.map(|name| format!("; did you mean \"{name}\"?")).unwrap_or_default();
                format!("no rule has this code{suggestion} (pspge check --list prints all)")
            })
        };
        match text {
            "warnings" => Ok(Self::Warnings),
            "hints" => Ok(Self::Hints),
            _ => rule().map(Self::Rule),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rule(rule) => rule.code(),
            Self::Warnings => "warnings",
            Self::Hints => "hints",
        })
    }
}

/// Decides which findings are hidden and which fail.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    allowed: Vec<Selector>,
    denied: Vec<Selector>,
}

/// These rules repeat notes on problems, so `--strict` counts their findings as errors.
const NOTES: [Rule; 3] = [Rule::FileProblem, Rule::RunNote, Rule::LimitReached];

impl Levels {
    /// Reads the levels given on the command line.
    ///
    /// # Errors
    /// If the same code is allowed and denied.
    pub(super) fn new(allow: &[Selector], deny: &[Selector], is_strict: bool) -> Result<Self, Failure> {
        if let Some(both) = allow.iter().find(|selector| deny.contains(selector)) {
            return Err(Failure::usage(format_args!("--allow {both}: --deny {both} contradicts it")));
        }
        let mut denied = deny.to_vec();
        if is_strict {
            let is_free = |rule: &Rule| !allow.contains(&Selector::Rule(*rule));
            denied.extend(NOTES.into_iter().filter(is_free).map(Selector::Rule));
        }
        Ok(Self { allowed: allow.to_vec(), denied })
    }

    /// Returns the severity to use for a finding, or `None` to leave it out. A rule's own selector goes before its
    /// group's.
    pub(super) fn severity(&self, finding: &Finding) -> Option<Severity> {
        let own = Selector::Rule(finding.rule);
        if self.denied.contains(&own) {
            return Some(Severity::Error);
        }
        if self.allowed.contains(&own) {
            return None;
        }
        let group = match finding.severity {
            Severity::Error => return Some(Severity::Error),
            Severity::Warning => Selector::Warnings,
            Severity::Hint => Selector::Hints,
        };
        let is_denied = self.denied.contains(&group) || self.denied.contains(&Selector::Hints);
        if self.allowed.contains(&group) {
            None
        } else if is_denied {
            Some(Severity::Error)
        } else {
            Some(finding.severity)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns which severities a warning and a hint get.
    fn severities(allow: &[&str], deny: &[&str], is_strict: bool) -> [Option<Severity>; 2] {
        let parse = |names: &[&str]| -> Vec<Selector> {
            names.iter().map(|name| name.parse().expect("a code")).collect()
        };
        let levels = Levels::new(&parse(allow), &parse(deny), is_strict).expect("no contradiction");
        let list = "RET | FINISH | END | .align 4";
        let mut capture = pspge::asm::assemble(list).expect("a list").capture();
        let findings = pspge::check::check(&mut capture, &pspge::check::CheckOptions::default());
        let warning = findings.iter().find(|finding| finding.rule == Rule::ReturnWithoutCall).expect("RET");
        let mut hint = warning.clone().with_severity(Severity::Hint);
        hint.rule = Rule::RunNote;
        [levels.severity(warning), levels.severity(&hint)]
    }

    #[test]
    fn rules_come_before_groups() {
        use Severity::{Error, Hint, Warning};
        assert_eq!(severities(&[], &[], false), [Some(Warning), Some(Hint)], "as they are");
        assert_eq!(severities(&["hints"], &["warnings"], false), [Some(Error), None], "groups");
        assert_eq!(severities(&[], &["hints"], false), [Some(Error); 2], "hints include warnings");
        let rule = "return-without-call";
        assert_eq!(severities(&[rule], &["warnings"], false)[0], None, "an allowed rule of a denied group");
        assert_eq!(severities(&["warnings"], &[rule], false)[0], Some(Error), "the opposite");
        assert_eq!(severities(&[], &[], true), [Some(Warning), Some(Error)], "notes with --strict");
    }

    #[test]
    fn contradictions_and_unknown_codes_are_errors() {
        let both = [Selector::Hints];
        assert!(Levels::new(&both, &both, false).is_err(), "allowed and denied");
        let error = "empty-scisor".parse::<Selector>().expect_err("no such code");
        assert!(error.contains("did you mean \"empty-scissor\"?"), "{error}");
    }
}
