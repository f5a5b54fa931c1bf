//! Captures lists with the crate and with the C header, and draws the dumps they write.

mod capture;
mod example;
mod header;
mod hostile;
mod machine;
