//! Chooses the instruction set for vector code.
//!
//! The same code is compiled several times, to choose a version at run time. Pixels use the vector types from
//! `fearless_simd`, because they must not depend on the compiler's vectorizer; vertices use loops over arrays for
//! the compiler to vectorize. No version fuses or reorders operations, so all give the same bits.

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "x86", target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use fearless_simd::Level;
pub use fearless_simd::Simd;
#[cfg(any(target_arch = "x86_64", all(target_arch = "x86", target_feature = "sse2")))]
use fearless_simd::x86::{Avx2, Sse2};

/// The instruction set that this target's machines all have.
#[cfg(any(target_arch = "x86_64", all(target_arch = "x86", target_feature = "sse2")))]
pub type Portable = Sse2;
/// The instruction set that this target's machines all have.
#[cfg(target_arch = "aarch64")]
pub type Portable = fearless_simd::aarch64::Neon;
/// The instruction set that this target's machines all have.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Portable = fearless_simd::wasm32::WasmSimd128;
/// The instruction set that this target's machines all have.
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "x86", target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub type Portable = fearless_simd::Fallback;

/// Returns the token for [`Portable`], which vector code needs to run.
#[must_use]
pub(crate) fn portable() -> Portable {
    // The target's definition includes this instruction set, so the first iteration finds it.
    loop {
        #[cfg(any(target_arch = "x86_64", all(target_arch = "x86", target_feature = "sse2")))]
        let found = Level::baseline().as_sse2();
        #[cfg(target_arch = "aarch64")]
        let found = Level::baseline().as_neon();
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let found = Level::baseline().as_wasm_simd128();
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "x86", target_feature = "sse2"),
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        let found = Some(fearless_simd::Fallback::new());
        if let Some(simd) = found {
            return simd;
        }
    }
}

/// The imports for vector code.
#[doc(hidden)]
pub mod prelude {
    pub use fearless_simd::prelude::*;
    pub use fearless_simd::{Select, Simd, SimdBase, SimdInt, SimdMask};
}

/// Chooses the instructions to use. All give the same results, so this affects only speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// The fastest instructions on this machine.
    #[default]
    Best,
    /// The instruction set that this target's machines all have.
    Portable,
}

impl Instructions {
    /// Returns AVX2 if it is wanted and this machine has it.
    #[cfg(any(target_arch = "x86_64", all(target_arch = "x86", target_feature = "sse2")))]
    #[must_use]
    pub fn avx2(self) -> Option<Avx2> {
        match self {
            Self::Best => Level::new().as_avx2(),
            Self::Portable => None,
        }
    }
}

/// Evaluates an expression with the chosen instruction set: `dispatch!(instructions, simd => f(simd))`. The compiler
/// sees the expression once for each instruction set.
macro_rules! dispatch {
    ($instructions:expr, $simd:ident => $run:expr) => {{
        let instructions: $crate::ge::arithmetic::simd::Instructions = $instructions;
        #[cfg(any(target_arch = "x86_64", all(target_arch = "x86", target_feature = "sse2")))]
        let result = match instructions.avx2() {
            Some($simd) => $run,
            None => {
                let $simd = $crate::ge::arithmetic::simd::portable();
                $run
            }
        };
        #[cfg(not(any(target_arch = "x86_64", all(target_arch = "x86", target_feature = "sse2"))))]
        let result = {
            let _ = instructions;
            let $simd = $crate::ge::arithmetic::simd::portable();
            $run
        };
        result
    }};
}
pub(crate) use dispatch;
