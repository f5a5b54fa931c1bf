//! Checks pictures and built-in texts in assembly: assembles and draws them, to compare the result with the picture.

use std::io::Cursor;

use image::{ImageFormat, Rgba, RgbaImage};
use pspge::asm::{Assembly, AssemblyRequest, MemoryFiles, assemble_with};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::color;
use pspge::ge::registers::texture::PixelFormat;
use pspge::pipeline::framebuffer::{ColorSurface, DepthSurface};
use pspge::pipeline::texture::Texture;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::sink::NullObserver;
use pspge::{Interpreter, Limits, Memory, Opcode, Registers};

fn png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a small picture");
    bytes.into_inner()
}

fn assemble(text: &str, files: &MemoryFiles) -> Assembly {
    let request = AssemblyRequest { files, ..AssemblyRequest::new("list.ge", text) };
    assemble_with(&request).unwrap_or_else(|errors| panic!("{}\n{text}", errors.report()))
}

/// Runs a program and returns memory and registers after it.
fn run(text: &str, files: &MemoryFiles) -> (Memory, Registers) {
    let mut capture = assemble(text, files).program.capture();
    let mut rasterizer = Rasterizer::new(RasterOptions::default());
    let mut interpreter = Interpreter::new(capture.registers, Arithmetic::Hardware);
    let limits = Limits::default();
    let report =
        interpreter.run(&mut capture.memory, capture.start, &mut rasterizer, &mut NullObserver, &limits);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    (capture.memory, interpreter.registers().clone())
}

/// Writes a program to draw the texture `sky` pixel by pixel.
fn program(format: &str, options: &str) -> String {
    let palette = "CLUTFORMAT format=sky.palette_format mask=0xff
        CLUTADDR lo(sky.palette) | CLUTADDRUPPER hi(sky.palette) | LOADCLUT sky.palette_blocks";
    let palette = if format.starts_with("CLUT") { palette } else { "" };
    format!(
        ".include <psp/init>
        .include <psp/screen>
        TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=1
        TEXFORMAT sky.format | TEXMODE swizzled=sky.swizzled max_level=sky.max_level
        TEXADDR0 lo(sky) | TEXBUFWIDTH0 width=sky.bufwidth high=hi(sky)
        TEXSIZE0 width_log2=sky.width_log2 height_log2=sky.height_log2
        {palette}
        TEXFLUSH
        VTYPE texcoord=BITS16 position=BITS16 through=1
        BASE hi(corners) | VADDR lo(corners) | PRIM primitive=RECTANGLES count=2
        FINISH | END
        .align 16
        sky: .texture \"sky.png\" {format} {options}
        corners:
        .u16 0 0 | .s16 0 0 0
        .u16 sky.width sky.height | .s16 sky.width sky.height 0"
    )
}

/// Draws a picture as a texture. Returns the drawn picture, and the texture as decoded from memory.
fn draw(picture: &RgbaImage, format: &str, options: &str) -> (RgbaImage, RgbaImage) {
    let files = MemoryFiles::new([("sky.png", png(picture))]);
    let (memory, registers) = run(&program(format, options), &files);
    let texture = Texture::from_registers(&registers, 0).decode(&memory, registers.clut());
    let (width, height) = texture.dimensions();
    (ColorSurface::from_registers(&registers).to_rgba(&memory, width, height), texture)
}

fn assert_equal(picture: &RgbaImage, expected: &RgbaImage, tolerance: u8, what: &str) {
    assert_eq!(picture.dimensions(), expected.dimensions(), "{what}");
    for ((x, y, found), (_, _, wanted)) in picture.enumerate_pixels().zip(expected.enumerate_pixels()) {
        let far = found.0.iter().zip(wanted.0).take(3).map(|(a, b)| a.abs_diff(b)).max();
        assert!(far.unwrap_or(0) <= tolerance, "{what} at {x}, {y}: {found:?}, not {wanted:?}");
    }
}

