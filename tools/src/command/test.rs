//! `pspge test`: judges renderers by reference pictures.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pspge::documents::ErrorDocument;
use pspge::documents::judgement::{JudgementDocument, Outcome};
use pspge::documents::note::{NoteInfo, NoteSeverity};
use pspge::ge::limits::Limit;
use serde_json::json;

use self::column::Column;
use self::expectations::Expectations;
use self::folder::{Folder, Timed};
use self::judge::Judge;
use self::pattern::Pattern;
use self::report::{github, html, junit, markdown, terminal};
use self::requirement::{Near, Requirement, Tier};
use self::suite::{Case, Suite};
use self::totals::{Earlier, Totals};
use crate::batch::arguments::Shard;
use crate::batch::queue;
use crate::input::options::{OpenOptions, finite, seconds};
use crate::memory;
use crate::output::{self, Output};
use crate::renderer::command::RendererCommand;
use crate::terminal::console::{self, Console};
use crate::terminal::failure::{Failure, one_line};
use crate::terminal::notes::NoteText;
use crate::terminal::progress;
use crate::view::report as inspector;

mod bless;
mod collection;
mod column;
mod comparison;
mod drawing;
mod expectations;
mod folder;
mod frame_tests;
mod judge;
mod new_references;
mod pattern;
mod reason;
mod references;
mod report;
mod requirement;
mod scenes;
mod suite;
mod totals;

/// Groups options on the rule to pass by, in the help.
const RULE: &str = "Rule";
/// Groups options on cases, in the help.
const CASES: &str = "Cases";
/// Groups options on reports, in the help.
const REPORTS: &str = "Reports";

/// Judge renderers by reference pictures, and say where and why a picture is wrong
///
/// DIR is a folder of frame dumps, models and display lists. The references for x.ppdmp are x-psp.png or x.png, next
/// to it or in a folder `ref`, and x-psp-depth.bin for its depth buffer. DIR may also be a configuration for
/// PPSSPP's frame tests (frametests.json); a manifest.json in the folder tells more about its dumps, and a
/// scenes.tsv holds checksums that a PSP gave for lists.
///
/// Each failure is explained: the worst region, the events that cover it, the history of its worst pixel, and, for
/// another renderer, the first draw after which its picture differs.
///
/// If a picture fails, or if a picture passes that is expected to fail, the exit status is 1.
#[derive(Debug, clap::Args)]
#[command(mut_args(shorten_help))]
pub(crate) struct Args {
    /// Folder of cases, or a configuration of PPSSPP's frame tests
    #[arg(value_name = "DIR", value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// Renderer to judge: pspge, pspge-single, [NAME=]'CMD {in} {out}' or [NAME=]psp://FOLDER; may be repeated [default: pspge]
    ///
    /// pspge-single draws with single precision, as emulators do. In a command, {in} is the frame dump, {out} the
    /// picture to write, {depth} a depth buffer to write, {until} the last draw's number, from 0, and {count} the
    /// number of draws. Without the last two, dumps that end earlier help to find the draw at fault.
    ///
    /// psp://FOLDER is a real PSP that runs PSPLINK and sees FOLDER as host0:, with playback.prx from pspautotests
    /// in it. This takes Python 3, and `usbhostfs_pc` and `pspsh` from PSPLINK.
    #[arg(long, value_name = "RENDERER")]
    renderer: Vec<Column>,

    /// Folder for report.html, results.jsonl, junit.xml, summary.md and the pictures of failures
    ///
    /// An interrupted run goes on with the same options and folder. A finished run is compared with: the report
    /// tells which results have changed.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Print a JSON object per judgement (see pspge schema judgement)
    #[arg(long)]
    json: bool,

    /// The least match with which a picture passes [default: exact]
    #[arg(long, help_heading = RULE, value_enum, conflicts_with = "max_mse")]
    require: Option<Tier>,

    /// The largest mean squared error of the colours with which a picture passes; depth is not required to match
    #[arg(long, help_heading = RULE, value_name = "MSE", value_parser = finite)]
    max_mse: Option<f64>,

    /// Largest difference of a channel that counts as near, and of a depth
    #[arg(long, help_heading = RULE, value_name = "N[,DEPTH]", default_value = "8,64", hide_short_help = true)]
    near: Near,

