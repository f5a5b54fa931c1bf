//! Decoded geometry as data, to serialise, compare and snapshot it.

use std::fmt;

use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};
#[cfg(feature = "serde")]
use crate::ge::float;
#[cfg(feature = "schema")]
use crate::ge::float::Float;
use crate::ge::note::Note;
use crate::ge::registers::field::View;
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::Model;
use crate::pipeline::bounds::Bounds;
use crate::run::decode::{DecodedDraw, DecodedVertex, GeometrySink};

/// Each draw's decoded primitives, in world space.
///
/// A draw lists every vertex only once, ordered by its number in memory. Strips and fans are taken apart into
/// triangles with the same winding. With the feature `serde`, this can be serialised.
///
/// ```
/// let text = b"BASE hi(points) | VTYPE position=BITS16 | VADDR lo(points)\n\
///     PRIM primitive=POINTS count=2 | FINISH | END\n\
///     .align 4\npoints: .s16 32767 0 0 0 32767 0";
/// let geometry = pspge::open("points.ge", text)?.geometry()?;
/// assert_eq!(geometry.vertex_count(), 2);
/// println!("{}", geometry.summary());
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Geometry {
    /// The draws in the order of the list.
    pub draws: Vec<GeometryDraw>,
    /// Everything left out or guessed during the run.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub notes: Vec<Note>,
}

/// A draw's geometry. The attributes are parallel to `positions`; attributes that the vertices lack are empty.
///
/// ```
/// # let text = b"BASE hi(points) | VTYPE position=BITS16 | VADDR lo(points)\n\
/// #     PRIM primitive=POINTS count=2 | FINISH | END\n\
/// #     .align 4\npoints: .s16 32767 0 0 0 32767 0";
/// let geometry = pspge::open("points.ge", text)?.geometry()?;
/// let draw: &pspge::GeometryDraw = &geometry.draws[0];
/// assert_eq!((draw.primitive.name(), draw.points.as_slice()), (Some("POINTS"), [0, 1].as_slice()));
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GeometryDraw {
    /// Number of the draw in the run, from 0.
    pub draw: u64,
    /// Address of the PRIM, BEZIER, SPLINE or VAP command.
    pub address: Address,
    /// The command's offset in its file, if it came from a file.
    pub file_offset: Option<u64>,
    /// The primitive type. A continuation has the type of the draw it continues.
    pub primitive: PrimitiveType,
    /// The VTYPE argument, to look up how vertices are stored.
    pub vertex_type: u32,
    /// Whether positions are pixels instead of world coordinates.
    pub through: bool,
    /// Number of the mesh in a model.
    pub mesh: Option<usize>,
    /// Number of the group in a model.
    pub group: Option<usize>,
    /// Number of the material in a model.
    pub material: Option<usize>,
    /// Number of the texture in a model.
    pub texture: Option<usize>,
    /// The number for each vertex in memory, counted from the draw's vertex pointer.
    pub vertex_indices: Vec<Option<u32>>,
    /// Positions in world space; pixels in through mode.
    #[cfg_attr(feature = "serde", serde(with = "float::arrays"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[Float; 3]>"))]
    pub positions: Vec<[f32; 3]>,
    /// Normals in world space, with the length that the matrices give them.
    #[cfg_attr(feature = "serde", serde(with = "float::arrays"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[Float; 3]>"))]
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates after scale and offset; texels in through mode.
    #[cfg_attr(feature = "serde", serde(with = "float::arrays"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[Float; 2]>"))]
    pub uvs: Vec<[f32; 2]>,
    /// Red, green, blue, alpha.
    pub colors: Vec<[u8; 4]>,
    /// A weight for each bone matrix.
    #[cfg_attr(feature = "serde", serde(with = "float::lists"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<Float>>"))]
    pub weights: Vec<Vec<f32>>,
    /// For each bone matrix the skeleton's bone, by id.
    pub bones: Vec<Option<u32>>,
    /// Triangles as indices into the vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Lines, or opposite corners of rectangles, as indices into the vertices.
    pub pairs: Vec<[u32; 2]>,
    /// Points, as indices into the vertices.
    pub points: Vec<u32>,
}

impl Geometry {
    /// Describes the draws in a finished run.
    #[must_use]
    pub fn new(sink: &GeometrySink, sources: &[Source], model: Option<&Model>, notes: Vec<Note>) -> Self {
        let draws = sink.draws().iter().map(|draw| GeometryDraw::new(draw, sources, model)).collect();
        Self { draws, notes }
    }

    /// Returns how many vertices all draws have.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.draws.iter().map(|draw| draw.positions.len()).sum()
    }

    /// Returns how many triangles all draws have.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.draws.iter().map(|draw| draw.triangles.len()).sum()
    }

    /// Returns the box around all vertices outside through mode; `None` if no position is finite.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(self.draws.iter().filter(|draw| !draw.through).flat_map(|draw| draw.positions.clone()))
    }

    /// Returns a text for snapshots that a reviewer can read. For each draw this has counts, bounds, the first
    /// vertices and the first triangles.
    ///
    /// The text is the same on every machine, because numbers are rounded to four decimal places.
    #[must_use]
    pub fn summary(&self) -> impl fmt::Display {
        Summary { geometry: self }
    }
}

