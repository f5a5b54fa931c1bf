//! Texels come from memory itself or from the texture cache.

use crate::ge::memory::Memory;
use crate::pipeline::texture::Texture;
use crate::raster::fragments::fragment_record::StaleTexel;

/// Provides the stored bits of texels.
pub(crate) trait TexelFetch {
    /// Returns the stored bits for a texel in a mip level, as [`Texture::stored`] does.
    fn stored(&mut self, level: u8, texture: &Texture, at: [u32; 2]) -> u32;

    /// Returns where a texel just fetched came from, if memory has other bits for it.
    fn stale(&self, _level: u8, _texture: &Texture, _at: [u32; 2]) -> Option<StaleTexel> {
        None
    }
}

impl TexelFetch for &Memory {
    #[inline]
    fn stored(&mut self, _: u8, texture: &Texture, [u, v]: [u32; 2]) -> u32 {
        texture.stored(self, u, v)
    }
}
