//! Tests materials, layers and render states.

use super::build::{block, command, floats, to, triangle};
use super::{argument, model, notes};
use crate::ge::opcode::Opcode;

/// Builds a layer with this map type and more commands.
fn layer(map: u32, commands: &[Vec<u8>]) -> Vec<u8> {
    let mut children = vec![command(0x91, &[to(0xA, 0)]), command(0x92, &[map])];
    children.extend_from_slice(commands);
    block(9, "layer", &[], &[], &children)
}

/// Builds a texture with a single white pixel.
fn white() -> Vec<u8> {
    let tga = [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x28][..], &[255; 4]].concat();
    let size = u32::try_from(tga.len()).expect("small");
    block(0xA, "white", &[], &[], &[super::build::command_with(0x13, &[size], &tga)])
}

fn with(material: &[Vec<u8>]) -> crate::model::Model {
    model(&triangle(&[], material, &[white()]))
}

#[test]
fn states_have_defaults_and_are_overridden() {
    let plain = with(&[layer(0x82, &[])]);
    for (opcode, expected) in [
        (Opcode::LIGHTINGENABLE, 0),
        (Opcode::TEXENABLE, 1),
        (Opcode::CULLENABLE, 1),
        (Opcode::CULL, 0),
        (Opcode::ZTESTENABLE, 1),
        (Opcode::ZWRITEDISABLE, 0),
        (Opcode::ALPHATESTENABLE, 1),
        (Opcode::REVERSENORMAL, 0),
        (Opcode::TEXFUNC, 0x100),
        (Opcode::TEXFILTER, 0x101),
        (Opcode::TEXWRAP, 0),
        (Opcode::BLENDENABLE, 1),
        (Opcode::BLENDMODE, 0x032),
        (Opcode::FOGENABLE, 0),
    ] {
        assert_eq!(argument(&plain, 0, opcode), expected, "{}", opcode.name());
    }
    let flipped: Vec<Vec<u8>> =
        (0..16).map(|bit| command(0x81, &[bit, u32::from((8..10).contains(&bit) || bit == 0)])).collect();
    let other = with(&[flipped, vec![layer(0x82, &[])]].concat());
    for (opcode, expected) in [
        (Opcode::LIGHTINGENABLE, 1),
        (Opcode::TEXENABLE, 0),
        (Opcode::CULLENABLE, 0),
        (Opcode::CULL, 1),
        (Opcode::ZTESTENABLE, 0),
        (Opcode::ZWRITEDISABLE, 1),
        (Opcode::ALPHATESTENABLE, 0),
        (Opcode::REVERSENORMAL, 1),
    ] {
        assert_eq!(argument(&other, 0, opcode), expected, "{}", opcode.name());
    }
    let sampled = with(&[
        command(0x81, &[10, 0]),
        command(0x81, &[11, 0]),
        command(0x81, &[12, 0]),
        command(0x81, &[14, 0]),
        command(0x81, &[15, 0]),
        layer(0x82, &[]),
    ]);
    assert_eq!(argument(&sampled, 0, Opcode::TEXFUNC), 1, "decal without alpha");
    assert_eq!(argument(&sampled, 0, Opcode::TEXFILTER), 0, "nearest");
    assert_eq!(argument(&sampled, 0, Opcode::TEXWRAP), 0x101, "clamped");
    let odd = with(&[command(0x81, &[16, 1]), layer(0x82, &[])]);
    assert!(notes(&odd)[0].ends_with("render state 16 does not exist"), "{:?}", notes(&odd));
}

#[test]
fn layers_choose_sampling_and_crop() {
    let model = with(&[layer(
        0x82,
        &[
            command(0x95, &[1, 0]),
            command(0x96, &[0, 5]),
            command(0x97, &[1, 0]),
            floats(0x98, &[0.5, 0.25, 2.0, 4.0]),
        ],
    )]);
    assert_eq!(argument(&model, 0, Opcode::TEXFUNC), 1, "decal");
    assert_eq!(argument(&model, 0, Opcode::TEXFILTER), 7, "between levels");
    assert_eq!(argument(&model, 0, Opcode::TEXWRAP), 1, "u is clamped");
    let crop = [Opcode::TEXSCALEU, Opcode::TEXSCALEV, Opcode::TEXOFFSETU, Opcode::TEXOFFSETV];
    assert_eq!(crop.map(|opcode| super::float(&model, 0, opcode)), [2.0, 4.0, 0.5, 0.25], "crop");
}

