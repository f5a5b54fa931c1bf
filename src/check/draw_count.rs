//! Rules on how many vertices a draw has.

use super::finding::Place;
use super::findings::{Findings, SAME};
use super::rule::Rule;
use super::subject::Subject;
use crate::asm::text::describe;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::vertex::{Prim, PrimitiveType};

/// Vertices left over at a draw's end, too few for a primitive. A CONTINUE may still use them, so they are reported
/// later.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingRest {
    /// The draw's command and place, and how many vertices are left over.
    rest: Option<(Command, Place, u16)>,
    /// The primitive type that a CONTINUE would take.
    primitive: PrimitiveType,
}

/// Checks whether a PRIM has vertices.
pub(super) fn check_empty(command: Command, place: &Place, findings: &mut Findings) {
    if command.opcode() == Opcode::PRIM && Prim::from_argument(command.argument()).count == 0 {
        let message = || format!("{} draws nothing", describe(command));
        findings.add(Rule::EmptyDraw, SAME, place, message);
    }
}

impl PendingRest {
    /// Checks a draw if it is a PRIM.
    pub(super) fn check(&mut self, subject: &Subject<'_>, place: &Place, findings: &mut Findings) {
        let Subject::Draw(draw) = subject else { return };
        if draw.patch.is_some() {
            return;
        }
        let command = draw.registers.command(Opcode::PRIM);
        let Prim { primitive, count } = Prim::from_argument(command.argument());
        let before = match primitive {
            PrimitiveType::CONTINUE => self.rest.take().map_or(0, |(_, _, rest)| rest),
            _ => {
                self.report(findings);
                self.primitive = primitive;
                0
            }
        };
        let vertices = match self.primitive {
            PrimitiveType::LINES | PrimitiveType::RECTANGLES => 2,
            PrimitiveType::TRIANGLES => 3,
            _ => return,
        };
        let rest = count.wrapping_add(before).checked_rem(vertices).unwrap_or(0);
        // Draws too short for any primitive have their own rule.
        if rest > 0 && count >= vertices {
            let place = Place { draw: Some(draw.number), ..place.clone() };
            self.rest = Some((command, place, rest));
        }
    }

    /// Reports the pending vertices, because no draw will use them.
    pub(super) fn report(&mut self, findings: &mut Findings) {
        if let Some((command, place, rest)) = self.rest.take() {
            let primitive = self.primitive;
            let message = || {
                format!("{} leaves vertices over ({rest}), which make no whole primitive", describe(command))
            };
            findings.add(Rule::IncompletePrimitive, [primitive.number().into(), 0], &place, message);
        }
    }
}
