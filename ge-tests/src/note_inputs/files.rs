//! Builds models with notes: samples, as they are or with some words replaced.

use pspge::export::ExportNoteKind;
use pspge::model::FileNoteKind as Kind;

use super::{NoteInput, NoteSource};
use crate::sample;

/// Returns an input for each kind of note on models.
pub(super) fn inputs() -> Vec<NoteInput> {
    let sample = |kind: Kind, name| NoteInput::new(NoteSource::File, kind.code(), name, sample::read(name));
    let lampwing = |kind, bytes, textures: Option<Vec<u8>>| {
        let companions = textures.map(|bytes| ("lampwing.tmh", bytes)).into_iter().collect();
        NoteInput { bytes, companions, ..sample(kind, "lampwing.pmo") }
    };
    let (model, textures) = (sample::read("lampwing.pmo"), sample::read("lampwing.tmh"));
    let whole = Some(textures.clone());
    let mut one_texture = textures;
    put(&mut one_texture, 8, 1);
    let mut other_size = model.clone();
    put(&mut other_size, 8, 7);
    vec![
        sample(Kind::OtherMembers, "robot.bin"),
        sample(Kind::HiddenParts, "reedling.pmo"),
        sample(Kind::UnknownField, "rover-colors.msh"),
        sample(Kind::Unusual, "reedling.arc"),
        lampwing(Kind::TexturesMissing, model.clone(), None),
        lampwing(Kind::TextureMissing, model.clone(), Some(one_texture)),
        sample(Kind::MaterialMissing, "rover.rlb"),
        lampwing(Kind::Incomplete, without_cumulative_counts(&model), whole.clone()),
        lampwing(Kind::Mismatch, other_size, whole),
        sample(Kind::NotExpressed, "reedling.pmp"),
        sample(Kind::Guessed, "rover-24.msh"),
        lampwing(Kind::UnusedCompanion, model.clone(), Some(b"not a texture file".to_vec())),
        lampwing(Kind::MoreNotes, model, Some(odd_textures(70))),
        // Its textures scroll, and no model file can express this.
        NoteInput::new(
            NoteSource::Export,
            ExportNoteKind::LeftOut.code(),
            "reedling.pmp",
            sample::read("reedling.pmp"),
        ),
    ]
}

/// Replaces a word.
fn put(file: &mut [u8], at: usize, value: u32) {
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Clears the cumulative counts in a Monster Hunter model's mesh headers, as some tools leave them.
///
/// # Panics
/// If the bytes are no model.
#[must_use]
pub fn without_cumulative_counts(model: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(model[at..at + 4].try_into().expect("four bytes")) as usize;
    let (headers, stride) = (word(0x20), if model[4..].starts_with(b"102") { 0x30 } else { 0x18 });
    let mut zeroed = model.to_vec();
    for mesh in 0..word(0x1C) & 0xFFFF {
        let counts = headers + mesh * stride + stride - 8;
        zeroed[counts + 2..counts + 4].fill(0);
        zeroed[counts + 6..counts + 8].fill(0);
    }
    zeroed
}

/// Builds a texture file with images whose sides are not powers of two.
fn odd_textures(count: u32) -> Vec<u8> {
    let mut file = b".TMH0.14".to_vec();
    let mut words = |words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    words(&[count, 0]);
    for _ in 0..count {
        // 12 by 12 texels with 32 bits, in rows of 12 and a multiple of 8 rows.
        let texels = 12 * 16 * 4;
        words(&[texels + 32, 0, 0, 0, texels + 16, 1, 3, 12 << 16 | 12]);
        words(&vec![0xFF00_80FF; texels as usize / 4]);
    }
    file
}
