//! Tests files with oddities that cost no group.

use super::*;

/// If fields contradict the content, or nothing depends on them, they cost no group.
#[test]
fn warns_of_oddities() {
    for (at, value, message) in [
        (4usize, 0x0031_2E31u32, "at 0x4: the version is unknown: the file is read as version 1.0"),
        (
            0x64,
            2,
            "at 0xc2: the display list does not start at a multiple of 4: it runs from the multiple before",
        ),
        (
            0x34,
            0xC1,
            "at 0x34: the display list does not start at a multiple of 4: it runs from the multiple before",
        ),
        (
            0xD4,
            0x0800_0000,
            "at 0xd4: a command of the display list is left out: the display list uses JUMP, which models may not use",
        ),
        (
            0x114,
            0x0001_FF00,
            "at 0x115: the vertex of index 255 is outside the mesh data: its triangles are left out",
        ),
        (
            0x130,
            0x0404_FFFF,
            "at 0x130: 65535 vertices are drawn, and the mesh data end after 6: the others are left out",
        ),
        (8, 7, "at 0x8: the header says 7 bytes, but there are 356"),
        (0xC, 0, "at 0xc: the clipping distance is smaller than the scale"),
        (0x10, f32::NAN.to_bits(), "at 0x10: a scale or offset is not a finite number: 4 replaces it"),
        (0x1C, 0x0002_0002, "at 0x1c: 2 mesh headers are counted, and there is room for 1"),
        (
            0x1C,
            0x0001_0001,
            "at 0x60: the tristrip uses entry 1 of the materials, of which the headers count 1",
        ),
        (
            0x28,
            0x1000,
            "at 0x28: the material remap at 0x1000 start past the end of the file: the model is drawn without them",
        ),
        (0x2C, 0x7F, "at 0x2c: the bone data at 0x7f start before 0x80, the lowest usual offset"),
        (
            0x2C,
            0x1000,
            "at 0x2c: the bone data at 0x1000 start past the end of the file: the model is drawn without them",
        ),
        (
            0x30,
            0x1000,
            "at 0x30: the materials at 0x1000 start past the end of the file: the model is drawn without them",
        ),
        (0x40, f32::INFINITY.to_bits(), "at 0x40: a scale or offset is not a finite number: 1 replaces it"),
        (0x48, 0x8000_0013, "at 0x48: the draw flags 0x80000013 have bits of unknown meaning"),
        (
            0x48,
            0x8000_0005,
            "at 0x4c: the blend word 0x00000000 is not a BLENDMODE command: the mesh is blended by source alpha",
        ),
        (0x60, 0x0000_0900, "at 0x61: 9 bones for one tristrip; the Graphics Engine has 8 bone matrices"),
        (
            0x68,
            0x28,
            "at 0x68: the tristrip header gives another offset for the vertices than its display list",
        ),
        (
            0x70,
            0x0003_0001,
            "at 0x72: the bone entry count does not continue the previous one: 2 expected, 3 found",
        ),
        (0x90, 0x0901_0708, "at 0x90: bone matrix 8 does not exist; there are 8"),
        (0xD0, 0x1202_4B02, "at 0xd0: the vertex type has undefined bits set"),
        (0xD0, 0x1200_8B02, "at 0x61: vertices have 3 weights, but only 2 bone matrices have a bone"),
        (0xE4, 0x0000_0010, "at 0xe4: the weights of a vertex do not add up to one"),
        (
            0x114,
            0x0001_0400,
            "at 0x115: index 4 is outside the vertices: the bytes there are drawn as a vertex",
        ),
        (0x80, 0xFFFF, "at 0x60: no group has a material that exists: all are white"),
    ] {
        let mut file = sample();
        put(&mut file, at, value);
        let model = model_of(&file).unwrap_or_else(|error| panic!("{message}: {error}"));
        assert!(
            texts(&model.notes).iter().any(|note| note == message),
            "{message}: {:?}",
            texts(&model.notes)
        );
        assert_eq!(model.parts.len(), 2, "{message}: both groups");
    }
}

/// Commands that cannot run are replaced in memory, so that the others keep their addresses.
#[test]
fn replaces_what_cannot_run() {
    let mut file = sample();
    put(&mut file, 0xD4, 0x0800_0000);
    put(&mut file, 0x114, 0x0001_FFFF);
    let model = model_of(&file).expect("a model");
    let list = model.parts[0].list.start;
    assert_eq!(model.memory.read_u32(list.offset(0x14)), 0, "NOP instead of JUMP");
    let indices = [0x54, 0x55, 0x56].map(|at| model.memory.read_u8(list.offset(at)));
    assert_eq!(indices, [1, 1, 1], "an index that exists instead of those that do not");
    assert_eq!(model.info.draws, 2, "both groups");
}
