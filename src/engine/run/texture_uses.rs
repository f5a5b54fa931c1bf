//! Collects a run's textures. Each distinct texture comes only once, decoded, with the draws that use it.
//!
//! # Invariants
//! A texture is read when its draw happens, after all earlier draws, because memory changes during a run, and lists
//! draw into their own textures. The result depends on the draws alone, not on threads. [`Limits::decoded_bytes`]
//! bounds it.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::run::texture_uses::TextureUses;
//!
//! let list = "BASE hi(.) | TEXENABLE 1 | TEXFORMAT 3 | TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=4 high=8
//!             VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(corners)
//!             PRIM primitive=RECTANGLES count=2 | FINISH | END
//!             .align 16
//!             texels: .rgba #ff0000ff
//!             corners: .s16 0 0 0 0 0 | .s16 1 1 8 8 0";
//! let mut capture = pspge::asm::assemble(list)?.capture();
//! let mut uses = TextureUses::new(pspge::NullSink);
//! let (arithmetic, limits) = Default::default();
//! pspge::replay(&mut capture, arithmetic, &mut uses, &mut pspge::NullObserver, &limits);
//! let [texture] = uses.textures() else { panic!("one texture") };
//! assert_eq!((texture.draws.as_slice(), texture.pictures[0].get_pixel(0, 0).0), ([0..=0].as_slice(), [255, 0, 0, 255]));
//! # Ok::<(), pspge::asm::AssemblyErrors>(())
//! ```

use std::collections::HashMap;

use super::dump_extent::{DumpExtent, box_of_draw, box_of_immediate};
use super::sink::Sink;
use crate::ge::draw_set::DrawSet;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::{Memory, Version};
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{MapMode, TextureMap};
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::texture::{self, MAX_SIZE, Texture, content_hash, palette};

mod identity;
mod texture_use;

use identity::{Identity, TextureState};
pub use texture_use::TextureUse;

/// Hashing this many bytes costs as much as decoding a byte.
const HASHED_PER_DECODED: u64 = 32;
/// The same for bytes that a VRAM view reorders, which hash more slowly.
const GATHERED_PER_DECODED: u64 = 4;

/// Collects all draws' textures and passes the draws on.
///
/// Draws without texturing, in clear mode, or whose vertices give no texture coordinates use no texture. To see
/// textures drawn by the run itself, pass the draws on to a rasterizer.
#[derive(Clone, Debug)]
pub struct TextureUses<S> {
    inner: S,
    textures: Vec<TextureUse>,
    /// Maps everything that distinguishes a texture to its index.
    by_identity: HashMap<Identity, usize>,
    /// Maps each texture state in the registers to the texture last found for it, to avoid hashing again.
    by_state: HashMap<TextureState, Known>,
    drawn: DumpExtent,
    budget: Budget,
    /// Which draws' textures to collect; `None` for all.
    only: Option<DrawSet>,
    /// Whether to decode the textures to pictures.
    has_pictures: bool,
    last_use: Option<LastUse>,
}

/// The last draw's texture.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LastUse {
    /// This texture's position in [`TextureUses::textures`].
    pub texture: usize,
    /// Whether the run may have drawn some of this texture's texels before.
    pub is_rendered: bool,
}

/// A texture found before, with a way to tell whether it has changed.
#[derive(Clone, Debug)]
struct Known {
    texture: usize,
    /// The levels' versions in memory; `None` if the levels must be read again each time.
    versions: Option<Vec<Version>>,
}

impl<S: Sink> TextureUses<S> {
    /// Creates a sink that collects textures and passes all draws on to `inner`.
    #[must_use]
    pub fn new(inner: S) -> Self {
        Self {
            inner,
            textures: Vec::new(),
            by_identity: HashMap::new(),
            by_state: HashMap::new(),
            drawn: DumpExtent::default(),
            budget: Budget::new(&Limits::default(), Limit::DecodedBytes),
            only: None,
            has_pictures: true,
            last_use: None,
        }
    }

