//! Finds the draws that use a texture.

use std::collections::HashMap;

use crate::ge::registers::texture::TexelFormat;
use crate::pipeline::texture::content_hash::ContentHash;
use crate::run::texture_uses::TextureUse;

/// The key to find a file's textures among those in a run: hashes of texels and palette, the format's number, and
/// the size in texels.
type Key = (ContentHash, Option<ContentHash>, u8, [u32; 2]);

/// A run's draws, by the textures in use, to look up a model's textures here.
#[derive(Clone, Debug, Default)]
pub struct TextureDraws(HashMap<Key, Vec<u64>>);

impl TextureDraws {
    /// Collects the draws in a run.
    #[must_use]
    pub fn of(uses: &[TextureUse]) -> Self {
        let mut all: HashMap<Key, Vec<u64>> = HashMap::new();
        for texture in uses {
            let key =
                key(texture.hash, texture.palette_hash, texture.format, [texture.width, texture.height]);
            all.entry(key).or_default().extend(texture.draws.iter().cloned().flatten());
        }
        // Textures that share a key can differ in their layout. Their draws were appended in turn, so they need
        // sorting.
        all.values_mut().for_each(|draws| draws.sort_unstable());
        Self(all)
    }

    /// Returns the draws that use a texture, in rising order. `size` is its width and height in texels, powers of
    /// two.
    #[must_use]
    pub fn get(
        &self,
        hash: ContentHash,
        palette_hash: Option<ContentHash>,
        format: TexelFormat,
        size: [u32; 2],
    ) -> &[u64] {
        self.0.get(&key(hash, palette_hash, format, size)).map_or(&[], Vec::as_slice)
    }
}

fn key(hash: ContentHash, palette_hash: Option<ContentHash>, format: TexelFormat, size: [u32; 2]) -> Key {
    (hash, palette_hash, format.number(), size)
}
