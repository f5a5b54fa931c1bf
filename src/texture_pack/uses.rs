//! Finds the textures of a run's draws under their names in a pack.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use super::hash;
use super::key::Key;
use super::settings::Settings;
use super::texture_hash::{HashedTexture, ROWS_MIN, TALL, palette_bytes};
use crate::ge::capture::Capture;
use crate::ge::draw_set::DrawSet;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::{Memory, Version};
use crate::ge::opcode::Opcode;
use crate::ge::registers::draw_state::DrawState;
use crate::ge::registers::texture::TextureSize;
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::texture;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::Report;
use crate::run::replay;
use crate::run::sink::{NullObserver, Sink, Step};
use crate::run::texture_uses::{LastUse, TextureUse, TextureUses};
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// Hashing this many bytes costs as much as decoding 1.
const HASHED_PER_DECODED: u32 = 32;
/// Bytes in a LOADCLUT block.
const PALETTE_BLOCK: u32 = 32;

/// The textures in a run.
#[derive(Clone, Debug)]
pub struct PackUses {
    /// The textures with their pictures.
    pub textures: Vec<TextureUse>,
    /// The textures' names, ordered by first use.
    pub uses: Vec<PackUse>,
    /// The report on the run.
    pub report: Report,
}

/// A texture under a name, with the draws that use it.
#[derive(Clone, Debug, PartialEq)]
pub struct PackUse {
    /// The name to look for in a pack.
    pub key: Key,
    /// Index into [`PackUses::textures`].
    pub texture: usize,
    /// Width and height in texels.
    pub size: [u32; 2],
    /// Width and height of the part, from the upper left corner, that a picture shows.
    pub region: [u32; 2],
    /// Whether earlier draws in the run may have drawn some texels. PPSSPP does not replace such a texture.
    pub is_rendered: bool,
    /// The draws that use it.
    pub draws: DrawSet,
}

/// Runs a capture to find its textures under their names.
pub fn find(capture: &mut Capture, settings: &Settings, options: RasterOptions, limits: &Limits) -> PackUses {
    let mut rows = Rows::default();
    let arithmetic = options.arithmetic;
    replay::run(&mut capture.clone(), arithmetic, &mut rows, &mut NullObserver, limits);
    let mut finder = Finder::new(settings, &capture.registers, rows.used, limits);
    let mut textures = TextureUses::new(Rasterizer::new(options));
    let report = replay::run(capture, arithmetic, &mut textures, &mut finder, limits).report;
    PackUses { textures: textures.into_textures(), uses: finder.found, report }
}

/// Measures how many rows of tall textures each draw uses. PPSSPP joins draws with the same state, so the largest
/// row count among them holds for all.
#[derive(Default)]
struct Rows {
    used: Vec<u16>,
    /// The state shared by the latest draws, and the first draw's number.
    batch: Option<(DrawState, usize)>,
}

impl Rows {
    fn add(&mut self, number: u64, registers: &Registers, rows: u16) {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        if number != self.used.len() {
            return;
        }
        let joins = self.batch.as_ref().filter(|(state, _)| state.is_of(registers)).map(|(_, first)| *first);
        let first = joins.unwrap_or(number);
        if joins.is_none() {
            self.batch = Some((DrawState::of(registers), first));
        }
        let most = self.used.last().filter(|_| joins.is_some()).map_or(rows, |before| rows.max(*before));
        if self.used.last() != Some(&most) {
            self.used.iter_mut().skip(first).for_each(|rows| *rows = most);
        }
        self.used.push(most);
    }
}

impl Sink for Rows {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let vertex_type: VertexType = draw.registers.get();
        let size: TextureSize = draw.registers.view(Opcode::TEXSIZE0);
        let is_known = vertex_type.through
            && matches!(vertex_type.texcoord, ComponentFormat::BITS16 | ComponentFormat::FLOAT);
        let rows = if is_known && texture::is_used(draw.registers) && 1 << size.height_log2 >= TALL {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "PPSSPP cuts, too")]
            draw.raw_vertices(memory).map(|vertex| vertex.texcoord[1] as u16).max().unwrap_or(0)
        } else {
            0
        };
        self.add(draw.number, draw.registers, rows);
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.add(draw.number, draw.registers, 0);
    }

    fn flush(&mut self, _: &mut Memory) {}
}

