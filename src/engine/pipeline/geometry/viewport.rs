//! Takes vertices from clip space to the raster grid.
//! Source: [viewport](crate::reference::ge::transform#viewport),
//! [raster grid](crate::reference::ge::transform#raster-grid),
//! [screen range](crate::reference::ge::clipping#screen-range).

use super::clip_vertex::ClipVertex;
use super::lanes::{self, LANES, Lanes};
use super::outcode::Outcode;
use super::screen_position::ScreenPositionLanes;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::ScreenOffset;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::primitive::ScreenVertex;

/// The screen space's width and height in 1/16 pixel. A vertex outside drops its primitive.
const SCREEN_SIZE: i32 = 4096 * 16;

/// A draw's viewport.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewport<R> {
    through: bool,
    scale: [R; 3],
    center: [R; 3],
    /// OFFSETX, OFFSETY in 1/16 pixel.
    offset: [i32; 2],
    /// DEPTHCLAMPENABLE.
    depth_clamp: bool,
}

/// A vertex after projection, with the results of its range tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projected {
    /// The vertex on the raster grid.
    pub vertex: ScreenVertex,
    /// Whether this is outside the 4096×4096 screen space.
    pub outside_screen: bool,
    /// The outcode. This is empty in through mode, because no test applies there.
    pub outcode: Outcode,
}

