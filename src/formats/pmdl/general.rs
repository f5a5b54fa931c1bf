//! Parses the buffers in `_GEN` and `_COL`: interleaved vertices, elements, primitives. Source:
//! [general vertices](crate::reference::formats::pmdl#general-vertices),
//! [general primitives](crate::reference::formats::pmdl#general-primitives),
//! [collision meshes](crate::reference::formats::pmdl#collision-meshes).

use zerocopy::ByteOrder;
use zerocopy::byteorder::{F32, U16, U32};

use super::context::{CollectionParts, Context, Geometry, finite, word};
use super::geometry::{Collection, Draw, DrawFormat, Influence, MISSING, Topology, Vertex};
use super::groups::MATRICES;
use super::problem::PmdlProblem;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::FormatError;

/// How many bytes position and normal take.
const VERTEX: u64 = 24;
/// How many bytes a pair of texture coordinates takes.
const TEXCOORD: u64 = 8;

/// Parses a collection.
pub(super) fn read<O: ByteOrder>(
    context: &mut Context<'_>,
    parts: &CollectionParts<'_>,
) -> Result<Geometry, FormatError> {
    let collection = read_vertices::<O>(context, parts)?;
    let wide = context.format == DrawFormat::Collision;
    let elements = Elements { bytes: parts.elements, size: if wide { 4 } else { 2 } };
    elements.check(context);
    // Room for three runtime pointers precedes the primitives.
    let pointers = context.pointer_size.saturating_mul(3);
    parts.platform.slice(0, pointers.into())?;
    let mut cursor = Cursor::new(parts.platform, pointers.into());
    let mut draws = Vec::new();
    let mut primitives = 0u64;
    for number in 0..parts.meshes {
        let mut mesh = Vec::new();
        let read = read_mesh::<O>(context, parts, &mut cursor, elements, &collection, &mut mesh);
        let is_cut = read.is_err();
        primitives = primitives.saturating_add(context.or_default(&format!("mesh {number}"), read)?);
        draws.push(mesh);
        if is_cut {
            // The next mesh starts where this mesh should have ended, so it cannot be found.
            break;
        }
    }
    Ok(Geometry { collection, draws, primitives })
}

/// Reads a mesh's primitives until the data end. Returns how many the file states.
fn read_mesh<O: ByteOrder>(
    context: &mut Context<'_>,
    parts: &CollectionParts<'_>,
    cursor: &mut Cursor<'_>,
    elements: Elements<'_>,
    collection: &Collection,
    mesh: &mut Vec<Draw>,
) -> Result<u64, FormatError> {
    let count = cursor.read::<U32<O>>()?.get();
    for _ in 0..count {
        mesh.extend(read_primitive::<O>(context, parts, cursor, elements, collection)?);
    }
    Ok(count.into())
}

