//! The clock for a time limit.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// Measures the time since a run began, if there is a time limit.
///
/// `wasm32-unknown-unknown` has no clock, so time never stops a run there.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    started: Option<Instant>,
}

impl Stopwatch {
    /// Starts the clock if there is a limit. Otherwise it stays off, because reading a clock costs time.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn start(limit: Option<Duration>) -> Self {
        Self { started: limit.map(|_| Instant::now()) }
    }

    /// Returns the time since the start, if this measures it.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn elapsed(&self) -> Option<Duration> {
        self.started.map(|started| started.elapsed())
    }

    /// Does nothing, because this platform has no clock.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn start(_: Option<Duration>) -> Self {
        Self::default()
    }

    /// Returns `None`, because this platform has no clock.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn elapsed(&self) -> Option<Duration> {
        None
    }
}