    /// Returns the last draw's texture; `None` if it used none, or the budget is spent.
    #[doc(hidden)]
    pub const fn last_use(&self) -> Option<LastUse> {
        self.last_use
    }

    /// Collects the textures without decoding their pictures, which is faster.
    #[must_use]
    pub fn without_pictures(self) -> Self {
        Self { has_pictures: false, ..self }
    }

    /// Collects textures for these draws alone. This still passes the others on.
    #[must_use]
    pub fn only(self, draws: DrawSet) -> Self {
        Self { only: Some(draws), ..self }
    }

    /// Returns the sink that receives the draws after this.
    #[must_use]
    pub const fn inner(&self) -> &S {
        &self.inner
    }

    /// Returns the textures so far, ordered by first use.
    #[must_use]
    pub fn textures(&self) -> &[TextureUse] {
        &self.textures
    }

    /// Returns the textures, ordered by first use, to keep them after the run.
    #[must_use]
    pub fn into_textures(self) -> Vec<TextureUse> {
        self.textures
    }

    /// Adds a draw's use. Does nothing if the budget is spent; then [`Sink::limit_hit`] ends the run.
    fn add(&mut self, memory: &mut Memory, registers: &Registers, number: u64) {
        let levels: Vec<Texture> = content_hash::levels(registers).collect();
        for level in levels.iter().filter(|level| touches_vram(level)) {
            // Earlier draws into this texture must be in memory before it is read.
            self.inner.flush_for_read(memory, level.address, level.bytes());
        }
        let Some(index) = self.find(memory, registers, &levels) else { return };
        let is_rendered = levels.iter().any(|level| self.is_drawn(level));
        let is_mapped = levels.iter().all(|level| memory.is_mapped(level.address, level.bytes()));
        self.last_use = Some(LastUse { texture: index, is_rendered });
        let Some(texture) = self.textures.get_mut(index) else { return };
        texture.add_draw(number);
        texture.is_rendered |= is_rendered;
        texture.is_mapped &= is_mapped;
        if let Some(level) = levels.first() {
            texture.addresses.insert(level.address);
        }
        if texture.palette.is_some() {
            texture.palette_addresses.insert(palette::source(registers));
        }
    }

    fn takes(&self, number: u64) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(number))
    }

    /// Finds the current texture's index, and decodes it if it is new.
    fn find(&mut self, memory: &Memory, registers: &Registers, levels: &[Texture]) -> Option<usize> {
        let state = TextureState::new(registers, levels.len());
        let versions: Option<Vec<Version>> =
            levels.iter().map(|level| memory.version(level.address, level.bytes() as usize)).collect();
        // The same registers and unchanged memory give the same texture, so this need not hash it again.
        if let Some(known) = self.by_state.get(&state)
            && known.versions.is_some()
            && known.versions == versions
        {
            return Some(known.texture);
        }
        let is_contiguous = versions.is_some();
        let factor = if is_contiguous { HASHED_PER_DECODED } else { GATHERED_PER_DECODED };
        self.budget.spend(content_hash::bytes(registers) / factor).ok()?;
        let identity = Identity::new(memory, registers, levels);
        let index = match self.by_identity.get(&identity) {
            Some(&index) => index,
            None => self.decode(memory, registers, levels, identity)?,
        };
        self.by_state.insert(state, Known { texture: index, versions });
        Some(index)
    }

    /// Decodes a new texture and returns its index, or `None` if the budget does not allow it.
    fn decode(
        &mut self,
        memory: &Memory,
        registers: &Registers,
        levels: &[Texture],
        identity: Identity,
    ) -> Option<usize> {
        let side = |texels: u32| u64::from(texels.min(MAX_SIZE));
        let bytes = levels.iter().map(|level| side(level.width()) * side(level.height()) * 4).sum();
        self.budget.spend(if self.has_pictures { bytes } else { size_of::<TextureUse>() as u64 }).ok()?;
        let index = self.textures.len();
        let pictures = if self.has_pictures { levels } else { &[] };
        let pictures = pictures.iter().map(|level| level.decode(memory, registers.clut())).collect();
        let mut texture = TextureUse::new(levels.first()?, identity.hash, identity.palette_hash, pictures);
        texture.levels = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        texture.layout = identity.layout();
        self.textures.push(texture);
        self.by_identity.insert(identity, index);
        Some(index)
    }

    /// Whether a draw in this run may have drawn some of a level's texels.
    fn is_drawn(&self, level: &Texture) -> bool {
        let (bytes, mut undrawn) = (level.bytes(), 0);
        self.drawn.undrawn(level.address, bytes, &mut |range| undrawn += range.end - range.start);
        undrawn < bytes
    }
}

