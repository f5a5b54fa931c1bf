//! Follows the GE's eight bone matrices from group to group.
//!
//! # Invariants
//! The palette persists, so a group changes only slots without a bone that it needs. A group with `n` bones uses the
//! first `n` slots, because the vertex type states only their number.
//! Source: [bone data](pspge::reference::formats::pmo#bone-data).

use crate::modelling::maths::round;
use crate::modelling::mesh::{Group, Vertex};

/// The bone in each slot.
#[derive(Debug, Default)]
pub(crate) struct BonePalette {
    slots: [Option<u8>; 8],
}

impl BonePalette {
    /// Loads a group's bones and returns the changes to write, each as a slot and its new bone.
    pub(crate) fn load(&mut self, group: &Group) -> Vec<[u8; 2]> {
        let bones = bones_of(group);
        let mut changes = Vec::new();
        for bone in &bones {
            if self.slots[..bones.len()].contains(&Some(*bone)) {
                continue;
            }
            let free = |slot: &Option<u8>| !slot.is_some_and(|held| bones.contains(&held));
            // The same bone may stay in a later slot, which this group does not use.
            let slot = self.slots[..bones.len()].iter().position(free).unwrap_or_default();
            self.slots[slot] = Some(*bone);
            changes.push([u8::try_from(slot).unwrap_or_default(), *bone]);
        }
        changes
    }

    /// Counts the slots for which the group's vertices need weights.
    pub(crate) fn used_by(&self, group: &Group) -> usize {
        bones_of(group).len()
    }

    /// Returns a vertex's weights by slot, in 128ths, which add up to exactly 128.
    pub(crate) fn weights(&self, vertex: &Vertex, slots: usize) -> Vec<u8> {
        let weight = |slot: &Option<u8>| -> f64 {
            vertex.weights.iter().filter(|(bone, _)| *slot == Some(*bone)).map(|(_, weight)| weight).sum()
        };
        let total: f64 = vertex.weights.iter().map(|(_, weight)| weight).sum();
        // To keep the total exact, round the running sum instead of each weight.
        let mut sum = 0.0;
        let mut given = 0;
        let share = |slot: &Option<u8>| {
            sum += weight(slot) / total;
            let upto = round(sum * 128.0);
            let share = u8::try_from(upto - given).unwrap_or_default();
            given = upto;
            share
        };
        self.slots[..slots].iter().map(share).collect()
    }
}

/// Returns the bones used by a group's vertices, ascending.
fn bones_of(group: &Group) -> Vec<u8> {
    let weights = group.vertices.iter().flat_map(|vertex| &vertex.weights);
    let mut bones: Vec<u8> = weights.filter(|(_, weight)| *weight > 0.0).map(|(bone, _)| *bone).collect();
    bones.sort_unstable();
    bones.dedup();
    bones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modelling::maths::vec3;
    use crate::modelling::mesh::RenderState;

    fn group(weights: &[(u8, f64)]) -> Group {
        let up = vec3(0.0, 1.0, 0.0);
        let vertex = Vertex { position: up, normal: up, texcoord: [0.0; 2], weights: weights.to_vec() };
        Group { vertices: vec![vertex], ..Group::new(0, RenderState::default()) }
    }

    #[test]
    fn loaded_bones_keep_their_slots() {
        let mut palette = BonePalette::default();
        assert_eq!(
            palette.load(&group(&[(3, 0.5), (5, 0.5)])),
            [[0, 3], [1, 5]],
            "an empty palette takes both"
        );
        assert_eq!(palette.load(&group(&[(5, 0.5), (9, 0.5)])), [[0, 9]], "only the new bone");
        assert_eq!(palette.load(&group(&[(5, 1.0)])), [[0, 5]], "one slot means the first slot");
    }

    #[test]
    fn weights_sum_to_128() {
        let mut palette = BonePalette::default();
        let thirds = group(&[(0, 1.0), (1, 1.0), (2, 1.0)]);
        palette.load(&thirds);
        let weights = palette.weights(&thirds.vertices[0], 3);
        assert_eq!(weights, [43, 42, 43], "thirds of 128");
    }
}
