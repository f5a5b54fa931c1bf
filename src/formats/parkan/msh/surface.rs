//! How batches look: colour, texture, blending. Source:
//! [MAT0 materials](crate::reference::formats::parkan#mat0-materials),
//! [as GE state](crate::reference::formats::parkan#as-ge-state).

use std::collections::HashMap;

use super::state::scale_commands;
use crate::formats::core::state_writer::word;
use crate::formats::parkan::texm::LoadedTexture;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::{Color, MaterialUpdate};
use crate::ge::registers::texture::{MinificationFilter, TextureFilter};
use crate::model::{Field, FileNote, ModelTexture};

/// Surfaces by material number, and the textures they use.
#[derive(Clone, Debug, Default)]
pub(super) struct Surfaces {
    pub(super) by_material: HashMap<u16, Surface>,
    pub(super) textures: Vec<LoadedTexture>,
    pub(super) notes: Vec<FileNote>,
    pub(super) fields: Vec<Field>,
}

/// How a batch looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surface {
    /// Red, green, blue, alpha.
    pub(super) diffuse: [u8; 4],
    pub(super) emissive: [u8; 3],
    pub(super) texture: Option<usize>,
}

impl Default for Surface {
    /// White and opaque.
    fn default() -> Self {
        Self { diffuse: [0xFF; 4], emissive: [0; 3], texture: None }
    }
}

impl Surface {
    /// Returns commands to set this surface. They do not select its texture.
    pub(super) fn commands(&self, texture: Option<&LoadedTexture>, colored: bool) -> Vec<Command> {
        let [red, green, blue, alpha] = self.diffuse;
        let diffuse = Color { rgb: Rgb([red, green, blue]) };
        let blend = alpha < 0xFF || colored || texture.is_some_and(|loaded| loaded.has_alpha);
        let update = MaterialUpdate { ambient: colored, diffuse: colored, specular: false };
        let mut commands = vec![
            word(update),
            Color { rgb: Rgb(self.emissive) }.to(Opcode::MATERIALEMISSIVE),
            diffuse.to(Opcode::MATERIALAMBIENT),
            diffuse.to(Opcode::MATERIALDIFFUSE),
            Command::new(Opcode::MATERIALALPHA, alpha.into()),
            Command::new(Opcode::BLENDENABLE, blend.into()),
            Command::new(Opcode::TEXENABLE, texture.is_some().into()),
        ];
        commands.extend(scale_commands(
            texture.map_or([1.0; 2], |loaded| ModelTexture::coordinate_scale(&loaded.texture)),
        ));
        if let Some(loaded) = texture {
            let minification = if loaded.has_levels() {
                MinificationFilter::LINEAR_MIPMAP_LINEAR
            } else {
                MinificationFilter::LINEAR
            };
            commands.push(word(TextureFilter { minification, magnify_linear: true }));
        }
        commands
    }
}
