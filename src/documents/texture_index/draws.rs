//! The draws of a run by the textures that they use.

use std::collections::HashMap;

use crate::ge::registers::texture::TexelFormat;
use crate::pipeline::texture::content_hash::ContentHash;
use crate::run::texture_uses::TextureUse;

/// Everything by which textures of a file are found among those of a run: hashes of texels and palette, the number of
/// the format, and the size in texels.
type Key = (ContentHash, Option<ContentHash>, u8, [u32; 2]);

/// The draws of a run by the textures that they use, to find those of a model's textures.
#[derive(Clone, Debug, Default)]
pub struct TextureDraws(HashMap<Key, Vec<u64>>);

impl TextureDraws {
    /// Collects the draws of a run.
    #[must_use]
    pub fn of(uses: &[TextureUse]) -> Self {
        let mut all: HashMap<Key, Vec<u64>> = HashMap::new();
        for texture in uses {
            let key =
                key(texture.hash, texture.palette_hash, texture.format, [texture.width, texture.height]);
            all.entry(key).or_default().extend(texture.draws.iter().cloned().flatten());
        }
        // Textures with the same key can differ in their layout.
        all.values_mut().for_each(|draws| draws.sort_unstable());
        Self(all)
    }

    /// Returns the draws that use a texture, rising. `size` is its width and height in texels, powers of two.
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
