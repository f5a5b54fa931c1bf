//! Model space to clip space, with everything that a vertex gets on the way. Source: `ge-reference.md` §5.1, §6.
//!
//! WORLD, VIEW and PROJ are concatenated once per draw, (world · view) · projection, and each vertex takes one
//! matrix product ("model A" there). The order of the two concatenations is not known: the hardware tests have an
//! identity VIEW.

use arrayvec::ArrayVec;

use super::clip_vertex::ClipVertex;
use super::fog::Fog;
use super::lanes::{self, LANES, Lanes, Vectors};
use super::material::Lighting;
use super::math::{Affine, Projective, convert};
use super::morph::Morph;
use super::normal::WorldNormals;
use super::outcode::Place;
use super::patch::Positions;
use super::skin::Skin;
use super::texgen::TextureGenerator;
use super::viewport::Viewport;
use crate::ge::arithmetic::Real;
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch, portable};
use crate::ge::registers::vertex::VertexType;
use crate::ge::registers::{Matrix, Registers};
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::{Vertex, VertexReader};

/// Everything that turns one draw's vertices into clip space.
#[derive(Clone, Debug)]
pub struct Transform<R> {
    through: bool,
    morph: Morph<R>,
    skin: Option<Skin<R>>,
    to_clip: Projective<R>,
    texture: TextureGenerator<R>,
    lit: Option<Lit<R>>,
    fog: Option<Fog<R>>,
}

/// What lighting needs, and how to get there.
#[derive(Clone, Debug)]
struct Lit<R> {
    world: Affine<R>,
    normals: WorldNormals<R>,
    lighting: Lighting<R>,
}

/// Positions and normals in model space.
type Model<R> = (Vectors<R>, Vectors<R>);

/// What vertices have that does not decide where they are drawn.
#[derive(Clone, Copy, Debug, Default)]
struct Looks<R> {
    texture: [Lanes<R>; 3],
    fog: Lanes<R>,
    color: [[u8; 4]; LANES],
    secondary: [[u8; 3]; LANES],
}

/// Vertices that are not skinned.
#[inline(always)]
fn as_they_are<R: Real>(vertices: &[&Vertex]) -> Model<R> {
    (lanes::gather(vertices, |vertex| vertex.position), lanes::gather(vertices, |vertex| vertex.normal))
}

impl<R: Real> Transform<R> {
    /// The transformation that the registers describe.
    #[must_use]
    pub fn new(registers: &Registers) -> Self {
        let world = Affine::load(registers, Matrix::World);
        let view = Affine::load(registers, Matrix::View);
        let projection = Projective::load(registers);
        let (world_view, to_clip) = dispatch!(Instructions::Best, simd => simd.vectorize(
            #[inline(always)]
            || {
                let world_view = world.then(&view);
                (world_view, world_view.then_project(&projection))
            },
        ));
        Self {
            through: registers.get::<VertexType>().through,
            morph: Morph::new(registers),
            skin: Skin::new(registers),
            to_clip,
            texture: TextureGenerator::new(registers),
            lit: Lighting::new(registers).map(|lighting| Lit {
                world,
                normals: WorldNormals::new(registers),
                lighting,
            }),
            fog: Fog::new(registers, &world_view),
        }
    }

    /// Reads and morphs the `nth` vertex of the draw.
    #[must_use]
    pub fn read(&self, reader: &VertexReader<'_>, nth: u32) -> Vertex {
        self.morph.vertex(reader, nth)
    }

    /// The skin, taken away: vertices that are applied afterwards are taken to be skinned. `None` in through mode.
    pub fn take_skin(&mut self) -> Option<Skin<R>> {
        self.skin.take().filter(|_| !self.through)
    }

    /// Morphed vertices in clip space, put behind those in `out`.
    pub fn apply_all(&self, vertices: &[Vertex], out: &mut Vec<ClipVertex<R>>) {
        if self.through {
            out.extend(vertices.iter().map(|vertex| self.apply(vertex)));
            return;
        }
        out.reserve(vertices.len());
        dispatch!(Instructions::Best, simd => self.apply_simd(simd, vertices, out));
    }

    fn apply_simd<S: Simd>(&self, simd: S, vertices: &[Vertex], out: &mut Vec<ClipVertex<R>>) {
        for vertices in vertices.chunks(LANES) {
            let vertices: ArrayVec<&Vertex, LANES> = vertices.iter().collect();
            let model = match &self.skin {
                Some(skin) => simd.vectorize(
                    #[inline(always)]
                    || skin.apply_lanes(&vertices),
                ),
                None => simd.vectorize(
                    #[inline(always)]
                    || as_they_are(&vertices),
                ),
            };
            let clip = simd.vectorize(
                #[inline(always)]
                || lanes::project(&self.to_clip, &model.0),
            );
            let looks = self.looks(simd, &vertices, &model);
            for lane in 0..vertices.len() {
                out.push(ClipVertex {
                    position: lanes::of_lane(&clip, lane),
                    texture: lanes::of_lane(&looks.texture, lane),
                    fog: looks.fog[lane],
                    color: looks.color[lane],
                    secondary: looks.secondary[lane],
                });
            }
        }
    }