/// Names each draw's texture as PPSSPP would at this moment.
struct Finder<'a> {
    settings: &'a Settings,
    /// How many rows each draw uses.
    rows: Vec<u16>,
    /// How many rows draws have used so far, for each texture.
    rows_seen: HashMap<u64, u16>,
    palette: PaletteLoads,
    /// Names for bytes that have not changed since, to avoid hashing them again.
    known: HashMap<HashedTexture, (Version, Key)>,
    /// The current draw's texture.
    current: Option<(HashedTexture, Key)>,
    found: Vec<PackUse>,
    by_use: HashMap<(Key, HashedTexture, LastUse), usize>,
    budget: Budget,
}

impl<'a> Finder<'a> {
    fn new(settings: &'a Settings, registers: &Registers, rows: Vec<u16>, limits: &Limits) -> Self {
        let mut palette = PaletteLoads::default();
        palette.load(registers.argument(Opcode::LOADCLUT));
        Self {
            settings,
            rows,
            rows_seen: HashMap::new(),
            palette,
            known: HashMap::new(),
            current: None,
            found: Vec::new(),
            by_use: HashMap::new(),
            budget: Budget::new(limits, Limit::DecodedBytes),
        }
    }

    /// Returns how many rows of a tall texture to hash at a draw.
    fn rows_at(&mut self, texture: &HashedTexture, registers: &Registers, draw: u64) -> u16 {
        let seen = self.rows_seen.entry(texture.rows_key()).or_default();
        let all = u16::try_from(TALL).unwrap_or(u16::MAX);
        let used = usize::try_from(draw).ok().and_then(|draw| self.rows.get(draw)).copied().unwrap_or(0);
        match registers.get::<VertexType>().through {
            true if *seen == 0 && used > 0 => *seen = used.max(ROWS_MIN),
            // PPSSPP does not follow draws that use more and more rows, but hashes all rows from then on.
            true if used > *seen => *seen = all,
            true => {}
            false => *seen = all,
        }
        *seen
    }

    fn key(&mut self, memory: &Memory, texture: &HashedTexture) -> Option<Key> {
        let length = texture.extent(self.settings).length();
        let version = memory.version(texture.address, length as usize);
        if let Some((known, key)) = self.known.get(texture)
            && version == Some(*known)
        {
            return Some(*key);
        }
        self.budget.spend(u64::from(length / HASHED_PER_DECODED)).ok()?;
        let key = texture.key(memory, self.settings);
        if let Some(version) = version {
            self.known.insert(*texture, (version, key));
        }
        Some(key)
    }
}

impl<S: Sink> Watch<TextureUses<S>> for Finder<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if step.command.opcode() == Opcode::LOADCLUT {
            self.palette.load(step.command.argument());
            self.palette.read_rest(memory, step.registers);
        }
        ControlFlow::Continue(())
    }

    fn before(&mut self, sink: &mut TextureUses<S>, memory: &mut Memory, event: &RunEvent<'_>) {
        self.current = None;
        let Some(registers) = event.kind.draw_registers().filter(|registers| texture::is_used(registers))
        else {
            return;
        };
        let mut texture = HashedTexture::new(registers, self.palette.hash(registers));
        if texture.is_tall() {
            texture.rows_seen = self.rows_at(&texture, registers, event.place.draw);
        }
        let length = texture.extent(self.settings).length();
        if texture.address.is_vram() {
            // Hashing reads memory, so earlier draws and transfers have to be written first.
            sink.flush_for_read(memory, texture.address, length);
        }
        self.current = self.key(memory, &texture).map(|key| (texture, key));
    }

    fn after(&mut self, sink: &mut TextureUses<S>, _: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        let is_draw = matches!(event.kind, RunEventKind::Draw(_) | RunEventKind::Immediate(_));
        let current = self.current.take().filter(|_| is_draw && outcome == Outcome::Done);
        let Some(((texture, key), last)) = current.zip(sink.last_use()) else { return };
        let number = event.place.draw;
        match self.by_use.entry((key, texture, last)) {
            Entry::Occupied(known) => {
                if let Some(known) = self.found.get_mut(*known.get()) {
                    known.draws.insert(number);
                }
            }
            Entry::Vacant(new) => {
                new.insert(self.found.len());
                let size = texture.size;
                // A range is for an address. Names without an address may fit textures elsewhere, so their pictures
                // show the whole texture.
                let range = self.settings.range(texture.address.get(), size);
                let range = range.filter(|_| !self.settings.ignore_address);
                self.found.push(PackUse {
                    key,
                    texture: last.texture,
                    size,
                    region: range.unwrap_or(size),
                    is_rendered: last.is_rendered,
                    draws: DrawSet::one(number),
                });
            }
        }
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }
}

