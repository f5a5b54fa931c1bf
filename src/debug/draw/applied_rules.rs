//! Some of the hardware's rules apply to few draws. This describes those that a draw meets, because they often
//! explain a surprising picture.

use std::fmt;

use super::report::DrawReport;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::PatchDivision;
use crate::ge::registers::vertex::{ColorFormat, VertexType};
use crate::pipeline::draw::Draw;
use crate::raster::coverage::{TALL_TRIANGLES, is_tall};

/// With fewer divisions than this, a patch's parameter is an exact fraction, floored.
const INEXACT_DIVISIONS: u8 = 21;
/// The positions that through vertices can have, in pixels.
const THROUGH: std::ops::RangeInclusive<f32> = -2048.0..=2047.9375;

/// A rule that a draw meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppliedRule {
    /// Triangles with at least 2731 pixels.
    TallTriangles {
        /// How many triangles are as tall.
        count: usize,
    },
    /// Steps in a patch that a 14-bit reciprocal moves.
    PatchParameter {
        /// How many divisions there are along u and v.
        divisions: [u8; 2],
    },
    /// Colours with morph weights below 0.
    MorphedColors,
    /// Positions in through mode that need more than 12 bits.
    ThroughClamp {
        /// How many vertices are affected.
        count: usize,
    },
}

impl fmt::Display for AppliedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TallTriangles { count } => write!(f, "tall triangles ({count}): {TALL_TRIANGLES}"),
            Self::PatchParameter { divisions: [u, v] } => write!(
                f,
                "patch of {u} by {v} divisions: the parameter is a multiple of 1/256, by a reciprocal of 14 bits and \
                 mirrored at the middle, so some steps are a little early"
            ),
            Self::MorphedColors => {
                f.write_str("morphed colours: a negative sum becomes its magnitude, at most 255")
            }
            Self::ThroughClamp { count } => {
                write!(f, "through positions ({count}): x and y are clamped to -2048 to 2047.9375 pixels")
            }
        }
    }
}

/// Lists the rules that a draw meets. `registers` belong to this draw, and `is_patch` tells whether it is a patch.
#[doc(hidden)]
#[must_use]
pub fn applied_rules(report: &DrawReport, registers: &Registers, is_patch: bool) -> Vec<AppliedRule> {
    if report.arithmetic != Arithmetic::Hardware {
        return Vec::new();
    }
    let mut rules = Vec::new();
    let drawn = report.primitives.iter().flat_map(|primitive| primitive.record.drawn());
    let tall = drawn.filter(|primitive| is_tall(primitive)).count();
    if tall > 0 {
        rules.push(AppliedRule::TallTriangles { count: tall });
    }
    rules.extend(of_registers(registers, is_patch));
    if registers.get::<VertexType>().through {
        rules.extend(through_clamp(report.source.iter().map(|vertex| vertex.model.position)));
    }
    rules
}

/// Lists the rules that a draw's vertices meet, before they become primitives. Memory must still hold them.
#[must_use]
pub(crate) fn vertex_rules(draw: &Draw<'_>, memory: &Memory) -> Vec<AppliedRule> {
    let mut rules: Vec<_> = of_registers(draw.registers, draw.patch.is_some()).collect();
    if draw.registers.get::<VertexType>().through {
        rules.extend(through_clamp(draw.raw_vertices(memory).map(|vertex| vertex.position)));
    }
    rules
}

/// Lists the rules that depend only on a draw's registers.
fn of_registers(registers: &Registers, is_patch: bool) -> impl Iterator<Item = AppliedRule> {
    let PatchDivision { u, v } = registers.get();
    let is_inexact = is_patch && u.max(v) >= INEXACT_DIVISIONS;
    let vertex_type: VertexType = registers.get();
    let has_negative_color = vertex_type.morph_frames() > 1
        && vertex_type.color != ColorFormat::NONE
        && (0..8).any(|frame| registers.float(Opcode::MORPHWEIGHT0.plus(frame)) < 0.0);
    [
        is_inexact.then_some(AppliedRule::PatchParameter { divisions: [u, v] }),
        has_negative_color.then_some(AppliedRule::MorphedColors),
    ]
    .into_iter()
    .flatten()
}

/// Returns the rule for positions in through mode that leave their range.
fn through_clamp(positions: impl Iterator<Item = [f32; 3]>) -> Option<AppliedRule> {
    let is_clamped = |[x, y, _]: &[f32; 3]| !THROUGH.contains(x) || !THROUGH.contains(y);
    let count = positions.filter(is_clamped).count();
    (count > 0).then_some(AppliedRule::ThroughClamp { count })
}
