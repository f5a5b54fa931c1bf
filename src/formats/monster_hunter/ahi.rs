//! AHI: skeletons for Monster Hunter models.
//!
//! # Invariants
//! Bone ids are unique, every parent exists, and parents form no cycle. Bones and links against these rules are left
//! out with a note.
//! Source: [AHI skeletons](crate::reference::formats::pmo#ahi-skeletons).

use std::collections::HashMap;

use thiserror::Error;
use zerocopy::little_endian::{F32, I32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::pose::locals;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::euler::Transform;
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::formats::core::text::until_zero;
use crate::model::matrix::Affine;
use crate::model::skeleton::cut_cycles;
use crate::model::{Bone, FileNoteKind, Skeleton};

/// Root block type in Monster Hunter Freedom Unite.
const ROOT_MHFU: u32 = 0xC000_0000;
/// Root block type in Monster Hunter Portable 3rd.
const ROOT_P3RD: u32 = 0x8000_0000;
/// Type for the block with the root bones.
const ROOTS: u32 = 0;
/// Type for a bone block. Other types with the same upper bytes are bones too.
const BONE: u32 = 0x4000_0001;
/// Smallest bone block with all fields, in bytes.
const BONE_MIN: u64 = 0x54;
/// Block header size in bytes.
const HEADER: u64 = 12;
/// Limit for bones. Models refer to bones by a byte, so larger counts are invalid.
const MAX_BONES: usize = 4096;
/// Name for Freedom Unite's variant.
pub(super) const MHFU: &str = "MHFU";
/// Name for Portable 3rd's variant.
pub(super) const MHP3RD: &str = "MHP3rd";

/// A problem in an AHI file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AhiProblem {
    /// The root block is unknown.
    #[error("not an AHI file: its root block has type {0:#010x}")]
    Root(u32),
    /// A block has an unexpected type.
    #[error("the block has type {found:#010x}, not {expected:#010x}")]
    Block {
        /// The expected type.
        expected: u32,
        /// The type in the file.
        found: u32,
    },
    /// A block's size does not fit its content.
    #[error("the block has {found} bytes, not {expected}")]
    Size {
        /// The expected size in bytes.
        expected: u64,
        /// The size in the file.
        found: u64,
    },
    /// The list of root bones has no usable end, by size or by count.
    #[error("the list of root bones has {bytes} bytes and {count} entries, which are not in the file")]
    RootList {
        /// Its size in bytes.
        bytes: u32,
        /// Its count.
        count: i32,
    },
    /// The list of root bones counts more or fewer entries than its size holds.
    #[error("the list of root bones counts {count}, and its size holds {held}; the size counts")]
    RootCount {
        /// The count in the file.
        count: i32,
        /// How many entries fit into the size.
        held: u64,
    },
    /// The bone count differs from the header's.
    #[error("the header counts {stated} bones, the file has {found}")]
    Count {
        /// Bone count in the header.
        stated: i64,
        /// How many bone blocks were found.
        found: usize,
    },
    /// Bones have an unusual type.
    #[error("{bones} bones have type {kind:#010x}, whose meaning is unknown; this one links to bone {link}")]
    OtherType {
        /// How many bones have this type.
        bones: usize,
        /// The type.
        kind: u32,
        /// The link in the first such bone, -1 for none.
        link: i32,
    },
    /// A bone id is negative or repeated.
    #[error("bone id {0} is negative or a duplicate: the bone is left out")]
    Id(i32),
    /// A parent, child, sibling or root does not exist.
    #[error("bone {0} does not exist")]
    NoBone(i32),
    /// Bone parents form a cycle.
    #[error("the parents of the bones form a cycle: bone {0} becomes a root")]
    Circle(u32),
    /// Links to children, siblings or roots disagree with the parents.
    #[error("the list of children or roots does not agree with the parents")]
    Links,
    /// A scale, rotation or translation is infinite or NaN.
    #[error("a scale, rotation or translation of bone {0} is not a finite number and is ignored")]
    NotFinite(u32),
}

