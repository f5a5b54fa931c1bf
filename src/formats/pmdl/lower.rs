//! Lowers a PMDL file to a model: vertices in GE layout, a list for each group, and a list to call them.
//!
//! # Invariants
//! This module does not parse. It writes state only if it changes. State from inside a skippable range counts as
//! unknown afterwards, because the range may not have run. Source:
//! [as GE state](crate::reference::formats::pmdl#as-ge-state).

use super::curve::Action;
use super::geometry::{Bounds, Collection, Mesh, Topology};
use super::groups::{self, Group, MATRICES};
use super::model::Pmdl;
use super::problem::PmdlProblem;
use super::visibility::{self, DrawItem};
use crate::formats::core::error::FormatError;
use crate::formats::core::loader::Loader;
use crate::formats::core::state_writer::StateWriter;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::Color;
use crate::ge::registers::pixel::{Comparison, MaskedTest};
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::ge::registers::vertex::{ComponentFormat, IndexFormat, PrimitiveType, VertexType};
use crate::model::matrix::{Affine, IDENTITY, inverse};
use crate::model::{Alternatives, MatrixUpload, Model, Part, Up};

pub(super) fn lower(mut model: Pmdl<'_>) -> Result<Model, FormatError> {
    let mut loader = Loader::new();
    let mut info = model.info();
    let skins = model.rig.as_mut().map(|rig| std::mem::take(&mut rig.skins)).unwrap_or_default();
    let mut stored: Vec<Vec<StoredGroup>> = Vec::new();
    for mesh in &model.meshes {
        let Some(collection) = model.collections.get(mesh.collection) else { continue };
        let split = groups::split_mesh(mesh, collection, &skins);
        if split.reduced > 0 {
            let problem = PmdlProblem::Reduced(split.reduced);
            model.warnings.push(model.file.error(mesh.offset, problem));
        }
        let mut parts = Vec::new();
        for group in split.groups {
            info.draws = info.draws.saturating_add(group.draws.len());
            info.groups = info.groups.saturating_add(1);
            parts.push(StoredGroup::new(&mut loader, &model, mesh, collection, group)?);
        }
        stored.push(parts);
    }
    let (items, unlisted) = visibility::plan(&model);
    if unlisted > 0 {
        model.warnings.push(model.file.error(super::read::SECTIONS, PmdlProblem::Unlisted(unlisted)));
    }
    let mut boxes = Vec::new();
    collect_corners(&items, None, &mut boxes);
    let boxes_at = loader.store(model.file, 0, &boxes)?;

    // The list comes straight after the data, so it has to fit into the room they leave.
    let (start, room) = loader.room();
    let mut writer = ModelList::new(&model, &stored, start, boxes_at);
    let entry = writer.state.here();
    writer.begin();
    writer.items(&items, None);
    writer.state.list_mut().set(Opcode::RET, 0);
    writer.state.check_room(room, model.file)?;
    writer.state.list().store(loader.memory_mut());
    let parts = writer.parts;

    let (memory, sources) = loader.finish();
    let (skeleton, actions) = match model.rig {
        Some(rig) => (Some(rig.skeleton), rig.actions),
        None => (None, Vec::new()),
    };
    Ok(Model {
        memory,
        entry,
        sources,
        info,
        parts,
        textures: Vec::new(),
        skeleton,
        animations: actions.into_iter().map(Action::animation).collect(),
        alternatives: Alternatives::default(),
        up: Up::Z,
        fields: model.fields,
        notes: model.warnings.notes().collect(),
    })
}

/// A group with vertices and indices in memory, ready to be called.
struct StoredGroup {
    vertices: Address,
    indices: Address,
    layout: VertexType,
    palette: Vec<Option<u32>>,
    draws: Vec<(PrimitiveType, u16)>,
}

