//! Tests generated MSH models: parsing, errors, drawing.

use super::problem::stream_name;
use super::*;
use crate::formats::FileRole;
use crate::formats::core::options::Selection;
use crate::formats::tests::parkan::{TestEntry, nres as build};
use crate::formats::tests::texts;
use crate::scene::render::geometry;

/// Encodes little-endian 16-bit numbers.
fn words(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Builds a node with a slot per level in the first group.
fn node(parent: u16, map_start: u16, fallback: u16, slots: [u16; 3]) -> Vec<u8> {
    let mut values = vec![0, parent, map_start, fallback];
    for slot in slots {
        values.extend([slot, NONE, NONE, NONE, NONE]);
    }
    words(&values)
}

const NONE: u16 = raw::NONE;

fn key(position: [f32; 3], time: f32, rotation: [i16; 4]) -> Vec<u8> {
    let mut bytes = floats(&[position[0], position[1], position[2], time]);
    bytes.extend(rotation.iter().flat_map(|part| part.to_le_bytes()));
    bytes
}

/// Builds a slot with a single batch. Its box contains the unit square from [`streams`].
fn slot(batch: u16) -> Vec<u8> {
    let mut bytes = words(&[0, 1, batch, 1]);
    bytes.extend(floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.5, 0.5, 0.0, 1.0]));
    bytes.extend([0; 20]);
    bytes
}

fn batch(material: u16, count: u16, start: u32, base: u32) -> Vec<u8> {
    let mut bytes = words(&[0, material, 0, 0, count]);
    bytes.extend(start.to_le_bytes());
    bytes.extend(words(&[0]));
    bytes.extend(base.to_le_bytes());
    bytes
}

const IDENTITY: [i16; 4] = [0, 0, 0, 32767];

/// Builds two squares and two nodes. The second node is a child of the first, moves, and has no slot at the last
/// level.
pub(super) fn streams() -> Vec<TestEntry> {
    let stream = |type_id: u32, attributes: [u32; 3], data: Vec<u8>| TestEntry {
        type_id,
        attributes,
        name: format!("Res{type_id}").into_bytes(),
        data,
    };
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let mut slots = floats(&[0.0; 35]);
    slots.extend([slot(0), slot(1)].concat());
    let keys = [
        key([1.0, 0.0, 0.0], 0.0, IDENTITY),
        key([0.0, 0.0, 4.0], 0.0, IDENTITY),
        key([0.0, 2.0, 4.0], 4.0, IDENTITY),
    ];
    let triangle = words(&[0, 1, NONE, NONE, 0, 0, 32767, 63]);
    let mut names = 3_u32.to_le_bytes().to_vec();
    names.extend(b"One\0\0\0\0\0");
    vec![
        stream(1, [2, 0, 38], [node(NONE, NONE, 0, [0, 0, 0]), node(0, 0, 2, [1, 1, NONE])].concat()),
        stream(2, [2, 0, 68], slots),
        stream(3, [8, 0, 12], [floats(&square), floats(&square)].concat()),
        stream(4, [8, 0, 4], [0, 0, 127, 0].repeat(8)),
        stream(5, [8, 0, 4], words(&[0, 0, 1024, 0, 1024, 1024, 0, 512]).repeat(2)),
        stream(6, [9, 0, 2], words(&[0, 1, 2, 0, 2, 3, 0, 1, 2])),
        stream(7, [2, 0, 16], [triangle.clone(), triangle].concat()),
        stream(8, [3, 0, 4], keys.concat()),
        stream(10, [2, 0, 0], names),
        stream(13, [2, 0, 20], [batch(5, 6, 0, 0), batch(6, 3, 6, 4)].concat()),
        stream(19, [5, 5, 2], words(&[1, 1, 1, 1, 2])),
    ]
}

/// Finds where a stream starts in the file.
fn start_of(entries: &[TestEntry], type_id: u32) -> usize {
    let mut at = 16_usize;
    for entry in entries {
        at = at.next_multiple_of(8);
        if entry.type_id == type_id {
            return at;
        }
        at += entry.data.len();
    }
    panic!("no stream {type_id}");
}

