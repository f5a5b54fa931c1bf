//! Captures lists with the crate and with the C header, and draws what they write.

mod capture;
mod example;
mod header;
mod hostile;
mod machine;
