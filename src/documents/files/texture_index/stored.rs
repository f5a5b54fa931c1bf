//! Lists the textures in a file, with the draws that use them.

use image::RgbaImage;

use super::IndexedTexture;
use super::draws::TextureDraws;
use crate::asset::RunSpec;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::draw_set::{DrawSet, NoSuchDraws};
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::model::{Model, ModelTexture};
use crate::pipeline::texture::MAX_SIZE;
use crate::run::interpreter::Report;
use crate::run::replay;
use crate::run::sink::{NullObserver, NullSink};
use crate::run::texture_uses::TextureUses;

impl TextureDraws {
    /// Runs a model to collect its draws, numbered as `pspge trace` shows them. With `only`, just this set of draws
    /// counts. Also returns the report.
    ///
    /// # Errors
    /// Fails if the run lacks a draw in the set.
    pub fn of_model(
        model: &Model,
        only: Option<&DrawSet>,
        limits: &Limits,
    ) -> Result<(Self, Report), NoSuchDraws> {
        // A trace shows this list, so draws get the same numbers.
        let mut capture = RunSpec::default().renderer().capture(model);
        let mut uses = TextureUses::new(NullSink);
        if let Some(draws) = only {
            uses = uses.only(draws.clone());
        }
        let run = replay::run(&mut capture, Arithmetic::Hardware, &mut uses, &mut NullObserver, limits);
        only.map_or(Ok(()), |only| only.check(run.report.draws))?;
        Ok((Self::of(uses.textures()), run.report))
    }
}

/// The textures in a file, once for each palette, until [`Limits::decoded_bytes`] is spent.
#[derive(Debug)]
pub struct StoredTextures<'a> {
    memory: &'a Memory,
    textures: &'a [ModelTexture],
    draws: &'a TextureDraws,
    only_used: bool,
    budget: Budget,
    /// The next texture's position, and its next palette.
    next: (usize, u32),
}

impl<'a> StoredTextures<'a> {
    /// Creates the list for textures in memory. With `only_used`, it skips textures without draws.
    #[must_use]
    pub fn new(
        memory: &'a Memory,
        textures: &'a [ModelTexture],
        draws: &'a TextureDraws,
        only_used: bool,
        limits: &Limits,
    ) -> Self {
        let budget = Budget::new(limits, Limit::DecodedBytes);
        Self { memory, textures, draws, only_used, budget, next: (0, 0) }
    }

    /// Returns the limit if it has ended the list early.
    #[must_use]
    pub fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }
}

impl<'a> Iterator for StoredTextures<'a> {
    type Item = StoredTexture<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (position, palette) = self.next;
            let texture = self.textures.get(position)?;
            let palettes = texture.palette.map_or(1, |palette| palette.count());
            if palette >= palettes {
                self.next = (position.saturating_add(1), 0);
                continue;
            }
            let [width, height] = texture.padded_size().map(|side| u64::from(side.min(MAX_SIZE)));
            // A large texture may exceed the budget while a later, smaller texture still fits, so the list goes on.
            if self.budget.spend(width.saturating_mul(height).saturating_mul(4)).is_err() {
                self.next = (position.saturating_add(1), 0);
                continue;
            }
            self.next = (position, palette.saturating_add(1));
            let entry = IndexedTexture::of_file(self.memory, texture, palette, self.draws);
            if self.only_used && entry.draws.is_empty() {
                continue;
            }
            return Some(StoredTexture { entry, memory: self.memory, texture, palette, palettes });
        }
    }
}

/// A file's texture with a palette.
#[derive(Clone, Debug)]
pub struct StoredTexture<'a> {
    /// Describes this texture.
    pub entry: IndexedTexture,
    memory: &'a Memory,
    texture: &'a ModelTexture,
    palette: u32,
    palettes: u32,
}

impl StoredTexture<'_> {
    /// Returns a name for its picture: the file's name, the texture's index, and the palette's number if there are
    /// several.
    #[must_use]
    pub fn picture_name(&self, stem: &str) -> String {
        let suffix = if self.palettes > 1 { format!("_{}", self.palette) } else { String::new() };
        format!("{stem}_{:02}{suffix}", self.texture.index)
    }

    /// Decodes its texels.
    #[must_use]
    pub fn picture(&self) -> RgbaImage {
        self.texture.decode(self.memory, self.palette)
    }
}