impl FormatProblem for AhiProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new(
            "Root",
            "the block at the start is of neither game, so that the size of bones is not known",
        ),
        Refusal::new(
            "RootList",
            "neither size nor count of the list of roots fits into the file, so that no bone can be found",
        ),
        Refusal::new(
            "Block",
            "the second block is no list of roots, and the file has no other mark of the format",
        ),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::OtherType { .. } => FileNoteKind::UnknownField,
            Self::Block { .. } | Self::Id(_) | Self::NotFinite(_) => FileNoteKind::LeftOut,
            Self::Count { .. } => FileNoteKind::Incomplete,
            _ => FileNoteKind::Mismatch,
        }
    }
}

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
    link: I32,
    part: I32,
}

const _: () = assert!(size_of::<RawBone>() == 0x48, "a bone's fields, after the block header");

/// A bone's block, kept to link the bones after all are read.
struct BoneBlock {
    at: u64,
    kind: u32,
    raw: RawBone,
    name: Option<String>,
}

/// A checked skeleton file.
#[derive(Clone, Debug)]
pub(super) struct Ahi {
    pub(super) skeleton: Skeleton,
    /// For each bone in this skeleton, the data to animate it.
    pub(super) rest: Vec<RestBone>,
    pub(super) version: &'static str,
    pub(super) warnings: Warnings,
}

/// A bone's transform at rest, and the animation part to move it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RestBone {
    pub(super) transform: Transform,
    /// Always 0 in Portable 3rd, because it has no parts.
    pub(super) part: u32,
}

/// Recognises an AHI file by its first two blocks.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let word = |at: usize| {
        let bytes = bytes.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let (Some(root), Some(roots)) = (word(0), word(4).and(word(12))) else { return false };
    matches!(root, ROOT_MHFU | ROOT_P3RD) && roots == ROOTS
}

/// Explains why bytes are no AHI file although they begin like it: they end too early, or the second block is no
/// list of root bones.
pub(super) fn looks_like(file: View<'_>) -> Option<FormatError> {
    let kind = file.word(0).ok().filter(|kind| matches!(*kind, ROOT_MHFU | ROOT_P3RD));
    let count = file
        .word(4)
        .ok()
        .filter(|count| u64::from(*count).checked_sub(1).is_some_and(|bones| bones <= MAX_BONES as u64));
    kind.and(count)?;
    match file.read::<BlockHeader>(HEADER) {
        Ok(list) => {
            let found = list.kind.get();
            (found != ROOTS).then(|| file.error(HEADER, AhiProblem::Block { expected: ROOTS, found }))
        }
        Err(error) => Some(error),
    }
}

/// Reads a skeleton file. Damage becomes a warning as long as the list of root bones is found.
pub(super) fn read(file: View<'_>) -> Result<Ahi, FormatError> {
    let root: BlockHeader = file.read(0)?;
    let (version, bone_size) = match root.kind.get() {
        ROOT_MHFU => (MHFU, 0x10C),
        ROOT_P3RD => (MHP3RD, 0x5C),
        other => return Err(file.error(0, AhiProblem::Root(other))),
    };
    let mut warnings = Warnings::default();
    let stated_bones = i64::from(root.count.get()).saturating_sub(1);
    let stated_size = u64::from(root.size.get());
    let (roots, mut at) = root_list(file, &mut warnings)?;
    let mut blocks: Vec<BoneBlock> = Vec::new();
    while let Ok(header) = file.read::<BlockHeader>(at) {
        let (found, stated) = (header.kind.get(), u64::from(header.size.get()));
        let is_bone = found >> 8 == BONE >> 8;
        let is_counted = i64::try_from(blocks.len()).is_ok_and(|bones| bones < stated_bones);
        // If the count is too small, go on as long as bones follow inside the size of the root.
        let is_inside = at < stated_size && is_bone && stated == bone_size;
        if blocks.len() >= MAX_BONES || !(is_counted || is_inside) {
            break;
        }
        let is_in_file = at.saturating_add(stated) <= file.len();
        if !is_bone {
            warnings.push(file.error(at, AhiProblem::Block { expected: BONE, found }));
            if stated < HEADER || !is_in_file {
                break;
            }
            at = at.saturating_add(stated);
            continue;
        }
        let Ok(raw) = file.read::<RawBone>(at.saturating_add(HEADER)) else { break };
        let size = if stated == bone_size {
            bone_size
        } else {
            warnings.push(
                file.error(at.saturating_add(8), AhiProblem::Size { expected: bone_size, found: stated }),
            );
            // Trust an odd size only if a whole bone fits into it.
            if stated >= BONE_MIN && is_in_file { stated } else { bone_size }
        };
        let name = if version == MHP3RD { bone_name(file, at) } else { None };
        blocks.push(BoneBlock { at: at.saturating_add(HEADER), kind: found, raw, name });
        at = at.saturating_add(size);
    }
    if i64::try_from(blocks.len()) != Ok(stated_bones) {
        warnings.push(file.error(4, AhiProblem::Count { stated: stated_bones, found: blocks.len() }));
    }
    if at != stated_size {
        warnings.push(file.error(8, AhiProblem::Size { expected: at, found: stated_size }));
    }
    note_types(file, &blocks, &mut warnings);
    let (skeleton, rest) = link_bones(file, &blocks, roots, version, &mut warnings);
    Ok(Ahi { skeleton, rest, version, warnings })
}

