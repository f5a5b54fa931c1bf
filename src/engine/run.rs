//! Executes lists. The interpreter runs commands, sinks receive its draws, and watchers see its commands and
//! events.
//!
//! # Invariants
//! This room knows no rasterizer and no file format, so that programs can bring their own.
//!
//! # Tracing
//! The library installs no subscriber. If a program installs one, such as the subscriber from `tracing-subscriber`,
//! this sees:
//!
//! | level | name or message | fields |
//! | --- | --- | --- |
//! | debug | span `replay` | `start`, number of `events` of the CPU |
//! | debug | span `list`: a run, or its continuation | `start` |
//! | trace | span `draw`, around the sink's work | `number`, `primitive`, `count`, `at` |
//! | debug | event `flush` | `reason` |
//! | trace | event `flush_for_read` | `reason`, `start`, `length` |
//! | debug | event `flush_for_write` | `reason`, `start`, `length` |
//! | warn | event: the text of a [note](crate::ge::note::Note) | `at`, `command` |
//!
//! A flush event is a request to the sink, even if no draw is pending.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use std::sync::Mutex;
//! use tracing::{Event, Metadata, Subscriber, span};
//!
//! /// The names of spans and the levels of events, in order.
//! static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
//!
//! struct Collector;
//!
//! impl Subscriber for Collector {
//!     fn enabled(&self, metadata: &Metadata<'_>) -> bool {
//!         metadata.target().starts_with("pspge::run")
//!     }
//!     fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
//!         SEEN.lock().unwrap().push(span.metadata().name().to_owned());
//!         span::Id::from_u64(1)
//!     }
//!     fn event(&self, event: &Event<'_>) {
//!         SEEN.lock().unwrap().push(event.metadata().level().to_string());
//!     }
//!     fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
//!     fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
//!     fn enter(&self, _: &span::Id) {}
//!     fn exit(&self, _: &span::Id) {}
//! }
//!
//! use pspge::ge::arithmetic::Arithmetic;
//! use pspge::ge::limits::Limits;
//! use pspge::run::replay;
//! use pspge::run::sink::{NullObserver, NullSink};
//!
//! let list = "BASE hi(.) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=1
//!             RET | FINISH | END | v: .s16 0 0 0";
//! let mut capture = pspge::asm::assemble(list)?.capture();
//! tracing::subscriber::set_global_default(Collector).expect("the first subscriber");
//! replay::run(&mut capture, Arithmetic::Hardware, &mut NullSink, &mut NullObserver, &Limits::default());
//! // The draw, the note that RET has no CALL, and the flushes at the end of list and replay.
//! assert_eq!(*SEEN.lock().unwrap(), ["replay", "list", "draw", "WARN", "DEBUG", "DEBUG"]);
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::{Arithmetic, Ending, Limits, NullObserver, NullSink};
//!
//! let mut capture = pspge::asm::assemble("NOP | FINISH | END")?.capture();
//! let limits = Limits::default();
//! let run = pspge::replay(&mut capture, Arithmetic::Hardware, &mut NullSink, &mut NullObserver, &limits);
//! assert_eq!(run.report.ending, Ending::Finished);
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

pub mod decode;
mod draw_tracker;
mod dump_extent;
pub mod interpreter;
pub mod replay;
#[doc(hidden)]
pub mod selected_draws;
pub mod sink;
pub mod stop_after;
#[doc(hidden)]
pub mod target_sizes;
pub mod texture_uses;
pub mod trace;
pub mod watch;
