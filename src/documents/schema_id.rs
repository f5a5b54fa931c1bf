//! The member `schema` gives the name and version of a document's kind, to tell programs how to read it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A kind of document.
pub trait Document {
    /// The name, such as `info`.
    const NAME: &'static str;
    /// The version, from 1.
    const VERSION: u32;
    /// Its contents, in a few words.
    const TITLE: &'static str;
}

/// The member `schema` in a document of the kind `D`: a constant text such as `pspge.info/1`.
pub struct SchemaId<D>(PhantomData<fn() -> D>);

impl<D> SchemaId<D> {
    /// Creates the member.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<D> Default for SchemaId<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> Clone for SchemaId<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for SchemaId<D> {}

impl<D> PartialEq for SchemaId<D> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<D> Eq for SchemaId<D> {}

impl<D: Document> fmt::Display for SchemaId<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pspge.{}/{}", D::NAME, D::VERSION)
    }
}

impl<D: Document> fmt::Debug for SchemaId<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<D: Document> Serialize for SchemaId<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, D: Document> Deserialize<'de> for SchemaId<D> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let given = String::deserialize(deserializer)?;
        let expected = Self::new();
        if given == expected.to_string() {
            Ok(expected)
        } else {
            Err(S::Error::custom(format_args!("expected a document {expected}, found {given:?}")))
        }
    }
}

#[cfg(feature = "schema")]
impl<D: Document> schemars::JsonSchema for SchemaId<D> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("SchemaOf_{}", D::NAME).into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "const": Self::new().to_string() })
    }
}
