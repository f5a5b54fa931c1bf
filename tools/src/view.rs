//! The inspector: a page in a browser, with the engine behind a server on the loopback interface or inside the page.

pub(crate) mod page;
pub(crate) mod report;
pub(crate) mod server;
