//! The work of a command on one input, and the session in which it runs.

use std::path::{Path, PathBuf};

use pspge::documents::error::ErrorInfo;
use pspge::documents::report::Status;
use serde::Serialize;

use crate::failure::Failure;
use crate::notes::Notes;
use crate::output::{self, Output};

/// The work of a command on each of its inputs.
pub(crate) trait Job: Sync {
    /// Returns the participle for summaries, such as `drawn`.
    fn done(&self) -> &'static str;

    /// Returns the phrase for inputs with [`Outcome::Nothing`], such as `nothing to draw`.
    fn nothing(&self) -> &'static str;

    /// Returns the phrase for summaries of inputs with [`Outcome::Different`].
    fn different(&self) -> &'static str {
        "differ"
    }

    /// Returns whether each line of output names its input, so that the outputs of several inputs need no titles.
    fn names_input(&self) -> bool {
        false
    }

    /// Returns the suffix of output files, such as `.png`; empty if the command only prints.
    fn suffix(&self) -> String {
        String::new()
    }

    /// Returns the name under which an output conflicts with others: its own, unless the command changes it.
    fn conflict_name(&self, output: &Path) -> PathBuf {
        output.to_owned()
    }

    /// Returns the file that is written last, by which an earlier run is known to have finished the input: the output,
    /// unless the command writes several files.
    fn last_file(&self, task: &Task) -> Option<PathBuf> {
        task.output.clone()
    }

    /// Returns the paths of the members of a container that the command works on: of a file, or of a member `FILE#MEMBER`.
    ///
    /// # Errors
    /// If the file cannot be opened.
    fn members(&self, _input: &str) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// Returns whether the command prints JSON. Errors are then JSON documents on standard output, too.
    fn prints_json(&self) -> bool {
        false
    }

    /// Returns whether its printed text has the notes on the input, so that a terminal need not show them again.
    fn prints_notes(&self) -> bool {
        false
    }

    /// Works on one input.
    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure>;

    /// Takes the result of an input. It is called for each input, in their order.
    ///
    /// # Errors
    /// If the result cannot be kept. The command then ends.
    fn finish(&self, _task: &Task, _result: &TaskResult<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Tells the job that the command ends before all inputs are finished, so that no input waits for an earlier one.
    fn stop(&self) {}
}

/// The result of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskResult<'a> {
    /// The result in a word.
    pub(crate) status: Status,
    /// The error, if it failed.
    pub(crate) error: Option<&'a ErrorInfo>,
    /// Notes on the input.
    pub(crate) notes: &'a Notes,
}

/// An input, and the place of its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    /// Number of the input among those of the run, from 0.
    pub(crate) number: usize,
    /// The input as the user would name it: a file, with `#MEMBER` for a member of a container.
    pub(crate) input: String,
    /// The output file, or the folder if the command writes several files for an input. `None` if it only prints.
    pub(crate) output: Option<PathBuf>,
    /// Whether the input was found in a folder or a container, rather than named.
    pub(crate) is_found: bool,
    /// An earlier input with the same output, if there is one. This input then fails.
    pub(crate) conflict: Option<String>,
}

/// The result of a job that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The work is done.
    Done,
    /// The command does not work on the content of the input. If the user named it, this is an error.
    Nothing,
    /// The work is done, and its result counts as a difference: exit status 1.
    Different,
}

/// The results of a job besides its outcome.
pub(crate) struct Session {
    /// Standard output of this input.
    pub(crate) out: Output,
    /// Notes on this input.
    pub(crate) notes: Notes,
    /// The files written, in order.
    pub(crate) written: Vec<PathBuf>,
    /// Threads that the job may use.
    pub(crate) threads: u32,
    /// Whether this is the only input. JSON is then indented.
    pub(crate) is_single: bool,
}

impl Session {
    /// Creates the session of the only input: it prints to standard output at once.
    pub(crate) fn single(threads: u32) -> Self {
        Self { out: Output::new(), notes: Notes::default(), written: Vec::new(), threads, is_single: true }
    }

    /// Creates the session of one of several inputs: its output is kept for printing in order.
    pub(crate) fn one_of_many() -> Self {
        let out = Output::kept();
        Self { out, notes: Notes::of_batch(), written: Vec::new(), threads: 1, is_single: false }
    }

    /// Prints a JSON document: indented if the input is the only one, else on one line.
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
