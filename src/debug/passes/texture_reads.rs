//! Finds who wrote the texels sampled by a draw.

use std::collections::HashMap;

use super::footprint::DrawFootprint;
use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::memory::texel_bytes::{all_texels, for_each_range};
use crate::debug::memory::written_bytes::{WriterSum, WriterSummary};
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::texture::{self, Texture, content_hash};
use crate::raster::pixel_rect::PixelRect;
use crate::raster::sampled_texels::{self, TexelBox};

/// If a draw has at most this many primitive rows, its texels are found exactly. More would take too long.
const MAX_SAMPLED_ROWS: u64 = 1 << 15;
/// How many texel boxes to keep apart at most.
const MAX_BOXES: usize = 64;
/// For how many textures the writers are kept.
const MAX_KNOWN: usize = 1 << 12;

/// Finds textures' writers, and remembers them for whole textures.
#[derive(Debug, Default)]
pub(super) struct TextureReads {
    known: HashMap<TextureKey, (u64, WriterSummary)>,
}

/// A texture's place in memory: address, bytes of a row, size, format, and whether it is swizzled.
type TextureKey = (Address, u32, [u8; 2], u8, bool);

/// Returns the texture levels this draw may sample; none without texture.
pub(super) fn sampled_levels(registers: &Registers) -> Vec<Texture> {
    if !texture::is_used(registers) {
        return Vec::new();
    }
    let count = if sampled_texels::uses_levels(registers) { usize::MAX } else { 1 };
    content_hash::levels(registers).take(count).collect()
}

impl TextureReads {
    /// Returns whether a draw's primitives are needed to find its texels. `is_upload` tells which events only bring
    /// bytes from outside.
    pub(super) fn needs_primitives(
        &mut self,
        writers: &ByteWriters,
        memory: &Memory,
        registers: &Registers,
        is_upload: impl Fn(EventNumber) -> bool,
    ) -> bool {
        match sampled_levels(registers).as_slice() {
            [only] => is_mixed(&self.whole(writers, memory, only), is_upload),
            _ => false,
        }
    }

    /// Finds who wrote a draw's texels.
    pub(super) fn find(
        &mut self,
        writers: &ByteWriters,
        memory: &Memory,
        registers: &Registers,
        levels: &[Texture],
        footprint: &DrawFootprint,
    ) -> WriterSummary {
        if let [only] = levels {
            return match sampled_boxes(memory, registers, footprint) {
                Some(boxes) => texels(writers, memory, only, &boxes),
                None => self.whole(writers, memory, only),
            };
        }
        let mut sum = WriterSum::default();
        for level in levels {
            let WriterSummary { writers, unwritten } = self.whole(writers, memory, level);
            writers.iter().for_each(|part| sum.add(Some(part.writer), part.bytes));
            sum.add(None, unwritten);
        }
        sum.finish()
    }

    /// Finds who wrote the texels in a level.
    fn whole(&mut self, writers: &ByteWriters, memory: &Memory, level: &Texture) -> WriterSummary {
        let size_log2 = [level.width_log2, level.height_log2];
        let key = (level.address, level.row_bytes, size_log2, level.format.number(), level.swizzled);
        let stamp = writers.stamp(level.address, level.bytes());
        match self.known.get(&key) {
            Some((known, found)) if *known == stamp => return found.clone(),
            _ => {}
        }
        let found = texels(writers, memory, level, &[all_texels(level)]);
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, (stamp, found.clone()));
        found
    }
}

/// Returns whether a part of the texture may have other writers than the whole, and not all are uploads.
fn is_mixed(found: &WriterSummary, is_upload: impl Fn(EventNumber) -> bool) -> bool {
    let count = found.writers.len().saturating_add(usize::from(found.unwritten > 0));
    count > 1 && !found.writers.iter().all(|part| is_upload(part.writer))
}

/// Finds who wrote the texels in these boxes. Texels in several boxes count several times.
fn texels(writers: &ByteWriters, memory: &Memory, level: &Texture, boxes: &[TexelBox]) -> WriterSummary {
    let mut sum = WriterSum::default();
    for texels in boxes {
        for_each_range(level, texels, |start, length| {
            sum.add_range(writers, start, length, memory.translation());
        });
    }
    sum.finish()
}

/// Returns boxes around the texels that a draw samples; `None` if its primitives were not kept, or are too large.
fn sampled_boxes(memory: &Memory, registers: &Registers, footprint: &DrawFootprint) -> Option<Vec<TexelBox>> {
    let primitives = footprint.primitives().filter(|_| footprint.rows <= MAX_SAMPLED_ROWS)?;
    let scissor = PixelRect::scissor(registers);
    let mut boxes: Vec<TexelBox> = Vec::new();
    for primitive in primitives {
        let Some(sampled) = sampled_texels::sampled_box(memory, registers, primitive, &scissor) else {
            continue;
        };
        if boxes.iter().any(|known| known.contains(&sampled)) {
            continue;
        }
        boxes.retain(|known| !sampled.contains(known));
        let is_full = boxes.len() >= MAX_BOXES;
        match boxes.last_mut() {
            Some(last) if is_full => *last = last.union(&sampled),
            _ => boxes.push(sampled),
        }
    }
    Some(boxes)
}
