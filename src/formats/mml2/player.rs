//! Reads player models and their weapons: memory dumps whose pointers count from a common address. Source:
//! [PBD players](crate::reference::formats::mml2#pbd-players) and
//! [weapons](crate::reference::formats::mml2#weapons).
//!
//! A weapon is loaded after the player's data. It brings three strips for the arm that carries weapons, and its own
//! key sets and clips.

use super::archive::{Archive, Section, SectionKind};
use super::clips::{self, AnimationData, KeySetSource};
use super::mesh::{self, MeshSource, WeldSlots};
use super::parsed::{Joint, Material, Mesh, ParsedModel};
use super::pointers::PointerSpace;
use super::problem::{Mml2Problem, unreadable};
use super::raw::{self, PLAYER_BASE};
use crate::formats::core::error::{FormatError, Warnings};
use crate::model::Field;

/// Where a player's meshes, poses and clips are loaded.
const PLAYER: [u32; 3] = [PLAYER_BASE, 0x8011_3A00, 0x8012_3000];
/// Where a weapon's meshes, poses and clips are loaded, directly after the player's.
const WEAPON: [u32; 3] = [0x8011_3340, 0x8012_1E20, 0x8012_46B0];
/// The map below is only for players whose meshes have this many bytes.
const PLAYER_BYTES: u64 = 0x2B40;
/// Metres per unit. Source: [coordinates](crate::reference::formats::mml2#coordinates).
const METRES: f32 = 0.00125;
/// Where the materials are.
const MATERIALS_AT: u64 = 0x60;
/// Each bone's parent.
const PARENTS: [Option<usize>; 15] = [
    None,
    Some(0),
    Some(0),
    Some(2),
    Some(3),
    Some(0),
    Some(5),
    Some(6),
    Some(0),
    Some(8),
    Some(9),
    Some(10),
    Some(8),
    Some(12),
    Some(13),
];
/// A weapon replaces the arm on these bones. Found: the shoulder strip leans in the direction from bone 2 to bone 3.
const WEAPON_BONES: [usize; 3] = [2, 3, 4];
/// How far the weapon arm's bones are from their parents. This is the same for all players.
const WEAPON_ARM: [[i16; 3]; 3] = [[0, 0, 0], [-20, 168, 0], [0, 147, 0]];

/// Consecutive strips in a player.
struct Strips {
    at: u64,
    bones: &'static [usize],
    /// Which alternative these belong to.
    alternative: Option<usize>,
    /// Whether a weapon replaces these.
    is_replaced: bool,
}

/// A player's strips. The two arms on bones 5 to 7 are alternatives: the hand, and the buster.
const STRIPS: [Strips; 6] = [
    Strips { at: 0x80, bones: &[0, 8, 9, 10, 12, 13], alternative: None, is_replaced: false },
    Strips { at: 0xB60, bones: &[1, 1, 1], alternative: None, is_replaced: false },
    Strips { at: 0x1800, bones: &[11, 14], alternative: None, is_replaced: false },
    Strips { at: 0x1DD0, bones: &[5, 6, 7], alternative: Some(0), is_replaced: false },
    Strips { at: 0x2220, bones: &[5, 6, 7], alternative: Some(1), is_replaced: false },
    Strips { at: 0x26F0, bones: &WEAPON_BONES, alternative: None, is_replaced: true },
];

/// A player's or weapon's sections: meshes, poses and clips.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryDump<'a> {
    pub(super) is_weapon: bool,
    pub(super) meshes: Section<'a>,
    poses: Option<Section<'a>>,
    clips: Option<Section<'a>>,
}

/// Finds the player or weapon in an archive.
pub(super) fn find<'a>(archive: &Archive<'a>) -> Option<MemoryDump<'a>> {
    let at = |address: u32| {
        let matches = |section: &&Section<'_>| {
            section.kind == SectionKind::Memory && section.header.address.get() == address
        };
        archive.sections.iter().find(matches).copied()
    };
    let dump = |[meshes, poses, clips]: [u32; 3], is_weapon| {
        Some(MemoryDump { is_weapon, meshes: at(meshes)?, poses: at(poses), clips: at(clips) })
    };
    let player = dump(PLAYER, false).filter(|player| player.meshes.stored.len() == PLAYER_BYTES);
    player.or_else(|| dump(WEAPON, true))
}

/// Recognises another player's meshes, whose strips lie elsewhere, to tell the user about them.
pub(super) fn is_other_character(section: &Section<'_>) -> bool {
    let [meshes, ..] = PLAYER;
    section.header.address.get() == meshes
}

/// Creates a pointer space for a section of memory.
fn space<'a>(section: &Section<'a>) -> PointerSpace<'a> {
    let base = section.header.address.get().saturating_sub(PLAYER_BASE);
    PointerSpace { view: section.stored, base: base.into() }
}

