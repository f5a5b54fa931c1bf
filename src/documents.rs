//! Documents are results as data, for programs to read. The command prints them with `--json`.
//!
//! Each kind of document is a type with a name and a version, such as `pspge.info/1`, and a builder to make it from
//! the library's objects. [`registry::schemas`] lists all kinds; with the feature `schema`, `registry::schema`
//! returns the JSON Schema for each, to check documents or to generate code.
//!
//! ```
//! use pspge::documents::InfoDocument;
//! use pspge::{Limits, Request};
//!
//! let bytes = b"NOP | FINISH | END";
//! let asset = pspge::open("nothing.ge", bytes)?;
//! let info = InfoDocument::of_asset("nothing.ge", bytes, &asset, &Limits::default());
//! assert_eq!((info.schema.to_string().as_str(), info.commands), ("pspge.info/1", Some(3)));
//! # Ok::<(), pspge::Error>(())
//! ```
//!
//! # Rules for all documents
//! * A document is an object. Its first member is `schema`, the second `input`: the name as the user gave it.
//! * A member is never left out, so that every file gives a table the same columns. A value that does not exist is
//!   `null`, a list without elements is `[]`.
//! * Numbers are numbers, and switches are `true` or `false`. Programs need not parse numbers from text, except in
//!   format versions, and in file fields unknown to this library.
//! * Addresses, words and masks are numbers, too, because tables can then sort, join and compare them without a
//!   cast. Members called `text` and `message` show them to people, in hexadecimal. Only hashes are text, with 16
//!   hexadecimal digits: many programs read numbers above 2^53 inexactly.
//! * Infinities and NaN are `null`, because JSON does not have them; the register's raw word has their bits.
//! * Codes are the hardware's names, such as `GREATER_EQUAL`. A code without a name is `CODE_7`.
//! * This library's own words are in lower case with hyphens, such as `limit-reached`.
//! * Colours are lists: red, green, blue and, if there is one, alpha, from 0 to 255.
//! * Counters that only one format has are in a separate object, `counters`.
//! * Documents printed together by a command have no members with the same name and different types.
//! * Draws are numbered as for every option that takes a draw: see [`crate::ge::draw_set`].
//!
//! # Versions
//! A new member, or a new word in a list of words, keeps a schema's version: programs must ignore members that they
//! do not know. A member that disappears, or changes its type or meaning, raises the version.

pub mod diff;
#[cfg(feature = "compare")]
pub mod difference;
pub mod error;
mod events;
mod files;
pub mod finding;
pub mod geometry;
pub mod hashes;
#[cfg(feature = "compare")]
pub mod judgement;
pub mod measurement;
pub mod memory;
pub mod note;
pub mod note_list;
pub mod opcode;
pub mod passes;
pub mod pixel;
pub mod reduction;
pub mod registry;
pub mod report;
pub mod schema_id;
pub mod trim;
pub mod value;

pub use diff::DiffDocument;
#[cfg(feature = "compare")]
pub use difference::DifferenceDocument;
pub use error::ErrorDocument;
pub use events::command::CommandDocument;
pub use events::draw::DrawDocument;
pub use events::draw_report::DrawReportDocument;
pub use events::end::EndDocument;
pub use events::event::EventDocument;
pub use events::event_state::StateDocument;
#[cfg(feature = "inspect")]
pub(crate) use events::shown_draw;
pub use events::timeline::TimelineDocument;
pub use events::{command, draw, draw_list, draw_report, end, event, event_state, state, timeline};
pub use files::assembly::AssemblyDocument;
pub use files::capture::CaptureDocument;
pub use files::info::InfoDocument;
#[cfg(feature = "import")]
pub use files::model_import::ModelImportDocument;
pub use files::pack_check::PackCheckDocument;
#[cfg(feature = "import")]
pub use files::texture_import::TextureImportDocument;
pub use files::texture_index::TextureIndexDocument;
pub use files::{assembly, capture, info, pack_check, texture_index};
#[cfg(feature = "import")]
pub use files::{model_import, texture_import};
pub use finding::FindingDocument;
pub use geometry::GeometryDocument;
#[cfg(feature = "compare")]
pub use judgement::JudgementDocument;
pub use measurement::MeasurementDocument;
pub use memory::MemoryDocument;
pub use note::NoteDocument;
pub use opcode::OpcodeDocument;
pub use passes::PassesDocument;
pub use pixel::PixelDocument;
pub use reduction::ReductionDocument;
pub use report::ReportDocument;
pub use trim::TrimDocument;
