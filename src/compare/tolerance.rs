//! How much each channel may differ.

use std::str::FromStr;

use super::parse_error::ParseError;

/// The largest difference in each channel that counts as equal, in steps of the deeper picture.
///
/// To write it, give a number for all channels, or `R,G,B` to allow none for alpha, or `R,G,B,A`. Grey uses the
/// first number.
///
/// ```
/// use pspge::compare::Tolerance;
///
/// assert_eq!("2".parse(), Ok(Tolerance([2, 2, 2, 2])));
/// assert_eq!("1,2,3,0".parse(), Ok(Tolerance([1, 2, 3, 0])));
/// assert!("1,2".parse::<Tolerance>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tolerance(
    /// Red, green, blue and alpha.
    pub [u16; 4],
);

impl FromStr for Tolerance {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let numbers: Result<Vec<u16>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[all]) => Ok(Self([all; 4])),
            Ok(&[red, green, blue]) => Ok(Self([red, green, blue, 0])),
            Ok(&[red, green, blue, alpha]) => Ok(Self([red, green, blue, alpha])),
            _ => Err(ParseError {
                expected: "N, R,G,B or R,G,B,A, each from 0 to 65535, such as 2 or 2,2,2,0",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_say_the_form() {
        assert_eq!(" 1, 2 ,3".parse(), Ok(Tolerance([1, 2, 3, 0])), "spaces");
        for wrong in ["", "x", "-1", "65536", "1,2,3,4,5", "1,,2", "1.5"] {
            let error = wrong.parse::<Tolerance>().expect_err(wrong);
            assert!(error.to_string().starts_with("expected N, R,G,B"), "{error}");
        }
    }
}
