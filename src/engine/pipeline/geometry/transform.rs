//! Transforms vertices from model space to clip space and computes their attributes. The vertices come from
//! [`super::model_vertices`], which has morphed and skinned them.
//!
//! WORLD, VIEW and PROJ are concatenated once per draw, as (world · view) · projection, so that each vertex needs
//! only a single matrix product.
//! Source: [concatenation](crate::reference::ge::transform#concatenation),
//! [lighting](crate::reference::ge::lighting).

use arrayvec::ArrayVec;

use super::clip_vertex::ClipVertex;
use super::fog::Fog;
use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::material::Lighting;
use super::math::{Affine, Projective, convert};
use super::normal::WorldNormals;
use super::patch::PatchPositions;
use super::screen_position::{ScreenPosition, ScreenPositions};
use super::texgen::TextureGenerator;
use super::viewport::Viewport;
use super::zero_normal::ZeroNormal;
use crate::ge::arithmetic::Real;
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch, portable};
use crate::ge::registers::vertex::VertexType;
use crate::ge::registers::{Matrix, Registers};
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// A draw's vertex transform.
#[derive(Clone, Debug)]
pub(crate) struct Transform<R> {
    through: bool,
    to_clip: Projective<R>,
    texture: TextureGenerator<R>,
    lighting_setup: Option<LightingSetup<R>>,
    fog: Option<Fog<R>>,
}

/// Normals and lights for a lit draw.
#[derive(Clone, Debug)]
struct LightingSetup<R> {
    normals: WorldNormals<R>,
    lighting: Lighting<R>,
}

/// Positions and normals in model space.
type ModelVectors<R> = (VectorLanes<R>, VectorLanes<R>);

/// Attributes that do not affect a vertex's position.
#[derive(Clone, Copy, Debug, Default)]
struct VertexAttributes<R> {
    texture: [Lanes<R>; 3],
    fog: Lanes<R>,
    color: [[u8; 4]; LANES],
    secondary: [[u8; 3]; LANES],
}

#[inline(always)]
fn gathered<R: Real>(vertices: &[&Vertex]) -> ModelVectors<R> {
    (lanes::gather(vertices, |vertex| vertex.position), lanes::gather(vertices, |vertex| vertex.normal))
}