impl StoredGroup {
    fn new(
        loader: &mut Loader,
        model: &Pmdl<'_>,
        mesh: &Mesh,
        collection: &Collection,
        group: Group,
    ) -> Result<Self, FormatError> {
        let mut bytes = Vec::new();
        for group_vertex in &group.vertices {
            let vertex =
                usize::try_from(group_vertex.vertex).ok().and_then(|number| collection.vertices.get(number));
            let Some(vertex) = vertex else { continue };
            let texcoord = if collection.layers > 0 { &vertex.texcoord[..] } else { &[] };
            // The GE's order: weights, texture coordinates, normal, position.
            let numbers =
                group_vertex.weights.iter().chain(texcoord).chain(&vertex.normal).chain(&vertex.position);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        let vertices = loader.store(model.file, mesh.offset, &bytes)?;
        let indices = group.draws.iter().flat_map(|(_, indices)| indices);
        let bytes: Vec<u8> = indices.flat_map(|index| index.to_le_bytes()).collect();
        let indices = loader.store(model.file, mesh.offset, &bytes)?;
        let weights = u8::try_from(group.palette.len()).unwrap_or(0);
        let float_if = |present: bool| if present { ComponentFormat::FLOAT } else { ComponentFormat::NONE };
        let layout = VertexType {
            texcoord: float_if(collection.layers > 0),
            normal: ComponentFormat::FLOAT,
            position: ComponentFormat::FLOAT,
            weight: float_if(weights > 0),
            weight_count: weights.saturating_sub(1),
            index: IndexFormat::BITS16,
            ..VertexType::default()
        };
        let draw = |(topology, indices): &(Topology, Vec<u16>)| {
            (primitive(*topology), u16::try_from(indices.len()).unwrap_or(u16::MAX))
        };
        let draws = group.draws.iter().map(draw).collect();
        Ok(Self { vertices, indices, layout, palette: group.palette, draws })
    }
}

const fn primitive(topology: Topology) -> PrimitiveType {
    match topology {
        Topology::Points => PrimitiveType::POINTS,
        Topology::Lines => PrimitiveType::LINES,
        Topology::LineStrip => PrimitiveType::LINE_STRIP,
        Topology::Triangles => PrimitiveType::TRIANGLES,
        Topology::TriangleStrip => PrimitiveType::TRIANGLE_STRIP,
        Topology::TriangleFan => PrimitiveType::TRIANGLE_FAN,
    }
}

/// Bytes for a box's corners.
const BOX_BYTES: u32 = 8 * 12;

/// Collects the corners for all tested boxes, in the order of the tests.
fn collect_corners(items: &[DrawItem], within: Option<Bounds>, bytes: &mut Vec<u8>) {
    for item in items {
        if let DrawItem::Box(bounds, inner) = item {
            if is_tested(*bounds, within) {
                bytes.extend(bounds.corners().into_iter().flatten().flat_map(f32::to_le_bytes));
            }
            collect_corners(inner, Some(*bounds), bytes);
        }
    }
}

/// Returns whether a box needs its own test. If the enclosing box is the same, one test is enough.
fn is_tested(bounds: Bounds, within: Option<Bounds>) -> bool {
    within != Some(bounds)
}

/// Writes the list to draw the whole model.
struct ModelList<'a> {
    /// The known state. A bone matrix is known by its bone.
    state: StateWriter<Option<u32>>,
    model: &'a Pmdl<'a>,
    stored: &'a [Vec<StoredGroup>],
    /// For each mesh, its groups' lists.
    lists: Vec<Vec<std::ops::Range<Address>>>,
    parts: Vec<Part>,
    /// The next group's number.
    group: usize,
    /// Where the corners for the next box test are.
    corners: Address,
    /// World matrices for the bones in the rest pose, by id.
    rest: Vec<Affine>,
}

