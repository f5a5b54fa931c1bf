//! Runs a trial for each case folder, named `hardware::filtering::linear` and so on, for each recorded frame from a
//! program that ran on a real PSP (`frame::…`, if `PSPGE_CORPUS` is set), and for each measured job (`measured::…`,
//! likewise). Then prints a table of results by hardware test. To select trials, pass the same arguments as for
//! ordinary tests: a filter, `--list`, `--exact`, `--nocapture`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use ge_tests::case::{self, Case, CaseKind};
use ge_tests::inventory::Inventory;
use ge_tests::measured::{self, MeasuredLine};
use ge_tests::run::Machine;
use ge_tests::score::Score;
use ge_tests::verdict::run_case;
use ge_tests::{corpus, frames, scoreboard, snapshot};
use libtest_mimic::{Arguments, Failed, Trial};
use pspge::ge::arithmetic::Arithmetic;

/// The suite's tests with the results so far, shared by all trials.
type Results = Arc<Mutex<Inventory>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (trials, results) = match trials() {
        Ok(all) => all,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let conclusion = libtest_mimic::run(&arguments, trials);
    if arguments.list {
        return conclusion.exit_code();
    }
    show(&locked(&results));
    let is_whole = arguments.filter.is_none() && arguments.skip.is_empty() && !conclusion.has_failed();
    if is_whole && let Err(problem) = check_scoreboard(&locked(&results)) {
        eprintln!("error: {problem}");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

/// Compares the reference page with the results, if there is a corpus; to accept changes, writes the page instead.
fn check_scoreboard(results: &Inventory) -> Result<(), String> {
    let Some(recorded) = corpus::folder("frames") else { return Ok(()) };
    let (path, page) = (scoreboard::path(), scoreboard::page(results, &recorded));
    if snapshot::accepts_changes() {
        return std::fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()));
    }
    let accepted = std::fs::read_to_string(&path).unwrap_or_default();
    if accepted == page {
        return Ok(());
    }
    let line = 1 + accepted.lines().zip(page.lines()).take_while(|(old, new)| old == new).count();
    Err(format!("{}:{line}: the page changed; INSTA_UPDATE=always accepts it", path.display()))
}

fn trials() -> Result<(Vec<Trial>, Results)> {
    let root = manifest().join("cases");
    let cases = case::names(&root)?.iter().map(|name| Case::read(&root, name)).collect::<Result<Vec<_>>>()?;
    let results = Arc::new(Mutex::new(Inventory::read(&root, &cases)?));
    let mut trials = Vec::new();
    for case in cases {
        let results = Arc::clone(&results);
        trials.push(Trial::test(case.trial_name(), move || check(&case, &results)));
    }
    for (name, path) in corpus::folder("hardware").iter().flat_map(|folder| frames::dumps(folder)) {
        let results = Arc::clone(&results);
        trials.push(Trial::test(format!("frame::{name}"), move || check_frame(&name, &path, &results)));
    }
    let measured = measured_lines()?;
    if !measured.is_empty() && snapshot::accepts_changes() {
        measured::write_names(&root, &measured)?;
    }
    for line in measured {
        let results = Arc::clone(&results);
        trials.push(Trial::test(line.trial.clone(), move || check_measured(&line, &results)));
    }
    Ok((trials, results))
}

/// Reads the corpus's measured jobs. Without a corpus or such jobs there are none, and a message says so.
fn measured_lines() -> Result<Vec<MeasuredLine>> {
    let Some(folder) = corpus::folder("measured") else { return Ok(Vec::new()) };
    if !folder.is_dir() {
        eprintln!("SKIPPED: {} does not exist, so no measured job was run", folder.display());
        return Ok(Vec::new());
    }
    measured::lines(&folder)
}

fn locked(results: &Results) -> MutexGuard<'_, Inventory> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check(case: &Case, results: &Results) -> Result<(), Failed> {
    if case.settings.kind == CaseKind::Trace {
        return check_trace(case);
    }
    let verdict = run_case(case, &output()).map_err(|error| Failed::from(format!("{error:#}")))?;
    locked(results).add(case, &verdict);
    if verdict.failures.is_empty() { Ok(()) } else { Err(verdict.failures.into()) }
}

/// Compares a frame with the picture captured on a real PSP. The number of wrong pixels must not grow, and
/// `tests.tsv` must record an exact match.
fn check_frame(name: &str, path: &Path, results: &Results) -> Result<(), Failed> {
    let wrong = Score::new(&frames::draw(path, Arithmetic::Hardware), &frames::reference(path)).differing;
    let mut results = locked(results);
    let test = results.for_frame(name).ok_or_else(|| format!("tests.tsv has no test for `{name}`"))?;
    test.wrong_pixels = Some(wrong);
    let (known, _) = test.frame.ok_or("tests.tsv lists no recorded frame for this test")?;
    match wrong {
        0 if known > 0 => Err("the picture is exact, but tests.tsv lists wrong pixels".into()),
        _ if wrong > known => Err(format!("{wrong} pixels differ, {known} are known").into()),
        _ => Ok(()),
    }
}

/// Compares a measured job's results with a real PSP's, for every engine.
fn check_measured(line: &MeasuredLine, results: &Results) -> Result<(), Failed> {
    let outcome = line.check();
    locked(results).add_measured(&line.file, outcome.is_ok());
    outcome.map_err(Failed::from)
}

/// Compares a case's trace with its snapshot.
fn check_trace(case: &Case) -> Result<(), Failed> {
    let mut machine = Machine::new(case.settings.background, case.settings.arithmetic);
    let trace = machine.trace(&case.program).map_err(|error| Failed::from(format!("{error:#}")))?;
    snapshot::assert(&format!("trace_{}", case.name.replace('/', "_")), &trace);
    Ok(())
}

/// Prints the results next to those of PPSSPP's software renderer.
#[expect(clippy::print_stdout, reason = "the table is the test's output")]
fn show(results: &Inventory) {
    println!("{results}");
}

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn output() -> PathBuf {
    manifest().join("../target/ge-tests")
}
