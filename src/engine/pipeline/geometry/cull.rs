//! Face culling, shading mode and the provoking vertex.
//! Source: [face culling](crate::reference::ge::coverage#face-culling) (hardware test `commands/cull`),
//! [provoking vertex](crate::reference::ge::clipping#provoking-vertex).

use crate::ge::arithmetic::Arithmetic;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::transform::{Cull, CullFace, Shade, ShadeMode};
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};

/// The last geometry stage, which culls triangles and builds screen primitives. In clear mode this shades flat and
/// culls nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Culling {
    shade: ShadeMode,
    culled: Option<CullFace>,
    arithmetic: Arithmetic,
}

impl Culling {
    /// Creates the stage for these registers. The rasterizer later fills its primitives by the rules of
    /// `arithmetic`.
    #[must_use]
    pub(crate) fn new(registers: &Registers, arithmetic: Arithmetic) -> Self {
        let clear = registers.get::<ClearMode>().enabled;
        let culls = registers.is_on(Opcode::CULLENABLE) && !clear;
        Self {
            shade: if clear { ShadeMode::FLAT } else { registers.get::<Shade>().mode },
            culled: culls.then(|| registers.get::<Cull>().drop),
            arithmetic,
        }
    }

    /// Creates the stage for patches, which are culled only if PATCHCULLENABLE is 1 as well. This is assumed,
    /// because games leave it on while they switch CULLENABLE off to draw two-sided surfaces.
    /// Source: [output primitives](crate::reference::ge::curves#output-primitives).
    #[must_use]
    pub(crate) fn of_patches(registers: &Registers, arithmetic: Arithmetic) -> Self {
        let culling = Self::new(registers, arithmetic);
        Self { culled: culling.culled.filter(|_| registers.is_on(Opcode::PATCHCULLENABLE)), ..culling }
    }

    /// Whether culling is off.
    #[must_use]
    pub(crate) const fn keeps_all(&self) -> bool {
        self.culled.is_none()
    }

    #[must_use]
    pub(crate) const fn shade(&self) -> ShadeMode {
        self.shade
    }

    /// Builds a primitive from one to three vertices. Set `reversed` for every second triangle in a strip, and
    /// `through` in through mode.
    ///
    /// # Errors
    /// Returns the reason if the primitive is culled. Any other number of vertices has no area.
    pub(crate) fn build(
        &self,
        primitive: PrimitiveType,
        vertices: &[ScreenVertex],
        reversed: bool,
        through: bool,
    ) -> Result<ScreenPrimitive, CullReason> {
        match *vertices {
            [a] => Ok(self.build_unculled(Shape::Point([a]), through)),
            [a, b] if primitive == PrimitiveType::RECTANGLES => {
                Ok(self.build_unculled(Shape::Rectangle([a, b]), through))
            }
            [a, b] => Ok(self.build_unculled(Shape::Line([a, b]), through)),
            [a, b, c] => {
                let corners = [&a, &b, &c].map(|corner| [corner.x, corner.y]);
                match self.cull_reason(corners, reversed) {
                    Some(reason) => Err(reason),
                    None => Ok(self.build_unculled(Shape::Triangle([a, b, c]), through)),
                }
            }
            _ => Err(CullReason::NoArea),
        }
    }

    /// Builds a primitive without testing it for culling.
    #[inline]
    #[must_use]
    pub(crate) const fn build_unculled(&self, shape: Shape, through: bool) -> ScreenPrimitive {
        let provoking = match shape {
            Shape::Point(_) => 0,
            Shape::Line(_) | Shape::Rectangle(_) => 1,
            Shape::Triangle(_) => 2,
        };
        ScreenPrimitive { shape, shade: self.shade, provoking, through, arithmetic: self.arithmetic }
    }

    /// Whether a triangle is culled. Corners are columns and rows.
    #[inline]
    #[must_use]
    pub(crate) fn culls(&self, corners: [[i32; 2]; 3], reversed: bool) -> bool {
        self.cull_reason(corners, reversed).is_some()
    }

    /// Returns why a triangle is culled, or `None`. Corners are columns and rows.
    #[inline]
    fn cull_reason(&self, [a, b, c]: [[i32; 2]; 3], reversed: bool) -> Option<CullReason> {
        let culled = self.culled?;
        let delta = |from: [i32; 2], to: [i32; 2], axis| i64::from(to[axis]) - i64::from(from[axis]);
        let doubled_area = delta(a, b, 0) * delta(a, c, 1) - delta(a, c, 0) * delta(a, b, 1);
        // Since y points down, a positive area is clockwise.
        let clockwise = (doubled_area > 0) != reversed;
        if doubled_area == 0 {
            return Some(CullReason::NoArea);
        }
        let face = if clockwise { CullReason::Clockwise } else { CullReason::CounterClockwise };
        (clockwise == (culled == CullFace::CLOCKWISE)).then_some(face)
    }