#[test]
fn blend_functions_become_the_engines() {
    for (function, mode, fixed) in [
        ([0, 6, 7], 0x032, None),
        ([0, 1, 1], 0x0AA, Some((0xFF_FFFF, 0xFF_FFFF))),
        ([0, 0, 2], 0x00A, None),
        ([1, 4, 3], 0x110, None),
        ([2, 5, 8], 0x241, None),
        ([3, 9, 9], 0x355, None),
        ([4, 8, 6], 0x424, None),
        ([5, 7, 0], 0x5A3, None),
    ] {
        let model = with(&[layer(0x82, &[command(0x94, &function)])]);
        assert_eq!(argument(&model, 0, Opcode::BLENDMODE), mode, "{function:?}");
        if let Some((source, destination)) = fixed {
            assert_eq!(argument(&model, 0, Opcode::BLENDFIXEDA), source, "{function:?}");
            assert_eq!(argument(&model, 0, Opcode::BLENDFIXEDB), destination, "{function:?}");
        }
        assert_eq!(notes(&model), Vec::<String>::new(), "{function:?}");
    }
    let model = with(&[layer(0x82, &[command(0x94, &[0, 2, 4])])]);
    assert_eq!(notes(&model).len(), 2, "neither factor can be expressed: {:?}", notes(&model));
}

#[test]
fn layers_are_passes() {
    let plain = with(&[]);
    assert_eq!((plain.parts.len(), argument(&plain, 0, Opcode::TEXENABLE)), (1, 0), "without a texture");
    let added = with(&[layer(0x84, &[])]);
    assert_eq!(added.parts.len(), 2, "a plain pass, then the layer");
    assert_eq!(argument(&added, 1, Opcode::BLENDMODE), 0x0A2, "added");
    assert_eq!(argument(&added, 1, Opcode::ZWRITEDISABLE), 1, "the same depth");
    assert_eq!(argument(&added, 0, Opcode::ZWRITEDISABLE), 0, "the first pass writes depth");
    let two = with(&[layer(0x82, &[]), layer(0x82, &[])]);
    assert_eq!(two.parts.len(), 2, "both layers, no plain pass");
    let glowing = with(&[floats(0x84, &[0.5, 0.25, 0.0, 1.0]), layer(0x82, &[])]);
    assert_eq!(glowing.parts.len(), 2, "emission without a layer");
    assert_eq!(argument(&glowing, 1, Opcode::MATERIALAMBIENT), 0x00_4080, "its colour");
    assert_eq!(argument(&glowing, 1, Opcode::BLENDMODE), 0x0A2, "added");
    let mirror = with(&[floats(0x86, &[0.5]), layer(0x86, &[])]);
    assert_eq!(argument(&mirror, 1, Opcode::TEXMAPMODE) & 3, 2, "environment map");
    assert_eq!(argument(&mirror, 1, Opcode::TEXSHADELS), 0x302, "by lights 2 and 3");
    assert_eq!(argument(&mirror, 1, Opcode::MATERIALALPHA), 128, "half");
    let dull = with(&[floats(0x86, &[0.5])]);
    assert!(notes(&dull)[0].contains("no texture to reflect"), "{:?}", notes(&dull));
}

#[test]
fn colors_are_rounded_to_bytes() {
    let model = with(&[
        floats(0x82, &[1.0, 0.5, 0.0, 0.25]),
        floats(0x83, &[0.1, 0.2, 0.3, 1.0, 12.0]),
        command(0x81, &[0, 1]),
        layer(0x82, &[]),
    ]);
    assert_eq!(argument(&model, 0, Opcode::MATERIALDIFFUSE), 0x00_80FF, "diffuse");
    assert_eq!(argument(&model, 0, Opcode::MATERIALAMBIENT), 0x00_80FF, "ambient is diffuse");
    assert_eq!(argument(&model, 0, Opcode::MATERIALALPHA), 64, "alpha");
    assert_eq!(argument(&model, 0, Opcode::MATERIALSPECULAR), 0x4D_331A, "specular");
    assert_eq!(super::float(&model, 0, Opcode::MATERIALSPECULARCOEF), 12.0, "shininess");
    let model = with(&[floats(0x85, &[0.0, 0.0, 1.0, 1.0]), layer(0x82, &[])]);
    assert_eq!(argument(&model, 0, Opcode::MATERIALAMBIENT), 0xFF_0000, "ambient of its own");
}
