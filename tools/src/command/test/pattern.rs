//! Names of cases and renderers with `*` and `?`.

use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

/// A part of a name, or a pattern for all of it if it contains `*` or `?`. Case does not matter.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    glob: Option<GlobMatcher>,
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let glob = if text.contains(['*', '?']) { Some(glob(text)?) } else { None };
        Ok(Self { text: text.to_lowercase(), glob })
    }
}

impl Pattern {
    /// Returns whether the name contains the text, or is as the pattern says.
    pub(super) fn matches(&self, name: &str) -> bool {
        match &self.glob {
            Some(glob) => glob.is_match(name),
            None => name.to_lowercase().contains(&self.text),
        }
    }
}

/// A whole name, in which `*` and `?` stand for any letters. Brackets have no meaning: names of cases contain them.
#[derive(Clone, Debug)]
pub(super) struct WholeName {
    text: String,
    glob: Option<GlobMatcher>,
}

impl FromStr for WholeName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let glob = if text.contains(['*', '?']) { Some(glob(text)?) } else { None };
        Ok(Self { text: text.to_owned(), glob })
    }
}

impl WholeName {
    /// Returns whether a name is the one that is meant.
    pub(super) fn matches(&self, name: &str) -> bool {
        self.glob.as_ref().map_or(self.text == name, |glob| glob.is_match(name))
    }

    /// Returns the name, unless it may mean several.
    pub(super) fn only(&self) -> Option<&str> {
        self.glob.is_none().then_some(self.text.as_str())
    }
}

fn glob(text: &str) -> Result<GlobMatcher, String> {
    let mut escaped = String::new();
    for letter in text.chars() {
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

    #[test]
    fn parts_and_patterns() {
        let matches =
            |pattern: &str, name: &str| pattern.parse::<Pattern>().expect("a pattern").matches(name);
        assert!(matches("pursuit", "dumps/11216 Pursuit Force.ppdmp"), "a part in any case");
        assert!(matches("*force*", "dumps/11216 Pursuit Force.ppdmp"), "folders, too");
        assert!(!matches("pursuit*", "dumps/11216 Pursuit Force.ppdmp"), "from the start");
        assert!(matches("a[1]*.ppdmp", "a[1] b.ppdmp"), "brackets are letters");
    }

    #[test]
    fn whole_names() {
        let name = |text: &str| text.parse::<WholeName>().expect("a name");
        assert!(name("a/b.ppdmp").matches("a/b.ppdmp") && !name("b.ppdmp").matches("a/b.ppdmp"), "whole");
        assert_eq!((name("a").only(), name("a*").only()), (Some("a"), None), "one or several");
    }
}
