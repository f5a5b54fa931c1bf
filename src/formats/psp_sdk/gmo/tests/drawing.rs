//! Tests parts, vertices, draws, bones and boxes.

use super::build::{
    INDEXED, POSITION, TRIANGLE, arrays, block, bone, command, command_with, draw, file, floats, material,
    mesh, to, triangle,
};
use super::{argument, assert_near, in_part, matrix, model, notes, words};
use crate::formats::{Content, Request, Selection, open};
use crate::ge::opcode::Opcode;
use crate::model::matrix::transform;

/// Builds a model with a single mesh over 12 vertices.
fn drawn(format: u32, draws: &[Vec<u8>]) -> Vec<u8> {
    let positions: Vec<f32> = (0..36_u8).map(f32::from).collect();
    let part = block(5, "part", &[], &[], &[mesh(draws), arrays(format, 12, &positions)]);
    file(&[vec![bone(&[]), part, material(&[])]])
}

#[test]
fn draws_keep_the_layout_of_the_file() {
    let model = model(&drawn(POSITION, &[draw(3, 3, 4, &[])]));
    assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
    let [part] = model.parts.as_slice() else { panic!("one part") };
    let start = words(&model, part.list.start, part.list.end);
    assert_eq!(start[0], 0x1200_0180, "VTYPE");
    assert_eq!(start[3], 0x0403_000C, "a PRIM of all triangles");
    let info = &model.info;
    assert_eq!((info.vertices, info.triangles, info.meshes, info.bones), (12, 4, 1, 1), "counts");
    let source = model.sources.iter().find(|source| source.length == 144).expect("vertices");
    assert_eq!(model.memory.read_u32(source.address.offset(4)), 1.0_f32.to_bits(), "copied unchanged");
}

#[test]
fn every_primitive_is_drawn_with_and_without_indices() {
    for (kind, unit) in [(0_u32, 1_u32), (1, 2), (2, 4), (3, 3), (4, 4), (5, 4), (6, 2)] {
        // Each strip or fan is drawn alone, lists at once.
        let expected = |total: u32| match kind {
            2 | 4 | 5 => vec![kind << 16 | unit; 2],
            _ => vec![kind << 16 | total],
        };
        let indices: Vec<u16> = (0..u16::try_from(unit * 2).expect("small")).rev().collect();
        let listed = model(&drawn(POSITION | INDEXED, &[draw(kind, unit, 2, &indices)]));
        assert_eq!(in_part(&listed, 0, Opcode::PRIM), expected(unit * 2), "primitive {kind}, indices");
        assert_eq!(in_part(&listed, 0, Opcode::VTYPE), [0x1180], "16-bit indices");
        let address = in_part(&listed, 0, Opcode::IADDR)[0];
        let source = listed.sources.iter().find(|source| source.address.get() & 0xFF_FFFF == address);
        assert_eq!(source.map(|source| source.length), Some(unit * 4), "primitive {kind}: copied unchanged");
        let plain = model(&drawn(POSITION, &[draw(kind, unit, 2, &[])]));
        assert_eq!(in_part(&plain, 0, Opcode::PRIM), expected(unit * 2), "primitive {kind}, in order");
        let sequential = model(&drawn(POSITION | INDEXED, &[draw(kind | 0x100, unit, 2, &[2])]));
        assert_eq!(in_part(&sequential, 0, Opcode::PRIM), expected(unit * 2), "primitive {kind}, sequential");
        let first = |model: &crate::model::Model| in_part(model, 0, Opcode::VADDR)[0];
        assert_eq!(first(&sequential) - first(&plain), 24, "from the third vertex on");
        assert_eq!(notes(&sequential), Vec::<String>::new(), "nothing is odd");
    }
}

#[test]
fn triangle_lists_may_be_one_primitive() {
    let model = model(&drawn(POSITION | INDEXED, &[draw(3, 6, 1, &[0, 1, 2, 2, 1, 3])]));
    assert_eq!((in_part(&model, 0, Opcode::PRIM), model.info.triangles), (vec![0x03_0006], 2), "six by one");
    let strips = drawn(POSITION | INDEXED, &[draw(4, 5, 2, &[0, 1, 2, 3, 4, 4, 5, 6, 7, 8])]);
    let model = super::model(&strips);
    assert_eq!((in_part(&model, 0, Opcode::PRIM), model.info.triangles), (vec![0x04_0005; 2], 6), "strips");
}

