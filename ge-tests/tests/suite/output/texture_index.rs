//! Checks the texture index for recorded frames: each texture must have its own name, the same bytes as its draws
//! sample, and the same hashes in every run.
//!
//! To run this test, set `PSPGE_CORPUS`. Without it the test prints a message and passes.

use std::collections::{BTreeMap, BTreeSet};

use ge_tests::{corpus, frames, input, schema_check};
use pspge::documents::TextureIndexDocument;
use pspge::documents::texture_index::IndexedTexture;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::ge::registers::pixel::ClearMode;
use pspge::ge::registers::texture::{MapMode, TextureMap};
use pspge::ge::registers::vertex::{ComponentFormat, VertexType};
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::pipeline::texture::content_hash::{self, ContentHash};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};
use pspge::run::texture_uses::{TextureUse, TextureUses};

/// Hashes for texels and palette.
type Hashes = (ContentHash, Option<ContentHash>);

/// Draws everything, and hashes the texture before each draw that samples it.
struct EachDraw {
    raster: Rasterizer,
    hashes: BTreeMap<u64, Hashes>,
}

impl EachDraw {
    fn add(&mut self, memory: &mut Memory, registers: &Registers, number: u64) {
        if registers.is_on(Opcode::TEXENABLE) && !registers.get::<ClearMode>().enabled {
            self.raster.flush(memory);
            let hashes = (content_hash::texture(memory, registers), content_hash::palette(registers));
            self.hashes.insert(number, hashes);
        }
    }
}

impl Sink for EachDraw {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let vertices: VertexType = draw.registers.get();
        let is_generated = draw.registers.get::<TextureMap>().mode != MapMode::UV && !vertices.through;
        if vertices.texcoord != ComponentFormat::NONE || draw.patch.is_some() || is_generated {
            self.add(memory, draw.registers, draw.number);
        }
        self.raster.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.add(memory, draw.registers, draw.number);
        self.raster.draw_immediate(memory, draw);
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.raster.flush(memory);
    }

    fn flush_textures(&mut self) {
        self.raster.flush_textures();
    }

    fn begin(&mut self, memory: &mut Memory, limits: &Limits) {
        self.raster.begin(memory, limits);
    }
}

fn raster(threads: u32) -> Rasterizer {
    Rasterizer::new(RasterOptions { threads, ..RasterOptions::default() })
}

fn textures(name: &str, bytes: &[u8], threads: u32) -> Vec<TextureUse> {
    let (mut capture, _) = input::frame_dump(name, bytes);
    let mut uses = TextureUses::new(raster(threads));
    let limits = Limits::default();
    let run = replay::run(&mut capture, Arithmetic::Hardware, &mut uses, &mut NullObserver, &limits);
    assert!(run.report.notes.iter().all(|note| note.limit_hit().is_none()), "{name}: within limits");
    uses.into_textures()
}

fn index(name: &str, uses: &[TextureUse]) -> TextureIndexDocument {
    TextureIndexDocument::new(name, uses.iter().map(IndexedTexture::of_use).collect(), Vec::new())
}

#[test]
fn textures_of_recorded_frames_are_those_that_draws_sample() {
    let Some(folder) = corpus::folder("frames") else { return };
    let mut rendered = 0;
    for (name, path) in frames::dumps(&folder) {
        let bytes = input::read(&path);
        let uses = textures(&name, &bytes, 1);
        let document = index(&name, &uses);
        assert_eq!(document, index(&name, &textures(&name, &bytes, 3)), "{name}: the same again");
        let json = serde_json::to_value(&document).expect("JSON");
        schema_check::check(&json);
        let names: BTreeSet<String> = uses.iter().map(TextureUse::name).collect();
        assert_eq!(names.len(), uses.len(), "{name}: each has a name of its own");
        assert!(!uses.is_empty(), "{name}: textures");
        rendered += uses.iter().filter(|texture| texture.is_rendered).count();
        let of_texture = |texture: &IndexedTexture| {
            let hashes = (texture.hash, texture.palette_hash);
            texture.draws.iter().map(|draw| (*draw, hashes)).collect::<Vec<_>>()
        };
        let indexed: BTreeMap<u64, Hashes> = document.textures.iter().flat_map(of_texture).collect();
        let (mut capture, _) = input::frame_dump(&name, &bytes);
        let mut each = EachDraw { raster: raster(1), hashes: BTreeMap::new() };
        replay::run(&mut capture, Arithmetic::Hardware, &mut each, &mut NullObserver, &Limits::default());
        assert!(indexed == each.hashes, "{name}: the hashes at each draw");
    }
    assert!(rendered >= 3, "frames that sample their render targets: {rendered} textures");
}