/// Whether a draw with these registers samples a texture at coordinates of its own.
fn uses_texture(registers: &Registers, has_texcoords: bool) -> bool {
    let is_generated = matches!(registers.get::<TextureMap>().mode, MapMode::MATRIX | MapMode::ENVIRONMENT);
    texture::is_used(registers) && (has_texcoords || is_generated && !registers.get::<VertexType>().through)
}

fn touches_vram(level: &Texture) -> bool {
    level.address.is_vram() || level.address.offset(level.bytes()).is_vram()
}

impl<S: Sink> Sink for TextureUses<S> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.last_use = None;
        // Patches generate coordinates if their vertices have none.
        let stored = draw.registers.get::<VertexType>().texcoord != ComponentFormat::NONE;
        if self.takes(draw.number) && uses_texture(draw.registers, stored || draw.patch.is_some()) {
            self.add(memory, draw.registers, draw.number);
        }
        self.drawn.insert(draw.registers, box_of_draw(memory, draw));
        self.inner.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.last_use = None;
        if self.takes(draw.number) && uses_texture(draw.registers, true) {
            self.add(memory, draw.registers, draw.number);
        }
        self.drawn.insert(draw.registers, box_of_immediate(draw));
        self.inner.draw_immediate(memory, draw);
    }

    crate::run::sink::forward_flushes!(inner);

    fn begin(&mut self, memory: &mut Memory, limits: &Limits) {
        self.budget = Budget::new(limits, Limit::DecodedBytes);
        self.inner.begin(memory, limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit().or_else(|| self.inner.limit_hit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::capture::{Action, Capture, Event};
    use crate::ge::list::ListBuilder;
    use crate::ge::opcode::Opcode;
    use crate::ge::overrides::Overrides;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::run::replay;
    use crate::run::sink::{NullObserver, NullSink};

    const START: Address = Address::new(0x0880_0000);
    const VERTICES: Address = Address::new(0x0890_0000);
    const TEXELS: Address = Address::new(0x0891_0000);
    const PALETTE: Address = Address::new(0x0892_0000);
    /// VTYPE for 16-bit texture coordinates and positions in through mode.
    const SPRITE: u32 = 1 << 23 | 2 << 7 | 2;

    /// A list for drawing with an 8-bit texture of 16×8 texels.
    fn list() -> ListBuilder {
        let mut list = ListBuilder::new(START);
        list.set(Opcode::TEXENABLE, 1).set(Opcode::TEXFORMAT, 5).set(Opcode::TEXSIZE0, 0x0304);
        list.set(Opcode::CLUTFORMAT, 0xFF03).set(Opcode::VTYPE, SPRITE);
        texture(&mut list, TEXELS);
        load_palette(&mut list, PALETTE);
        list.address(Opcode::VADDR, VERTICES);
        list
    }

    fn texture(list: &mut ListBuilder, address: Address) {
        list.set(Opcode::TEXADDR0, address.get() & 0xFF_FFFF);
        list.set(Opcode::TEXBUFWIDTH0, address.get() >> 24 << 16 | 16);
    }

    fn load_palette(list: &mut ListBuilder, address: Address) {
        list.set(Opcode::CLUTADDR, address.get() & 0xFF_FFFF);
        list.set(Opcode::CLUTADDRUPPER, address.get() >> 24 << 16).set(Opcode::LOADCLUT, 32);
    }

    fn draw(list: &mut ListBuilder) {
        list.prim(PrimitiveType::RECTANGLES, 2);
    }

    fn run(list: ListBuilder, events: Vec<Event>, limits: &Limits) -> (Vec<TextureUse>, replay::Replayed) {
        let mut uses = TextureUses::new(NullSink);
        let run = run_with(list, events, limits, &mut uses);
        (uses.into_textures(), run)
    }

    fn run_with(
        mut list: ListBuilder,
        events: Vec<Event>,
        limits: &Limits,
        uses: &mut TextureUses<NullSink>,
    ) -> replay::Replayed {
        list.finish();
        let mut memory = Memory::default();
        list.store(&mut memory);
        memory.fill(VERTICES, 0, 0x1000);
        for (byte, at) in (0..128).zip(0..) {
            memory.write_u8(TEXELS.offset(at), byte);
        }
        for (entry, at) in (0..=255).zip((0..).step_by(4)) {
            memory.write(PALETTE.offset(at), &[entry, 0, 0, 255]);
            memory.write(PALETTE.offset(1024 + at), &[0, entry, 0, 255]);
        }
        let mut capture = Capture {
            memory,
            registers: Registers::new(),
            start: START,
            stall: None,
            sources: Vec::new(),
            events,
            overrides: Overrides::default(),
        };
        replay::run(&mut capture, Arithmetic::Hardware, uses, &mut NullObserver, limits)
    }

    fn textures(list: ListBuilder) -> Vec<TextureUse> {
        run(list, Vec::new(), &Limits::default()).0
    }

    #[test]
    fn each_palette_is_a_picture_of_its_own() {
        let mut list = list();
        draw(&mut list);
        load_palette(&mut list, PALETTE.offset(1024));
        draw(&mut list);
        draw(&mut list);
        load_palette(&mut list, PALETTE);
        draw(&mut list);
        let textures = textures(list);
        let [red, green] = textures.as_slice() else { panic!("two palettes: {}", textures.len()) };
        assert_eq!(red.hash, green.hash, "same texels");
        assert_ne!(red.palette_hash, green.palette_hash, "different palettes");
        assert_eq!(
            (red.draws.as_slice(), green.draws.as_slice()),
            (&[0..=0, 3..=3][..], &[1..=2][..]),
            "draws"
        );
        let pixel = |texture: &TextureUse| texture.pictures[0].get_pixel(5, 1).0;
        assert_eq!((pixel(red), pixel(green)), ([21, 0, 0, 255], [0, 21, 0, 255]), "row 1, column 5 of 16");
        assert!(green.palette_addresses.contains(&PALETTE.offset(1024)), "loaded from there");
        assert!(red.is_mapped && !red.is_rendered, "an ordinary texture");
    }

    #[test]
    fn equal_texels_elsewhere_are_the_same_texture() {
        let copy = TEXELS.offset(0x1000);
        let mut list = list();
        draw(&mut list);
        let after = list.here();
        texture(&mut list, copy);
        draw(&mut list);
        let events = vec![Event { at: after, action: Action::Copy { to: copy, from: TEXELS, length: 128 } }];
        let (textures, _) = run(list, events, &Limits::default());
        let [texture] = textures.as_slice() else { panic!("one texture: {}", textures.len()) };
        assert_eq!(texture.addresses.iter().copied().collect::<Vec<_>>(), [TEXELS, copy], "two places");
        assert_eq!(texture.draws, [0..=1], "both draws");
    }

    #[test]
    fn textures_are_read_at_their_draw() {
        let mut list = list();
        draw(&mut list);
        let between = list.here();
        draw(&mut list);
        let events = vec![Event { at: between, action: Action::Fill { to: TEXELS, value: 7, length: 1 } }];
        let (textures, _) = run(list, events, &Limits::default());
        let first: Vec<u8> =
            textures.iter().map(|texture| texture.pictures[0].get_pixel(0, 0).0[0]).collect();
        assert_eq!(first, [0, 7], "before and after the CPU wrote");
    }

    #[test]
    fn draws_without_a_texture_do_not_count() {
        for (opcode, argument) in [
            (Opcode::TEXENABLE, 0),
            (Opcode::CLEARMODE, 0x101),
            // Without texture coordinates.
            (Opcode::VTYPE, 1 << 23 | 2 << 7),
        ] {
            let mut list = list();
            list.set(opcode, argument);
            draw(&mut list);
            assert_eq!(textures(list), [], "{opcode}");
        }
        let mut list = list();
        list.set(Opcode::VTYPE, 2 << 7).set(Opcode::TEXMAPMODE, 1);
        draw(&mut list);
        assert_eq!(textures(list).len(), 1, "the texture matrix makes coordinates of positions");
    }

    #[test]
    fn render_targets_and_missing_texels_are_marked() {
        let mut list = list();
        list.set(Opcode::FRAMEBUFWIDTH, 64)
            .set(Opcode::SCISSOR2, 63 | 63 << 10)
            .set(Opcode::REGION2, 63 | 63 << 10);
        texture(&mut list, Address::vram(0x8_0000));
        draw(&mut list);
        list.set(Opcode::VTYPE, 2 << 7 | 2).set(Opcode::TEXFORMAT, 3);
        draw(&mut list);
        texture(&mut list, Address::vram(0));
        draw(&mut list);
        texture(&mut list, Address::new(0x0100_0000));
        draw(&mut list);
        let textures = textures(list);
        let marks: Vec<(bool, bool)> =
            textures.iter().map(|texture| (texture.is_rendered, texture.is_mapped)).collect();
        let sizes: Vec<usize> = textures.iter().map(|texture| texture.addresses.len()).collect();
        // All texels are 0 except in the last format, which finds the same texture at three addresses.
        assert_eq!((marks, sizes), (vec![(false, true), (true, false)], vec![1, 3]), "rendered, mapped");
    }

    /// The same bytes are different pictures if they are read differently.
    #[test]
    fn names_are_different_for_different_textures() {
        let mut list = list();
        draw(&mut list);
        for (opcode, argument) in [
            (Opcode::TEXMODE, 1),
            // 5551 colours instead of 8888, then a shift, which reaches the same entries.
            (Opcode::CLUTFORMAT, 0xFF01),
            (Opcode::CLUTFORMAT, 0xFF07),
            (Opcode::TEXSIZE0, 0x0403),
        ] {
            list.set(opcode, argument);
            draw(&mut list);
        }
        let textures = textures(list);
        let mut names: Vec<String> = textures.iter().map(TextureUse::name).collect();
        names.sort();
        names.dedup();
        assert_eq!((textures.len(), names.len()), (5, 5), "{names:#?}");
    }

    #[test]
    fn only_wanted_draws_count() {
        let mut list = list();
        for _ in 0..2 {
            draw(&mut list);
            load_palette(&mut list, PALETTE.offset(1024));
        }
        let mut uses = TextureUses::new(NullSink).only(DrawSet::one(1));
        run_with(list, Vec::new(), &Limits::default(), &mut uses);
        let draws: Vec<_> = uses.textures().iter().map(|texture| texture.draws.clone()).collect();
        assert_eq!(draws, [vec![1..=1]], "draw 1 alone");
    }

    #[test]
    fn decoded_bytes_are_limited() {
        let mut list = list();
        draw(&mut list);
        let limits = Limits::default().with(Limit::DecodedBytes, 16 * 8 * 4);
        let (textures, run) = run(list, Vec::new(), &limits);
        assert_eq!(textures, [], "hashing and decoding cost more");
        assert!(run.report.notes.iter().any(|note| note.limit_hit().is_some()), "the limit is noted");
    }
}
