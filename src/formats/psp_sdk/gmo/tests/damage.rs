//! Tests odd and damaged files.

use super::build::{
    INDEXED, POSITION, TRIANGLE, arrays, block, bone, command, command_with, curve, draw, file, floats,
    material, mesh, motion, to, triangle,
};
use super::{GmoProblem, model, notes};
use crate::formats::{Content, Request, open};

/// Returns the problem for which a file is refused.
fn refused(bytes: &[u8]) -> GmoProblem {
    let error = open(&Request::new("model.gmo", bytes)).expect_err("no model");
    error.problem_as::<GmoProblem>().unwrap_or_else(|| panic!("{error:?}")).clone()
}

#[test]
fn lists_end_at_a_stray_word() {
    let layer = block(
        9,
        "layer",
        &[],
        &[],
        &[command(0x92, &[0x82]), vec![0; 4], command(0x97, &[1, 1]), command(0x96, &[0, 0])],
    );
    let model = model(&triangle(&[], &[layer], &[]));
    assert!(notes(&model)[0].contains("36 bytes are not read"), "{:?}", notes(&model));
    assert_eq!(model.parts.len(), 1, "drawn with the defaults");
}

#[test]
fn levels_of_references_do_not_count() {
    for level in 0..16 {
        let part = block(
            5,
            "part",
            &[],
            &[],
            &[mesh(&[command(0x66, &[7 << 16 | level << 12, 3, 3, 1])]), arrays(POSITION, 3, &TRIANGLE)],
        );
        let model = model(&file(&[vec![bone(&[]), part, material(&[])]]));
        assert_eq!((model.parts.len(), notes(&model).len()), (1, 0), "level {level}");
    }
}

#[test]
fn references_that_lead_nowhere_are_noted() {
    let part = block(
        5,
        "part",
        &[],
        &[],
        &[
            block(6, "mesh", &[], &[], &[command(0x61, &[to(8, 7)]), draw(3, 3, 1, &[])]),
            block(6, "mesh", &[], &[], &[command(0x66, &[to(4, 0), 3, 3, 1])]),
            arrays(POSITION, 3, &TRIANGLE),
        ],
    );
    let model = model(&file(&[vec![bone(&[command(0x41, &[to(4, 9)])]), part, material(&[])]]));
    let notes = notes(&model);
    for text in ["0x81007 leads to no material", "0x41000 leads to no vertices", "0x41009 leads to no bone"] {
        assert!(notes.iter().any(|note| note.contains(text)), "{text}: {notes:?}");
    }
    assert_eq!(model.parts.len(), 1, "the first mesh");
}

#[test]
fn parents_may_follow_and_cycles_are_cut() {
    let joint = |parent: u32| block(4, "joint", &[], &[], &[command(0x41, &[to(4, parent)])]);
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(POSITION, 3, &TRIANGLE)]);
    let later = model(&file(&[vec![joint(1), bone(&[]), part.clone(), material(&[])]]));
    let skeleton = later.skeleton.as_ref().expect("bones");
    assert_eq!(skeleton.bones()[0].parent, Some(1), "the parent comes later");
    assert!(notes(&later)[0].contains("bone 0 comes before its parent"), "{:?}", notes(&later));
    let cycle = model(&file(&[vec![joint(1), joint(2), joint(0), bone(&[]), part, material(&[])]]));
    assert!(notes(&cycle).iter().any(|note| note.contains("form a cycle")), "{:?}", notes(&cycle));
    assert_eq!(cycle.parts.len(), 1, "drawn");
}

#[test]
fn odd_arrays_are_noted() {
    let part = |format: u32, morphs: u32, count: u32| {
        let data: Vec<u8> = TRIANGLE.iter().flat_map(|value| value.to_le_bytes()).collect();
        let arrays = block(7, "arrays", &[format, count, morphs, 0], &data, &[]);
        let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays]);
        file(&[vec![bone(&[]), part, material(&[])]])
    };
    for (format, morphs, count, text) in [
        (0x1000_0000 | POSITION, 1, 3, "a vertex is given as 16 bytes, its layout has 12"),
        (POSITION, 4, 3, "4 morph frames are given, the layout has 1"),
        (POSITION, 1, 99, "99 vertices are given, 3 are in the file"),
    ] {
        let model = model(&part(format, morphs, count));
        assert!(notes(&model)[0].ends_with(text), "{:?}", notes(&model));
        assert_eq!(model.parts.len(), 1, "drawn");
    }
    // Without positions, or with colours that do not exist, only the skeleton remains.
    for format in [3, POSITION | 1 << 2] {
        let opened = open(&Request::new("model.gmo", &part(format, 1, 3))).expect("bones");
        assert!(matches!(opened.content, Content::Skeleton { .. }), "{format:#x}");
        let texts = crate::formats::tests::texts(opened.content.notes());
        assert!(texts[0].contains("cannot be drawn"), "{texts:?}");
    }
}