/// Finds the list of root bones: its offset, its ids, and its end. If count and size disagree, the size wins, unless
/// a bone follows only after `count` entries.
fn root_list<'a>(file: View<'a>, warnings: &mut Warnings) -> Result<((u64, &'a [I32]), u64), FormatError> {
    let header: BlockHeader = file.read(HEADER)?;
    let found = header.kind.get();
    if found != ROOTS {
        warnings.push(file.error(HEADER, AhiProblem::Block { expected: ROOTS, found }));
    }
    let start = HEADER.saturating_mul(2);
    let (bytes, count) = (header.size.get(), header.count.get());
    // To be right, this size has to hold a whole number of entries.
    let by_size = u64::from(bytes).checked_sub(HEADER).filter(|bytes| bytes % 4 == 0).map(|bytes| bytes / 4);
    let by_count = u64::try_from(count).ok();
    let end = |entries: u64| start.saturating_add(entries.saturating_mul(4));
    let is_in_file = |entries: &u64| end(*entries) <= file.len();
    let is_before_bone = |entries: &u64| file.word(end(*entries)).is_ok_and(|kind| kind >> 8 == BONE >> 8);
    let (by_size, by_count) = (by_size.filter(is_in_file), by_count.filter(is_in_file));
    let entries = by_size
        .filter(is_before_bone)
        .or_else(|| by_count.filter(is_before_bone))
        .or(by_size)
        .or(by_count)
        .ok_or_else(|| file.error(HEADER.saturating_add(4), AhiProblem::RootList { bytes, count }))?;
    if by_size != Some(entries) {
        let expected = HEADER.saturating_add(entries.saturating_mul(4));
        warnings
            .push(file.error(HEADER.saturating_add(8), AhiProblem::Size { expected, found: bytes.into() }));
    } else if u64::try_from(count) != Ok(entries) {
        warnings.push(file.error(HEADER.saturating_add(4), AhiProblem::RootCount { count, held: entries }));
    }
    Ok(((start, file.array(start, entries)?), end(entries)))
}

/// Notes each unusual bone type once, with the first bone's link.
fn note_types(file: View<'_>, blocks: &[BoneBlock], warnings: &mut Warnings) {
    let mut kinds: Vec<u32> = blocks.iter().map(|block| block.kind).filter(|kind| *kind != BONE).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let mut of_kind = blocks.iter().filter(|block| block.kind == kind);
        let Some(first) = of_kind.next() else { continue };
        let (link, bones) = (first.raw.link.get(), of_kind.count().saturating_add(1));
        let problem = AhiProblem::OtherType { bones, kind, link };
        warnings.push(file.error(first.at.saturating_sub(HEADER), problem));
    }
}

/// Reads a bone's name from its block; `None` if it is empty or unprintable.
fn bone_name(file: View<'_>, at: u64) -> Option<String> {
    let bytes = file.slice(at.saturating_add(0x54), 8).ok()?;
    let text = until_zero(bytes);
    let printable = !text.is_empty() && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    printable.then(|| String::from_utf8_lossy(text).into_owned())
}

