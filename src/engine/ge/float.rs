//! Numbers for documents. Document formats such as JSON have no infinities and NaN, so these become `null`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ge::float24::Float24;

/// A single-precision number to write into documents. Infinities and NaN become `null`, which reads back as NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct Float(pub f32);

impl Float {
    /// Converts an array.
    #[must_use]
    pub fn array<const N: usize>(numbers: [f32; N]) -> [Self; N] {
        numbers.map(Self)
    }
}

impl From<f32> for Float {
    fn from(number: f32) -> Self {
        Self(number)
    }
}

impl From<Float24> for Float {
    fn from(number: Float24) -> Self {
        Self(number.to_f32())
    }
}

impl PartialEq for Float {
    /// Compares values as documents show them, so all infinities and NaN are equal.
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || !self.0.is_finite() && !other.0.is_finite()
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() { serializer.serialize_f32(self.0) } else { serializer.serialize_none() }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::deserialize(deserializer)?.unwrap_or(f32::NAN)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Float {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Float".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["number", "null"],
            "description": "A number of single precision; null for infinities and NaN."
        })
    }
}

/// Reads and writes vectors, for use in `serde(with)`.
pub mod arrays {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Float;

    /// Writes the vectors.
    ///
    /// # Errors
    /// Fails if the serializer does.
    pub fn serialize<S: Serializer, const N: usize>(list: &[[f32; N]], out: S) -> Result<S::Ok, S::Error>
    where
        [Float; N]: serde::Serialize,
    {
        out.collect_seq(list.iter().map(|vector| vector.map(Float)))
    }

    /// Reads the vectors.
    ///
    /// # Errors
    /// Fails if the deserializer does.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<Vec<[f32; N]>, D::Error>
    where
        [Float; N]: Deserialize<'de>,
    {
        let list: Vec<[Float; N]> = Vec::deserialize(from)?;
        Ok(list.into_iter().map(|vector| vector.map(|Float(number)| number)).collect())
    }
}

/// Reads and writes nested lists, for use in `serde(with)`.
pub mod lists {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Float;

    /// Writes the lists.
    ///
    /// # Errors
    /// Fails if the serializer does.
    pub fn serialize<S: Serializer>(lists: &[Vec<f32>], out: S) -> Result<S::Ok, S::Error> {
        let floats = |list: &Vec<f32>| list.iter().copied().map(Float).collect::<Vec<Float>>();
        out.collect_seq(lists.iter().map(floats))
    }

    /// Reads the lists.
    ///
    /// # Errors
    /// Fails if the deserializer does.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<f32>>, D::Error> {
        let lists: Vec<Vec<Float>> = Vec::deserialize(from)?;
        Ok(lists.into_iter().map(|list| list.into_iter().map(|Float(number)| number).collect()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_back() {
        for (number, text) in [(1.0, "1.0"), (-0.5, "-0.5"), (1e10, "10000000000.0"), (f32::NAN, "null")] {
            assert_eq!(serde_json::to_string(&Float(number)).expect("JSON"), text, "{number}");
            assert_eq!(serde_json::from_str::<Float>(text).expect("a float"), Float(number), "{text}");
        }
        assert_ne!(Float(1.0), Float(f32::INFINITY), "a number is no infinity");
    }
}
