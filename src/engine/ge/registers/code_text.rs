//! Writes codes as text for documents: the hardware's name, or `CODE_7` for a number without a name.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// How the text starts for a number without a name. No name starts like this, so texts stay distinct.
const PREFIX: &str = "CODE_";

pub(crate) fn text(names: &[Option<&'static str>], number: u8) -> Cow<'static, str> {
    match names.get(usize::from(number)).copied().flatten() {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(format!("{PREFIX}{number}")),
    }
}

/// Reads a code's number from its text.
///
/// # Errors
/// Fails if the text is neither a name nor stands for a number without a name.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    names: &[Option<&'static str>],
    deserializer: D,
) -> Result<u8, D::Error> {
    let given = String::deserialize(deserializer)?;
    let numbers = (0..=u8::MAX).take(names.len());
    numbers
        .into_iter()
        .find(|number| text(names, *number) == given)
        .ok_or_else(|| D::Error::custom(format_args!("no code is named {given:?}")))
}

/// Returns a code's schema, which lists all texts to expect.
#[cfg(feature = "schema")]
pub(crate) fn schema(names: &[Option<&'static str>]) -> schemars::Schema {
    let texts: Vec<Cow<'_, str>> =
        (0..=u8::MAX).take(names.len()).map(|number| text(names, number)).collect();
    schemars::json_schema!({ "type": "string", "enum": texts })
}

#[cfg(test)]
mod tests {
    use crate::ge::registers::pixel::{Comparison, StencilOperation};

    #[test]
    fn codes_read_back() {
        for number in 0..8 {
            let code = StencilOperation::from_number(number);
            let text = serde_json::to_string(&code).expect("a text");
            assert_eq!(serde_json::from_str::<StencilOperation>(&text).ok(), Some(code), "{text}");
        }
        let text = |code| serde_json::to_string(&code).expect("a text");
        assert_eq!(text(StencilOperation::KEEP), "\"KEEP\"", "a name");
        assert_eq!(text(StencilOperation::from_number(7)), "\"CODE_7\"", "a number without a name");
        for wrong in ["\"CODE_0\"", "\"keep\"", "\"\"", "0"] {
            assert!(serde_json::from_str::<Comparison>(wrong).is_err(), "{wrong}");
        }
    }
}
