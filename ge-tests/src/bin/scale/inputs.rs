//! Makes up frame dumps as large as wanted.

use ge_tests::generate::Random;
use ge_tests::lists;
use pspge::formats::ppdmp::{CONTEXT_BYTES, DumpWriter, RecordKind};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::vertex::PrimitiveType;

/// Vertex type in through mode: 16-bit texture coordinates and positions, ABGR8888 colour.
const VERTEX_TYPE: u32 = 1 << 23 | 2 << 7 | 2 | 7 << 2;
/// How many triangles the largest draw has.
const DRAW_TRIANGLES: u32 = 20_000;
/// How long a textured rectangle's sides are, in pixels.
const TEXTURE_SIDE: u16 = 64;

/// A frame under construction.
struct Frame {
    writer: DumpWriter,
}

impl Frame {
    /// Begins a frame with 480 × 272 pixels and more settings.
    fn new(settings: &[(Opcode, u32)]) -> Self {
        let mut writer = DumpWriter::new(*b"SCALE0001");
        writer.push(RecordKind::Init, &vec![0; CONTEXT_BYTES as usize]);
        let mut frame = Self { writer };
        frame.commands(|list| {
            lists::screen(list);
            list.set(Opcode::SCISSOR2, 479 | 271 << 10).set(Opcode::SHADEMODE, 1);
            list.set(Opcode::VTYPE, VERTEX_TYPE);
            for (opcode, argument) in settings {
                list.set(*opcode, *argument);
            }
        });
        frame
    }

    /// Appends commands.
    fn commands(&mut self, build: impl FnOnce(&mut ListBuilder)) {
        let mut list = ListBuilder::new(Address::new(USER_RAM_BASE));
        build(&mut list);
        self.writer.push_words(RecordKind::Registers, list.words());
    }

    /// Appends a draw after more commands.
    fn draw(&mut self, primitive: PrimitiveType, corners: &[[u16; 2]], build: impl FnOnce(&mut ListBuilder)) {
        let mut bytes = Vec::new();
        for [x, y] in corners {
            // Texture coordinates, colour, position and depth, and the vertex's end.
            for word in [x % TEXTURE_SIDE, y % TEXTURE_SIDE, x << 8 | y & 255, x ^ y, *x, *y, 0, 0] {
                bytes.extend(word.to_le_bytes());
            }
        }
        self.writer.push(RecordKind::Vertices, &bytes);
        self.commands(|list| {
            build(list);
            list.prim(primitive, u16::try_from(corners.len()).unwrap_or(u16::MAX));
        });
    }

    fn finish(mut self) -> Vec<u8> {
        self.writer.push_words(RecordKind::Display, &[0x0400_0000, 512, 3]);
        self.writer.finish().to_bytes()
    }
}

/// Returns the corners for small triangles all over the screen, about 32 pixels each.
fn small_triangles(random: &mut Random, count: u32) -> Vec<[u16; 2]> {
    let mut corners = Vec::new();
    for _ in 0..count {
        let mut below = |end: u32| u16::try_from(random.below(end)).unwrap_or(0);
        let (x, y) = (below(472), below(264));
        corners.extend([[x, y], [x + 8, y], [x, y + 8]]);
    }
    corners
}

/// Makes a frame with `count` triangles in a few draws.
pub(crate) fn triangles(count: u32) -> Vec<u8> {
    let mut frame = Frame::new(&[]);
    let mut random = Random::new(1);
    let mut left = count;
    while left > 0 {
        let now = left.min(DRAW_TRIANGLES);
        frame.draw(PrimitiveType::TRIANGLES, &small_triangles(&mut random, now), |_| ());
        left -= now;
    }
    frame.finish()
}

/// Makes a frame with `count` draws, each with another state and four triangles.
pub(crate) fn draws(count: u32) -> Vec<u8> {
    let mut frame = Frame::new(&[(Opcode::BLENDENABLE, 1), (Opcode::BLENDMODE, 2 | 3 << 4)]);
    let mut random = Random::new(2);
    for number in 0..count {
        frame.draw(PrimitiveType::TRIANGLES, &small_triangles(&mut random, 4), |list| {
            list.set(Opcode::BLENDFIXEDA, number).set(Opcode::BLENDENABLE, number & 1);
        });
    }
    frame.finish()
}

/// Makes a frame with about `kibibytes`: textures of 16 KiB, drawn as rectangles of 64 × 64 pixels.
pub(crate) fn textures(kibibytes: u32) -> Vec<u8> {
    let mut frame = Frame::new(&[
        (Opcode::TEXENABLE, 1),
        (Opcode::TEXFORMAT, 3),
        (Opcode::TEXFUNC, 3),
        (Opcode::TEXSIZE0, 6 | 6 << 8),
        (Opcode::TEXBUFWIDTH0, u32::from(TEXTURE_SIDE)),
    ]);
    let mut random = Random::new(3);
    for number in 0..kibibytes / 16 {
        let texels = random.bytes(usize::from(TEXTURE_SIDE) * usize::from(TEXTURE_SIDE) * 4);
        frame.writer.push(RecordKind::Texture(0), &texels);
        let column = u16::try_from(number % 6).unwrap_or(0) * TEXTURE_SIDE;
        let (right, bottom) = (column + TEXTURE_SIDE - 1, TEXTURE_SIDE - 1);
        let corners = [[column, 0], [right, bottom]];
        frame.draw(PrimitiveType::RECTANGLES, &corners, |list| {
            list.set(Opcode::TEXFLUSH, 0);
        });
    }
    frame.finish()
}

#[cfg(test)]
mod tests {
    use ge_tests::input;
    use pspge::ge::arithmetic::Arithmetic;
    use pspge::ge::limits::Limits;
    use pspge::raster::{RasterOptions, Rasterizer};
    use pspge::run::replay;
    use pspge::run::sink::NullObserver;

    use super::*;

    #[test]
    fn frames_have_the_work_that_they_promise() {
        for (name, bytes, draws, triangles, least_pixels) in [
            ("triangles", triangles(50_000), 3, 50_000, 50_000 * 25),
            ("draws", draws(300), 300, 1200, 1200 * 25),
            ("textures", textures(160), 10, 0, 10 * 3900),
        ] {
            let (mut capture, _) = input::frame_dump(name, &bytes);
            let mut raster = Rasterizer::new(RasterOptions::default());
            let limits = Limits::default();
            let replayed =
                replay::run(&mut capture, Arithmetic::Hardware, &mut raster, &mut NullObserver, &limits);
            let statistics = raster.statistics();
            assert_eq!(replayed.report.draws, draws, "{name}: draws");
            assert_eq!(statistics.triangles, triangles, "{name}: triangles");
            assert!(statistics.pixels >= least_pixels, "{name}: {} pixels", statistics.pixels);
            assert_eq!(replayed.report.notes, [], "{name}: notes");
        }
        assert!((900 * 1024..1000 * 1024).contains(&textures(960).len()), "about 960 KiB");
    }
}
