//! Fuzz target; see `pspge_c::call_sequence`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pspge_c::call_sequence::run(bytes));
