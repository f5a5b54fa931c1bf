//! The `pspge` command.
fn main() {}
