//! Shows progress bars, only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Creates a bar with `steps` steps on standard error. It stays hidden if standard error is not a terminal.
pub(crate) fn bar(label: &'static str, steps: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(label);
    // A single step is too short for a bar.
    if steps > 1 {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}
