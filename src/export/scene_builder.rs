//! Builds scenes from collected draws, for models and frames alike: unique names, materials, and draws appended to
//! meshes.

use std::collections::{BTreeMap, HashMap};

use super::collector::{CollectedDraw, Collector, SkippedDraws};
use super::material::{Modulation, SurfaceState};
use super::note::{ExportNote, ExportNoteKind};
use super::scene::{AlphaMode, Extra, Extras, Material, Mesh, Primitive, Scene, Texture, Topology};
use super::texture_images::TextureImages;
use super::weld::{Attributes, DrawVertices, FrameVertex, PrimitiveBuilder, UNWELDED, Vertex, VertexFormat};
use crate::formats::core::geometry::has_distinct_corners;
use crate::ge::never::OrNever;
use crate::ge::registers::vertex::PrimitiveType;
use crate::run::interpreter::Report;

/// Hands out each name only once. This counts how often a name was requested, to number the repetitions.
#[derive(Clone, Debug, Default)]
pub(super) struct UniqueNames(HashMap<String, usize>);

impl UniqueNames {
    /// Returns the requested name, with a number if it is taken. Characters become underscores if they are unsafe in
    /// file names or in other programs.
    pub(super) fn unique(&mut self, requested: &str) -> String {
        let sanitized =
            |char: char| if char.is_control() || "/\\:*?\"<>|#".contains(char) { '_' } else { char };
        let cleaned: String = requested.trim().chars().map(sanitized).collect();
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

/// Draws with equal keys share a material.
#[derive(Clone, Debug, PartialEq)]
struct MaterialKey {
    /// Index of the surface state.
    surface: usize,
    texture: Option<usize>,
    alpha: AlphaMode,
    /// The material's number in the source file.
    number: Option<usize>,
}

/// A scene that still takes draws.
#[derive(Debug)]
pub(super) struct SceneBuilder {
    pub(super) scene: Scene,
    surfaces: Vec<SurfaceState>,
    textures: Vec<Texture>,
    texture_images: TextureImages,
    skipped: SkippedDraws,
    /// For each material in the scene, its key.
    material_keys: Vec<MaterialKey>,
    pub(super) node_names: UniqueNames,
    pub(super) mesh_names: UniqueNames,
    material_names: UniqueNames,
    /// Counts triangles dropped because they use a vertex twice.
    degenerate: usize,
    /// Counts elements dropped because a position is not finite.
    non_finite: usize,
}

/// Builds a mesh. Draws share a primitive if group, topology, material and vertex format agree.
#[derive(Debug, Default)]
pub(super) struct MeshBuilder(Vec<(usize, PrimitiveBuilder)>);

/// A draw's geometry, ready for [`SceneBuilder::append_draw`].
#[derive(Debug)]
pub(super) struct DrawGeometry<'a> {
    pub(super) draw: &'a CollectedDraw,
    /// The vertices, already in the mesh's space.
    pub(super) vertices: DrawVertices,
    /// Welds vertices only within this group.
    pub(super) group: usize,
    /// The material's number in the source file.
    pub(super) material: Option<usize>,
    /// Reverses the winding of triangles, to undo a mirror.
    pub(super) flip_winding: bool,
    pub(super) extras: Extras,
}

impl SceneBuilder {
    /// Takes surfaces, textures and counts from a run. Returns its draws separately, so that callers can drop each
    /// after use.
    pub(super) fn new<S>(name: &str, collector: Collector<S>, report: &Report) -> (Self, Vec<CollectedDraw>) {
        let Collector { draws, surfaces, textures, texture_images, skipped, .. } = collector;
        let builder = Self {
            scene: Scene {
                name: name.to_owned(),
                notes: limit_notes(report),
                draws: report.draws,
                unused_overrides: report.unused_overrides.clone(),
                run_notes: report.notes.clone(),
                ..Scene::default()
            },
            surfaces,
            textures,
            texture_images,
            skipped,
            material_keys: Vec::new(),
            node_names: UniqueNames::default(),
            mesh_names: UniqueNames::default(),
            material_names: UniqueNames::default(),
            degenerate: 0,
            non_finite: 0,
        };
        (builder, draws)
    }

