//! Runs a case and compares its results.
//!
//! # Invariants
//! A known failure that passes is an error, too.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::case::Case;
use crate::compare::{Picture, describe};
use crate::observe::RunState;
use crate::rows::{Row, Table, substitute};
use crate::run::Machine;
use crate::session::CpuPlan;

/// How many failing rows or pixels a message shows at most.
const MAX_SHOWN: usize = 12;

/// A case's result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Rows and pictures compared.
    pub total: usize,
    /// Rows and pictures as expected.
    pub passed: usize,
    /// Rows and pictures that failed, as they are known to.
    pub known: usize,
    /// Describes unexpected results; empty if there are none.
    pub failures: String,
}

/// Runs `case`. Writes pictures and messages about failures below `output`, for a person to look at.
///
/// # Errors
/// If a program does not assemble or if the output cannot be written.
pub fn run_case(case: &Case, output: &Path) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    if let Some(table) = &case.table {
        run_rows(case, table, &mut verdict)?;
    }
    if let Some(expected) = &case.picture {
        run_picture(case, expected, output, &mut verdict)?;
    }
    if !verdict.failures.is_empty() {
        let path = output.join(&case.name).with_extension("txt");
        write(&path, &verdict.failures)?;
        let _ = writeln!(verdict.failures, "see {}", path.display());
    }
    Ok(verdict)
}

fn run_rows(case: &Case, table: &Table, verdict: &mut Verdict) -> Result<()> {
    let mut machine = Machine::new(case.settings.background, case.settings.arithmetic);
    let mut failed = 0;
    let mut details = String::new();
    for (index, row) in table.rows.iter().enumerate() {
        let number = index + 1;
        let fill = |text: &str| substitute(text, &table.parameters, &row.values);
        let program = fill(&case.program)?;
        let run = match &case.settings.session {
            Some(session) => {
                let plan = CpuPlan::parse(session, fill)?;
                machine.run_session(&program, &plan)
            }
            None => {
                let modes = case.settings.translation.as_deref().map(fill).transpose()?;
                machine.request_translation(modes.as_deref().unwrap_or_default())?;
                machine.run(&program)
            }
        };
        run.with_context(|| format!("row {number}"))?;
        let failures = mismatches(table, row, &machine.state());
        verdict.total += 1;
        verdict.passed += usize::from(failures.is_none());
        match (failures, case.is_known_row(number)) {
            (None, false) => {}
            (Some(_), true) => verdict.known += 1,
            (None, true) => {
                let _ = writeln!(verdict.failures, "row {number} passes, but is listed as a known failure");
            }
            (Some(failures), false) => {
                failed += 1;
                if failed <= MAX_SHOWN {
                    let _ = writeln!(details, "row {number}{failures}");
                }
            }
        }
    }
    if failed > 0 {
        let _ = write!(verdict.failures, "{failed} of {} rows failed\n{details}", table.rows.len());
    }
    Ok(())
}

/// Formats a row's mismatches as text; `None` if it has none.
fn mismatches(table: &Table, row: &Row, state: &RunState<'_>) -> Option<String> {
    let mut out = String::new();
    for (observation, expected) in &row.expected {
        let got = observation.evaluate(state);
        if got != *expected {
            let _ = write!(
                out,
                "; {observation:?} expected {}, got {}",
                observation.format_value(expected),
                observation.format_value(&got)
            );
        }
    }
    if out.is_empty() {
        return None;
    }
    let values = table.parameters.iter().zip(&row.values).map(|(name, value)| format!(" {name}={value}"));
    let remark = if row.remark.is_empty() { String::new() } else { format!(" ({})", row.remark) };
    Some(format!("{remark}:{}{out}", values.collect::<String>()))
}

fn run_picture(case: &Case, expected: &Picture, output: &Path, verdict: &mut Verdict) -> Result<()> {
    let mut machine = Machine::new(case.settings.background, case.settings.arithmetic);
    machine.run(&case.program)?;
    let drawn = expected.drawn(&machine.state());
    let differences = expected.differences(&drawn);
    verdict.total += 1;
    verdict.passed += usize::from(differences.is_empty());
    match (differences.is_empty(), case.is_known_picture()) {
        (true, false) => {}
        (true, true) => verdict.failures += "the picture passes, but is listed as a known failure\n",
        (false, known) => {
            let path = output.join(&case.name);
            fs::create_dir_all(path.parent().unwrap_or(output))?;
            expected.save(&path.with_extension("expected.png"))?;
            drawn.save(&path.with_extension("drawn.png"))?;
            expected.save_difference(&drawn, &path.with_extension("difference.png"))?;
            if known {
                verdict.known += 1;
            } else {
                let _ = write!(
                    verdict.failures,
                    "{} of {} pixels differ\n{}",
                    differences.len(),
                    expected.len(),
                    describe(&differences, MAX_SHOWN)
                );
            }
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}