impl<R: Real> Viewport<R> {
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Self {
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

    /// Whether positions are already in pixels.
    #[must_use]
    pub(crate) const fn is_through(&self) -> bool {
        self.through
    }

    /// Returns DEPTHCLAMPENABLE, which makes the near plane clip and clamps depth.
    #[must_use]
    pub(crate) const fn clamps_depth(&self) -> bool {
        self.depth_clamp
    }

    /// Projects a vertex to the raster grid and tests its range.
    #[must_use]
    pub(crate) fn project(&self, vertex: &ClipVertex<R>) -> Projected {
        if self.through {
            return self.project_through(vertex);
        }
        let [x, y, z, w] = vertex.position;
        let reciprocal_w = w.reciprocal();
        let screen: [R; 3] = {
            let ndc = [x * reciprocal_w, y * reciprocal_w, z * reciprocal_w];
            [0, 1, 2].map(|axis| self.scale[axis] * ndc[axis] + self.center[axis])
        };
        // This range test uses the position before the screen offset is subtracted.
        let [column, row] = [screen[0].to_grid(), screen[1].to_grid()];
        let inside = |at: i32| (0..SCREEN_SIZE).contains(&at);
        let is_nan = screen[0].is_nan() || screen[1].is_nan();
        let depth = screen[2].to_f32();
        let outside_screen = is_nan || !inside(column) || !inside(row);
        Projected {
            vertex: ScreenVertex {
                x: screen[0].to_grid_from(self.offset[0]),
                y: screen[1].to_grid_from(self.offset[1]),
                z: depth_to_u16(depth),
                color: vertex.color,
                secondary: vertex.secondary,
                texture: vertex.texture.map(R::to_f32),
                reciprocal_w: reciprocal_w.to_f32(),
                fog: vertex.fog.to_f32(),
            },
            outside_screen,
            outcode: Outcode::new(vertex.position, depth, outside_screen),
        }
    }

    /// Projects several positions, with the same results as [`Self::project`]. Not for through mode.
    #[inline(always)]
    #[must_use]
    pub(crate) fn screen_positions(&self, clip: &[Lanes<R>; 4]) -> ScreenPositionLanes {
        // Each step is a separate loop over all lanes, to compile to vector instructions.
        let mut screen = [[R::ZERO; LANES]; 3];
        let mut reciprocal_w = [R::ZERO; LANES];
        for lane in 0..LANES {
            reciprocal_w[lane] = clip[3][lane].reciprocal();
        }
        for (axis, screen) in screen.iter_mut().enumerate() {
            for lane in 0..LANES {
                let ndc = clip[axis][lane] * reciprocal_w[lane];
                screen[lane] = self.scale[axis] * ndc + self.center[axis];
            }
        }
        let [columns, rows, depths] = &screen;
        let mut outcodes = [Outcode::empty(); LANES];
        for lane in 0..LANES {
            let outside =
                !(columns[lane].grid_is_within(SCREEN_SIZE) & rows[lane].grid_is_within(SCREEN_SIZE));
            let [x, y, z, w] = clip;
            let position = [x[lane], y[lane], z[lane], w[lane]];
            outcodes[lane] = Outcode::new(position, depths[lane].to_f32(), outside);
        }
        let (mut x, mut y, mut z) = ([0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            x[lane] = columns[lane].to_near_grid_from(self.offset[0]);
            y[lane] = rows[lane].to_near_grid_from(self.offset[1]);
            z[lane] = depth_bits(depths[lane].to_f32());
        }
        let reciprocal_w = lanes::map(&reciprocal_w, R::to_f32);
        ScreenPositionLanes { x, y, z, reciprocal_w, outcodes }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn project_through(&self, vertex: &ClipVertex<R>) -> Projected {
        let [x, y, z, _] = vertex.position.map(R::to_f32);
        // Both conversions truncate towards zero.
        let grid = |pixels: f32| match R::ARITHMETIC {
            Arithmetic::Hardware => i32::from((pixels * 16.0) as i16),
            Arithmetic::Single => ((pixels * 16.0) as i32).clamp(-MAX_THROUGH, MAX_THROUGH),
        };
        Projected {
            vertex: ScreenVertex {
                x: grid(x),
                y: grid(y),
                z: depth_to_u16(z),
                color: vertex.color,
                secondary: [0; 3],
                texture: vertex.texture.map(R::to_f32),
                reciprocal_w: 1.0,
                fog: 1.0,
            },
            outside_screen: false,
            outcode: Outcode::empty(),
        }
    }
}

/// The limit for through-mode coordinates in single arithmetic, in ± 1/16 pixels. This is far outside any
/// framebuffer, and small enough for 64-bit edge functions. It belongs to the emulation; the hardware's limit is 16
/// bits.
const MAX_THROUGH: i32 = 1 << 24;

/// Truncates depth to 16 bits. A number out of range gives the nearer end, NaN gives 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn depth_to_u16(depth: f32) -> u16 {
    depth as u16
}

/// Returns [`depth_to_u16`] in the low half and anything in the high half. This has no branches, so that loops
/// compile to vector instructions.
#[inline(always)]
fn depth_bits(depth: f32) -> u32 {
    /// Adding this to a smaller number rounds it to the nearest integer, which the low bits then hold.
    const ROUND_TO_INTEGER: f32 = 8_388_608.0;
    let depth = if depth > 0.0 { depth } else { 0.0 };
    let depth = if depth < 65535.0 { depth } else { 65535.0 };
    let nearest = depth + ROUND_TO_INTEGER;
    // Rounding may have gone up, but depth is truncated, so this takes 1 off again.
    nearest.to_bits().wrapping_sub(u32::from(nearest - ROUND_TO_INTEGER > depth))
}

#[cfg(test)]
mod tests {
    use super::super::screen_position::ScreenPositions;
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    fn through<R: Real>(position: [f32; 2]) -> (i32, i32) {
        let viewport = Viewport::<R>::new(&Registers::with([(Opcode::VTYPE, 1 << 23)]));
        let [x, y] = position.map(R::from_f32);
        let vertex = ClipVertex { position: [x, y, R::ZERO, R::ONE], ..ClipVertex::default() };
        let Projected { vertex, .. } = viewport.project(&vertex);
        (vertex.x, vertex.y)
    }

    /// [Through mode](crate::reference::ge::transform#through-mode).
    #[test]
    fn through_mode_positions_have_16_bits() {
        assert_eq!(through::<Hf16>([1.99, -1.99]), (31, -31), "hardware");
        assert_eq!(through::<Hf16>([5000.0, -5000.0]), (32767, -32768), "16 bits");
        assert_eq!(through::<Hf16>([f32::NAN, f32::NEG_INFINITY]), (0, -32768), "limits");
        assert_eq!(through::<f32>([1.99, -1.99]), (31, -31), "emulators");
        assert_eq!(
            through::<f32>([5000.0, f32::NEG_INFINITY]),
            (80_000, -MAX_THROUGH),
            "emulators have no such limit"
        );
    }

    /// Compares a vertex alone with the same vertex in a lane.
    fn lanes_match<R: Real>() {
        let mut registers = Registers::with([(Opcode::OFFSETX, 0x7000), (Opcode::OFFSETY, 0x7100)]);
        for (axis, [scale, center]) in (0..).zip([[300.0, 2048.0], [-200.0, 2048.0], [30000.0, 32767.5]]) {
            for (opcode, value) in [(Opcode::VIEWPORTXSCALE, scale), (Opcode::VIEWPORTXCENTER, center)] {
                registers.write(Command::new(opcode.plus(axis), Float24::from_f32(value).to_bits()));
            }
        }
        let viewport = Viewport::<R>::new(&registers);
        for step in -40_i16..40 {
            let at = f32::from(step) / 7.0;
            for w in [-2.0, 0.0, 0.3, 1.0, 3.0, f32::NAN] {
                let position = [at, -at * 0.7, at * 0.4, w].map(R::from_f32);
                let alone = viewport.project(&ClipVertex { position, ..ClipVertex::default() });
                let lanes = viewport.screen_positions(&position.map(|number| [number; LANES]));
                let mut positions = ScreenPositions::default();
                positions.set(LANES, std::iter::once(lanes));
                let lane = positions.get(3).expect("one of all lanes");
                assert_eq!(positions.outcode(3), alone.outcode, "{position:?}");
                if !alone.outside_screen {
                    let vertex = alone.vertex;
                    assert_eq!((lane.x, lane.y, lane.z), (vertex.x, vertex.y, vertex.z), "{position:?}");
                    assert_eq!(lane.reciprocal_w, vertex.reciprocal_w, "{position:?}");
                }
            }
        }
    }

    #[test]
    fn lanes_match_single_vertices() {
        lanes_match::<Hf16>();
        lanes_match::<f32>();
    }
}