/// Builds the skeleton. Parents decide; other links are only compared with them.
fn link_bones(
    file: View<'_>,
    blocks: &[BoneBlock],
    (roots_at, roots): (u64, &[I32]),
    version: &str,
    warnings: &mut Warnings,
) -> (Skeleton, Vec<RestBone>) {
    let mut kept: Vec<&BoneBlock> = Vec::new();
    let mut by_id: HashMap<i32, usize> = HashMap::new();
    for block in blocks {
        let id = block.raw.id.get();
        if id < 0 || by_id.contains_key(&id) {
            warnings.push(file.error(block.at, AhiProblem::Id(id)));
        } else {
            by_id.insert(id, kept.len());
            kept.push(block);
        }
    }
    let parent_of = |id: i32| by_id.get(&id).and_then(|&index| kept.get(index)).map(|block| block.raw.parent);
    let (mut parents, mut rest) = (Vec::new(), Vec::new());
    for block in &kept {
        let raw = &block.raw;
        for (field, id, expected) in [(8, raw.child.get(), raw.id), (12, raw.sibling.get(), raw.parent)] {
            let field = block.at.saturating_add(field);
            match parent_of(id) {
                _ if id == -1 => {}
                None => warnings.push(file.error(field, AhiProblem::NoBone(id))),
                Some(parent) if parent != expected => warnings.push(file.error(field, AhiProblem::Links)),
                Some(_) => {}
            }
        }
        let parent = raw.parent.get();
        parents.push(by_id.get(&parent).copied());
        if parent != -1 && !by_id.contains_key(&parent) {
            warnings.push(file.error(block.at.saturating_add(4), AhiProblem::NoBone(parent)));
        }
        let part = if version == MHFU { u32::try_from(raw.part.get()).unwrap_or(0) } else { 0 };
        rest.push(RestBone { transform: transform(file, block, warnings), part });
    }
    for (at, root) in (roots_at..).step_by(4).zip(roots) {
        match parent_of(root.get()) {
            None => warnings.push(file.error(at, AhiProblem::NoBone(root.get()))),
            Some(parent) if parent.get() != -1 => warnings.push(file.error(at, AhiProblem::Links)),
            Some(_) => {}
        }
    }
    for (index, is_cut) in cut_cycles(&mut parents) {
        if let Some(block) = kept.get(index).filter(|_| is_cut) {
            let problem = AhiProblem::Circle(block.raw.id.get().unsigned_abs());
            warnings.push(file.error(block.at.saturating_add(4), problem));
        }
    }
    let own: Vec<Transform> = rest.iter().map(|bone| bone.transform).collect();
    let bone = |((block, &parent), local): ((&&BoneBlock, &Option<usize>), Affine)| Bone {
        id: block.raw.id.get().unsigned_abs(),
        name: block.name.clone(),
        parent,
        local,
    };
    let bones = kept.iter().zip(&parents).zip(locals(&parents, &own)).map(bone).collect();
    // Cannot fail, because cycles are broken and parents exist.
    (Skeleton::new(bones).unwrap_or_default(), rest)
}

/// Reads a bone's transform, and replaces infinite and NaN values by neutral ones.
fn transform(file: View<'_>, block: &BoneBlock, warnings: &mut Warnings) -> Transform {
    let mut is_finite = true;
    let mut xyz = |[x, y, z, _]: [F32; 4], default: f32| {
        [x, y, z].map(|value| {
            let value = value.get();
            is_finite &= value.is_finite();
            if value.is_finite() { value } else { default }
        })
    };
    let raw = &block.raw;
    let (translation, rotation, scale) =
        (xyz(raw.translation, 0.0), xyz(raw.rotation, 0.0), xyz(raw.scale, 1.0));
    if !is_finite {
        let problem = AhiProblem::NotFinite(raw.id.get().unsigned_abs());
        warnings.push(file.error(block.at.saturating_add(16), problem));
    }
    Transform { translation, rotation, scale }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