    /// Failures that are expected, with reasons [default: DIR/pspge-test.toml if it exists]
    #[arg(long, help_heading = RULE, value_name = "FILE.toml")]
    expect: Option<PathBuf>,

    /// Accept all differences in this run: write them to the file of expectations
    ///
    /// Look at the report first. This removes expectations for cases that pass.
    #[arg(long, help_heading = RULE, conflicts_with_all = ["shard", "add_references"])]
    bless: bool,

    /// Reason for the expectations that --bless writes
    #[arg(long, help_heading = RULE, value_name = "TEXT", requires = "bless", hide_short_help = true)]
    reason: Option<String>,

    /// Only cases whose name contains this text, or matches it if it has * or ?; may be repeated
    #[arg(long, help_heading = CASES, value_name = "TEXT")]
    filter: Vec<Pattern>,

    /// Only every Nth case, from the Ith on; the same cases for the same folder
    #[arg(long, help_heading = CASES, value_name = "I/N")]
    shard: Option<Shard>,

    /// Suffix of the references, `none` for names without one; the first that exists counts [default: the renderer's name, psp, none]
    #[arg(long, help_heading = CASES, value_name = "SUFFIX", hide_short_help = true)]
    reference: Vec<String>,

    /// Judge by each --reference, side by side, rather than by the first that exists
    ///
    /// Each renderer is judged once for every suffix, as RENDERER-SUFFIX. Use this for pictures from several PSPs or
    /// programs.
    #[arg(long, help_heading = CASES, requires = "reference", conflicts_with = "add_references", hide_short_help = true)]
    each_reference: bool,

    /// Draw the references that are missing, with the only renderer, and do not judge
    #[arg(long, help_heading = CASES, hide_short_help = true)]
    add_references: bool,

    /// Longest time for each run of another renderer, in seconds [default: 60, or that of the configuration]
    #[arg(long, help_heading = CASES, value_name = "SECONDS", value_parser = seconds, hide_short_help = true)]
    timeout: Option<f64>,

    /// Times that another renderer draws a failed case again; a picture that then differs is noted
    #[arg(long, help_heading = CASES, value_name = "N", default_value = "0", hide_short_help = true)]
    retry: u32,

    /// Failures to explain, the worst first; 0 for none
    #[arg(long, help_heading = REPORTS, value_name = "N", default_value = "100", hide_short_help = true)]
    explain: usize,

    /// Also print annotations for GitHub [default: in a GitHub workflow]
    #[arg(long, help_heading = REPORTS, hide_short_help = true)]
    github: bool,

    /// Cases to judge at the same time; 0 = one per CPU
    #[arg(long, visible_alias = "threads", help_heading = CASES, value_name = "N", default_value = "0")]
    #[arg(hide_short_help = true)]
    jobs: usize,

    #[command(flatten)]
    open: OpenOptions,
}

/// Keeps options shared with other commands out of the short help, because it would grow too long.
fn shorten_help(arg: clap::Arg) -> clap::Arg {
    let is_shared = matches!(arg.get_help_heading(), Some("Model options" | "Input options"));
    if is_shared { arg.hide_short_help(true) } else { arg }
}

impl Args {
    /// Whether the user has chosen a rule to pass by.
    const fn has_requirement(&self) -> bool {
        self.require.is_some() || self.max_mse.is_some()
    }

    /// Whether only some cases are judged.
    const fn selects_cases(&self) -> bool {
        !self.filter.is_empty() || self.shard.is_some()
    }

    fn requirement(&self) -> Requirement {
        match self.max_mse {
            Some(most) => Requirement::MaxMse(most),
            None => Requirement::Tier(self.require.unwrap_or_default()),
        }
    }

    fn workers(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let is_psp = |column: &Column| column.command().is_some_and(RendererCommand::is_psp);
        match self.jobs {
            // Others would only wait for the PSP, until their time is up.
            _ if self.renderer.iter().any(is_psp) => 1,
            0 => all(),
            jobs => jobs,
        }
    }

    /// Whether to print annotations. GitHub's runners set `GITHUB_ACTIONS`.
    fn annotates(&self) -> bool {
        self.github || (!self.json && std::env::var_os("GITHUB_ACTIONS").is_some())
    }

