//! Skeletons: bones and their hierarchy.
//!
//! # Invariants
//! A bone's parent is another bone in the same skeleton, and every chain of parents ends at a root.

use super::matrix::{Affine, IDENTITY, then};

/// A model's bones, in file order.
///
/// ```
/// use pspge::Skeleton;
///
/// let skeleton = Skeleton::new(Vec::new()).expect("no bone has a missing parent");
/// assert!(skeleton.bones().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The id that vertices and animations use for this bone.
    pub id: u32,
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// Index of the parent in [`Skeleton::bones`]; `None` for a root.
    pub parent: Option<usize>,
    /// The rest matrix, relative to the parent.
    pub local: Affine,
}

impl Skeleton {
    /// Creates a skeleton, or returns `None` if a parent does not exist or the parents form a cycle.
    #[must_use]
    pub fn new(bones: Vec<Bone>) -> Option<Self> {
        let mut parents: Vec<Option<usize>> = bones.iter().map(|bone| bone.parent).collect();
        let exist = parents.iter().flatten().all(|&parent| parent < bones.len());
        (exist && !cut_cycles(&mut parents).iter().any(|&(_, is_cut)| is_cut)).then_some(Self { bones })
    }

    /// Returns the bones, in file order.
    #[must_use]
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Looks up a bone's index by its id.
    #[must_use]
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.bones.iter().position(|bone| bone.id == id)
    }

    /// Returns each bone's rest matrix, relative to its parent.
    #[must_use]
    pub fn rest(&self) -> Vec<Affine> {
        self.bones.iter().map(|bone| bone.local).collect()
    }

    /// Converts matrices from parent space to model space. Missing matrices default to rest.
    #[must_use]
    pub fn world(&self, local: &[Affine]) -> Vec<Affine> {
        let mut world = vec![IDENTITY; self.bones.len()];
        for index in self.parents_first() {
            let bone = &self.bones[index];
            let own = local.get(index).unwrap_or(&bone.local);
            world[index] = bone.parent.map_or(*own, |parent| then(own, &world[parent]));
        }
        world
    }

    /// Returns bone indices with parents first, and otherwise in file order.
    pub(crate) fn parents_first(&self) -> Vec<usize> {
        let parents: Vec<Option<usize>> = self.bones.iter().map(|bone| bone.parent).collect();
        parents_first(&parents)
    }
}

/// Returns all indices with parents first, and otherwise in order. `parents` must have no cycle.
pub(crate) fn parents_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(parents.len());
    let mut is_placed = vec![false; parents.len()];
    for start in 0..parents.len() {
        // Parents may come later: this walks up to one already placed, then reverses the walk.
        let first = order.len();
        let mut at = Some(start);
        while let Some(index) = at
            && let Some(is_placed @ false) = is_placed.get_mut(index)
        {
            *is_placed = true;
            order.push(index);
            at = parents[index];
        }
        order[first..].reverse();
    }
    order
}

/// Makes a bone in each cycle a root. Returns each bone once, in the order this walks from bones to their parents,
/// and whether it was cut from its parent.
pub(crate) fn cut_cycles(parents: &mut [Option<usize>]) -> Vec<(usize, bool)> {
    let mut reached = Vec::with_capacity(parents.len());
    // For each bone, the start of the walk to reach it first. Meeting the same walk again closes a cycle.
    let mut reached_from: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut at = Some(start);
        while let Some(index) = at
            && let Some(mark @ None) = reached_from.get_mut(index)
        {
            *mark = Some(start);
            at = parents[index].filter(|&parent| reached_from.get(parent) != Some(&Some(start)));
            reached.push((index, at != parents[index]));
            parents[index] = at;
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::matrix::translation;
    use super::*;

    fn bone(id: u32, parent: Option<usize>) -> Bone {
        Bone { id, name: None, parent, local: translation([0.0, 1.0, 0.0]) }
    }

    #[test]
    fn rejects_cycles_and_missing_parents() {
        let cycle = vec![bone(0, Some(2)), bone(1, Some(0)), bone(2, Some(1))];
        assert_eq!(Skeleton::new(cycle), None, "a cycle of three");
        assert_eq!(Skeleton::new(vec![bone(0, Some(0))]), None, "its own parent");
        assert_eq!(Skeleton::new(vec![bone(0, Some(1))]), None, "no such parent");
    }

    #[test]
    fn world_matrices_follow_the_parents() {
        let skeleton = Skeleton::new(vec![bone(4, Some(1)), bone(9, None), bone(2, Some(0))]);
        let skeleton = skeleton.expect("parents may come later in the file");
        let rest = skeleton.world(&skeleton.rest());
        let expected = [2.0, 1.0, 3.0].map(|y| translation([0.0, y, 0.0]));
        assert_eq!(rest, expected, "sums of translations");
        assert_eq!(skeleton.world(&[]), expected, "missing matrices default to rest");
        let moved = [translation([0.0; 3]), translation([7.0, 0.0, 0.0])];
        assert_eq!(skeleton.world(&moved)[2], translation([7.0, 1.0, 0.0]), "the root moves its descendants");
        assert_eq!(skeleton.index_of(2), Some(2), "by id");
    }
}
