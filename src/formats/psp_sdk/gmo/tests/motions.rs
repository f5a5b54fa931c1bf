//! Tests motions and curves.

use super::build::{
    POSITION, TRIANGLE, arrays, block, bone, command, curve, draw, file, floats, material, mesh, motion, to,
    triangle,
};
use super::{argument, assert_near, float, matrix, model, notes};
use crate::formats::{Content, Request, open};
use crate::ge::opcode::Opcode;
use crate::model::Model;
use crate::model::matrix::transform;

/// Returns a model with a bone that moves along a curve on this channel.
fn moved(channel: u32, format: u32, dimensions: u32, keys: &[&[f32]]) -> Model {
    let motion = motion(&[(to(4, 0), channel, 0)], &[curve(format, dimensions, keys)]);
    model(&triangle(&[], &[], &[motion]))
}

/// Returns the place of the part's origin at a frame.
fn origin(model: &mut Model, frame: f64) -> [f32; 3] {
    model.animate(0, frame);
    transform(&matrix(model, &model.parts[0].uploads[0]), [0.0; 3])
}

#[test]
fn keys_are_interpolated_by_every_kind() {
    let mut constant = moved(0x48, 0, 3, &[&[0.0, 1.0, 0.0, 0.0], &[10.0, 3.0, 0.0, 0.0]]);
    assert_near(&origin(&mut constant, 9.5), &[1.0, 0.0, 0.0], "constant");
    let mut linear = moved(0x48, 1, 3, &[&[0.0, 1.0, 0.0, 0.0], &[10.0, 3.0, 0.0, 8.0]]);
    assert_near(&origin(&mut linear, 2.5), &[1.5, 0.0, 2.0], "linear");
    // Handles of 3 and -3 give 0.5 * (0 + 10) + 0.375 * (3 - 3) at the middle, and more before it.
    let hermite: [&[f32]; 2] = [
        &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        &[10.0, 10.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ];
    let mut curved = moved(0x48, 2, 3, &hermite);
    let bezier =
        |t: f32| 3.0 * (1.0 - t).powi(2) * t * 3.0 + 3.0 * (1.0 - t) * t * t * 7.0 + t.powi(3) * 10.0;
    for frame in [0.0, 2.0, 5.0, 9.0] {
        let found = origin(&mut curved, f64::from(frame));
        assert_near(&found, &[bezier(frame / 10.0), 0.0, 0.0], "hermite");
    }
    // Handles at the ends in time: the parameter at the middle is 0.5, but early frames lag.
    let zero = [0.0; 10];
    let one = [&[0.0, 0.0, 0.0, 0.0, 10.0, 0.0][..], &zero].concat();
    let other = [&[10.0, 10.0, -10.0, 0.0, 0.0, 0.0][..], &zero].concat();
    let mut cubic = moved(0x48, 3, 3, &[&one, &other]);
    assert_near(&origin(&mut cubic, 5.0), &[5.0, 0.0, 0.0], "cubic, in the middle");
    // With times 0, 10, 0, 10 the parameter t gives time 10 * (3t(1-t)^2 + t^3) and value 10 * (3t^2 - 2t^3).
    let t = 0.25_f32;
    let time = 10.0 * (3.0 * t * (1.0 - t).powi(2) + t.powi(3));
    let value = 10.0 * (3.0 * t * t - 2.0 * t.powi(3));
    assert_near(&origin(&mut cubic, f64::from(time)), &[value, 0.0, 0.0], "cubic, before it");
}

#[test]
fn quaternions_turn_along_the_shorter_arc() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut model = moved(0x4B, 4, 4, &[&[0.0, 0.0, 0.0, 0.0, 1.0], &[10.0, 0.0, 0.0, -half, -half]]);
    model.animate(0, 5.0);
    let found = transform(&matrix(&model, &model.parts[0].uploads[0]), [1.0, 0.0, 0.0]);
    assert_near(&found, &[half, half, 0.0], "an eighth of a turn");
}

#[test]
fn curves_go_on_outside_their_keys() {
    let keys: [&[f32]; 2] = [&[10.0, 0.0, 0.0, 0.0], &[20.0, 10.0, 0.0, 0.0]];
    for (format, early, late) in [
        (1, 0.0, 10.0),
        (1 | 1 << 8 | 1 << 12, 7.0, 4.0),
        (1 | 2 << 8 | 2 << 12, 3.0, 6.0),
        (1 | 3 << 8, 0.0, 10.0),
    ] {
        let mut model = moved(0x48, format, 3, &keys);
        assert_near(&origin(&mut model, 7.0), &[early, 0.0, 0.0], "before the first key");
        assert_near(&origin(&mut model, 24.0), &[late, 0.0, 0.0], "after the last key");
    }
}

