//! Reads parts: vertex arrays and the meshes that draw them.
//! Source: [GMO vertices](crate::reference::formats::psp_sdk#gmo-vertices), [GMO
//! meshes](crate::reference::formats::psp_sdk#gmo-meshes).

use super::chunk::Chunk;
use super::materials::read_state;
use super::problem::GmoProblem;
use super::raw::{block, command};
use super::reader::{Counts, Reader};
use super::scene::{Arrays, Draw, Indices, Mesh, Part, Shape, VertexOffset};
use crate::formats::core::error::FormatError;
use crate::ge::registers::field::View as _;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, IndexFormat, VertexType};
use crate::ge::vertex_layout::VertexLayout;

/// Codes for texture coordinates and positions in a vertex offset.
const TEXCOORD: u32 = 3;
const POSITION: u32 = 0x180;
/// Marks a draw whose vertices follow one another from the first index on.
const SEQUENTIAL: u32 = 0x100;

/// Reads a part: its vertex arrays and meshes.
pub(super) fn read<'a>(reader: &mut Reader, chunk: &Chunk<'a>, counts: Counts) -> Part<'a> {
    let mut part = Part::default();
    let children = chunk.children(&mut reader.warnings);
    let mut numbers = Vec::new();
    for child in children.iter().filter(|child| !child.is_command && child.kind == block::ARRAYS) {
        // Draws name arrays by their number in the file, so arrays that are not usable keep theirs.
        let read = arrays(reader, child);
        let read = reader.or_leave_out("vertices", read);
        numbers.push(read.as_ref().map(|_| part.arrays.len()));
        part.arrays.extend(read);
    }
    for child in &children {
        match (child.is_command, child.kind) {
            (false, block::ARRAYS) => {}
            (false, block::MESH) => {
                let mesh = mesh(reader, child, counts, &part.arrays, &numbers);
                part.meshes.push(mesh);
            }
            (_, command::VERTEX_OFFSET) => read_offset(reader, child, &mut part.offset),
            _ => reader.keep(child),
        }
    }
    part
}

/// Reads a vertex offset into `offset`.
pub(super) fn read_offset(reader: &mut Reader, chunk: &Chunk<'_>, offset: &mut VertexOffset) {
    let floats = chunk.args.len().saturating_sub(4) / 4;
    let read = match (chunk.word(0), floats) {
        (Ok(TEXCOORD), 4..) => chunk.floats::<4>(1).map(|[u, v, across, down]| {
            offset.texcoord = Some([[across, down], [u, v]]);
        }),
        (Ok(POSITION), 6..) => chunk.floats::<6>(1).map(|[x, y, z, sx, sy, sz]| {
            offset.position = Some([[sx, sy, sz], [x, y, z]]);
        }),
        // A tool writes a single scale for all axes.
        (Ok(POSITION), 4..) => chunk.floats::<4>(1).map(|[x, y, z, scale]| {
            offset.position = Some([[scale; 3], [x, y, z]]);
        }),
        _ => Err(chunk.error(GmoProblem::Command(chunk.kind))),
    };
    reader.or_leave_out("offset of vertices", read);
}

fn arrays<'a>(reader: &mut Reader, chunk: &Chunk<'a>) -> Result<Arrays<'a>, FormatError> {
    let [format, stated, morphs] = [chunk.word(0)?, chunk.word(1)?, chunk.word(2)?];
    let vertex_type = VertexType::from_argument(format & 0xFF_FFFF);
    let is_color = vertex_type.color == ColorFormat::NONE || vertex_type.color.bytes() > 0;
    if vertex_type.position == ComponentFormat::NONE || !is_color {
        return Err(chunk.args.error(0, GmoProblem::Layout(format)));
    }
    let has_indices = vertex_type.index != IndexFormat::NONE;
    // Coordinates in pixels cannot be placed in a scene, so through mode is turned off.
    let vertex_type = VertexType { index: IndexFormat::NONE, through: false, ..vertex_type };
    let frame = VertexLayout::new(vertex_type).frame_bytes();
    if format >> 24 != 0 && format >> 24 != frame {
        reader.warn(chunk.args.error(0, GmoProblem::Stride { stated: format >> 24, actual: frame }));
    }
    let frames = vertex_type.morph_frames();
    if morphs as usize != frames {
        reader.warn(chunk.args.error(8, GmoProblem::Morphs { stated: morphs, actual: frames }));
    }
    let bytes = frame.saturating_mul(u32::try_from(frames).unwrap_or(8));
    let room = chunk.data.len().checked_div(bytes.into()).unwrap_or(0);
    let count = u32::try_from(room).unwrap_or(u32::MAX).min(stated);
    if count < stated {
        reader.warn(chunk.args.error(4, GmoProblem::Vertices { stated, actual: room }));
    }
    let data = chunk.data.view(0, u64::from(count).saturating_mul(bytes.into()))?;
    Ok(Arrays { vertex_type, has_indices, count, bytes, data })
}

