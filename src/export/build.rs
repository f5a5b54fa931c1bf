//! What scenes of models and of frames share: materials, names, and pouring draws into primitives.

use std::collections::HashMap;

use super::collect::{Collector, Drawn, LeftOut};
use super::material::{Surface, Tint};
use super::picture::Pictures;
use super::scene::{AlphaMode, Extra, Extras, Material, Mesh, Primitive, Scene, Texture, Topology};
use super::weld::{Attributes, Corner, Corners, Look, NOWHERE, Pile};
use crate::ge::registers::vertex::PrimitiveType;
use crate::run::interpreter::Report;

/// Gives each name once.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    /// The name, or with a number behind it where it was given before. Characters that files and tools stumble over
    /// become underscores.
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        let plain = |char: char| if char.is_control() || "/\\:*?\"<>|#".contains(char) { '_' } else { char };
        let cleaned: String = wanted.trim().chars().map(plain).collect();
        let cleaned = if cleaned.is_empty() { "unnamed".to_owned() } else { cleaned };
        let mut name = cleaned.clone();
        while self.0.contains_key(&name) {
            let count = self.0.entry(cleaned.clone()).or_insert(1);
            *count += 1;
            name = format!("{cleaned}_{count}");
        }
        self.0.insert(name.clone(), 1);
        name
    }
}

/// What tells materials apart.
#[derive(Clone, Debug, PartialEq)]
struct MaterialKey {
    surface: usize,
    texture: Option<usize>,
    alpha: AlphaMode,
    /// The file's own number.
    number: Option<usize>,
}

/// A scene under construction.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) scene: Scene,
    surfaces: Vec<Surface>,
    textures: Vec<Texture>,
    pictures: Pictures,
    left_out: LeftOut,
    keys: Vec<MaterialKey>,
    pub(super) node_names: Names,
    pub(super) mesh_names: Names,
    material_names: Names,
    seams: usize,
    infinite: usize,
}

/// Primitives of one mesh, each of one group, material, topology and set of attributes.
#[derive(Debug, Default)]
pub(super) struct Piles(Vec<(usize, Pile)>);

/// A draw's geometry on its way into primitives.
#[derive(Debug)]
pub(super) struct Poured<'a> {
    pub(super) drawn: &'a Drawn,
    /// The draw's vertices where they belong.
    pub(super) corners: Corners,
    /// Draws of one group are welded to one another.
    pub(super) group: usize,
    /// The file's number of the material.
    pub(super) material: Option<usize>,
    /// Triangles are wound the other way round.
    pub(super) swap: bool,
    pub(super) extras: Extras,
}

impl Builder {
    /// Takes over what a run left, except for the draws.
    pub(super) fn new<S>(name: &str, collector: Collector<S>, report: &Report) -> (Self, Vec<Drawn>) {
        let Collector { draws, surfaces, textures, pictures, left_out, .. } = collector;
        let builder = Self {
            scene: Scene { name: name.to_owned(), notes: limit_notes(report), ..Scene::default() },
            surfaces,
            textures,
            pictures,
            left_out,
            keys: Vec::new(),
            node_names: Names::default(),
            mesh_names: Names::default(),
            material_names: Names::default(),
            seams: 0,
            infinite: 0,
        };
        (builder, draws)
    }

    pub(super) fn pictures_mut(&mut self) -> &mut Pictures {
        &mut self.pictures
    }

    /// Where the texels of a draw's texture lay.
    pub(super) fn image_of(&self, drawn: &Drawn) -> Option<usize> {
        Some(self.textures.get(drawn.texture?)?.image)
    }