    pub(super) fn texture_images_mut(&mut self) -> &mut TextureImages {
        &mut self.texture_images
    }

    /// Appends a draw to its mesh. `rectangle` must expand two corners to four.
    pub(super) fn append_draw(
        &mut self,
        mesh: &mut MeshBuilder,
        mut geometry: DrawGeometry<'_>,
        rectangle: ExpandRectangle<'_>,
    ) {
        let Some(surface) = self.surfaces.get(geometry.draw.surface).cloned() else { return };
        let format = vertex_format(geometry.draw, &surface, &geometry.vertices);
        let material = self.material(&geometry, &surface);
        for vertex in geometry.vertices.frames.iter_mut().flatten() {
            vertex.color = surface.modulation.apply(vertex.color);
        }
        let DrawGeometry { draw, vertices, group, flip_winding, .. } = &geometry;
        let shape = &draw.shape;
        let mut welded = vec![UNWELDED; vertices.frames.first().map_or(0, Vec::len)];
        let mut add = |builder: &mut PrimitiveBuilder, indices: &[u32], provoking: usize| {
            // With flat shading all corners get the provoking vertex's colour, so corners cannot share vertices by
            // index.
            if !surface.flat_shaded {
                return builder.add_indexed(vertices, indices, &mut welded);
            }
            let mut element: Vec<Vertex> = indices.iter().map(|&index| vertices.vertex(index)).collect();
            let source = element.get(provoking).cloned().or_never("the provoking vertex is a corner");
            for vertex in &mut element {
                vertex.base.color = source.base.color;
                for (morph, source) in vertex.morphs.iter_mut().zip(&source.morphs) {
                    morph.color = source.color;
                }
            }
            builder.add(&element);
        };
        if !shape.triangles.is_empty() {
            let builder = mesh.primitive(*group, Topology::Triangles, material, format, &geometry.extras);
            for &[a, b, c] in &shape.triangles {
                // Degenerate triangles only join strips.
                if !has_distinct_corners([a, b, c]) {
                    self.degenerate += 1;
                } else if *flip_winding {
                    add(builder, &[b, a, c], 2);
                } else {
                    add(builder, &[a, b, c], 2);
                }
            }
        }
        if shape.primitive == PrimitiveType::RECTANGLES {
            let builder = mesh.primitive(*group, Topology::Triangles, material, format, &geometry.extras);
            for &[a, b] in &shape.pairs {
                for triangle in rectangle_triangles(&vertices.vertex(a), &vertices.vertex(b), rectangle) {
                    builder.add(&triangle);
                }
            }
        } else if !shape.pairs.is_empty() {
            let builder = mesh.primitive(*group, Topology::Lines, material, format, &geometry.extras);
            shape.pairs.iter().for_each(|pair| add(builder, pair, 1));
        }
        if !shape.points.is_empty() {
            let builder = mesh.primitive(*group, Topology::Points, material, format, &geometry.extras);
            shape.points.iter().for_each(|&index| add(builder, &[index], 0));
        }
    }

    /// Completes a mesh. Its primitives stay in the order they were started.
    pub(super) fn primitives(&mut self, mesh: MeshBuilder) -> Vec<Primitive> {
        let mut primitives = Vec::new();
        for (_, builder) in mesh.0 {
            self.non_finite += builder.non_finite;
            primitives.extend(builder.finish());
        }
        primitives
    }

    /// Finds a mesh with the same content, or adds it.
    pub(super) fn intern_mesh(&mut self, name: &str, primitives: Vec<Primitive>, weights: Vec<f32>) -> usize {
        let same = |mesh: &Mesh| mesh.weights == weights && have_equal_bits(&mesh.primitives, &primitives);
        match self.scene.meshes.iter().position(same) {
            Some(known) => known,
            None => self.push_mesh(name, primitives, weights),
        }
    }

