//! Tests the PMO reader with generated files.

use super::*;
use crate::formats::core::error::FileRole;
use crate::formats::core::problem::Problem;
use crate::formats::tests::sample::sample;
use crate::formats::tests::texts;
use crate::formats::{Content, File, Format, Request, open, sniff};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::model::SCENE_MEMORY;
use crate::model::Skeleton;

mod oddities;

fn put(file: &mut [u8], at: usize, value: u32) {
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}

fn model_of(file: &[u8]) -> Result<Model, FormatError> {
    match open(&Request::new("sample", file))?.content {
        Content::Model(model) => Ok(*model),
        other => panic!("expected a model, found {other:?}"),
    }
}

/// Replaces some words in the sample, and returns the error message.
fn error_with(words: &[(usize, u32)]) -> String {
    let mut file = sample();
    words.iter().for_each(|&(at, value)| put(&mut file, at, value));
    model_of(&file).expect_err("invalid file").to_string()
}

#[test]
fn reads_the_sample() {
    let model = model_of(&sample()).expect("a good file");
    let info = &model.info;
    assert_eq!((info.meshes, info.groups, info.draws), (1, 2, 2), "meshes, groups, draws");
    assert_eq!((info.vertices, info.triangles), (6, 2), "vertices, triangles");
    assert_eq!((info.materials, info.bones, info.extra("bone_entries")), (2, 2, Some(2)), "materials, bones");
    assert_eq!(model.notes.len(), 1, "only the missing textures: {:?}", texts(&model.notes));
    let part = &model.parts[0];
    assert_eq!((part.mesh, part.material, part.texture, part.weights), (0, 1, None, 2), "first part");
    assert_eq!(part.palette[..3], [Some(7), Some(9), None], "bones of the matrices");
    assert_eq!(model.parts[1].palette, part.palette, "the palette persists");
    assert_eq!(model.parts[1].material, 0, "remapped");
    let prim = part.list.start.offset(6 * 4);
    assert_eq!(model.source_of(prim).map(|(_, offset)| offset), Some(0xC0 + 6 * 4), "offset in the file");
    assert_eq!(model.part_at(prim), Some(part), "part of the PRIM");
    assert_eq!(part.list.start.get() % 16, 0, "mesh data is aligned");
    assert!(part.list.start.get() >= SCENE_MEMORY.end, "outside the scene's memory");
}

/// Replays the state commands up to each CALL.
#[test]
fn sets_state_before_each_call() {
    let model = model_of(&sample()).expect("a good file");
    let mut registers = crate::ge::registers::Registers::new();
    let mut at = model.entry;
    let mut calls = 0;
    loop {
        let command = crate::ge::command::Command::from_word(model.memory.read_u32(at));
        registers.write(command);
        let elements = |matrix| -> Vec<f32> {
            registers.matrix(matrix).iter().take(24).map(|element| element.to_f32()).collect()
        };
        let diagonal = |[x, y, z]: [f32; 3]| [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.0];
        if command.opcode() == Opcode::CALL {
            let part = &model.parts[calls];
            assert_eq!(part.call, at, "the part knows its CALL");
            let target = (registers.argument(Opcode::BASE) << 8) & 0x0F00_0000 | command.argument();
            assert_eq!(target, part.list.start.get(), "CALL leads to the list");
            assert_eq!(registers.argument(Opcode::LIGHTINGENABLE), 0, "the lights are the scene's");
            assert_eq!(registers.argument(Opcode::ALPHATEST), 0x00FF_8007, "at least half");
            assert_eq!(registers.argument(Opcode::TEXENABLE), 0, "no texture");
            let color = [0x00FF_FFFF, 0x00FF_0011][calls];
            assert_eq!(registers.argument(Opcode::MATERIALAMBIENT), color, "material colour");
            assert_eq!(registers.argument(Opcode::MATERIALALPHA), [0xFF, 0x80][calls], "material alpha");
            assert_eq!(registers.argument(Opcode::CULLENABLE), 0, "culling is off before each part");
            let scale = [2.0, 3.0, 4.0];
            if calls == 0 {
                assert_eq!(elements(Matrix::World), diagonal([1.0; 3]), "weights: WORLD is the identity");
                let two = [diagonal(scale), diagonal(scale)].concat();
                assert_eq!(elements(Matrix::Bone), two, "weights: the scale is in both bones");
            } else {
                assert_eq!(elements(Matrix::World), diagonal(scale), "no weights: WORLD scales");
            }
            // State left by the called list.
            registers.write(crate::ge::command::Command::new(Opcode::CULLENABLE, u32::from(calls == 0)));
            registers.write(crate::ge::command::Command::new(Opcode::BASE, 0));
            calls += 1;
        }
        if command.opcode() == Opcode::RET {
            break;
        }
        at = at.offset(4);
    }
    assert_eq!(calls, 2, "number of calls");
    assert_eq!(model.parts[0].uploads.len(), 2, "two matrices for the first part");
    assert!(model.parts[1].uploads.is_empty(), "none for the second");
}

