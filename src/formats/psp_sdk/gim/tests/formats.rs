//! Tests pixel formats, orders and palettes.

use super::build::{BIG, Image, LITTLE, Order, palette, shades, swizzled};
use super::{model, names, notes, texels};
use crate::ge::registers::texture::{PixelFormat, TexelFormat};

/// Widens a channel by repeating its upper bits.
fn widened(value: u16, bits: u32) -> u8 {
    let full = f64::from(value) / f64::from((1_u16 << bits) - 1) * 255.0;
    // Repeating upper bits may round down although the nearest value is above.
    let value = u32::from(value) << (8 - bits);
    let repeated = u8::try_from(value | value >> bits).expect("eight bits");
    assert!((f64::from(repeated) - full).abs() <= 1.0, "near the exact value");
    repeated
}

/// Decodes a word by the table in the format's document.
fn color(format: u16, word: u16) -> [u8; 4] {
    let field = |low: u32, bits: u32| widened(word >> low & ((1 << bits) - 1), bits);
    match format {
        0 => [field(0, 5), field(5, 6), field(11, 5), 255],
        1 => [field(0, 5), field(5, 5), field(10, 5), if word >> 15 == 1 { 255 } else { 0 }],
        _ => [field(0, 4), field(4, 4), field(8, 4), field(12, 4)],
    }
}

fn with_order(image: Image, order: Order) -> Image {
    let unit = match image.format {
        _ if !order.is_big => 1,
        0..=2 | 6 => 2,
        3 | 7 => 4,
        _ => 1,
    };
    let swap = |data: &Vec<u8>| data.chunks(unit).flat_map(|number| number.iter().rev().copied()).collect();
    Image { order, data: image.data.iter().map(swap).collect(), ..image }
}

#[test]
fn decodes_colors_of_16_bits_in_both_byte_orders() {
    let words: Vec<u16> = (0..64).map(|number: u16| number.wrapping_mul(0x9E37) ^ 0x51A5).collect();
    let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for format in 0..=2 {
        for order in [LITTLE, BIG] {
            let image = with_order(Image::new(format, [8, 8], data.clone()), order);
            let model = model(&order.file(&[vec![image.chunk(4)]]));
            let expected: Vec<_> = words.iter().map(|word| color(format, *word)).collect();
            assert_eq!(texels(&model, 0), expected, "format {format}, big: {}", order.is_big);
            assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
        }
    }
}

#[test]
fn decodes_colors_of_32_bits_and_rows_with_padding() {
    let colors = shades(15);
    let rows: Vec<u8> = colors.chunks(3).flat_map(|row| [row.concat(), vec![9; 4]].concat()).collect();
    for order in [LITTLE, BIG] {
        let image = with_order(Image::new(3, [3, 5], rows.clone()), order);
        let model = model(&order.file(&[vec![image.chunk(4)]]));
        assert_eq!(texels(&model, 0), colors, "the fourth column is padding");
        let texture = &model.textures[0];
        assert_eq!((texture.buffer_width, texture.format), (4, TexelFormat::ABGR8888), "as in the file");
        let source = model.source_of(texture.address);
        assert_eq!(source.is_some(), !order.is_big, "copied unchanged, or converted");
    }
}

