//! Writes the map: paving, plants that share one model, one of them in a mirror, and a sky. Source:
//! `formats/pmo-bbs.md` §3.

use super::model::{Formats, Model, Point, Section, Shape, Texture};
use super::{pictures, plant};
use crate::sample::maths::{Vec3, cos, sin, vec3};
use crate::sample::words::{pad, put_f32, put_u16, put_u32};

/// Where a model stands.
struct Instance {
    at: [f64; 3],
    rotation: [f64; 3],
    scale: [f64; 3],
    model: Option<usize>,
    flags: usize,
}

/// The whole file.
pub(super) fn file() -> Vec<u8> {
    let models = [paving(), sky(), plant::model()];
    let instances = instances();
    let mut file = vec![0; 0x20 + 0x30 * instances.len()];
    let mut bases = Vec::new();
    for model in &models {
        pad(&mut file, 16);
        bases.push(file.len());
        file.extend(model.bytes());
    }
    pad(&mut file, 16);
    // The table of all textures; models say again where theirs are.
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

fn instances() -> Vec<Instance> {
    let plant = |at, rotation, scale| Instance { at, rotation, scale, model: Some(2), flags: 0 };
    let one = [1.0; 3];
    let still = [0.0; 3];
    vec![
        Instance { at: still, rotation: still, scale: one, model: Some(1), flags: 1 },
        Instance { at: still, rotation: still, scale: [2.0, 1.0, 2.0], model: Some(0), flags: 0 },
        plant([-2.2, 0.0, 0.5], still, one),
        plant([1.6, 0.0, -1.4], [0.0, 0.9, 0.0], [1.2, 1.5, 1.2]),
        // In a mirror.
        plant([2.4, 0.0, 2.0], [0.0, -0.5, 0.0], [-0.8, 0.8, 0.8]),
        Instance { at: still, rotation: still, scale: one, model: None, flags: 0 },
        // Fallen over, turned around all axes.
        plant([-1.2, 0.6, 2.6], [1.1, 0.4, 0.9], [0.6, 0.6, 0.6]),
    ]
}

fn point(position: Vec3, texcoord: [f64; 2]) -> Point {
    Point { position, texcoord, color: [0x80, 0x80, 0x80, 0xFF], weights: Vec::new() }
}

fn paving() -> Model {
    let corner = |column: u16, row: u16| {
        let place = |i: u16| (f64::from(i) / 4.0 - 1.0) * 2.5;
        let texcoord = [column, row].map(|i| f64::from(i) / 4.1);
        point(vec3(place(column), 0.0, place(row)), texcoord)
    };
    let strip = |row| (0..=8).flat_map(|column| [corner(column, row), corner(column, row + 1)]).collect();
    let section = Section {
        list: 0,
        texture: 0,
        group: 0,
        attribute: 0,
        color: Some([0x80, 0x80, 0x80, 0xFF]),
        formats: Formats { texcoord: 1, color: 0, position: 2, weight: 0 },
        bones: Vec::new(),
        shape: Shape::Strips((0..8).map(strip).collect()),
    };
    let textures = vec![Texture { name: "paving", scroll: [0.0; 2], file: pictures::paving() }];
    Model { sections: vec![section], textures, bones: Vec::new(), scale: 2.6 }
}

/// A ring, seen from inside.
fn sky() -> Model {
    let mut points = Vec::new();
    for column in 0..=16 {
        let around = f64::from(column) / 16.0;
        for y in [4.0, -1.0] {
            let position = vec3(9.0 * cos(around), y, 9.0 * sin(around));
            points.push(point(position, [around * 1.9, if y > 0.0 { 0.0 } else { 1.0 }]));
        }
    }
    let section = Section {
        list: 0,
        texture: 0,
        group: 0,
        attribute: 0,
        color: None,
        formats: Formats { texcoord: 2, color: 0, position: 3, weight: 0 },
        bones: Vec::new(),
        shape: Shape::Strip(points),
    };
    let textures = vec![Texture { name: "sky", scroll: [0.002, 0.0], file: pictures::sky() }];
    Model { sections: vec![section], textures, bones: Vec::new(), scale: 1.0 }
}
