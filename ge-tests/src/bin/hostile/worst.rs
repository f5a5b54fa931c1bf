//! `hostile worst`: runs the inputs from [`ge_tests::worst`] through all commands, to print time and memory.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ge_tests::measure;
use ge_tests::worst::{WorstInput, dumps, lists};

use crate::{MAX_MEMORY, MAX_TIME, Options};

/// Commands to try with each input: verb, arguments, and the output file, if any.
const COMMANDS: &[(&str, &[&str], Option<&str>)] = &[
    ("render", &["--threads", "1"], Some("out.png")),
    ("render", &["--wireframe", "--arithmetic", "single", "--threads", "1"], Some("out.png")),
    ("info", &["--json"], None),
    ("trace", &[], None),
    ("trace", &["--draws"], None),
    ("decode", &["--json"], None),
    ("export", &["--through"], Some("out.glb")),
    ("export", &["--through"], Some("out.obj")),
    ("pack", &[], Some("out.ppdmp")),
];

/// Runs all inputs, or those whose names contain `--only`.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let program = options.pspge.clone().unwrap_or_else(default_program);
    let folder = std::env::temp_dir().join(format!("pspge-worst-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut slowest = (Duration::ZERO, String::new());
    let mut largest = (0, String::new());
    let mut good = true;
    let mut out = std::io::stdout();
    for worst in lists().into_iter().chain(dumps()) {
        if options.only.as_ref().is_some_and(|only| !worst.name.contains(only.as_str())) {
            continue;
        }
        for (number, &(verb, arguments, output)) in COMMANDS.iter().enumerate() {
            if options.command.as_ref().is_some_and(|command| *command != verb) {
                continue;
            }
            let measured = measure(&program, &folder, &worst, (verb, arguments, output))?;
            let what = format!(
                "{} ({verb} {}{})",
                worst.name,
                arguments.join(" "),
                output.map(|name| format!(" -o {name}")).unwrap_or_default()
            );
            let memory = measured.memory.unwrap_or(0);
            let status = measured.status.and_then(|status| status.code());
            let is_good = matches!(status, Some(0..=2)) && measured.time <= MAX_TIME && memory <= MAX_MEMORY;
            good &= is_good;
            let note = measured.errors.lines().last().unwrap_or_default();
            line(
                &mut out,
                format_args!(
                    "{} {:6.2} s {:5} MiB  status {}  {what}  {}",
                    if is_good { "ok  " } else { "FAIL" },
                    measured.time.as_secs_f64(),
                    memory >> 20,
                    status.map_or("none".to_owned(), |code| code.to_string()),
                    note.split(": ").skip(2).collect::<Vec<_>>().join(": "),
                ),
            )?;
            slowest = slowest.max((measured.time, format!("{number} {what}")));
            largest = largest.max((memory, what));
        }
    }
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    line(&mut out, format_args!("slowest: {:.2} s, {}", slowest.0.as_secs_f64(), slowest.1))?;
    line(&mut out, format_args!("largest: {} MiB, {}", largest.0 >> 20, largest.1))?;
    Ok(good)
}

fn line(out: &mut impl Write, text: std::fmt::Arguments<'_>) -> Result<(), String> {
    writeln!(out, "{text}").map_err(|error| error.to_string())
}

/// Finds `pspge` in the same folder as this program.
fn default_program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name(format!("pspge{}", std::env::consts::EXE_SUFFIX))
}

fn measure(
    program: &Path,
    folder: &Path,
    worst: &WorstInput,
    (verb, options, output): (&str, &[&str], Option<&str>),
) -> Result<measure::Measurement, String> {
    let input = folder.join("input");
    std::fs::write(&input, &worst.bytes).map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg(verb).arg(&input).args(options);
    if let Some(format) = worst.format {
        command.args(["--format", format]);
    }
    if let Some(output) = output {
        command.arg("-o").arg(folder.join(output));
    }
    measure::run(&mut command, 6 * MAX_TIME).map_err(|error| format!("{}: {error}", program.display()))
}
