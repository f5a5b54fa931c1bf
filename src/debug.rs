//! The debugger's core: the events of a run, and the state at each of them.
//!
//! # Invariants
//! Looking at a run does not change it: every value shown is the one that the run itself computes.
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

pub mod byte_writers;
mod carried_state;
mod checkpoints;
mod collector;
mod ddmin;
pub mod dependencies;
pub mod dependency_recorder;
mod dependency_tracker;
mod draw_footprint;
mod draw_reach;
pub mod draw_report;
mod draw_writes;
pub mod event_scope;
mod excerpt;
pub mod first_difference;
pub mod frame_graph;
mod free_ram;
pub mod history_recorder;
mod history_text;
mod lockstep;
pub mod memory_image;
mod page_tracker;
mod palette_origin;
pub mod pass_splitter;
mod pixel_access;
pub mod pixel_difference;
pub mod pixel_history;
pub mod pixel_mask;
pub mod pixel_target;
pub mod primitive_fate;
mod recording;
pub mod reduce;
pub mod replaced_texture;
pub mod session;
mod texel_bytes;
mod texture_reads;
pub mod timeline;
pub mod trim;
mod verdict;
mod vram_set;
pub mod writers;
pub mod written_bytes;

pub use session::{NoSuchEvent, Session, SessionOptions};
pub use timeline::{EventNumber, Timeline, TimelineEvent};
