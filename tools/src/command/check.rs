//! `pspge check`: finds mistakes in lists, frame dumps and models.

use pspge::check::{CheckOptions, Finding, Machine, Rule, Severity};
use pspge::documents::FindingDocument;
use pspge::formats::Content;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::camera::CameraArgs;
use crate::console::Console;
use crate::failure::{Failure, one_line};
use crate::input::options::OpenOptions;
use crate::job::{Job, Outcome, Session, Task};
use crate::output::Output;
use crate::run::ArithmeticArg;

mod levels;

use levels::{Levels, Selector};

/// Find mistakes in lists, dumps and models: missing data, state without effect
///
/// Each input is run and drawn. A finding is a line with the draw, the address of the command, the severity, the text and
/// the code of the rule. Findings of the same rule and cause are one finding with a count. An error means that the hardware
/// hangs or that the picture is certainly wrong, a warning is very likely a mistake, and a hint is without effect or usual
/// in games. The exit status is 1 if there is an error.
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
    /// `hints` includes the warnings. A rule that is named itself comes before `warnings` and `hints`.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    deny: Vec<Selector>,

    /// Only findings where a PSP and emulators show something else, with what this one does
    ///
    /// What looks right under an emulator and is wrong on the console, and the other way round.
    #[arg(long, value_enum)]
    target: Option<Target>,

    /// Print why a rule exists and what to do about its findings
    #[arg(long, value_name = "CODE", conflicts_with_all = ["inputs", "json", "list"])]
    explain: Option<Selector>,

    /// Print the code, severity and title of every rule
    #[arg(long, conflicts_with_all = ["inputs", "json"])]
    list: bool,

    /// Print JSON, one object per finding
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    camera: CameraArgs,

    /// Arithmetic of transform and rasterizer
    #[arg(long, value_enum, default_value = "hardware", hide_short_help = true)]
    arithmetic: ArithmeticArg,
}

/// The machine on which a list has to run.
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
    batch::run(&Check { args, levels }, &args.batch, console)
}

/// Prints all rules.
fn list(out: &mut Output) -> Result<(), Failure> {
    let width = Rule::ALL.iter().map(|rule| rule.code().len()).max().unwrap_or(0);
    for rule in Rule::ALL {
        let (code, severity, title) = (rule.code(), rule.severity(), rule.title());
        out.line(format_args!("{code:width$}  {severity:7}  {title}"))?;
    }
    Ok(())
}

/// Prints a rule's title, its reason, and its remedy.
fn explain(out: &mut Output, rule: Rule) -> Result<(), Failure> {
    let (code, severity) = (rule.code(), rule.severity());
    out.line(format_args!("{code} ({severity}): {}", rule.title()))?;
    out.line(format_args!("  Why: {}", rule.why()))?;
    if let (Some(psp), Some(emulator)) = (rule.on(Machine::Psp), rule.on(Machine::Emulator)) {
        out.line(format_args!("  Target: {psp}; {emulator}"))?;
    }
    out.line(format_args!("  What to do: {}", rule.remedy()))
}

/// Checks an input.
struct Check<'a> {
    args: &'a Args,
    levels: Levels,
}

impl Job for Check<'_> {
    fn done(&self) -> &'static str {
        "checked"
    }

    fn nothing(&self) -> &'static str {
        "nothing to check"
    }

    fn different(&self) -> &'static str {
        "with errors"
    }

    fn names_input(&self) -> bool {
        true
    }

    fn prints_json(&self) -> bool {
        self.args.json
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let args = self.args;
        // Notes on the file come back as findings, so they are kept out to avoid saying them twice.
        let mut notes = session.notes.empty_for_same();
        let asset = args.open.open(&task.input, &mut notes)?;
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
        self.print(&task.input, findings, session)
    }
}

impl Check<'_> {
    /// Prints findings that are not allowed, the worst first.
    fn print(&self, input: &str, findings: Vec<Finding>, session: &mut Session) -> Result<Outcome, Failure> {
        let level = |mut finding: Finding| {
            if let Some(target) = self.args.target {
                finding.message += &format!("; {}", finding.rule.on(target.into())?);
            }
            Some((self.levels.severity(&finding)?, finding))
        };
        let mut findings: Vec<(Severity, Finding)> = findings.into_iter().filter_map(level).collect();
        findings.sort_by_key(|(severity, _)| *severity);
        let counts =
            Severity::ALL.map(|severity| findings.iter().filter(|found| found.0 == severity).count());
        for (severity, finding) in &findings {
            let finding = finding.clone().with_severity(*severity);
            if self.args.json {
                session.out.json(&FindingDocument::new(input, &finding), false)?;
            } else {
                // As editors and compilers write it, so that the place can be jumped to.
                let place = finding.place.location.as_ref().map(ToString::to_string);
                let place = place.map_or_else(|| name(input), |place| one_line(&place));
                session.out.line(format_args!("{place}: {}", one_line(&finding.to_string())))?;
            }
        }
        if !self.args.json {
            session.out.line(format_args!("{}: {}", name(input), count_text(counts)))?;
        }
        Ok(if counts[0] > 0 { Outcome::Different } else { Outcome::Done })
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