#[test]
fn missing_vertices_leave_out_primitives() {
    let model = model(&drawn(POSITION | INDEXED, &[draw(3, 3, 3, &[0, 1, 2, 3, 4, 12, 5, 6, 7])]));
    assert_eq!(in_part(&model, 0, Opcode::PRIM), [0x03_0006], "two of three");
    assert!(notes(&model)[0].ends_with("1 primitives use vertices that do not exist; they are left out"));
    let model = super::model(&drawn(POSITION, &[draw(3, 3, 9, &[])]));
    assert_eq!(in_part(&model, 0, Opcode::PRIM), [0x03_000C], "as many as there are");
    let model = super::model(&drawn(POSITION | INDEXED, &[draw(3, 3, 4, &[0, 1, 2, 3])]));
    assert_eq!(in_part(&model, 0, Opcode::PRIM), [0x03_0003], "indices are cut off");
    assert!(
        notes(&model).iter().any(|note| note.contains("12 indices are given, 4 are there")),
        "{:?}",
        notes(&model)
    );
}

#[test]
fn splines_have_edges_and_divisions() {
    let grid: Vec<u16> = (0..16).map(|index| index % 12).collect();
    let bytes: Vec<u8> = grid.iter().flat_map(|index| index.to_le_bytes()).collect();
    let spline = command_with(0x68, &[to(7, 0), 4 | 1 << 12 | 3 << 14, 4, 4], &bytes);
    let model = model(&drawn(POSITION | INDEXED, &[floats(0x63, &[6.0, 100.0]), spline]));
    assert_eq!(in_part(&model, 0, Opcode::SPLINE), [3 << 18 | 1 << 16 | 4 << 8 | 4], "4x4, edges");
    assert_eq!(in_part(&model, 0, Opcode::PATCHDIVISION), [64 << 8 | 6], "clamped");
    assert_eq!((notes(&model), model.info.extra("patches")), (Vec::new(), Some(1)), "nothing is odd");
    let patch = command_with(0x6A, &[to(7, 0), 4, 4, 4], &bytes);
    let model = super::model(&drawn(POSITION | INDEXED, &[patch]));
    assert_eq!(in_part(&model, 0, Opcode::BEZIER), [4 << 8 | 4], "a guess");
    assert!(notes(&model)[0].contains("drawn as Bezier patches"), "{:?}", notes(&model));
}

/// Builds a triangle whose vertices have `weights` weights of a byte each and a position.
fn skinned(weights: u32, subset: Option<&[u32]>, offsets: bool) -> Vec<u8> {
    let format = POSITION | INDEXED | 1 << 9 | (weights - 1) << 14;
    let mut data = Vec::new();
    for _ in 0..3 {
        let mut vertex = vec![16_u8; weights as usize];
        vertex.resize(vertex.len().next_multiple_of(4), 0);
        vertex.extend([0; 12]);
        data.extend(vertex);
    }
    let vertices = block(7, "arrays", &[format, 3, 1, 0], &data, &[]);
    let mut commands = Vec::new();
    if let Some(subset) = subset {
        let count = u32::try_from(subset.len()).expect("few");
        commands.push(command(0x62, &[&[count][..], subset].concat()));
    }
    commands.push(draw(3, 3, 1, &[0, 1, 2]));
    let part = block(5, "part", &[], &[], &[mesh(&commands), vertices]);
    let joint = |x: f32| block(4, "joint", &[], &[], &[floats(0x48, &[x, 0.0, 0.0])]);
    let mut chunks: Vec<Vec<u8>> = (0..10_u8).map(|number| joint(f32::from(number))).collect();
    let blended: Vec<u32> = std::iter::once(10).chain((0..10).map(|number| to(4, number))).collect();
    let mut drawing = vec![command(0x44, &blended), floats(0x48, &[100.0, 0.0, 0.0])];
    if offsets {
        let mut all = 10_u32.to_le_bytes().to_vec();
        for number in 0..10_u8 {
            let mut offset = [0.0_f32; 16];
            for axis in 0..4 {
                offset[axis * 5] = 1.0;
            }
            offset[13] = f32::from(number);
            all.extend(offset.iter().flat_map(|value| value.to_le_bytes()));
        }
        drawing.push(command_with(0x45, &[], &all));
    }
    chunks.push(bone(&drawing));
    chunks.extend([part, material(&[])]);
    file(&[chunks])
}

