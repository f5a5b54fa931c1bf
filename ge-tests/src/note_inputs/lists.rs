//! Assembles lists with notes from their run or export. Each draws a point first, so that it can be drawn.

use pspge::asm;
use pspge::export::ExportNoteKind;
use pspge::ge::note::NoteKind;

use super::{NoteInput, NoteSource};

/// The start of each list: state, and a point.
const START: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    VIEWMATRIXNUMBER 0 | VIEWMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1
    BASE hi(points) | VTYPE position=BITS16 through=1 | VADDR lo(points)
    PRIM primitive=POINTS count=1
";
/// The end of each list, and its data.
const END: &str = "
    FINISH | END
.align 4
points:
    .s16 10 10 0  20 10 0  20 20 0  10 20 0
.align 4
corners:
    .f32 0 0 0  0.5 0 0  0.5 0.5 0  0 0.5 0
indices:
    .u8 0 1 1 2
.align 4
far_indices:
    .u16 0 65535
";
/// Commands for a textured draw; only the texture's address is missing.
const TEXTURED: &str =
    "TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=3 height_log2=3 | VADDR lo(points)";

/// Returns an input for each kind of note on runs and exports.
pub(super) fn inputs() -> Vec<NoteInput> {
    let mut inputs: Vec<NoteInput> =
        runs().into_iter().map(|(code, text)| list(NoteSource::Run, code, &text)).collect();
    for (kind, text) in [
        (ExportNoteKind::Limit, "again: BASE hi(again) | JUMP lo(again)"),
        (
            ExportNoteKind::NotExpressed,
            "FOGENABLE 1 | VTYPE position=FLOAT | VADDR lo(corners) | PRIM primitive=TRIANGLES count=3",
        ),
        (ExportNoteKind::Filtered, "NOP"),
        (
            ExportNoteKind::Degenerate,
            "VTYPE position=FLOAT index=BITS8 | VADDR lo(corners) | IADDR lo(indices)
             PRIM primitive=TRIANGLE_STRIP count=4",
        ),
    ] {
        inputs.push(list(NoteSource::Export, kind.code(), text));
    }
    inputs
}

/// Assembles a list to check it, and returns its text.
fn list(source: NoteSource, code: &'static str, text: &str) -> NoteInput {
    let text = format!("{START}\n{text}\n{END}");
    asm::assemble(&text).unwrap_or_else(|error| panic!("{code}: {error}"));
    NoteInput::new(source, code, "list.ge", text.into_bytes())
}

/// Returns commands to leave each kind of note in a run.
fn runs() -> Vec<(&'static str, String)> {
    let nowhere = "0x05000000";
    let unwritten = "0x09000000";
    let end = "0x0bfffff0";
    let draw = |at: &str, count: u32| {
        format!("BASE hi({at}) | VADDR lo({at}) | PRIM primitive=POINTS count={count}")
    };
    let texture = |at: &str| {
        format!(
            "{TEXTURED} | TEXADDR0 lo({at}) | TEXBUFWIDTH0 width=8 high=hi({at})
             PRIM primitive=POINTS count=1"
        )
    };
    let palette = |at: &str| format!("CLUTADDR lo({at}) | CLUTADDRUPPER hi({at}) | LOADCLUT 1");
    let transfer = |from: &str| {
        format!(
            "TRANSFERSRC lo({from}) | TRANSFERSRCW width=64 high=hi({from})
             TRANSFERDST 0 | TRANSFERDSTW width=64 high=4 | TRANSFERSIZE x=7 y=0 | TRANSFERSTART 1"
        )
    };
    let all = NoteKind::EXAMPLES.iter().map(|example| {
        let text = match example {
            NoteKind::Limit(_) => "again: BASE hi(again) | JUMP lo(again)".to_owned(),
            NoteKind::ListUnmapped | NoteKind::TargetUnmapped(_) => {
                format!("BASE hi({nowhere}) | JUMP lo({nowhere})")
            }
            NoteKind::VerticesUnmapped(_) => draw(nowhere, 1),
            NoteKind::VerticesCut(_) => draw(end, 4),
            NoteKind::VerticesUnwritten(_) => draw(unwritten, 1),
            NoteKind::IndicesUnmapped(_) => format!(
                "VTYPE position=BITS16 through=1 index=BITS16 | VADDR lo(points) | BASE hi({nowhere})
                 IADDR lo({nowhere}) | PRIM primitive=POINTS count=1"
            ),
            NoteKind::IndexUnmapped(_) => format!(
                "VTYPE position=BITS16 through=1 index=BITS16 | IADDR lo(far_indices) | {}",
                draw(end, 2)
            ),
            NoteKind::TextureUnmapped { .. } => texture(nowhere),
            NoteKind::TextureUnwritten { .. } => texture(unwritten),
            NoteKind::ClutUnmapped(_) => palette(nowhere),
            NoteKind::ClutUnwritten(_) => palette(unwritten),
            NoteKind::TransferUnmapped => transfer(nowhere),
            NoteKind::TransferCut => transfer(end),
            NoteKind::StackFull => "again: BASE hi(again) | CALL lo(again)".to_owned(),
            NoteKind::StackEmpty => "RET".to_owned(),
            NoteKind::OrphanEnd => "END".to_owned(),
            NoteKind::Signal(..) => "SIGNAL behavior=HANDLER_CONTINUE value=1 | END".to_owned(),
            NoteKind::AddressSignal(_) => "SIGNAL behavior=0x20 | END".to_owned(),
            NoteKind::UnknownSignal(_) => "SIGNAL behavior=0x7f | END".to_owned(),
            NoteKind::PatchHang(_) => "PATCHDIVISION u=65 v=1 | BEZIER u_count=4 v_count=4".to_owned(),
            NoteKind::Paused => "SIGNAL behavior=HANDLER_PAUSE | END | FINISH | END".to_owned(),
            // A list alone cannot leave this note, because the CPU acts: it needs a dump.
            NoteKind::KeptDrawn { .. } => return None,
            other => panic!("{}: this list of inputs lacks it", other.code()),
        };
        Some((example.code(), text))
    });
    all.flatten().collect()
}
