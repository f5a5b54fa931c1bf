//! How the command talks to the user: colours, progress, messages, and the exit status.

pub(crate) mod colors;
pub(crate) mod console;
pub(crate) mod exit_status;
pub(crate) mod failure;
pub(crate) mod interrupt;
pub(crate) mod logging;
pub(crate) mod notes;
pub(crate) mod progress;
