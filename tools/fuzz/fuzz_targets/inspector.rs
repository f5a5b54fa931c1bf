//! Fuzz target; see `ge_tests::fuzz::inspector`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ge_tests::fuzz::inspector(bytes));
