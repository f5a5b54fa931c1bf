//! The inspector answers requests from a page that takes a frame, a model or a list apart.
//!
//! [`Inspector::handle`] is the whole interface. The command runs it behind a server on the loopback interface, the
//! static page as WebAssembly in a Worker. Both transports carry the same [`Message`]s, so this code need not know
//! which of them is in use.
//!
//! | file | holds |
//! | --- | --- |
//! | [`message`] | a JSON text with bytes, as both ways send it |
//! | [`request`] | the requests |
//! | [`answer`] | the answers |
//! | [`inspector`] | finds the file and run for a request, and answers it |
//! | [`mod@file`] | an opened file, or a part of it |
//! | [`source`] | files sent by a page |
//! | [`error`] | errors that answer a request |
//! | `given_pictures` | pictures sent by a page, to replace textures |
//! | `first_view` | the camera to show a model with at first |
//! | `run` | a file's run with its edits |
//! | `draw_pixels`, `register_sink` | a draw's pixels and registers |
//! | `events`, `registers`, `pictures`, `coverage`, `heat`, `commands`, `exports` | parts of the answers |
//!
//! # Invariants
//! A request never panics and never changes a run. Its answer depends only on the files and the request, not on
//! earlier requests.
//!
//! ```
//! use pspge::inspect::{Inspector, InspectedFile, Request};
//! use pspge::inspect::answer::Answer;
//!
//! let file = InspectedFile::open(&pspge::Request::new("list.ge", b"TRANSFERSTART BITS32 | FINISH | END"))?;
//! let inspector = Inspector::new(pspge::Limits::default());
//! inspector.set_file(0, file);
//! let request: Request = serde_json::from_str(r#"{"request": "events"}"#)?;
//! let (answer, _) = inspector.answer(&request, &[])?;
//! let Answer::Events(events) = answer else { panic!("the answer to this request") };
//! assert_eq!(events.count, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
mod commands;
mod coverage;
mod draw_pixels;
pub mod error;
mod events;
mod exports;
pub mod file;
mod first_view;
mod given_pictures;
mod heat;
pub mod inspector;
pub mod message;
mod pictures;
mod registers;
pub mod request;
mod run;
#[cfg(feature = "schema")]
pub mod schema;
pub mod source;

pub use error::InspectError;
pub use file::{FileSource, InspectedFile, PartFiles};
pub use inspector::Inspector;
pub use message::Message;
pub use request::{PartSpec, Request, RunRequest};
pub use source::GivenFiles;
