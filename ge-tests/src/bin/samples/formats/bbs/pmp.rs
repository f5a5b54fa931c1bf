//! Writes PMP maps.
//!
//! Source: [PMP map](pspge::reference::formats::bbs#pmp-map).

use super::pmo::{Model, Texture};
use crate::bytes::{pad, put_f32, put_u16, put_u32};

/// Where and how to place a model in the map.
pub(crate) struct Instance {
    pub(crate) at: [f64; 3],
    pub(crate) rotation: [f64; 3],
    pub(crate) scale: [f64; 3],
    pub(crate) model: Option<usize>,
    pub(crate) flags: usize,
}

/// Encodes the file.
pub(crate) fn write(models: &[Model], instances: &[Instance]) -> Vec<u8> {
    let mut file = vec![0; 0x20 + 0x30 * instances.len()];
    let mut bases = Vec::new();
    for model in models {
        pad(&mut file, 16);
        bases.push(file.len());
        file.extend(model.bytes());
    }
    pad(&mut file, 16);
    // This table is for all textures, and the models repeat its offsets.
    let table = file.len();
    let textures: Vec<(usize, usize, &Texture)> = (0..models.len())
        .flat_map(|model| models[model].textures.iter().enumerate().map(move |(i, t)| (model, i, t)))
        .collect();
    for (.., texture) in &textures {
        put_u32(&mut file, 0);
        let end = file.len() + 12;
        file.extend(texture.name.as_bytes());
        file.resize(end, 0);
        texture.scroll.iter().for_each(|&speed| put_f32(&mut file, speed));
        file.extend([0; 8]);
    }
    for (entry, (model, number, texture)) in textures.iter().enumerate() {
        pad(&mut file, 16);
        let offset = file.len();
        Model::set_texture(&mut file, bases[*model], *number, offset);
        let at = table + entry * 0x20;
        file[at..at + 4].copy_from_slice(&u32::try_from(offset).unwrap_or(0).to_le_bytes());
        file.extend(&texture.file);
    }
    let mut head = b"PMP\0".to_vec();
    head.resize(0x10, 0);
    put_u16(&mut head, instances.len());
    put_u16(&mut head, models.len());
    head.extend([0; 6]);
    put_u16(&mut head, textures.len());
    put_u32(&mut head, table);
    for (number, instance) in instances.iter().enumerate() {
        let Instance { at, rotation, scale, model, flags } = instance;
        at.iter().chain(rotation).chain(scale).for_each(|&value| put_f32(&mut head, value));
        put_u32(&mut head, model.map_or(0, |model| bases[model]));
        put_u32(&mut head, 0);
        put_u16(&mut head, *flags);
        put_u16(&mut head, number);
    }
    let length = head.len();
    file.splice(0..length, head);
    file
}
