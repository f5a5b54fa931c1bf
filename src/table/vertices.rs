//! The table with a row for each vertex in each draw.

use std::sync::LazyLock;

use arrow_array::types::{Float32Type, UInt8Type, UInt32Type, UInt64Type};

use super::column::Column;
use super::kind::Table;
use super::rows::Layout;
use crate::ge::never::OrNever;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, VertexType};
use crate::run::decode::DecodedVertex;

/// A vertex and its draw. The vertex type tells which attributes exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexRow {
    draw: u64,
    number: u32,
    vertex_type: VertexType,
    vertex: DecodedVertex,
}

impl VertexRow {
    /// Describes vertex `number` in a draw whose vertices have this type.
    pub(super) const fn new(draw: u64, number: u32, vertex_type: VertexType, vertex: DecodedVertex) -> Self {
        Self { draw, number, vertex_type, vertex }
    }

    fn normal(&self, axis: usize) -> Option<f32> {
        let exists = self.vertex_type.normal != ComponentFormat::NONE;
        self.vertex.normal.get(axis).copied().filter(|_| exists)
    }

    fn texcoord(&self, axis: usize) -> Option<f32> {
        let exists = self.vertex_type.texcoord != ComponentFormat::NONE;
        self.vertex.texcoord.get(axis).copied().filter(|_| exists)
    }

    fn color(&self, channel: usize) -> Option<u8> {
        let exists = self.vertex_type.color != ColorFormat::NONE;
        self.vertex.color.get(channel).copied().filter(|_| exists)
    }

    /// Appends the weights, or returns false if the vertex has none.
    fn weights(&self, out: &mut Vec<f32>) -> bool {
        let exist = self.vertex_type.weight != ComponentFormat::NONE;
        if exist {
            out.extend(self.vertex.weights.iter().take(self.vertex_type.weights()));
        }
        exist
    }
}

/// The columns of [`VertexRow`].
pub(super) static LAYOUT: LazyLock<Layout<VertexRow>> = LazyLock::new(|| {
    let position = |name, description, axis: usize| {
        Column::number::<Float32Type>(name, description, move |row: &VertexRow| {
            row.vertex.position.get(axis).copied().or_never("there are three axes")
        })
        .unit("units of the world; pixels and units of depth in through mode")
    };
    let normal = |name, description, axis: usize| {
        Column::maybe_number::<Float32Type>(name, description, move |row: &VertexRow| row.normal(axis))
            .unit("not normalised")
    };
    let texcoord = |name, description, axis: usize| {
        Column::maybe_number::<Float32Type>(name, description, move |row: &VertexRow| row.texcoord(axis))
            .unit("1 is the size of the texture; texels in through mode")
    };
    let color = |name, description, channel: usize| {
        Column::maybe_number::<UInt8Type>(name, description, move |row: &VertexRow| row.color(channel))
            .unit("0 to 255")
    };
    let columns = vec![
        Column::number::<UInt64Type>("draw", "Number of the draw in the run, from 0.", |row: &VertexRow| {
            row.draw
        }),
        Column::number::<UInt32Type>(
            "vertex",
            "Number of the vertex among those of the draw, from 0.",
            |row: &VertexRow| row.number,
        ),
        Column::maybe_number::<UInt32Type>(
            "index",
            "Index in memory, counted from the draw's vertex pointer. Null for vertices left over from an earlier draw, \
             of patches, and from registers.",
            |row: &VertexRow| row.vertex.index,
        ),
        position(
            "x",
            "Position in world space, after morphing, skinning and the world matrix: x. Column in through mode.",
            0,
        ),
        position("y", "Position in world space: y. Row in through mode.", 1),
        position("z", "Position in world space: z. Depth in through mode.", 2),
        normal("normal_x", "Normal in world space: x. Null if the vertex has none.", 0),
        normal("normal_y", "Normal in world space: y. Null if the vertex has none.", 1),
        normal("normal_z", "Normal in world space: z. Null if the vertex has none.", 2),
        texcoord(
            "u",
            "Texture coordinate u, after scale and offset, or environment mapping. Null if the vertex has none.",
            0,
        ),
        texcoord(
            "v",
            "Texture coordinate v, after scale and offset, or environment mapping. Null if the vertex has none.",
            1,
        ),
        color("red", "Red of the vertex colour. Null if the vertex has none.", 0),
        color("green", "Green of the vertex colour. Null if the vertex has none.", 1),
        color("blue", "Blue of the vertex colour. Null if the vertex has none.", 2),
        color("alpha", "Alpha of the vertex colour. Null if the vertex has none.", 3),
        Column::maybe_list::<Float32Type>(
            "weights",
            "Weights of the bone matrices. Null if the vertex has none.",
            VertexRow::weights,
        ),
    ];
    Layout::keyed(Table::Vertices, columns)
});
