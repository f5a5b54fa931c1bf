//! Clip space to the raster grid. Source: `ge-reference.md` §5.1, §5.2, §5.4.

use super::ClipVertex;
use crate::arithmetic::Real;
use crate::opcode::Opcode;
use crate::primitive::ScreenVertex;
use crate::registers::Registers;
use crate::registers::transform::ScreenOffset;
use crate::registers::vertex::VertexType;

/// Width and height of the screen space that vertices must lie in, in 1/16 pixel.
const SCREEN: i32 = 4096 * 16;

/// One more than one, in the last of 16 significant bits: how far z/w may exceed 1.
/// Source: `ge-reference.md` §5.4, assumed.
const SIDE_SLACK: f32 = 1.0 + 1.0 / 32768.0;

/// The viewport of a draw.
#[derive(Clone, Copy, Debug)]
pub struct Viewport<R> {
    through: bool,
    scale: [R; 3],
    center: [R; 3],
    /// OFFSETX, OFFSETY in 1/16 pixel.
    offset: [i32; 2],
    /// DEPTHCLAMPENABLE.
    depth_clamp: bool,
}

/// A projected vertex, and whether it may be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// The vertex on the raster grid.
    pub vertex: ScreenVertex,
    /// Outside the 4096×4096 screen space.
    pub outside_screen: bool,
    /// Depth outside 16 bits, or z beyond w, before clamping.
    pub outside_depth: bool,
}

impl<R: Real> Viewport<R> {
    /// The viewport that the registers describe.
    #[must_use]
    pub fn new(registers: &Registers) -> Self {
        let float = |opcode: Opcode, axis| R::from_f32(registers.float(opcode.plus(axis)));
        let offset = |opcode| i32::from(registers.view::<ScreenOffset>(opcode).offset);
        Self {
            through: registers.get::<VertexType>().through,
            scale: [0, 1, 2].map(|axis| float(Opcode::VIEWPORTXSCALE, axis)),
            center: [0, 1, 2].map(|axis| float(Opcode::VIEWPORTXCENTER, axis)),
            offset: [offset(Opcode::OFFSETX), offset(Opcode::OFFSETY)],
            depth_clamp: registers.is_on(Opcode::DEPTHCLAMPENABLE),
        }
    }

    /// Whether positions are pixels already.
    #[must_use]
    pub const fn is_through(&self) -> bool {
        self.through
    }

    /// Whether the near plane clips and depth is clamped.
    #[must_use]
    pub const fn clamps_depth(&self) -> bool {
        self.depth_clamp
    }

    /// Projects a vertex.
    #[must_use]
    pub fn project(&self, vertex: &ClipVertex<R>) -> Projected {
        if self.through {
            return self.pass_through(vertex);
        }
        let [x, y, z, w] = vertex.position;
        let reciprocal_w = w.reciprocal();
        let screen: [R; 3] = {
            let ndc = [x * reciprocal_w, y * reciprocal_w, z * reciprocal_w];
            [0, 1, 2].map(|axis| self.scale[axis] * ndc[axis] + self.center[axis])
        };
        let [column, row] = [screen[0].to_grid(), screen[1].to_grid()];
        let inside = |at: i32| (0..SCREEN).contains(&at);
        let nowhere = screen[0].is_nan() || screen[1].is_nan();
        let depth = screen[2].to_f32();
        let side = (z * reciprocal_w).to_f32();
        Projected {
            vertex: ScreenVertex {
                x: screen[0].to_grid_from(self.offset[0]),
                y: screen[1].to_grid_from(self.offset[1]),
                z: clamp_depth(depth),
                color: vertex.color,
                secondary: vertex.secondary,
                texture: vertex.texture.map(R::to_f32),
                reciprocal_w: reciprocal_w.to_f32(),
                fog: vertex.fog.to_f32(),
            },
            outside_screen: nowhere || !inside(column) || !inside(row),
            outside_depth: !(0.0..65536.0).contains(&depth) || side.abs() > SIDE_SLACK,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn pass_through(&self, vertex: &ClipVertex<R>) -> Projected {
        let [x, y, z, _] = vertex.position.map(R::to_f32);
        // Towards zero, unlike transformed positions.
        let grid = |pixels: f32| ((pixels * 16.0) as i32).clamp(-PIXELS_END, PIXELS_END);
        Projected {
            vertex: ScreenVertex {
                x: grid(x),
                y: grid(y),
                z: clamp_depth(z),
                color: vertex.color,
                secondary: [0; 3],
                texture: vertex.texture.map(R::to_f32),
                reciprocal_w: 1.0,
                fog: 1.0,
            },
            outside_screen: false,
            outside_depth: false,
        }
    }
}

/// Through-mode coordinates saturate here, in 1/16 pixel: far outside any framebuffer, and small enough that edge
/// functions fit 64 bits. An emulation limit.
const PIXELS_END: i32 = 1 << 24;

/// Depth as 16 bits, towards zero, clamped; NaN gives 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn clamp_depth(depth: f32) -> u16 {
    depth as u16
}
