//! The inspector: a page in a browser. The engine runs behind a server on the loopback interface, or inside the
//! page.

pub(crate) mod page;
mod random;
pub(crate) mod report;
pub(crate) mod server;
pub(crate) mod source;
