//! Bones at rest.
//!
//! # Invariants
//! A bone's parent is another bone of the same skeleton, and following parents always ends at a root.

/// The bones of a model, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
}

/// One bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The number by which vertices and animations speak of it.
    pub id: u32,
    /// Its name, where the file gives one.
    pub name: Option<String>,
    /// The bone it hangs on, as an index into [`Skeleton::bones`]; `None` for a root.
    pub parent: Option<usize>,
    /// Scale relative to the parent.
    pub scale: [f32; 3],
    /// Rotation relative to the parent: Euler angles in radians; their order is the format's.
    pub rotation: [f32; 3],
    /// Position relative to the parent.
    pub translation: [f32; 3],
}

impl Skeleton {
    /// A skeleton of these bones; `None` where a parent does not exist or the bones hang on one another in a
    /// circle.
    #[must_use]
    pub fn new(bones: Vec<Bone>) -> Option<Self> {
        let skeleton = Self { bones };
        skeleton.is_a_forest().then_some(skeleton)
    }

    /// The bones, in file order.
    #[must_use]
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The index of the bone with this id.
    #[must_use]
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.bones.iter().position(|bone| bone.id == id)
    }

    /// Where the bones are at rest in model space, by the chain of translations alone.
    #[must_use]
    pub fn rest_positions(&self) -> Vec<[f32; 3]> {
        self.bones
            .iter()
            .map(|bone| {
                let mut at = bone.translation;
                let mut parent = bone.parent;
                while let Some(above) = parent.and_then(|index| self.bones.get(index)) {
                    for (sum, step) in at.iter_mut().zip(above.translation) {
                        *sum += step;
                    }
                    parent = above.parent;
                }
                at
            })
            .collect()
    }

    /// Whether every chain of parents ends, in time proportional to the number of bones.
    fn is_a_forest(&self) -> bool {
        // 0: not seen, 1: on the chain being followed, 2: known to end.
        let mut seen = vec![0u8; self.bones.len()];
        for start in 0..self.bones.len() {
            let mut chain = Vec::new();
            let mut at = Some(start);
            while let Some(index) = at {
                match (seen.get_mut(index), self.bones.get(index)) {
                    (Some(mark @ 0), Some(bone)) => {
                        *mark = 1;
                        chain.push(index);
                        at = bone.parent;
                    }
                    (Some(2), _) => break,
                    _ => return false,
                }
            }
            for index in chain {
                if let Some(mark) = seen.get_mut(index) {
                    *mark = 2;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(id: u32, parent: Option<usize>) -> Bone {
        Bone { id, name: None, parent, scale: [1.0; 3], rotation: [0.0; 3], translation: [0.0, 1.0, 0.0] }
    }

    #[test]
    fn circles_and_strangers_are_refused() {
        let circle = vec![bone(0, Some(2)), bone(1, Some(0)), bone(2, Some(1))];
        assert_eq!(Skeleton::new(circle), None, "a circle of three");
        assert_eq!(Skeleton::new(vec![bone(0, Some(0))]), None, "its own parent");
        assert_eq!(Skeleton::new(vec![bone(0, Some(1))]), None, "no such parent");
    }

    #[test]
    fn rest_follows_the_chain() {
        let skeleton = Skeleton::new(vec![bone(4, Some(1)), bone(9, None), bone(2, Some(0))]);
        let skeleton = skeleton.expect("parents may come later in the file");
        let rest = skeleton.rest_positions();
        assert_eq!(rest, [[0.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 3.0, 0.0]], "sums of translations");
        assert_eq!(skeleton.index_of(2), Some(2), "by id");
    }
}
