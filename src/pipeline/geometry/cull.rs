//! Which primitives are left for their winding, and how they are shaded. Source: `ge-reference.md` §7.6, §7.10 (hardware
//! test `commands/cull`).

use crate::ge::arithmetic::Arithmetic;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::transform::{Cull, CullFace, Shade, ShadeMode};
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};

/// The last step before a rasterizer. Clear mode draws flat and culls nothing.
#[derive(Clone, Copy, Debug)]
pub struct Culling {
    shade: ShadeMode,
    culled: Option<CullFace>,
    arithmetic: Arithmetic,
}

impl Culling {
    /// What the registers ask for, for primitives that are filled by the rules of `arithmetic`.
    #[must_use]
    pub fn new(registers: &Registers, arithmetic: Arithmetic) -> Self {
        let clear = registers.get::<ClearMode>().enabled;
        let culls = registers.is_on(Opcode::CULLENABLE) && !clear;
        Self {
            shade: if clear { ShadeMode::FLAT } else { registers.get::<Shade>().mode },
            culled: culls.then(|| registers.get::<Cull>().drop),
            arithmetic,
        }
    }

    /// The same for patches, which are culled only where PATCHCULLENABLE is on, too. Source: assumed; in frames of games
    /// it stays on while CULLENABLE is switched off for surfaces seen from both sides.
    #[must_use]
    pub fn of_patches(registers: &Registers, arithmetic: Arithmetic) -> Self {
        let culling = Self::new(registers, arithmetic);
        Self { culled: culling.culled.filter(|_| registers.is_on(Opcode::PATCHCULLENABLE)), ..culling }
    }

    /// Whether triangles are drawn whichever way they are wound.
    #[must_use]
    pub const fn keeps_all(&self) -> bool {
        self.culled.is_none()
    }

    /// How primitives are shaded.
    #[must_use]
    pub const fn shade(&self) -> ShadeMode {
        self.shade
    }

    /// The primitive of one to three vertices, unless it is culled. `reversed` is set for every second triangle of a
    /// strip, `through` where positions were given in pixels.
    #[must_use]
    pub fn build(
        &self,
        primitive: PrimitiveType,
        vertices: &[ScreenVertex],
        reversed: bool,
        through: bool,
    ) -> Option<ScreenPrimitive> {
        match *vertices {
            [a] => Some(self.build_unculled(Shape::Point([a]), through)),
            [a, b] if primitive == PrimitiveType::RECTANGLES => {
                Some(self.build_unculled(Shape::Rectangle([a, b]), through))
            }
            [a, b] => Some(self.build_unculled(Shape::Line([a, b]), through)),
            [a, b, c] if !self.culls_vertices([&a, &b, &c], reversed) => {
                Some(self.build_unculled(Shape::Triangle([a, b, c]), through))
            }
            _ => None,
        }
    }

    /// A primitive that is not culled.
    #[inline]
    #[must_use]
    pub const fn build_unculled(&self, shape: Shape, through: bool) -> ScreenPrimitive {
        let provoking = match shape {
            Shape::Point(_) => 0,
            Shape::Line(_) | Shape::Rectangle(_) => 1,
            Shape::Triangle(_) => 2,
        };
        ScreenPrimitive { shape, shade: self.shade, provoking, through, arithmetic: self.arithmetic }
    }

    /// Whether a triangle is left out for its winding.
    #[must_use]
    pub fn culls_vertices(&self, corners: [&ScreenVertex; 3], reversed: bool) -> bool {
        self.culls(corners.map(|corner| [corner.x, corner.y]), reversed)
    }

    /// Whether a triangle with corners in these columns and rows is left out.
    #[inline]
    #[must_use]
    pub fn culls(&self, [a, b, c]: [[i32; 2]; 3], reversed: bool) -> bool {
        let Some(culled) = self.culled else { return false };
        let delta = |from: [i32; 2], to: [i32; 2], axis| i64::from(to[axis]) - i64::from(from[axis]);
        let doubled_area = delta(a, b, 0) * delta(a, c, 1) - delta(a, c, 0) * delta(a, b, 1);
        // With y down, a positive area is clockwise.
        let clockwise = (doubled_area > 0) != reversed;
        doubled_area == 0 || clockwise == (culled == CullFace::CLOCKWISE)
    }
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
        culling(settings).build(PrimitiveType::TRIANGLES, &vertices, reversed, false).is_some()
    }

    #[test]
    fn culls_patches_only_with_patchcullenable() {
        for (on, patches) in [(0, true), (1, false)] {
            let mut registers = Registers::new();
            registers.write(Command::new(Opcode::CULLENABLE, 1));
            registers.write(Command::new(Opcode::PATCHCULLENABLE, on));
            let culling = Culling::of_patches(&registers, Arithmetic::Hardware);
            let kept = culling.build(PrimitiveType::TRIANGLES, &clockwise(), false, false);
            assert_eq!(kept.is_some(), patches, "PATCHCULLENABLE {on}");
        }
    }

    #[test]
    fn culls_selected_face() {
        let [a, b, c] = clockwise();
        let (on, other) = ((Opcode::CULLENABLE, 1), (Opcode::CULL, 1));
        assert!(!keeps(&[on], [a, b, c], false), "clockwise");
        assert!(keeps(&[on], [a, c, b], false), "counter-clockwise");
        assert!(keeps(&[on, other], [a, b, c], false), "the other face is dropped");
        assert!(keeps(&[on], [a, b, c], true), "reversed");
        assert!(!keeps(&[on], [a, a, b], false), "without an area");
        assert!(keeps(&[], [a, b, c], false), "off");
        assert!(keeps(&[on, (Opcode::CLEARMODE, 1)], [a, b, c], false), "clear mode");
    }

    #[test]
    fn primitive_type_selects_shape() {
        let culling = culling(&[(Opcode::SHADEMODE, 1)]);
        let [a, b, _] = clockwise();
        let shape = |primitive, vertices: &[ScreenVertex]| {
            culling.build(primitive, vertices, false, true).map(|kept| (kept.shape, kept.provoking))
        };
        assert_eq!(shape(PrimitiveType::POINTS, &[a]), Some((Shape::Point([a]), 0)), "point");
        assert_eq!(shape(PrimitiveType::LINES, &[a, b]), Some((Shape::Line([a, b]), 1)), "line");
        let rectangle = shape(PrimitiveType::RECTANGLES, &[a, b]);
        assert_eq!(rectangle, Some((Shape::Rectangle([a, b]), 1)), "rectangle");
        assert_eq!(shape(PrimitiveType::POINTS, &[]), None, "nothing");
    }
}