pub(super) fn view(bytes: &[u8]) -> View<'_> {
    View::new(bytes, 0, "msh", FileRole::Input)
}

/// Opens a model with an empty library.
fn open_alone(file: View<'_>, name: &str, options: OpenOptions<'_>) -> Result<Model, FormatError> {
    open(file, name, options, &Library::default())
}

fn model(bytes: &[u8], options: OpenOptions<'_>) -> Model {
    open_alone(view(bytes), "model", options).expect("a good model")
}

fn refused(bytes: &[u8]) -> String {
    open_alone(view(bytes), "model", OpenOptions::default()).expect_err("a bad model").to_string()
}

fn select(level_of_detail: usize, group: usize) -> OpenOptions<'static> {
    OpenOptions { selection: Selection { level_of_detail, group, hidden: false }, ..OpenOptions::default() }
}

#[test]
fn recognises_models_by_required_streams() {
    let entries = streams();
    assert!(sniff(&build(&entries)), "all required ones");
    for required in stream::REQUIRED {
        let without: Vec<TestEntry> =
            entries.iter().filter(|entry| entry.type_id != required).cloned().collect();
        let bytes = build(&without);
        assert!(!sniff(&bytes), "without {required}");
        // Without nodes the slots are still drawn.
        let said = said_of(&bytes);
        let name = stream_name(required);
        let expected =
            if required == stream::NODES { "has no nodes".to_owned() } else { format!("has no {name}") };
        assert!(said.iter().any(|said| said.contains(&expected)), "{expected}: {said:?}");
        let mut twice = entries.clone();
        twice.push(entries.iter().find(|entry| entry.type_id == required).expect("there").clone());
        let said = said_of(&build(&twice));
        assert!(
            said.iter().any(|said| said.ends_with("twice; the first counts")),
            "two of {required}: {said:?}"
        );
    }
}

#[test]
fn nodes_select_slots_by_level_and_group() {
    let bytes = build(&streams());
    for (options, slots) in [
        (select(0, 0), &[0, 1][..]),
        (select(1, 0), &[0, 1]),
        (select(2, 0), &[0]),
        // Levels beyond the coarsest select the coarsest, and groups that do not exist group 0.
        (select(7, 0), &[0]),
        (select(0, 3), &[0, 1]),
        (select(0, 5), &[0, 1]),
    ] {
        let model = model(&bytes, options);
        let found: Vec<usize> = model.parts.iter().map(|part| part.mesh).collect();
        assert_eq!(found, slots, "{options:?}");
        assert_eq!(geometry(&model).draws().len(), slots.len(), "{options:?}: drawn");
        let levels = model.alternatives.levels_of_detail.iter();
        let levels: Vec<_> = levels.map(|level| (level.level, level.groups.as_slice())).collect();
        assert_eq!(levels, [(0, &[0][..]), (1, &[0]), (2, &[0])], "{options:?}: those that draw something");
    }
}

#[test]
fn nodes_share_slot_lists_and_move() {
    let mut entries = streams();
    // Both nodes select the first slot.
    entries[0].data = [node(NONE, NONE, 0, [0; 3]), node(0, 0, 2, [0; 3])].concat();
    let mut model = model(&build(&entries), OpenOptions::default());
    assert_eq!(model.parts[0].list, model.parts[1].list, "one list");
    let heights = |model: &Model| -> Vec<[f32; 3]> {
        geometry(model).draws().iter().map(|draw| draw.vertices[0].position).collect()
    };
    assert_eq!(heights(&model), [[1.0, 0.0, 0.0], [1.0, 2.0, 4.0]], "at rest on the fallback keys");
    model.animate(0, 1.0);
    assert_eq!(heights(&model), [[1.0, 0.0, 0.0], [1.0, 0.5, 4.0]], "a quarter of the way");
    let skeleton = model.skeleton.expect("nodes");
    let names: Vec<_> = skeleton.bones().iter().map(|bone| bone.name.as_deref()).collect();
    assert_eq!(names, [Some("One"), None], "names");
}

