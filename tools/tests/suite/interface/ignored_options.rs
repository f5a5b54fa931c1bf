//! Tests options that cannot apply to an input. For a single input this is an error; in a batch it is a note, and an
//! error if no input can use the option.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{copy_sample, empty_folder, pspge_at};

/// A triangle in model space.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    VIEWMATRIXNUMBER 0 | VIEWMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1
    BASE hi(corners) | VTYPE position=FLOAT | VADDR lo(corners) | PRIM primitive=TRIANGLES count=3
    FINISH | END
.align 4
corners: .f32 0 0 0  0.5 0 0  0.5 0.5 0
";

/// A command with an option, and an input that ignores it.
struct Case {
    command: &'static str,
    /// The option with its value; its name comes first.
    option: &'static str,
    ignored_by: &'static str,
    reason: &'static str,
}

const NOT_A_MODEL: &str = "a display list is not a model";
const AS_A_WHOLE: &str = "a model is exported as a whole";

/// Makes a case for the list, which has no camera.
const fn of_list(command: &'static str, option: &'static str) -> Case {
    Case { command, option, ignored_by: "list.ge", reason: NOT_A_MODEL }
}

/// Makes a case for the model, whose draws cannot be selected.
const fn of_model(option: &'static str) -> Case {
    Case { command: "export", option, ignored_by: "model.pac", reason: AS_A_WHOLE }
}

const CASES: &[Case] = &[
    of_list("trace", "--view back"),
    of_list("trace", "--zoom 2"),
    of_list("trace", "--lod 0"),
    of_list("state", "--view back"),
    of_list("passes", "--view back"),
    of_list("pack", "--view back"),
    of_list("pack", "--yaw 30"),
    of_list("pack", "--background ff0000"),
    of_list("pack", "--size 64x64"),
    of_list("check", "--view back"),
    of_list("check", "--lod 0"),
    of_list("export", "--lod 0"),
    of_list("decode", "--lod 0"),
    of_model("--draws 0"),
    of_model("--through"),
    of_model("--space view"),
];

fn folder() -> PathBuf {
    let folder = empty_folder("inputs");
    for name in ["list.ge", "other-list.ge"] {
        fs::write(folder.join(name), LIST).expect("the file can be written");
    }
    for name in ["model.pac", "other-model.pac"] {
        copy_sample("lampwing.pac", &folder.join(name));
    }
    folder
}

fn run(folder: &Path, case: &Case, inputs: &[&str]) -> Output {
    let mut arguments = vec![case.command];
    arguments.extend(inputs);
    arguments.extend(case.option.split(' '));
    if matches!(case.command, "pack" | "export") {
        arguments.extend(["-o", if inputs.len() > 1 { "out" } else { "out.glb" }]);
    }
    pspge_at(folder, &arguments)
}

#[test]
fn options_apply_to_some_inputs_or_are_errors() {
    let folder = folder();
    for case in CASES {
        let by_value = case.option.starts_with("--lod");
        let name = if by_value { case.option } else { case.option.split(' ').next().unwrap_or_default() };
        let label = format!("{} {}", case.command, case.option);
        let message = |output: &Output| String::from_utf8(output.stderr.clone()).expect("text");
        let alone = run(&folder, case, &[case.ignored_by]);
        assert_eq!(alone.status.code(), Some(2), "{label}: the only input");
        let expected = format!("error: {}: {name} cannot apply: {}\n", case.ignored_by, case.reason);
        assert_eq!(message(&alone), expected, "{label}: the only input");
        let some = run(&folder, case, &["list.ge", "model.pac"]);
        assert_eq!(some.status.code(), Some(0), "{label}: {}", message(&some));
        let note = format!("note: {}: {name} is ignored: {}", case.ignored_by, case.reason);
        assert!(message(&some).lines().any(|line| line == note), "{label}: {}", message(&some));
        let none = run(&folder, case, &[case.ignored_by, &format!("other-{}", case.ignored_by)]);
        assert_eq!(none.status.code(), Some(2), "{label}: no input uses it");
        let expected = format!("error: {name} cannot apply to any of the inputs\n");
        assert!(message(&none).ends_with(&expected), "{label}: {}", message(&none));
    }
}