impl<'a> ModelList<'a> {
    /// Writes the lists for all groups, from `start` on.
    fn new(model: &'a Pmdl<'a>, stored: &'a [Vec<StoredGroup>], start: Address, corners: Address) -> Self {
        let mut list = ListBuilder::new(start);
        let mut group = |stored: &StoredGroup| {
            let start = list.here();
            list.write(stored.layout);
            list.address(Opcode::VADDR, stored.vertices).address(Opcode::IADDR, stored.indices);
            for (primitive, count) in &stored.draws {
                list.prim(*primitive, *count);
            }
            list.set(Opcode::RET, 0);
            start..list.here()
        };
        let lists = stored.iter().map(|mesh| mesh.iter().map(&mut group).collect()).collect();
        let skeleton = model.rig.as_ref().map(|rig| &rig.skeleton);
        let rest = skeleton.map(|skeleton| skeleton.world(&skeleton.rest())).unwrap_or_default();
        let (state, parts) = (StateWriter::new(list), Vec::new());
        Self { state, model, stored, lists, parts, group: 0, corners, rest }
    }

    /// Writes state common to all meshes.
    fn begin(&mut self) {
        let list = self.state.list_mut();
        list.set(Opcode::OFFSETADDR, 0);
        for (opcode, argument) in SWITCHES {
            list.set(opcode, u32::from(argument));
        }
        list.write(Shade { mode: ShadeMode::GOURAUD });
        let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
        list.push(alpha.to(Opcode::ALPHATEST));
        // V points up in the file, but down in the GE.
        for (opcode, value) in [
            (Opcode::TEXSCALEU, 1.0),
            (Opcode::TEXSCALEV, -1.0),
            (Opcode::TEXOFFSETU, 0.0),
            (Opcode::TEXOFFSETV, 1.0),
        ] {
            list.float(opcode, value);
        }
        list.push(color(Opcode::AMBIENTCOLOR, [0x58; 3]));
        list.set(Opcode::AMBIENTALPHA, 0xFF);
        for (opcode, rgb) in [
            (Opcode::LAC0, [0; 3]),
            (Opcode::LDC0, [0xB0; 3]),
            (Opcode::LAC1, [0; 3]),
            (Opcode::LDC1, [0x48; 3]),
            (Opcode::MATERIALEMISSIVE, [0; 3]),
            (Opcode::MATERIALSPECULAR, [0; 3]),
        ] {
            list.push(color(opcode, rgb));
        }
        // A light from above, front and right, and a weaker light from the back. The model faces -y, with +z up.
        for (opcode, value) in [
            (Opcode::LX0, 0.5),
            (Opcode::LY0, -0.75),
            (Opcode::LZ0, 1.0),
            (Opcode::LX1, -0.5),
            (Opcode::LY1, 1.0),
            (Opcode::LZ1, -0.25),
        ] {
            list.float(opcode, value);
        }
        list.set(Opcode::MATERIALALPHA, 0xFF);
        list.matrix(Matrix::World, 0, &IDENTITY);
    }

    fn items(&mut self, items: &[DrawItem], within: Option<Bounds>) {
        for item in items {
            match item {
                DrawItem::Mesh(number) => self.mesh(*number),
                DrawItem::Box(bounds, inner) if is_tested(*bounds, within) => {
                    self.draw_if_visible(*bounds, inner);
                }
                DrawItem::Box(bounds, inner) => self.items(inner, Some(*bounds)),
            }
        }
    }

    /// Writes a box test and then the items, to skip them if the box is not visible.
    fn draw_if_visible(&mut self, bounds: Bounds, items: &[DrawItem]) {
        let corners = self.corners;
        self.corners = corners.offset(BOX_BYTES);
        let begun = self.state.begin_if_visible(corners);
        self.items(items, Some(bounds));
        self.state.end_if_visible(begun);
    }

