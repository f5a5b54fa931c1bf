//! Looks at the draw that a session is about to execute, with the edits applied.

use crate::debug::Session;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::run::sink::Sink;
use crate::run::watch::RunEventKind;

/// Passes a session's next event to a function, and returns what it found. This is `None` if the event is no draw, or
/// if an edit leaves it out. The session stays before it.
pub(crate) fn shown_draw<T>(
    session: &mut Session,
    show: impl FnMut(&Memory, RunEventKind<'_>) -> Option<T>,
) -> Option<T> {
    let mut sink = ShownDraw { show, found: None };
    session.show_draw(&mut sink);
    sink.found
}

/// Copies the registers of a session's next event, to see them with the edits applied.
pub(crate) fn drawn_registers(session: &mut Session) -> Option<Registers> {
    shown_draw(session, |_, draw| draw.draw_registers().cloned())
}

/// Receives a draw from either source, to pass it to a function.
struct ShownDraw<F, T> {
    show: F,
    found: Option<T>,
}

impl<T, F: FnMut(&Memory, RunEventKind<'_>) -> Option<T>> Sink for ShownDraw<F, T> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.found = (self.show)(memory, RunEventKind::Draw(draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.found = (self.show)(memory, RunEventKind::Immediate(draw));
    }

    fn flush(&mut self, _: &mut Memory) {}
}