impl GeometryDraw {
    /// Describes a decoded draw. Use this to stream the draws from a [`GeometrySink`].
    #[must_use]
    pub fn new(draw: &DecodedDraw, sources: &[Source], model: Option<&Model>) -> Self {
        let part = model.and_then(|model| model.part_at(draw.at));
        let weights = draw.vertex_type.weights();
        let vertices = |present: bool| if present { draw.vertices.as_slice() } else { &[] };
        let of_vertex = |vertex: &DecodedVertex| vertex.weights.iter().copied().take(weights).collect();
        Self {
            draw: draw.number,
            address: draw.at,
            file_offset: file_offset(sources, draw.at),
            primitive: draw.primitive,
            vertex_type: draw.vertex_type.to_argument(),
            through: draw.vertex_type.through,
            mesh: part.map(|part| part.mesh),
            group: part.map(|part| part.group),
            material: part.map(|part| part.material),
            texture: part.and_then(|part| part.texture),
            vertex_indices: draw.vertices.iter().map(|vertex| vertex.index).collect(),
            positions: draw.vertices.iter().map(|vertex| vertex.position).collect(),
            normals: vertices(draw.has_normals()).iter().map(|vertex| vertex.normal).collect(),
            uvs: vertices(draw.has_texcoords()).iter().map(|vertex| vertex.texcoord).collect(),
            colors: vertices(draw.has_colors()).iter().map(|vertex| vertex.color).collect(),
            weights: vertices(weights > 0).iter().map(of_vertex).collect(),
            bones: part.map(|part| part.palette.iter().copied().take(weights).collect()).unwrap_or_default(),
            triangles: draw.triangles.clone(),
            pairs: draw.pairs.clone(),
            points: draw.points.clone(),
        }
    }
}

fn file_offset(sources: &[Source], address: Address) -> Option<u64> {
    Some(source_of(sources, address)?.1)
}

/// The text for [`Geometry::summary`].
struct Summary<'a> {
    geometry: &'a Geometry,
}

/// A summary shows no more vertices and triangles than this for each draw, to stay readable.
const SHOWN: usize = 3;

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let geometry = self.geometry;
        let (draws, vertices) = (geometry.draws.len(), geometry.vertex_count());
        writeln!(f, "{draws} draws, {vertices} vertices, {} triangles", geometry.triangle_count())?;
        if let Some(Bounds { min, max }) = geometry.bounds() {
            writeln!(f, "bounds {} to {}", Numbers(&min), Numbers(&max))?;
        }
        for draw in &geometry.draws {
            summarise(f, draw)?;
        }
        Ok(())
    }
}

fn summarise(f: &mut fmt::Formatter<'_>, draw: &GeometryDraw) -> fmt::Result {
    write!(f, "draw {}: {}, {} vertices", draw.draw, draw.primitive, draw.positions.len())?;
    let shapes =
        [("triangles", draw.triangles.len()), ("pairs", draw.pairs.len()), ("points", draw.points.len())];
    for (name, count) in shapes.into_iter().filter(|(_, count)| *count > 0) {
        write!(f, ", {count} {name}")?;
    }
    for (name, number) in [("material", draw.material), ("texture", draw.texture)] {
        if let Some(number) = number {
            write!(f, ", {name} {number}")?;
        }
    }
    if let Some(Bounds { min, max }) = Bounds::of(draw.positions.iter().copied()) {
        write!(f, "\n  bounds {} to {}", Numbers(&min), Numbers(&max))?;
    }
    for (index, position) in draw.positions.iter().take(SHOWN).enumerate() {
        write!(f, "\n  vertex {index}: position {}", Numbers(position))?;
        if let Some(normal) = draw.normals.get(index) {
            write!(f, " normal {}", Numbers(normal))?;
        }
        if let Some(uv) = draw.uvs.get(index) {
            write!(f, " uv {}", Numbers(uv))?;
        }
        if let Some([red, green, blue, alpha]) = draw.colors.get(index) {
            write!(f, " color #{red:02x}{green:02x}{blue:02x}{alpha:02x}")?;
        }
        if let Some(weights) = draw.weights.get(index) {
            write!(f, " weights {}", Numbers(weights))?;
        }
    }
    if !draw.triangles.is_empty() {
        let corners = |[a, b, c]: &[u32; 3]| format!("{a} {b} {c}");
        let first: Vec<String> = draw.triangles.iter().take(SHOWN).map(corners).collect();
        let more = if draw.triangles.len() > SHOWN { " …" } else { "" };
        write!(f, "\n  triangles {}{more}", first.join(", "))?;
    }
    writeln!(f)
}

/// Numbers in parentheses. They are rounded to four decimal places, and never show a negative zero.
struct Numbers<'a>(&'a [f32]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, number) in self.0.iter().enumerate() {
            let text = format!("{number:.4}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            let text = if text == "-0" { "0" } else { text };
            write!(f, "{}{text}", if index > 0 { " " } else { "" })?;
        }
        f.write_str(")")
    }
}
