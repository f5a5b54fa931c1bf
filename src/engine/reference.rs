//! How the hardware and the file formats behave: the references on which the code rests.
//!
//! * [`ge`] describes the Graphics Engine, page by page, with the hardware test or probe that proves each fact.
//! * [`formats`] describes the model files byte by byte, and how each becomes GE state.
//!
//! The code cites these pages by link. A rule is stated here, and the code that implements it
//! names the page.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::Opcode;
//!
//! // The table of commands cites these pages as evidence.
//! println!("{:?}", Opcode::MINZ.info().evidence);
//! ```

pub mod formats;
pub mod ge;
