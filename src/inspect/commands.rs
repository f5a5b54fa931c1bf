//! Lists the commands that lead to an event, or any others in the run, and finds commands by their text.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::asm::text::describe;
use crate::debug::Session;
use crate::debug::timeline::{EventKind, EventNumber};
use crate::documents::CommandDocument;
use crate::ge::address::Address;
use crate::ge::capture::source_of;
use crate::ge::memory::Memory;
use crate::run::sink::Step;

use super::answer::{CommandsAnswer, FoundCommandAnswer};
use super::error::InspectError;
use super::run::Run;

/// How many commands an answer lists if the request sets no limit.
const LIMIT: u32 = 4096;
/// The most commands in an answer.
const LIMIT_MAX: u32 = 1 << 16;

/// Lists the commands after the previous event, up to and including this event's command. If the event is the end,
/// this lists all commands up to the end.
///
/// # Errors
/// Fails if the run has no such event.
pub(super) fn of_event(
    run: &Run,
    event: EventNumber,
    limit: Option<u32>,
) -> Result<CommandsAnswer, InspectError> {
    let mut session = run.session();
    let before = event.0.checked_sub(1).map(EventNumber);
    session.seek(event)?;
    let first = match before.and_then(|before| session.timeline().get(before)) {
        // An action by the CPU runs before the command at which the list waits, so this command is still to come and
        // belongs here.
        Some(known) if matches!(known.kind, EventKind::Cpu(_)) => known.command,
        Some(known) => known.command.saturating_add(1),
        None => 0,
    };
    let event_command = session
        .next_event()
        .filter(|event| !matches!(event.kind, EventKind::Cpu(_)))
        .map(|event| event.command);
    let last = event_command.or(session.next_event().and_then(|event| event.command.checked_sub(1)));
    let events = [before.unwrap_or_default(), event.next()];
    let listed = list(&run.input, &mut session, events, [first, last.unwrap_or(u64::MAX)], limit)?;
    Ok(CommandsAnswer { event_command, ..listed })
}

/// Lists commands from a number on, whatever events they lead to. There are none beyond the run.
///
/// # Errors
/// Fails if the run lacks the events around them, which are its own.
pub(super) fn from(run: &Run, first: u64, limit: Option<u32>) -> Result<CommandsAnswer, InspectError> {
    let mut session = run.session();
    let limit = limit.unwrap_or(LIMIT);
    let last = first.saturating_add(u64::from(limit.max(1))).saturating_sub(1);
    let upto = |command: u64| {
        let count = session.timeline().events().partition_point(|event| event.command <= command);
        EventNumber(u32::try_from(count).unwrap_or(u32::MAX))
    };
    let events = [EventNumber(upto(first).0.saturating_sub(1)), upto(last)];
    list(&run.input, &mut session, events, [first, last], Some(limit))
}

/// Lists commands in a range of numbers, which lie between two events. If there are too many, only the last are
/// listed.
fn list(
    input: &str,
    session: &mut Session,
    [start, end]: [EventNumber; 2],
    [first, last]: [u64; 2],
    limit: Option<u32>,
) -> Result<CommandsAnswer, InspectError> {
    let limit = limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX) as usize;
    let sources = session.sources().to_vec();
    let total = session.replayed().report.commands;
    session.seek(start)?;
    let mut calls = if start == EventNumber(0) { Vec::new() } else { session.calls() };
    let mut callers = None;
    let mut before = Address::default();
    let mut kept: VecDeque<CommandDocument> = VecDeque::new();
    let mut left_out = 0_u64;
    let mut observer = |_: &Memory, step: &Step<'_>| {
        calls.truncate(step.depth);
        if calls.len() < step.depth {
            calls.push(before);
        }
        before = step.at;
        if (first..=last).contains(&step.number) {
            // The last commands matter most, because they lead to the event, so the first are dropped when there are
            // too many.
            if kept.len() >= limit {
                kept.pop_front();
                left_out = left_out.saturating_add(1);
            }
            let offset = source_of(&sources, step.at).map(|(_, offset)| offset);
            kept.push_back(CommandDocument::new(input, step, offset));
            callers.get_or_insert_with(|| calls.clone());
        }
        ControlFlow::Continue(())
    };
    session.watch(start, end, &mut observer)?;
    // The callers belong to the first command, so they say nothing about a list that begins later.
    let callers = callers.filter(|_| left_out == 0).unwrap_or_default();
    Ok(CommandsAnswer { commands: kept.into(), event_command: None, left_out, total, callers })
}

/// Finds the next command after number `from`, or the last before it, whose text, address or number contains
/// `words`.
pub(super) fn find(run: &Run, words: &str, from: u64, is_backwards: bool) -> FoundCommandAnswer {
    let words = words.to_lowercase();
    let mut found = FoundCommandAnswer::default();
    let mut observer = |_: &Memory, step: &Step<'_>| {
        let text = format!("{} {} {}", describe(step.command), step.at, step.number).to_lowercase();
        if text.contains(&words) {
            found.count = found.count.saturating_add(1);
            match is_backwards {
                true if step.number < from => found.command = Some(step.number),
                false if step.number > from => {
                    found.command.get_or_insert(step.number);
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    };
    let mut session = run.session();
    let end = session.end();
    // This cannot fail, because each run has its start and its end.
    let _ = session.watch(EventNumber(0), end, &mut observer);
    found
}