    /// Adds a draw to the primitives of its mesh.
    pub(super) fn pour(&mut self, piles: &mut Piles, mut poured: Poured<'_>, rectangle: Rectangle<'_>) {
        let Some(surface) = self.surfaces.get(poured.drawn.surface).cloned() else { return };
        let attributes = attributes(poured.drawn, &surface, &poured.corners);
        let material = self.material(&poured, &surface, attributes);
        for look in poured.corners.frames.iter_mut().flatten() {
            look.color = surface.tint.apply(look.color);
        }
        let Poured { drawn, corners, group, swap, .. } = &poured;
        let shape = &drawn.shape;
        let mut found = vec![NOWHERE; corners.frames.first().map_or(0, Vec::len)];
        let mut add = |pile: &mut Pile, places: &[u32], provoking: usize| {
            if !surface.flat {
                return pile.add_places(corners, places, &mut found);
            }
            let mut flat: Vec<Corner> = places.iter().map(|&place| corners.corner(place)).collect();
            let last = flat.get(provoking).cloned().unwrap_or_default();
            for corner in &mut flat {
                corner.look.color = last.look.color;
                for (morph, last) in corner.morphs.iter_mut().zip(&last.morphs) {
                    morph.color = last.color;
                }
            }
            pile.add(&flat);
        };
        if !shape.triangles.is_empty() {
            let pile = piles.get(*group, Topology::Triangles, material, attributes, &poured.extras);
            for &[a, b, c] in &shape.triangles {
                // Those that come back to a vertex only sew strips together.
                if a == b || b == c || c == a {
                    self.seams += 1;
                } else if *swap {
                    add(pile, &[b, a, c], 2);
                } else {
                    add(pile, &[a, b, c], 2);
                }
            }
        }
        if shape.primitive == PrimitiveType::RECTANGLES {
            let pile = piles.get(*group, Topology::Triangles, material, attributes, &poured.extras);
            for &[a, b] in &shape.pairs {
                for triangle in rectangle_corners(&corners.corner(a), &corners.corner(b), rectangle) {
                    pile.add(&triangle);
                }
            }
        } else if !shape.pairs.is_empty() {
            let pile = piles.get(*group, Topology::Lines, material, attributes, &poured.extras);
            shape.pairs.iter().for_each(|pair| add(pile, pair, 1));
        }
        if !shape.points.is_empty() {
            let pile = piles.get(*group, Topology::Points, material, attributes, &poured.extras);
            shape.points.iter().for_each(|&place| add(pile, &[place], 0));
        }
    }

    /// The finished primitives of a mesh, in the order in which they were begun.
    pub(super) fn primitives(&mut self, piles: Piles) -> Vec<Primitive> {
        let mut primitives = Vec::new();
        for (_, pile) in piles.0 {
            self.infinite += pile.infinite;
            primitives.extend(pile.finish());
        }
        primitives
    }

    /// A mesh of its own, or the one that is the same but for its name.
    pub(super) fn mesh(&mut self, name: &str, primitives: Vec<Primitive>, weights: Vec<f32>) -> usize {
        let same = |mesh: &Mesh| mesh.weights == weights && same_bits(&mesh.primitives, &primitives);
        match self.scene.meshes.iter().position(same) {
            Some(found) => found,
            None => self.own_mesh(name, primitives, weights),
        }
    }

    /// A mesh of its own.
    pub(super) fn own_mesh(&mut self, name: &str, primitives: Vec<Primitive>, weights: Vec<f32>) -> usize {
        let name = self.mesh_names.unique(name);
        self.scene.meshes.push(Mesh { name, primitives, weights });
        self.scene.meshes.len() - 1
    }

    /// The number of a draw's material.
    fn material(&mut self, poured: &Poured<'_>, surface: &Surface, attributes: Attributes) -> usize {
        let drawn = poured.drawn;
        let image = self.image_of(drawn);
        let image_alpha = image.and_then(|image| self.pictures.has_alpha.get(image)).copied();
        let transparent = image_alpha.unwrap_or(false)
            || surface.tint != Tint::Nothing && surface.color[3] < 255
            || attributes.colors && poured.corners.looks().any(|look| look.color[3] < 255);
        let key = MaterialKey {
            surface: drawn.surface,
            texture: drawn.texture,
            alpha: alpha_mode(surface, transparent),
            number: poured.material,
        };
        if let Some(known) = self.keys.iter().rposition(|known| *known == key) {
            return known;
        }
        let [red, green, blue] = surface.emissive;
        let wanted = match poured.material {
            Some(number) => format!("material_{number}"),
            None => format!("material_{:03}", self.keys.len()),
        };
        self.scene.materials.push(Material {
            name: self.material_names.unique(&wanted),
            color: surface.tint.apply(surface.color).map(|channel| f32::from(channel) / 255.0),
            emissive: [red, green, blue].map(|channel| f32::from(channel) / 255.0),
            texture: key.texture,
            alpha: key.alpha,
            double_sided: surface.double_sided,
            unlit: surface.unlit,
            extras: vec![("ge", Extra::Table(surface.extras.clone()))],
        });
        self.keys.push(key);
        self.keys.len() - 1
    }

    /// The scene with its textures, and with notes on what is not in it.
    pub(super) fn finish(mut self) -> Scene {
        let mut notes = Vec::new();
        let mut note = |count: u64, what: &str| {
            if count > 0 {
                notes.push(format!("{count} {what}"));
            }
        };
        note(self.left_out.through, "draws in through mode (2D) are left out unless they are selected");
        note(self.seams as u64, "triangles that have a vertex twice, as between strips, are left out");
        note(self.infinite as u64, "primitives are left out: a corner is not at a finite place");
        self.scene.notes.extend(notes);
        self.scene.textures = self.textures;
        self.scene.images = self.pictures.images;
        self.scene
    }
}

/// What the run did not get to. Its other notes are about drawing.
fn limit_notes(report: &Report) -> Vec<String> {
    let limits = report.notes.iter().filter(|note| note.limit_hit().is_some());
    limits.map(|note| format!("what comes after {note} is left out")).collect()
}

