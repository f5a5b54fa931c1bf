//! `pspge check`: finds mistakes in lists, frame dumps and models.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pspge::Asset;
use pspge::check::{CheckOptions, Finding, Machine, Rule, Severity};
use pspge::documents::FindingDocument;
use pspge::formats::{self, Content, Members};

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::camera::CameraArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task, TaskResult};
use crate::output::Output;
use crate::run::ArithmeticArg;
use crate::terminal::colors::Mark;
use crate::terminal::console::Console;
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::failure::{Failure, one_line};

mod explanation;
mod levels;
mod sarif;

use explanation::explanation;
use levels::{Levels, Selector};
use sarif::SarifLog;

/// Find mistakes in lists, dumps and models: missing data, state without effect
///
/// Each input is run and drawn. A finding is a line with the draw, the command's address, the severity, the text and
/// the rule's code. Findings with the same rule and cause are shown once, with a count. An error means that the
/// hardware hangs or that the picture is certainly wrong, a warning is very likely a mistake, and a hint is without
/// effect or usual in games. If there is an error, the exit status is 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// Leave out findings of this rule, or all `warnings` or `hints`; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    allow: Vec<Selector>,

    /// Count findings of this rule, or all `warnings` or `hints`, as errors; may be repeated
    ///
    /// `hints` includes the warnings. To treat a rule in another way than its group, name it: this comes first.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    deny: Vec<Selector>,

    /// Show only findings where a PSP and emulators differ, and say how this machine behaves
    ///
    /// Such a list looks right under an emulator and wrong on the console, or the other way round.
    #[arg(long, value_enum)]
    target: Option<Target>,

    /// Print why a rule exists and what to do about its findings
    #[arg(long, value_name = "CODE", conflicts_with_all = ["inputs", "json", "list", "sarif", "code_quality"])]
    explain: Option<Selector>,

    /// Print the code, severity and title of every rule
    #[arg(long, conflicts_with_all = ["inputs", "json", "sarif", "code_quality"])]
    list: bool,

    /// Print JSON, one object per finding
    #[arg(long)]
    json: bool,

    /// Print a SARIF log of all inputs, for editors and code scanning
    ///
    /// It names every rule, and where each finding is: line and column in assembly text, bytes in other files. An
    /// input that cannot be opened is a notification in it, besides the message on standard error.
    #[arg(long, conflicts_with = "json")]
    sarif: bool,

    /// Print a Code Quality report of all inputs, for merge requests of GitLab
    ///
    /// Each finding has a line, which is 1 in files without text. An input that cannot be opened is an issue in it,
    /// besides the message on standard error.
    #[arg(long, conflicts_with_all = ["json", "sarif"], hide_short_help = true)]
    code_quality: bool,

    #[command(flatten)]
    camera: CameraArgs,

    /// Arithmetic of transform and rasterizer
    #[arg(long, value_enum, default_value = "hardware", hide_short_help = true)]
    arithmetic: ArithmeticArg,
}

/// The machine to run a list on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    /// The console
    Psp,
    /// Programs that draw from memory without a texture cache, and in floating point, as most do
    Emulator,
}

impl From<Target> for Machine {
    fn from(target: Target) -> Self {
        match target {
            Target::Psp => Self::Psp,
            Target::Emulator => Self::Emulator,
        }
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let mut out = Output::new();
    if args.list {
        list(&mut out)?;
        return out.finish();
    }
    if let Some(selector) = args.explain {
        let Selector::Rule(rule) = selector else {
            return Err(Failure::usage(format_args!("--explain {selector}: name one rule")));
        };
        explain(&mut out, rule)?;
        return out.finish();
    }
    let levels = Levels::new(&args.allow, &args.deny, console.strict)?;
    let check = Check { args, levels, log: (args.sarif || args.code_quality).then(Mutex::default) };
    let result = batch::run(&check, &args.batch, console);
    if let Some(collected) = check.log {
        let log = collected.into_inner().unwrap_or_else(PoisonError::into_inner).log;
        print_log(log, &result, args.code_quality)?;
    }
    result
}

/// Prints the log for a run with this result. After wrong usage there is no log.
fn print_log(mut log: SarifLog, result: &Result<(), Failure>, as_code_quality: bool) -> Result<(), Failure> {
    let status = result.as_ref().err().map_or(ExitStatus::Success, Failure::status);
    if status == ExitStatus::Usage {
        return Ok(());
    }
    // The run may end before its first input, for instance at an empty folder.
    if let Some(error) = result.as_ref().err().and_then(Failure::as_error)
        && !log.has_failed()
    {
        log.fail(error.info.file.as_deref().unwrap_or("-"), &error.info);
    }
    log.end(status);
    let mut out = Output::new();
    if as_code_quality {
        out.json(&log.into_issues(), true)?;
    } else {
        out.json(&log, true)?;
    }
    out.finish()
}

fn list(out: &mut Output) -> Result<(), Failure> {
    let width = Rule::ALL.iter().map(|rule| rule.code().len()).max().unwrap_or(0);
    for rule in Rule::ALL {
        let (code, severity, title) = (rule.code(), rule.severity(), rule.title());
        out.line(format_args!("{code:width$}  {severity:7}  {title}"))?;
    }
    Ok(())
}

fn explain(out: &mut Output, rule: Rule) -> Result<(), Failure> {
    let (code, severity) = (rule.code(), rule.severity());
    out.line(format_args!("{code} ({severity}): {}", rule.title()))?;
    explanation(rule).iter().try_for_each(|line| out.line(format_args!("  {line}")))
}

struct Check<'a> {
    args: &'a Args,
    levels: Levels,
    /// Collects findings for `--sarif` and `--code-quality`.
    log: Option<Mutex<Collected>>,
}

