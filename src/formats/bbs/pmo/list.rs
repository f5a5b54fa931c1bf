//! Turns sections into display lists.

use std::collections::HashMap;

use super::read::Pmo;
use super::section::Section;
use crate::formats::core::error::FormatError;
use crate::formats::core::loader::Loader;
use crate::ge::address::Address;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::model::ModelInfo;

/// Copies each section's vertices to a multiple of 16, because they are unaligned in the file.
pub(in crate::formats::bbs) fn place_vertices(
    pmo: &Pmo<'_>,
    name: &str,
    loader: &mut Loader,
) -> Result<Vec<Address>, FormatError> {
    pmo.sections.iter().map(|section| loader.place(name, section.vertices, 16)).collect()
}

/// Appends the commands to draw a section.
pub(in crate::formats::bbs) fn draw(list: &mut ListBuilder, section: &Section<'_>, vertices: Address) {
    list.write(section.vertex_type).address(Opcode::VADDR, vertices);
    for &count in &section.counts {
        list.prim(section.primitive, count);
    }
}

/// Lists which bones a section's matrix slots belong to. Without weights, its only matrix belongs to `bone`.
pub(in crate::formats::bbs) fn palette(section: &Section<'_>, bone: Option<u32>) -> [Option<u32>; 8] {
    let mut palette = [None; 8];
    palette[0] = bone;
    let bones = section.bones.unwrap_or([0; 8]).into_iter().take(section.vertex_type.weights());
    for (slot, bone) in palette.iter_mut().zip(bones) {
        *slot = Some(bone.into());
    }
    palette
}

/// Texture, attribute and colour.
type Material = (Option<usize>, u16, Option<[u8; 4]>);

/// Numbers the materials: distinct combinations of texture, attribute and colour.
#[derive(Debug, Default)]
pub(in crate::formats::bbs) struct Materials {
    known: HashMap<Material, usize>,
}

impl Materials {
    /// Returns the number for a section's material. `texture` is its texture number in the whole file.
    pub(in crate::formats::bbs) fn number(&mut self, section: &Section<'_>, texture: Option<usize>) -> usize {
        let next = self.known.len();
        *self.known.entry((texture, section.attribute.0, section.color)).or_insert(next)
    }

    pub(in crate::formats::bbs) fn len(&self) -> usize {
        self.known.len()
    }
}

/// Totals the sections in all given models.
pub(in crate::formats::bbs) fn count<'a>(
    format: &'static str,
    version: String,
    sections: impl Iterator<Item = &'a Section<'a>>,
) -> ModelInfo {
    let mut info = ModelInfo { format, version: Some(version), ..ModelInfo::default() };
    let (mut strips, mut second) = (0_u64, 0_u64);
    for section in sections {
        info.meshes = info.meshes.saturating_add(1);
        info.draws = info.draws.saturating_add(section.counts.len());
        info.vertices = info.vertices.saturating_add(section.vertices());
        info.triangles = info.triangles.saturating_add(section.triangles());
        strips = strips.saturating_add(section.strips as u64);
        second = second.saturating_add(section.list as u64);
    }
    info.groups = info.meshes;
    info.extra = vec![("strips", strips), ("second_pass_sections", second)];
    info
}
