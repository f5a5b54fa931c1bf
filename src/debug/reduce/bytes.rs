//! Sets bytes in memory to 0 if they do not matter: in vertices, textures, palettes and in VRAM at the start.

use std::sync::Arc;

use super::trials::Trials;
use crate::debug::memory::vram_set::VramSet;
use crate::debug::reduce::ddmin;
use crate::debug::session::{Session, SessionOptions};
use crate::debug::timeline::EventNumber;
use crate::debug::trim::Part;
use crate::debug::trim::collector::AccessDetail;
use crate::debug::trim::excerpt::{Excerpt, ItemStep};
use crate::ge::address::{Address, VRAM_SIZE};
use crate::ge::capture::Action;
use crate::ge::memory::Memory;

/// How many bytes to clear together. Pieces become ever smaller, to save trials.
const PIECES: [u32; 3] = [1024, 64, 8];

/// Replaces an excerpt's memory by a copy without the bytes that its steps neither read nor may write, if this
/// passes the check. This makes trials faster.
pub(super) fn drop_unused(excerpt: &mut Excerpt, trials: &mut Trials<'_>) {
    let Some(used) = UsedBytes::of(excerpt, trials) else { return };
    let mut memory = Memory::default();
    memory.set_translation(excerpt.memory.translation());
    for (start, length) in &used.ram {
        let mut bytes = vec![0; *length as usize];
        excerpt.memory.read(*start, &mut bytes);
        memory.write(*start, &bytes);
    }
    memory.vram_mut().copy_from_slice(excerpt.memory.vram());
    used.vram.clear_others(memory.vram_mut());
    let candidate = Excerpt { memory: Arc::new(memory), ..excerpt.clone() };
    trials.try_replace(excerpt, candidate);
}

/// Clears all bytes on which no kept pixel depends.
pub(super) fn clear(excerpt: &mut Excerpt, trials: &mut Trials<'_>) {
    for piece in PIECES {
        let Some(used) = UsedBytes::of(excerpt, trials) else { return };
        let pieces = used.pieces(&excerpt.memory, piece);
        let with_cleared = |kept: &[Address]| {
            let mut memory = Trials::memory_of(excerpt);
            let mut left = kept.iter().peekable();
            for address in &pieces {
                if left.next_if_eq(&address).is_none() {
                    memory.fill(*address, 0, piece);
                }
            }
            memory
        };
        let kept =
            ddmin::minimize(pieces.clone(), &mut |kept| trials.holds_with(excerpt, with_cleared(kept)));
        let memory = with_cleared(&kept);
        excerpt.memory = Arc::new(memory);
    }
}

/// Counts the bytes other than 0 among those that an excerpt's steps read or may write.
pub(super) fn count(excerpt: &Excerpt, trials: &Trials<'_>) -> u64 {
    let Some(used) = UsedBytes::of(excerpt, trials) else { return 0 };
    let is_set = |byte: &&u8| **byte != 0;
    let in_range = |(start, length): &(Address, u32)| {
        let mut bytes = vec![0; *length as usize];
        excerpt.memory.read(*start, &mut bytes);
        bytes.iter().filter(is_set).count()
    };
    let in_ram: usize = used.ram.iter().map(in_range).sum();
    used.vram.count_nonzero(excerpt.memory.vram()).saturating_add(in_ram as u64)
}

/// The bytes that an excerpt's steps read or may write.
struct UsedBytes {
    /// The first byte and the length of each range outside VRAM, by rising address and without overlap.
    ram: Vec<(Address, u32)>,
    vram: VramSet,
}

impl UsedBytes {
    /// Runs an excerpt once. Returns `None` if it has no events, or no room for its list.
    fn of(excerpt: &Excerpt, trials: &Trials<'_>) -> Option<Self> {
        let capture = excerpt.to_capture()?;
        let options = SessionOptions { raster: trials.raster, limits: trials.limits, checkpoint_bytes: 0 };
        let mut session = Session::open(capture, options);
        let last = EventNumber(session.end().0.checked_sub(1)?);
        let part = Part::collect(&mut session, EventNumber(0)..=last, AccessDetail::Together).ok()?;
        let mut vram = VramSet::default();
        for access in part.collected.accesses.values() {
            vram.extend(&access.reads);
            vram.extend(&access.writes);
        }
        let mut ram = part.collected.ram_reads;
        for item in &excerpt.items {
            if let ItemStep::Action(Action::Copy { from, length, .. }) = item.step {
                ram.insert((from, length));
            }
        }
        Some(Self { ram: joined(ram.into_iter().collect()), vram })
    }

    /// Lists aligned pieces in which a used byte is not 0, by rising address.
    fn pieces(&self, memory: &Memory, size: u32) -> Vec<Address> {
        let mut pieces = Vec::new();
        let mut add = |start: Address, length: u32| {
            let end = u64::from(start.get()).saturating_add(length.into());
            let mut at = start.align_down(size);
            while u64::from(at.get()) < end {
                let mut bytes = vec![0; size as usize];
                memory.read(at, &mut bytes);
                if bytes.iter().any(|byte| *byte != 0) && pieces.last() != Some(&at) {
                    pieces.push(at);
                }
                at = at.offset(size);
            }
        };
        // VRAM comes before main RAM, because its addresses are lower.
        for offset in (0..VRAM_SIZE).step_by(size as usize) {
            if self.vram.contains_any(offset, size) {
                add(Address::vram(offset), size);
            }
        }
        for (start, length) in &self.ram {
            add(*start, *length);
        }
        pieces
    }
}

/// Joins overlapping or touching ranges. They rise by their start.
fn joined(ranges: Vec<(Address, u32)>) -> Vec<(Address, u32)> {
    let mut joined: Vec<(Address, u32)> = Vec::new();
    for (start, length) in ranges {
        match joined.last_mut() {
            Some((first, known)) if start.get() <= first.get().saturating_add(*known) => {
                let end = start.get().saturating_add(length);
                *known = (*known).max(end.saturating_sub(first.get()));
            }
            _ => joined.push((start, length)),
        }
    }
    joined
}
