//! Counts model parts, with names from the format's reference.

use super::parsed::{Mesh, ParsedModel};

/// Counts for a single model, or sums over several, with the names for entities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts([(&'static str, u64); 15]);

/// Names for a player or weapon, each with the name of the same count for entities.
const DUMP: [(&str, &str); 7] = [
    ("pbd_strips", "submeshes_lod0"),
    ("pbd_vertices", "vertices_lod0"),
    ("pbd_tris", "tris_lod0"),
    ("pbd_quads", "quads_lod0"),
    ("pbd_keysets", "keysets"),
    ("pbd_clips", "clips"),
    ("pbd_clips_absent", "clips_absent"),
];

impl Counts {
    /// Counts a model's parts. For the default model, all counts are 0.
    pub(super) fn of(parsed: &ParsedModel) -> Self {
        let sum = |level: usize, count: fn(&Mesh) -> u64| {
            parsed.levels.get(level).into_iter().flatten().map(count).fold(0, u64::saturating_add)
        };
        let animation = &parsed.animation;
        Self([
            ("entities", u64::from(!parsed.levels.is_empty())),
            ("skeletal", u64::from(!parsed.bones.is_empty())),
            ("submeshes_lod0", sum(0, |_| 1)),
            ("vertices_lod0", sum(0, |mesh| mesh.vertices.len() as u64)),
            ("tris_lod0", sum(0, |mesh| mesh.triangles as u64)),
            ("quads_lod0", sum(0, |mesh| mesh.quads as u64)),
            ("tri_total_lod0", sum(0, Mesh::triangle_total)),
            ("tri_total_lod1", sum(1, Mesh::triangle_total)),
            ("tri_total_lod2", sum(2, Mesh::triangle_total)),
            ("hidden_submeshes", sum(0, |mesh| mesh.hidden.into())),
            ("weld_vertices", sum(0, |mesh| mesh.weld_codes as u64)),
            ("flagged_faces", sum(0, |mesh| mesh.faces.iter().filter(|face| face.flags != 0).count() as u64)),
            ("keysets", animation.sets.len() as u64),
            ("clips", animation.clips.len() as u64),
            ("clips_absent", animation.absent as u64),
        ])
    }

    pub(super) fn add(&mut self, other: &Self) {
        for ((_, own), (_, other)) in self.0.iter_mut().zip(other.0) {
            *own = own.saturating_add(other);
        }
    }

    /// Lists the counts to show for entities.
    pub(super) fn entity_counts(&self) -> Vec<(&'static str, u64)> {
        self.0.to_vec()
    }

    /// Lists the counts to show for a player or weapon.
    pub(super) fn dump_counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let count =
            |wanted: &str| self.0.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count);
        DUMP.into_iter().map(move |(name, entity_name)| (name, count(entity_name)))
    }
}
