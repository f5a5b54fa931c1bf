//! Writes ARC containers.
//!
//! Source: [ARC containers](pspge::reference::formats::bbs#arc-containers).

use crate::bytes::{pad, put_u16, put_u32};

/// Encodes the container. A member without bytes refers to another container.
pub(crate) fn write(members: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
    let mut file = b"ARC\0".to_vec();
    put_u16(&mut file, 1);
    put_u16(&mut file, members.len());
    file.resize(0x10, 0);
    let mut offset = 0x10 + 0x20 * members.len();
    for (name, bytes) in members {
        let length = bytes.map_or(0, <[u8]>::len);
        let (folder, at) = if bytes.is_some() { (0, offset) } else { (0x4546_4645, 0) };
        for value in [folder, at, length, 0] {
            put_u32(&mut file, value);
        }
        let end = file.len() + 16;
        file.extend(name.as_bytes());
        file.resize(end, 0);
        offset += length.next_multiple_of(16);
    }
    for bytes in members.iter().filter_map(|(_, bytes)| *bytes) {
        file.extend(bytes);
        pad(&mut file, 16);
    }
    file
}
