//! Runs a command over its inputs: one file, several, folders, or lists of files.
//!
//! # Invariants
//! * Outputs, notes, errors and report lines keep the order of the given inputs, for any number of threads.
//! * A failing input does not stop the others.
//! * An output's name depends on its input alone.
//! * An option that applies to some inputs is ignored by the others; if it cannot apply to any, this is an error.

pub(crate) mod arguments;
mod ignored;
pub(crate) mod inputs;
mod names;
pub(crate) mod queue;
mod report;
mod summary;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pspge::documents::ErrorDocument;

use self::arguments::{BatchArgs, Destination, OutputArgs};
use self::ignored::IgnoredOptions;
use self::inputs::Inputs;
use self::report::Report;
use self::summary::Summary;
use crate::job::{Job, Outcome, Session, Task, TaskResult};
use crate::output::{KeptOutput, Output};
use crate::terminal::console::Console;
use crate::terminal::failure::{CommandError, Failure};
use crate::terminal::notes::Notes;
use crate::terminal::progress;
use crate::{memory, output};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The work is done.
    Ok,
    /// The work is done, and its result counts as a difference.
    Different,
    /// The command has nothing to do, because the input holds no content for it.
    Nothing,
    /// The output exists, and `--skip-existing` asks to keep it.
    Skipped,
    /// The file was found in a folder and has no known format, so nobody asked for it.
    Foreign,
    /// The job failed.
    Failed,
}

/// Keeps everything about a finished input until its turn to be printed.
struct Finished {
    state: State,
    error: Option<CommandError>,
    /// The text to print, or `None` if the job printed nothing.
    printed: Option<KeptOutput>,
    notes: Notes,
    written: Vec<PathBuf>,
    milliseconds: f64,
}

/// Runs a job over all inputs.
///
/// # Errors
/// If the inputs cannot be listed, an input failed, or an option cannot apply to any of them. If there is just one
/// input, its error is returned with its own exit status; errors from several inputs are printed.
pub(crate) fn run(job: &impl Job, args: &BatchArgs, console: Console) -> Result<(), Failure> {
    run_into(job, args, &Destination::None, console)
}

/// Use this instead of [`run`] for a job that writes files.
pub(crate) fn run_into(
    job: &impl Job,
    args: &BatchArgs,
    destination: &Destination<'_>,
    console: Console,
) -> Result<(), Failure> {
    run_listed(job, inputs::list(job, args, destination)?, args, destination, console)
}

/// Use this for a job that collects all results into files in a single folder. Files already there are not
/// taken as inputs.
pub(crate) fn run_collecting(
    job: &impl Job,
    args: &BatchArgs,
    output: &OutputArgs,
    console: Console,
) -> Result<(), Failure> {
    let inputs = inputs::list(job, args, &Destination::Folders(output))?;
    run_listed(job, inputs, args, &Destination::None, console)
}

/// Use this for inputs the command has listed itself. Inputs in `args` have no effect.
pub(crate) fn run_listed(
    job: &impl Job,
    mut inputs: Inputs,
    args: &BatchArgs,
    destination: &Destination<'_>,
    console: Console,
) -> Result<(), Failure> {
    if let Some(shard) = args.shard {
        inputs.keep(shard);
    }
    let tasks = names::assign(&inputs, destination, job)?;
    let mut report = Report::create(args.report.as_deref())?;
    match tasks.as_slice() {
        [task] if !inputs.is_batch => run_single(job, task, args, destination, &mut report, console),
        tasks => run_many(job, tasks, args, destination, &mut report, console),
    }
}

/// Runs a job on a single input, outside a batch.
pub(crate) fn run_one(job: &impl Job, input: &str, console: Console) -> Result<(), Failure> {
    let task = Task { number: 0, input: input.to_owned(), output: None, is_found: false, conflict: None };
    let (mut report, args) = (Report::create(None)?, BatchArgs::default());
    run_single(job, &task, &args, &Destination::None, &mut report, console)
}

fn run_single(
    job: &impl Job,
    task: &Task,
    args: &BatchArgs,
    destination: &Destination<'_>,
    report: &mut Report,
    console: Console,
) -> Result<(), Failure> {
    let mut session = Session::single(args.threads_of_single(), console.quiet);
    let (result, milliseconds) = timed(|| work(job, task, destination, &mut session));
    let result = match result {
        Ok(State::Nothing) => Err(nothing(job, &task.input)),
        result => result,
    };
    let error = result.as_ref().err().and_then(Failure::as_error).cloned();
    if job.info().prints_json
        && let Some(error) = &error
    {
        session.out.json(&ErrorDocument::new(&task.input, error.info.clone()), false)?;
    }
    let Session { out, notes, written, .. } = session;
    let finished = out.finish();
    if !is_shown_already(job, result.is_ok()) {
        console.print_notes(&task.input, &notes);
    }
    let state = *result.as_ref().unwrap_or(&State::Failed);
    let info = error.as_ref().map(|error| &error.info);
    job.finish(task, &TaskResult { status: state.into(), error: info, notes: &notes })?;
    report.add(&report::line(task, &written, state, error.as_ref(), &notes, milliseconds))?;
    // The report needs a line for a failed input, too, so this returns the error only now.
    let state = result?;
    finished?;
    let is_noted = console.strict && notes.list.has_problem();
    if state == State::Different || is_noted { Err(Failure::Reported) } else { Ok(()) }
}