#[test]
fn vertices_have_one_to_eight_bones() {
    for weights in 1..=8_u32 {
        let subset: Vec<u32> = (0..weights).map(|slot| 9 - slot).collect();
        let model = model(&skinned(weights, Some(&subset), true));
        assert_eq!(notes(&model), Vec::<String>::new(), "{weights}");
        let [part] = model.parts.as_slice() else { panic!("one part") };
        assert_eq!((part.weights, part.uploads.len()), (weights as usize, weights as usize), "matrices");
        for (upload, slot) in part.uploads.iter().zip(0..) {
            let number = 9 - slot;
            assert_eq!((upload.slot, upload.bone), (slot as usize, Some(number)), "by the subset");
            let place = transform(&matrix(&model, upload), [0.0; 3]);
            // The bone's place and its offset; the bone that draws does not count.
            #[expect(clippy::cast_precision_loss, reason = "small")]
            let number = number as f32;
            assert_near(&place, &[number, number, 0.0], "matrix");
        }
    }
    let model = model(&skinned(3, None, false));
    let bones: Vec<_> = model.parts[0].uploads.iter().map(|upload| upload.bone).collect();
    assert_eq!(bones, [Some(0), Some(1), Some(2)], "in order without a subset");
}

#[test]
fn subsets_of_more_bones_than_weights_are_noted() {
    let model = model(&skinned(2, Some(&[0, 1, 2, 3]), false));
    assert!(
        notes(&model)[0]
            .ends_with("the mesh names 4 bones, its vertices have 2 weights; the others are not used")
    );
}

#[test]
fn weights_without_blend_bones_do_not_move() {
    let format = POSITION | 3 << 9 | 1 << 14;
    let values: Vec<f32> = TRIANGLE.chunks(3).flat_map(|place| [&[0.5, 0.5][..], place].concat()).collect();
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(format, 3, &values)]);
    let model = model(&file(&[vec![bone(&[]), part, material(&[])]]));
    assert!(notes(&model)[0].contains("their bone blends no others"), "{:?}", notes(&model));
    assert_eq!(model.parts[0].palette, [None; 8], "no bones");
}

#[test]
fn quantised_vertices_get_scale_and_offset() {
    let format = 2 << 7 | 2;
    let data = [0_u8; 30];
    let vertices = block(7, "arrays", &[format, 3, 1, 0], &data, &[]);
    let offset =
        command_with(0x15, &[0x180], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes).concat());
    let texcoord = command_with(0x15, &[3], &[0.5_f32, 0.25, 2.0, 4.0].map(f32::to_le_bytes).concat());
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), vertices, offset, texcoord]);
    let model = model(&file(&[vec![bone(&[floats(0x48, &[10.0, 0.0, 0.0])]), part, material(&[])]]));
    let found = matrix(&model, &model.parts[0].uploads[0]);
    assert_near(
        &found,
        &[4.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 6.0, 11.0, 2.0, 3.0],
        "on the right of WORLD",
    );
    let uniform = command_with(0x15, &[0x180], &[1.0_f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat());
    let vertices = block(7, "arrays", &[format, 3, 1, 0], &data, &[]);
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), vertices, uniform]);
    let model = super::model(&file(&[vec![bone(&[]), part, material(&[])]]));
    let found = matrix(&model, &model.parts[0].uploads[0]);
    assert_near(&found, &[4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0, 1.0, 2.0, 3.0], "one scale");
}

#[test]
fn morph_frames_have_weights() {
    let format = POSITION | 2 << 18;
    let values: Vec<f32> = TRIANGLE.chunks(3).flat_map(|place| place.repeat(3)).collect();
    let part = || block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(format, 3, &values)]);
    for (commands, expected) in [
        (vec![], [1.0, 0.0, 0.0]),
        (
            vec![command(0x43, &[3, 0.25_f32.to_bits(), 0.5_f32.to_bits(), 0.25_f32.to_bits()])],
            [0.25, 0.5, 0.25],
        ),
        (vec![floats(0x4F, &[1.25])], [0.0, 0.75, 0.25]),
    ] {
        let model = model(&file(&[vec![bone(&commands), part(), material(&[])]]));
        let found: Vec<f32> =
            (0..3).map(|number| super::float(&model, 0, Opcode::MORPHWEIGHT0.plus(number))).collect();
        assert_near(&found, &expected, "weights");
        assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
    }
}

