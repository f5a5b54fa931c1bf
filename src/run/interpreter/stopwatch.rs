//! The clock of a time limit.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// The time since a run began, if its time is limited.
///
/// `wasm32-unknown-unknown` has no clock, so a run there is never stopped by time.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    started: Option<Instant>,
}

impl Stopwatch {
    /// Starts the clock if a limit is given; reading a clock costs time.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn start(limit: Option<Duration>) -> Self {
        Self { started: limit.map(|_| Instant::now()) }
    }

    /// Returns the time since the start if it is measured.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn elapsed(&self) -> Option<Duration> {
        self.started.map(|started| started.elapsed())
    }

    /// Starts no clock.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn start(_: Option<Duration>) -> Self {
        Self::default()
    }

    /// Returns `None`: time is not measured.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn elapsed(&self) -> Option<Duration> {
        None
    }
}
