//! Some of the hardware's rules apply to few draws. This describes those that a draw meets.

use std::fmt;

use super::report::DrawReport;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::PatchDivision;
use crate::ge::registers::vertex::{ColorFormat, VertexType};
use crate::raster::coverage::{TALL_TRIANGLES, is_tall};

/// With fewer divisions than this, the parameter of a patch is an exact fraction, floored.
const INEXACT_DIVISIONS: u8 = 21;
/// Positions that through vertices can have, in pixels.
const THROUGH: std::ops::RangeInclusive<f32> = -2048.0..=2047.9375;

/// A rule that a draw meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppliedRule {
    /// Triangles with at least 2731 pixels.
    TallTriangles {
        /// How many triangles are so tall.
        count: usize,
    },
    /// Steps of a patch that a 14-bit reciprocal moves.
    PatchParameter {
        /// Divisions along u and v.
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

/// Lists the rules that a draw meets. `registers` belong to this draw, and `is_patch` tells whether it is a
/// patch.
#[must_use]
pub fn applied_rules(report: &DrawReport, registers: &Registers, is_patch: bool) -> Vec<AppliedRule> {
    if report.arithmetic != Arithmetic::Hardware {
        return Vec::new();
    }
    let mut rules = Vec::new();
    let vertex_type: VertexType = registers.get();
    let drawn = report.primitives.iter().flat_map(|primitive| primitive.record.drawn());
    let tall = drawn.filter(|primitive| is_tall(primitive)).count();
    if tall > 0 {
        rules.push(AppliedRule::TallTriangles { count: tall });
    }
    let division: PatchDivision = registers.get();
    let divisions = [division.u, division.v];
    if is_patch && divisions.iter().any(|count| *count >= INEXACT_DIVISIONS) {
        rules.push(AppliedRule::PatchParameter { divisions });
    }
    let has_frames = report.source.iter().any(|vertex| vertex.frames.len() > 1);
    if has_frames
        && vertex_type.color != ColorFormat::NONE
        && (0..8).any(|frame| registers.float(Opcode::MORPHWEIGHT0.plus(frame)) < 0.0)
    {
        rules.push(AppliedRule::MorphedColors);
    }
    let is_clamped = |[x, y, _]: &[f32; 3]| !THROUGH.contains(x) || !THROUGH.contains(y);
    let clamped = report.source.iter().filter(|vertex| is_clamped(&vertex.model.position)).count();
    if vertex_type.through && clamped > 0 {
        rules.push(AppliedRule::ThroughClamp { count: clamped });
    }
    rules
}
