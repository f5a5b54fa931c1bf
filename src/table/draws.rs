//! The table with a row for each draw, to ask which draws share a state, a texture or a cost.
//!
//! # Invariants
//! A state column is named after its member in a draw's document, with `_` between the levels:
//! `state.stencil_test.pass` is `stencil_test_pass`.

use std::borrow::Cow;
use std::sync::LazyLock;

use arrow_array::types::{UInt32Type, UInt64Type};

use super::column::Column;
use super::kind::Table;
use super::rows::Layout;
use crate::documents::draw::{DrawKind, PatchInfo, VertexData};
use crate::ge::address::Address;
use crate::ge::registers::vertex::SplineEdge;
use columns::DrawColumn;
pub(super) use row::{DrawRow, GeometryCounts};

mod columns;
mod pixel_columns;
mod row;
mod texture_columns;
mod vertex_columns;

/// The columns of [`DrawRow`].
pub(super) static LAYOUT: LazyLock<Layout<DrawRow>> = LazyLock::new(|| {
    let mut columns = command_columns();
    columns.extend(vertex_data_columns());
    columns.extend(result_columns());
    columns.extend(vertex_columns::columns());
    columns.extend(texture_columns::columns());
    columns.extend(pixel_columns::columns());
    Layout::keyed(Table::Draws, columns)
});

/// Returns the kind's name in documents, to use the same words here.
const fn kind_name(kind: DrawKind) -> &'static str {
    match kind {
        DrawKind::Primitives => "primitives",
        DrawKind::Bezier => "bezier",
        DrawKind::Spline => "spline",
        DrawKind::Immediate => "immediate",
    }
}

/// Columns about the command, and about the patch if the draw has one.
fn command_columns() -> Vec<DrawColumn> {
    fn patch<T>(row: &DrawRow, value: fn(&PatchInfo) -> Option<T>) -> Option<T> {
        row.patch.as_ref().and_then(value)
    }
    vec![
        Column::number::<UInt64Type>("draw", "Number of the draw in the run, from 0.", |row: &DrawRow| {
            row.number
        }),
        Column::number::<UInt32Type>(
            "address",
            "Address of the PRIM, BEZIER, SPLINE or VAP command.",
            |row: &DrawRow| row.address.get(),
        ),
        Column::maybe_number::<UInt64Type>(
            "file_offset",
            "Offset of the command in its file. Null if it comes from no file.",
            |row: &DrawRow| row.file_offset,
        )
        .unit("bytes"),
        Column::text(
            "kind",
            "The kind of draw: `primitives`, `bezier`, `spline` or `immediate`.",
            |row: &DrawRow| kind_name(row.kind).into(),
        ),
        Column::text(
            "primitive",
            "The primitive type; for a continuation, that of the continued draw.",
            |row: &DrawRow| row.primitive.text(),
        ),
        Column::flag(
            "continues",
            "Whether it continues the primitive of an earlier draw.",
            |row: &DrawRow| row.continues,
        ),
        Column::number::<UInt64Type>(
            "count",
            "Number of vertices, or of control points of a patch.",
            |row: &DrawRow| row.count,
        ),
        Column::maybe_number::<UInt32Type>(
            "patch_u_count",
            "Control points of a patch in the u direction. Null for other draws.",
            |row: &DrawRow| patch(row, |patch| Some(patch.u_count)),
        ),
        Column::maybe_number::<UInt32Type>(
            "patch_v_count",
            "Control points of a patch in the v direction. Null for other draws.",
            |row: &DrawRow| patch(row, |patch| Some(patch.v_count)),
        ),
        Column::maybe_text(
            "patch_u_edge",
            "Knots at the ends of a spline's u direction. Null for other draws.",
            |row: &DrawRow| patch(row, |patch| patch.u_edge).map(SplineEdge::text),
        ),
        Column::maybe_text(
            "patch_v_edge",
            "Knots at the ends of a spline's v direction. Null for other draws.",
            |row: &DrawRow| patch(row, |patch| patch.v_edge).map(SplineEdge::text),
        ),
    ]
}

/// Columns about vertex data in memory, which draws from registers do not have.
fn vertex_data_columns() -> Vec<DrawColumn> {
    fn data<T>(row: &DrawRow, value: fn(&VertexData) -> Option<T>) -> Option<T> {
        row.vertex_data.as_ref().and_then(value)
    }
    vec![
        Column::maybe_number::<UInt32Type>(
            "vertex_data_address",
            "Address of vertex 0. Null for a draw of registers.",
            |row: &DrawRow| data(row, |data| Some(data.address.get())),
        ),
        Column::maybe_number::<UInt32Type>(
            "vertex_data_indices",
            "Address of the indices. Null if vertices are taken in order.",
            |row: &DrawRow| data(row, |data| data.indices.map(Address::get)),
        ),
        Column::maybe_number::<UInt32Type>(
            "vertex_data_first",
            "Smallest index that is used. Null for a draw of registers.",
            |row: &DrawRow| data(row, |data| Some(data.first)),
        ),
        Column::maybe_number::<UInt32Type>(
            "vertex_data_last",
            "Largest index that is used. Null for a draw of registers.",
            |row: &DrawRow| data(row, |data| Some(data.last)),
        ),
        Column::maybe_text(
            "vertex_data_hash",
            "Hash of the bytes of these vertices, gaps between used ones included. Null for a draw of registers, or if a \
             limit was reached.",
            |row: &DrawRow| data(row, |data| data.hash).map(|hash| hash.to_string().into()),
        ),
        Column::maybe_text(
            "vertex_data_index_hash",
            "Hash of the bytes of the indices. Null without indices, or if a limit was reached.",
            |row: &DrawRow| data(row, |data| data.index_hash).map(|hash| Cow::from(hash.to_string())),
        ),
    ]
}

/// Columns with counts from decoding and drawing.
fn result_columns() -> Vec<DrawColumn> {
    vec![
        Column::number::<UInt64Type>(
            "vertices",
            "Distinct vertices, which are the rows of `vertices`. Of a patch, those that it is divided into.",
            |row: &DrawRow| row.geometry.vertices,
        ),
        Column::number::<UInt64Type>(
            "triangles",
            "Triangles before clipping and culling.",
            |row: &DrawRow| row.geometry.triangles,
        ),
        Column::number::<UInt64Type>(
            "pairs",
            "Lines and rectangles before clipping and culling.",
            |row: &DrawRow| row.geometry.pairs,
        ),
        Column::number::<UInt64Type>("points", "Points before clipping and culling.", |row: &DrawRow| {
            row.geometry.points
        }),
        Column::number::<UInt64Type>(
            "drawn_primitives",
            "Primitives after clipping and culling.",
            |row: &DrawRow| row.drawn.primitives,
        ),
        Column::number::<UInt64Type>(
            "drawn_triangles",
            "Triangles after clipping and culling.",
            |row: &DrawRow| row.drawn.triangles,
        ),
        Column::number::<UInt64Type>(
            "pixels",
            "Pixels that passed all tests. Those that are drawn several times count each time.",
            |row: &DrawRow| row.drawn.pixels,
        )
        .unit("pixels"),
    ]
}
