//! `pspge decode`: the decoded primitives of each draw.

use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::model::Model;
use pspge::run::decode::{DecodedDraw, GeometrySink};
use pspge::run::sink::NullObserver;
use serde::Serialize;

use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::run;

/// Print the decoded primitives of each draw
///
/// Vertices are in world space, each once per draw, in the order of their indices in memory. Strips and fans
/// are split into triangles with the same winding.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print all vertices as JSON instead of one line per draw
    #[arg(long)]
    json: bool,
}

/// The whole document.
#[derive(Debug, Serialize)]
struct Document {
    draws: Vec<DrawInfo>,
}

/// One draw. The lists of vertex attributes are parallel to `positions`.
#[derive(Debug, Serialize)]
struct DrawInfo {
    draw: u64,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_offset: Option<u64>,
    primitive: String,
    vertex_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    texture: Option<usize>,
    /// Indices of the vertices in memory, from the draw's vertex pointer.
    vertex_indices: Vec<Option<u32>>,
    positions: Vec<[f32; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    normals: Vec<[f32; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    uvs: Vec<[f32; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    colors: Vec<[u8; 4]>,
    /// For each vertex, one weight per bone matrix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weights: Vec<Vec<f32>>,
    /// Skeleton bone of each bone matrix, by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bones: Vec<Option<u32>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    triangles: Vec<[u32; 3]>,
    /// Lines, or opposite corners of rectangles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<u32>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let input = run::open(&args.input)?;
    let (mut capture, model) = run::capture(&args.input, input)?;
    let mut sink = GeometrySink::new();
    let limits = args.input.limits();
    let replayed = run::run(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, &limits);
    run::warn(&args.input, &replayed.report.notes);
    let mut out = Output::new();
    if args.json {
        let draws = sink.draws().iter().map(|draw| describe(draw, &capture, model.as_deref())).collect();
        out.json(&Document { draws }, true)?;
    } else {
        for draw in sink.draws() {
            let DecodedDraw { number, at, primitive, vertices, triangles, .. } = draw;
            out.line(format_args!(
                "draw {number} at {at}: {primitive}, {} vertices, {} triangles",
                vertices.len(),
                triangles.len()
            ))?;
        }
    }
    out.finish()
}

fn describe(draw: &DecodedDraw, capture: &Capture, model: Option<&Model>) -> DrawInfo {
    let part = model.and_then(|model| model.part_at(draw.at));
    let weights = draw.vertex_type.weights();
    let vertices_if = |present: bool| if present { draw.vertices.as_slice() } else { &[] };
    DrawInfo {
        draw: draw.number,
        address: draw.at.to_string(),
        file_offset: run::file_offset(&capture.sources, draw.at),
        primitive: draw.primitive.to_string(),
        vertex_type: format!("0x{:06x}", pspge::ge::registers::field::View::to_argument(draw.vertex_type)),
        mesh: part.map(|part| part.mesh),
        group: part.map(|part| part.group),
        material: part.map(|part| part.material),
        texture: part.and_then(|part| part.texture),
        vertex_indices: draw.vertices.iter().map(|vertex| vertex.index).collect(),
        positions: draw.vertices.iter().map(|vertex| vertex.position).collect(),
        normals: vertices_if(draw.has_normals()).iter().map(|vertex| vertex.normal).collect(),
        uvs: vertices_if(draw.has_texcoords()).iter().map(|vertex| vertex.texcoord).collect(),
        colors: vertices_if(draw.has_colors()).iter().map(|vertex| vertex.color).collect(),
        weights: vertices_if(weights > 0).iter().map(|vertex| vertex.weights[..weights].to_vec()).collect(),
        bones: part.map(|part| part.palette.iter().copied().take(weights).collect()).unwrap_or_default(),
        triangles: draw.triangles.clone(),
        pairs: draw.pairs.clone(),
        points: draw.points.clone(),
    }
}