    /// Works as [`Self::culls`] does, but without branches, for corners less than 2^31 apart.
    #[inline(always)]
    #[must_use]
    pub(crate) fn culls_near(&self, [a, b, c]: [[i32; 2]; 3], reversed: bool) -> bool {
        // Vector instructions multiply 32-bit numbers at once, but need many steps for 64-bit numbers.
        let product = |a: i32, b: i32| i64::from(a) * i64::from(b);
        let [ab_x, ab_y] = [b[0].wrapping_sub(a[0]), b[1].wrapping_sub(a[1])];
        let [ac_x, ac_y] = [c[0].wrapping_sub(a[0]), c[1].wrapping_sub(a[1])];
        let doubled_area = product(ab_x, ac_y).wrapping_sub(product(ac_x, ab_y));
        let clockwise = (doubled_area > 0) != reversed;
        let culls_clockwise = self.culled == Some(CullFace::CLOCKWISE);
        self.culled.is_some() & ((doubled_area == 0) | (clockwise == culls_clockwise))
    }
}

/// Why a triangle is culled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CullReason {
    /// It has no area, so culling drops it whichever face is selected.
    NoArea,
    /// Its vertices run clockwise on the screen, after reversing every second triangle of a strip.
    Clockwise,
    /// Its vertices run counter-clockwise on the screen.
    CounterClockwise,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;

    fn culling(settings: &[(Opcode, u32)]) -> Culling {
        let mut registers = Registers::new();
        for &(opcode, argument) in settings {
            registers.write(Command::new(opcode, argument));
        }
        Culling::new(&registers, Arithmetic::Hardware)
    }

    /// Right, down, and back: clockwise with y down.
    fn clockwise() -> [ScreenVertex; 3] {
        [(0, 0), (16, 0), (0, 16)].map(|(x, y)| ScreenVertex { x, y, ..ScreenVertex::default() })
    }

    fn keeps(settings: &[(Opcode, u32)], vertices: [ScreenVertex; 3], reversed: bool) -> bool {
        culling(settings).build(PrimitiveType::TRIANGLES, &vertices, reversed, false).is_ok()
    }

    #[test]
    fn culls_patches_only_with_patchcullenable() {
        for (on, patches) in [(0, true), (1, false)] {
            let mut registers = Registers::new();
            registers.write(Command::new(Opcode::CULLENABLE, 1));
            registers.write(Command::new(Opcode::PATCHCULLENABLE, on));
            let culling = Culling::of_patches(&registers, Arithmetic::Hardware);
            let built = culling.build(PrimitiveType::TRIANGLES, &clockwise(), false, false);
            assert_eq!(built.is_ok(), patches, "PATCHCULLENABLE {on}");
        }
    }

    #[test]
    fn culls_selected_face() {
        let [a, b, c] = clockwise();
        let (on, other) = ((Opcode::CULLENABLE, 1), (Opcode::CULL, 1));
        assert!(!keeps(&[on], [a, b, c], false), "clockwise");
        assert!(keeps(&[on], [a, c, b], false), "counter-clockwise");
        assert!(keeps(&[on, other], [a, b, c], false), "the other face is culled");
        assert!(keeps(&[on], [a, b, c], true), "reversed");
        assert!(!keeps(&[on], [a, a, b], false), "zero area");
        assert!(keeps(&[], [a, b, c], false), "off");
        assert!(keeps(&[on, (Opcode::CLEARMODE, 1)], [a, b, c], false), "clear mode");
    }

    #[test]
    fn primitive_type_selects_shape() {
        let culling = culling(&[(Opcode::SHADEMODE, 1)]);
        let [a, b, _] = clockwise();
        let shape = |primitive, vertices: &[ScreenVertex]| {
            culling.build(primitive, vertices, false, true).ok().map(|built| (built.shape, built.provoking))
        };
        assert_eq!(shape(PrimitiveType::POINTS, &[a]), Some((Shape::Point([a]), 0)), "point");
        assert_eq!(shape(PrimitiveType::LINES, &[a, b]), Some((Shape::Line([a, b]), 1)), "line");
        let rectangle = shape(PrimitiveType::RECTANGLES, &[a, b]);
        assert_eq!(rectangle, Some((Shape::Rectangle([a, b]), 1)), "rectangle");
        assert_eq!(shape(PrimitiveType::POINTS, &[]), None, "no vertices");
    }
}
