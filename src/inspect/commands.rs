//! Lists the commands leading to an event.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::debug::timeline::{EventKind, EventNumber};
use crate::documents::CommandDocument;
use crate::ge::capture::source_of;
use crate::ge::memory::Memory;
use crate::run::sink::Step;

use super::answer::CommandsAnswer;
use super::error::InspectError;
use super::run::Run;

/// How many commands an answer lists if the request sets no limit.
const LIMIT: u32 = 4096;
/// The most commands in an answer.
const LIMIT_MAX: u32 = 1 << 16;

/// Lists the commands after the previous event, up to and including the command of this event. If the event
/// is the end, the list runs to the end of the run.
///
/// # Errors
/// Fails if the run has no such event.
pub(super) fn commands(
    run: &Run,
    event: EventNumber,
    limit: Option<u32>,
) -> Result<CommandsAnswer, InspectError> {
    let limit = limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX) as usize;
    let mut session = run.session();
    let before = event.0.checked_sub(1).map(EventNumber);
    session.seek(event)?;
    let first = match before.and_then(|before| session.timeline().get(before)) {
        // An action of the CPU runs before its event's command, so this command is still to come and belongs
        // here.
        Some(known) if matches!(known.kind, EventKind::Cpu(_)) => known.command,
        Some(known) => known.command.saturating_add(1),
        None => 0,
    };
    let event_command = session
        .next_event()
        .filter(|event| !matches!(event.kind, EventKind::Cpu(_)))
        .map(|event| event.command);
    let last = event_command.or(session.next_event().and_then(|event| event.command.checked_sub(1)));
    let sources = session.sources().to_vec();
    let mut kept: VecDeque<CommandDocument> = VecDeque::new();
    let mut left_out = 0_u64;
    let mut observer = |_: &Memory, step: &Step<'_>| {
        // The last commands matter most, so the first ones are dropped when there are too many.
        if step.number >= first && last.is_none_or(|last| step.number <= last) {
            if kept.len() >= limit {
                kept.pop_front();
                left_out = left_out.saturating_add(1);
            }
            let offset = source_of(&sources, step.at).map(|(_, offset)| offset);
            kept.push_back(CommandDocument::new(&run.input, step, offset));
        }
        ControlFlow::Continue(())
    };
    session.watch(before.unwrap_or_default(), event.next(), &mut observer)?;
    Ok(CommandsAnswer { commands: kept.into(), event_command, left_out })
}