#[test]
fn half_floats_hold_times_and_values() {
    let half = |value: f32| {
        let bits = value.to_bits();
        let exponent = (bits >> 23 & 0xFF).saturating_sub(112);
        u16::try_from(bits >> 16 & 0x8000 | exponent << 10 | bits >> 13 & 0x3FF).expect("16 bits")
    };
    let numbers = [0.0, 0.5, 0.0, 0.0, 16.0, -2.0, 0.0, 0.0].map(half);
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let curve = block(0xC, "curve", &[0x81, 3, 2, 0], &data, &[]);
    let mut model = model(&triangle(&[], &[], &[motion(&[(to(4, 0), 0x48, 0)], &[curve])]));
    assert_near(&origin(&mut model, 8.0), &[-0.75, 0.0, 0.0], "half of the way");
    assert_eq!(model.info.extra("curves_half"), Some(1), "counted");
}

#[test]
fn every_channel_of_bones_moves() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let column = [0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 5.0, 6.0, 7.0, 1.0];
    let cases: [(u32, Vec<f32>, [f32; 3]); 7] = [
        (0x47, column.to_vec(), [5.0, 8.0, 7.0]),
        (0x48, vec![1.0, 2.0, 3.0], [2.0, 2.0, 3.0]),
        (0x49, vec![0.0, 0.0, quarter], [0.0, 1.0, 0.0]),
        (0x4A, vec![0.0, quarter, 0.0], [0.0, 0.0, -1.0]),
        (0x4C, vec![2.0, 3.0, 4.0], [2.0, 0.0, 0.0]),
        (0x4D, vec![3.0, 3.0, 4.0], [3.0, 0.0, 0.0]),
        (0xE1, vec![4.0, 3.0, 4.0], [4.0, 0.0, 0.0]),
    ];
    for (channel, values, expected) in cases {
        let key = [&[0.0][..], &values].concat();
        let dimensions = u32::try_from(values.len()).expect("few");
        let mut model = moved(channel, 1, dimensions, &[&key]);
        model.animate(0, 3.0);
        let found = transform(&matrix(&model, &model.parts[0].uploads[0]), [1.0, 0.0, 0.0]);
        assert_near(&found, &expected, &format!("channel {channel:#x}"));
        assert_eq!(notes(&model), Vec::<String>::new(), "channel {channel:#x}");
    }
}

#[test]
fn visibility_calls_or_skips() {
    let mut model = moved(0x42, 0, 1, &[&[0.0, 1.0], &[10.0, 0.0]]);
    let call = model.parts[0].call;
    for (frame, code) in [(0.0, 0x0A), (10.0, 0x00), (9.0, 0x0A)] {
        model.animate(0, frame);
        assert_eq!(model.memory.read_u32(call) >> 24, code, "frame {frame}");
    }
}

#[test]
fn morph_weights_move() {
    let format = POSITION | 1 << 18;
    let values: Vec<f32> = TRIANGLE.chunks(3).flat_map(|place| place.repeat(2)).collect();
    for (channel, index, dimensions, key, expected) in [
        (0x43, 0, 2, vec![0.0, 0.25, 0.75], [0.25, 0.75]),
        (0x43, 1, 1, vec![0.0, 0.5], [0.0, 0.5]),
        (0x4F, 0, 1, vec![0.0, 0.75], [0.25, 0.75]),
    ] {
        let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(format, 3, &values)]);
        let motion = motion(&[(to(4, 0), channel, index)], &[curve(1, dimensions, &[&key])]);
        let mut model = model(&file(&[vec![bone(&[]), part, material(&[]), motion]]));
        model.animate(0, 0.0);
        let found = [Opcode::MORPHWEIGHT0, Opcode::MORPHWEIGHT1].map(|opcode| float(&model, 0, opcode));
        assert_near(&found, &expected, &format!("channel {channel:#x}"));
    }
}

