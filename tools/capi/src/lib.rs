//! The C interface of [`pspge`]: a Graphics Engine (GE) for emulators and recompilers to link.
//!
//! An instance has a register file, list flow, a rasterizer and memory. It uses the host's RAM, VRAM and scratchpad
//! in place, or has its own. `include/pspge.h` is made from this crate, and `README.md` shows how to link it.
//!
//! # Rules of the interface
//! * Each function returns a status. After any status but [`Status::Ok`],
//!   [`pspge_last_error`](instance::pspge_last_error) has a sentence to explain it. A failed call changes nothing,
//!   unless its documentation says otherwise.
//! * Instances are independent. Each may be used from any thread, but only by one call at a time. A call that comes
//!   while another is at work, for example from a callback, returns [`Status::Busy`].
//! * No panic crosses the border. A call that panics returns [`Status::Panic`], and so do all later calls on this
//!   instance, which can still be destroyed. A panic on a worker thread ends the process.
//! * The host's memory belongs to the engine during a call, and only then: in between, the host may read and write
//!   it freely. During a call, callbacks included, none of the host's threads may touch it.
//! * Structures filled by the host start with their size, to let later versions add members. Numbers belong to
//!   [`ABI_VERSION`](version::ABI_VERSION).
//!
//! # Memory of the host
//! The engine is safe Rust over slices and must stay so: its inner loops know nothing about foreign memory. But a
//! slice of foreign memory must not live while the host writes through its own pointers. So each call makes slices
//! from the host's pointers, lends them to [`pspge::Memory`], and takes them back before it returns ([`loan`]). This
//! costs a few stores per call and nothing per pixel. Two other ways were rejected: a lifetime parameter of
//! `Memory`, because it would appear in every signature of the engine, and copies in and out, because they cost more
//! than small lists.

pub mod answers;
pub mod border;
pub mod callbacks;
mod changes;
pub mod config;
pub mod counts;
pub mod flow;
mod host_sink;
pub mod instance;
#[cfg(feature = "json")]
pub mod json;
pub mod loan;
pub mod memory;
#[cfg(not(feature = "record"))]
mod no_recording;
pub mod queue;
#[cfg(feature = "record")]
pub mod recording;
pub mod registers;
pub mod run;
pub mod saved;
pub mod status;
pub mod target;
pub mod version;
mod watch;

#[cfg(all(feature = "fuzz", feature = "json", feature = "record"))]
pub mod call_sequence;

#[cfg(not(feature = "record"))]
use no_recording as recording;

pub use instance::Pspge;
pub use status::Status;
