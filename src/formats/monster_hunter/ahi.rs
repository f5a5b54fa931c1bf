//! AHI: the skeletons of Monster Hunter models.
//!
//! # Invariants
//! Bone ids are unique, every parent exists, and parents form no cycle.
//! Source: [AHI skeletons](crate::reference::formats::pmo#ahi-skeletons).

use std::collections::HashMap;

use thiserror::Error;
use zerocopy::little_endian::{F32, I32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::FormatProblem;
use crate::model::matrix::translation;
use crate::model::{Bone, Skeleton};

/// Type of the root block in Monster Hunter Freedom Unite.
const ROOT_MHFU: u32 = 0xC000_0000;
/// Type of the root block in Monster Hunter Portable 3rd.
const ROOT_P3RD: u32 = 0x8000_0000;
/// Type of the block with the list of root bones.
const ROOTS: u32 = 0;
/// Type of a bone block.
const BONE: u32 = 0x4000_0001;
/// Size in bytes of a block header.
const HEADER: u64 = 12;
/// Limit of the number of bones. Models refer to bones by one byte, so larger counts are invalid.
const MAX_BONES: u64 = 4096;

/// A problem of an AHI file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AhiProblem {
    /// An unknown root block.
    #[error("not an AHI file: its root block has type {0:#010x}")]
    Root(u32),
    /// A block of an unexpected type.
    #[error("the block has type {found:#010x}, not {expected:#010x}")]
    Block {
        /// The expected type.
        expected: u32,
        /// The type in the file.
        found: u32,
    },
    /// A block whose size does not fit its content.
    #[error("the block has {found} bytes, not {expected}")]
    Size {
        /// The expected size in bytes.
        expected: u64,
        /// The size in the file.
        found: u64,
    },
    /// An invalid count.
    #[error("{0} is not a valid number of bones or roots")]
    Count(i32),
    /// A negative or repeated bone id.
    #[error("bone id {0} is negative or a duplicate")]
    Id(i32),
    /// A parent, a child, a sibling or a root that does not exist.
    #[error("bone {0} does not exist")]
    NoBone(i32),
    /// Bone parents that form a cycle.
    #[error("the parents of the bones form a cycle")]
    Circle,
    /// Links to children, siblings or roots that disagree with the parents.
    #[error("the list of children or roots does not agree with the parents")]
    Links,
}

impl FormatProblem for AhiProblem {}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct BlockHeader {
    kind: U32,
    count: I32,
    size: U32,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawBone {
    id: I32,
    parent: I32,
    child: I32,
    sibling: I32,
    scale: [F32; 4],
    rotation: [F32; 4],
    translation: [F32; 4],
}

/// A parsed skeleton file.
#[derive(Clone, Debug)]
pub(super) struct Ahi {
    pub(super) skeleton: Skeleton,
    pub(super) version: &'static str,
    pub(super) warnings: Warnings,
}

/// Returns true if the bytes start like an AHI file.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let word = |at: usize| {
        let bytes = bytes.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let (Some(root), Some(roots)) = (word(0), word(4).and(word(12))) else { return false };
    matches!(root, ROOT_MHFU | ROOT_P3RD) && roots == ROOTS
}

/// Explains why bytes that begin like an AHI file are none: they end too early, or their second block is no list of
/// root bones.
pub(super) fn looks_like(file: View<'_>) -> Option<FormatError> {
    let kind = file.word(0).ok().filter(|kind| matches!(*kind, ROOT_MHFU | ROOT_P3RD));
    let count =
        file.word(4).ok().filter(|count| (1..=MAX_BONES.saturating_add(1)).contains(&u64::from(*count)));
    kind.and(count)?;
    read(file).err()
}

