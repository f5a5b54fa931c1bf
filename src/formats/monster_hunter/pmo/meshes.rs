//! Reads a PMO's mesh headers, and decides which groups and materials belong to each mesh.
//! Source: [mesh headers](crate::reference::formats::pmo#mesh-headers).

use std::ops::Range;

use super::problem::PmoProblem;
use super::raw;
use super::source::{Source, Version, finite};
use crate::formats::core::error::Warnings;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;

/// Groups with a common scale and common switches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    /// File offset of the draw flags, which the blend word follows.
    pub(super) flags_at: u64,
    pub(super) scale: [f32; 3],
    pub(super) uv_scale: [f32; 2],
    pub(super) uv_offset: [f32; 2],
    pub(super) flags: u32,
    /// A whole BLENDMODE command; 0 if absent.
    pub(super) blend_word: u32,
    pub(super) groups: Range<usize>,
    pub(super) first_material: usize,
    pub(super) materials: usize,
}

impl Mesh {
    /// Bits in the draw flags, valid if [`Self::FLAGS_COUNT`] is set.
    pub(super) const LIGHTING: u32 = 1;
    pub(super) const FOG: u32 = 2;
    pub(super) const BLENDING: u32 = 4;
    /// Makes the other bits valid.
    pub(super) const FLAGS_COUNT: u32 = 1 << 31;

    /// Checks whether a draw flag is set and valid.
    pub(super) const fn has(&self, bit: u32) -> bool {
        self.flags & Self::FLAGS_COUNT != 0 && self.flags & bit != 0
    }

    /// Returns the blend word if it is a BLENDMODE command.
    pub(super) fn blend_mode(&self) -> Option<Command> {
        Some(Command::from_word(self.blend_word)).filter(|command| command.opcode() == Opcode::BLENDMODE)
    }
}

/// Reads the mesh headers. Version 1.0 packs them 0x18 bytes apart; if they make sense only 0x20 apart, uses this.
pub(super) fn read(source: Source<'_>, warnings: &mut Warnings) -> Vec<Mesh> {
    let strides: &[u64] = match source.version {
        Version::V10 => &[0x18, 0x20],
        Version::V102 => &[0x30],
    };
    let tables = strides.iter().map(|&stride| {
        let mut found = Warnings::default();
        let table = MeshTable::read(source, stride, &mut found);
        (stride, table, found)
    });
    let mut tables: Vec<_> = tables.collect();
    let continues = |(_, table, _): &(u64, MeshTable<'_>, Warnings)| table.continues();
    // If no distance makes sense, fall back to the usual one.
    let best = tables.iter().position(continues).unwrap_or(0);
    if best >= tables.len() {
        return Vec::new();
    }
    let (stride, mut table, found) = tables.swap_remove(best);
    warnings.extend(&found);
    if best > 0 {
        let at = u64::from(source.header.mesh_headers.get());
        warnings.push(source.file.error(at, PmoProblem::OtherStride { stride }));
    }
    table.chain_groups(warnings);
    table.chain_materials(warnings);
    table.meshes
}

/// The mesh headers, while cumulative counts are compared or completed.
struct MeshTable<'a> {
    source: Source<'a>,
    meshes: Vec<Mesh>,
    /// Mesh count in the header.
    counted: u64,
}

/// Offset from the draw flags to the cumulative material count.
const FIRST_MATERIAL: u64 = 10;
/// Offset from the draw flags to the cumulative group count.
const FIRST_GROUP: u64 = 14;

impl<'a> MeshTable<'a> {
    fn read(source: Source<'a>, stride: u64, warnings: &mut Warnings) -> Self {
        let Source { file, version, header, scale } = source;
        let start = u64::from(header.mesh_headers.get());
        let counted = u64::from(header.mesh_count.get());
        // Stop at the next section, but read at least the first header.
        let room = source.room(start, stride).max(1);
        if counted > room {
            warnings.push(file.error(0x1C, PmoProblem::TableShort { name: "mesh headers", counted, room }));
        }
        let mut meshes = Vec::new();
        for number in 0..counted.min(room) {
            let offset = start.saturating_add(stride.saturating_mul(number));
            let mesh = match version {
                Version::V10 => file.read(offset).map(|raw: raw::Mesh10| {
                    let uv_scale = finite(file, offset, raw.uv_scale, 1.0, warnings);
                    mesh(offset.saturating_add(8), raw.counts, scale, uv_scale, [0.0; 2])
                }),
                Version::V102 => file.read(offset).map(|raw: raw::Mesh102| {
                    let uv_scale = finite(file, offset.saturating_add(0x10), raw.uv_scale, 1.0, warnings);
                    let uv_offset = finite(file, offset.saturating_add(0x18), raw.uv_offset, 0.0, warnings);
                    let own = own_scale(source, offset, &raw, warnings);
                    mesh(offset.saturating_add(0x20), raw.counts, own, uv_scale, uv_offset)
                }),
            };
            let Ok(mesh) = mesh else {
                let problem = PmoProblem::TableShort { name: "mesh headers", counted, room: number };
                warnings.push(file.error(0x1C, problem));
                break;
            };
            meshes.push(mesh);
        }
        Self { source, meshes, counted }
    }

