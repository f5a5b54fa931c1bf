//! Actions to take before an interrupt ends the process.

use std::sync::{Mutex, Once};

static ACTIONS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Runs `action` if the user interrupts the process, before it ends.
pub(crate) fn before_end(action: fn()) {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // Without a handler, an interrupt only skips the actions, so this is no error.
        let _ = ctrlc::set_handler(|| {
            if let Ok(actions) = ACTIONS.lock() {
                actions.iter().for_each(|action| action());
            }
            // Shells report this status for an interrupt.
            std::process::exit(130);
        });
    });
    if let Ok(mut actions) = ACTIONS.lock() {
        actions.push(action);
    }
}