    /// Skins morphed vertices, which are then taken to be skinned. Not for through mode.
    pub fn skin_all(&mut self, vertices: &mut [Vertex]) {
        if let Some(skin) = self.take_skin() {
            dispatch!(Instructions::Best, simd => skin.apply_all(simd, vertices));
        }
    }

    /// Where skinned vertices stand, put behind those in `out`. Not for through mode.
    pub fn place_all(&self, viewport: &Viewport<R>, vertices: &[Vertex], out: &mut Vec<Place>) {
        out.reserve(vertices.len());
        dispatch!(Instructions::Best, simd => for vertices in vertices.chunks(LANES) {
            let places = simd.vectorize(
                #[inline(always)]
                || {
                    let positions = lanes::gather(vertices, |vertex| vertex.position);
                    viewport.places(&lanes::project(&self.to_clip, &positions))
                },
            );
            out.extend(places.iter().take(vertices.len()));
        });
    }

    /// The same for positions alone.
    pub fn place_positions(&self, viewport: &Viewport<R>, positions: &Positions, out: &mut Vec<Place>) {
        let first = out.len();
        dispatch!(Instructions::Best, simd => for positions in positions.lanes() {
            let places = simd.vectorize(
                #[inline(always)]
                || {
                    let [x, y, z] = &positions;
                    let positions = [x, y, z].map(|axis| lanes::each(axis, R::from_f32));
                    viewport.places(&lanes::project(&self.to_clip, &positions))
                },
            );
            out.extend(places);
        });
        out.truncate(first + positions.count());
    }

    /// What skinned vertices look like on the screen, which stand in these places, put behind those in `out`. Not for
    /// through mode.
    pub fn finish_all(&self, vertices: &[&Vertex], places: &[Place], out: &mut Vec<ScreenVertex>) {
        out.reserve(vertices.len());
        dispatch!(Instructions::Best, simd => self.finish_simd(simd, vertices, places, out));
    }

    fn finish_simd<S: Simd>(
        &self,
        simd: S,
        vertices: &[&Vertex],
        places: &[Place],
        out: &mut Vec<ScreenVertex>,
    ) {
        for (vertices, places) in vertices.chunks(LANES).zip(places.chunks(LANES)) {
            let model = simd.vectorize(
                #[inline(always)]
                || as_they_are(vertices),
            );
            let looks = self.looks(simd, vertices, &model);
            let (mut texture, mut fog) = ([[0.0; LANES]; 3], [0.0; LANES]);
            simd.vectorize(
                #[inline(always)]
                || {
                    for (single, number) in texture.iter_mut().zip(&looks.texture) {
                        *single = lanes::each(number, R::to_f32);
                    }
                    fog = lanes::each(&looks.fog, R::to_f32);
                },
            );
            for (lane, place) in places.iter().enumerate() {
                out.push(ScreenVertex {
                    x: place.x,
                    y: place.y,
                    z: place.z,
                    color: looks.color[lane],
                    secondary: looks.secondary[lane],
                    texture: [texture[0][lane], texture[1][lane], texture[2][lane]],
                    reciprocal_w: place.reciprocal_w,
                    fog: fog[lane],
                });
            }
        }
    }

    /// What up to [`LANES`] vertices with these positions and normals look like.
    fn looks<S: Simd>(&self, simd: S, vertices: &[&Vertex], (positions, normals): &Model<R>) -> Looks<R> {
        let fog = match &self.fog {
            Some(fog) => simd.vectorize(
                #[inline(always)]
                || fog.factors(positions),
            ),
            None => [R::ONE; LANES],
        };
        let mut looks = Looks { fog, ..Looks::default() };
        for (color, vertex) in looks.color.iter_mut().zip(vertices) {
            *color = vertex.color;
        }
        if let Some(lit) = &self.lit {
            (looks.color, looks.secondary) = simd.vectorize(
                #[inline(always)]
                || lit.colors(positions, normals, &looks.color),
            );
        }
        looks.texture = simd.vectorize(
            #[inline(always)]
            || {
                let uv = lanes::gather(vertices, |vertex| vertex.texcoord);
                self.texture.coordinates(positions, normals, &uv)
            },
        );
        looks
    }

    /// The matrix from model space, behind skinning, to clip space.
    #[must_use]
    pub const fn to_clip(&self) -> &Projective<R> {
        &self.to_clip
    }

