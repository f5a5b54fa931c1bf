//! The references on which this code rests: how the hardware behaves, and how the model formats store their data.
//!
//! * [`ge`] describes the Graphics Engine, page by page, with the hardware test or probe to prove each fact.
//! * [`formats`] describes the model files byte by byte, and how each becomes GE state.
//!
//! To keep a rule and its evidence in a single place, these pages state it, and the code only links here.
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