/// If a list does not set BASE, it needs BASE 0 at any load address.
#[test]
fn calls_lists_without_base_through_the_offset() {
    let mut file = sample();
    put(&mut file, 0xC4, 0);
    let model = model_of(&file).expect("still good");
    let part = &model.parts[0];
    let words: Vec<u32> =
        [-8i32, -4, 0, 4].map(|step| model.memory.read_u32(part.call.offset(step.cast_unsigned()))).to_vec();
    let start = part.list.start.get();
    let expected = [0x1300_0000 | start >> 8, 0x1000_0000, 0x0A00_0000 | start & 0xFF, 0x1300_0000];
    assert_eq!(words, expected, "offset, BASE 0, CALL, offset back");
}

/// Lists above the first 16 MiB of main RAM need their addresses' high bits.
#[test]
fn sets_base_for_lists_beyond_16_mib() {
    let mut file = sample();
    let gap = 0x0120_0000u32;
    file.splice(0xC0..0xC0, std::iter::repeat_n(0, gap as usize));
    put(&mut file, 0x34, 0xC0 + gap);
    put(&mut file, 8, 0x164 + gap);
    let model = model_of(&file).expect("fits into memory");
    for part in &model.parts {
        assert!(part.list.start.get() > 0x09A0_0000, "above 16 MiB");
        let base = model.memory.read_u32(part.call.offset(4u32.wrapping_neg()));
        let call = model.memory.read_u32(part.call);
        let target = (base & 0x000F_0000) << 8 | call & 0x00FF_FFFF;
        assert_eq!((base >> 24, call >> 24, target), (0x10, 0x0A, part.list.start.get()), "BASE and CALL");
    }
    file.resize(0x0400_0000, 0);
    let error = model_of(&file).expect_err("64 MiB and a list do not fit");
    assert_eq!(error.kind, Problem::OutOfMemory(0x0400_0000), "{error}");
}

#[test]
fn errors_name_the_offset() {
    for (words, message) in [
        (
            &[(4usize, 0x0031_2E31u32), (0xD8, 0x0405_0003), (0x130, 0x0405_0003)][..],
            "at 0x4: this PMO version is not supported, and its layout is neither that of 1.0 nor that of 102",
        ),
        (
            &[(4, 0x0030_2E32)],
            "at 0x4: PMO version 2.0 belongs to the game for iOS: it has no display lists; 1.0 and 102 are supported",
        ),
        (&[(0x24, 0x164)], "at 0x24: the tristrip headers at 0x164 start past the end of the file"),
        (&[(0x34, 0x1000)], "at 0x34: the mesh data at 0x1000 start past the end of the file"),
        (
            &[(0xD8, 0x0405_0003), (0x130, 0x0405_0003)],
            "at 0xd8: none of the 2 groups can be drawn; the first cannot because the display list draws TRIANGLE_FAN; \
             models have triangles and triangle strips",
        ),
    ] {
        assert_eq!(error_with(words), message, "{words:x?}");
    }
}

