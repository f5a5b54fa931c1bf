//! Runs a list with changes: registers for some events, or other texels.

pub mod edit;
#[doc(hidden)]
pub mod event_scope;
#[doc(hidden)]
pub mod packed_textures;
mod placed_texels;
#[doc(hidden)]
pub mod replaced_texture;