/// Encodes indices in an indexed format, 4 to 7.
fn indices(format: u16, values: &[u32]) -> Vec<u8> {
    match format {
        4 => values.chunks(2).map(|pair| u8::try_from(pair[0] | pair[1] << 4).expect("4 bits")).collect(),
        5 => values.iter().map(|value| u8::try_from(*value).expect("8 bits")).collect(),
        6 => values.iter().flat_map(|value| u16::try_from(*value).expect("16 bits").to_le_bytes()).collect(),
        _ => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

#[test]
fn decodes_indices_in_both_orders() {
    let colors = shades(16);
    let values: Vec<u32> = (0..32 * 16).map(|number: u32| (number * 7 + number / 32) % 16).collect();
    let expected: Vec<_> = values.iter().map(|value| colors[*value as usize]).collect();
    for format in 4..=7 {
        let rows = indices(format, &values);
        let pitch = rows.len() / 16;
        for is_swizzled in [false, true] {
            for order in [LITTLE, BIG] {
                let data = if is_swizzled { swizzled(&rows, pitch) } else { rows.clone() };
                let align = [16, if is_swizzled { 8 } else { 1 }];
                let image = Image { is_swizzled, align, ..Image::new(format, [32, 16], data) };
                let image = with_order(image, order).chunk(4);
                let colors = with_order(palette(&colors), order).chunk(5);
                // The palette may come after the image or before it.
                let chunks = if is_swizzled { vec![image, colors] } else { vec![colors, image] };
                let model = model(&order.file(&[chunks]));
                let what = format!("format {format}, swizzled: {is_swizzled}, big: {}", order.is_big);
                assert_eq!(texels(&model, 0), expected, "{what}");
                assert_eq!(notes(&model), Vec::<String>::new(), "{what}");
                assert_eq!(model.textures[0].swizzled, is_swizzled, "{what}: as in the file");
            }
        }
    }
}

#[test]
fn palettes_have_every_format_and_size() {
    let words: Vec<u16> = (0..256).map(|number: u16| number.wrapping_mul(0x5BD1) ^ 0x8421).collect();
    for (format, kind) in [(0, PixelFormat::BGR5650), (1, PixelFormat::ABGR5551), (2, PixelFormat::ABGR4444)]
    {
        for colors in [2_u16, 16, 17, 256] {
            let last = u8::try_from(colors - 1).expect("small");
            let image = Image::new(5, [16, 1], (0..16).map(|x| last.saturating_sub(x)).collect());
            let data = words[..colors.into()].iter().flat_map(|word| word.to_le_bytes()).collect();
            let palette = Image { level_type: 2, ..Image::new(format, [colors, 1], data) };
            let model = model(&LITTLE.file(&[vec![image.chunk(4), palette.chunk(5)]]));
            let expected: Vec<_> =
                (0..16).map(|x: u8| color(format, words[usize::from(last.saturating_sub(x))])).collect();
            assert_eq!(texels(&model, 0), expected, "format {format}, {colors} colours");
            assert_eq!(model.textures[0].palette.map(|palette| palette.format), Some(kind), "its format");
            assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
        }
    }
}

/// The engine would read other memory, so this shows the last colour.
#[test]
fn indices_beyond_the_palette_show_its_last_color() {
    let image = Image::new(5, [16, 1], (0..16).map(|x| x * 16).collect());
    let colors = shades(20);
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&colors).chunk(5)]]));
    let expected: Vec<_> = (0..16).map(|x: usize| colors[(x * 16).min(19)]).collect();
    assert_eq!(texels(&model, 0), expected, "clamped");
    let text = "pixels use colour 240, the palette has 20; the last colour is used";
    assert!(notes(&model)[0].ends_with(text), "{:?}", notes(&model));
}

/// Palette memory holds 256 colours, so wider indices become colours.
#[test]
fn indices_of_more_than_8_bits_become_colors() {
    let words: Vec<u16> = (0..300).map(|number: u16| number | 0x8000).collect();
    let data = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let palette = Image { level_type: 2, ..Image::new(1, [300, 1], data) };
    let values = [0_u32, 255, 256, 299, 300, 65535, 7, 8];
    for format in [6, 7] {
        let image = Image::new(format, [8, 1], indices(format, &values));
        let model = model(&LITTLE.file(&[vec![image.chunk(4), palette.chunk(5)]]));
        let expected: Vec<_> =
            values.iter().map(|value| color(1, words[(*value as usize).min(299)])).collect();
        assert_eq!(texels(&model, 0), expected, "format {format}");
        assert_eq!(model.textures[0].format, TexelFormat::ABGR5551, "the format of its palette");
        assert!(notes(&model)[0].contains("converted to colours"), "{:?}", notes(&model));
    }
}

