//! Counts model parts, with names from the format's reference.

use super::parsed::{Mesh, ParsedModel};

/// Counts for a single model, or sums over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) models: u64,
    pub(super) skeletal: u64,
    pub(super) submeshes: u64,
    pub(super) vertices: u64,
    pub(super) triangles: u64,
    pub(super) quads: u64,
    /// Triangles for each level of detail. A quad counts as 2.
    pub(super) totals: [u64; 3],
    pub(super) hidden: u64,
    pub(super) welds: u64,
    pub(super) sets: u64,
    pub(super) clips: u64,
    pub(super) absent: u64,
    pub(super) flagged: u64,
}

fn sum(meshes: &[Mesh], count: impl Fn(&Mesh) -> u64) -> u64 {
    meshes.iter().map(count).fold(0, u64::saturating_add)
}

impl Counts {
    pub(super) fn of(parsed: &ParsedModel) -> Self {
        let finest = parsed.levels.first().map(Vec::as_slice).unwrap_or_default();
        let mut totals = [0; 3];
        for (total, level) in totals.iter_mut().zip(&parsed.levels) {
            *total = sum(level, Mesh::triangle_total);
        }
        let flagged = |mesh: &Mesh| mesh.faces.iter().filter(|face| face.flags != 0).count() as u64;
        Self {
            models: 1,
            skeletal: u64::from(!parsed.bones.is_empty()),
            submeshes: finest.len() as u64,
            vertices: sum(finest, |mesh| mesh.vertices.len() as u64),
            triangles: sum(finest, |mesh| mesh.triangles as u64),
            quads: sum(finest, |mesh| mesh.quads as u64),
            totals,
            hidden: sum(finest, |mesh| mesh.hidden.into()),
            welds: sum(finest, |mesh| mesh.weld_codes as u64),
            sets: parsed.animation.sets.len() as u64,
            clips: parsed.animation.clips.len() as u64,
            absent: parsed.animation.absent as u64,
            flagged: sum(finest, flagged),
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.models, other.models),
            (&mut self.skeletal, other.skeletal),
            (&mut self.submeshes, other.submeshes),
            (&mut self.vertices, other.vertices),
            (&mut self.triangles, other.triangles),
            (&mut self.quads, other.quads),
            (&mut self.hidden, other.hidden),
            (&mut self.welds, other.welds),
            (&mut self.sets, other.sets),
            (&mut self.clips, other.clips),
            (&mut self.absent, other.absent),
            (&mut self.flagged, other.flagged),
        ];
        for (own, other) in pairs {
            *own = own.saturating_add(other);
        }
        for (own, other) in self.totals.iter_mut().zip(other.totals) {
            *own = own.saturating_add(other);
        }
    }

    /// Lists the counts to show for entities.
    pub(super) fn entity_counts(&self) -> Vec<(&'static str, u64)> {
        let [finest, middle, coarsest] = self.totals;
        vec![
            ("entities", self.models),
            ("skeletal", self.skeletal),
            ("submeshes_lod0", self.submeshes),
            ("vertices_lod0", self.vertices),
            ("tris_lod0", self.triangles),
            ("quads_lod0", self.quads),
            ("tri_total_lod0", finest),
            ("tri_total_lod1", middle),
            ("tri_total_lod2", coarsest),
            ("hidden_submeshes", self.hidden),
            ("weld_vertices", self.welds),
            ("flagged_faces", self.flagged),
            ("keysets", self.sets),
            ("clips", self.clips),
            ("clips_absent", self.absent),
        ]
    }

    /// Lists the counts to show for a player or weapon.
    pub(super) fn dump_counts(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("pbd_strips", self.submeshes),
            ("pbd_vertices", self.vertices),
            ("pbd_tris", self.triangles),
            ("pbd_quads", self.quads),
            ("pbd_keysets", self.sets),
            ("pbd_clips", self.clips),
            ("pbd_clips_absent", self.absent),
        ]
    }
}
