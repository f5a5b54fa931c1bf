//! A message is a JSON text with bytes after it.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 4 | length of the text, little-endian |
//! | that many | the text, UTF-8 |
//! | the rest | bytes: a file, or a picture; often none |

use thiserror::Error;

/// Bytes in the length.
const HEADER: usize = 4;

/// A request or an answer as it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The JSON text.
    pub json: String,
    /// The bytes that come after it.
    pub bytes: Vec<u8>,
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// The message ends within its length or its text.
    #[error("the message is cut off: {needed} bytes are needed, and there are {length}")]
    Truncated {
        /// How many bytes are needed.
        needed: u64,
        /// How many bytes there are.
        length: usize,
    },
    /// The text is not UTF-8.
    #[error("the text of the message is not UTF-8")]
    NotText,
}

impl Message {
    /// Encodes this message to send it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let length = u32::try_from(self.json.len()).unwrap_or(u32::MAX);
        let mut encoded = Vec::with_capacity(HEADER + self.json.len() + self.bytes.len());
        encoded.extend(length.to_le_bytes());
        encoded.extend(self.json.as_bytes());
        encoded.extend(&self.bytes);
        encoded
    }

    /// Reads a message.
    ///
    /// # Errors
    /// Fails if the bytes are cut off, or if the text is not UTF-8.
    pub fn decode(encoded: &[u8]) -> Result<Self, MessageError> {
        let truncated = |needed| MessageError::Truncated { needed, length: encoded.len() };
        let (header, rest) = encoded.split_first_chunk::<HEADER>().ok_or(truncated(HEADER as u64))?;
        let length = u32::from_le_bytes(*header);
        let parts = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
        let (text, bytes) = parts.ok_or(truncated(HEADER as u64 + u64::from(length)))?;
        let json = std::str::from_utf8(text).map_err(|_| MessageError::NotText)?.to_owned();
        Ok(Self { json, bytes: bytes.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_return_as_they_were() {
        let message = Message { json: "{\"ä\":1}".to_owned(), bytes: vec![0, 255, 7] };
        assert_eq!(Message::decode(&message.encode()), Ok(message.clone()), "text and bytes");
        let empty = Message::default();
        assert_eq!(Message::decode(&empty.encode()), Ok(empty), "neither");
    }

    #[test]
    fn damaged_messages_are_errors() {
        let truncated = |needed, length| Err(MessageError::Truncated { needed, length });
        assert_eq!(Message::decode(&[1, 0]), truncated(4, 2), "within the length");
        assert_eq!(Message::decode(&[9, 0, 0, 0, b'x']), truncated(13, 5), "within the text");
        assert_eq!(Message::decode(&[255; 5]), truncated(u64::from(u32::MAX) + 4, 5), "a huge length");
        assert_eq!(Message::decode(&[1, 0, 0, 0, 255]), Err(MessageError::NotText), "a wrong byte");
    }
}