impl Piles {
    fn get(
        &mut self,
        group: usize,
        topology: Topology,
        material: usize,
        attributes: Attributes,
        extras: &Extras,
    ) -> &mut Pile {
        let fits =
            |(of, pile): &(usize, Pile)| *of == group && pile.kind() == (topology, material, attributes);
        let place = match self.0.iter().rposition(fits) {
            Some(place) => place,
            None => {
                let extras = extras.clone();
                let primitive = Primitive { topology, material, extras, ..Primitive::default() };
                self.0.push((group, Pile::new(primitive, attributes)));
                self.0.len() - 1
            }
        };
        &mut self.0[place].1
    }
}

/// The four corners of a rectangle from two opposite ones: first, beside it, second, beside that.
pub(super) type Rectangle<'a> = &'a dyn Fn(&Look, &Look) -> [Look; 4];

/// A rectangle as two triangles, in the colour of its second corner. Source: `ge-reference.md` §7.2.
fn rectangle_corners(first: &Corner, second: &Corner, rectangle: Rectangle<'_>) -> [[Corner; 3]; 2] {
    let colored = |a: &Look, b: &Look| rectangle(a, b).map(|look| Look { color: b.color, ..look });
    let looks = colored(&first.look, &second.look);
    let morphs: Vec<[Look; 4]> =
        first.morphs.iter().zip(&second.morphs).map(|(a, b)| colored(a, b)).collect();
    let corner = |number: usize| Corner {
        look: looks[number],
        influences: if number == 0 { first.influences.clone() } else { second.influences.clone() },
        morphs: morphs.iter().map(|looks| looks[number]).collect(),
    };
    [[corner(0), corner(1), corner(2)], [corner(0), corner(2), corner(3)]]
}

/// A rectangle that faces +z, as deep as its second corner. y grows upwards. Which axis u follows depends on the
/// diagonal. Source: `ge-reference.md` §7.3, §7.5.
pub(super) fn upright_rectangle(first: &Look, second: &Look) -> [Look; 4] {
    let ([left, top, _], [right, bottom, depth]) = (first.position, second.position);
    let ([u0, v0], [u1, v1]) = (first.texcoord, second.texcoord);
    let follows = (right - left) * (top - bottom) >= 0.0;
    let (beside_first, beside_second) = if follows { ([u1, v0], [u0, v1]) } else { ([u0, v1], [u1, v0]) };
    let corner = |x: f32, y: f32, texcoord: [f32; 2]| Look { position: [x, y, depth], texcoord, ..*second };
    [
        corner(left, top, [u0, v0]),
        corner(right, top, beside_first),
        corner(right, bottom, [u1, v1]),
        corner(left, bottom, beside_second),
    ]
}

fn attributes(drawn: &Drawn, surface: &Surface, corners: &Corners) -> Attributes {
    let fades = || corners.frames.first().into_iter().flatten().any(|look| look.color[3] < 255);
    let colors = surface.vertex_colors
        && match surface.tint {
            Tint::Whole | Tint::Double => true,
            Tint::AlphaOnly => fades(),
            Tint::Nothing => false,
        };
    Attributes {
        normals: drawn.shape.has_normals(),
        texcoords: drawn.shape.has_texcoords() || drawn.texture.is_some(),
        colors,
        influences: corners.influences.iter().any(|influences| !influences.is_empty()),
        morphs: corners.frames.len().saturating_sub(1),
    }
}

/// The weights of a draw's morph targets: what a file adds are differences to the first frame.
pub(super) fn target_weights(drawn: &Drawn) -> Vec<f32> {
    drawn.morph.iter().skip(1).copied().collect()
}

/// What alpha does: blending goes before the alpha test; neither matters where everything is opaque.
fn alpha_mode(surface: &Surface, transparent: bool) -> AlphaMode {
    match surface.blend {
        Some(_) if !surface.replaces() && (transparent || !surface.blends_by_alpha()) => AlphaMode::Blend,
        _ => match surface.cutoff() {
            Some(cutoff) if transparent => AlphaMode::Mask(cutoff),
            _ => AlphaMode::Opaque,
        },
    }
}

/// Whether primitives are equal in every bit but for what is known besides.
fn same_bits(a: &[Primitive], b: &[Primitive]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let bits = |list: &[[f32; 3]]| -> Vec<[u32; 3]> {
                list.iter().map(|vector| vector.map(f32::to_bits)).collect()
            };
            a.positions.len() == b.positions.len()
                && a.indices == b.indices
                && a.material == b.material
                && a.topology == b.topology
                && a.colors == b.colors
                && a.texcoords == b.texcoords
                && a.influences == b.influences
                && a.targets == b.targets
                && bits(&a.positions) == bits(&b.positions)
                && bits(&a.normals) == bits(&b.normals)
        })
}
