//! Parts for a user to choose between: levels of detail, groups with alternative parts, and hidden parts.
//!
//! # Invariants
//! Numbers rise, and each occurs only once.

use std::fmt::Display;

/// A model's levels of detail, each with its groups. A request selects a level and a group to open the file with.
///
/// ```
/// use pspge::model::Alternatives;
///
/// let only = Alternatives::default();
/// assert!(only.has_level(0) && !only.has_level(1));
/// assert_eq!(only.level(0).map(|level| level.groups.as_slice()), Some(&[0][..]));
/// assert!(!only.are_offered());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// The levels of detail that draw something. Level 0 is the finest.
    pub levels_of_detail: Vec<LevelOfDetail>,
}

/// A level of detail and its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelOfDetail {
    /// Its number.
    pub level: usize,
    /// The numbers of its groups with alternative parts.
    pub groups: Vec<usize>,
    /// How many meshes are left out in group 0 but drawn if the user selects hidden parts.
    pub hidden_meshes: usize,
}

impl Default for Alternatives {
    /// Describes a format without alternatives: level 0 with group 0, and no hidden parts.
    fn default() -> Self {
        Self { levels_of_detail: vec![LevelOfDetail { level: 0, groups: vec![0], hidden_meshes: 0 }] }
    }
}

impl Alternatives {
    /// Describes a model with a single level of detail. Groups may come in any order and repeat.
    #[must_use]
    pub fn of_groups(groups: impl IntoIterator<Item = usize>) -> Self {
        let mut groups: Vec<usize> = groups.into_iter().collect();
        groups.sort_unstable();
        groups.dedup();
        Self { levels_of_detail: vec![LevelOfDetail { level: 0, groups, hidden_meshes: 0 }] }
    }

    /// Looks up a level of detail by number.
    #[must_use]
    pub fn level(&self, number: usize) -> Option<&LevelOfDetail> {
        self.levels_of_detail.iter().find(|level| level.level == number)
    }

    /// Returns whether the model has a level of detail.
    #[must_use]
    pub fn has_level(&self, number: usize) -> bool {
        self.level(number).is_some()
    }

    /// Finds the level to draw if a level is wanted: the coarsest that is not coarser than this. If there is none,
    /// this is 0.
    #[must_use]
    pub fn nearest_level(&self, wanted: usize) -> usize {
        let finer = self.levels_of_detail.iter().map(|level| level.level).filter(|level| *level <= wanted);
        finer.max().unwrap_or(0)
    }

    /// Finds the group that is drawn at a level: the wanted group if this level has it, else 0.
    #[must_use]
    pub fn group_or_default(&self, level: usize, wanted: usize) -> usize {
        let has_group = self.level(level).is_some_and(|level| level.groups.contains(&wanted));
        if has_group { wanted } else { 0 }
    }

    /// Lists the choices that the model cannot meet, to tell the user. Pass `None` for choices nobody made.
    #[must_use]
    pub fn missing(
        &self,
        level: Option<usize>,
        group: Option<usize>,
        hidden: bool,
    ) -> Vec<MissingAlternative> {
        let mut missing = Vec::new();
        if let Some(wanted) = level.filter(|wanted| !self.has_level(*wanted)) {
            let levels = self.levels_of_detail.iter().map(|level| level.level);
            let reason = format!("the model has {}", listed("level of detail", "levels of detail", levels));
            missing.push(MissingAlternative { choice: AlternativeChoice::LevelOfDetail(wanted), reason });
        }
        // Groups belong to a level of detail. If the wanted level does not exist, the level drawn instead decides.
        let drawn = self.level(self.nearest_level(level.unwrap_or(0)));
        let groups = drawn.map(|level| level.groups.as_slice()).unwrap_or_default();
        let place = match drawn {
            Some(level) if self.levels_of_detail.len() > 1 => format!(" at level of detail {}", level.level),
            _ => String::new(),
        };
        if let Some(wanted) = group.filter(|wanted| !groups.contains(wanted)) {
            let reason = format!("the model has {}{place}", listed("group", "groups", groups));
            missing.push(MissingAlternative { choice: AlternativeChoice::Group(wanted), reason });
        }
        if hidden && drawn.is_none_or(|level| level.hidden_meshes == 0) {
            let reason = format!("the model has no hidden parts{place}");
            missing.push(MissingAlternative { choice: AlternativeChoice::Hidden, reason });
        }
        missing
    }

    /// Returns whether there is anything to choose: several levels of detail or groups, or hidden parts.
    #[must_use]
    pub fn are_offered(&self) -> bool {
        let offers = |level: &LevelOfDetail| level.groups.len() > 1 || level.hidden_meshes > 0;
        self.levels_of_detail.len() > 1 || self.levels_of_detail.iter().any(offers)
    }
}

/// A choice the model does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingAlternative {
    /// The choice.
    pub choice: AlternativeChoice,
    /// A sentence to tell the user which alternatives exist instead.
    pub reason: String,
}

/// A choice between alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlternativeChoice {
    /// A level of detail, by its number.
    LevelOfDetail(usize),
    /// A group of alternative parts, by its number.
    Group(usize),
    /// The hidden parts.
    Hidden,
}

/// Puts numbers into words: `only group 0`, `groups 0, 1`.
fn listed(one: &str, several: &str, numbers: impl IntoIterator<Item = impl Display>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    match numbers.as_slice() {
        [] => format!("no {several}"),
        [number] => format!("only {one} {number}"),
        _ => format!("{several} {}", numbers.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_that_do_not_exist_give_near_ones() {
        let level =
            |level, groups: &[usize]| LevelOfDetail { level, groups: groups.to_vec(), hidden_meshes: 0 };
        let some = Alternatives { levels_of_detail: vec![level(0, &[0, 3]), level(2, &[1])] };
        let nearest: Vec<usize> = (0..5).map(|wanted| some.nearest_level(wanted)).collect();
        assert_eq!(nearest, [0, 0, 2, 2, 2], "the coarsest up to the wanted one");
        let none = Alternatives { levels_of_detail: vec![level(1, &[0])] };
        assert_eq!(none.nearest_level(0), 0, "no level that is fine enough");
        assert_eq!([0, 1, 3].map(|group| some.group_or_default(0, group)), [0, 0, 3], "groups of level 0");
        assert_eq!(some.group_or_default(2, 3), 0, "groups of another level");
        assert_eq!(some.group_or_default(7, 1), 0, "groups of no level");
    }

    #[test]
    fn groups_are_sorted() {
        let groups = Alternatives::of_groups([3, 0, 3, 1]);
        assert_eq!(groups.level(0).map(|level| level.groups.clone()), Some(vec![0, 1, 3]), "each once");
        assert!(groups.are_offered(), "three groups");
        assert!(!Alternatives::of_groups([0]).are_offered(), "one group");
    }
}
