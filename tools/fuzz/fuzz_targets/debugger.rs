//! Fuzz target; see `ge_tests::fuzz::debugger`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ge_tests::fuzz::debugger(bytes));