/// Reads a skeleton file.
pub(super) fn read(file: View<'_>) -> Result<Ahi, FormatError> {
    let root: BlockHeader = file.read(0)?;
    let (version, bone_size) = match root.kind.get() {
        ROOT_MHFU => ("MHFU", 0x10C),
        ROOT_P3RD => ("MHP3rd", 0x5C),
        other => return Err(file.error(0, AhiProblem::Root(other))),
    };
    let file = file.view(0, u64::from(root.size.get()))?;
    let count = u64::try_from(root.count.get())
        .ok()
        .and_then(|count| count.checked_sub(1))
        .filter(|&count| count <= MAX_BONES)
        .ok_or_else(|| file.error(4, AhiProblem::Count(root.count.get())))?;

    let roots = block(file, HEADER, ROOTS)?;
    let root_count = u64::try_from(roots.count.get())
        .ok()
        .filter(|&roots| roots <= count)
        .ok_or_else(|| file.error(HEADER.saturating_add(4), AhiProblem::Count(roots.count.get())))?;
    check_size(file, HEADER, roots, HEADER.saturating_add(root_count.saturating_mul(4)))?;
    let roots_at = HEADER.saturating_mul(2);
    let roots: &[I32] = file.array(roots_at, root_count)?;

    let mut at = roots_at.saturating_add(root_count.saturating_mul(4));
    let mut raw = Vec::new();
    for _ in 0..count {
        let header = block(file, at, BONE)?;
        check_size(file, at, header, bone_size)?;
        let payload = file.view(at, bone_size)?;
        let name = if version == "MHP3rd" { bone_name(payload)? } else { None };
        raw.push((at.saturating_add(HEADER), payload.read::<RawBone>(HEADER)?, name));
        at = at.saturating_add(bone_size);
    }
    let mut warnings = Warnings::default();
    let skeleton = link_bones(file, &raw, roots_at, roots, &mut warnings)?;
    Ok(Ahi { skeleton, version, warnings })
}

fn block(file: View<'_>, at: u64, expected: u32) -> Result<BlockHeader, FormatError> {
    let header: BlockHeader = file.read(at)?;
    let found = header.kind.get();
    if found == expected { Ok(header) } else { Err(file.error(at, AhiProblem::Block { expected, found })) }
}

fn check_size(file: View<'_>, at: u64, header: BlockHeader, expected: u64) -> Result<(), FormatError> {
    let found = u64::from(header.size.get());
    if found == expected {
        Ok(())
    } else {
        Err(file.error(at.saturating_add(8), AhiProblem::Size { expected, found }))
    }
}

/// Returns the name in a bone's block, or `None` for empty or unprintable names.
fn bone_name(payload: View<'_>) -> Result<Option<String>, FormatError> {
    let bytes = payload.slice(0x54, 8)?;
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    let printable = !text.is_empty() && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    Ok(printable.then(|| String::from_utf8_lossy(text).into_owned()))
}

fn link_bones(
    file: View<'_>,
    raw: &[(u64, RawBone, Option<String>)],
    roots_at: u64,
    roots: &[I32],
    warnings: &mut Warnings,
) -> Result<Skeleton, FormatError> {
    let mut by_id: HashMap<i32, usize> = HashMap::new();
    for (index, (at, bone, _)) in raw.iter().enumerate() {
        let id = bone.id.get();
        if id < 0 || by_id.insert(id, index).is_some() {
            return Err(file.error(*at, AhiProblem::Id(id)));
        }
    }
    let parent_of =
        |id: i32| by_id.get(&id).and_then(|&index| raw.get(index)).map(|(_, bone, _)| bone.parent);
    let mut bones = Vec::new();
    for (at, bone, name) in raw {
        let parent = match bone.parent.get() {
            -1 => None,
            id => {
                let index = by_id.get(&id).copied();
                Some(index.ok_or_else(|| file.error(at.saturating_add(4), AhiProblem::NoBone(id)))?)
            }
        };
        for (field, id, expected) in [(8, bone.child.get(), bone.id), (12, bone.sibling.get(), bone.parent)] {
            let field = at.saturating_add(field);
            match parent_of(id) {
                _ if id == -1 => {}
                None => warnings.push(file.error(field, AhiProblem::NoBone(id))),
                Some(parent) if parent != expected => warnings.push(file.error(field, AhiProblem::Links)),
                Some(_) => {}
            }
        }
        let xyz = |[x, y, z, _]: [F32; 4]| [x.get(), y.get(), z.get()];
        bones.push(Bone {
            id: bone.id.get().unsigned_abs(),
            name: name.clone(),
            parent,
            // Scale and rotation are not applied: importers ignore them; whether games use them is unknown.
            local: translation(xyz(bone.translation)),
        });
    }
    for (at, root) in (roots_at..).step_by(4).zip(roots) {
        match parent_of(root.get()) {
            None => return Err(file.error(at, AhiProblem::NoBone(root.get()))),
            Some(parent) if parent.get() != -1 => warnings.push(file.error(at, AhiProblem::Links)),
            Some(_) => {}
        }
    }
    Skeleton::new(bones).ok_or_else(|| file.error_of_whole(AhiProblem::Circle))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
