//! Reports states that cannot occur. Tests and debug builds panic, so that the fault is found. A release goes on, so
//! that this frame is still drawn.

use std::fmt::Debug;

/// Reports a state that cannot occur. Tests and debug builds panic. A release logs an error and goes on, because a
/// picture with a wrong value helps users more than no picture.
macro_rules! never {
    ($($text:tt)+) => {{
        debug_assert!(false, $($text)+);
        tracing::error!(target: "pspge", $($text)+);
    }};
}

/// Unwraps values that are always present, because the code guarantees it.
pub trait OrNever<T> {
    /// Returns the value. If it is missing, this panics or logs `what`, the broken rule, and returns the default.
    fn or_never(self, what: &str) -> T;
}

impl<T: Default> OrNever<T> for Option<T> {
    #[track_caller]
    fn or_never(self, what: &str) -> T {
        self.unwrap_or_else(|| {
            never!("{what}");
            T::default()
        })
    }
}

impl<T: Default, E: Debug> OrNever<T> for Result<T, E> {
    #[track_caller]
    fn or_never(self, what: &str) -> T {
        self.unwrap_or_else(|error| {
            never!("{what}: {error:?}");
            T::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a word is there")]
    fn a_missing_value_is_loud() {
        let _ = None::<u32>.or_never("a word is there");
    }

    #[test]
    #[should_panic(expected = "an index has 16 bits: TryFromIntError")]
    fn a_failure_is_named() {
        let _ = u16::try_from(70_000).or_never("an index has 16 bits");
    }
}
