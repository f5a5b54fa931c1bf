//! Suggests existing names in errors about unknown names.

use std::fmt;

/// How many names to list. Further ones are only counted.
const LISTED_MAX: usize = 12;
/// Longer names are not compared, because a comparison takes quadratic time. In bytes.
const COMPARED_MAX: usize = 64;
/// How many names to compare at most.
const CANDIDATES_MAX: usize = 4096;
/// How similar a name must be to be suggested, from 0 to 1.
const SIMILARITY_MIN: f64 = 0.75;

/// Existing names, and the likeliest intended name. Prints as the rest of a sentence; empty if no name exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The first names, at most 12.
    pub listed: Vec<String>,
    /// How many names are not listed.
    pub more: usize,
    /// The most similar name, if any is similar enough.
    pub nearest: Option<String>,
}

impl Choices {
    /// Lists names. `label` turns a name and its number into the listed text.
    #[must_use]
    pub fn new<'a>(
        wanted: &str,
        names: impl Iterator<Item = &'a str>,
        label: impl Fn(usize, &str) -> String,
    ) -> Self {
        let mut choices = Self::default();
        let mut best = SIMILARITY_MIN;
        let folded = wanted.to_lowercase();
        for (number, name) in names.enumerate() {
            if number < CANDIDATES_MAX && name.len() <= COMPARED_MAX && folded.len() <= COMPARED_MAX {
                let similarity = similarity(&folded, &name.to_lowercase());
                // If names are equally similar, the first wins.
                if similarity >= best && !name.is_empty() && (similarity > best || choices.nearest.is_none())
                {
                    best = similarity;
                    choices.nearest = Some(name.to_owned());
                }
            }
            if choices.listed.len() < LISTED_MAX {
                choices.listed.push(label(number, name));
            } else {
                choices.more = choices.more.saturating_add(1);
            }
        }
        choices
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean \"{nearest}\"?")?;
        }
        if self.listed.is_empty() {
            return Ok(());
        }
        f.write_str(if self.nearest.is_some() { " There are " } else { "; there are " })?;
        f.write_str(&self.listed.join(", "))?;
        if self.more > 0 { write!(f, " and {} more", self.more) } else { Ok(()) }
    }
}

/// Rates how similar a name is to the wanted name, with or without its extension, from 0 to 1.
fn similarity(wanted: &str, name: &str) -> f64 {
    let whole = strsim::normalized_damerau_levenshtein(wanted, name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => {
            // A full match beats a match without extension.
            whole.max(strsim::normalized_damerau_levenshtein(wanted, stem) * 0.99)
        }
        _ => whole,
    }
}

/// Joins names as alternatives: `a`, `a or b`, `a, b or c`.
pub(super) fn either(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(wanted: &str, names: &[&str]) -> String {
        Choices::new(wanted, names.iter().copied(), |_, name| name.to_owned()).to_string()
    }

    #[test]
    fn names_the_nearest_and_lists_the_others() {
        let names = ["body.pmo", "wings.pmo", "body.tmh"];
        let all = "body.pmo, wings.pmo, body.tmh";
        assert_eq!(choices("BODY.pmp", &names), format!("; did you mean \"body.pmo\"? There are {all}"));
        assert_eq!(choices("wings", &names), format!("; did you mean \"wings.pmo\"? There are {all}"));
        assert_eq!(choices("tail", &names), format!("; there are {all}"));
        assert_eq!(choices("tail", &[]), "", "no names");
        let many: Vec<String> = (0..20).map(|number| format!("{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(choices("x", &many).ends_with("10, 11 and 8 more"), "twelve are listed");
    }

    #[test]
    fn alternatives_are_joined() {
        assert_eq!(either(&["a"]), "a");
        assert_eq!(either(&["a", "b", "c"]), "a, b or c");
    }
}