    /// Adds a mesh and returns its index.
    pub(super) fn push_mesh(&mut self, name: &str, primitives: Vec<Primitive>, weights: Vec<f32>) -> usize {
        let name = self.mesh_names.unique(name);
        self.scene.meshes.push(Mesh { name, primitives, weights });
        self.scene.meshes.len() - 1
    }

    /// Finds a draw's material, or adds it if it is new.
    fn material(&mut self, geometry: &DrawGeometry<'_>, surface: &SurfaceState) -> usize {
        let draw = geometry.draw;
        let key = MaterialKey {
            surface: draw.surface,
            texture: draw.texture,
            alpha: draw.alpha,
            number: geometry.material,
        };
        // Successive draws mostly share a material, so this searches from the end.
        if let Some(known) = self.material_keys.iter().rposition(|known| *known == key) {
            return known;
        }
        let [red, green, blue] = surface.emissive;
        let texture = key.texture.and_then(|texture| self.textures.get(texture));
        let image = texture.and_then(|texture| self.texture_images.images.get(texture.image));
        let requested = match (image, geometry.material) {
            (Some(image), _) => image.name.clone(),
            (None, Some(number)) => format!("material_{number}"),
            (None, None) => format!("material_{:03}", self.material_keys.len()),
        };
        self.scene.materials.push(Material {
            name: self.material_names.unique(&requested),
            color: surface.modulation.apply(surface.color).map(|channel| f32::from(channel) / 255.0),
            emissive: [red, green, blue].map(|channel| f32::from(channel) / 255.0),
            texture: key.texture,
            alpha: key.alpha,
            double_sided: surface.double_sided,
            unlit: surface.unlit,
            extras: vec![("ge", Extra::Table(surface.extras.clone()))],
        });
        self.material_keys.push(key);
        self.material_keys.len() - 1
    }

