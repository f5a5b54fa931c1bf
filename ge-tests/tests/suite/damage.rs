//! Damaged and very large inputs: each must give a result or an error.

mod fuzz_targets;
mod hostile;
mod hostile_dumps;
mod limits;
mod mutation;
