//! Prints bytes in hexadecimal.

use pspge::Address;
use pspge::ge::memory::Memory;

use crate::output::Output;
use crate::terminal::failure::Failure;

/// Bytes in a line.
const LINE: u32 = 16;

/// Prints `length` bytes from `address` on: 16 to a line, followed by their letters. Bytes without memory show as
/// `--`.
pub(super) fn print(out: &mut Output, memory: &Memory, address: Address, length: u32) -> Result<(), Failure> {
    let mut at = 0;
    while at < length {
        let count = LINE.min(length - at);
        let bytes = (0..count).map(|byte| {
            let place = address.offset(at + byte);
            memory.is_mapped(place, 1).then(|| memory.read_u8(place))
        });
        let bytes: Vec<Option<u8>> = bytes.collect();
        let words = bytes.iter().map(|byte| byte.map_or("--".to_owned(), |byte| format!("{byte:02x}")));
        let words: Vec<String> = words.collect();
        let letter = |byte: &Option<u8>| match byte {
            Some(byte @ 0x20..=0x7E) => char::from(*byte),
            Some(_) => '.',
            None => ' ',
        };
        let letters: String = bytes.iter().map(letter).collect();
        out.line(format_args!("{}  {:47}  {letters}", address.offset(at), words.join(" ")))?;
        at += count;
    }
    Ok(())
}
