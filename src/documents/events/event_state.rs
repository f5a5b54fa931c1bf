//! Describes the state at an event, with its changes and the last writer of each register.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::shown_draw::shown_draw;
use super::state::State;
use super::timeline::EventInfo;
use crate::debug::session::writers::Writers;
use crate::debug::timeline::EventNumber;
use crate::debug::{NoSuchEvent, Session};
use crate::documents::hashes::ContentHashes;
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::capture::Source;
use crate::ge::command_table::Class;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::run::trace::{DrawLine, ImmediateDrawLine};
use crate::run::watch::RunEventKind;

mod changes;
mod writer;

#[cfg(feature = "inspect")]
pub(crate) use changes::is_compared;
pub use changes::{FieldChange, MatrixChange, MatrixName, RegisterChange};
pub(crate) use changes::{argument_text, differing_fields, differing_matrices, differing_registers};
pub use writer::{WriterInfo, WriterKind};

/// The state before an event in a run, or at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// How many events this run has.
    pub event_count: u64,
    /// The event about to happen; null at the run's end.
    pub event: Option<EventInfo>,
    /// The event before it; null before the first event.
    pub previous_event: Option<EventInfo>,
    /// The draw as a line of text; null if this event is not a draw.
    pub draw_text: Option<String>,
    /// The state used by this event.
    pub state: Box<State>,
    /// The registers changed since just before the previous event, or since the run's start if there is none.
    pub changes: Vec<RegisterChange>,
    /// The matrices with changed elements.
    pub matrix_changes: Vec<MatrixChange>,
    /// Whether palette memory has changed.
    pub palette_changed: bool,
    /// The last writer of each register, by its command's name.
    pub writers: BTreeMap<String, WriterInfo>,
    /// The last writer of each matrix element; for bones, all matrices in turn.
    pub matrix_writers: BTreeMap<MatrixName, Vec<WriterInfo>>,
    /// The last writer of palette memory.
    pub palette_writer: WriterInfo,
    /// Notes on the input and its whole run.
    pub notes: Vec<NoteInfo>,
}

impl Document for StateDocument {
    const NAME: &'static str = "state";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The state at an event of a run";
}

impl StateDocument {
    /// Moves a session to an event, or to its end, and describes the state there.
    ///
    /// # Errors
    /// Fails if the run lacks the event.
    pub fn new(
        input: &str,
        session: &mut Session,
        event: EventNumber,
        hashes: &mut ContentHashes,
    ) -> Result<Self, NoSuchEvent> {
        let before = event.0.checked_sub(1).map(EventNumber);
        let earlier = match before.filter(|_| event <= session.end()) {
            // To find the changes, this keeps the registers from before the previous event, which may be any number
            // of commands back.
            Some(before) => {
                session.seek(before)?;
                session.registers().clone()
            }
            None => session.start_registers().clone(),
        };
        session.seek(event)?;
        let info = |number| session.timeline().get(number).map(|event| EventInfo::new(session, event));
        let (event_info, previous_event) = (info(event), before.and_then(info));
        let (registers, writers) = (session.registers(), session.writers());
        let sources = session.sources();
        let document = Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            event_count: session.timeline().len() as u64,
            event: event_info,
            previous_event,
            draw_text: None,
            state: Box::new(State::of(session.memory(), registers, hashes)),
            changes: changes::registers(&earlier, registers, writers, sources),
            matrix_changes: changes::matrices(&earlier, registers, writers, sources),
            palette_changed: earlier.clut() != registers.clut(),
            writers: register_writers(writers, sources),
            matrix_writers: matrix_writers(writers, sources),
            palette_writer: WriterInfo::new(writers.palette(), sources),
            notes: NoteInfo::of_report(&session.replayed().report),
        };
        let shown = shown_draw(session, |memory, draw| {
            let text = match draw {
                RunEventKind::Draw(draw) => DrawLine::new(draw).to_string(),
                RunEventKind::Immediate(draw) => ImmediateDrawLine::new(draw).to_string(),
                RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => return None,
            };
            Some((State::of(memory, draw.draw_registers()?, hashes), text))
        });
        Ok(match shown {
            // An immediate primitive takes its switches from its first vertex, so the registers before it
            // would be wrong.
            Some((state, text)) => Self { state: Box::new(state), draw_text: Some(text), ..document },
            None => document,
        })
    }
}

fn register_writers(writers: &Writers, sources: &[Source]) -> BTreeMap<String, WriterInfo> {
    let used = Opcode::all().filter(|opcode| opcode.info().class != Class::Unused);
    let writer = |opcode: Opcode| WriterInfo::new(writers.register(opcode), sources);
    used.map(|opcode| (opcode.name().to_owned(), writer(opcode))).collect()
}

fn matrix_writers(writers: &Writers, sources: &[Source]) -> BTreeMap<MatrixName, Vec<WriterInfo>> {
    let of = |matrix: Matrix| {
        let elements = writers.matrix(matrix).iter();
        (MatrixName::from(matrix), elements.map(|writer| WriterInfo::new(*writer, sources)).collect())
    };
    Matrix::ALL.into_iter().map(of).collect()
}