#[test]
fn opens_models_without_optional_streams() {
    let entries: Vec<TestEntry> =
        streams().into_iter().filter(|entry| ![4, 5, 7, 8, 10].contains(&entry.type_id)).collect();
    let model = model(&build(&entries), OpenOptions::default());
    assert_eq!(
        texts(&model.notes),
        ["at 0x8: the model has no animation keys; its nodes rest at the origin"],
        "noted"
    );
    let decoded = geometry(&model);
    assert_eq!(decoded.draws()[1].vertices[2].position, [1.0, 1.0, 0.0], "at the origin");
    let normal = decoded.draws()[0].vertices[0].normal;
    assert_eq!(normal, [0.0, 0.0, 127.0 / 128.0], "default normal");
}

#[test]
fn draws_all_slots_if_nodes_have_24_bytes() {
    let mut entries = streams();
    entries[0].attributes = [3, 0, 24];
    entries[0].data = vec![0xAB; 72];
    entries.retain(|entry| entry.type_id != 10);
    let model = model(&build(&entries), OpenOptions::default());
    assert_eq!(model.info.extra("nodes"), Some(3), "counted");
    assert_eq!(model.parts.iter().map(|part| part.mesh).collect::<Vec<_>>(), [0, 1], "all slots are drawn");
    assert!(texts(&model.notes)[0].contains("24 bytes of unknown meaning"), "{:?}", texts(&model.notes));
    let field = model.fields.iter().find(|field| field.name == "nodes of 24 bytes").expect("kept");
    assert!(field.value.starts_with("72 bytes") && field.value.contains("abab"), "{}", field.value);
}

#[test]
fn keeps_unknown_data_as_fields() {
    let mut entries = streams();
    entries[0].data[0] = 0x40;
    let slots = &mut entries[1].data;
    slots[140 + 48] = 7;
    entries[9].data[4] = 9;
    entries[3].data[3] = 1;
    entries.push(TestEntry {
        type_id: 20,
        attributes: [1, 2, 3],
        name: b"Res20".to_vec(),
        data: vec![1; 20],
    });
    entries.push(TestEntry {
        type_id: 15,
        attributes: [8, 0, 8],
        name: b"Res15".to_vec(),
        data: vec![2; 64],
    });
    let model = model(&build(&entries), OpenOptions::default());
    let field = |name: &str| {
        let found = model.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("{name} in {:?}", model.fields)).value.clone()
    };
    assert_eq!(field("node 0 flags"), "0x0040", "flags");
    assert_eq!(field("slot 0 opaque"), "0x7, 0x0, 0x0, 0x0, 0x0", "slot");
    assert_eq!(field("batch 0"), "flags 0x0000, opaque4 0x0009, opaque6 0x0000, opaque14 0x0000", "batch");
    assert_eq!(field("fourth byte of normals"), "not 0 in 1 normals", "normals");
    let raw = "20 bytes, attributes 1 2 3: 01010101010101010101010101010101…";
    assert_eq!(field("values of type 20"), raw, "unknown stream");
    assert!(field("extra values (type 15)").starts_with("64 bytes"), "optional stream");
    assert!(field("triangle descriptors").starts_with("2 for collision"), "triangles");
}

#[test]
fn tests_boxes_before_calls() {
    use crate::ge::opcode::Opcode;
    let words_of = |model: &Model| -> Vec<u32> {
        (0..200).map(|i| model.memory.read_u32(model.entry.offset(i * 4))).collect()
    };
    let count = |words: &[u32], opcode: Opcode| {
        let end = words.iter().position(|word| word >> 24 == u32::from(Opcode::RET.code())).expect("RET");
        words[..end].iter().filter(|word| *word >> 24 == u32::from(opcode.code())).count()
    };
    let whole = words_of(&model(&build(&streams()), OpenOptions::default()));
    assert_eq!((count(&whole, Opcode::BBOX), count(&whole, Opcode::BJUMP)), (2, 2), "each call has its test");
    let mut entries = streams();
    // The second slot's box does not contain its vertices.
    entries[1].data[140 + 68 + 20..140 + 68 + 24].copy_from_slice(&0.5_f32.to_le_bytes());
    let model = model(&build(&entries), OpenOptions::default());
    let note = "vertices of slot 1 lie outside its box; it is drawn without the test of the box";
    assert!(texts(&model.notes)[0].ends_with(note), "{:?}", texts(&model.notes));
    let words = words_of(&model);
    assert_eq!((count(&words, Opcode::BBOX), count(&words, Opcode::CALL)), (1, 2), "one test, both drawn");
}

