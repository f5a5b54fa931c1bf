//! The debugger's core knows a run's events, and the state at each.
//!
//! | room | holds |
//! | --- | --- |
//! | [`timeline`] | a run's events, in order |
//! | [`memory`] | each byte's last writer, byte sets, free ranges, memory as a picture |
//! | [`session`] | a run that can go to any of its events, with checkpoints |
//! | [`shot`] | a list with its edits, and how it is executed |
//! | [`pixel`] | a pixel's history, and the verdict on its colour |
//! | [`draw`] | the report on a draw, and its primitives' fate |
//! | [`passes`] | render passes, and the dependencies between events |
//! | [`trim`] | cuts a range of events out as a capture that replays alone |
//! | [`reduce`] | finds a run's smallest part that keeps some pixels |
//! | [`diff`] | finds the first difference between two runs |
//! | [`what_if`] | changes a run: registers for some events, other texels |
//!
//! Each room imports only those above it, to avoid circles.
//!
//! # Invariants
//! Looking at a run does not change it, because every value shown is computed by the run itself.
//!
//! ```
//! use pspge::debug::{EventNumber, Session, SessionOptions};
//! use pspge::Opcode;
//!
//! let list = "BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=1
//!             FOGENABLE 1 | PRIM primitive=POINTS count=1 | FINISH | END | v: .s16 0 0 0 0 0 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let mut session = Session::open(capture, SessionOptions::default());
//! session.seek(EventNumber(1))?;
//! assert!(session.registers().is_on(Opcode::FOGENABLE));
//! println!("written by {}", session.writers().register(Opcode::FOGENABLE));
//! session.seek(EventNumber(0))?;
//! assert!(!session.registers().is_on(Opcode::FOGENABLE));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(hidden)]
pub mod diff;
pub mod draw;
pub mod memory;
#[doc(hidden)]
pub mod passes;
pub mod pixel;
#[doc(hidden)]
pub mod reduce;
pub mod session;
pub mod shot;
pub mod timeline;
pub mod trim;
pub mod what_if;

pub use session::{NoSuchEvent, Session, SessionOptions};
pub use shot::Shot;
#[doc(no_inline)]
pub use timeline::EventNumber;
pub use timeline::{Timeline, TimelineEvent};