fn mesh<'a>(
    reader: &mut Reader,
    chunk: &Chunk<'a>,
    counts: Counts,
    arrays: &[Arrays<'a>],
    numbers: &[Option<usize>],
) -> Mesh<'a> {
    let mut mesh = Mesh::default();
    for child in chunk.children(&mut reader.warnings) {
        let read = match child.kind {
            command::SET_MATERIAL => {
                let materials = (block::MATERIAL, counts.materials, "material");
                mesh.material = reader.reference(&child, 0, materials);
                Ok(())
            }
            command::BLEND_SUBSET => child.word(0).map(|count| {
                let stored = child.args.array_prefix::<[u8; 4]>(4, count.into());
                mesh.subset = stored.iter().map(|number| u32::from_le_bytes(*number)).collect();
            }),
            command::SUBDIVISION => child.floats(0).map(|divisions| mesh.subdivision = Some(divisions)),
            command::RENDER_STATE => read_state(reader, &child, &mut mesh.states),
            command::BOUNDING_POINTS => child.floats::<24>(1).map(|floats| {
                let (points, _) = floats.as_chunks::<3>();
                mesh.bounds = points.try_into().ok();
            }),
            command::DRAW_ARRAYS
            | command::DRAW_SPLINE
            | command::DRAW_RECT_MESH
            | command::DRAW_RECT_PATCH => {
                let number = reader.reference(&child, 0, (block::ARRAYS, numbers.len(), "vertices"));
                let number = number.and_then(|number| numbers.get(number).copied().flatten());
                match number.and_then(|number| Some((number, arrays.get(number)?))) {
                    Some(found) => draw(reader, &child, found).map(|draw| mesh.draws.extend(draw)),
                    None => Ok(()),
                }
            }
            _ => {
                reader.keep(&child);
                Ok(())
            }
        };
        reader.or_leave_out("command of a mesh", read);
    }
    mesh
}

fn draw<'a>(
    reader: &mut Reader,
    chunk: &Chunk<'a>,
    (number, arrays): (usize, &Arrays<'a>),
) -> Result<Option<Draw<'a>>, FormatError> {
    let [mode, one, two] = [chunk.word(1)?, chunk.word(2)?, chunk.word(3)?];
    let shape = match chunk.kind {
        command::DRAW_ARRAYS => {
            let kind = mode & 15;
            if kind > 6 {
                return Err(chunk.args.error(4, GmoProblem::Primitive(kind)));
            }
            Shape::Primitives { kind: kind.to_le_bytes()[0], vertices: one, count: two }
        }
        command::DRAW_SPLINE => {
            let edge = |shift: u32| (mode.wrapping_shr(shift) & 3).to_le_bytes()[0];
            Shape::Spline { size: [one, two], edges: [edge(12), edge(14)] }
        }
        _ => {
            reader.warn(chunk.error(GmoProblem::RectPatch));
            Shape::Bezier { size: [one, two] }
        }
    };
    if !matches!(shape, Shape::Primitives { .. }) {
        let fits = |side: &u32| (4..=255).contains(side);
        if ![one, two].iter().all(fits) {
            return Err(chunk.args.error(8, GmoProblem::Patch { width: one, height: two }));
        }
    }
    let stated = shape.vertices();
    let stored = chunk.args.array_prefix::<[u8; 2]>(16, stated);
    let is_sequential = mode & SEQUENTIAL != 0;
    // Converters leave out indices for vertices that follow one another.
    let length = (stored.len() as u64).saturating_mul(2);
    let indices = match stored.first() {
        None => Indices::From(0),
        Some(first) if is_sequential => Indices::From(u16::from_le_bytes(*first).into()),
        Some(_) if !arrays.has_indices => Indices::From(0),
        Some(_) => Indices::List(chunk.args.view(16, length)?),
    };
    if let Indices::List(list) = indices
        && list.len() / 2 < stated
    {
        let problem = GmoProblem::Cut { what: "indices", stated, actual: list.len() / 2 };
        reader.warn(chunk.args.error(16, problem));
    }
    Ok(Some(Draw { arrays: number, shape, indices, view: chunk.view }))
}
