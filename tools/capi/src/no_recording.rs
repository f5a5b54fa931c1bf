//! Stands in for recordings in a library without them.

use pspge::run::watch::{Outcome, RunEvent};
use pspge::{Interpreter, Memory, Rasterizer, Step};

/// No recorder exists.
#[derive(Debug)]
pub(crate) enum HostRecorder {}

impl HostRecorder {
    pub(crate) fn enter(&mut self, _: &Memory, _: &Interpreter, _: &Rasterizer, _: bool) {
        match *self {}
    }

    pub(crate) fn leave(&mut self, _: &mut Memory, _: &Interpreter, _: &mut Rasterizer) {
        match *self {}
    }

    pub(crate) fn command(&mut self, _: &Memory, _: &Step<'_>) {
        match *self {}
    }

    pub(crate) fn before(&mut self, _: &Rasterizer) {
        match *self {}
    }

    pub(crate) fn after(&mut self, _: &mut Rasterizer, _: &mut Memory, _: &RunEvent<'_>, _: Outcome) {
        match *self {}
    }

    pub(crate) fn suspect_texture_cache(&mut self) {
        match *self {}
    }
}

/// No recording is under way.
#[derive(Debug, Default)]
pub(crate) struct Recording;

impl Recording {
    pub(crate) const fn running(&mut self) -> Option<&mut HostRecorder> {
        None
    }
}