/// Two pictures share the bits of each index.
#[test]
fn planes_select_bits_of_an_index() {
    let colors = shades(16);
    let data: Vec<u8> = (0..16).map(|x| x | (15 - x) << 4).collect();
    let image = Image { plane_mask: 0xF0, ..Image::new(5, [16, 1], data) };
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&colors).chunk(5)]]));
    assert_eq!(names(&model), ["plane0", "plane1"], "runs of equal bits");
    assert_eq!(texels(&model, 0), colors, "the lower bits");
    let upper: Vec<_> = colors.iter().rev().copied().collect();
    assert_eq!(texels(&model, 1), upper, "the upper bits");
    let mapping = model.textures[1].palette.map(|palette| (palette.shift, palette.mask));
    assert_eq!(mapping, Some((4, 0x0F)), "by the registers of the engine");
}

/// The engine widens the 4 bits of explicit alpha with zeros.
///
/// A 4x4 block has red, blue and two shades between them; a second block has blue first.
#[test]
fn decodes_compressed_blocks() {
    let (red, blue) = (0xF800_u16.to_le_bytes(), 0x001F_u16.to_le_bytes());
    let indices = 0xE4E4_E4E4_u32.to_le_bytes();
    let colors = [indices, [red[0], red[1], blue[0], blue[1]]].concat();
    let reversed = [indices, [blue[0], blue[1], red[0], red[1]]].concat();
    let alphas3: Vec<u8> = (0..8).map(|pair| pair | (15 - pair) << 4).collect();
    // Indices 0 and 1 in turn, for alpha 255 and 0.
    let alphas5 = [0x08, 0x82, 0x20, 0x08, 0x82, 0x20, 255, 0];
    for (format, block, alpha) in [
        (8, vec![], vec![255; 4]),
        (9, alphas3, vec![0, 240, 16, 224]),
        (10, alphas5.to_vec(), vec![255, 0, 255, 0]),
    ] {
        let first = [&colors[..], &block].concat();
        let second = [&reversed[..], &block].concat();
        let image = Image::new(format, [6, 3], [first, second].concat());
        let model = model(&LITTLE.file(&[vec![image.chunk(4)]]));
        let found = texels(&model, 0);
        assert_eq!(model.textures[0].format.number(), u8::try_from(format).expect("small"), "as it is");
        let row: Vec<u8> = found[..4].iter().map(|color| color[3]).collect();
        assert_eq!(row, alpha, "format {format}: alpha of the first row");
        assert!(found[0][0] > 240 && found[0][2] < 16, "format {format}: red, {:?}", found[0]);
        assert!(found[1][2] > 240 && found[1][0] < 16, "format {format}: blue, {:?}", found[1]);
        assert!(found[2][0] > found[2][2] && found[3][0] < found[3][2], "format {format}: shades between");
        assert!(found[4][2] > 240, "format {format}: the second block, {:?}", found[4]);
        assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
    }
    let image = Image::new(8, [4, 4], [&indices[..], &blue, &red].concat());
    let model = model(&LITTLE.file(&[vec![image.chunk(4)]]));
    assert_eq!(texels(&model, 0)[3], [0; 4], "with colours in reverse order the last one is transparent");
}

#[test]
fn unusual_rows_are_padded_to_16_bytes() {
    let colors = shades(12);
    let image = Image {
        align: [4, 1],
        ..Image::new(5, [6, 2], vec![0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10, 11, 0, 0])
    };
    let model = model(&LITTLE.file(&[vec![image.chunk(4), palette(&colors).chunk(5)]]));
    assert_eq!(texels(&model, 0), colors, "rows of 8 bytes");
    assert_eq!(model.textures[0].buffer_width, 16, "as the engine needs");
}

/// Themes state a height alignment for linear pictures and palettes, too.
#[test]
fn linear_pictures_have_no_rows_of_padding() {
    let colors = shades(12);
    let image = Image { align: [16, 8], ..Image::new(5, [16, 3], (0..48).map(|texel| texel % 12).collect()) };
    let palette = Image { align: [16, 8], ..palette(&colors) };
    let model = model(&LITTLE.file(&[vec![palette.chunk(5), image.chunk(4)]]));
    let expected: Vec<[u8; 4]> = (0..48).map(|texel| colors[texel % 12]).collect();
    assert_eq!(texels(&model, 0), expected, "all rows");
    assert_eq!(notes(&model), Vec::<String>::new(), "nothing is odd");
}