    fn mesh(&mut self, number: usize) {
        let (Some(mesh), Some(stored)) = (self.model.meshes.get(number), self.stored.get(number)) else {
            return;
        };
        let lists = self.lists.get(number).cloned().unwrap_or_default();
        for (stored, list) in stored.iter().zip(lists) {
            let rgb = self.material(mesh.shader);
            self.state.set(color(Opcode::MATERIALAMBIENT, rgb));
            self.state.set(color(Opcode::MATERIALDIFFUSE, rgb));
            let uploads = self.matrices(&stored.palette);
            let call = self.state.call(list.start);
            let mut palette = [None; MATRICES];
            for (slot, bone) in palette.iter_mut().zip(&stored.palette) {
                *slot = *bone;
            }
            self.parts.push(Part {
                list,
                call,
                mesh: number,
                group: self.group,
                // Meshes without a shader share the material after the last.
                material: mesh.shader.unwrap_or(self.model.shaders.len()),
                texture: None,
                palette,
                weights: stored.palette.len(),
                uploads,
            });
            self.group = self.group.saturating_add(1);
        }
    }

    /// Derives a mesh's colour from its shader's hash, so that users can tell materials apart.
    fn material(&self, shader: Option<usize>) -> [u8; 3] {
        match shader.and_then(|shader| self.model.shaders.get(shader)) {
            // This takes the upper half of the range, so that no colour is too dark.
            Some([red, green, blue, ..]) => [red, green, blue].map(|byte| 0x80 | byte >> 1),
            None => [0xD0; 3],
        }
    }

    /// Writes the bone matrices in a palette, unless they are loaded already.
    fn matrices(&mut self, palette: &[Option<u32>]) -> Vec<MatrixUpload> {
        let mut uploads = Vec::new();
        for (slot, &bone) in palette.iter().enumerate() {
            if let Some(at) = self.state.matrix(Matrix::Bone, slot, bone, || IDENTITY) {
                // With the inverse rest matrix, bones in the rest pose do not move vertices.
                let rest = bone.and_then(|bone| self.rest.get(usize::try_from(bone).ok()?));
                let binding = rest.and_then(inverse).unwrap_or(IDENTITY);
                uploads.push(MatrixUpload { matrix: Matrix::Bone, slot, bone, binding, at });
            }
        }
        uploads
    }
}

fn color(opcode: Opcode, rgb: [u8; 3]) -> Command {
    Color { rgb: Rgb(rgb) }.to(opcode)
}

/// Switches and other integer state.
const SWITCHES: [(Opcode, u8); 31] = [
    (Opcode::LIGHTINGENABLE, 1),
    (Opcode::LIGHTENABLE0, 1),
    (Opcode::LIGHTENABLE1, 1),
    (Opcode::LIGHTENABLE2, 0),
    (Opcode::LIGHTENABLE3, 0),
    (Opcode::DEPTHCLAMPENABLE, 1),
    (Opcode::CULLENABLE, 1),
    (Opcode::TEXENABLE, 0),
    (Opcode::FOGENABLE, 0),
    (Opcode::DITHERENABLE, 0),
    (Opcode::BLENDENABLE, 0),
    (Opcode::ALPHATESTENABLE, 0),
    (Opcode::ZTESTENABLE, 1),
    (Opcode::ANTIALIASENABLE, 0),
    (Opcode::PATCHCULLENABLE, 0),
    (Opcode::COLORTESTENABLE, 0),
    (Opcode::LOGICOPENABLE, 0),
    (Opcode::REVERSENORMAL, 0),
    (Opcode::MATERIALUPDATE, 0),
    (Opcode::LIGHTMODE, 0),
    (Opcode::LIGHTTYPE0, 0),
    (Opcode::LIGHTTYPE1, 0),
    (Opcode::TEXMAPMODE, 0),
    (Opcode::TEXWRAP, 0),
    (Opcode::TEXLEVEL, 0),
    (Opcode::ZWRITEDISABLE, 0),
    // Counter-clockwise faces are visible.
    (Opcode::CULL, 0),
    (Opcode::MASKRGB, 0),
    (Opcode::MASKALPHA, 0),
    (Opcode::TEXFILTER, 0),
    (Opcode::TEXFUNC, 0),
];
