//! Tests for TIM2: every storage, palettes, wrong size fields.

use crate::formats::tests::texts;
use crate::formats::{Content, Format, Request, open};
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::TextureSet;

/// A picture's header fields and data.
struct TestPicture {
    image_type: u8,
    clut_type: u8,
    colors: u16,
    mipmaps: u8,
    size: [u16; 2],
    pixels: Vec<u8>,
    clut: Vec<u8>,
    /// Wrong sizes to write instead: total, palette, image.
    wrong_sizes: [Option<u32>; 3],
}

impl TestPicture {
    fn new(image_type: u8, size: [u16; 2], pixels: &[u8]) -> Self {
        let wrong_sizes = [None; 3];
        let (pixels, clut) = (pixels.to_vec(), Vec::new());
        Self { image_type, clut_type: 0, colors: 0, mipmaps: 1, size, pixels, clut, wrong_sizes }
    }

    fn with_clut(self, clut_type: u8, colors: u16, clut: &[u8]) -> Self {
        Self { clut_type, colors, clut: clut.to_vec(), ..self }
    }

    fn picture(&self) -> Vec<u8> {
        let length = |bytes: usize| u32::try_from(bytes).expect("small");
        let [total, clut, image] = [
            length(0x30 + self.pixels.len() + self.clut.len()),
            length(self.clut.len()),
            length(self.pixels.len()),
        ];
        let [total, clut, image] = [
            self.wrong_sizes[0].unwrap_or(total),
            self.wrong_sizes[1].unwrap_or(clut),
            self.wrong_sizes[2].unwrap_or(image),
        ];
        let mut out: Vec<u8> = [total, clut, image].iter().flat_map(|size| size.to_le_bytes()).collect();
        out.extend(0x30_u16.to_le_bytes());
        out.extend(self.colors.to_le_bytes());
        out.extend([0, self.mipmaps, self.clut_type, self.image_type]);
        out.extend(self.size.iter().flat_map(|side| side.to_le_bytes()));
        out.resize(0x30, 0);
        out.extend(&self.pixels);
        out.extend(&self.clut);
        out
    }
}

fn file(pictures: &[TestPicture], aligned: bool) -> Vec<u8> {
    let mut out = b"TIM2\x04".to_vec();
    out.push(aligned.into());
    out.extend(u16::try_from(pictures.len()).expect("few").to_le_bytes());
    for picture in pictures {
        out.resize(out.len().next_multiple_of(if aligned { 128 } else { 16 }), 0);
        out.extend(picture.picture());
    }
    out
}

fn opened(bytes: &[u8]) -> TextureSet {
    match open(&Request::new("test", bytes)).expect("a good file").content {
        Content::Textures(set) => set,
        other => panic!("textures, not {other:?}"),
    }
}

fn colors(set: &TextureSet, texture: usize, palette: u32) -> Vec<[u8; 4]> {
    set.textures[texture].decode(&set.memory, palette).pixels().map(|pixel| pixel.0).collect()
}

#[test]
fn decodes_direct_colors_of_every_depth() {
    let pictures = [
        TestPicture::new(1, [2, 1], &[0x1F, 0x80, 0xE0, 0x03]),
        TestPicture::new(2, [2, 1], &[1, 2, 3, 4, 5, 6]),
        TestPicture::new(3, [2, 1], &[1, 2, 3, 0x81, 4, 5, 6, 0]),
        TestPicture::new(3, [2, 1], &[1, 2, 3, 0x80, 4, 5, 6, 0x40]),
        TestPicture::new(3, [2, 1], &[1, 2, 3, 0, 4, 5, 6, 0]),
        TestPicture::new(1, [2, 1], &[0x1F, 0, 0, 0]),
    ];
    for aligned in [false, true] {
        let set = opened(&file(&pictures, aligned));
        let formats: Vec<_> = set.textures.iter().map(|texture| texture.format).collect();
        let (narrow, wide) = (TexelFormat::ABGR5551, TexelFormat::ABGR8888);
        assert_eq!(formats, [narrow, wide, wide, wide, wide, narrow], "formats");
        for (texture, expected) in [
            [[255, 0, 0, 255], [0, 255, 0, 0]],
            [[1, 2, 3, 255], [4, 5, 6, 255]],
            // If the largest alpha is above 0x80, 255 is opaque, else 0x80.
            [[1, 2, 3, 0x81], [4, 5, 6, 0]],
            [[1, 2, 3, 255], [4, 5, 6, 128]],
            // No alpha at all.
            [[1, 2, 3, 255], [4, 5, 6, 255]],
            [[255, 0, 0, 255], [0, 0, 0, 255]],
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(colors(&set, texture, 0), expected, "picture {texture}");
        }
        assert_eq!(set.notes.len(), 2, "two pictures without alpha: {:?}", texts(&set.notes));
    }
}