#[test]
fn bones_draw_in_two_groups_and_may_hide() {
    let early = bone(&[]);
    let late = bone(&[command(0xE2, &[0, 1])]);
    let hidden = bone(&[command(0x42, &[0])]);
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(POSITION, 3, &TRIANGLE)]);
    let bytes = file(&[vec![late, early, hidden, part, material(&[])]]);
    let found = model(&bytes);
    let order: Vec<_> = found.parts.iter().map(|part| part.palette[0]).collect();
    assert_eq!(order, [Some(1), Some(0)], "the late one is last, the hidden one is not drawn");
    assert_eq!(found.alternatives.levels_of_detail[0].hidden_meshes, 1, "one can be shown");
    let selection = Selection { hidden: true, ..Selection::default() };
    let opened = open(&Request { selection, ..Request::new("model.gmo", &bytes) }).expect("good");
    let Content::Model(model) = opened.content else { panic!("a model") };
    assert_eq!(model.parts.len(), 3, "all");
    let starts: Vec<_> = model.parts.iter().map(|part| part.list.start).collect();
    assert!(starts.iter().all(|start| *start == starts[0]), "the same list, called three times");
}

#[test]
fn boxes_are_tested_if_they_hold_the_mesh() {
    let corners = |size: f32| {
        let corner = |bit: usize, number: usize| if number >> bit & 1 == 1 { size } else { 0.0 };
        let points: Vec<f32> =
            (0..8).flat_map(|number| [corner(0, number), corner(1, number), corner(2, number)]).collect();
        let bytes: Vec<u8> = points.iter().flat_map(|value| value.to_le_bytes()).collect();
        command_with(0x16, &[8], &bytes)
    };
    for (size, is_tested) in [(1.0, true), (0.5, false)] {
        let part = block(
            5,
            "part",
            &[],
            &[],
            &[mesh(&[corners(size), draw(3, 3, 1, &[])]), arrays(POSITION, 3, &TRIANGLE)],
        );
        let model = model(&file(&[vec![bone(&[]), part, material(&[])]]));
        let before = words(&model, model.entry, model.parts[0].call);
        let tests = before.iter().filter(|word| **word == 0x0700_0008).count();
        assert_eq!(tests == 1, is_tested, "a box of side {size}");
    }
}

#[test]
fn files_with_several_models_offer_groups() {
    let part = |count| {
        let positions: Vec<f32> = TRIANGLE.repeat(count);
        let count = u32::try_from(count).expect("few");
        block(
            5,
            "part",
            &[],
            &[],
            &[mesh(&[draw(3, 3, count, &[])]), arrays(POSITION, 3 * count, &positions)],
        )
    };
    let scene = |count| vec![bone(&[]), part(count), material(&[])];
    let bytes = file(&[scene(1), scene(2)]);
    for (group, triangles) in [(0, 1), (1, 2)] {
        let selection = Selection { group, ..Selection::default() };
        let opened = open(&Request { selection, ..Request::new("model.gmo", &bytes) }).expect("good");
        let Content::Model(model) = opened.content else { panic!("a model") };
        assert_eq!(model.info.triangles, triangles, "group {group}");
        assert!(notes(&model)[0].starts_with("the file has 2 models with meshes"), "{:?}", notes(&model));
    }
}

#[test]
fn parts_without_a_bone_are_drawn_where_they_are() {
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(POSITION, 3, &TRIANGLE)]);
    let model = model(&file(&[vec![part, material(&[])]]));
    assert_eq!((model.parts.len(), model.skeleton.is_none()), (1, true), "drawn");
    let world = argument(&model, 0, Opcode::WORLDMATRIXNUMBER);
    assert_eq!(world, 0, "by WORLD");
}

#[test]
fn triangles_are_drawn_by_a_bone() {
    let model = model(&triangle(&[floats(0x48, &[1.0, 2.0, 3.0])], &[], &[]));
    let place = transform(&matrix(&model, &model.parts[0].uploads[0]), [0.0; 3]);
    assert_near(&place, &[1.0, 2.0, 3.0], "moved");
}
