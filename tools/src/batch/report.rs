//! Writes `--report`: a JSON object for each input.

use std::fs::File;
use std::path::{Path, PathBuf};

use pspge::documents::ReportDocument;
use pspge::documents::report::Status;
use pspge::documents::schema_id::SchemaId;

use super::State;
use crate::job::Task;
use crate::output;
use crate::terminal::failure::{CommandError, Failure};
use crate::terminal::notes::Notes;

/// Writes a report line by line, so that an interrupted run keeps lines for its finished inputs.
pub(super) struct Report(Option<(PathBuf, File)>);

impl Report {
    /// Creates a report file. Without a path, this writes no report.
    pub(super) fn create(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(None)) };
        output::check_not_input(path)?;
        let file = File::create(path).map_err(|error| Failure::file(path.display(), &error))?;
        Ok(Self(Some((path.to_owned(), file))))
    }

    pub(super) fn add(&mut self, line: &ReportDocument) -> Result<(), Failure> {
        let Some((path, file)) = &mut self.0 else { return Ok(()) };
        output::write_json_line(file, line).map_err(|error| Failure::file(path.display(), &error))
    }
}

/// Makes an input's line. It names the files written, or for a skipped input the file that exists.
pub(super) fn line(
    task: &Task,
    written: &[PathBuf],
    state: State,
    error: Option<&CommandError>,
    notes: &Notes,
    duration_ms: f64,
) -> ReportDocument {
    let output = if state == State::Skipped { task.output.as_slice() } else { written };
    ReportDocument {
        schema: SchemaId::new(),
        input: task.input.clone(),
        output: output.iter().map(|path| path.display().to_string()).collect(),
        status: state.into(),
        error: error.map(|error| error.info.clone()),
        notes: notes.list.entries().to_vec(),
        duration_ms,
    }
}

impl From<State> for Status {
    fn from(state: State) -> Self {
        match state {
            State::Ok => Self::Ok,
            State::Different => Self::Different,
            State::Nothing | State::Foreign => Self::Nothing,
            State::Skipped => Self::Skipped,
            State::Failed => Self::Failed,
        }
    }
}