#[test]
fn decodes_palettes_of_every_depth() {
    let ramp = |size: usize| -> Vec<u8> {
        (0..=255).flat_map(|entry: u8| [entry, 1, 2, 255].into_iter().take(size)).collect()
    };
    let narrow: Vec<u8> = (0..16_u16).flat_map(|entry| (entry | 0x8000).to_le_bytes()).collect();
    let two: Vec<u8> = (0..32).flat_map(|entry: u8| [entry, 0, 0, 255]).collect();
    let set = opened(&file(
        &[
            TestPicture::new(5, [4, 1], &[7, 8, 16, 40]).with_clut(3, 256, &ramp(4)),
            TestPicture::new(5, [4, 1], &[7, 8, 16, 40]).with_clut(0x83, 256, &ramp(4)),
            TestPicture::new(5, [4, 1], &[7, 8, 16, 40]).with_clut(2, 256, &ramp(3)),
            TestPicture::new(5, [4, 1], &[7, 8, 16, 40]).with_clut(0x83, 17, &ramp(4)[..68]),
            TestPicture::new(4, [4, 1], &[0x21, 0x98]).with_clut(1, 16, &narrow),
            TestPicture::new(4, [4, 1], &[0x21, 0x98]).with_clut(3, 32, &two),
        ],
        false,
    ));
    let reds = |texture, palette| -> Vec<u8> {
        colors(&set, texture, palette).iter().map(|color| color[0]).collect()
    };
    assert_eq!(reds(0, 0), [7, 16, 8, 48], "8 to 15 and 16 to 23 are swapped");
    assert_eq!(reds(1, 0), [7, 8, 16, 40], "a linear palette");
    assert_eq!(reds(2, 0), [7, 16, 8, 48], "three bytes per colour");
    assert_eq!(reds(3, 0), [7, 8, 16, 0], "missing colours are black");
    assert_eq!(colors(&set, 3, 0)[3], [0; 4], "and transparent");
    assert_eq!(reds(4, 0), [8, 16, 66, 74], "two pixels per byte, the low half first");
    assert_eq!(reds(5, 0), [1, 2, 8, 9], "the first of two palettes");
    assert_eq!(reds(5, 1), [17, 18, 24, 25], "the second one");
    let palettes: Vec<_> =
        set.textures.iter().filter_map(|t| t.palette).map(|p| (p.format, p.count())).collect();
    let (wide, small) = (PixelFormat::ABGR8888, PixelFormat::ABGR5551);
    assert_eq!(palettes, [(wide, 1), (wide, 1), (wide, 1), (wide, 1), (small, 1), (wide, 2)], "palettes");
}

#[test]
fn pictures_are_padded_to_powers_of_two() {
    let texels: Vec<u8> = (0..15).collect();
    let ramp: Vec<u8> = (0..=255).flat_map(|entry: u8| [entry, 0, 0, 255]).collect();
    let set = opened(&file(&[TestPicture::new(5, [3, 5], &texels).with_clut(0x83, 256, &ramp)], false));
    let texture = &set.textures[0];
    assert_eq!((texture.width, texture.height, texture.buffer_width), (3, 5, 16), "rows of 16 bytes");
    let row = |row: u32| set.memory.slice(texture.address.offset(row * 16), 4).map(<[u8]>::to_vec);
    assert_eq!(row(0), Some(vec![0, 1, 2, 2]), "padded with the last column");
    assert_eq!(row(7), Some(vec![12, 13, 14, 14]), "padded with the last row");
    assert_eq!(colors(&set, 0, 0).len(), 15, "decoded without padding");
    assert!(set.notes.is_empty(), "usual in this game: {:?}", texts(&set.notes));
}

#[test]
fn pictures_without_conversion_are_copied() {
    let bytes = file(&[TestPicture::new(3, [4, 4], &[0xFF; 64])], false);
    let set = opened(&bytes);
    let [source] = set.sources.as_slice() else { panic!("one piece") };
    assert_eq!((source.file_offset, source.length), (0x40, 64), "the pixels");
}

