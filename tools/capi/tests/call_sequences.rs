//! Makes call sequences from random bytes, like the fuzz target `calls`.

/// Generates random numbers by xorshift, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Two tests share the sequences, to use two processors.
fn run_sequences(seed: u64) {
    let mut random = Random(seed);
    let count = if cfg!(miri) { 2 } else { 1500 };
    for _ in 0..count {
        let length = usize::try_from(random.next() % 600).expect("a small number");
        let bytes: Vec<u8> = (0..length).map(|_| random.next().to_le_bytes()[0]).collect();
        pspge_c::call_sequence::run(&bytes);
    }
}

#[test]
fn random_calls_never_fail_inside() {
    run_sequences(0x9E37_79B9_7F4A_7C15);
}

#[test]
fn other_random_calls_never_fail_inside() {
    run_sequences(0xD1B5_4A32_D192_ED03);
}
