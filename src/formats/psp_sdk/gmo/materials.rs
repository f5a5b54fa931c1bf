//! Reads materials and their layers.
//! Source: [GMO materials](crate::reference::formats::psp_sdk#gmo-materials).

use super::chunk::Chunk;
use super::problem::GmoProblem;
use super::raw::{block, command};
use super::reader::{Counts, Reader};
use super::scene::{Layer, Material};
use crate::formats::core::error::FormatError;

/// How many render states there are.
const STATES: u32 = 16;

/// Reads a material with its layers.
pub(super) fn read(reader: &mut Reader, chunk: &Chunk<'_>, counts: Counts) -> Material {
    let mut material = Material::default();
    let colors = &mut material.colors;
    for child in chunk.children(&mut reader.warnings) {
        let read = match (child.is_command, child.kind) {
            (false, block::LAYER) => {
                material.layers.push(layer(reader, &child, counts));
                Ok(())
            }
            (_, command::RENDER_STATE) => read_state(reader, &child, &mut material.states),
            (_, command::DIFFUSE) => child.floats(0).map(|color| colors.diffuse = color),
            (_, command::SPECULAR) => child.floats(0).map(|color| {
                colors.specular = color;
                colors.shininess = child.floats(4).map_or(0.0, |[shininess]| shininess);
            }),
            (_, command::EMISSION) => child.floats(0).map(|color| colors.emission = color),
            (_, command::AMBIENT) => child.floats(0).map(|color| colors.ambient = Some(color)),
            (_, command::REFLECTION) => child.floats(0).map(|[amount]| material.reflection = Some(amount)),
            _ => {
                reader.keep(&child);
                Ok(())
            }
        };
        reader.or_leave_out("command of a material", read);
    }
    material
}

/// Reads a render state into `states`.
pub(super) fn read_state(
    reader: &mut Reader,
    chunk: &Chunk<'_>,
    states: &mut Vec<(u32, bool)>,
) -> Result<(), FormatError> {
    let (bit, value) = (chunk.word(0)?, chunk.word(1)?);
    if bit >= STATES {
        reader.warn(chunk.args.error(0, GmoProblem::State(bit)));
    } else {
        states.push((bit, value != 0));
    }
    Ok(())
}

fn layer(reader: &mut Reader, chunk: &Chunk<'_>, counts: Counts) -> Layer {
    let mut layer = Layer {
        texture: None,
        map: command::DIFFUSE.into(),
        blend: [0, 6, 7],
        function: None,
        filter: None,
        wrap: None,
        crop: [0.0, 0.0, 1.0, 1.0],
    };
    for child in chunk.children(&mut reader.warnings) {
        let pair = || Ok([child.word(0)?, child.word(1)?]);
        let read = match child.kind {
            command::SET_TEXTURE => {
                let textures = (block::TEXTURE, counts.textures, "texture");
                layer.texture = reader.reference(&child, 0, textures);
                Ok(())
            }
            command::MAP_TYPE => child.word(0).map(|map| layer.map = map & 0x7FFF),
            // The PSP's own program does not use this.
            command::MAP_FACTOR => Ok(()),
            command::BLEND_FUNC => child
                .word(2)
                .and_then(|destination| Ok([child.word(0)?, child.word(1)?, destination]))
                .map(|blend| layer.blend = blend),
            command::TEX_FUNC => pair().map(|function| layer.function = Some(function)),
            command::TEX_FILTER => pair().map(|filter| layer.filter = Some(filter)),
            command::TEX_WRAP => pair().map(|wrap| layer.wrap = Some(wrap)),
            command::TEX_CROP => child.floats(0).map(|crop| layer.crop = crop),
            command::TEX_GEN | command::TEX_MATRIX => {
                reader.warn(child.error(GmoProblem::TexGen));
                Ok(())
            }
            _ => {
                reader.keep(&child);
                Ok(())
            }
        };
        reader.or_leave_out("command of a layer", read);
    }
    layer
}