/// Makes a picture with only colours that this format stores exactly.
fn exact_picture(format: PixelFormat, width: u32, height: u32, colors: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let bits = ((x + y * 37) % colors).wrapping_mul(0x0102_0305) ^ 0x8000_0000;
        Rgba(color::decode(format, color::encode(format, bits.to_le_bytes())))
    })
}

#[test]
fn every_format_draws_its_picture() {
    let direct = [
        ("BGR5650", PixelFormat::BGR5650),
        ("ABGR5551", PixelFormat::ABGR5551),
        ("ABGR4444", PixelFormat::ABGR4444),
        ("ABGR8888", PixelFormat::ABGR8888),
    ];
    for (width, height) in [(64, 32), (1, 1), (2, 64), (16, 4)] {
        for options in ["", "swizzled"] {
            for (format, pixels) in direct {
                let picture = exact_picture(pixels, width, height, 3000);
                let what = format!("{format} {options} {width}x{height}");
                let (drawn, decoded) = draw(&picture, format, options);
                assert_equal(&drawn, &picture, 0, &what);
                assert_eq!(decoded, picture, "{what}: alpha, too");
            }
            for (format, colors) in [("CLUT4", 16), ("CLUT8", 256), ("CLUT16", 256), ("CLUT32", 256)] {
                for (palette, pixels) in direct {
                    let picture = exact_picture(pixels, width, height, colors);
                    let options = format!("{options} palette={palette}");
                    let what = format!("{format} {options} {width}x{height}");
                    let (drawn, decoded) = draw(&picture, format, &options);
                    assert_equal(&drawn, &picture, 0, &what);
                    assert_eq!(decoded, picture, "{what}: alpha, too");
                }
            }
        }
    }
}

#[test]
fn compressed_formats_draw_a_similar_picture() {
    for (width, height) in [(32, 16), (4, 4), (1, 2), (64, 8)] {
        let picture = RgbaImage::from_fn(width, height, |x, y| {
            let shade = |value: u32| u8::try_from(40 + value).expect("small");
            Rgba([shade(x), shade(y * 2), shade(x + y), 255])
        });
        for format in ["DXT1", "DXT3", "DXT5"] {
            let (drawn, decoded) = draw(&picture, format, "");
            let what = format!("{format} {width}x{height}");
            assert_equal(&drawn, &picture, 20, &what);
            assert_equal(&decoded, &picture, 20, &what);
        }
    }
}

