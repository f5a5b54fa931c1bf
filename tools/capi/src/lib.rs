//! The C interface of [`pspge`]: a Graphics Engine (GE) that emulators and recompilers link.
//!
//! An instance is a register file, list flow, a rasterizer and memory. The host's RAM, VRAM and scratchpad are used in
//! place, or the instance has its own. `include/pspge.h` is made from this crate, and `README.md` shows how to link it.
//!
//! # Rules of the interface
//! * Each function returns a status. After any status but [`Status::Ok`], [`pspge_last_error`](instance::pspge_last_error)
//!   has a sentence. A failed call changes nothing, unless it says otherwise.
//! * Instances are independent of each other, and each may be used from any thread, by one call at a time. A call that
//!   comes while another one is at work, also from a callback, returns [`Status::Busy`].
//! * No panic crosses the border. If one happens, the call returns [`Status::Panic`], and so do all later calls of the
//!   instance, which can still be destroyed. A panic on a worker thread ends the process.
//! * Memory of the host belongs to the engine during a call, and only then: in between the host reads and writes it as it
//!   likes. During a call, callbacks included, no thread of the host may touch it.
//! * Structures that the host fills start with their size, so that later versions can add members. Numbers are those of
//!   [`ABI_VERSION`](version::ABI_VERSION).
//!
//! # Memory of the host
//! The engine is safe Rust over slices and must stay so: its inner loops know nothing of foreign memory. A slice of foreign
//! memory must not live while the host writes through its own pointers. So each call makes slices of the host's pointers,
//! lends them to [`pspge::Memory`], and takes them back before it returns ([`loan`]). That costs a few stores for a call and
//! nothing for a pixel. Two other ways were rejected: a lifetime parameter of `Memory`, which would appear in every
//! signature of the engine, and copies in and out, which cost more than small lists.

pub mod border;
pub mod callbacks;
pub mod config;
pub mod counts;
pub mod flow;
pub mod instance;
pub mod json;
pub mod loan;
pub mod memory;
pub mod registers;
pub mod run;
pub mod saved;
pub mod status;
pub mod version;
mod watch;

#[cfg(feature = "fuzz")]
pub mod call_sequence;

pub use instance::Pspge;
pub use status::Status;
