//! PPSSPP GE frame dumps (`.ppdmp`), versions 2 to 6.
//!
//! A dump is a list of records and one payload that they point into. [`read`] checks every record, so that a
//! [`Dump`] that was read can be run ([`Dump::capture`]); [`Dump::to_bytes`] writes version 6.
//!
//! # Invariants
//! Nothing is allocated before its declared size was checked against a limit. Every record of a dump that was read
//! points into the payload and holds what its kind needs.
//! Source: `ge-reference.md` §12.

mod context;
mod dump;
mod lower;
mod problem;
mod read;
mod write;

pub use context::{CONTEXT_BYTES, restore_context, save_context};
pub use dump::{Dump, Flags, OLDEST_VERSION, PAYLOAD_MAX, RECORDS_MAX, Record, RecordKind, VERSION};
pub use lower::is_flow;
pub use problem::{Block, PpdmpProblem, RecordProblem};
pub use read::read;
pub use write::DumpWriter;

use super::core::content::Content;
use super::core::descriptor::{Contents, Descriptor, OpenContext};
use super::core::error::FormatError;

/// Frame dumps.
pub static FORMAT: Descriptor = Descriptor {
    title: "PPSSPP frame dump",
    about: "A frame recorded by PPSSPP.",
    sniff: |bytes| bytes.starts_with(dump::MAGIC),
    open,
    ..Descriptor::new("ppdmp")
};

fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let view = context.slice.view(FORMAT.name);
    let dump = read(view, &context.options.limits)?;
    let located = |problem| view.error(dump.records_offset(), problem);
    let capture = dump.capture(context.slice.name).map_err(located)?;
    Ok(Content::Frame { capture: Box::new(capture), recording: Box::new(dump) }.into())
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
