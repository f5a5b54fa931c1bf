//! Each rule has a stable code, a severity, a reason and a remedy.
//!
//! # Invariants
//! Codes never change and are never reused, because users write them in scripts.

use std::fmt;

use super::rules::rules;
use super::severity::Severity;

/// The texts for a rule.
#[derive(Clone, Copy, Debug)]
struct RuleInfo {
    code: &'static str,
    severity: Severity,
    title: &'static str,
    why: &'static str,
    remedy: &'static str,
}

macro_rules! declare_rules {
    ($(#[doc = $title:literal] $name:ident = $code:literal, $severity:ident, $why:literal, $remedy:literal;)*) => {
        /// A rule of the check.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = $title]
                ///
                #[doc = concat!("Code `", $code, "`. ", $why, " ", $remedy)]
                $name,
            )*
        }

        impl Rule {
            /// All rules: rules on lists first, then memory, draws, state, dumps and models.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            const fn info(self) -> RuleInfo {
                match self {
                    $(Self::$name => RuleInfo {
                        code: $code,
                        severity: Severity::$severity,
                        title: $title.trim_ascii(),
                        why: $why,
                        remedy: $remedy,
                    },)*
                }
            }
        }
    };
}

rules!(declare_rules);

/// A machine to run a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The console.
    Psp,
    /// A program that draws as most do: from memory without a texture cache, and in floating point.
    Emulator,
}

/// For the rules where both differ, how a PSP and how emulators treat a list that breaks the rule.
const DIFFERENCES: &[(Rule, &str, &str)] = &[
    (Rule::UnknownSignal, "a PSP hangs", "emulators may go on"),
    (Rule::StallReached, "a PSP hangs in sceGeDrawSync", "emulators may go on"),
    (
        Rule::StallPassed,
        "a PSP may get there before the words are written",
        "emulators get there at the moment of a call",
    ),
    (Rule::PatchHang, "a PSP hangs", "emulators draw the patch"),
    (
        Rule::TextureIsTarget,
        "a PSP sees pixels of this draw late, by blocks of 16 bytes",
        "emulators see them at once",
    ),
    (Rule::StaleTexels, "a PSP shows the texels of before", "emulators show those in memory"),
    (Rule::DepthView, "a PSP shows texels out of order", "emulators show depth in order"),
    (Rule::TextureTooLarge, "a PSP has no texels from 512 on", "some emulators have them"),
    (Rule::TransferOverlap, "a PSP repeats bytes from 64 bytes on", "emulators copy the bytes of before"),
    (
        Rule::TransferWithoutSync,
        "a PSP may sample texels from before the transfer",
        "emulators sample those that it writes",
    ),
    (Rule::BoxBehind, "a PSP draws what the box guards", "emulators leave it out"),
    (Rule::ThroughClamped, "a PSP clamps the position", "emulators draw beyond"),
    (Rule::NegativeColor, "a PSP takes the magnitude of the sum", "emulators take 0"),
];

impl Rule {
    /// Returns this rule's code, such as `empty-scissor`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.info().code
    }

    /// Returns the rule with this code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.code() == code)
    }

    /// Returns how a machine treats a list that breaks this rule, or `None` if a PSP and emulators treat it alike.
    #[must_use]
    pub fn on(self, machine: Machine) -> Option<&'static str> {
        let &(_, psp, emulator) = DIFFERENCES.iter().find(|(rule, ..)| *rule == self)?;
        Some(match machine {
            Machine::Psp => psp,
            Machine::Emulator => emulator,
        })
    }

    /// Returns how bad it is to break this rule.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.info().severity
    }

    /// Returns a sentence on the condition to report.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.info().title
    }

    /// Returns why this matters.
    #[must_use]
    pub const fn why(self) -> &'static str {
        self.info().why
    }

    /// Returns how to mend the list, as advice to its author.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        self.info().remedy
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_distinct_kebab_case() {
        let codes: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.code()).collect();
        assert_eq!(codes.len(), Rule::ALL.len(), "each rule has its own code");
        for code in codes {
            let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(code.split('-').all(is_word), "{code}");
        }
    }

    #[test]
    fn rules_have_complete_texts() {
        for rule in Rule::ALL {
            for text in [rule.title(), rule.why(), rule.remedy()] {
                assert!(text.ends_with('.') && text.len() > 10, "{rule}: {text:?}");
            }
            assert_eq!(Rule::from_code(rule.code()), Some(*rule), "{rule} is found by its code");
        }
        assert_eq!(Rule::from_code("no-such-rule"), None, "an unknown code");
    }
}
