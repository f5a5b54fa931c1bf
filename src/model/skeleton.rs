//! Skeletons: bones and their hierarchy.
//!
//! # Invariants
//! A bone's parent is another bone in the same skeleton, and every chain of parents ends at a root.

use super::matrix::{Affine, then};

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
        let skeleton = Self { bones };
        skeleton.has_no_cycle().then_some(skeleton)
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
        let mut world: Vec<Option<Affine>> = vec![None; self.bones.len()];
        let mut path = Vec::new();
        for start in 0..self.bones.len() {
            // Parents may come later in the file. So this walks up to an ancestor with a known matrix, then computes
            // the others downwards.
            let mut at = Some(start);
            while let Some(index) = at.filter(|&index| world[index].is_none()) {
                path.push(index);
                at = self.bones[index].parent;
            }
            while let Some(index) = path.pop() {
                let bone = &self.bones[index];
                let own = local.get(index).unwrap_or(&bone.local);
                world[index] = Some(match bone.parent.and_then(|parent| world[parent]) {
                    Some(parent) => then(own, &parent),
                    None => *own,
                });
            }
        }
        world.into_iter().flatten().collect()
    }

    /// Checks that every chain of parents ends. This visits each bone only once, so its time is linear.
    fn has_no_cycle(&self) -> bool {
        // 0: not visited, 1: on the current chain, 2: known to end. To meet a 1 again means a cycle.
        let mut state = vec![0u8; self.bones.len()];
        for start in 0..self.bones.len() {
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(index) = at {
                match (state.get_mut(index), self.bones.get(index)) {
                    (Some(mark @ 0), Some(bone)) => {
                        *mark = 1;
                        path.push(index);
                        at = bone.parent;
                    }
                    (Some(2), _) => break,
                    _ => return false,
                }
            }
            for index in path {
                if let Some(mark) = state.get_mut(index) {
                    *mark = 2;
                }
            }
        }
        true
    }
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
