//! Finds textures whose bytes changed after sampling although the texture cache was not flushed.

use std::fmt;

use super::rows::ByteRows;
use crate::ge::address::Address;

/// How many textures are remembered between two flushes, to bound memory and time.
const REMEMBERED: usize = 16;

/// How many block transfers are remembered between two TEXSYNC. Each textured draw looks at all of them.
const TRANSFERS: usize = 256;

/// Who changed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// The draw with this number.
    Draw(u64),
    /// A block transfer.
    Transfer,
    /// The CPU.
    Cpu,
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(number) => write!(f, "draw {number}"),
            Self::Transfer => f.write_str("a block transfer"),
            Self::Cpu => f.write_str("the CPU"),
        }
    }
}

/// The bytes written by block transfers since the last TEXSYNC: only the first [`TRANSFERS`] of them, to bound time.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningTransfers(Vec<ByteRows>);

impl RunningTransfers {
    /// Notes a transfer that writes these bytes.
    pub(super) fn begin(&mut self, rows: ByteRows) {
        if self.0.len() < TRANSFERS && !self.0.contains(&rows) {
            self.0.push(rows);
        }
    }

    /// Notes TEXSYNC, or a list's end, because a program waits for that before it builds on the result.
    pub(super) fn complete(&mut self) {
        self.0.clear();
    }

    /// Returns whether a transfer may still write some of these bytes.
    pub(super) fn reach(&self, rows: &ByteRows) -> bool {
        self.0.iter().any(|written| written.overlaps(rows))
    }
}

/// The textures sampled since the last TEXFLUSH.
#[derive(Clone, Debug, Default)]
pub(super) struct StaleTextures {
    sampled: Vec<ByteRows>,
    changed: Vec<(ByteRows, Writer)>,
    /// The last change to bytes outside all textures, and how many textures were known then.
    harmless: Option<(ByteRows, usize)>,
    /// The last sampled texture: address and layout.
    last: Option<TextureKey>,
}

/// A texture's address, row length, format number and swizzling.
pub(super) type TextureKey = (Address, u32, u8, bool);

impl StaleTextures {
    /// Notes TEXFLUSH.
    pub(super) fn flush(&mut self) {
        self.sampled.clear();
        self.changed.clear();
        self.last = None;
        self.harmless = None;
    }

    /// Notes a textured draw. If it follows another texture without a flush, this returns the other's address.
    pub(super) fn switch(&mut self, key: TextureKey) -> Option<Address> {
        self.last.replace(key).filter(|last| *last != key).map(|(address, ..)| address)
    }

    /// Notes a draw that samples these bytes. If the cache may not show their last change, this returns who made it.
    pub(super) fn sample(&mut self, rows: ByteRows) -> Option<Writer> {
        let stale =
            self.changed.iter().find(|(changed, _)| changed.overlaps(&rows)).map(|(_, writer)| *writer);
        if self.sampled.len() < REMEMBERED && !self.sampled.contains(&rows) {
            self.sampled.push(rows);
        }
        stale
    }

    /// Notes a change to these bytes.
    pub(super) fn change(&mut self, rows: ByteRows, writer: Writer) {
        // Most draws in a scene write the same buffer. Remembering the last harmless change saves the search.
        if self.harmless == Some((rows, self.sampled.len())) {
            return;
        }
        let is_sampled = self.sampled.iter().any(|sampled| sampled.overlaps(&rows));
        self.harmless = (!is_sampled).then_some((rows, self.sampled.len()));
        if is_sampled
            && self.changed.len() < REMEMBERED
            && self.changed.iter().all(|(known, _)| *known != rows)
        {
            self.changed.push((rows, writer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_count_after_sampling_and_before_a_flush() {
        let texture = ByteRows::new(Address::vram(0), 64, 64, 16).expect("some bytes");
        let row = ByteRows::new(Address::vram(640), 64, 64, 1).expect("some bytes");
        let mut stale = StaleTextures::default();
        stale.change(row, Writer::Cpu);
        assert_eq!(stale.sample(texture), None, "changed before it was first sampled");
        stale.change(row, Writer::Draw(3));
        assert_eq!(stale.sample(texture), Some(Writer::Draw(3)), "changed after it was sampled");
        stale.flush();
        assert_eq!(stale.sample(texture), None, "flushed");
    }

    #[test]
    fn another_texture_needs_a_flush() {
        let [first, second] = [0x1000, 0x2000].map(|offset| (Address::vram(offset), 64, 3, false));
        let mut stale = StaleTextures::default();
        assert_eq!(stale.switch(first), None, "the first texture");
        assert_eq!(stale.switch(first), None, "the same one");
        assert_eq!(stale.switch(second), Some(first.0), "another one");
        stale.flush();
        assert_eq!(stale.switch(first), None, "flushed");
    }
}
