//! Builds the index from textures in runs and in files.

use super::draws::TextureDraws;
use super::{IndexedTexture, PaletteMapping, TextureIndexDocument};
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::SchemaId;
use crate::ge::memory::Memory;
use crate::model::ModelTexture;
use crate::pipeline::texture::palette::{self, Palette};
use crate::pipeline::texture::{Texture, content_hash};
use crate::run::texture_uses::TextureUse;

impl TextureIndexDocument {
    /// Creates the index for an input.
    #[must_use]
    pub fn new(input: &str, textures: Vec<IndexedTexture>, notes: Vec<NoteInfo>) -> Self {
        Self { schema: SchemaId::new(), input: input.to_owned(), textures, notes }
    }
}

impl IndexedTexture {
    /// Describes a texture in use by draws. No files are written yet.
    #[must_use]
    pub fn of_use(texture: &TextureUse) -> Self {
        Self {
            index: None,
            name: None,
            files: Vec::new(),
            hash: texture.hash,
            palette_hash: texture.palette_hash,
            width: texture.width,
            height: texture.height,
            format: texture.format,
            swizzled: texture.swizzled,
            levels: texture.levels,
            addresses: texture.addresses.iter().copied().collect(),
            file_offset: None,
            palette: None,
            palette_format: texture.palette.map(|palette| palette.format),
            palette_mapping: texture.palette.map(PaletteMapping::from),
            palette_addresses: texture.palette_addresses.iter().copied().collect(),
            rendered: texture.is_rendered,
            mapped: texture.is_mapped,
            draws: texture.draws.iter().cloned().flatten().collect(),
        }
    }

    /// Describes a texture from a file with palette number `palette`, and the draws that use it. No files are
    /// written yet.
    ///
    /// This hashes the texels, at most 1 MiB.
    #[must_use]
    pub fn of_file(memory: &Memory, texture: &ModelTexture, palette: u32, draws: &TextureDraws) -> Self {
        let registers = texture.registers(memory, palette);
        let level = Texture::from_registers(&registers, 0);
        let (hash, palette_hash) =
            (content_hash::texture(memory, &registers), content_hash::palette(&registers));
        let used = texture.palette.filter(|_| palette_hash.is_some());
        let draws = draws.get(hash, palette_hash, texture.format, [level.width(), level.height()]);
        Self {
            index: Some(texture.index as u64),
            name: texture.name.clone(),
            files: Vec::new(),
            hash,
            palette_hash,
            width: texture.width.into(),
            height: texture.height.into(),
            format: texture.format,
            swizzled: level.swizzled,
            levels: 1,
            addresses: vec![level.address],
            file_offset: Some(texture.file_offset),
            palette: used.map(|colors| palette.min(colors.count() - 1)),
            palette_format: used.map(|colors| colors.format),
            palette_mapping: used.map(|_| level.palette.into()),
            palette_addresses: used.map(|_| palette::source(&registers)).into_iter().collect(),
            rendered: false,
            mapped: memory.is_mapped(level.address, level.bytes()),
            draws: draws.to_vec(),
        }
    }
}

