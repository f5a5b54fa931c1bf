//! Walks the chunk tree in a GMO file.
//! Source: [GMO chunks](crate::reference::formats::psp_sdk#gmo-chunks).
//!
//! # Invariants
//! Chunks lie inside their parent. As in the PSP's own program, a list of children ends at the first chunk that has
//! no type, is too small, or runs past the parent. Bytes after it are noted.

use super::problem::GmoProblem;
use super::raw::block;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::decode_padded;

/// Marks a command, which has only arguments.
const IS_COMMAND: u16 = 0x8000;
/// Bytes in a block's head, and in a command's.
const HEAD: u64 = 16;
const COMMAND_HEAD: u64 = 8;

/// A block or a command.
#[derive(Clone, Debug)]
pub(super) struct Chunk<'a> {
    /// The number of a block type or a command.
    pub(super) kind: u16,
    pub(super) is_command: bool,
    /// The whole chunk.
    pub(super) view: View<'a>,
    pub(super) name: Option<String>,
    pub(super) args: View<'a>,
    /// Bulk data. For vertex arrays and curves, these reach to the chunk's end.
    pub(super) data: View<'a>,
    children: View<'a>,
    /// Whether the file's end cuts this chunk off.
    is_cut: bool,
}

impl Chunk<'_> {
    /// Lists the chunks inside this block.
    pub(super) fn children(&self, warnings: &mut Warnings) -> Vec<Self> {
        list(self.children, self.is_cut, warnings)
    }

    /// Returns argument `number` as a word.
    pub(super) fn word(&self, number: u64) -> Result<u32, FormatError> {
        self.args.word(number.saturating_mul(4))
    }

    /// Returns arguments as floats, from number `first` on.
    pub(super) fn floats<const N: usize>(&self, first: u64) -> Result<[f32; N], FormatError> {
        let mut floats = [0.0; N];
        for (float, number) in floats.iter_mut().zip(first..) {
            *float = f32::from_bits(self.word(number)?);
        }
        Ok(floats)
    }

    /// Creates an error at this chunk's start.
    pub(super) fn error(&self, problem: GmoProblem) -> FormatError {
        self.view.error(0, problem)
    }
}

/// Lists the chunks in a view. If the file's end cuts this view off, it may cut the last chunk, too.
pub(super) fn list<'a>(view: View<'a>, is_cut: bool, warnings: &mut Warnings) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while view.len().saturating_sub(at) >= COMMAND_HEAD {
        let Some((chunk, next)) = chunk(view, at, is_cut, warnings) else { break };
        at = next;
        chunks.push(chunk);
    }
    let rest = view.slice(at, view.len().saturating_sub(at)).unwrap_or_default();
    if rest.iter().any(|byte| *byte != 0) {
        warnings.push(view.error(at, GmoProblem::Stray(rest.len())));
    }
    chunks
}

/// Reads the chunk at `at`; also returns where the next chunk starts. `None` if there is no chunk here.
fn chunk<'a>(
    parent: View<'a>,
    at: u64,
    may_be_cut: bool,
    warnings: &mut Warnings,
) -> Option<(Chunk<'a>, u64)> {
    let room = parent.len().saturating_sub(at);
    let head = parent.view(at, room).ok()?;
    let [kind, args_at] = head.read::<[[u8; 2]; 2]>(0).ok()?.map(u16::from_le_bytes);
    let stated = u64::from(head.word(4).ok()?);
    let is_command = kind & IS_COMMAND != 0;
    let least = if is_command { COMMAND_HEAD } else { HEAD };
    let is_cut = stated > room;
    if kind & !IS_COMMAND == 0 || stated < least || (is_cut && !may_be_cut) {
        return None;
    }
    if is_cut || (may_be_cut && at == 0 && kind == block::FILE && stated != room) {
        warnings.push(head.error(4, GmoProblem::ChunkCut { stated, actual: room }));
    }
    // A file chunk fills the rest of the file.
    let is_file = may_be_cut && at == 0 && kind == block::FILE;
    let size = if is_file { room } else { stated.min(room) };
    let view = head.view(0, size).ok()?;
    let part = |start: u64, end: u64| view.view(start, end.saturating_sub(start)).ok();
    let next = at.saturating_add(size);
    if is_command {
        let args = part(COMMAND_HEAD, size)?;
        let empty = part(size, size)?;
        let kind = kind & !IS_COMMAND;
        return Some((
            Chunk { kind, is_command, view, name: None, args, data: empty, children: empty, is_cut },
            next,
        ));
    }
    let [child_at, data_at] = [view.word(8).ok()?, view.word(12).ok()?].map(u64::from);
    let args_at = u64::from(args_at);
    // Put offsets in order that are out of order. The arguments matter most, so they are kept first.
    let args_start = if (HEAD..=size).contains(&args_at) { args_at } else { HEAD };
    let data_start = if (args_start..=size).contains(&data_at) { data_at } else { size };
    let child_start = if (data_start..=size).contains(&child_at) { child_at } else { size };
    if [args_start, data_start, child_start] != [args_at, data_at, child_at] && !is_cut {
        warnings.push(view.error(2, GmoProblem::ChunkOffsets));
    }
    // For leaves, converters let the children start at the data, so a leaf's data reach to its end.
    let is_leaf = matches!(kind, block::ARRAYS | block::CURVE);
    let data_end = if is_leaf { size } else { child_start };
    // A name may fill its field without a final zero.
    let name = decode_padded(view.slice(HEAD, args_start.saturating_sub(HEAD)).unwrap_or_default());
    let chunk = Chunk {
        kind,
        is_command,
        view,
        name: Some(name).filter(|name| !name.is_empty()),
        args: part(args_start, data_start)?,
        data: part(data_start, data_end)?,
        children: if is_leaf { part(size, size)? } else { part(child_start, size)? },
        is_cut,
    };
    Some((chunk, next))
}