#[test]
fn files_without_models_are_refused() {
    assert_eq!(refused(&file(&[])), GmoProblem::NoModel, "no model");
    assert_eq!(refused(&file(&[vec![material(&[])]])), GmoProblem::NothingDrawn, "no mesh");
    let opened = open(&Request::new("model.gmo", &file(&[vec![block(4, "bone", &[], &[], &[])]])));
    assert!(matches!(opened.expect("a skeleton").content, Content::Skeleton { .. }), "bones alone");
}

#[test]
fn blind_data_and_file_info_are_kept() {
    let blind = command_with(0xF1, &[], b"note\0\0\0\0\x01\x02\xFE");
    let block_of = block(0xF, "tool", &[], &[], &[blind]);
    let info = command_with(0xFF, &[], b"a.gms\0me\0\0\0");
    let bytes = triangle(&[], &[], &[block_of, info, command(0x6F, &[5]), floats(0x14, &[0.0; 6])]);
    let model = model(&bytes);
    let fields: Vec<_> =
        model.fields.iter().map(|field| (field.name.as_str(), field.value.as_str())).collect();
    for expected in [
        ("blind data note", "0102fe00"),
        ("source file", "a.gms"),
        ("user", "me"),
        ("command 0x6f", "05000000"),
        ("bounding box", "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"),
    ] {
        assert!(fields.contains(&expected), "{expected:?}: {fields:?}");
    }
}

#[test]
fn cut_files_draw_what_is_left() {
    let good = triangle(&[], &[], &[motion(&[], &[])]);
    let whole = good.len();
    let cut = &good[..whole - 8];
    let model = model(cut);
    assert_eq!(model.parts.len(), 1, "the motion is cut");
    assert!(notes(&model).iter().any(|note| note.contains("the chunk is given as")), "{:?}", notes(&model));
}

/// A bone draws a part many times, and the part draws the same vertices many times.
#[test]
fn work_is_bounded() {
    let draws = vec![draw(4, 4000, 1, &[]); 300];
    let positions = vec![0.0; 12000];
    let part = block(5, "part", &[], &[], &[mesh(&draws), arrays(POSITION, 4000, &positions)]);
    let children: Vec<Vec<u8>> = vec![command(0x4E, &[to(5, 0)]); 3000];
    let bones = block(4, "bone", &[], &[], &children);
    assert_eq!(refused(&file(&[vec![bones, part, material(&[])]])), GmoProblem::TooMuchWork);
}

/// Builds a model with a bit of everything.
fn sample() -> Vec<u8> {
    let format = POSITION | INDEXED | 3 << 9 | 1 << 14;
    let values: Vec<f32> = TRIANGLE.chunks(3).flat_map(|place| [&[0.5, 0.5][..], place].concat()).collect();
    let offset = command_with(0x15, &[3], &[0_u8; 16]);
    let part = block(
        5,
        "part",
        &[],
        &[],
        &[mesh(&[command(0x62, &[2, 0, 1]), draw(4, 3, 1, &[0, 1, 2])]), arrays(format, 3, &values), offset],
    );
    let joint =
        block(4, "joint", &[], &[], &[command(0x41, &[to(4, 0)]), floats(0x4B, &[0.0, 0.0, 0.0, 1.0])]);
    let root = bone(&[command(0x44, &[2, to(4, 0), to(4, 1)]), floats(0x4D, &[1.0, 2.0, 1.0])]);
    let layer = block(9, "layer", &[], &[], &[command(0x91, &[to(0xA, 0)]), command(0x94, &[0, 6, 7])]);
    let texture = block(0xA, "texture", &[], &[], &[command_with(0x12, &[], b"skin.tga\0")]);
    let tracks = [(to(4, 1), 0x48, 0), (to(8, 0), 0x98, 0), (to(4, 1), 0x42, 0)];
    let curves = [
        curve(3, 3, &[&[0.0; 16], &[10.0; 16]]),
        curve(2, 4, &[&[0.0; 13], &[5.0; 13]]),
        curve(0x1101, 1, &[&[0.0, 1.0], &[4.0, 0.0]]),
    ];
    file(&[vec![root, joint, part, material(&[layer]), texture, motion(&tracks, &curves)]])
}

#[test]
fn cut_and_changed_files_do_not_panic() {
    let good = sample();
    assert_eq!(model(&good).parts.len(), 1, "the whole file is drawn");
    for length in 0..good.len() {
        let _ = open(&Request::new("model.gmo", &good[..length]));
    }
    for at in (0..good.len() - 4).step_by(2) {
        for value in [0_u32, u32::MAX, 0x8000_0000, 1, 28, 0x7F80_0000, 0x0100_0000] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let Ok(opened) = open(&Request::new("model.gmo", &bytes)) else { continue };
            let Content::Model(mut model) = opened.content else { continue };
            for frame in [-1.0, 0.0, 2.5, 1e12, f64::NAN, f64::INFINITY] {
                for animation in 0..model.animations.len() {
                    model.animate(animation, frame);
                }
            }
        }
    }
}