/// A broken group costs no other.
#[test]
fn leaves_out_broken_groups() {
    for (at, value, message) in [
        (0x80usize, 0x0002u32, "at 0x60: group 0 is left out: material 2 of 2 does not exist"),
        (0x80, 0x00FF, "at 0x60: group 0 is left out: material 255 of 2 does not exist"),
        (0x70, 0x0002_0010, "at 0x70: group 1 is left out: material 16 is outside the remap table"),
        (
            0x64,
            0x1000,
            "at 0x64: group 0 is left out: the display list at 0x1000 of the mesh data is outside it",
        ),
        (0xC0, 0, "at 0xc8: group 0 is left out: the display list uses an address before ORIGIN"),
        (0xCC, 0x0100_1000, "at 0xcc: group 0 is left out: the display list points outside the mesh data"),
        (0xD0, 0, "at 0xd8: group 0 is left out: the display list draws before it sets VTYPE"),
        (0xCC, 0, "at 0xd8: group 0 is left out: the display list draws before it sets VADDR"),
        (
            0xC8,
            0,
            "at 0xd8: group 0 is left out: the display list draws indexed vertices before it sets IADDR",
        ),
        (
            0xD8,
            0x0405_0003,
            "at 0xd8: group 0 is left out: the display list draws TRIANGLE_FAN; models have triangles and triangle \
             strips",
        ),
        (
            0xD0,
            0x1200_4B06,
            "at 0xd0: group 0 is left out: the vertex type is not allowed in models: its colour format does not exist",
        ),
        (
            0x114,
            0xFFFF_FFFF,
            "at 0x114: group 0 is left out: the vertex of index 255 is outside the mesh data",
        ),
    ] {
        let mut file = sample();
        put(&mut file, at, value);
        let model = model_of(&file).unwrap_or_else(|error| panic!("{message}: {error}"));
        assert!(
            texts(&model.notes).iter().any(|note| note == message),
            "{message}: {:?}",
            texts(&model.notes)
        );
        let other = usize::from(message.contains("group 0"));
        assert_eq!(model.parts.iter().map(|part| part.group).collect::<Vec<_>>(), [other], "{message}");
    }
    for (vtype, reason) in [
        (0x1204_4B02u32, "it has morph frames"),
        (0x1280_4B02, "it is in through mode"),
        (0x1200_4A02, "it has no position"),
    ] {
        let mut file = sample();
        put(&mut file, 0xD0, vtype);
        let model = model_of(&file).expect("the other group");
        assert!(texts(&model.notes).iter().any(|note| note.ends_with(reason)), "{:?}", texts(&model.notes));
    }
}

/// Collects the state at each part's CALL.
fn state_at_calls(model: &Model) -> Vec<crate::ge::registers::Registers> {
    let mut registers = crate::ge::registers::Registers::new();
    let mut at = model.entry;
    let mut states = Vec::new();
    loop {
        let command = crate::ge::command::Command::from_word(model.memory.read_u32(at));
        match command.opcode() {
            Opcode::RET => return states,
            Opcode::CALL => states.push(registers.clone()),
            _ => {}
        }
        registers.write(command);
        at = at.offset(4);
    }
}

/// Meshes are blended by their own command if their flags ask for it; the word alone has no effect.
#[test]
fn draw_flags_switch_blending() {
    for (flags, word, [blend, mode, color_test, alpha]) in [
        (0x8000_0003u32, 0xDF00_00A2u32, [0, 0x32, 0, 0x00FF_8007]),
        (0x0000_0005, 0xDF00_00A2, [0, 0x32, 0, 0x00FF_8007]),
        (0x8000_0005, 0xDF00_0132, [1, 0x132, 0, 0x00FF_0006]),
        (0x8000_0004, 0xDF00_00A2, [1, 0xA2, 1, 0x00FF_0006]),
        (0x8000_0004, 0x0800_0000, [1, 0x32, 0, 0x00FF_0006]),
    ] {
        let mut file = sample();
        put(&mut file, 0x48, flags);
        put(&mut file, 0x4C, word);
        let model = model_of(&file).expect("a good file");
        for registers in state_at_calls(&model) {
            let expected = [
                (Opcode::BLENDENABLE, blend),
                (Opcode::BLENDMODE, mode),
                (Opcode::BLENDFIXEDB, 0x00FF_FFFF),
                (Opcode::COLORTESTENABLE, color_test),
                (Opcode::COLORTEST, 3),
                (Opcode::ALPHATEST, alpha),
                (Opcode::LIGHTINGENABLE, 0),
                (Opcode::FOGENABLE, 0),
            ];
            for (opcode, argument) in expected {
                assert_eq!(registers.argument(opcode), argument, "{flags:#x} {word:#x}: {opcode}");
            }
        }
        let values: Vec<&str> = model.fields.iter().map(|field| field.value.as_str()).collect();
        let known = match flags {
            0x8000_0003 => "lighting and fog; drawn without, because the scene is not known",
            0x8000_0005 => "lighting; drawn without, because the scene is not known",
            _ => "",
        };
        assert_eq!(values.join(", "), known, "{flags:#x}: lighting and fog");
    }
}

