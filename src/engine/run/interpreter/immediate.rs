//! Immediate vertices come from registers: VAP emits the vertex in VSCX to VSCV.
//!
//! # Invariants
//! A primitive reaches the sink with the vertex that completes it. Leftover vertices wait for the next VAP, because
//! PRIM neither continues nor ends an immediate primitive (assumed).
//!
//! Source: [immediate vertices](crate::reference::ge::lists#immediate-vertices) (hardware tests
//! `primitives/immediate`, `commands/fog`). Ignoring q in through mode is assumed.

use std::mem;

use arrayvec::ArrayVec;

use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::surface::{ImmediateCoordinate, ImmediateVertex};
use crate::ge::registers::texture::TextureSize;
use crate::ge::registers::transform::{Cull, ScreenOffset, Shade, Switch};
use crate::ge::registers::vertex::{PrimitiveType, VertexType};
use crate::pipeline::geometry::assemble::{assemble, carried_vertices};
use crate::pipeline::primitive::ScreenVertex;

/// Up to three vertices.
type Vertices = ArrayVec<ScreenVertex, 3>;

/// Assembles primitives from immediate vertices.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct ImmediateAssembler {
    /// The VAP that started this primitive. Its switches apply to the whole primitive.
    pub first: ImmediateVertex,
    /// Up to two vertices for the next primitive to continue with.
    pub leftover: Vertices,
    /// Whether the next triangle of a strip has the opposite winding.
    pub reversed: bool,
}

impl ImmediateAssembler {
    /// Adds the registers' vertex. If this completes a primitive, returns its vertices and whether its winding is
    /// reversed.
    pub(super) fn push(&mut self, registers: &Registers) -> Option<(Vertices, bool)> {
        let vap: ImmediateVertex = registers.get();
        if vap.primitive != PrimitiveType::CONTINUE {
            *self = Self { first: vap, ..Self::default() };
        }
        let primitive = self.first.primitive;
        let mut vertices = mem::take(&mut self.leftover);
        vertices.truncate(2);
        vertices.push(vertex(registers, vap));
        let count = u32::try_from(vertices.len()).or_never("at most three vertices are kept");
        let completed = assemble(primitive, count, self.reversed).next();
        let (leftover, reversed) = carried_vertices(primitive, count, self.reversed);
        (self.leftover, self.reversed) = (pick(&leftover, &vertices), reversed);
        completed.map(|completed| (pick(&completed.vertices, &vertices), completed.reversed))
    }
}

/// Selects the vertices with these numbers.
fn pick(numbers: &[u32], vertices: &[ScreenVertex]) -> Vertices {
    numbers.iter().take(3).filter_map(|&number| vertices.get(number as usize).copied()).collect()
}

fn vertex(registers: &Registers, vap: ImmediateVertex) -> ScreenVertex {
    let through = registers.get::<VertexType>().through;
    let coordinate = |opcode| registers.view::<ImmediateCoordinate>(opcode).value;
    let position = |opcode, offset| {
        let origin = if through { 0x8000 } else { registers.view::<ScreenOffset>(offset).offset };
        i32::from(coordinate(opcode)).wrapping_sub(i32::from(origin))
    };
    let [s, t, q] = [Opcode::VTCS, Opcode::VTCT, Opcode::VTCQ].map(|opcode| registers.float(opcode));
    let [red, green, blue] = registers.rgb(Opcode::VCV);
    ScreenVertex {
        x: position(Opcode::VSCX, Opcode::OFFSETX),
        y: position(Opcode::VSCY, Opcode::OFFSETY),
        z: coordinate(Opcode::VSCZ),
        color: [red, green, blue, vap.alpha],
        secondary: registers.rgb(Opcode::VSCV),
        texture: if through {
            // The registers hold fractions of the texture size, but through mode needs texels.
            let size: TextureSize = registers.view(Opcode::TEXSIZE0);
            let texels = |log2: u8| f32::from(1_u16 << (log2 & 15));
            [s * texels(size.width_log2), t * texels(size.height_log2), 1.0]
        } else {
            [s, t, q]
        },
        reciprocal_w: 1.0,
        // The rasterizer converts this factor back to exactly the byte in VFC.
        fog: f32::from(registers.argument(Opcode::VFC).to_le_bytes()[0]) / 256.0,
    }
}

