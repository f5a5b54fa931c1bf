//! JSON Schemas for the messages, so that other pages and programs can use them.

use schemars::{JsonSchema, Schema, generate::SchemaSettings};

use crate::documents::registry::without_examples;

use super::answer::Answer;
use super::request::Request;

/// A kind of message.
#[derive(Clone, Copy, Debug)]
pub struct MessageSchema {
    /// The name, such as `inspect-request`.
    pub name: &'static str,
    /// The version, from 1. It rises if a member disappears, or changes its type or meaning.
    pub version: u32,
    /// Its contents, in a few words.
    pub title: &'static str,
    schema: fn() -> Schema,
}

impl MessageSchema {
    /// Both kinds of messages.
    pub const ALL: [Self; 2] = [
        Self {
            name: "inspect-request",
            version: 1,
            title: "A request of the inspector's page",
            schema: || of::<Request>(SchemaSettings::draft2020_12()),
        },
        Self {
            name: "inspect-answer",
            version: 1,
            title: "The answer to a request of the inspector's page",
            schema: || of::<Answer>(SchemaSettings::draft2020_12().for_serialize()),
        },
    ];

    /// Returns name and version, such as `pspge.inspect-request/1`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("pspge.{}/{}", self.name, self.version)
    }

    /// Returns the kind with this name or id, or `None` if there is none.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name == name || kind.id() == name)
    }

    /// Returns the JSON Schema (draft 2020-12).
    #[must_use]
    pub fn schema(&self) -> Schema {
        let mut schema = (self.schema)();
        schema.insert("title".to_owned(), self.title.into());
        schema
    }
}

fn of<T: JsonSchema>(settings: SchemaSettings) -> Schema {
    settings.with_transform(without_examples).into_generator().into_root_schema_for::<T>()
}