/// The game does not draw groups with a transparent material, and does not apply their bone entries.
#[test]
fn leaves_out_transparent_groups() {
    let mut file = sample();
    put(&mut file, 0xB0, 0x00FF_FFFF);
    let model = model_of(&file).expect("a good file");
    let note = "at 0x60: groups that the game does not draw, because their material has alpha 0: 1";
    assert!(texts(&model.notes).iter().any(|text| text == note), "{:?}", texts(&model.notes));
    let [part] = model.parts.as_slice() else { panic!("one part: {:?}", model.parts) };
    assert_eq!((part.group, part.palette), (1, [None; 8]), "the second group, without bones");
}

/// Texture number FF means none.
#[test]
fn accepts_materials_without_a_texture() {
    for (word, is_missing) in [(0x0000_00FF, false), (u32::MAX, false), (1, true)] {
        let mut file = sample();
        put(&mut file, 0xA8, word);
        let model = model_of(&file).expect("a good file");
        let textures_missing = model.notes.iter().any(|note| note.message.contains("none were given"));
        assert_eq!(textures_missing, is_missing, "{word:#x}");
    }
}

/// Version 1.0 with 0x20-byte mesh headers, see `reference/formats/pmo.md#mesh-headers`.
#[test]
fn falls_back_to_wide_mesh_headers() {
    let mut file = sample();
    // Two meshes with headers 0x20 bytes apart, each with a group.
    put(&mut file, 0x1C, 0x0002_0002);
    put(&mut file, 0x54, 1);
    let second: Vec<u8> = file[0x40..0x60].to_vec();
    file.splice(0x60..0x60, second);
    for (at, value) in [(0x24, 0x80), (0x28, 0xA0), (0x2C, 0xB0), (0x30, 0xC0), (0x34, 0xE0)] {
        put(&mut file, at, value);
    }
    put(&mut file, 0x50, 1);
    put(&mut file, 0x70, 0x0001_0001);
    put(&mut file, 0x74, 0x0001_0001);
    put(&mut file, 0x90, 0x0002_0000);
    let model = model_of(&file).expect("valid with a stride of 0x20");
    assert_eq!((model.info.meshes, model.info.groups), (2, 2), "two meshes of one group");
    assert_eq!(model.parts[1].mesh, 1, "the second group belongs to the second mesh");
    assert!(
        texts(&model.notes)[0].contains("0x20 bytes apart")
            || texts(&model.notes)[1].contains("0x20 bytes apart"),
        "the note names the stride"
    );
}

/// Builds a model with two meshes, each with a tristrip and a material, and mesh headers at 0x40 and 0x58.
fn two_meshes() -> Vec<u8> {
    let mut file = sample();
    put(&mut file, 0x1C, 0x0002_0002);
    // A material and a tristrip; the second mesh has each before it.
    put(&mut file, 0x50, 1);
    put(&mut file, 0x54, 1);
    let second: Vec<u8> = file[0x40..0x58].to_vec();
    file.splice(0x58..0x60, second);
    put(&mut file, 0x68, 0x0001_0001);
    put(&mut file, 0x6C, 0x0001_0001);
    // The tristrips were at 0x60, and everything moves by 0x10.
    for (at, value) in [(8, 0x174), (0x24, 0x70), (0x28, 0x90), (0x2C, 0xA0), (0x30, 0xB0), (0x34, 0xD0)] {
        put(&mut file, at, value);
    }
    // Each tristrip has its mesh's first material.
    put(&mut file, 0x80, 0x0002_0000);
    file
}

