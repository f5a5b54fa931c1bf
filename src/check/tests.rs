//! For each rule, the tests hold an input to trigger it and a similar input without the mistake.

use super::*;
use crate::asm::assemble;
use crate::ge::limits::{Limit, Limits};

mod draw;
mod files;
mod list;
mod memory;
mod state;

/// Commands for each list: a screen with 480x272 pixels, and a triangle's vertices in through mode.
const SETUP: &str = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000
    ZBUFWIDTH width=512 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535
    BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v)";

/// Draws the triangle.
const DRAW: &str = "PRIM primitive=TRIANGLES count=3";

/// Data for each list: a triangle, zeros, a texture, and textured corners.
const DATA: &str = "
    .align 16
    v: .s16 10 10 0  99 10 0  10 99 0
    .align 16
    zeros: .space 64
    t: .fill 256 0x55
    tv: .u16 0 0 | .s16 0 0 0 | .u16 4 0 | .s16 99 0 0 | .u16 0 4 | .s16 0 99 0
    .align 16
    end: .space 16
";

/// A texture with 4x4 texels, and a vertex type with coordinates.
const TEXTURE: &str = "TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=2 height_log2=2
    TEXADDR0 lo(t) | TEXBUFWIDTH0 width=4 high=hi(t) | TEXFLUSH
    VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(tv)";

/// A camera to map x and y from -1 to 1 to the screen.
const CAMERA: &str = "VIEWPORTXSCALE 240 | VIEWPORTYSCALE -136 | VIEWPORTZSCALE 1000
    VIEWPORTXCENTER 2048 | VIEWPORTYCENTER 2048 | VIEWPORTZCENTER 32768
    OFFSETX 28928 | OFFSETY 30592 | DEPTHCLAMPENABLE 1
    WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    VIEWMATRIXNUMBER 0 | VIEWMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1
    VTYPE position=FLOAT | VADDR lo(f)";

/// A triangle in front of this camera.
const CORNERS: &str = "f: .f32 -0.5 -0.5 0  0.5 -0.5 0  -0.5 0.5 0";

/// Checks something with options.
type Checked = dyn Fn(&CheckOptions) -> Vec<Finding>;

enum Input {
    /// Commands after [`SETUP`] and before FINISH and END.
    Commands(String),
    /// As `Commands`, with more data at the end.
    WithData(String, String),
    /// A whole text.
    Text(String),
    /// A dump or model, with a function to check it.
    Findings(Box<Checked>),
}

/// A rule, an input to trigger it, and an input without the mistake.
type Row = (Rule, Input, Input);

fn commands(text: impl Into<String>) -> Input {
    Input::Commands(text.into())
}

/// Creates an input from commands, with more data after the usual data.
fn with_data(text: impl Into<String>, data: impl Into<String>) -> Input {
    Input::WithData(text.into(), data.into())
}

/// Low limits, which the tests reach on purpose.
fn options() -> CheckOptions {
    let limits =
        Limits::default().with(Limit::Commands, 2000).with(Limit::Draws, 20).with(Limit::Pixels, 500_000);
    CheckOptions::default().limits(limits)
}

/// Checks an input. Returns a mistake in its text as an error.
fn try_findings(input: &Input) -> Result<Vec<Finding>, String> {
    let text = match input {
        Input::Commands(commands) => format!("{SETUP}\n{commands}\nFINISH | END\n{DATA}"),
        Input::WithData(commands, data) => format!("{SETUP}\n{commands}\nFINISH | END\n{DATA}\n{data}"),
        Input::Text(text) => text.clone(),
        Input::Findings(findings) => return Ok(findings(&options())),
    };
    let program = assemble(&text).map_err(|error| format!("{error}\n{text}"))?;
    Ok(check(&mut program.capture(), &options()))
}

fn findings(input: &Input) -> Vec<Finding> {
    try_findings(input).expect("a list")
}

fn rows() -> Vec<Row> {
    [list::rows(), memory::rows(), draw::rows(), state::rows(), files::rows()].into_iter().flatten().collect()
}

#[test]
fn every_rule_has_a_trigger_and_a_neighbour() {
    let rows = rows();
    let missing: Vec<&str> = Rule::ALL
        .iter()
        .filter(|rule| rows.iter().all(|row| row.0 != **rule))
        .map(|rule| rule.code())
        .collect();
    assert!(missing.is_empty(), "rules without a row: {missing:?}");
    let mut wrong = Vec::new();
    for (rule, trigger, neighbour) in &rows {
        let (found, other) = match (try_findings(trigger), try_findings(neighbour)) {
            (Ok(found), Ok(other)) => (found, other),
            (found, other) => {
                wrong.extend(found.err().into_iter().chain(other.err()));
                continue;
            }
        };
        if found.iter().all(|finding| finding.rule != *rule) {
            wrong.push(format!("{rule} is not triggered: {found:#?}"));
        }
        if let Some(finding) = other.iter().find(|finding| finding.rule == *rule) {
            wrong.push(format!("the neighbour triggers {finding}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lists every message, so that a reviewer sees the wording.
#[test]
fn messages_name_registers_and_values() {
    let mut text = String::new();
    for (rule, trigger, _) in rows() {
        for finding in findings(&trigger).iter().filter(|finding| finding.rule == rule) {
            text.push_str(&finding.to_string());
            text.push('\n');
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("check_messages", text));
}

#[test]
fn a_clean_list_has_no_finding() {
    let list = commands(format!("SHADEMODE GOURAUD | {DRAW}"));
    assert_eq!(findings(&list), [], "nothing to report");
}

#[test]
fn findings_name_their_place() {
    let found = findings(&commands(format!("{DRAW} | VADDR lo(v) | SCISSOR2 x=5 y=5 | {DRAW}")));
    let [finding] = &found[..] else { panic!("one finding: {found:#?}") };
    assert_eq!((finding.rule, finding.count), (Rule::OutsideScissor, 1), "the second draw");
    let Place { command, address, draw, file, file_offset, .. } = &finding.place;
    assert_eq!((*command, *draw), (Some(13), Some(1)), "numbers of command and draw");
    let offset = address.map(|address| u64::from(address.get() - 0x0880_0000));
    assert_eq!((file.as_deref(), *file_offset), (Some("assembly"), offset), "place in the file");
}
