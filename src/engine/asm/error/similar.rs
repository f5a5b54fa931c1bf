//! Finds the name that a misspelt name probably means, for suggestions in messages.

use strsim::osa_distance;

/// Finds the best of the [`closest_names`], or `None` if no candidate is close.
pub(crate) fn closest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    closest_names(name, candidates).first().map(|name| (*name).to_owned())
}

/// Finds candidates whose edit distance to `name` is at most 2 (1 for short names), the closest first. If there are
/// none, finds the candidate that starts with `name`, unless several do. Case does not count.
pub(crate) fn closest_names<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // The comparison's cost is quadratic, so this bounds the names to compare.
    const LENGTH_MAX: usize = 40;
    // A single letter resembles every other letter, so it gets no suggestion.
    let allowed = match name.len() {
        0 | 1 => 0,
        2..=5 => 1,
        6..=LENGTH_MAX => 2,
        _ => return Vec::new(),
    };
    let name = name.to_ascii_lowercase();
    let mut longer = Vec::new();
    let mut close = Vec::new();
    for candidate in candidates.filter(|candidate| candidate.len() <= LENGTH_MAX) {
        let lower = candidate.to_ascii_lowercase();
        let distance = osa_distance(&name, &lower);
        if distance <= allowed {
            close.push((distance, candidate));
        } else if allowed > 0 && lower.starts_with(&name) {
            longer.push(candidate);
        }
    }
    if close.is_empty() && longer.len() == 1 {
        return longer;
    }
    close.sort_by_key(|(distance, _)| *distance);
    close.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_names() {
        let names = ["PRIM", "PATCHPRIM", "VADDR", "IADDR"];
        assert_eq!(closest_name("prim", names.into_iter()).as_deref(), Some("PRIM"), "case does not count");
        assert_eq!(closest_name("VADR", names.into_iter()).as_deref(), Some("VADDR"), "a letter is missing");
        assert_eq!(closest_name("x", ["a"].into_iter()), None, "one letter");
        assert_eq!(closest_name("banana", names.into_iter()), None, "no candidate is close");
        assert_eq!(
            closest_name("PATCH", names.into_iter()).as_deref(),
            Some("PATCHPRIM"),
            "the start of one"
        );
        assert_eq!(closest_name("PRMI", names.into_iter()).as_deref(), Some("PRIM"), "letters are exchanged");
    }
}
