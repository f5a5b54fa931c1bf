//! Matches names of cases and renderers with `*` and `?`.

use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

/// Text, or a pattern if it has `*` or `?`, which stand for any letters. Brackets mean themselves, because case
/// names contain them.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    glob: Option<GlobMatcher>,
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let glob = if text.contains(['*', '?']) { Some(glob(text)?) } else { None };
        Ok(Self { text: text.to_owned(), glob })
    }
}

impl Pattern {
    /// Whether a name contains the text, in any case, or matches the pattern.
    pub(super) fn is_in(&self, name: &str) -> bool {
        let contains = || name.to_lowercase().contains(&self.text.to_lowercase());
        self.glob.as_ref().map_or_else(contains, |glob| glob.is_match(name))
    }

    /// Whether a name equals the text, or matches the pattern.
    pub(super) fn is(&self, name: &str) -> bool {
        self.glob.as_ref().map_or(self.text == name, |glob| glob.is_match(name))
    }

    /// Returns the only name this can match, or `None` for a pattern.
    pub(super) fn only(&self) -> Option<&str> {
        self.glob.is_none().then_some(self.text.as_str())
    }
}

fn glob(text: &str) -> Result<GlobMatcher, String> {
    let mut escaped = String::new();
    for letter in text.chars() {
        // These have a meaning in globs, but are plain letters in case names.
        if "[]{}\\!".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    let mut builder = GlobBuilder::new(&escaped);
    builder.case_insensitive(true).literal_separator(false).backslash_escape(true);
    builder.build().map(|glob| glob.compile_matcher()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        text.parse().expect("a pattern")
    }

    #[test]
    fn parts_and_patterns() {
        let is_in = |text: &str, name: &str| pattern(text).is_in(name);
        assert!(is_in("pursuit", "dumps/11216 Pursuit Force.ppdmp"), "a part in any case");
        assert!(is_in("*force*", "dumps/11216 Pursuit Force.ppdmp"), "folders, too");
        assert!(!is_in("pursuit*", "dumps/11216 Pursuit Force.ppdmp"), "from the start");
        assert!(is_in("a[1]*.ppdmp", "a[1] b.ppdmp"), "brackets are letters");
    }

    #[test]
    fn whole_names() {
        assert!(pattern("a/b.ppdmp").is("a/b.ppdmp") && !pattern("b.ppdmp").is("a/b.ppdmp"), "whole");
        assert_eq!((pattern("a").only(), pattern("a*").only()), (Some("a"), None), "one or several");
    }
}
