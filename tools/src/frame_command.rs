//! Shares code between commands about an input's frame: all open its display list in the same way, and differ only
//! in how they use it.

use pspge::debug::Shot;

use crate::frame::FrameArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::failure::Failure;
use crate::what_if::WhatIfArgs;

/// Arguments shared by all commands about a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameInput<'a> {
    pub(crate) open: &'a OpenOptions,
    pub(crate) frame: &'a FrameArgs,
    /// Changes to try on its run; `None` if the command takes none.
    pub(crate) what_if: Option<&'a WhatIfArgs>,
    pub(crate) json: bool,
}

/// Implement this for a command about the frame in each input.
pub(crate) trait FrameCommand: Sync {
    /// The participle for summaries, such as `explained`.
    const DONE: &'static str;

    fn input(&self) -> FrameInput<'_>;

    /// Returns a suffix for output files, such as `.ppdmp`; empty if the command only prints.
    fn suffix(&self) -> String {
        String::new()
    }

    /// Works on an input's run.
    ///
    /// # Errors
    /// If an argument does not apply to the input, or if the result cannot be written.
    fn run(&self, task: &Task, shot: Shot, session: &mut Session) -> Result<(), Failure>;
}

impl<C: FrameCommand> Job for C {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.input().json, ..JobInfo::new(C::DONE, "no display list") }
    }

    fn suffix(&self) -> String {
        FrameCommand::suffix(self)
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.input().open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let FrameInput { open, frame, what_if, .. } = self.input();
        let shot = frame.open(open, what_if, &task.input, session.threads, &mut session.notes)?;
        let Some(shot) = shot else { return Ok(Outcome::Nothing) };
        FrameCommand::run(self, task, shot, session).map(|()| Outcome::Done)
    }
}
