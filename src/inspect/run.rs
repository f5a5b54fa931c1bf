//! Runs a file with its edits and keeps the session, together with all facts about its events.
//!
//! # Invariants
//! A run is created once, and later only looked at. Slow work runs its own copy of the list, so that pictures need
//! not wait for it.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::asset::RunSpec;
use crate::debug::passes::dependencies::Dependencies;
use crate::debug::timeline::EventNumber;
use crate::debug::{NoSuchEvent, Session, Shot};
use crate::documents::shown_draw::drawn_registers;
use crate::ge::address::Address;
use crate::ge::capture::{Display, SCREEN};
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::ColorSurface;

use super::answer::EventsAnswer;
use super::error::InspectError;
use super::file::InspectedFile;
use super::request::{Moment, RunRequest};

/// A file after a run with its edits.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) spec: RunRequest,
    /// The same as the library's options, with the pictures that edits name.
    pub(super) options: RunSpec,
    pub(super) input: String,
    pub(super) shot: Shot,
    session: Mutex<Session>,
    dependencies: OnceLock<Dependencies>,
    /// The dependencies between the events before a given event, kept for the last such question.
    earlier: Mutex<Option<(EventNumber, Arc<Dependencies>)>>,
    /// The events with their facts, once a page has asked for them.
    pub(super) kept_events: OnceLock<EventsAnswer>,
}

impl Run {
    /// Runs a file with its edits. `options` have the same meaning as `spec`.
    ///
    /// # Errors
    /// Fails if the file has no list, or if an edit does not apply.
    pub(super) fn open(
        spec: &RunRequest,
        file: &InspectedFile,
        options: RunSpec,
    ) -> Result<Self, InspectError> {
        let shot =
            file.asset()?.shot(&options).map_err(|error| InspectError::of_file(file.name(), &error))?;
        Ok(Self {
            spec: spec.clone(),
            options,
            input: file.name().to_owned(),
            session: Mutex::new(shot.session()),
            shot,
            dependencies: OnceLock::new(),
            earlier: Mutex::default(),
            kept_events: OnceLock::new(),
        })
    }

    /// Returns the session. It may be at any moment, so the caller must move it first.
    pub(super) fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the session to a moment.
    ///
    /// # Errors
    /// Fails if the run has no such event.
    pub(super) fn at(&self, moment: Moment) -> Result<MutexGuard<'_, Session>, NoSuchEvent> {
        let mut session = self.session();
        let event = event_at(moment, &session);
        session.seek(event)?;
        Ok(session)
    }

    /// Returns the dependencies between all events. Finding them takes a separate run.
    pub(super) fn dependencies(&self) -> &Dependencies {
        self.dependencies.get_or_init(|| self.shot.dependencies(None))
    }

    /// Returns the dependencies between the events before this one. Finding them takes a separate run.
    pub(super) fn dependencies_before(&self, event: EventNumber) -> Arc<Dependencies> {
        let mut earlier = self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        match &*earlier {
            Some((known, dependencies)) if *known == event => Arc::clone(dependencies),
            _ => {
                let dependencies = Arc::new(self.shot.dependencies(Some(event)));
                *earlier = Some((event, Arc::clone(&dependencies)));
                dependencies
            }
        }
    }

    /// Returns the registers for an event. At the run's end, these are the last.
    ///
    /// # Errors
    /// Fails if the run has no such event.
    pub(super) fn registers(&self, event: EventNumber) -> Result<Registers, NoSuchEvent> {
        let mut session = self.session();
        session.seek(event)?;
        Ok(used_registers(&mut session))
    }

    /// Returns the buffer to show at the end: the CPU's choice, or the last draw's buffer.
    pub(super) fn display(&self) -> Option<Display> {
        let mut session = self.session();
        if let Some(display) = session.replayed().display {
            return Some(display);
        }
        let last = session.timeline().draws().checked_sub(1)?;
        let event = session.timeline().event_of_draw(last as u64)?.number;
        session.seek(event).ok()?;
        let registers = used_registers(&mut session);
        let ColorSurface { address, stride, format } = ColorSurface::from_registers(&registers);
        Some(Display { address: Address::vram(address), stride, format })
    }

    /// Returns a colour buffer's width and height, as far as draws may reach. A buffer without draws is as wide as
    /// its rows and as high as the screen.
    pub(super) fn size_of(&self, surface: ColorSurface) -> [u32; 2] {
        let drawn = self.session().replayed().target_sizes.of(surface.address, surface.stride);
        drawn.unwrap_or([surface.stride, SCREEN[1]])
    }
}

/// Copies the registers for the session's next event, with the edits applied. At the run's end, the last ones count.
pub(super) fn used_registers(session: &mut Session) -> Registers {
    drawn_registers(session).unwrap_or_else(|| session.registers().clone())
}

/// Returns the event after this moment. After the last event this is the end.
pub(super) fn event_at(moment: Moment, session: &Session) -> EventNumber {
    let Moment { event, after } = moment;
    if after && event < session.end() { event.next() } else { event }
}
