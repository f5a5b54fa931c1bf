//! Splits a frame into passes, and finds which events read the results of others.

#[doc(hidden)]
pub mod covering_events;
pub mod dependencies;
#[doc(hidden)]
pub mod dependency_recorder;
mod dependency_tracker;
mod draw_writes;
mod footprint;
#[doc(hidden)]
pub mod frame_graph;
pub mod memory_uses;
mod palette_origin;
mod pixel_access;
pub mod pixel_mask;
pub mod splitter;
mod texture_reads;
