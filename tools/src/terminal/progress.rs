//! Shows progress in a line, only on a terminal.
//!
//! # Invariants
//! * Only the outermost bar is visible, because two bars would overwrite each other.
//! * All printing goes through [`suspend`], so that no text runs into the bar.

use std::io::{self, Write};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Once};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::interrupt;

/// The line on standard error. It draws nothing if standard error is not a terminal.
static LINE: LazyLock<MultiProgress> =
    LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));

/// Whether a bar has the line.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// A bar, which disappears when it is dropped.
pub(crate) struct Bar {
    bar: ProgressBar,
    has_line: bool,
}

/// Creates a bar with `steps` steps. It stays hidden below another bar, and if a single step makes it superfluous.
pub(crate) fn bar(label: &'static str, steps: u64) -> Bar {
    if steps < 2 || IS_TAKEN.swap(true, Ordering::Relaxed) {
        return Bar { bar: ProgressBar::hidden(), has_line: false };
    }
    static CLEARS: Once = Once::new();
    CLEARS.call_once(|| interrupt::before_end(clear));
    let bar = LINE.add(ProgressBar::new(steps));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(label);
    bar.enable_steady_tick(Duration::from_millis(200));
    Bar { bar, has_line: true }
}

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.has_line {
            self.bar.finish_and_clear();
            LINE.remove(&self.bar);
            IS_TAKEN.store(false, Ordering::Relaxed);
        }
    }
}

/// Hides the bar while `print` prints. `print` must not call this again.
pub(crate) fn suspend<R>(print: impl FnOnce() -> R) -> R {
    LINE.suspend(print)
}

/// Clears the cursor's line, to give the shell's prompt a line of its own. If the terminal shows the interrupt's
/// keys, they are in the line below the bar, which stays.
fn clear() {
    if !LINE.is_hidden() {
        // The bar is hidden before it is cleared, because its own thread would draw it again in between.
        LINE.set_draw_target(ProgressDrawTarget::hidden());
        // If the line cannot be cleared, there is nobody to tell.
        let _ = io::stderr().write_all(b"\r\x1b[2K");
    }
}

/// Writes to a terminal's stream while the bar is hidden.
#[derive(Debug)]
pub(crate) struct BesideBar<W>(pub(crate) W);

impl<W: Write> Write for BesideBar<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        suspend(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        suspend(|| self.0.flush())
    }
}
