//! The eight bones that a list can use, as they change from group to group.
//!
//! # Invariants
//! The palette persists: a group changes only the slots that hold none of its bones. A group that uses `n` slots
//! uses the first `n`, since the vertex type only says how many.

use crate::modelling::maths::round;
use crate::modelling::mesh::{Group, Vertex};

/// Which bone each slot holds.
#[derive(Debug, Default)]
pub(crate) struct BonePalette {
    slots: [Option<u8>; 8],
}

impl BonePalette {
    /// Puts a group's bones in; returns the changes, each slot with its new bone.
    pub(crate) fn load(&mut self, group: &Group) -> Vec<[u8; 2]> {
        let bones = bones_of(group);
        let mut changes = Vec::new();
        for bone in &bones {
            if self.slots[..bones.len()].contains(&Some(*bone)) {
                continue;
            }
            let free = |slot: &Option<u8>| !slot.is_some_and(|held| bones.contains(&held));
            // A bone can sit behind the group's last slot while it is wanted before it.
            let slot = self.slots[..bones.len()].iter().position(free).unwrap_or_default();
            self.slots[slot] = Some(*bone);
            changes.push([u8::try_from(slot).unwrap_or_default(), *bone]);
        }
        changes
    }

    /// How many slots the group's vertices have weights for.
    pub(crate) fn used_by(&self, group: &Group) -> usize {
        bones_of(group).len()
    }

    /// A vertex's weights by slot, in 128ths, with the sum of exactly 128.
    pub(crate) fn weights(&self, vertex: &Vertex, slots: usize) -> Vec<u8> {
        let weight = |slot: &Option<u8>| -> f64 {
            vertex.weights.iter().filter(|(bone, _)| *slot == Some(*bone)).map(|(_, weight)| weight).sum()
        };
        let total: f64 = vertex.weights.iter().map(|(_, weight)| weight).sum();
        // Rounding the running sum instead of each weight keeps the whole.
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

/// The bones that a group's vertices name, in rising order.
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
    fn bones_that_are_in_stay_where_they_are() {
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