/// Returns a model's notes, or its error.
fn said_of(bytes: &[u8]) -> Vec<String> {
    match open_alone(view(bytes), "model", OpenOptions::default()) {
        Ok(model) => texts(&model.notes),
        Err(error) => vec![format!("refused {error}")],
    }
}

/// Violates every rule, each in a model of its own. The violation must be noted with its place, and the model drawn.
#[test]
fn locates_every_violated_rule() {
    let good = streams();
    let nan = f32::NAN.to_le_bytes();
    let cases: [(u32, usize, &[u8], &str); 19] = [
        (1, 38 + 2, &[1, 0], "the parent of node 1 is node 1, which does not come before it"),
        (1, 38 + 4, &[1, 0], "the frame map has too few words for 5 frames; 4 are read"),
        (1, 6, &[3, 0], "node 0 falls back to key 3 of 3"),
        (1, 38 + 8, &[2, 0], "node 1 selects slot 2 of 2"),
        (2, 140, &[2, 0], "slot 0 has 1 triangles from 2 on, which do not all exist"),
        (2, 140 + 68 + 4, &[2, 0], "slot 1 draws 1 batches from 2 on, which do not all exist"),
        (2, 140 + 8, &[0, 0, 0, 64], "the box of slot 0 is not finite, or inside out"),
        (2, 140 + 20, &nan, "the box of slot 0 is not finite, or inside out"),
        (2, 140 + 44, &[0, 0, 128, 191], "the radius of slot 0 is negative or not finite"),
        (3, 12, &nan, "the position of vertex 1 is not a finite number"),
        (6, 4, &[8, 0], "batch 0 draws vertex 8 of 8"),
        (7, 2, &[2, 0], "triangle 0 has neighbour 2, which does not exist"),
        (10, 0, &[200, 0], "the name of node 0 does not fit into the names, or has no end"),
        (10, 7, &[1], "the name of node 0 does not fit into the names, or has no end"),
        (10, 0, &[1, 0, 0, 0, 65, 0, 0, 0, 0, 0], "2 bytes follow the last name"),
        (13, 8, &[5, 0], "batch 0 has 5 indices, which is no multiple of 3"),
        (13, 10, &[4, 0], "batch 0 takes 6 indices from 4 on, which do not all exist"),
        (13, 10, &[0xFF; 4], "batch 0 takes 6 indices from 4294967295 on, which do not all exist"),
        (13, 20 + 16, &[6, 0], "batch 1 draws vertex 8 of 8"),
    ];
    for (type_id, at, bytes, message) in cases {
        let mut entries = good.clone();
        let entry = entries.iter_mut().find(|entry| entry.type_id == type_id).expect("there");
        entry.data[at..at + bytes.len()].copy_from_slice(bytes);
        let said = said_of(&build(&entries));
        let start = start_of(&good, type_id);
        let is_it = |said: &&String| said.split_once(": ").is_some_and(|(_, text)| text.starts_with(message));
        let found = said.iter().find(is_it).unwrap_or_else(|| panic!("type {type_id} at {at}: {said:?}"));
        let (location, _) = found.split_once(": ").expect("located");
        let location = usize::from_str_radix(location.trim_start_matches("at 0x"), 16).expect("a number");
        let expected_at = match type_id {
            // The offset of the index out of range, of the name, or of the vertex.
            13 if message.contains("vertex") => start_of(&good, 6) + 16,
            10 => start + if message.starts_with('2') { 10 } else { 0 },
            3 => start + 12,
            // Directory entries state the frame count.
            1 if message.starts_with("the frame map") => 8,
            _ => start + at,
        };
        // Box errors are located at the start of the box.
        let expected_offset =
            if type_id == 2 && message.contains("box") { start + 140 + 8 } else { expected_at };
        assert_eq!(location, expected_offset, "type {type_id} at {at}: {found}");
    }
}