fn read_vertices<O: ByteOrder>(
    context: &mut Context<'_>,
    parts: &CollectionParts<'_>,
) -> Result<Collection, FormatError> {
    let CollectionParts { layers, weights, vertices: bytes, .. } = *parts;
    let texcoords = TEXCOORD.saturating_mul(layers.into());
    let weights_at = VERTEX.saturating_add(texcoords);
    let stride = weights_at.saturating_add(4u64.saturating_mul(weights.into()));
    if !bytes.len().is_multiple_of(stride) {
        let problem = PmdlProblem::PartialElement { name: "vertex", length: bytes.len(), stride };
        context.warnings.push(bytes.error(0, problem));
    }
    context.budget.spend(bytes, 0, bytes.len() / 4)?;
    let rigged = context.rig.is_some() && context.format == DrawFormat::General;
    let vertex_count = bytes.len().checked_div(stride).unwrap_or(0);
    let mut collection = Collection { layers, weights, vertex_count, ..Collection::default() };
    let mut wrong_sum_at = None;
    for number in 0..vertex_count {
        let at = stride.saturating_mul(number);
        let [position, normal] = bytes.read::<[[F32<O>; 3]; 2]>(at)?;
        let warnings = &mut context.warnings;
        let position = finite(warnings, bytes, at, "position", position);
        let normal = finite(warnings, bytes, at.saturating_add(12), "normal", normal);
        let texcoord = match layers {
            0 => [0.0; 2],
            _ => {
                let at = at.saturating_add(VERTEX);
                finite(warnings, bytes, at, "texture coordinate", bytes.read::<[F32<O>; 2]>(at)?)
            }
        };
        let mut influences = Vec::new();
        if rigged {
            let at = at.saturating_add(weights_at);
            let values: &[F32<O>] = bytes.array(at, weights.into())?;
            let mut sum = 0.0;
            for (slot, weight) in (0u32..).zip(values) {
                let [weight] = finite(warnings, bytes, at, "weight", [*weight]);
                sum += weight;
                influences.push(Influence { slot, weight });
            }
            // Such a fault usually affects many vertices, so this reports only the first.
            if wrong_sum_at.is_none() && (sum - 1.0).abs() > 0.01 {
                wrong_sum_at = Some(bytes.file_offset(at));
            }
        }
        let influences = collection.add_influences(context, bytes.file_offset(at), influences);
        collection.vertices.push(Vertex { position, normal, texcoord, influences });
    }
    if let Some(at) = wrong_sum_at {
        context.warn(at, PmdlProblem::Weights);
    }
    add_layer_fields::<O>(context, bytes, layers, stride, vertex_count)?;
    Ok(collection)
}

/// Keeps fields about texture coordinate layers beyond the first, because they are not drawn.
fn add_layer_fields<O: ByteOrder>(
    context: &mut Context<'_>,
    bytes: View<'_>,
    layers: u16,
    stride: u64,
    count: u64,
) -> Result<(), FormatError> {
    for layer in 1..layers {
        let first = VERTEX.saturating_add(TEXCOORD.saturating_mul(layer.into()));
        let at = |number: u64| first.saturating_add(stride.saturating_mul(number));
        let mut pairs = Vec::new();
        for number in 0..count {
            pairs.push(bytes.read::<[F32<O>; 2]>(at(number))?.map(F32::get));
        }
        super::gx::add_layer_field(context, bytes.file_offset(first), layer, &pairs);
    }
    Ok(())
}

/// The element buffer: vertex numbers with 2 or 4 bytes each.
#[derive(Clone, Copy)]
struct Elements<'a> {
    bytes: View<'a>,
    size: u64,
}

impl Elements<'_> {
    fn check(self, context: &mut Context<'_>) {
        let length = self.bytes.len();
        if !length.is_multiple_of(self.size) {
            let problem = PmdlProblem::PartialElement { name: "element", length, stride: self.size };
            context.warnings.push(self.bytes.error(0, problem));
        }
    }

    fn count(self) -> u64 {
        self.bytes.len().checked_div(self.size).unwrap_or(0)
    }

    fn read<O: ByteOrder>(self, start: u64, count: u64) -> Result<Vec<u32>, FormatError> {
        let at = self.size.saturating_mul(start);
        Ok(match self.size {
            2 => self.bytes.array::<U16<O>>(at, count)?.iter().map(|element| element.get().into()).collect(),
            _ => self.bytes.array::<U32<O>>(at, count)?.iter().map(|element| element.get()).collect(),
        })
    }
}

