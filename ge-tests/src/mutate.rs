//! Damages files at random, reproducible by seed and number: flipped bits, replaced and swapped words, removed,
//! duplicated and foreign pieces, truncation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pspge::formats::ppdmp::Dump;
use pspge::formats::{self, Request};

use crate::generate::Random;
use crate::{corpus, input, sample};

/// A file to damage.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The file's name, for messages.
    pub name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// A recorded frame's decompressed dump, to damage its content instead of its compression.
    dump: Option<Arc<Dump>>,
}

/// A damaged file.
#[derive(Clone, Debug)]
pub struct Damaged {
    /// The original file's name, with seed and number.
    pub name: String,
    /// The damaged bytes.
    pub bytes: Vec<u8>,
}

/// The largest file to damage, because larger files consist of the same pieces as smaller files.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// How long a file's header usually is, in bytes.
const HEADER_BYTES: u32 = 512;

/// Reads the bundled samples, and the whole corpus if it is available.
///
/// # Panics
/// If a file cannot be read.
#[must_use]
pub fn seeds() -> Vec<Seed> {
    let mut paths: Vec<PathBuf> = files(&sample::folder()).collect();
    for folder in ["frames", "hardware", "models"].into_iter().filter_map(corpus::folder) {
        paths.extend(files(&folder));
    }
    let open = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Seed::new(name, input::read(path))
    };
    paths.iter().map(open).collect()
}

/// Lists files in a folder and its subfolders, ordered by name, if some format may be able to read them.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    input::files_below(folder).into_iter().filter(|path| {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        !["png", "tsv", "md"].contains(&ending.as_str())
            && path.metadata().is_ok_and(|metadata| metadata.len() <= MAX_FILE_BYTES)
    })
}

impl Seed {
    /// Creates a seed; unpacks it if it is a frame dump.
    #[must_use]
    pub fn new(name: String, bytes: Vec<u8>) -> Self {
        let dump = match formats::open(&Request::new(&name, &bytes)).map(|opened| opened.content) {
            Ok(content) => content.recording(),
            Err(_) => None,
        };
        Self { name, bytes, dump }
    }
}

/// Picks a random seed, but a large seed less often, to spend most of the time on small files.
fn pick<'s>(random: &mut Random, seeds: &'s [Seed]) -> Option<&'s Seed> {
    for _ in 0..16 {
        let seed = seeds.get(random.below(length(seeds)) as usize)?;
        let unpacked = seed.dump.as_ref().map_or(0, |dump| dump.payload.len());
        let weight = 1 + (seed.bytes.len() + unpacked) / 0x4_0000;
        if random.once_in(u32::try_from(weight * weight).unwrap_or(u32::MAX)) {
            return Some(seed);
        }
    }
    seeds.first()
}

/// Creates a damaged file by its number; `None` if there are no seeds.
#[must_use]
pub fn damaged(seeds: &[Seed], seed: u64, number: u64) -> Option<Damaged> {
    let mut random = Random::new(seed.wrapping_mul(0xD1B5_4A32_D192_ED03).wrapping_add(number));
    // This skips the generator's first outputs, because they are similar for adjacent seeds.
    for _ in 0..4 {
        random.bits();
    }
    let chosen = pick(&mut random, seeds)?;
    let other = pick(&mut random, seeds)?;
    let bytes = match &chosen.dump {
        Some(dump) if !random.once_in(4) => {
            let mut dump = dump.clone();
            damage_dump(&mut random, Arc::make_mut(&mut dump), other);
            dump.to_bytes()
        }
        _ => {
            let mut bytes = chosen.bytes.clone();
            damage(&mut random, &mut bytes, &other.bytes);
            bytes
        }
    };
    Some(Damaged { name: format!("{} (seed {seed}, number {number})", chosen.name), bytes })
}