/// Missing counts are completed, because a table's section ends at the next section.
#[test]
fn completes_cumulative_counts() {
    let good = two_meshes();
    let expected = model_of(&good).expect("a good file");
    assert_eq!(expected.parts.iter().map(|part| part.mesh).collect::<Vec<_>>(), [0, 1], "a tristrip each");
    assert_eq!(
        expected.parts.iter().map(|part| part.material).collect::<Vec<_>>(),
        [1, 0],
        "a material each"
    );
    let mut zeroed = good.clone();
    put(&mut zeroed, 0x68, 1);
    put(&mut zeroed, 0x6C, 1);
    let found = model_of(&zeroed).expect("opens as in other tools");
    assert_eq!((&found.parts, &found.info), (&expected.parts, &expected.info), "the same model");
    let texts = texts(&found.notes);
    for counter in ["at 0x6e: the cumulative tristrip", "at 0x6a: the cumulative material"] {
        assert!(texts.iter().any(|note| note.starts_with(counter)), "{counter}: {texts:?}");
    }
    // A single wrong count is corrected, because the tristrips fill their section.
    let mut wrong = good;
    put(&mut wrong, 0x6C, 0x0005_0001);
    let found = model_of(&wrong).expect("a wrong count");
    assert_eq!((&found.parts, &found.info), (&expected.parts, &expected.info), "the same model");
    let note = "at 0x6e: the tristrip count does not continue the previous one: 1 expected, 5 found";
    assert!(self::texts(&found.notes).iter().any(|text| text == note), "{:?}", self::texts(&found.notes));
}

/// Some tools count materials through the whole table, although each mesh counts only its own.
#[test]
fn materials_may_count_through_the_whole_table() {
    let mut file = two_meshes();
    put(&mut file, 0x68, 1);
    put(&mut file, 0x80, 0x0002_0001);
    let model = model_of(&file).expect("opens as in other tools");
    assert_eq!(model.parts.iter().map(|part| part.material).collect::<Vec<_>>(), [1, 0], "entries 0 and 1");
    let texts = texts(&model.notes);
    assert!(texts.iter().any(|note| note.contains("through the materials of all meshes")), "{texts:?}");
    assert!(texts.iter().any(|note| note.contains("uses entry 1 of the remap table")), "{texts:?}");
}

#[test]
fn reads_mesh_data_from_a_second_file() {
    let whole = sample();
    let (first, second) = whole.split_at(0xC0);
    let error = model_of(first).expect_err("half a model");
    assert!(error.to_string().contains("second file"), "{error}");
    let mesh_data = Some(File { name: "second", bytes: second });
    let opened = open(&Request { mesh_data, ..Request::new("first", first) }).expect("both halves");
    let Content::Model(model) = opened.content else { panic!("a model") };
    assert_eq!(model.notes.len(), 1, "the size is that of both: {:?}", texts(&model.notes));
    let prim = model.parts[1].list.start.offset(16);
    let (source, offset) = model.source_of(prim).expect("from a file");
    assert_eq!((source.name.as_str(), offset), ("second", 0x70), "offset in the second file");
    // If a model has its own mesh data, it uses this.
    let opened = open(&Request { mesh_data, ..Request::new("whole", &whole) }).expect("a whole model");
    let Content::Model(model) = opened.content else { panic!("a model") };
    assert_eq!(
        model.source_of(model.parts[1].list.start).map(|(source, _)| source.name.as_str()),
        Some("whole")
    );
    let note = "at 0x34: the model has its own mesh data: the given file is not used";
    assert!(texts(&model.notes).iter().any(|text| text == note), "{:?}", texts(&model.notes));
}