    /// Collects everything that judgements depend on except for a case's files. A resumed run may reuse judgements
    /// only if this is the same.
    fn judgement_options(&self, suite: &Suite, expectations: &Expectations) -> String {
        let Self { near: Near { color, depth }, open, .. } = self;
        let column = |column: &Column| {
            (
                column.name.clone(),
                column.command().map(|command| command.text().to_owned()),
                column.suffixes.clone(),
            )
        };
        let limits = open.limits();
        json!({
            "columns": suite.columns.iter().map(column).collect::<Vec<_>>(),
            "requirement": suite.requirement.to_string(),
            "near": [color, depth],
            "timeout": suite.timeout,
            "retry": self.retry,
            "open": open,
            "limits": Limit::ALL.map(|limit| limits.get(limit)),
            "expectations": expectations.text,
        })
        .to_string()
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let result = run_suite(args, console);
    if args.json
        && let Some(error) = result.as_ref().err().and_then(Failure::as_error)
    {
        let mut out = Output::new();
        out.json(&ErrorDocument::new(&args.input, error.info.clone()), false)?;
        out.finish()?;
    }
    result
}

fn run_suite(args: &Args, console: Console) -> Result<(), Failure> {
    let suite = Suite::open(args, args.output.as_deref())?;
    check_names(&suite)?;
    if args.add_references {
        return new_references::draw(args, &suite, console);
    }
    let expectations = Expectations::read(args.expect.as_deref(), &suite.folder)?;
    let judge = Judge {
        suite: &suite,
        expectations: &expectations,
        near: args.near,
        open: &args.open,
        retries: args.retry,
    };
    let options = args.judgement_options(&suite, &expectations);
    let output = args.output.as_deref().or(suite.output.as_deref());
    let mut folder = output.map(|path| Folder::open(path, &options)).transpose()?;
    let earlier = folder.as_ref().map(Folder::earlier).unwrap_or_default();
    let Found { mut judgements, times, other_files } =
        judge_all(args, &judge, folder.as_mut(), output, console)?;
    explain_worst(args, &judge, &mut judgements)?;
    let mut out = Output::new();
    print(args, &suite, &judgements, &mut out)?;
    out.finish()?;
    let totals: Vec<(String, Totals)> = suite
        .columns
        .iter()
        .map(|column| (column.name.clone(), Totals::of_renderer(&judgements, &column.name)))
        .collect();
    if let (Some(folder), Some(path)) = (&folder, output) {
        let has_failures = judgements.iter().any(|judgement| judgement.outcome == Outcome::Failed);
        let report = html::Report {
            suite: &suite,
            totals: &totals,
            judgements: &judgements,
            times: &times,
            before: Earlier::new(earlier, &judgements, args.selects_cases()),
            other_files,
            inspector: write_inspector(folder, has_failures)?,
            folder: path,
        };
        write_reports(folder, &report)?;
        folder.finish();
    }
    if !console.quiet {
        print_notes(&judgements);
        note_leftovers(&suite, &expectations, &judgements, args);
        print_summary(&suite, &totals, folder.as_ref());
    }
    if args.bless {
        return accept(args, &suite, &expectations, &judgements, console);
    }
    let fails = totals.iter().any(|(_, totals)| totals.failures() > 0);
    let is_problem = |note: &NoteInfo| note.severity == NoteSeverity::Problem;
    let is_incomplete = |judgement: &JudgementDocument| {
        judgement.outcome == Outcome::WithoutReference || judgement.notes.iter().any(is_problem)
    };
    let is_noted = console.strict && judgements.iter().any(is_incomplete);
    if fails || is_noted { Err(Failure::Reported) } else { Ok(()) }
}

/// Prints notes on all cases, each once, because renderers share notes on the file.
fn print_notes(judgements: &[JudgementDocument]) {
    let mut printed = BTreeSet::new();
    for judgement in judgements {
        for note in &judgement.notes {
            let line = format!("note: {}: {}", one_line(&judgement.input), NoteText(note));
            if printed.insert(line.clone()) {
                console::print(line);
            }
        }
    }
}

/// Prints sums for all renderers, and the report's path.
fn print_summary(suite: &Suite, totals: &[(String, Totals)], folder: Option<&Folder>) {
    for (name, totals) in totals {
        console::print(terminal::summary(name, totals));
    }
    if let Some(folder) = folder {
        console::print(one_line(&folder.file("report.html").display().to_string()));
    }
    if let Some(bytes) = memory::peak() {
        let (count, bytes) = (suite.cases.len(), memory::Mebibytes(bytes));
        console::print(format_args!(
            "{count} case{}, peak memory {bytes}",
            if count == 1 { "" } else { "s" }
        ));
    }
}

/// Accepts this run's results, by writing them into the file of expectations.
fn accept(
    args: &Args,
    suite: &Suite,
    expectations: &Expectations,
    judgements: &[JudgementDocument],
    console: Console,
) -> Result<(), Failure> {
    let path = expectations.path.clone().unwrap_or_else(|| suite.folder.join(expectations::NAME));
    let blessed = bless::bless(&path, expectations, judgements, args.reason.as_deref())?;
    let bless::Blessed { added, changed, removed, left } = blessed;
    let name = one_line(&path.display().to_string());
    console.print_hint(format_args!(
        "{name}: {added} added, {changed} changed, {removed} removed, {left} left as they are"
    ));
    if left > 0 { Err(Failure::Reported) } else { Ok(()) }
}

/// Checks that renderers have different names, to tell them apart.
fn check_names(suite: &Suite) -> Result<(), Failure> {
    let mut names: Vec<&str> = suite.columns.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            let problem = format_args!("two renderers are named {:?}: name one as NAME='CMD'", pair[0]);
            Err(Failure::usage(problem))
        }
        None => Ok(()),
    }
}