    /// Completes the scene with textures, images, and notes on everything dropped.
    pub(super) fn finish(mut self) -> Scene {
        let mut notes = Vec::new();
        let mut note = |kind, count: u64, text: &str| {
            if count > 0 {
                notes.push(ExportNote::new(kind, format!("{count} {text}")));
            }
        };
        let (through, degenerate) = (self.skipped.through, self.degenerate as u64);
        note(ExportNoteKind::Filtered, through, "draws in through mode (2D) are left out by the filter");
        let text = "triangles that use a vertex twice, as between strips, are left out";
        note(ExportNoteKind::Degenerate, degenerate, text);
        let text = "primitives are left out: a position is not finite";
        note(ExportNoteKind::LeftOut, self.non_finite as u64, text);
        let mut unexpressed: BTreeMap<&str, u64> = BTreeMap::new();
        let surfaces = self.material_keys.iter().filter_map(|key| self.surfaces.get(key.surface));
        for feature in surfaces.flat_map(|surface| &surface.not_expressed) {
            *unexpressed.entry(feature).or_default() += 1;
        }
        for (feature, count) in unexpressed {
            let text = format!("materials have {feature}, which model files cannot express");
            note(ExportNoteKind::NotExpressed, count, &text);
        }
        self.scene.notes.extend(notes);
        self.scene.textures = self.textures;
        self.scene.images = self.texture_images.images;
        self.scene
    }
}

/// Notes each limit the run hit.
fn limit_notes(report: &Report) -> Vec<ExportNote> {
    let limits = report.notes.iter().filter(|note| note.limit_hit().is_some());
    let note = |note| ExportNote::new(ExportNoteKind::Limit, format!("everything after {note} is left out"));
    limits.map(note).collect()
}

impl MeshBuilder {
    /// Finds a primitive to which the draw can be added, or starts a new primitive.
    fn primitive(
        &mut self,
        group: usize,
        topology: Topology,
        material: usize,
        format: VertexFormat,
        extras: &Extras,
    ) -> &mut PrimitiveBuilder {
        let fits = |(known, builder): &(usize, PrimitiveBuilder)| {
            *known == group && builder.key() == (topology, material, format)
        };
        let index = match self.0.iter().rposition(fits) {
            Some(index) => index,
            None => {
                let extras = extras.clone();
                let primitive = Primitive { topology, material, extras, ..Primitive::default() };
                self.0.push((group, PrimitiveBuilder::new(primitive, format)));
                self.0.len() - 1
            }
        };
        &mut self.0[index].1
    }
}

/// Expands two opposite corners to a rectangle's four corners, in order around it. The given corners must come out
/// as the first and the third.
pub(super) type ExpandRectangle<'a> = &'a dyn Fn(&FrameVertex, &FrameVertex) -> [FrameVertex; 4];

/// Builds a rectangle as two triangles, all in the second corner's colour. Source:
/// [rectangles](crate::reference::ge::coverage#rectangles).
fn rectangle_triangles(first: &Vertex, second: &Vertex, rectangle: ExpandRectangle<'_>) -> [[Vertex; 3]; 2] {
    let colored = |a: &FrameVertex, b: &FrameVertex| {
        rectangle(a, b).map(|corner| FrameVertex { color: b.color, ..corner })
    };
    let base = colored(&first.base, &second.base);
    let morphs: Vec<[FrameVertex; 4]> =
        first.morphs.iter().zip(&second.morphs).map(|(a, b)| colored(a, b)).collect();
    let corner = |number: usize| Vertex {
        base: base[number],
        influences: if number == 0 { first.influences.clone() } else { second.influences.clone() },
        morphs: morphs.iter().map(|corners| corners[number]).collect(),
    };
    [[corner(0), corner(1), corner(2)], [corner(0), corner(2), corner(3)]]
}

/// Expands a rectangle to face +z, at the second corner's depth, with y up. The diagonal's direction decides which
/// axis u follows. Source: [orientation](crate::reference::ge::interpolation#orientation).
pub(super) fn screen_aligned_rectangle(first: &FrameVertex, second: &FrameVertex) -> [FrameVertex; 4] {
    let ([left, top, _], [right, bottom, depth]) = (first.position, second.position);
    let ([u0, v0], [u1, v1]) = (first.texcoord, second.texcoord);
    let u_follows_x = (right - left) * (top - bottom) >= 0.0;
    let (top_right, bottom_left) = if u_follows_x { ([u1, v0], [u0, v1]) } else { ([u0, v1], [u1, v0]) };
    let corner =
        |x: f32, y: f32, texcoord: [f32; 2]| FrameVertex { position: [x, y, depth], texcoord, ..*second };
    [
        corner(left, top, [u0, v0]),
        corner(right, top, top_right),
        corner(right, bottom, [u1, v1]),
        corner(left, bottom, bottom_left),
    ]
}

/// Finds which attributes a draw needs to store.
fn vertex_format(draw: &CollectedDraw, surface: &SurfaceState, vertices: &DrawVertices) -> VertexFormat {
    let has_transparency =
        || vertices.frames.first().into_iter().flatten().any(|vertex| vertex.color[3] < 255);
    let colors = surface.vertex_colors
        && match surface.modulation {
            Modulation::Full | Modulation::Doubled => true,
            Modulation::AlphaOnly => has_transparency(),
            Modulation::None => false,
        };
    let has_influences = vertices.influences.iter().any(|influences| !influences.is_empty());
    let mut attributes = Attributes::empty();
    attributes.set(Attributes::NORMALS, draw.shape.has_normals());
    attributes.set(Attributes::TEXCOORDS, draw.shape.has_texcoords() || draw.texture.is_some());
    attributes.set(Attributes::COLORS, colors);
    attributes.set(Attributes::INFLUENCES, has_influences);
    VertexFormat { attributes, morphs: vertices.frames.len().saturating_sub(1) }
}

/// Computes weights for a draw's morph targets. A target holds differences to the first frame, so this has none for
/// the first frame.
pub(super) fn morph_target_weights(draw: &CollectedDraw) -> Vec<f32> {
    draw.morph_weights.iter().skip(1).copied().collect()
}

/// Returns whether primitives are equal except for their extras. This compares positions and normals as bits.
fn have_equal_bits(a: &[Primitive], b: &[Primitive]) -> bool {
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