    /// Checks that all headers are there, and each mesh's groups follow the previous mesh's.
    fn continues(&self) -> bool {
        let mut before = 0;
        let mut continues =
            |mesh: &Mesh| std::mem::replace(&mut before, mesh.groups.end) == mesh.groups.start;
        self.meshes.len() as u64 == self.counted && self.meshes.iter().all(&mut continues)
    }

    /// Checks whether a tool left out the cumulative counts: all are 0, but some should not be.
    fn are_left_out(&self, first: fn(&Mesh) -> usize, count: fn(&Mesh) -> usize) -> bool {
        let Some((_, before)) = self.meshes.split_last() else { return false };
        self.meshes.iter().all(|mesh| first(mesh) == 0) && before.iter().any(|mesh| count(mesh) > 0)
    }

    /// Compares cumulative group counts with their sums. Uses the sums if a tool left out the counts, or if all
    /// groups together fill their section; otherwise uses the counts, as the game does.
    fn chain_groups(&mut self, warnings: &mut Warnings) {
        let start = u64::from(self.source.header.group_headers.get());
        let room = self.source.room(start, size_of::<raw::Group>() as u64);
        let total = self.meshes.iter().fold(0_u64, |sum, mesh| sum.saturating_add(mesh.groups.len() as u64));
        let are_left_out = self.are_left_out(|mesh| mesh.groups.start, |mesh| mesh.groups.len());
        let mut before = 0_usize;
        for mesh in &mut self.meshes {
            let found = mesh.groups.start;
            if found != before && !are_left_out {
                let problem = PmoProblem::RunningCount { counter: "tristrip", expected: before, found };
                warnings.push(self.source.file.error(mesh.flags_at.saturating_add(FIRST_GROUP), problem));
            }
            if are_left_out || total == room {
                mesh.groups = before..before.saturating_add(mesh.groups.len());
            }
            before = mesh.groups.end;
        }
        if are_left_out {
            self.warn_left_out("tristrip", FIRST_GROUP, warnings);
        }
    }

    /// Compares cumulative material counts in version 1.0 with their sums. The game uses only the counts, so this
    /// does too unless a tool left them out. In version 102, meshes share materials.
    fn chain_materials(&mut self, warnings: &mut Warnings) {
        if self.source.version == Version::V102 {
            return;
        }
        let are_left_out = self.are_left_out(|mesh| mesh.first_material, |mesh| mesh.materials);
        if are_left_out && !self.materials_are_own() {
            let at = self.meshes.get(1).map_or(0, |mesh| mesh.flags_at).saturating_add(FIRST_MATERIAL);
            warnings.push(self.source.file.error(at, PmoProblem::SharedMaterials));
            return;
        }
        let mut before = None;
        for mesh in &mut self.meshes {
            let (found, expected) = (mesh.first_material, before.unwrap_or(mesh.first_material));
            if are_left_out {
                mesh.first_material = expected;
            } else if found != expected {
                let problem = PmoProblem::RunningCount { counter: "material", expected, found };
                warnings.push(self.source.file.error(mesh.flags_at.saturating_add(FIRST_MATERIAL), problem));
            }
            before = Some(mesh.first_material.saturating_add(mesh.materials));
        }
        if are_left_out {
            self.warn_left_out("material", FIRST_MATERIAL, warnings);
        }
    }

    /// Checks whether all groups name materials from their own mesh.
    fn materials_are_own(&self) -> bool {
        let Source { file, header, .. } = self.source;
        self.meshes.iter().all(|mesh| {
            mesh.groups.clone().all(|group| {
                let at =
                    u64::from(header.group_headers.get()).saturating_add((group as u64).saturating_mul(16));
                file.read(at).map_or(true, |raw: raw::Group| usize::from(raw.material) < mesh.materials)
            })
        })
    }

    /// Warns because all cumulative counts are 0. `field` is the count's offset from the draw flags.
    fn warn_left_out(&self, counter: &'static str, field: u64, warnings: &mut Warnings) {
        let at = self.meshes.get(1).map_or(0, |mesh| mesh.flags_at);
        warnings.push(self.source.file.error(at.saturating_add(field), PmoProblem::CountsLeftOut(counter)));
    }
}

fn mesh(
    flags_at: u64,
    counts: raw::MeshCounts,
    scale: [f32; 3],
    uv_scale: [f32; 2],
    uv_offset: [f32; 2],
) -> Mesh {
    let first = usize::from(counts.first_group.get());
    Mesh {
        flags_at,
        scale,
        uv_scale,
        uv_offset,
        flags: counts.flags.get(),
        blend_word: counts.blend_word.get(),
        groups: first..first.saturating_add(usize::from(counts.groups.get())),
        first_material: usize::from(counts.first_material.get()),
        materials: usize::from(counts.materials),
    }
}

/// Picks a mesh's scale in version 102: its own, or the header's if its own has a zero or is not finite.
/// Source: [mesh headers](crate::reference::formats::pmo#mesh-headers).
fn own_scale(source: Source<'_>, offset: u64, raw: &raw::Mesh102, warnings: &mut Warnings) -> [f32; 3] {
    let (own, header) = (raw.scale.map(|side| side.get()), source.scale);
    if own.contains(&0.0) {
        return header;
    }
    if own != header {
        warnings.push(source.file.error(offset, PmoProblem::OwnScale));
    }
    if own.iter().all(|side| side.is_finite()) { own } else { header }
}
