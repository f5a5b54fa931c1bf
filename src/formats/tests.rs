//! Tests opening files: recognition, members, companions.

use super::core::members::DEPTH_MAX;
use super::*;
use crate::model::{FileNote, Model};

mod drawables;
mod near_misses;
pub(super) mod parkan;
pub(super) mod sample;

use sample::sample;

/// Builds a container from these members; empty slices become empty entries.
fn pac(members: &[&[u8]]) -> Vec<u8> {
    let mut table = u32::try_from(members.len()).expect("few").to_le_bytes().to_vec();
    let mut at = 4 + 8 * members.len();
    let mut data = Vec::new();
    for member in members {
        let offset = if member.is_empty() { 0 } else { at };
        for value in [offset, member.len()] {
            table.extend_from_slice(&u32::try_from(value).expect("small").to_le_bytes());
        }
        data.extend_from_slice(member);
        at += member.len();
    }
    table.extend(data);
    table
}

/// Returns notes as text.
pub(super) fn texts(notes: &[FileNote]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn model_in(file: &[u8], member: Option<&str>) -> Model {
    let opened = open(&Request { member, ..Request::new("sample", file) }).expect("a good file");
    match opened.content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

/// Builds a texture file with a single image: 8 by 8 texels with 32 bits each.
fn tmh() -> Vec<u8> {
    let mut file = b".TMH0.14\x01\0\0\0\0\0\0\0".to_vec();
    for word in [0x120u32, 0, 0, 0, 0x110, 1, 3, 0x0008_0008] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.resize(16 + 0x120, 0x55);
    file
}

/// Builds a skeleton for the newer game with a single bone, id 7. The model's other bone is missing.
fn ahi() -> Vec<u8> {
    let words = [
        0x8000_0000u32,
        2,
        24 + 4 + 0x5C,
        0,
        1,
        16,
        7,
        0x4000_0001,
        1,
        0x5C,
        7,
        u32::MAX,
        u32::MAX,
        u32::MAX,
    ];
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.resize(24 + 4 + 0x5C, 0);
    file
}

#[test]
fn finds_every_format_by_its_name() {
    for format in Format::all() {
        assert_eq!(Format::from_name(format.name()), Some(format), "{format}");
    }
    assert_eq!(Format::from_name("unknown"), None, "no such format");
}

#[test]
fn recognises_formats_by_content() {
    let model = sample();
    for (bytes, format) in [
        (model.clone(), Format::from_name("pmo")),
        (tmh(), Format::from_name("tmh")),
        (ahi(), Format::from_name("ahi")),
        (pac(&[&[], &model]), Format::from_name("pac")),
        (pac(&[&[], &[]]), None),
        (b"PMO\0\x03\0\0\0".to_vec(), Format::from_name("bbs-pmo")),
        (vec![0; 4096], None),
        (Vec::new(), None),
    ] {
        assert_eq!(sniff(&bytes), format, "{:x?}", bytes.get(..8));
    }
    let error = open(&Request::new("nothing", &[0; 64])).expect_err("zeros");
    assert_eq!(error.to_string(), "not a file of a known format: it is nothing but zeros", "message");
    let forced = Request { format: Format::from_name("tmh"), ..Request::new("sample", &model) };
    let error = open(&forced).expect_err("a model is no texture file");
    assert_eq!(error.to_string(), "at 0x0: not a TMH file of version 0.14", "the format was forced");
}

#[test]
fn offsets_in_containers_count_from_start_of_file() {
    let mut bytes = pac(&[&tmh(), &[], &sample()]);
    let model = model_in(&bytes, None);
    assert_eq!(model.textures.len(), 1, "textures may precede the model if they are the only ones");
    let start = 4 + 3 * 8 + tmh().len();
    let prim = model.parts[0].list.start.offset(24);
    let found = model.source_of(prim).map(|(_, offset)| offset);
    assert_eq!(found, Some(start as u64 + 0xD8), "offset of a PRIM");
    assert_eq!(model.textures[0].file_offset, 4 + 3 * 8 + 0x30, "offset of the texels");
    bytes[start + 0xDB] = 0x0A;
    let notes = model_in(&bytes, None).notes;
    let is_call = |note: &FileNote| note.message.contains("CALL");
    let note =
        notes.iter().find(|note| is_call(note)).unwrap_or_else(|| panic!("a CALL in the list: {notes:?}"));
    assert_eq!(note.offset, Some(start as u64 + 0xD8), "notes count from the start of the whole file");
}

#[test]
fn models_use_the_textures_that_follow_them() {
    let sample = sample();
    let bytes = pac(&[&sample, &sample, &tmh(), &tmh()]);
    assert_eq!(model_in(&bytes, None).textures.len(), 1, "the first textures, since none are nearer");
    assert_eq!(model_in(&bytes, Some("1")).textures.len(), 1, "textures follow");
    let note = "the container holds 2 models; this is the first";
    assert!(texts(&model_in(&bytes, None).notes).iter().any(|n| n == note), "noted");
    assert!(texts(&model_in(&bytes, Some("pmo")).notes).iter().all(|n| n != note), "selected by name");
}

#[test]
fn opens_nested_containers() {
    let sample = sample();
    let inner = pac(&[&[], &sample, &tmh()]);
    let mut bytes = pac(&[&inner]);
    assert_eq!(model_in(&bytes, None).textures.len(), 1, "found inside");
    assert_eq!(model_in(&bytes, Some("0/1")).parts.len(), 2, "by numbers");
    assert_eq!(model_in(&bytes, Some("pac#pmo")).parts.len(), 2, "by formats");
    for (member, message) in [
        ("1", "the container has no member \"1\"; there are 0 (pac)"),
        ("0/0", "at 0xc: the member \"0\" of the container is empty"),
        ("0/1/0", "at 0x28: a file of format pmo has no members"),
        ("", "the container has no member \"\"; there are 0 (pac)"),
    ] {
        let error = open(&Request { member: Some(member), ..Request::new("sample", &bytes) });
        assert_eq!(error.expect_err(message).to_string(), message, "member {member}");
    }
    for _ in 0..8 {
        bytes = pac(&[&bytes]);
    }
    let opened = open(&Request::new("sample", &bytes)).expect("a container");
    assert!(matches!(opened.content, Content::Archive { .. }), "too deep to be searched");
    let error = open(&Request { member: Some("0/0/0/0/0"), ..Request::new("sample", &bytes) });
    assert_eq!(error.expect_err("too deep").kind, Problem::TooDeep(DEPTH_MAX), "too deep to be opened");
}

#[test]
fn checks_companion_files() {
    let sample = sample();
    let tmh = tmh();
    let packed = pac(&[&tmh]);
    for bytes in [&tmh, &packed] {
        let textures = Some(File { name: "textures", bytes });
        let opened = open(&Request { textures, ..Request::new("sample", &sample) }).expect("good files");
        let Content::Model(model) = opened.content else { panic!("a model") };
        assert_eq!(model.sources.last().map(|source| source.name.as_str()), Some("textures"), "its source");
        // Neither material of the sample has a texture.
        assert_eq!(model.textures.len(), 1, "unused textures are loaded, too");
    }
    let textures = Some(File { name: "textures", bytes: &sample });
    let error = open(&Request { textures, ..Request::new("sample", &sample) }).expect_err("a model");
    assert_eq!((error.role, error.to_string().as_str()), (FileRole::Textures, "expected tmh, found pmo"), "");
    let ahi = ahi();
    let skeleton = Some(File { name: "skeleton", bytes: &ahi });
    let opened =
        open(&Request { skeleton, ..Request::new("sample", &sample) }).expect("drawn without bone 9");
    let is_bone = |note: &FileNote| note.offset == Some(0x93) && note.message.contains("bone 9");
    assert!(opened.content.notes().iter().any(is_bone), "{:?}", opened.content.notes());
}

/// The search must end even if all members of nested containers overlap.
#[test]
fn search_of_overlapping_members_is_bounded() {
    let mut bytes = Vec::new();
    for level in 0..6 {
        let inner = if level == 0 { pac(&[b"????"]) } else { bytes };
        let count = 3000u32;
        let table = 4 + 8 * count;
        bytes = count.to_le_bytes().to_vec();
        for _ in 0..count {
            bytes.extend_from_slice(&table.to_le_bytes());
            bytes.extend_from_slice(&u32::try_from(inner.len()).expect("small").to_le_bytes());
        }
        bytes.extend_from_slice(&inner);
    }
    let opened = open(&Request::new("sample", &bytes)).expect("a container");
    assert!(matches!(opened.content, Content::Archive { .. }), "no model among that many members");
}

#[test]
fn survives_truncated_and_corrupted_files() {
    let good = pac(&[&sample(), &tmh(), &[]]);
    for length in 0..good.len() {
        let is_refused = open(&Request::new("sample", &good[..length])).is_err();
        assert!(is_refused || length > 28, "cut off after {length}, in the table");
    }
    for at in 0..28 {
        for value in [0u32, u32::MAX, 0x8000_0000, 1, 28, 0x0100_0000] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let _ = open(&Request::new("sample", &bytes));
        }
    }
}
