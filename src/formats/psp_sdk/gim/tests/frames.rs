//! Tests levels, frames, sequences and files with several pictures.

use super::build::{Image, LITTLE, palette, sequence, shades};
use super::{model, names, notes, texels};
use crate::formats::{Content, Request, Selection, open};
use crate::ge::opcode::Opcode;
use crate::model::Model;
use crate::model::texture::LARGEST;

/// Builds a picture in a single palette colour.
fn plain(size: [u16; 2], color: u8) -> Vec<u8> {
    let row = usize::from(size[0]).next_multiple_of(16);
    vec![color; row * usize::from(size[1])]
}

/// Returns the argument last given to this opcode in the model's list.
fn argument(model: &Model, opcode: Opcode) -> u32 {
    let end = model.parts[0].call;
    let mut at = model.entry;
    let mut found = None;
    while at < end {
        let word = model.memory.read_u32(at);
        if word >> 24 == u32::from(opcode.code()) {
            found = Some(word & 0xFF_FFFF);
        }
        at = at.offset(4);
    }
    found.unwrap_or_else(|| panic!("no {}", opcode.name()))
}

fn float(model: &Model, opcode: Opcode) -> f32 {
    f32::from_bits(argument(model, opcode) << 8)
}

#[test]
fn mip_levels_halve_and_round_up() {
    let sizes = [[10, 5], [5, 3], [3, 2]];
    let data = sizes.iter().zip(0..).map(|(size, color)| plain(*size, color)).collect();
    let image = Image { levels: 3, data, ..Image::new(5, [10, 5], Vec::new()) };
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&shades(4)).chunk(5)]]));
    assert_eq!(names(&model), ["", "level1", "level2"], "each level");
    for (number, [width, height]) in sizes.into_iter().enumerate() {
        let texture = &model.textures[number];
        assert_eq!([texture.width, texture.height], [width, height], "level {number}");
        let expected = vec![shades(4)[number]; usize::from(width * height)];
        assert_eq!(texels(&model, number), expected, "level {number}");
    }
    assert_eq!(argument(&model, Opcode::TEXMODE), 2 << 16, "two levels after the first");
    assert_eq!(argument(&model, Opcode::TEXFILTER), 0x107, "between levels");
    assert_eq!(argument(&model, Opcode::TEXSIZE0.plus(1)), 2 << 8 | 3, "4 and 8 texels hold 3 and 5");
    assert_eq!(model.info.extra("levels"), Some(3), "counted");
}

#[test]
fn each_level_may_have_a_palette() {
    let data = vec![vec![0x10; 16], vec![0x10; 16]];
    let image = Image { levels: 2, data, ..Image::new(4, [2, 1], Vec::new()) };
    let colors = shades(32);
    let halves: Vec<Vec<u8>> = colors.chunks(16).map(<[_]>::concat).collect();
    let palette = Image { levels: 2, data: halves, ..palette(&colors[..16]) };
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette.chunk(5)]]));
    assert_eq!(texels(&model, 0), [colors[0], colors[1]], "the first palette");
    assert_eq!(texels(&model, 1), [colors[16]], "the second one");
    assert_eq!(argument(&model, Opcode::TEXMODE), 1 << 16 | 1 << 8, "a palette for each level");
    assert_eq!(argument(&model, Opcode::LOADCLUT), 4, "32 colours");
}

#[test]
fn levels_of_type_3_are_pictures_of_equal_size() {
    let data = vec![plain([8, 4], 1), plain([8, 4], 2)];
    let image = Image { levels: 2, level_type: 3, data, ..Image::new(5, [8, 4], Vec::new()) };
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&shades(4)).chunk(5)]]));
    assert_eq!(texels(&model, 1), vec![shades(4)[2]; 32], "the second");
    assert_eq!(argument(&model, Opcode::TEXMODE), 0, "no mip levels");
}

