//! One trial for each case folder, named `hardware::filtering::linear` and so on, and a table of results at
//! the end. Arguments are those of ordinary tests: a filter, `--list`, `--exact`, `--nocapture`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::Result;
use ge_tests::case::{self, Case, Kind, Status};
use ge_tests::run::Machine;
use ge_tests::verdict::{Verdict, judge};
use libtest_mimic::{Arguments, Failed, Trial};

/// Results by trial: what PPSSPP does, and how we did.
type Results = Arc<Mutex<BTreeMap<String, (Status, Verdict)>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let results = Results::default();
    let trials = match trials(&results) {
        Ok(trials) => trials,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Ok(results) = results.lock() {
        show(&results);
    }
    conclusion.exit_code()
}

fn trials(results: &Results) -> Result<Vec<Trial>> {
    let root = manifest().join("cases");
    let mut trials = Vec::new();
    for name in case::names(&root)? {
        let case = Case::read(&root, &name)?;
        let results = Arc::clone(results);
        trials.push(Trial::test(case.trial_name(), move || check(&case, &results)));
    }
    Ok(trials)
}

fn check(case: &Case, results: &Results) -> Result<(), Failed> {
    if case.settings.kind == Kind::Trace {
        return check_trace(case);
    }
    let verdict = judge(case, &output()).map_err(|error| Failed::from(format!("{error:#}")))?;
    let complaint = verdict.complaint.clone();
    if let Ok(mut results) = results.lock() {
        results.insert(case.trial_name(), (case.settings.ppsspp, verdict));
    }
    if complaint.is_empty() { Ok(()) } else { Err(complaint.into()) }
}

/// Snapshots of traces stand in the workspace's `snapshots`, next to all others.
fn check_trace(case: &Case) -> Result<(), Failed> {
    let mut machine = Machine::new(case.settings.background, case.settings.arithmetic);
    let trace = machine.trace(&case.program).map_err(|error| Failed::from(format!("{error:#}")))?;
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(manifest().join("../snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("trace_{}", case.name.replace('/', "_")), trace));
    Ok(())
}

/// Prints rows and pictures passed, beside what is known of PPSSPP's software renderer.
#[expect(clippy::print_stdout, reason = "the table is what people run this for")]
fn show(results: &BTreeMap<String, (Status, Verdict)>) {
    if results.is_empty() {
        return;
    }
    println!("{:<44} {:>13} {:>6}  PPSSPP", "case", "passed", "known");
    let mut sum = Verdict::default();
    for (name, (status, verdict)) in results {
        let status = match status {
            Status::Passes => "passes",
            Status::Fails => "fails",
            Status::Unknown => "unknown",
        };
        println!("{name:<44} {:>6}/{:<6} {:>6}  {status}", verdict.passed, verdict.total, verdict.known);
        sum.passed += verdict.passed;
        sum.total += verdict.total;
        sum.known += verdict.known;
    }
    println!("{:<44} {:>6}/{:<6} {:>6}", "all", sum.passed, sum.total, sum.known);
}

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn output() -> PathBuf {
    manifest().join("../target/ge-tests")
}
