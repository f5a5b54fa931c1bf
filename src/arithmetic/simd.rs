//! The instruction sets that loops over lanes are compiled for.
//!
//! The same scalar code is compiled several times, and the compiler makes vector instructions of it; which version runs
//! is decided at run time. No version fuses or reorders operations, so that all give the same bits.

#[cfg(target_arch = "x86_64")]
use fearless_simd::Simd as _;

/// An instruction set that loops can be compiled for.
pub trait Simd: Copy {
    /// Runs a closure compiled for the instruction set. Only what is inlined into it is.
    fn vectorize<F: FnOnce() -> T, T>(self, run: F) -> T;
}

/// What every machine of the target has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Simd for Portable {
    fn vectorize<F: FnOnce() -> T, T>(self, run: F) -> T {
        run()
    }
}

/// x86-64 with AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(fearless_simd::Avx2);

#[cfg(target_arch = "x86_64")]
impl Simd for Avx2 {
    #[inline]
    fn vectorize<F: FnOnce() -> T, T>(self, run: F) -> T {
        self.0.vectorize(run)
    }
}

/// Which instruction set to use. All leave the same results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// The best that the machine has.
    #[default]
    Best,
    /// What every machine of the target has.
    Portable,
}

impl Instructions {
    /// AVX2, where it is wanted and there.
    #[cfg(target_arch = "x86_64")]
    #[must_use]
    pub fn avx2(self) -> Option<Avx2> {
        match self {
            Self::Best => fearless_simd::Level::new().as_avx2().map(Avx2),
            Self::Portable => None,
        }
    }
}

/// Evaluates an expression for the instruction set in use: `dispatch!(instructions, simd => f(simd))`.
macro_rules! dispatch {
    ($instructions:expr, $simd:ident => $run:expr) => {{
        let instructions: $crate::arithmetic::simd::Instructions = $instructions;
        #[cfg(target_arch = "x86_64")]
        let result = match instructions.avx2() {
            Some($simd) => $run,
            None => {
                let $simd = $crate::arithmetic::simd::Portable;
                $run
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        let result = {
            let _ = instructions;
            let $simd = $crate::arithmetic::simd::Portable;
            $run
        };
        result
    }};
}
pub(crate) use dispatch;