struct Found {
    /// In the order of the cases.
    judgements: Vec<JudgementDocument>,
    /// How long each judgement took.
    times: Vec<Duration>,
    /// How many files are no cases.
    other_files: u64,
}

fn judge_all(
    args: &Args,
    judge: &Judge<'_>,
    mut folder: Option<&mut Folder>,
    output: Option<&Path>,
    console: Console,
) -> Result<Found, Failure> {
    let cases = &judge.suite.cases;
    if let Some(known) = folder.as_deref().map(Folder::known_count).filter(|known| *known > 0) {
        console.print_hint(format_args!("going on after {known} of {} cases", cases.len()));
    }
    let known: Vec<Option<Timed>> = match folder.as_deref() {
        Some(folder) => cases.iter().map(|case| folder.known(case)).collect(),
        None => vec![None; cases.len()],
    };
    let tasks: Vec<(&Case, &Option<Timed>)> = cases.iter().zip(&known).collect();
    let bar = progress::bar("cases", cases.len() as u64);
    let work = |(case, known): &(&Case, &Option<Timed>)| {
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let judged = judge.judge(case);
        // The pictures go to disk at once, because a large run's pictures may not fit into memory together.
        if let Some(output) = output {
            for judged in judged.iter().filter(|judged| judged.document.outcome == Outcome::Failed) {
                folder::write_pictures(output, judged)?;
            }
        }
        Ok(judged.into_iter().map(|judged| (judged.document, judged.time)).collect())
    };
    let (mut judgements, mut times, mut other_files) = (Vec::new(), Vec::new(), 0);
    queue::run_in_order(&tasks, args.workers(), work, |(case, known), result: Result<Timed, Failure>| {
        let found = result?;
        bar.inc(1);
        if let (Some(folder), None) = (folder.as_deref_mut(), known) {
            // This is kept at once, so that an interrupted run can go on after this case.
            folder.keep(case, &found)?;
        }
        other_files += u64::from(found.is_empty());
        for (judgement, time) in found {
            judgements.push(judgement);
            times.push(time);
        }
        Ok::<(), Failure>(())
    })?;
    drop(bar);
    Ok(Found { judgements, times, other_files })
}