    /// A morphed vertex in clip space.
    #[must_use]
    pub fn apply(&self, vertex: &Vertex) -> ClipVertex<R> {
        if self.through {
            let [x, y, z] = convert(vertex.position);
            let [u, v] = convert(vertex.texcoord);
            return ClipVertex {
                position: [x, y, z, R::ONE],
                texture: [u, v, R::ONE],
                fog: R::ONE,
                color: vertex.color,
                secondary: [0; 3],
            };
        }
        let (position, normal) = match &self.skin {
            Some(skin) => skin.apply(vertex),
            None => (convert(vertex.position), convert(vertex.normal)),
        };
        let looks = self.looks(portable(), &[vertex], &(lanes::spread(position), lanes::spread(normal)));
        ClipVertex {
            position: self.to_clip.transform_point(position),
            texture: lanes::of_lane(&looks.texture, 0),
            fog: looks.fog[0],
            color: looks.color[0],
            secondary: looks.secondary[0],
        }
    }
}

impl<R: Real> Lit<R> {
    /// Primary and secondary colours of vertices with the given model positions and normals and own colours.
    #[inline(always)]
    fn colors(
        &self,
        positions: &Vectors<R>,
        normals: &Vectors<R>,
        own: &[[u8; 4]; LANES],
    ) -> ([[u8; 4]; LANES], [[u8; 3]; LANES]) {
        let (positions, normals) = (lanes::points(&self.world, positions), self.normals.unit(normals));
        self.lighting.colors(&positions, &normals, own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::ge::opcode::Opcode;

    /// A world moved by 10 in x, and a view moved by −5 in z.
    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        let mut registers = Registers::new();
        let affine = |translation: [f32; 3]| {
            let axes = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
            axes.into_iter().chain(translation)
        };
        for (matrix, translation) in [(Matrix::World, [10.0, 0.0, 0.0]), (Matrix::View, [0.0, 0.0, -5.0])] {
            registers.write(Command::new(matrix.number_opcode(), 0));
            for element in affine(translation) {
                registers.write(Command::new(matrix.data_opcode(), Float24::from_f32(element).to_bits()));
            }
        }
        registers.write(Command::new(Matrix::Projection.number_opcode(), 0));
        for element in 0..16_u8 {
            let element = if element % 5 == 0 { 1.0 } else { 0.0 };
            registers.write(Command::new(Opcode::PROJMATRIXDATA, Float24::from_f32(element).to_bits()));
        }
        for &(opcode, argument) in settings {
            registers.write(Command::new(opcode, argument));
        }
        registers
    }

    fn apply(settings: &[(Opcode, u32)]) -> ClipVertex<f32> {
        let vertex = Vertex { position: [1.0, 2.0, 3.0], color: [1, 2, 3, 4], ..Vertex::default() };
        Transform::new(&registers(settings)).apply(&vertex)
    }

    #[test]
    fn world_then_view_then_projection() {
        let vertex = apply(&[]);
        assert_eq!(vertex.position, [11.0, 2.0, -2.0, 1.0], "both translations");
        assert_eq!((vertex.color, vertex.fog), ([1, 2, 3, 4], 1.0), "neither light nor fog");
    }

    #[test]
    fn fog_sees_the_view_and_light_the_world() {
        let float = |value: f32| Float24::from_f32(value).to_bits();
        let settings = [
            (Opcode::FOGENABLE, 1),
            (Opcode::FOG1, float(2.5)),
            (Opcode::FOG2, float(1.0)),
            (Opcode::LIGHTINGENABLE, 1),
            (Opcode::LIGHTENABLE0, 1),
            (Opcode::LIGHTTYPE0, 0x100),
            (Opcode::LX0, float(11.0)),
            (Opcode::LY0, float(2.0)),
            (Opcode::LZ0, float(5.0)),
            (Opcode::LKB0, float(1.0)),
            (Opcode::LDC0, 0xFF_FFFF),
            (Opcode::MATERIALDIFFUSE, 0xFF_FFFF),
        ];
        let vertex = apply(&settings);
        assert_eq!(vertex.fog, 0.5, "2.5 − 2");
        // (511 × 511 × 257) >> 19, as emulators have it.
        assert_eq!(vertex.color, [127, 127, 127, 0], "the light is 2 away in world space");
    }

    #[test]
    fn through_mode_takes_everything_as_it_is() {
        let settings = [(Opcode::VTYPE, 1 << 23), (Opcode::LIGHTINGENABLE, 1), (Opcode::FOGENABLE, 1)];
        let vertex = apply(&settings);
        assert_eq!(vertex.position, [1.0, 2.0, 3.0, 1.0], "no matrices");
        assert_eq!((vertex.color, vertex.fog), ([1, 2, 3, 4], 1.0), "neither light nor fog");
    }
}