fn run_many(
    job: &impl Job,
    tasks: &[Task],
    args: &BatchArgs,
    destination: &Destination<'_>,
    report: &mut Report,
    console: Console,
) -> Result<(), Failure> {
    let bar = progress::bar("files", tasks.len() as u64);
    let mut summary = Summary::default();
    let mut ignored = IgnoredOptions::default();
    let mut out = Output::new();
    let info = job.info();
    let work = |task: &Task| {
        let mut session = Session::one_of_many(console.quiet);
        let (result, milliseconds) = timed(|| work(job, task, destination, &mut session));
        // An input without content can use no option at all, so notes on ignored options would only mislead.
        if let Ok(State::Nothing) = result {
            session.notes.forget_ignored_options();
        }
        let (state, error) = match result {
            // A user who names a file expects something of it, but a folder may hold any files.
            Ok(State::Nothing) if !task.is_found => {
                let failure = nothing(job, &task.input);
                (State::Failed, failure.as_error().cloned())
            }
            Ok(state) => (state, None),
            Err(failure) => {
                let error = failure.as_error().cloned();
                let is_foreign = task.is_found && error.as_ref().is_some_and(CommandError::is_foreign);
                (if is_foreign { State::Foreign } else { State::Failed }, error)
            }
        };
        let mut printed = Ok(());
        if info.prints_json
            && let Some(error) = &error
        {
            printed = session.out.json(&ErrorDocument::new(&task.input, error.info.clone()), false);
        }
        let Session { out, notes, written, .. } = session;
        match printed.and_then(|()| out.into_kept()) {
            Ok(printed) => Finished { state, error, printed, notes, written, milliseconds },
            Err(failure) => {
                let (state, error) = (State::Failed, failure.as_error().cloned());
                Finished { state, error, printed: None, notes, written, milliseconds }
            }
        }
    };
    let mut finish = |task: &Task, finished: Finished| {
        let Finished { state, error, printed, notes, written, milliseconds } = finished;
        bar.inc(1);
        if let Some(printed) = printed {
            out.part(&task.input, printed, !info.prints_json && !info.names_input)?;
        }
        if !is_shown_already(job, error.is_none()) {
            console.print_notes(&task.input, &notes);
        }
        if let Some(error) = error.as_ref().filter(|_| state != State::Foreign) {
            console.print_error(error);
        }
        if matches!(state, State::Ok | State::Different) {
            ignored.count(notes.ignored_options());
        }
        summary.count(state, error.as_ref(), console.strict && notes.list.has_problem());
        let error_info = error.as_ref().map(|error| &error.info);
        job.finish(task, &TaskResult { status: state.into(), error: error_info, notes: &notes })?;
        let line = report::line(task, &written, state, error.as_ref(), &notes, milliseconds);
        report.add(&line)
    };
    let result = queue::run_in_order(tasks, args.worker_count(), work, |task, finished| {
        finish(task, finished).inspect_err(|_| job.stop())
    });
    drop(bar);
    result?;
    out.finish()?;
    if !console.quiet {
        let memory = memory::peak().map(|bytes| format!(", peak memory {}", memory::Mebibytes(bytes)));
        let summary = summary.text(&info);
        console.print_hint(format_args!("{summary}{}", memory.unwrap_or_default()));
    }
    ignored.check()?;
    if summary.has_failures() { Err(Failure::Reported) } else { Ok(()) }
}

/// Whether the user's terminal already shows an input's notes as part of its output, to avoid printing them twice.
fn is_shown_already(job: &impl Job, has_output: bool) -> bool {
    has_output && job.info().prints_notes && io::stdout().is_terminal() && io::stderr().is_terminal()
}

fn nothing(job: &impl Job, input: &str) -> Failure {
    Failure::input(input, "nothing-to-do", None, format_args!("the file holds {}", job.info().nothing))
}

/// Runs a job on an input, unless its output exists and should be kept.
fn work(
    job: &impl Job,
    task: &Task,
    destination: &Destination<'_>,
    session: &mut Session,
) -> Result<State, Failure> {
    if let Some(first) = &task.conflict {
        let output = task.output.as_deref().unwrap_or(Path::new("")).display();
        let problem = format_args!("its output {output} is also that of {first} (see --parents)");
        return Err(Failure::input(&task.input, "same-output", None, problem));
    }
    if let Some(path) = &task.output {
        if destination.skips_existing() && job.last_file(task).is_some_and(|last| last.exists()) {
            return Ok(State::Skipped);
        }
        let names_folder = destination.arguments().is_some_and(OutputArgs::names_folder);
        if (!session.is_single || names_folder)
            && let Some(folder) = path.parent()
        {
            output::create_folder(folder)?;
        }
    }
    Ok(match job.run(task, session)? {
        Outcome::Done => State::Ok,
        Outcome::Different => State::Different,
        Outcome::Nothing => State::Nothing,
    })
}

/// Runs `work`, and returns its result with the time it took, in milliseconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64() * 1000.0)
}