fn explain_worst(
    args: &Args,
    judge: &Judge<'_>,
    judgements: &mut [JudgementDocument],
) -> Result<(), Failure> {
    let mut failed: Vec<usize> = (0..judgements.len())
        .filter(|index| judgements.get(*index).is_some_and(|judgement| judgement.outcome == Outcome::Failed))
        .collect();
    failed.sort_by_cached_key(|index| judgements.get(*index).map(totals::badness));
    failed.truncate(args.explain);
    let bar = progress::bar("reasons", failed.len() as u64);
    let find = |index: &usize| {
        let judgement = judgements.get(*index)?;
        let case = judge.suite.cases.iter().find(|case| case.name == judgement.case)?;
        let mut columns = judge.suite.columns.iter().zip(&case.references);
        let (column, reference) = columns.find(|(column, _)| column.name == judgement.renderer)?;
        Some(judge.explain(case, column, reference).explanation)
    };
    let mut found = Vec::new();
    queue::run_in_order(&failed, args.workers(), find, |index, explanation| {
        bar.inc(1);
        found.push((*index, explanation.flatten()));
        Ok::<(), Failure>(())
    })?;
    drop(bar);
    for (index, explanation) in found {
        if let Some(judgement) = judgements.get_mut(index) {
            judgement.explanation = explanation;
        }
    }
    Ok(())
}

fn print(
    args: &Args,
    suite: &Suite,
    judgements: &[JudgementDocument],
    out: &mut Output,
) -> Result<(), Failure> {
    for judgement in judgements {
        if args.json {
            out.json(judgement, false)?;
            continue;
        }
        terminal::print(judgement, suite.columns.len() > 1, out)?;
        for line in terminal::explanation(judgement) {
            out.line(format_args!("{line}"))?;
        }
        if args.annotates()
            && let Some(line) = github::annotation(judgement)
        {
            out.line(format_args!("{line}"))?;
        }
    }
    Ok(())
}

/// Writes the inspector's page for the report to link to. Returns its name, or `None` if no page is needed or
/// available.
fn write_inspector(folder: &Folder, is_needed: bool) -> Result<Option<&'static str>, Failure> {
    const NAME: &str = "inspector.html";
    if !is_needed || !inspector::is_available() {
        return Ok(None);
    }
    output::write(&folder.file(NAME), inspector::write(&[], None, None)?.as_bytes())?;
    Ok(Some(NAME))
}

fn write_reports(folder: &Folder, report: &html::Report<'_>) -> Result<(), Failure> {
    let html::Report { suite, totals, judgements, times, .. } = report;
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::file_problem(path.display(), "input-output", error.to_string())
    };
    output::write_with(&folder.file("report.html"), |out| {
        let mut out = std::io::BufWriter::new(out);
        report.write(&mut out)?;
        out.flush()
    })?;
    output::write_with(&folder.file(folder::RESULTS), |out| {
        let mut out = std::io::BufWriter::new(out);
        for judgement in *judgements {
            serde_json::to_writer(&mut out, judgement)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    })?;
    let path = folder.file("junit.xml");
    let xml = junit::xml(suite, judgements, times).map_err(|error| failed(&path, &error))?;
    output::write(&path, xml.as_bytes())?;
    let mut failures: Vec<&JudgementDocument> =
        judgements.iter().filter(|judgement| judgement.outcome.is_failure()).collect();
    failures.sort_by_cached_key(|judgement| totals::badness(judgement));
    let summary = markdown::summary(&suite.title, totals, &failures);
    output::write(&folder.file("summary.md"), summary.as_bytes())?;
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) {
        // Other commands in the same step may write a summary, too, so this appends to theirs.
        let file = std::fs::OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(summary.as_bytes()))
            .map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

/// Notes references without a case, and expectations without a case.
fn note_leftovers(suite: &Suite, expectations: &Expectations, judgements: &[JudgementDocument], args: &Args) {
    const SHOWN: usize = 8;
    for path in suite.unused.iter().take(SHOWN) {
        let name = one_line(&path.display().to_string());
        console::print(format_args!("note: {name}: belongs to no case, or another reference is preferred"));
    }
    if let Some(more) = suite.unused.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        console::print(format_args!("note: {more} more files are references of no case"));
    }
    if !args.selects_cases() {
        let is_stale = |entry: &&expectations::Expectation| {
            !judgements.iter().any(|judgement| entry.is_about(&judgement.case, &judgement.renderer))
        };
        for entry in expectations.entries.iter().filter(is_stale) {
            let text = format!("{} ({})", entry.info.reason, entry.info.kind);
            console::print(format_args!("note: an expectation is about no case: {}", one_line(&text)));
        }
    }
}
