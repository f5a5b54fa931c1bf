//! Stands in for recordings in a library built without them.

use pspge::run::watch::{Outcome, RunEvent};
use pspge::{Interpreter, Memory, Rasterizer, Step};

/// A recorder that cannot exist, so all its methods are unreachable.
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

/// A recording that never runs.
#[derive(Debug, Default)]
pub(crate) struct Recording;

impl Recording {
    pub(crate) const fn running(&mut self) -> Option<&mut HostRecorder> {
        None
    }
}
