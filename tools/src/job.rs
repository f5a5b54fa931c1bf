//! Defines how a command works on each input, and the session it works in.

use std::path::{Path, PathBuf};

use pspge::documents::error::ErrorInfo;
use pspge::documents::report::Status;
use serde::Serialize;

use crate::output::{self, Output};
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Implement this for a command: its work on each of its inputs.
pub(crate) trait Job: Sync {
    fn info(&self) -> JobInfo;

    /// Returns a suffix for output files, such as `.png`; empty if the command only prints.
    fn suffix(&self) -> String {
        String::new()
    }

    /// Returns the name by which outputs are checked for conflicts. This is the output's own name, unless the
    /// command changes it.
    fn conflict_name(&self, output: &Path) -> PathBuf {
        output.to_owned()
    }

    /// Returns the file written last. If it exists, an earlier run has finished the input. This is the output,
    /// unless the command writes several files.
    fn last_file(&self, task: &Task) -> Option<PathBuf> {
        task.output.clone()
    }

    /// Lists paths of members for the command to work on, in a file or in its member `FILE#MEMBER`.
    ///
    /// # Errors
    /// If the file cannot be opened.
    fn members(&self, _input: &str) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure>;

    /// Takes an input's result. This is called for every input, in their order.
    ///
    /// # Errors
    /// If the result cannot be kept. The command then ends.
    fn finish(&self, _task: &Task, _result: &TaskResult<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Tells the job that the command ends early, so that no input waits for an earlier input's turn.
    fn stop(&self) {}
}

/// A command's words for messages, and what it prints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobInfo {
    /// The participle for summaries, such as `drawn`.
    pub(crate) done: &'static str,
    /// The phrase for inputs with [`Outcome::Nothing`], such as `nothing to draw`.
    pub(crate) nothing: &'static str,
    /// The phrase for inputs with [`Outcome::Different`] in summaries.
    pub(crate) different: &'static str,
    /// Whether every line of output names its input, so that a batch needs no titles.
    pub(crate) names_input: bool,
    /// Whether the command prints JSON. Errors then also become JSON documents on standard output.
    pub(crate) prints_json: bool,
    /// Whether printed text includes the notes on the input, so that a terminal need not show them again.
    pub(crate) prints_notes: bool,
}

impl JobInfo {
    /// Describes a command that prints text with neither names nor notes of its inputs.
    pub(crate) const fn new(done: &'static str, nothing: &'static str) -> Self {
        let (names_input, prints_json, prints_notes) = (false, false, false);
        Self { done, nothing, different: "differ", names_input, prints_json, prints_notes }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskResult<'a> {
    /// The result in a word.
    pub(crate) status: Status,
    /// The error, if it failed.
    pub(crate) error: Option<&'a ErrorInfo>,
    pub(crate) notes: &'a Notes,
}

/// An input, and the path for its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    /// The input's number in this run, from 0.
    pub(crate) number: usize,
    /// The input as the user would name it: a file, with `#MEMBER` for a member in a container.
    pub(crate) input: String,
    /// The output file, or a folder if the command writes several files for an input. `None` if it only prints.
    pub(crate) output: Option<PathBuf>,
    /// Whether the input was found in a folder or a container, rather than named.
    pub(crate) is_found: bool,
    /// An earlier input with the same output, if any. This input then fails.
    pub(crate) conflict: Option<String>,
}

/// How a job ended, if it did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The work is done.
    Done,
    /// The input holds nothing for this command. If the user named it, this is an error.
    Nothing,
    /// The work is done, and its result counts as a difference: exit status 1.
    Different,
}

/// Collects everything a job produces while it works on an input.
pub(crate) struct Session {
    pub(crate) out: Output,
    pub(crate) notes: Notes,
    /// The files written, in order.
    pub(crate) written: Vec<PathBuf>,
    /// How many threads the job may use.
    pub(crate) threads: u32,
    /// Whether this is the only input. JSON is then indented.
    pub(crate) is_single: bool,
    pub(crate) is_quiet: bool,
}

impl Session {
    /// Creates a session for the only input, which prints to standard output at once.
    pub(crate) fn single(threads: u32, is_quiet: bool) -> Self {
        let out = Output::new();
        Self { out, notes: Notes::default(), written: Vec::new(), threads, is_single: true, is_quiet }
    }

    /// Creates a session for an input in a batch. Its output is kept, to be printed in order.
    pub(crate) fn one_of_many(is_quiet: bool) -> Self {
        let out = Output::kept();
        Self { out, notes: Notes::of_batch(), written: Vec::new(), threads: 1, is_single: false, is_quiet }
    }

    /// Prints a JSON document: indented if there is just one input, else in a line.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        self.out.json(document, self.is_single)
    }

    /// Writes an output file; `-` is standard output.
    pub(crate) fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        output::write(path, bytes)?;
        self.written.push(path.to_owned());
        Ok(())
    }
}
