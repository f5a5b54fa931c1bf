//! The instruction sets that code over lanes is compiled for.
//!
//! The same code is compiled several times, and which version runs is decided at run time. Pixels are computed with vectors
//! of `fearless_simd`, which leave nothing to what the compiler makes of a loop; vertices with loops over arrays, which
//! become vector instructions. No version fuses or reorders operations, so that all give the same bits.

#[cfg(target_arch = "x86_64")]
use fearless_simd::Avx2;
pub use fearless_simd::{Fallback as Portable, Simd};

/// What code over vectors needs.
pub mod prelude {
    pub use fearless_simd::prelude::*;
    pub use fearless_simd::{Select, Simd, SimdBase, SimdInt, SimdMask};
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
            Self::Best => fearless_simd::Level::new().as_avx2(),
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
                let $simd = $crate::arithmetic::simd::Portable::new();
                $run
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        let result = {
            let _ = instructions;
            let $simd = $crate::arithmetic::simd::Portable::new();
            $run
        };
        result
    }};
}
pub(crate) use dispatch;
