//! Tests of damaged and random inputs, each of which must give a result or an error, and of limits.

mod fuzz_targets;
mod hostile;
mod hostile_dumps;
mod limits;
mod mutation;