#[test]
fn colors_and_crops_move() {
    let layer = block(9, "layer", &[], &[], &[command(0x91, &[to(0xA, 0)])]);
    let tga = [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x28][..], &[255; 4]].concat();
    let size = u32::try_from(tga.len()).expect("small");
    let texture = block(0xA, "white", &[], &[], &[super::build::command_with(0x13, &[size], &tga)]);
    let tracks = [(to(8, 0), 0x82, 0), (to(8, 0), 0x98, 0), (to(8, 0), 0x85, 0)];
    let curves = [
        curve(1, 4, &[&[0.0, 0.0, 0.0, 0.0, 1.0], &[10.0, 1.0, 0.0, 0.0, 1.0]]),
        curve(1, 4, &[&[0.0, 0.0, 0.0, 1.0, 1.0], &[10.0, 1.0, -1.0, 1.0, 1.0]]),
        curve(0, 4, &[&[0.0, 0.0, 0.0, 0.0, 0.5], &[20.0, 1.0, 1.0, 1.0, 1.0]]),
    ];
    let mut model = model(&triangle(&[], &[layer], &[texture, motion(&tracks, &curves)]));
    model.animate(0, 5.0);
    assert_eq!(argument(&model, 0, Opcode::MATERIALDIFFUSE), 0x00_0080, "half red");
    assert_eq!(argument(&model, 0, Opcode::MATERIALALPHA), 128, "ambient alpha");
    let offsets = [Opcode::TEXOFFSETU, Opcode::TEXOFFSETV].map(|opcode| float(&model, 0, opcode));
    assert_near(&offsets, &[0.5, -0.5], "crop");
    model.animate(0, 25.0);
    assert_eq!(argument(&model, 0, Opcode::MATERIALAMBIENT), 0xFF_FFFF, "white");
}

#[test]
fn motions_have_a_range_and_a_rate() {
    let keys = [curve(1, 3, &[&[5.0, 0.0, 0.0, 0.0], &[15.0, 10.0, 0.0, 0.0]])];
    let animate = || command(0xB3, &[to(4, 0), 0x48, 0, to(0xC, 0)]);
    let bare = block(0xB, "bare", &[], &[], &[vec![animate()], keys.to_vec()].concat());
    let mut model = model(&triangle(&[], &[], &[bare]));
    let animation = &model.animations[0];
    assert_eq!((animation.frames, animation.frames_per_second), (11, Some(30.0)), "those of the keys");
    assert_eq!(notes(&model).len(), 2, "both are said: {:?}", notes(&model));
    assert_near(&origin(&mut model, 5.0), &[5.0, 0.0, 0.0], "frames count from the first key");
    for (repeat, expected) in [(0, 10.0), (1, 2.0)] {
        let children = [
            vec![floats(0xB1, &[5.0, 15.0]), floats(0xB2, &[10.0]), command(0xB4, &[repeat]), animate()],
            keys.to_vec(),
        ];
        let motion = block(0xB, "motion", &[], &[], &children.concat());
        let mut model = super::model(&triangle(&[], &[], &[motion]));
        assert_eq!(model.animations[0].frames_per_second, Some(10.0), "rate");
        assert_near(&origin(&mut model, 12.0), &[expected, 0.0, 0.0], "after the end");
    }
}

#[test]
fn motions_of_other_models_find_bones_by_name() {
    let moving = |name: &str| {
        let other = block(4, "first", &[], &[], &[]);
        let bone = block(4, name, &[], &[], &[]);
        let keys = curve(1, 3, &[&[0.0, 7.0, 0.0, 0.0]]);
        vec![other, bone, motion(&[(to(4, 1), 0x48, 0)], &[keys])]
    };
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(POSITION, 3, &TRIANGLE)]);
    let scene = vec![bone(&[]), part, material(&[])];
    let mut same = model(&file(&[scene.clone(), moving("bone")]));
    assert_near(&origin(&mut same, 0.0), &[7.0, 0.0, 0.0], "in the same file");
    let alone = file(&[moving("bone")]);
    let opened = open(&Request::new("motion.gmo", &alone)).expect("motions");
    let Content::Animations(set) = opened.content else { panic!("animations") };
    assert_eq!((set.animations.len(), set.bones), (1, 2), "by itself");
    let bytes = file(&[scene]);
    let animations = Some(crate::formats::File { name: "motion.gmo", bytes: &alone });
    let opened = open(&Request { animations, ..Request::new("model.gmo", &bytes) }).expect("good");
    let Content::Model(mut given) = opened.content else { panic!("a model") };
    assert_near(&origin(&mut given, 0.0), &[7.0, 0.0, 0.0], "from a file that was given");
    let lost = file(&[moving("elsewhere")]);
    let animations = Some(crate::formats::File { name: "motion.gmo", bytes: &lost });
    let opened = open(&Request { animations, ..Request::new("model.gmo", &bytes) }).expect("good");
    let texts = crate::formats::tests::texts(opened.content.notes());
    assert!(texts.iter().any(|text| text.contains("1 bones that the model lacks")), "{texts:?}");
}

#[test]
fn keys_out_of_order_are_sorted() {
    let mut model =
        moved(0x48, 1, 3, &[&[10.0, 10.0, 0.0, 0.0], &[f32::NAN, 9.0, 9.0, 9.0], &[0.0, 0.0, 0.0, 0.0]]);
    assert_near(&origin(&mut model, 5.0), &[5.0, 0.0, 0.0], "between them");
    assert!(notes(&model)[0].contains("not in the order of their times"), "{:?}", notes(&model));
}
