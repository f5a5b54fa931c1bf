//! Progress bars: on a terminal, and nothing where the output is piped.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of `steps` steps. It shows up on a terminal only.
pub(crate) fn bar(what: &'static str, steps: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    // Short work shows no bar at all.
    if steps > 1 {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}
