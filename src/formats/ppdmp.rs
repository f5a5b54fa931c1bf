//! PPSSPP GE frame dumps (`.ppdmp`), versions 2 to 6.
//!
//! A dump is a list of records, which point into a payload. [`read`] checks every record, so that [`Dump::capture`]
//! can run a parsed [`Dump`]. [`Dump::to_bytes`] writes version 6.
//!
//! # Invariants
//! Declared sizes are checked against limits before memory is allocated. Every record in a parsed dump points into
//! the payload, and has at least the minimum length for its kind. Source: [frame
//! dumps](crate::reference::ge::frame_dumps).

mod dump;
mod lower;
mod notes;
mod problem;
mod read;
mod write;

pub use dump::{Dump, Record, RecordKind};
pub use problem::{Block, PpdmpProblem, RecordProblem};
pub use read::read;
#[doc(hidden)]
pub use {
    crate::ge::registers::context::{CONTEXT_BYTES, restore_context, save_context},
    crate::ge::registers::flow::is_flow,
    dump::{Flags, OLDEST_VERSION, PAYLOAD_MAX, RECORDS_MAX, VERSION},
    write::DumpWriter,
};

use std::sync::Arc;

use super::core::content::Content;
use super::core::descriptor::{Contents, Descriptor, OpenContext};
use super::core::error::FormatError;
use super::core::problem::FormatProblem;

/// Describes frame dumps, to recognise and open them.
#[doc(hidden)]
pub static FORMAT: Descriptor = Descriptor {
    title: "PPSSPP frame dump",
    about: "A frame recorded by PPSSPP.",
    sniff: |bytes| bytes.starts_with(dump::MAGIC),
    is_drawable: true,
    magic: dump::MAGIC,
    refusals: PpdmpProblem::REFUSALS,
    open,
    ..Descriptor::new("ppdmp")
};

fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let view = context.slice.view(FORMAT.name);
    let dump = read(view, &context.options.limits)?;
    let located = |problem| view.error(dump.records_offset(), problem);
    let (capture, notes) = dump.capture_with_notes(context.slice.name).map_err(located)?;
    Ok(Content::Frame { capture: Box::new(capture), recording: Arc::new(dump), notes }.into())
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "tests may panic")]
mod tests;