#[test]
fn errors_name_the_second_file() {
    let whole = sample();
    let (first, second) = whole.split_at(0xC0);
    let mut second = second.to_vec();
    put(&mut second, 0x14, 0x0A00_0000);
    let mesh_data = Some(File { name: "second", bytes: &second });
    let opened = open(&Request { mesh_data, ..Request::new("first", first) }).expect("the other group");
    let note = &opened.content.notes()[0];
    assert_eq!((note.part.as_deref(), note.offset), (Some("mesh data"), Some(0x14)), "file and offset");
    let message =
        "a command of the display list is left out: the display list uses CALL, which models may not use";
    assert_eq!(note.message, message);
}

/// Bones missing from the skeleton stay at rest.
#[test]
fn accepts_a_skeleton_without_the_bones() {
    let file = sample();
    let bone =
        |id| crate::model::Bone { id, name: None, parent: None, local: crate::model::matrix::IDENTITY };
    for (ids, second, note) in
        [([7, 9], Some(9), None), ([7, 8], None, Some("at 0x93: bone 9 is not in the skeleton"))]
    {
        let pmo = read(View::new(&file, 0, "pmo", FileRole::Input), None).expect("a good file");
        let skeleton = Skeleton::new(ids.map(bone).to_vec());
        let model = pmo.lower("sample", Companions { skeleton, ..Companions::default() }).expect("a model");
        assert_eq!(model.parts[0].palette[..2], [Some(7), second], "{ids:?}");
        assert_eq!(model.parts[0].uploads.len(), 2, "{ids:?}: both matrices are set");
        let texts = texts(&model.notes);
        assert_eq!(
            texts.iter().find(|text| text.contains("skeleton")).map(|text| &text[..38]),
            note,
            "{texts:?}"
        );
    }
}

/// Lists must not multiply the work by sharing a large draw.
#[test]
fn bounds_the_work_of_shared_lists() {
    let mut file = sample();
    let groups = 0xFFFFu32;
    // Replace the group headers by copies of the second.
    put(&mut file, 0x54, groups);
    let header: Vec<u8> = file[0x70..0x80].to_vec();
    let mut headers = Vec::new();
    for _ in 0..groups {
        headers.extend_from_slice(&header);
    }
    headers.iter_mut().skip(1).step_by(16).for_each(|bones| *bones = 0);
    headers.iter_mut().skip(2).step_by(16).for_each(|first| *first = 0);
    // A draw with the maximum vertex count, all in the file.
    file.splice(0x60..0x80, headers);
    let shift = groups * 16 - 0x20;
    for at in [0x28, 0x2C, 0x30, 0x34] {
        let moved = word(&file, at) + shift;
        put(&mut file, at, moved);
    }
    let list = 0x120 + shift as usize;
    put(&mut file, list + 16, 0x0403_FFFF);
    file.resize(file.len() + 0xFFFF * 6, 0);
    let model = model_of(&file).expect("the first groups");
    assert!((1..1000).contains(&model.parts.len()), "4 billion vertices: {} parts", model.parts.len());
    let texts = texts(&model.notes);
    assert!(texts.iter().any(|note| note.ends_with("the display lists share too much data")), "{texts:?}");
}

/// Corrupt files cause no panic.
#[test]
fn survives_hostile_bytes() {
    let file = sample();
    assert_eq!(sniff(&file), Format::from_name("pmo"), "recognised");
    let check = |bytes: &[u8]| {
        let view = View::new(bytes, 0, "pmo", FileRole::Input);
        let _ = read(view, None);
        let _ = read(view, Some(view));
    };
    for length in 0..file.len() {
        let whole = read(View::new(&file[..length], 0, "pmo", FileRole::Input), None);
        // The first group ends with its indices.
        assert!(whole.is_err() || length >= 0x117, "cut off after {length:#x} bytes");
    }
    let mut seed = 0x1234_5678u32;
    for at in 0..file.len() - 3 {
        for value in [0, u32::MAX, 0x7FFF_FFFF, 0x8000_0000, 0x7F80_0000, 1, 0xFFFF] {
            let mut bytes = file.clone();
            put(&mut bytes, at, value);
            check(&bytes);
        }
        for _ in 0..8 {
            let mut bytes = file.clone();
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            put(&mut bytes, at, seed);
            put(&mut bytes, (seed >> 8) as usize % (file.len() - 4), seed.rotate_left(13));
            check(&bytes);
        }
    }
}