#[test]
fn frames_change_addresses_only() {
    let data = (0..3).map(|frame| plain([8, 4], frame)).collect();
    let image = Image { data, ..Image::new(5, [8, 4], Vec::new()) };
    // Two palettes: frame 2 uses the first again.
    let colors = shades(16);
    let halves: Vec<Vec<u8>> = colors.chunks(8).map(<[_]>::concat).collect();
    let palette = Image { data: halves, ..palette(&colors[..8]) };
    let mut model = model(&LITTLE.file(&[vec![image.chunk(4), palette.chunk(5)]]));
    assert_eq!(names(&model), ["frame0", "frame1", "frame2"], "each frame");
    let expected = [colors[0], colors[9], colors[2]];
    for (frame, color) in expected.into_iter().enumerate() {
        assert_eq!(texels(&model, frame), vec![color; 32], "frame {frame}");
    }
    let [animation] = model.animations.as_slice() else { panic!("one animation") };
    assert_eq!((animation.name.as_deref(), animation.frames), (Some("frames"), 3), "its frames");
    for frame in [1, 2, 0] {
        model.animate(0, f64::from(frame));
        let texture = &model.textures[usize::try_from(frame).expect("small")];
        let address = texture.address.get() & 0xFF_FFFF;
        assert_eq!(argument(&model, Opcode::TEXADDR0), address, "frame {frame}");
        let colors = texture.palette.map(|palette| palette.address.get() & 0xFF_FFFF);
        assert_eq!(Some(argument(&model, Opcode::CLUTADDR)), colors, "frame {frame}: its palette");
    }
}

#[test]
fn palettes_alone_may_be_animated() {
    let image = Image::new(5, [8, 1], plain([8, 1], 1));
    let colors = shades(16);
    let halves: Vec<Vec<u8>> = colors.chunks(8).map(<[_]>::concat).collect();
    let palette = Image { data: halves, ..palette(&colors[..8]) };
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette.chunk(5)]]));
    assert_eq!([texels(&model, 0)[0], texels(&model, 1)[0]], [colors[1], colors[9]], "two palettes");
    assert_eq!(model.animations[0].frames, 2, "an animation");
}

/// This file has the values of the only real sequence known.
#[test]
fn sequences_scroll_the_crop() {
    let image = Image::new(5, [128, 64], plain([128, 64], 1));
    let linear = 1;
    let keys =
        sequence([0, 20, 1], &[], &[(0x10, linear, &[20, 0, 0, 128]), (0x11, linear, &[20, 0, 0, -64])]);
    let chunks = vec![image.chunk(4), palette(&shades(4)).chunk(5), LITTLE.chunk(6, &keys, &[])];
    let mut model = model(&LITTLE.file(&[chunks]));
    assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
    let [animation] = model.animations.as_slice() else { panic!("one animation") };
    assert_eq!((animation.frames, animation.channels), (20, 2), "one turn");
    for (frame, [u, v]) in
        [(0.0, [0.0, 0.0]), (5.0, [0.25, -0.25]), (19.0, [0.95, -0.95]), (25.0, [0.25, -0.25])]
    {
        model.animate(0, frame);
        let offset = [float(&model, Opcode::TEXOFFSETU), float(&model, Opcode::TEXOFFSETV)];
        assert!((offset[0] - u).abs() < 1e-4 && (offset[1] - v).abs() < 1e-4, "frame {frame}: {offset:?}");
    }
    assert_eq!(model.fields.iter().filter(|field| field.name.starts_with("sequence")).count(), 1, "rate");
}