/// The log for finished inputs, in their order, and findings for later inputs.
struct Collected {
    log: SarifLog,
    /// Findings for each input that waits for its turn, by its number, and whether their offsets are in its file.
    waiting: BTreeMap<usize, (Vec<FindingDocument>, bool)>,
}

impl Default for Collected {
    fn default() -> Self {
        Self { log: SarifLog::new(), waiting: BTreeMap::new() }
    }
}

impl Job for Check<'_> {
    fn info(&self) -> JobInfo {
        JobInfo {
            different: "with errors",
            names_input: true,
            prints_json: self.args.json,
            ..JobInfo::new("checked", "nothing to check")
        }
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let args = self.args;
        // Notes on the file come back as findings, so they are kept out to avoid saying them twice.
        let mut notes = session.notes.empty_for_same();
        let (asset, bytes) = args.open.open(&task.input, None, &mut notes)?;
        session.notes.add_ignored_options(notes);
        for option in args.camera.given().filter(|_| asset.model().is_none()) {
            let reason = format!("{} is not a model", asset.kind());
            session.notes.ignore_option(&task.input, option, &reason)?;
        }
        let options = CheckOptions::default()
            .limits(args.open.limits())
            .arithmetic(args.arithmetic.into())
            .camera(args.camera.camera());
        let is_container = matches!(asset.content(), Some(Content::Archive { .. }));
        let findings = asset.check(&options);
        if findings.is_empty() && is_container {
            return Ok(Outcome::Nothing);
        }
        let findings = self.leveled(findings);
        let counts = Severity::ALL
            .map(|severity| findings.iter().filter(|finding| finding.severity == severity).count());
        if let Some(collected) = &self.log {
            let is_stored = is_stored(&asset, &bytes);
            let documents =
                findings.iter().map(|finding| FindingDocument::new(&task.input, finding)).collect();
            lock(collected).waiting.insert(task.number, (documents, is_stored));
        } else {
            self.print(&task.input, &findings, counts, session)?;
        }
        Ok(if counts[0] > 0 { Outcome::Different } else { Outcome::Done })
    }

    fn finish(&self, task: &Task, result: &TaskResult<'_>) -> Result<(), Failure> {
        let Some(collected) = &self.log else { return Ok(()) };
        let mut collected = lock(collected);
        if let Some((findings, is_stored)) = collected.waiting.remove(&task.number) {
            findings.into_iter().for_each(|finding| collected.log.add(finding, is_stored));
        }
        if let Some(error) = result.error {
            collected.log.fail(&task.input, error);
        }
        Ok(())
    }
}

/// Whether offsets in findings count bytes in the file on disk, rather than in data unpacked from it.
fn is_stored(asset: &Asset, bytes: &[u8]) -> bool {
    let members = formats::sniff(bytes).map(|format| format.descriptor().members);
    let is_unpacked = matches!(members, Some(Members::Archived { .. } | Members::Parts { .. }));
    // Frame dumps compress their payload, so offsets in it are no offsets in the file.
    !is_unpacked && !matches!(asset.content(), Some(Content::Frame { .. }))
}

fn lock(collected: &Mutex<Collected>) -> MutexGuard<'_, Collected> {
    collected.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Check<'_> {
    /// Leaves out allowed findings and sets the severity the options ask for. Puts the worst first.
    fn leveled(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let level = |mut finding: Finding| {
            if let Some(target) = self.args.target {
                finding.message += &format!("; {}", finding.rule.on(target.into())?);
            }
            let severity = self.levels.severity(&finding)?;
            Some(finding.with_severity(severity))
        };
        let mut findings: Vec<Finding> = findings.into_iter().filter_map(level).collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }

    /// Prints findings, and as text how many there are for each severity.
    fn print(
        &self,
        input: &str,
        findings: &[Finding],
        counts: [usize; 3],
        session: &mut Session,
    ) -> Result<(), Failure> {
        if self.args.json {
            let mut documents = findings.iter().map(|finding| FindingDocument::new(input, finding));
            return documents.try_for_each(|document| session.out.json(&document, false));
        }
        for finding in findings {
            // Editors and compilers write places like this, to let people jump to them.
            let place = finding.place.location.as_ref().map(ToString::to_string);
            let place = place.map_or_else(|| name(input), |place| one_line(&place));
            let (text, severity) = (one_line(&finding.to_string()), finding.severity);
            let (before, after) = text.split_once(severity.name()).unwrap_or((&text, ""));
            session.out.marked_line(&format!("{place}: {before}"), mark(severity), severity.name(), after)?;
        }
        let worst = Severity::ALL.into_iter().zip(counts).find(|(_, count)| *count > 0);
        let mark = worst.map_or(Mark::Good, |(severity, _)| mark(severity));
        session.out.marked_line(&format!("{}: ", name(input)), mark, &count_text(counts), "")
    }
}

fn mark(severity: Severity) -> Mark {
    match severity {
        Severity::Error => Mark::Error,
        Severity::Warning => Mark::Warning,
        Severity::Hint => Mark::Note,
    }
}

/// Returns an input's name, fit for a line.
fn name(input: &str) -> String {
    one_line(if input == "-" { "standard input" } else { input })
}

/// Counts errors, warnings and hints in words: `1 error, 2 hints`.
fn count_text(counts: [usize; 3]) -> String {
    let part = |(severity, count): (Severity, usize)| match count {
        0 => None,
        1 => Some(format!("1 {severity}")),
        _ => Some(format!("{count} {severity}s")),
    };
    let parts: Vec<String> = Severity::ALL.into_iter().zip(counts).filter_map(part).collect();
    if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_words() {
        assert_eq!(count_text([0, 0, 0]), "no findings", "nothing");
        assert_eq!(count_text([1, 0, 2]), "1 error, 2 hints", "some");
    }
}