#[test]
fn smaller_levels_are_averages() {
    let picture =
        RgbaImage::from_fn(32, 16, |x, y| Rgba([if (x / 8 + y / 8) % 2 == 0 { 240 } else { 0 }, 80, 0, 255]));
    let files = MemoryFiles::new([("sky.png", png(&picture))]);
    for format in ["ABGR8888", "CLUT8", "ABGR4444"] {
        for options in ["mipmaps=4", "mipmaps=4 swizzled"] {
            let mut text = String::from("TEXADDR0 lo(sky.level0)\n");
            for level in 0..5 {
                text += &format!(
                    "TEXADDR{level} lo(sky.level{level})
                    TEXBUFWIDTH{level} width=sky.level{level}.bufwidth high=hi(sky.level{level})
                    TEXSIZE{level} width_log2=sky.level{level}.width_log2 height_log2=sky.level{level}.height_log2\n"
                );
            }
            text += &program(format, options).replace(".include <psp/init>", "");
            let (memory, registers) = run(&text, &files);
            let level =
                |number| Texture::from_registers(&registers, number).decode(&memory, registers.clut());
            let sizes: Vec<(u32, u32)> = (0..5).map(|number| level(number).dimensions()).collect();
            assert_eq!(sizes, [(32, 16), (16, 8), (8, 4), (4, 2), (2, 1)], "{format} {options}");
            for (number, block) in [(1, 4), (2, 2), (3, 1)] {
                for (x, y, Rgba(pixel)) in level(number).enumerate_pixels() {
                    let red = if (x / block + y / block) % 2 == 0 { 240_u8 } else { 0 };
                    assert!(
                        pixel[0].abs_diff(red) <= 17,
                        "{format} {options}: level {number} at {x}, {y}: {pixel:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn pictures_are_padded_and_reduced_on_request() {
    let picture = RgbaImage::from_fn(30, 20, |x, y| {
        let shade = |value: u32| u8::try_from(value).expect("small");
        Rgba([shade(x * 8), shade(y * 12), shade((x + y) * 5), 255])
    });
    let (drawn, decoded) = draw(&picture, "CLUT8", "pad quantize");
    assert_eq!(decoded.dimensions(), (32, 32), "the next powers of two");
    let inside = image::imageops::crop_imm(&drawn, 0, 0, 30, 20).to_image();
    assert_equal(&inside, &picture, 48, "600 colours in 256");
    let far = inside.as_raw().iter().zip(picture.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b)));
    let far: u64 = far.sum();
    assert!(far < 30 * 20 * 4 * 6, "{far}: 6 of 255 on average");
    assert_eq!(decoded.get_pixel(31, 31).0[3], 0, "padding is transparent");
    assert_eq!(draw(&picture, "CLUT8", "pad quantize").0, drawn, "the same palette every time");
}

#[test]
fn textures_share_a_palette() {
    let sky = exact_picture(PixelFormat::ABGR8888, 16, 8, 16);
    let sea = RgbaImage::from_fn(8, 8, |x, y| *sky.get_pixel((x * 3) % 16, y));
    let files = MemoryFiles::new([("sky.png", png(&sky)), ("sea.png", png(&sea))]);
    let text = "sea_palette: .texture \"sky.png\" CLUT4\n.align 16\nsea: .texture \"sea.png\" CLUT4 palette=sea_palette";
    let assembly = assemble(text, &files);
    let symbols = &assembly.program.symbols;
    assert_eq!(symbols["sea.palette"], symbols["sea_palette.palette"], "one palette");
    assert_eq!(assembly.constants["sea.palette_blocks"], 2, "16 colours of 4 bytes");
    assert_eq!(assembly.files, ["sky.png", "sea.png"], "files in the order of their use");
    let alone = assemble("sea: .texture \"sea.png\" CLUT4", &files);
    let [with, without] = [&assembly, &alone].map(|assembly| assembly.program.image().expect("small").len());
    assert!(with < 2 * without, "no second palette");
}

#[test]
fn the_prelude_clears_the_screen() {
    let text = ".include <psp/init>
        .include <psp/screen>
        .include <psp/identity>
        MATERIALAMBIENT #ffffff | MATERIALALPHA 9
        .include <psp/clear>
        MATERIALAMBIENT #204060 | MATERIALALPHA 128
        .include <psp/clear>
        FINISH | END";
    let (memory, registers) = run(text, &MemoryFiles::default());
    let color = ColorSurface::from_registers(&registers);
    let picture = color.to_rgba_with_stencil(&memory, 480, 272);
    assert!(
        picture.pixels().all(|pixel| pixel.0 == [0x20, 0x40, 0x60, 128]),
        "every pixel, with its stencil"
    );
    assert_eq!(color.read(&memory, 480, 0), [0; 4], "nothing outside the picture");
    assert_eq!(DepthSurface::from_registers(&registers).read(&memory, 479, 271), 0, "depth");
    assert_eq!(registers.argument(Opcode::CLEARMODE), 0, "clear mode is off");
}

#[test]
fn the_prelude_maps_clip_space_to_the_picture() {
    let text = ".include <psp/init>
        .include <psp/screen>
        .include <psp/identity>
        MATERIALAMBIENT #ff0000
        VTYPE position=FLOAT
        BASE hi(corners) | VADDR lo(corners) | PRIM primitive=TRIANGLE_STRIP count=4
        FINISH | END
        corners: .f32 -1 -1 0  1 -1 0  -1 1 0  1 1 0";
    let (memory, registers) = run(text, &MemoryFiles::default());
    let picture = ColorSurface::from_registers(&registers).to_rgba(&memory, 480, 272);
    assert!(picture.pixels().all(|pixel| pixel.0[0] == 255), "-1 to 1 is the whole picture");
}
