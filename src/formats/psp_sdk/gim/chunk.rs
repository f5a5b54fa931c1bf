//! Walks the tree of chunks in a GIM file.
//! Source: [GIM chunks](crate::reference::formats::psp_sdk#gim-chunks).
//!
//! # Invariants
//! Chunks lie inside their parent. A wrong size or offset is noted, and ends the list only if the next chunk cannot
//! be found.

use super::problem::GimProblem;
use super::raw::{BLOCK, FILE, Numbers, PICTURE};
use crate::formats::core::error::Warnings;

/// Bytes in a chunk's head.
const HEAD: u64 = 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub(super) kind: u16,
    pub(super) data: Numbers<'a>,
    pub(super) children: Numbers<'a>,
}

/// Lists the chunks in `list`, in order. With `is_whole`, the first chunk extends to the list's end, whatever its
/// size says.
pub(super) fn list<'a>(list: Numbers<'a>, is_whole: bool, warnings: &mut Warnings) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while list.view.len().saturating_sub(at) >= HEAD {
        let Some(chunk) = chunk(list, at, is_whole && at == 0, warnings) else { break };
        at = chunk.1;
        chunks.push(chunk.0);
    }
    // Archives pad files with zeros, which read as a chunk without a type, so only other bytes deserve a warning.
    let rest = list.view.slice(at, list.view.len().saturating_sub(at)).unwrap_or_default();
    if rest.iter().any(|byte| *byte != 0) {
        warnings.push(list.view.error(at, GimProblem::Stray(rest.len())));
    }
    chunks
}

/// Reads the chunk at `at`; also returns where the next chunk starts. `None` if there is no chunk here.
fn chunk<'a>(
    list: Numbers<'a>,
    at: u64,
    is_whole: bool,
    warnings: &mut Warnings,
) -> Option<(Chunk<'a>, u64)> {
    let field = |offset: u64| list.u32(at.saturating_add(offset)).ok().map(u64::from);
    let kind = list.u16(at).ok()?;
    let (stated, child, data) = (field(4)?, field(8)?, field(12)?);
    let room = list.view.len().saturating_sub(at);
    if kind == 0 || (stated < HEAD && !is_whole) {
        return None;
    }
    let size = if is_whole { room } else { stated.min(room) };
    if stated > room {
        warnings.push(list.view.error(at.saturating_add(4), GimProblem::ChunkCut { stated, actual: size }));
    }
    // The data start after the head and end where the children start.
    let start = if (HEAD..=size).contains(&data) { data } else { HEAD };
    let end = match kind {
        _ if (start..=size).contains(&child) => child,
        // Chunks with children have no data of their own.
        BLOCK | FILE | PICTURE => start,
        _ => size,
    };
    if (start, end) != (data, child) && size == stated {
        warnings.push(list.view.error(at.saturating_add(8), GimProblem::ChunkOffsets));
    }
    let part = |start: u64, end: u64| list.part(at.saturating_add(start), at.saturating_add(end)).ok();
    let chunk = Chunk { kind, data: part(start, end)?, children: part(end, size)? };
    Some((chunk, at.saturating_add(size)))
}