/// Copies the registers and applies the switches that this VAP overrides.
pub(super) fn with_switches(registers: &Registers, first: ImmediateVertex) -> Registers {
    let mut registers = registers.clone();
    let switch = |enabled, opcode| Switch { enabled }.to(opcode);
    for command in [
        switch(first.cull, Opcode::CULLENABLE),
        switch(first.texture, Opcode::TEXENABLE),
        switch(first.fog, Opcode::FOGENABLE),
        switch(first.dither, Opcode::DITHERENABLE),
        switch(first.antialias, Opcode::ANTIALIASENABLE),
        Shade { mode: first.shade }.to(Opcode::SHADEMODE),
        Cull { drop: first.cull_face }.to(Opcode::CULL),
    ] {
        registers.write(command);
    }
    registers
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::registers::transform::{CullFace, ShadeMode};

    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        Registers::with(settings.iter().copied())
    }

    /// Assembles vertices at columns 0, 1, 2 … and returns the primitives' columns and winding.
    fn primitives(primitive: PrimitiveType, count: u32) -> Vec<(Vec<i32>, bool)> {
        let mut immediate = ImmediateAssembler::default();
        let mut completed = Vec::new();
        for number in 0..count {
            let primitive_type = if number == 0 { primitive } else { PrimitiveType::CONTINUE };
            let vap = ImmediateVertex { primitive: primitive_type, ..ImmediateVertex::default() };
            let mut registers = registers(&[(Opcode::VSCX, number)]);
            registers.write(vap.to(Opcode::VAP));
            let primitive = immediate.push(&registers);
            completed.extend(
                primitive.map(|(vertices, reversed)| (vertices.iter().map(|v| v.x).collect(), reversed)),
            );
        }
        completed
    }

    #[test]
    fn completes_primitives_of_each_type() {
        let strip = [(vec![0, 1, 2], false), (vec![1, 2, 3], true), (vec![2, 3, 4], false)];
        assert_eq!(primitives(PrimitiveType::TRIANGLE_STRIP, 5), strip, "strip");
        let fan = [(vec![0, 1, 2], false), (vec![0, 2, 3], false)];
        assert_eq!(primitives(PrimitiveType::TRIANGLE_FAN, 4), fan, "fan");
        let triangles = [(vec![0, 1, 2], false), (vec![3, 4, 5], false)];
        assert_eq!(primitives(PrimitiveType::TRIANGLES, 8), triangles, "triangles");
        assert_eq!(primitives(PrimitiveType::RECTANGLES, 3), [(vec![0, 1], false)], "rectangles");
        assert_eq!(primitives(PrimitiveType::LINE_STRIP, 3).len(), 2, "line strip");
        assert_eq!(primitives(PrimitiveType::POINTS, 3).len(), 3, "points");
    }

    #[test]
    fn new_primitive_discards_leftover_vertices() {
        let mut immediate = ImmediateAssembler::default();
        for (primitive, completes) in [(3, false), (7, false), (1, false), (7, true), (7, false)] {
            let registers = registers(&[(Opcode::VAP, primitive << 8)]);
            assert_eq!(immediate.push(&registers).is_some(), completes, "primitive {primitive}");
        }
    }

    #[test]
    fn computes_screen_positions() {
        let settings = [
            (Opcode::VSCX, 0x8123),
            (Opcode::VSCY, 0xFF_7FFF),
            (Opcode::VSCZ, 0x1234),
            (Opcode::OFFSETX, 0x7000),
            (Opcode::VTCS, 0x3F_0000),
            (Opcode::TEXSIZE0, 0x304),
            (Opcode::VFC, 127),
        ];
        let mut registers = registers(&settings);
        let transformed = vertex(&registers, ImmediateVertex::default());
        let at = (transformed.x, transformed.y, transformed.z);
        assert_eq!(at, (0x1123, 0x7FFF, 0x1234), "relative to the screen offset, 16 bits of each register");
        assert_eq!(transformed.texture, [0.5, 0.0, 0.0], "fractions");
        assert_eq!(transformed.fog, 127.0 / 256.0, "fog");
        registers.write(VertexType { through: true, ..VertexType::default() }.to(Opcode::VTYPE));
        let through = vertex(&registers, ImmediateVertex::default());
        assert_eq!((through.x, through.y), (0x123, -1), "relative to 0x8000");
        assert_eq!(through.texture, [8.0, 0.0, 1.0], "texels");
    }

    #[test]
    fn vap_switches_replace_registers() {
        let before = registers(&[(Opcode::FOGENABLE, 1), (Opcode::CULLENABLE, 1), (Opcode::BLENDENABLE, 1)]);
        let first = ImmediateVertex {
            shade: ShadeMode::GOURAUD,
            cull_face: CullFace::COUNTERCLOCKWISE,
            texture: true,
            ..ImmediateVertex::default()
        };
        let after = with_switches(&before, first);
        for (opcode, expected) in [
            (Opcode::FOGENABLE, 0),
            (Opcode::CULLENABLE, 0),
            (Opcode::TEXENABLE, 1),
            (Opcode::SHADEMODE, 1),
            (Opcode::CULL, 1),
            (Opcode::BLENDENABLE, 1),
        ] {
            assert_eq!(after.argument(opcode), expected, "{opcode}");
        }
    }
}
