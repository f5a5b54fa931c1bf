//! Rules on lists and commands.

use super::{DRAW, Input, Row, commands, findings, with_data};
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
        (Rule::StallReached, commands("NOP | .stall . | NOP"), commands(".stall end")),
        (Rule::StallPassed, commands("JUMP lo(on) | .stall . | NOP | on: NOP"), commands(".stall end")),
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
        (
            Rule::MatrixOverflow,
            commands("VIEWMATRIXNUMBER 9 | VIEWMATRIXDATA 0 0 0 1"),
            commands("VIEWMATRIXNUMBER 8 | VIEWMATRIXDATA 0 0 0 1"),
        ),
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

/// Tells apart the ways in which a list can meet its stall address.
#[test]
fn lists_wait_only_at_their_stall_address() {
    let list = |text: &str| {
        let input = Input::Text(format!("BASE hi(.) | {text}"));
        let stalls = [Rule::StallReached, Rule::StallPassed];
        let found = findings(&input).into_iter().filter(|finding| stalls.contains(&finding.rule));
        found.map(|finding| (finding.rule, finding.place.command)).collect::<Vec<_>>()
    };
    let (reached, passed) = (Rule::StallReached, Rule::StallPassed);
    assert_eq!(list("FINISH | END | .stall ."), [], "behind END, as of libgu");
    assert_eq!(list("FINISH | END | .space 64 | .stall ."), [], "at the end of a buffer");
    assert_eq!(list("FINISH | .stall . | END"), [], "the kernel ends the list");
    assert_eq!(list("NOP | .stall ."), [(reached, Some(1))], "no word behind it");
    assert_eq!(list("NOP | FINISH | END | .stall 0x08800000"), [(reached, Some(0))], "at the first word");
    assert_eq!(list("FINISH | END | .stall 0x08000000"), [(passed, Some(0))], "before the list");
    let sub = |stall: &str| {
        list(&format!(
            "CALL lo(sub) | NOP | here: FINISH | END | behind: .space 64 | sub: NOP | RET | .stall {stall}"
        ))
    };
    assert_eq!(sub("behind"), [], "a call of a list behind it, which returns");
    assert_eq!(sub("here"), [(reached, Some(4))], "a stall after the call");
    assert_eq!(sub("sub+4"), [(reached, Some(2))], "a stall in the called list");
    let chain = "JUMP lo(on) | stall: .space 8 | NOP | on: NOP | FINISH | END | .stall";
    assert_eq!(list(&format!("{chain} stall")), [(passed, Some(1))], "a jump over it");
    assert_eq!(list(&format!("{chain} on+12")), [], "a stall behind the jump");
}
