//! Rules on lists and commands.

use super::{DRAW, Input, Row, commands, with_data};
use crate::check::Rule;

pub(super) fn rows() -> Vec<Row> {
    let draws = |count| commands(format!("VADDR lo(v) | {DRAW}\n").repeat(count));
    vec![
        (Rule::ListUnmapped, commands("BASE 0 | JUMP 0"), commands("JUMP lo(next) | next: NOP")),
        (Rule::MissingEnd, Input::Text("NOP".to_owned()), Input::Text("NOP | FINISH | END".to_owned())),
        (Rule::FinishWithoutEnd, commands("FINISH | NOP"), commands("NOP")),
        (
            Rule::SignalWithoutEnd,
            commands("SIGNAL behavior=HANDLER_CONTINUE | NOP"),
            commands("SIGNAL behavior=HANDLER_CONTINUE | END"),
        ),
        (Rule::EndWithoutFinish, commands("END"), commands("SIGNAL behavior=BREAK1 | END")),
        (Rule::EndlessList, commands("here: JUMP lo(here)"), commands("JUMP lo(here) | here: NOP")),
        (Rule::LimitReached, draws(21), draws(20)),
        (Rule::TargetUnmapped, commands("BASE 0 | CALL 0"), commands("CALL lo(next) | next: NOP")),
        (
            Rule::TargetUnaligned,
            commands("JUMP lo(next)+2 | next: NOP"),
            commands("JUMP lo(next) | next: NOP"),
        ),
        (
            Rule::DeepCalls,
            with_data("CALL lo(a)", ".align 4 | a: CALL lo(b) | RET | b: CALL lo(c) | c: RET"),
            with_data("CALL lo(a)", ".align 4 | a: CALL lo(b) | RET | b: RET"),
        ),
        (
            Rule::CallStackFull,
            with_data("CALL lo(a)", ".align 4 | a: CALL lo(a) | RET"),
            with_data("CALL lo(a)", ".align 4 | a: RET"),
        ),
        (Rule::ReturnWithoutCall, commands("RET"), with_data("CALL lo(a)", ".align 4 | a: RET")),
        (
            Rule::UnknownSignal,
            commands("SIGNAL behavior=0x99 | END"),
            commands("SIGNAL behavior=BREAK2 | END"),
        ),
        (
            Rule::PatchHang,
            commands("PATCHDIVISION u=65 v=1 | BASE 8 | VADDR 0 | BEZIER u_count=4 v_count=4"),
            commands("PATCHDIVISION u=64 v=64 | BEZIER u_count=3 v_count=4"),
        ),
        (Rule::UnknownCommand, commands("UNUSED_03 +0x1"), commands("UNUSED_03")),
        (Rule::UnnamedBits, commands("TEXENABLE 0 +0x2"), commands("NOP +0x2")),
        (Rule::UnknownCode, commands("TEXFORMAT 11"), commands("TEXFORMAT DXT5")),
        (Rule::FloatNotFinite, commands("TEXSCALEU inf"), commands("TEXSCALEU 1")),
        (Rule::RepeatedWrite, commands("SHADEMODE FLAT | SHADEMODE FLAT"), commands("SHADEMODE FLAT")),
        (
            Rule::OverwrittenWrite,
            commands("SHADEMODE GOURAUD | SHADEMODE FLAT"),
            commands(format!("SHADEMODE GOURAUD | {DRAW} | SHADEMODE FLAT")),
        ),
        (Rule::NoDraws, commands("NOP"), commands(DRAW)),
        (Rule::NothingDrawn, commands(format!("SCISSOR2 x=5 y=5 | {DRAW}")), commands(DRAW)),
        (
            Rule::RunNote,
            commands("SIGNAL behavior=HANDLER_PAUSE | END"),
            commands("SIGNAL behavior=HANDLER_CONTINUE | END"),
        ),
    ]
}
