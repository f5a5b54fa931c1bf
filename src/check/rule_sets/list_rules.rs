//! Rules on a list's flow.

use crate::asm::text::describe;
use crate::check::finding::Place;
use crate::check::findings::{Findings, SAME};
use crate::check::rule::Rule;
use crate::ge::address::Address;
use crate::ge::arithmetic::Hf16;
use crate::ge::command::Command;
use crate::ge::limits::Limit;
use crate::ge::memory::Memory;
use crate::ge::note::{Note, NoteKind, Severity};
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View as _;
use crate::ge::registers::vertex::BoundingBox;
use crate::pipeline::geometry::bounding;
use crate::pipeline::vertex::{LastAttributes, VertexReader};
use crate::run::sink::Step;

/// How deep programs usually nest calls.
const USUAL_DEPTH: usize = 2;

/// Checks commands that steer the list, before they run. Returns false if the list has run past its end.
pub(crate) fn check(memory: &Memory, step: &Step<'_>, place: &Place, findings: &mut Findings) -> bool {
    if !memory.is_supplied(step.at) {
        let message = || "the list runs into words that were never written: END is missing".to_owned();
        findings.add(Rule::MissingEnd, SAME, place, message);
        return false;
    }
    let command = step.command;
    // END acts on the word immediately before it, so it has to follow at once.
    let followed_by_end = || {
        let next = Command::from_word(memory.read_u32(step.at.offset(4)));
        next.opcode() == Opcode::END
    };
    match command.opcode() {
        Opcode::FINISH if !followed_by_end() => {
            let message = || "the word after FINISH is not END, so the list goes on".to_owned();
            findings.add(Rule::FinishWithoutEnd, SAME, place, message);
        }
        Opcode::SIGNAL if !followed_by_end() => {
            let message = || format!("the word after {} is not END", describe(command));
            findings.add(Rule::SignalWithoutEnd, SAME, place, message);
        }
        Opcode::JUMP | Opcode::BJUMP | Opcode::CALL if command.argument() & 3 != 0 => {
            let message = || format!("the target of {} is not a multiple of 4", describe(command));
            findings.add(Rule::TargetUnaligned, [command.word(), 0], place, message);
        }
        Opcode::CALL if step.depth >= USUAL_DEPTH => {
            let depth = step.depth.saturating_add(1);
            let message = || format!("{} is nested {depth} deep", describe(command));
            findings.add(Rule::DeepCalls, SAME, place, message);
        }
        Opcode::BBOX => check_box(memory, step, place, findings),
        _ => {}
    }
    true
}

/// Checks whether a bounding box is visible on a PSP alone.
fn check_box(memory: &Memory, step: &Step<'_>, place: &Place, findings: &mut Findings) {
    let count = u32::from(BoundingBox::from_argument(step.command.argument()).count);
    let Step { registers, vertices, indices, .. } = *step;
    let reader = VertexReader::new(memory, registers, vertices, indices, LastAttributes::default());
    if bounding::is_inside_behind::<Hf16>(registers, &reader, count) {
        let message = || format!("the box of {count} vertices reaches behind the camera and is visible");
        findings.add(Rule::BoxBehind, SAME, place, message);
    }
}

/// Turns a note into a finding. `jump_back` is the last jump to a lower address, to explain endless lists.
pub(crate) fn note(
    note: &Note,
    jump_back: Option<(Address, Address)>,
    place: &Place,
    findings: &mut Findings,
) {
    let cause = |address: Address| [address.get(), 0];
    let (rule, cause) = match note.kind {
        NoteKind::Limit(hit) if hit.limit == Limit::Commands => (Rule::EndlessList, SAME),
        NoteKind::Limit(hit) => (Rule::LimitReached, [hit.limit as u32, 0]),
        NoteKind::ListUnmapped => (Rule::ListUnmapped, SAME),
        NoteKind::TargetUnmapped(target) => (Rule::TargetUnmapped, cause(target)),
        NoteKind::VerticesUnmapped(vertices) => (Rule::VerticesUnmapped, cause(vertices)),
        NoteKind::ClutUnmapped(source) => (Rule::PaletteUnmapped, cause(source)),
        NoteKind::TransferUnmapped => (Rule::TransferUnmapped, SAME),
        NoteKind::StackFull => (Rule::CallStackFull, SAME),
        NoteKind::StackEmpty => (Rule::ReturnWithoutCall, SAME),
        NoteKind::OrphanEnd => (Rule::EndWithoutFinish, SAME),
        NoteKind::UnknownSignal(behavior) => (Rule::UnknownSignal, [behavior.number().into(), 0]),
        NoteKind::PatchHang(division) => (Rule::PatchHang, division.map(u32::from)),
        NoteKind::TransferCut => (Rule::ReadPastMemory, [3, 0]),
        // Rules on draws and palettes report these, and say more about them.
        NoteKind::VerticesCut(_)
        | NoteKind::VerticesUnwritten(_)
        | NoteKind::IndicesUnmapped(_)
        | NoteKind::IndexUnmapped(_)
        | NoteKind::TextureUnmapped { .. }
        | NoteKind::TextureUnwritten { .. }
        | NoteKind::ClutUnwritten(_) => return,
        kind if kind.severity() == Severity::Information => return,
        _ => (Rule::RunNote, SAME),
    };
    let message = || match jump_back {
        Some((from, to)) if rule == Rule::EndlessList => {
            format!("{}; the last jump back leads from {from} to {to}", note.kind)
        }
        _ => note.kind.to_string(),
    };
    findings.add(rule, cause, place, message);
}
