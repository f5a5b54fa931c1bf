//! States that cannot occur: loud where people look for faults, harmless where a frame has to go on.

use std::fmt::Debug;

/// Says that a state cannot occur. Tests and debug builds panic; a release logs an error and goes on, because one wrong value
/// is better than no picture at all.
macro_rules! never {
    ($($text:tt)+) => {{
        debug_assert!(false, $($text)+);
        tracing::error!(target: "pspge", $($text)+);
    }};
}

/// Takes a value that cannot be missing.
pub trait OrNever<T> {
    /// Returns the value. A missing one panics or logs, with `what` as the rule that does not hold, and becomes the default.
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