#[test]
fn ignores_wrong_size_fields() {
    let clut: Vec<u8> = (0..16).flat_map(|entry: u8| [entry, 0, 0, 255]).collect();
    let second = || TestPicture::new(3, [1, 1], &[9, 9, 9, 255]);
    for wrong_sizes in [
        [Some(0xFFFF_FFFD), Some(0), None],
        [Some(0), Some(u32::MAX), Some(u32::MAX)],
        [None, Some(1), Some(0)],
        [None, None, Some(9)],
    ] {
        let mut first = TestPicture::new(4, [32, 1], &[0x21; 16]).with_clut(3, 16, &clut);
        first.wrong_sizes = wrong_sizes;
        let set = opened(&file(&[first, second()], false));
        assert_eq!(colors(&set, 0, 0)[..2], [[1, 0, 0, 255], [2, 0, 0, 255]], "{wrong_sizes:?}: the palette");
        assert_eq!(colors(&set, 1, 0), [[9, 9, 9, 255]], "{wrong_sizes:?}: the next picture");
        assert!(!set.notes.is_empty(), "{wrong_sizes:?}: noted");
    }
    // If clutColors is 0, the palette's size gives the count.
    let uncounted = TestPicture::new(4, [32, 1], &[0x21; 16]).with_clut(3, 0, &clut);
    assert_eq!(colors(&opened(&file(&[uncounted], false)), 0, 0)[1], [2, 0, 0, 255], "16 colours");
    // The palette follows the last mip level.
    let mut mipmaps = TestPicture::new(4, [4, 2], &[0x21, 0x21, 0x21, 0x21, 3, 4]).with_clut(3, 16, &clut);
    mipmaps.mipmaps = 3;
    let set = opened(&file(&[mipmaps], false));
    assert_eq!(colors(&set, 0, 0)[1], [2, 0, 0, 255], "the palette after the third level");
    assert!(texts(&set.notes)[0].contains("of 3 mipmap levels"), "{:?}", texts(&set.notes));
}

fn one_texel() -> TestPicture {
    TestPicture::new(5, [2, 1], &[0, 1]).with_clut(3, 1, &[1, 2, 3, 4])
}

fn changed(change: fn(&mut TestPicture)) -> Vec<u8> {
    let mut picture = one_texel();
    change(&mut picture);
    file(&[picture], false)
}

#[test]
fn refuses_files_without_a_picture() {
    let message = |bytes: &[u8]| {
        let request = Request { format: Format::from_name("tim2"), ..Request::new("test", bytes) };
        open(&request).expect_err("broken").to_string()
    };
    let with = |change| message(&changed(change));
    assert_eq!(message(b"TIM3\x04\0\x01\0\0\0\0\0\0\0\0\0"), "at 0x0: not a TIM2 file", "magic");
    assert_eq!(message(&file(&[], false)[..8]), "at 0x0: 16 bytes are needed here, 8 are left", "short");
    let mut none = file(&[], false);
    none.resize(16, 0);
    assert_eq!(message(&none), "at 0x6: the file has no pictures", "none");
    let image = "at 0x23: image type 6 does not exist; 1 to 5 do";
    let other = |picture: &mut TestPicture| {
        picture.image_type = 6;
        picture.wrong_sizes[2] = Some(5);
    };
    assert_eq!(with(other), image, "type");
    assert_eq!(with(|picture| picture.size = [0, 1]), "at 0x24: the picture has no pixels", "empty");
    let wide = "at 0x24: rows of 2048 texels are longer than the Graphics Engine can take";
    assert_eq!(with(|picture| picture.size = [2048, 1]), wide, "wide");
    let pixels = "at 0x40: 64 bytes are needed here, 6 are left";
    assert_eq!(with(|picture| picture.size = [8, 8]), pixels, "pixels");
    let colorless = with(|picture| picture.clut.clear());
    assert_eq!(colorless, "at 0x1e: the picture has indexed pixels but no palette", "no colours");
}

#[test]
fn notes_damaged_pictures() {
    let note = |bytes: &[u8]| {
        let set = opened(bytes);
        assert_eq!(colors(&set, 0, 0)[0], [1, 2, 3, 8], "the first pixel, with half of the PS2's alpha");
        texts(&set.notes).join("; ")
    };
    let guessed = "at 0x23: image type 6 does not exist; pixels of 8 bits fit the sizes and are used";
    assert_eq!(note(&changed(|picture| picture.image_type = 6)), guessed, "image type");
    let storage = "at 0x22: palette type 5 does not exist; the size of the palette counts";
    assert_eq!(note(&changed(|picture| picture.clut_type = 5)), storage, "palette type");
    let colors = note(&changed(|picture| picture.colors = 9));
    assert!(colors.contains("at 0x1e: the palette has 9 colours, of which 1 are in the file"), "{colors}");
    let uncounted = note(&changed(|picture| {
        picture.colors = 0;
        picture.wrong_sizes[1] = Some(0);
    }));
    assert!(uncounted.contains("the palette has 256 colours, of which 1 are in the file"), "{uncounted}");
    let with = |place: usize, value: u8| {
        let mut bytes = file(&[one_texel()], false);
        bytes[place] = value;
        note(&bytes)
    };
    let header = "at 0x1c: the picture header is given as 47 bytes; 48 are used";
    assert_eq!(with(0x1C, 0x2F), header, "header");
    assert_eq!(with(6, 2), "at 0x6: the header says 2 pictures, the file has 1", "too many");
    assert_eq!(with(6, 0), "at 0x6: the header says 0 pictures, the file has 1", "none");
    let empty = TestPicture { size: [0, 1], ..one_texel() };
    let broken = "at 0x10: picture 0 is left out: at 0x24: the picture has no pixels";
    assert_eq!(note(&file(&[empty, one_texel()], false)), broken, "the second picture is there");
}