impl MemoryDump<'_> {
    pub(super) const fn name(&self) -> &'static str {
        if self.is_weapon { "weapon" } else { "player" }
    }

    /// Reads a player or weapon. `other` completes it: a player's weapon, or a weapon's player.
    pub(super) fn read(&self, other: Option<&MemoryDump<'_>>) -> Result<ParsedModel, FormatError> {
        let (player, weapon) = if self.is_weapon { (other, Some(self)) } else { (Some(self), other) };
        let mut warnings = Warnings::default();
        let bones = match player {
            Some(player) => player.bones()?,
            None => arm(),
        };
        let materials = player.map(MemoryDump::materials).transpose()?.unwrap_or_default();
        let bone_index = |bone: usize| bones.iter().position(|joint| joint.id as usize == bone);
        let mut meshes = Vec::new();
        if let Some(player) = player {
            for strips in STRIPS.iter().filter(|strips| !(strips.is_replaced && weapon.is_some())) {
                player.strips(strips, &bone_index, &mut meshes, &mut warnings)?;
            }
        }
        if let Some(weapon) = weapon {
            let at = 0;
            let strips = Strips { at, bones: &WEAPON_BONES, alternative: None, is_replaced: false };
            weapon.strips(&strips, &bone_index, &mut meshes, &mut warnings)?;
        }
        if !meshes.iter().any(|mesh| !mesh.faces.is_empty()) {
            return Err(self.meshes.stored.error(0, Mml2Problem::NoMeshes));
        }
        // A player's clips come first, then its weapon's.
        let mut animation = AnimationData::default();
        for dump in [player, weapon].into_iter().flatten() {
            animation.append(dump.animation(&mut warnings));
        }
        let mut fields = self.fields()?;
        fields.extend(animation.fields());
        let materials = if player.is_some() { materials } else { weapon_materials() };
        Ok(ParsedModel {
            offset: self.meshes.stored.file_offset(0),
            unit: [METRES; 3],
            bones,
            levels: vec![meshes],
            materials,
            animation,
            fields,
            warnings,
        })
    }

    fn bones(&self) -> Result<Vec<Joint>, FormatError> {
        Ok(Joint::list(self.meshes.stored.array(0, PARENTS.len() as u64)?, PARENTS))
    }

    fn materials(&self) -> Result<Vec<Material>, FormatError> {
        Ok(self.meshes.stored.array(MATERIALS_AT, 4)?.iter().map(Material::of).collect())
    }

    fn strips(
        &self,
        strips: &Strips,
        bone_index: &impl Fn(usize) -> Option<usize>,
        meshes: &mut Vec<Mesh>,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        let space = space(&self.meshes);
        let count = strips.bones.len() as u64;
        let headers: &[raw::Strip] = space.view.array(strips.at, count)?;
        let offsets = (strips.at..).step_by(size_of::<raw::Strip>());
        for ((strip, bone), at) in headers.iter().zip(strips.bones).zip(offsets) {
            let [colors, reference] = strip.colors;
            let bytes = u64::from(strip.mesh.vertices).saturating_mul(4);
            let [colors_at, _] = [
                space.resolve("colours", colors.get(), bytes, at.saturating_add(0x10)),
                space.resolve("reference colours", reference.get(), bytes, at.saturating_add(0x14)),
            ]
            .map(|found| found.map_err(|error| warnings.push(error)).ok());
            let number = meshes.len();
            // Material numbers have two bits, and there are four materials, so none can be missing.
            let source = MeshSource {
                number,
                header: strip.mesh,
                at,
                colors_at,
                bone: bone_index(*bone),
                materials: 4,
            };
            let mesh = mesh::read(space, source, &mut WeldSlots::new(), warnings).unwrap_or_else(|error| {
                warnings.push(unreadable(&error, format!("submesh {number}")));
                Mesh { number, ..Mesh::default() }
            });
            meshes.push(Mesh { alternative: strips.alternative, ..mesh });
        }
        Ok(())
    }

    fn animation(&self, warnings: &mut Warnings) -> AnimationData {
        let Some(poses) = &self.poses else { return AnimationData::default() };
        let poses = space(poses);
        let table = match clips::read_table(poses, 0) {
            Ok(table) => table,
            Err(error) => {
                warnings.push(error);
                return AnimationData::default();
            }
        };
        let mut boundaries: Vec<u64> =
            table.iter().filter_map(|pointer| u64::from(*pointer).checked_sub(poses.base)).collect();
        boundaries.sort_unstable();
        let clips = self.clips.as_ref().map(|clips| (space(clips), 0));
        let bones = PARENTS.len() as u64;
        let source = KeySetSource { space: poses, table: &table, at: 0, boundaries: &boundaries, bones };
        clips::read(source, clips, warnings).unwrap_or_else(|error| {
            warnings.push(error);
            AnimationData::default()
        })
    }

    /// Keeps values that pspge does not use, to show them to the user.
    fn fields(&self) -> Result<Vec<Field>, FormatError> {
        if self.is_weapon {
            return Ok(Vec::new());
        }
        let view = self.meshes.stored;
        let field = |name: &str, at: u64, bytes: &[u8]| Field {
            name: name.to_owned(),
            offset: view.file_offset(at),
            value: format!("{bytes:02x?}"),
        };
        // The gaps after the bones and after the materials.
        Ok(vec![
            field("behind the bones", 0x5A, view.slice(0x5A, 6)?),
            field("behind the materials", 0x70, view.slice(0x70, 16)?),
        ])
    }
}

/// Returns bones for a weapon without a player.
fn arm() -> Vec<Joint> {
    let ids = [2, 3, 4];
    let parents = [None, Some(0), Some(1)];
    let joints = ids.into_iter().zip(parents).zip(WEAPON_ARM);
    joints.map(|((id, parent), offset)| Joint { id, parent, offset }).collect()
}

/// Returns the materials that every player has, because weapon files have none.
fn weapon_materials() -> Vec<Material> {
    [(5, 0x3C00), (5, 0x3C04), (6, 0x3C08), (6, 0x3C0C)].map(|(page, clut)| Material { page, clut }).into()
}