#[test]
fn sequences_set_every_parameter() {
    let image = |color| Image::new(5, [16, 16], plain([16, 16], color)).chunk(4);
    let frames =
        Image { data: vec![plain([16, 16], 2), plain([16, 16], 3)], ..Image::new(5, [16, 16], vec![]) };
    let keys = sequence(
        [10, 14, 0],
        &[
            (0x12, 8),
            (0x13, 4),
            (0x20, 2),
            (0x22, 4),
            (0x23, 0),
            (0x24, 0),
            (0x25, 4),
            (0x26, 1),
            (0x27, 1),
            (1, 0),
        ],
        &[
            (0x00, 0, &[2, 0, 0, 1]),
            (0x03, 0, &[-4, 0, 0, 0, 1, 0, 1]),
            (0x08, 0, &[3, 0, 0, 1]),
            (0x90, 0, &[0, 0]),
        ],
    );
    let palettes = [palette(&shades(4)).chunk(5), palette(&shades(8)[4..]).chunk(5)];
    let mut chunks = vec![image(1), frames.chunk(4), LITTLE.chunk(6, &keys, &[])];
    chunks.extend(palettes);
    let mut model = model(&LITTLE.file(&[chunks]));
    assert_eq!(
        names(&model),
        ["image0", "image0-palette1", "image1-frame0", "image1-frame1", "image1-palette1-frame0"],
        "everything that can be shown"
    );
    assert_eq!(model.animations[0].frames, 5, "the last frame holds");
    for (frame, texture, palette) in [(0.0, 0, 0), (1.0, 0, 0), (2.0, 2, 2), (3.0, 3, 4), (9.0, 3, 4)] {
        model.animate(0, frame);
        let address = |texture: usize| model.textures[texture].address.get() & 0xFF_FFFF;
        assert_eq!(argument(&model, Opcode::TEXADDR0), address(texture), "frame {frame}");
        let colors = model.textures[palette].palette.map(|palette| palette.address.get() & 0xFF_FFFF);
        assert_eq!(Some(argument(&model, Opcode::CLUTADDR)), colors, "frame {frame}: palette");
    }
    assert_eq!(argument(&model, Opcode::BLENDMODE), 0x0A2, "added");
    assert_eq!(argument(&model, Opcode::TEXFUNC), 4, "the texture is added, without alpha");
    assert_eq!(argument(&model, Opcode::TEXFILTER), 4, "filters");
    assert_eq!(argument(&model, Opcode::TEXWRAP), 0x101, "clamped");
    assert_eq!([float(&model, Opcode::TEXSCALEU), float(&model, Opcode::TEXSCALEV)], [0.5, 0.25], "crop");
    assert!(notes(&model)[0].ends_with("parameter 0x90 is not known"), "{:?}", notes(&model));
}

#[test]
fn sizes_between_powers_of_two_are_scaled_and_clamped() {
    let image = Image::new(5, [40, 64], vec![1; 48 * 64]);
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&shades(4)).chunk(5)]]));
    assert_eq!(float(&model, Opcode::TEXSCALEU), 0.625, "40 of 64 texels");
    assert_eq!(argument(&model, Opcode::TEXWRAP), 1, "only this axis is clamped");
}

#[test]
fn groups_select_one_of_several_pictures() {
    let picture =
        |color, size| vec![Image::new(5, size, plain(size, color)).chunk(4), palette(&shades(4)).chunk(5)];
    let bytes = LITTLE.file(&[picture(1, [8, 8]), picture(2, [16, 4])]);
    for (group, texture) in [(0, 0), (1, 1), (7, 0)] {
        let selection = Selection { group, ..Selection::default() };
        let opened = open(&Request { selection, ..Request::new("picture.gim", &bytes) }).expect("good");
        let Content::Model(model) = opened.content else { panic!("a model") };
        assert_eq!(names(&model), ["picture0", "picture1"], "both are listed");
        assert_eq!(model.parts[0].texture, Some(texture), "group {group}");
        assert!(notes(&model)[0].starts_with("the file has 2 pictures"), "{:?}", notes(&model));
    }
}

#[test]
fn pictures_beyond_512_texels_are_noted() {
    let width = LARGEST + 16;
    let image = Image::new(5, [width, 2], plain([width, 2], 1));
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&shades(4)).chunk(5)]]));
    assert!(notes(&model)[0].contains("larger than 512x512"), "{:?}", notes(&model));
}