/// Damages a dump's payload and records.
fn damage_dump(random: &mut Random, dump: &mut Dump, other: &Seed) {
    let payload = other.dump.as_ref().map_or(&other.bytes, |other| &other.payload);
    if !random.once_in(3) {
        damage(random, &mut dump.payload, payload);
    }
    for _ in 0..random.below(4) {
        let count = length(&dump.records);
        let (a, b) = (random.below(count) as usize, random.below(count) as usize);
        let words = [0, 1, 4, u32::MAX, length(&dump.payload), random.bits(), random.below(0x400)];
        let word = words[random.below(7) as usize];
        let kind = random.below(5);
        if kind == 4 && b < dump.records.len() {
            dump.records.swap(a, b);
        }
        let Some(record) = dump.records.get_mut(a) else { return };
        match kind {
            0 => record.start = word,
            1 => record.length = word,
            2 => record.length = record.length.wrapping_add(random.below(64)).wrapping_sub(32),
            _ => record.start = record.start.wrapping_add(random.below(64)).wrapping_sub(32),
        }
    }
}

/// Applies one to seven random changes.
pub fn damage(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let extra = random.below(3) + random.below(3) * random.below(3);
    for _ in 0..=extra {
        damage_once(random, bytes, other);
    }
}

fn damage_once(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let end = length(bytes);
    if end == 0 {
        bytes.extend(random.bytes(16));
        return;
    }
    let at = random_offset(random, end);
    let word_at = at & !3;
    match random.below(16) {
        0..=3 => {
            let bit = 1 << random.below(8);
            bytes[at as usize] ^= bit;
        }
        4 => bytes[at as usize] = random.bits().to_le_bytes()[0],
        5..=9 => {
            let value = extreme_value(random, end, bytes, word_at);
            // This damages big-endian words, too, because some formats have them.
            let value = if random.once_in(6) { value.swap_bytes() } else { value };
            write(bytes, word_at, value);
        }
        10 | 11 => {
            let with = random_offset(random, end) & !3;
            let (a, b) = (word(bytes, word_at), word(bytes, with));
            write(bytes, word_at, b);
            write(bytes, with, a);
        }
        12 => bytes.truncate(at as usize),
        13 => {
            let from = random_offset(random, length(other));
            let count = random_length(random).min(length(other).saturating_sub(from));
            let piece = &other[from as usize..(from + count) as usize];
            let to = at as usize..(at as usize + piece.len()).min(bytes.len());
            let fits = &piece[..to.len()];
            bytes[to].copy_from_slice(fits);
        }
        14 => {
            let count = random_length(random).min(end - at) as usize;
            bytes.drain(at as usize..at as usize + count);
        }
        _ => {
            let count = random_length(random).min(end - at) as usize;
            let piece = bytes[at as usize..at as usize + count].to_vec();
            let to = random_offset(random, end) as usize;
            bytes.splice(to..to, piece);
        }
    }
}

/// Picks a random offset, half the time inside the header, because headers decide most about a file.
fn random_offset(random: &mut Random, end: u32) -> u32 {
    if random.once_in(2) { random.below(end.min(HEADER_BYTES)) } else { random.below(end) }
}

/// Picks a random length from 1 to 2048 bytes.
fn random_length(random: &mut Random) -> u32 {
    let bits = random.below(12);
    1 + random.below(1 << bits)
}

/// Picks a value that programs often handle wrongly.
fn extreme_value(random: &mut Random, end: u32, bytes: &[u8], at: u32) -> u32 {
    let old = word(bytes, at);
    match random.below(14) {
        0 => 0,
        1 => u32::MAX,
        2 => 0x7FFF_FFFF,
        3 => 0x8000_0000,
        4 => end,
        5 => end.wrapping_sub(random.below(64)),
        6 => random.below(end) & !3,
        7 => old.wrapping_add(1),
        8 => old.wrapping_sub(1),
        9 => old.wrapping_mul(2),
        10 => f32::NAN.to_bits(),
        11 => old ^ (0xFF << (8 * random.below(4))),
        12 => random.below(256),
        _ => random.bits(),
    }
}

fn word(bytes: &[u8], at: u32) -> u32 {
    let word = bytes.get(at as usize..).and_then(<[u8]>::first_chunk);
    word.map_or(0, |word| u32::from_le_bytes(*word))
}

fn write(bytes: &mut [u8], at: u32, value: u32) {
    if let Some(word) = bytes.get_mut(at as usize..).and_then(<[u8]>::first_chunk_mut) {
        *word = value.to_le_bytes();
    }
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