impl<R: Real> Transform<R> {
    /// Creates the transform for these registers. `zero_normal` replaces normals (0, 0, 0).
    #[must_use]
    pub(crate) fn new(registers: &Registers, zero_normal: ZeroNormal) -> Self {
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
            to_clip,
            texture: TextureGenerator::new(registers, zero_normal),
            lighting_setup: Lighting::new(registers).map(|lighting| LightingSetup {
                normals: WorldNormals::new(registers, zero_normal),
                lighting,
            }),
            fog: Fog::new(registers, &world_view),
        }
    }

    /// Whether anything depends on normals.
    pub(crate) fn uses_normals(&self) -> bool {
        self.lighting_setup.is_some() || self.texture.uses_normals()
    }

    /// Transforms vertices to clip space and appends them to `out`.
    pub(crate) fn apply_all(&self, vertices: &[Vertex], out: &mut Vec<ClipVertex<R>>) {
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
            let model = simd.vectorize(
                #[inline(always)]
                || gathered(&vertices),
            );
            let clip = simd.vectorize(
                #[inline(always)]
                || lanes::project(&self.to_clip, &model.0),
            );
            let attributes = self.attributes(simd, &vertices, &model);
            for lane in 0..vertices.len() {
                out.push(ClipVertex {
                    position: lanes::extract(&clip, lane),
                    texture: lanes::extract(&attributes.texture, lane),
                    fog: attributes.fog[lane],
                    color: attributes.color[lane],
                    secondary: attributes.secondary[lane],
                });
            }
        }
    }

    /// Computes screen positions for vertices. Not for through mode.
    pub(crate) fn screen_positions(
        &self,
        viewport: &Viewport<R>,
        vertices: &[Vertex],
        out: &mut ScreenPositions,
    ) {
        let groups = vertices.chunks(LANES);
        dispatch!(Instructions::Best, simd => out.set(vertices.len(), groups.map(|vertices| {
            simd.vectorize(
                #[inline(always)]
                || {
                    let positions = lanes::gather(vertices, |vertex| vertex.position);
                    viewport.screen_positions(&lanes::project(&self.to_clip, &positions))
                },
            )
        })));
    }

    /// Computes screen positions for a sub-patch. Not for through mode.
    pub(crate) fn patch_screen_positions(
        &self,
        viewport: &Viewport<R>,
        positions: &PatchPositions,
        out: &mut ScreenPositions,
    ) {
        dispatch!(Instructions::Best, simd => out.set(positions.count(), positions.lanes().map(|[x, y, z]| {
            simd.vectorize(
                #[inline(always)]
                || {
                    let positions = [
                        lanes::map(&x, R::from_f32),
                        lanes::map(&y, R::from_f32),
                        lanes::map(&z, R::from_f32),
                    ];
                    viewport.screen_positions(&lanes::project(&self.to_clip, &positions))
                },
            )
        })));
    }

    /// Computes attributes for vertices at these screen positions and appends the screen vertices to `out`. Not for
    /// through mode.
    pub(crate) fn screen_vertices<'v>(
        &self,
        vertices: impl Iterator<Item = (&'v Vertex, ScreenPosition)>,
        out: &mut Vec<ScreenVertex>,
    ) {
        dispatch!(Instructions::Best, simd => {
            // Used vertices are scattered over the draw, so this collects them until they fill the lanes.
            let (mut lanes, mut positions) = (ArrayVec::new(), ArrayVec::new());
            for (vertex, position) in vertices {
                lanes.push(vertex);
                positions.push(position);
                if lanes.is_full() {
                    self.append_screen_vertices(simd, &lanes, &positions, out);
                    lanes.clear();
                    positions.clear();
                }
            }
            if !lanes.is_empty() {
                self.append_screen_vertices(simd, &lanes, &positions, out);
            }
        });
    }

    /// Appends up to [`LANES`] screen vertices.
    fn append_screen_vertices<S: Simd>(
        &self,
        simd: S,
        vertices: &ArrayVec<&Vertex, LANES>,
        positions: &ArrayVec<ScreenPosition, LANES>,
        out: &mut Vec<ScreenVertex>,
    ) {
        let model = simd.vectorize(
            #[inline(always)]
            || gathered(vertices),
        );
        let attributes = self.attributes(simd, vertices, &model);
        // Screen vertices hold singles in either arithmetic, so this converts the results while they are in lanes.
        let (mut texture, mut fog) = ([[0.0; LANES]; 3], [0.0; LANES]);
        simd.vectorize(
            #[inline(always)]
            || {
                for (single, component) in texture.iter_mut().zip(&attributes.texture) {
                    *single = lanes::map(component, R::to_f32);
                }
                fog = lanes::map(&attributes.fog, R::to_f32);
            },
        );
        out.extend(positions.iter().enumerate().map(|(lane, position)| ScreenVertex {
            x: position.x,
            y: position.y,
            z: position.z,
            color: attributes.color[lane],
            secondary: attributes.secondary[lane],
            texture: [texture[0][lane], texture[1][lane], texture[2][lane]],
            reciprocal_w: position.reciprocal_w,
            fog: fog[lane],
        }));
    }

    /// Computes attributes for up to [`LANES`] vertices with these positions and normals.
    fn attributes<S: Simd>(
        &self,
        simd: S,
        vertices: &[&Vertex],
        (positions, normals): &ModelVectors<R>,
    ) -> VertexAttributes<R> {
        let fog = match &self.fog {
            Some(fog) => simd.vectorize(
                #[inline(always)]
                || fog.factors(positions),
            ),
            None => [R::ONE; LANES],
        };
        let mut attributes = VertexAttributes { fog, ..VertexAttributes::default() };
        // Lighting replaces these colours, but first uses them for the material if MATERIALUPDATE asks for this.
        for (color, vertex) in attributes.color.iter_mut().zip(vertices) {
            *color = vertex.color;
        }
        if let Some(lighting_setup) = &self.lighting_setup {
            (attributes.color, attributes.secondary) = simd.vectorize(
                #[inline(always)]
                || lighting_setup.colors(positions, normals, &attributes.color),
            );
        }
        attributes.texture = simd.vectorize(
            #[inline(always)]
            || {
                let uv = lanes::gather(vertices, |vertex| vertex.texcoord);
                self.texture.coordinates(positions, normals, &uv)
            },
        );
        attributes
    }

    /// Returns the matrix from model space to clip space.
    #[must_use]
    pub(crate) const fn to_clip(&self) -> &Projective<R> {
        &self.to_clip
    }

    /// Transforms a vertex to clip space.
    #[must_use]
    pub(crate) fn apply(&self, vertex: &Vertex) -> ClipVertex<R> {
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
        let (position, normal) = (convert(vertex.position), convert(vertex.normal));
        let attributes =
            self.attributes(portable(), &[vertex], &(lanes::splat(position), lanes::splat(normal)));
        ClipVertex {
            position: self.to_clip.transform_point(position),
            texture: lanes::extract(&attributes.texture, 0),
            fog: attributes.fog[0],
            color: attributes.color[0],
            secondary: attributes.secondary[0],
        }
    }
}

impl<R: Real> LightingSetup<R> {
    /// Computes primary and secondary colours for vertices with these model positions, normals and own colours.
    #[inline(always)]
    fn colors(
        &self,
        positions: &VectorLanes<R>,
        normals: &VectorLanes<R>,
        own: &[[u8; 4]; LANES],
    ) -> ([[u8; 4]; LANES], [[u8; 3]; LANES]) {
        self.lighting.colors(positions, &self.normals.transform(normals), own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::ge::opcode::Opcode;

    /// Registers with a world matrix that moves by 10 in x, and a view matrix that moves by −5 in z.
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
        Transform::new(&registers(settings), ZeroNormal::default()).apply(&vertex)
    }

    #[test]
    fn applies_world_view_projection_in_order() {
        let vertex = apply(&[]);
        assert_eq!(vertex.position, [11.0, 2.0, -2.0, 1.0], "both translations");
        assert_eq!((vertex.color, vertex.fog), ([1, 2, 3, 4], 1.0), "no lighting and no fog");
    }

    #[test]
    fn fog_uses_view_space_and_lighting_world_space() {
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
        // (511 × 511 × 257) >> 19, as emulators compute it.
        assert_eq!(vertex.color, [127, 127, 127, 0], "the light is at distance 2 in world space");
    }

    #[test]
    fn through_mode_passes_vertices_unchanged() {
        let settings = [(Opcode::VTYPE, 1 << 23), (Opcode::LIGHTINGENABLE, 1), (Opcode::FOGENABLE, 1)];
        let vertex = apply(&settings);
        assert_eq!(vertex.position, [1.0, 2.0, 3.0, 1.0], "no matrix is applied");
        assert_eq!((vertex.color, vertex.fog), ([1, 2, 3, 4], 1.0), "no lighting and no fog");
    }
}
