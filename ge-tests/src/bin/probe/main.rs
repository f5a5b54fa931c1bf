//! Writes experiments for a PSP, and reads its answers: `cargo dev probe`.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use ge_tests::probe::{self, Probe, Screen};
use ge_tests::rules::data::RuleTable;

const USAGE: &str =
    "usage: cargo dev probe FOLDER            write an experiment for each rule that no data decide
       cargo dev probe --answers FOLDER  read what a PSP drew, and say which rival it confirms";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match *arguments.as_slice() {
        ["--answers", folder] => read_answers(Path::new(folder)),
        [folder] if !folder.starts_with('-') => write_probes(Path::new(folder)),
        _ => Ok(format!("{USAGE}\n")),
    };
    match result {
        Ok(text) => {
            // If standard output is closed, nobody reads this text, so it may be lost.
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The folder with the rules and the probes.
fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

/// Writes each experiment as a frame dump and as a list, its rivals' pictures, and a page about all of them.
fn write_probes(folder: &Path) -> Result<String> {
    let (probes, table) = (Probe::read_all(&cases())?, RuleTable::read(&cases().join("rules.toml"))?);
    let rivals = folder.join("rivals");
    fs::create_dir_all(&rivals).with_context(|| rivals.display().to_string())?;
    let mut page = format!(
        "# Experiments for a PSP\n\n\
         No result of a PSP decides these rules yet. `pspge test {} --renderer psp://FOLDER --add-references` draws the\n\
         experiments on a PSP, and writes its pictures next to them. `cargo dev probe --answers {}` then says which\n\
         rival each picture confirms. A table `scenes.tsv` with the columns `file` and `frame_crc32` will do as well.\n",
        folder.display(),
        folder.display()
    );
    for probe in &probes {
        if let Some(dump) = probe.dump()? {
            write(&folder.join(&probe.name).with_extension("ppdmp"), &dump)?;
        }
        let _ = write!(page, "\n## {}\n\nRule: {}\n\n{}\n\n", probe.name, probe.rule, probe.about);
        if let Some(reason) = &probe.list_only {
            let list = &probe.experiment;
            let _ = writeln!(page, "A program has to send this list itself: {reason}.\n\n```text{list}```\n");
        }
        for rival in &probe.rivals {
            let screen = Screen::draw(&rival.list)?;
            let path = rivals.join(format!("{}-{}.png", probe.name, rival.name));
            screen.picture().save(&path).with_context(|| path.display().to_string())?;
            let _ = writeln!(page, "* {:08x}: {} ({})", screen.checksum(), rival.answer, rival.name);
        }
    }
    let without: Vec<_> = table.rules.iter().filter(|rule| !rule.no_probe.is_empty()).collect();
    if !without.is_empty() {
        page += "\n## Rules without an experiment\n\n";
    }
    for rule in without {
        let _ = writeln!(page, "* {}: {}", rule.rule, rule.no_probe);
    }
    write(&folder.join("README.md"), page.as_bytes())?;
    Ok(format!("{}: {} experiments, README.md lists them\n", folder.display(), probes.len()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// Says for each answer in a folder which rival it confirms.
fn read_answers(folder: &Path) -> Result<String> {
    let probes = Probe::read_all(&cases())?;
    let answers = probe::answers(folder, &probes)?;
    let mut out = String::new();
    for probe in &probes {
        let Some(answer) = answers.get(&probe.name) else {
            let _ = writeln!(out, "{}: no answer", probe.name);
            continue;
        };
        let confirmed = probe.confirmed(answer)?;
        if confirmed.is_empty() {
            let _ = writeln!(out, "{}: none of the {} rivals", probe.name, probe.rivals.len());
        }
        let here = Screen::draw(&probe.experiment)?;
        for rival in confirmed {
            let agrees = if answer.is_of(&here) { "pspge draws it so" } else { "pspge draws it otherwise" };
            let _ = writeln!(out, "{}: {} ({agrees})", probe.name, rival.answer);
        }
    }
    let _ = writeln!(out, "{} of {} experiments have an answer", answers.len(), probes.len());
    Ok(out)
}