#[test]
fn notes_sizes_that_do_not_match() {
    let good = streams();
    for (type_id, length, message) in [
        (1, 75, "the nodes (type 1) take 75 bytes, which is no multiple of 38"),
        (2, 139, "the slots take 139 bytes, and the bounds ahead of them 140"),
        (2, 141, "the slots (type 2) take 1 bytes, which is no multiple of 68"),
        (3, 13, "the positions (type 3) take 13 bytes, which is no multiple of 12"),
        (4, 28, "there are 7 normals (type 4) for 8 vertices"),
        (5, 28, "there are 7 texture coordinates (type 5) for 8 vertices"),
        (6, 17, "the indices (type 6) take 17 bytes, which is no multiple of 2"),
        (8, 48, "node 1 falls back to key 2 of 2"),
        (13, 39, "the batches (type 13) take 39 bytes, which is no multiple of 20"),
    ] {
        let mut entries = good.clone();
        entries.iter_mut().find(|entry| entry.type_id == type_id).expect("there").data.truncate(length);
        let said = said_of(&build(&entries));
        assert!(said.iter().any(|said| said.contains(message)), "{message}: {said:?}");
        let is_refused = said.iter().any(|said| said.starts_with("refused"));
        assert_eq!(is_refused, (type_id, length) == (2, 139), "only without bounds: {said:?}");
    }
    let mut entries = good;
    entries[3].data.extend([0; 4]);
    let model = model(&build(&entries), OpenOptions::default());
    assert!(
        texts(&model.notes).iter().any(|note| note.ends_with("there are 9 normals (type 4) for 8 vertices")),
        "more"
    );
    assert!(
        texts(&model.notes)
            .iter()
            .any(|note| note.ends_with("the directory says 8 normals (type 4), there are 9")),
        ""
    );
}

/// Shared data must not cause disproportionate work.
#[test]
fn work_is_bounded() {
    let mut entries = streams();
    let indices = entries.iter_mut().find(|entry| entry.type_id == 6).expect("there");
    indices.data = words(&[0; 60_000]);
    let batches = entries.iter_mut().find(|entry| entry.type_id == 13).expect("there");
    batches.data = batch(0, 60_000, 0, 0).repeat(200);
    assert!(refused(&build(&entries)).ends_with("use the same data over and over"), "batches share indices");
    batches_of_one_slot(&mut entries);
    assert!(refused(&build(&entries)).ends_with("use the same data over and over"), "nodes share a slot");
}

/// Changes the model to a single large batch that a thousand nodes draw.
fn batches_of_one_slot(entries: &mut [TestEntry]) {
    let of = |entries: &mut [TestEntry], type_id| {
        entries.iter().position(|entry| entry.type_id == type_id).expect("there")
    };
    let at = of(entries, 13);
    entries[at].data = [batch(0, 60_000, 0, 0), batch(0, 3, 0, 0)].concat();
    let at = of(entries, 1);
    entries[at].data = node(NONE, NONE, 0, [0; 3]).repeat(1000);
    let at = of(entries, 10);
    entries[at].data = vec![0; 4000];
}

#[test]
fn survives_truncated_and_corrupted_files() {
    let good = build(&streams());
    for length in 0..good.len() {
        assert!(
            open_alone(view(&good[..length]), "model", OpenOptions::default()).is_err(),
            "cut off after {length}"
        );
    }
    for at in 0..good.len() - 4 {
        for value in [0u32, u32::MAX, 0x8000_0000, 0x7F80_0000, 1, 0x0001_0001] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            if let Ok(mut model) = open_alone(view(&bytes), "model", OpenOptions::default()) {
                model.animate(0, 1.5);
            }
        }
    }
}
