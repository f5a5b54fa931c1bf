//! Writes display lists as frame dumps, and reports on them.

use std::path::Path;

use pspge::debug::Shot;
use pspge::documents::note::NoteInfo;
use pspge::export::recorder::{self, Recorded};
use serde::Serialize;

use crate::batch::arguments::OutputArgs;
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// The game id for dumps made by this program.
const GAME_ID: [u8; 9] = *b"PSPGE0001";

/// Checks that dump and report do not both go to standard output.
///
/// # Errors
/// If they do.
pub(crate) fn check_output(output: &OutputArgs, json: bool) -> Result<(), Failure> {
    if json && output.is_stdout() {
        return Err(Failure::usage("--json and --output -: both would go to standard output"));
    }
    Ok(())
}

/// Runs a display list and records it as a dump. If a limit ended the recording, this adds a note.
///
/// # Errors
/// If a dump cannot hold this much data.
pub(crate) fn record(input: &str, shot: Shot, notes: &mut Notes) -> Result<Recorded, Failure> {
    let (arithmetic, limits) = (shot.arithmetic(), shot.limits);
    let Some(recorded) = recorder::record(shot.capture, GAME_ID, arithmetic, &limits) else {
        let problem = "the draws use more data than a frame dump can hold";
        return Err(Failure::input(input, "too-large", None, problem));
    };
    if let Some(hit) = recorded.limit_hit {
        notes.list.add_limit(hit);
    }
    Ok(recorded)
}

/// A dump after it was written.
pub(crate) struct WrittenDump {
    pub(crate) output: String,
    /// Its size in bytes.
    pub(crate) bytes: u64,
    pub(crate) notes: Vec<NoteInfo>,
}

/// Writes a dump and reports on it: as JSON, or else with `print`. Without JSON, a dump on standard output has no
/// report, because it would end up inside the dump.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn write<D: Serialize>(
    task: &Task,
    bytes: &[u8],
    json: bool,
    session: &mut Session,
    report: impl FnOnce(WrittenDump) -> D,
    print: impl FnOnce(&D, &mut Session) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(output) = &task.output else { return Ok(()) };
    session.write(output, bytes)?;
    let document = report(WrittenDump {
        output: output.display().to_string(),
        bytes: bytes.len() as u64,
        notes: session.notes.list.entries().to_vec(),
    });
    if json {
        session.json(&document)
    } else if output == Path::new("-") || session.is_quiet {
        Ok(())
    } else {
        print(&document, session)
    }
}