impl From<Palette> for PaletteMapping {
    fn from(palette: Palette) -> Self {
        Self { shift: palette.shift, mask: palette.mask, start: palette.start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::limits::Limits;
    use crate::model::TexturePalette;
    use crate::raster::{RasterOptions, Rasterizer};
    use crate::run::replay;
    use crate::run::sink::NullObserver;
    use crate::run::texture_uses::TextureUses;

    /// A texture with 8x4 texels and two palettes, drawn with each; after that, two draws sample the pixels drawn.
    const LIST: &str = "
        FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888
        SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(corners) | VADDR lo(corners)
        TEXENABLE 1 | TEXFORMAT CLUT4 | TEXSIZE0 width_log2=3 height_log2=2 | TEXFUNC function=REPLACE use_alpha=1
        TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=32 high=8
        CLUTFORMAT format=ABGR8888 mask=0xff | CLUTADDRUPPER 0x8 | CLUTADDR lo(colors) | LOADCLUT 2
        VTYPE texcoord=BITS16 position=BITS16 through=1 | PRIM primitive=RECTANGLES count=2
        VADDR lo(corners) | CLUTADDR lo(others) | LOADCLUT 2 | PRIM primitive=RECTANGLES count=2
        TEXFORMAT ABGR8888 | TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4 | TEXFLUSH
        VADDR lo(corners) | PRIM primitive=RECTANGLES count=2
        VADDR lo(below) | PRIM primitive=RECTANGLES count=2
        TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=1 | VADDR lo(below) | PRIM primitive=RECTANGLES count=2
        FINISH | END
    .align 16
    texels: .fill 64 0x10
    .align 16
    colors: .rgba #ff0000ff | .rgba #00ff00ff | .space 56
    .align 16
    others: .rgba #0000ffff | .rgba #ffffffff | .space 56
    corners: .s16 0 0 0 0 0 | .s16 8 4 8 4 0
    below: .s16 0 0 0 32 0 | .s16 8 4 8 36 0
    ";

    fn run() -> (Memory, Vec<TextureUse>) {
        let program = crate::asm::assemble(LIST).unwrap_or_else(|error| panic!("{error}"));
        let mut capture = program.capture();
        let mut uses = TextureUses::new(Rasterizer::new(RasterOptions::default()));
        let limits = Limits::default();
        replay::run(&mut capture, Arithmetic::Hardware, &mut uses, &mut NullObserver, &limits);
        (capture.memory, uses.into_textures())
    }

    #[test]
    fn runs_have_each_content_with_its_draws() {
        let (_, uses) = run();
        let textures: Vec<IndexedTexture> = uses.iter().map(IndexedTexture::of_use).collect();
        let draws: Vec<&[u64]> = textures.iter().map(|texture| texture.draws.as_slice()).collect();
        assert_eq!(draws, [&[0][..], &[1], &[2, 3], &[4]], "two palettes, one render target, missing memory");
        let marks: Vec<[bool; 2]> =
            textures.iter().map(|texture| [texture.rendered, texture.mapped]).collect();
        assert_eq!(marks, [[false, true], [false, true], [true, true], [false, false]], "rendered, mapped");
        let [red, blue, target, _] = textures.as_slice() else { panic!("four") };
        assert_eq!((red.hash, red.width, red.height, red.levels), (blue.hash, 8, 4, 1), "the same texels");
        assert_ne!(red.palette_addresses, blue.palette_addresses, "other palettes");
        assert_eq!(red.palette_mapping, Some(PaletteMapping { shift: 0, mask: 255, start: 0 }), "mapping");
        assert_eq!((target.palette_hash, target.palette_mapping), (None, None), "colours");
        assert_eq!((red.index, red.file_offset, red.palette), (None, None, None), "of no file");
    }

    #[test]
    fn textures_of_files_find_their_draws() {
        let (memory, uses) = run();
        let draws = TextureDraws::of(&uses);
        let [first, second] = [&uses[0], &uses[1]].map(|texture| *texture.palette_addresses.first().unwrap());
        let stored = |palette| ModelTexture {
            index: 3,
            name: Some("brick".to_owned()),
            width: 7,
            height: 4,
            format: uses[0].format,
            swizzled: false,
            buffer_width: 32,
            address: *uses[0].addresses.first().unwrap(),
            file_offset: 0x40,
            palette: Some(palette),
            storage: None,
        };
        let format = uses[0].palette.unwrap().format;
        assert_eq!(second, first.offset(64), "the palettes follow each other");
        let both =
            stored(TexturePalette { format, colors: 32, size: 16, address: first, shift: 0, mask: 0xFF });
        for (palette, draw) in [(0, 0), (1, 1), (9, 1)] {
            let texture = IndexedTexture::of_file(&memory, &both, palette, &draws);
            assert_eq!(texture.draws, [draw], "palette {palette}");
            assert_eq!(texture.palette, Some(palette.min(1)), "its number");
            assert_eq!((texture.width, texture.index, texture.mapped), (7, Some(3), true), "as in the file");
        }
        let other = stored(TexturePalette {
            format,
            colors: 16,
            size: 16,
            address: first.offset(16),
            shift: 0,
            mask: 0xFF,
        });
        let texture = IndexedTexture::of_file(&memory, &other, 0, &draws);
        assert_eq!(texture.draws, [0; 0], "no draw uses this palette");
        assert_ne!(texture.palette_hash, uses[0].palette_hash, "its colours are others");
        let lost = ModelTexture { address: crate::ge::address::Address::new(0x0100_0000), ..both };
        assert!(!IndexedTexture::of_file(&memory, &lost, 0, &draws).mapped, "missing memory");
    }
}
