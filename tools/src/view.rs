//! The inspector: a page in a browser. The engine runs behind a server on the loopback interface, or inside the page.

pub(crate) mod page;
pub(crate) mod report;
pub(crate) mod server;