/// Palette memory as PPSSPP has it: a load may be larger than on a PSP.
#[derive(Default)]
struct PaletteLoads {
    /// Bytes in the last load that was not empty.
    last: u32,
    /// Bytes in the largest load.
    largest: u32,
    /// The bytes that do not fit into a PSP's palette memory.
    rest: Vec<u8>,
}

impl PaletteLoads {
    fn load(&mut self, argument: u32) {
        // A PSP would load nothing for 0x40.
        let blocks = if argument & 0x7F == 0x40 { 0x40 } else { argument & 0x3F };
        if blocks > 0 {
            self.last = blocks * PALETTE_BLOCK;
            self.largest = self.largest.max(self.last);
        }
    }

    fn read_rest(&mut self, memory: &Memory, registers: &Registers) {
        let count = (self.last as usize).saturating_sub(CLUT_BYTES);
        if count > self.rest.len() {
            self.rest.resize(count, 0);
        }
        let start = texture::palette::source(registers).offset(u32::try_from(CLUT_BYTES).unwrap_or(u32::MAX));
        if let Some(rest) = self.rest.get_mut(..count) {
            memory.read(start, rest);
        }
    }

    fn hash(&self, registers: &Registers) -> u32 {
        let count = palette_bytes(registers, self.last, self.largest) as usize;
        let clut = registers.clut();
        match clut.get(..count) {
            Some(bytes) => hash::palette(bytes),
            None => {
                let mut bytes = clut.to_vec();
                bytes.extend(&self.rest);
                bytes.resize(count, 0);
                hash::palette(&bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;

    /// Draws 0 and 1 in the same state sample rows up to 300 and 400, draw 2 in another state up to 500. Draws 3 and
    /// 4 sample with another palette, which begins at entry 16.
    const LIST: &str = "
        BASE hi(v) | TEXENABLE 1 | TEXFORMAT CLUT8 | TEXADDR0 lo(t) | TEXBUFWIDTH0 width=16 high=8
        TEXSIZE0 width_log2=4 height_log2=9 | CLUTFORMAT format=ABGR8888 mask=0xff
        CLUTADDRUPPER 0x8 | CLUTADDR lo(t) | LOADCLUT 2
        VTYPE texcoord=BITS16 position=BITS16 through=1
        VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | VADDR lo(w) | PRIM primitive=RECTANGLES count=2
        FOGENABLE 1 | VADDR lo(x) | PRIM primitive=RECTANGLES count=2
        TEXSIZE0 width_log2=4 height_log2=2 | CLUTFORMAT format=ABGR8888 mask=0xff start=1 | LOADCLUT 1
        VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | PRIM primitive=RECTANGLES count=2
        FINISH | END
        .align 16
        t: .fill 8192 1
        v: .s16 0 0 0 0 0 | .s16 8 300 8 8 0 | .space 20
        w: .s16 0 0 0 0 0 | .s16 8 400 8 8 0
        x: .s16 0 0 0 0 0 | .s16 8 500 8 8 0
    ";

    #[test]
    fn names_follow_the_run() {
        let mut capture = assemble(LIST).unwrap_or_else(|error| panic!("{error}")).capture();
        let mut settings = Settings::default();
        let ini = crate::texture_pack::ini::Ini::read(b"[options]\nhash = xxh64");
        settings.read(&ini, false, &mut Vec::new()).expect("settings");
        let found = find(&mut capture, &settings, RasterOptions::default(), &Limits::default());
        let hash_of = |count: usize| settings.hash.hash(&vec![1; count], 0);
        let uses: Vec<_> = found
            .uses
            .iter()
            .map(|found| (found.draws.to_string(), found.key.data, found.is_rendered))
            .collect();
        assert_eq!(
            uses,
            [
                ("0-1".to_owned(), hash_of(16 * 400), false),
                ("2".to_owned(), hash_of(16 * 512), false),
                ("3-4".to_owned(), hash_of(16 * 4), false)
            ],
            "the rows of joined draws, then all"
        );
        let palette = |count: usize, word: u32| hash::palette(&vec![1; count]) ^ word;
        assert_eq!(found.uses[0].key.palette(), palette(64, 0xC500_FF03 ^ 0x904));
        // 32 bytes were loaded last, and the start skips 64; an earlier load had 64.
        assert_eq!(found.uses[2].key.palette(), palette(64, 0xC501_FF03 ^ 0x204));
        assert_eq!(found.textures.len(), 2, "the first has two names");
    }
}