/// Reads a primitive; `None` if it cannot be drawn.
///
/// # Errors
/// If the data end, or the work is too much.
fn read_primitive<O: ByteOrder>(
    context: &mut Context<'_>,
    parts: &CollectionParts<'_>,
    cursor: &mut Cursor<'_>,
    elements: Elements<'_>,
    collection: &Collection,
) -> Result<Option<Draw>, FormatError> {
    let platform = parts.platform;
    let at = cursor.at();
    let mut skin = None;
    if context.is_rigged && context.format == DrawFormat::General {
        let number = word::<O>(platform, at)?;
        cursor.read::<U32<O>>()?;
        if let Some(rig) = &context.rig {
            let count = rig.skins.len();
            skin = usize::try_from(number).ok().filter(|&skin| skin < count);
            if skin.is_none() {
                let problem = PmdlProblem::Skin { skin: number, count };
                context.warnings.push(platform.error(at, problem));
                skin = (count > 0).then_some(0);
            }
        }
    }
    let at = cursor.at();
    let [kind, start, length] = cursor.read::<[U32<O>; 3]>()?.map(U32::get);
    let topology = match kind {
        0 => Topology::Points,
        1 => Topology::Triangles,
        2 => Topology::TriangleFan,
        3 => Topology::TriangleStrip,
        4 => Topology::Lines,
        5 => Topology::LineStrip,
        other => {
            context.warnings.push(platform.error(at, PmdlProblem::Primitive(other)));
            return Ok(None);
        }
    };
    let lines = matches!(topology, Topology::Points | Topology::Lines | Topology::LineStrip);
    if context.format == DrawFormat::Collision && lines {
        context.warnings.push(platform.error(at, PmdlProblem::NoTriangles));
    }
    let (start, length) = (u64::from(start), u64::from(length));
    let (end, count) = (start.saturating_add(length), elements.count());
    if end > count {
        let problem = PmdlProblem::Elements { start, end, count };
        context.warnings.push(platform.error(at.saturating_add(4), problem));
    }
    // This drops elements past the end, so that the rest can be drawn.
    let (start, length) = (start.min(count), length.min(count.saturating_sub(start)));
    context.budget.spend(platform, at, length.saturating_add(1))?;
    let mut corners = elements.read::<O>(start, length)?;
    let count = collection.vertex_count;
    for (corner, element) in corners.iter_mut().zip(start..) {
        let index = *corner;
        if u64::from(index) >= count {
            let problem = PmdlProblem::Index { name: "vertex", index, count };
            context.warnings.push(elements.bytes.error(elements.size.saturating_mul(element), problem));
            // The corner stays marked for now, because removing it alone would shift all others in a strip.
            *corner = MISSING;
        }
    }
    if let (Some(skin), Some(rig)) = (skin, &context.rig) {
        let bones = rig.skins.get(skin).map_or(0, |skin| skin.bones.len());
        let stray = corners.iter().find_map(|&corner| {
            let influences = collection.influences_of(corner);
            influences.iter().find(|influence| usize::try_from(influence.slot).is_ok_and(|slot| slot > bones))
        });
        if let Some(stray) = stray {
            let problem = PmdlProblem::WeightWithoutBone(stray.slot.saturating_sub(1));
            context.warn(platform.file_offset(at), problem);
        }
    }
    Ok(Some(Draw { topology, skin, corners }.without_missing()))
}

impl Collection {
    /// Stores a vertex's influences, and returns their range. This adds up weights for the same matrix and removes
    /// zero weights. If more than eight remain, the heaviest eight share the weight, with a warning.
    pub(super) fn add_influences(
        &mut self,
        context: &mut Context<'_>,
        at: u64,
        mut influences: Vec<Influence>,
    ) -> std::ops::Range<usize> {
        influences.sort_by_key(|influence| influence.slot);
        influences.dedup_by(|next, kept| {
            let same = next.slot == kept.slot;
            kept.weight += if same { next.weight } else { 0.0 };
            same
        });
        influences.retain(|influence| influence.weight != 0.0);
        if influences.len() > MATRICES {
            context.warn(at, PmdlProblem::Influences(influences.len()));
            // This keeps the sum, because the vertex would move towards the origin otherwise.
            let total: f32 = influences.iter().map(|influence| influence.weight).sum();
            influences.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            influences.truncate(MATRICES);
            let kept: f32 = influences.iter().map(|influence| influence.weight).sum();
            if kept != 0.0 {
                influences.iter_mut().for_each(|influence| influence.weight *= total / kept);
            }
        }
        let start = self.influences.len();
        self.influences.extend(influences);
        start..self.influences.len()
    }

    pub(super) fn influences_of(&self, vertex: u32) -> &[Influence] {
        let vertex = usize::try_from(vertex).ok().and_then(|vertex| self.vertices.get(vertex));
        vertex.and_then(|vertex| self.influences.get(vertex.influences.clone())).unwrap_or_default()
    }
}
