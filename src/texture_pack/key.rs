//! The names by which packs know textures.

use std::fmt;

/// A texture's name: its address, its size, and hashes for its palette and texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The address in the upper half. The lower half is the size, combined with the palette hash by exclusive OR.
    pub texture: u64,
    /// The texel hash.
    pub data: u32,
}

impl Key {
    const LOW: u64 = 0xFFFF_FFFF;

    /// Reads a name: up to 16 and 8 hexadecimal digits, and after `_` a level number, 0 if missing. This ignores any
    /// text after that. Returns `None` if there is no digit.
    #[must_use]
    pub fn parse(text: &str) -> Option<(Self, u32)> {
        let mut rest = text.trim_start();
        let mut digits = |most: usize| {
            let count = rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
            let (digits, after) = rest.split_at_checked(count)?;
            rest = after;
            u64::from_str_radix(digits, 16).ok()
        };
        let texture = digits(16)?;
        let data = digits(8).and_then(|data| u32::try_from(data).ok()).unwrap_or(0);
        let level = rest.strip_prefix('_').map_or("", |level| {
            level.split_at_checked(level.bytes().take_while(u8::is_ascii_digit).count()).unwrap_or_default().0
        });
        Some((Self { texture, data }, level.parse().unwrap_or(0)))
    }

    /// Returns the texture's address; 0 for any.
    #[must_use]
    pub const fn address(self) -> u32 {
        let [.., a, b, c, d] = self.texture.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Returns the hash over palette and size; 0 for any.
    #[must_use]
    pub const fn palette(self) -> u32 {
        let [a, b, c, d, ..] = self.texture.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Returns this name without its address, to match the texture anywhere in memory.
    #[must_use]
    pub const fn without_address(self) -> Self {
        Self { texture: self.texture & Self::LOW, ..self }
    }

    /// Returns the names under which a pack may hold this texture, from the exact name to those with zeros. The
    /// first name found in the pack counts.
    pub fn names(self, ignores_address: bool) -> impl Iterator<Item = Self> {
        let Self { texture, data } = self;
        let (palette, address) = (texture & Self::LOW, texture & !Self::LOW);
        [
            (true, texture, data),
            (true, palette, 0),
            (!ignores_address, texture, 0),
            (true, palette, data),
            (!ignores_address, address, data),
            (!ignores_address, address, 0),
            (true, 0, data),
        ]
        .into_iter()
        .filter_map(|(applies, texture, data)| applies.then_some(Self { texture, data }))
    }

    /// Returns the file name for a level's picture, without extension.
    #[must_use]
    pub fn file_stem(self, level: usize) -> String {
        if level == 0 { self.to_string() } else { format!("{self}_{level}") }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:08x}", self.texture, self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_far_as_they_go() {
        let key = |texture, data| Key { texture, data };
        for (text, expected) in [
            ("0880100012345678a1b2c3d4", Some((key(0x0880_1000_1234_5678, 0xA1B2_C3D4), 0))),
            ("0880100012345678A1B2C3D4_12.png", Some((key(0x0880_1000_1234_5678, 0xA1B2_C3D4), 12))),
            ("0880100012345678", Some((key(0x0880_1000_1234_5678, 0), 0))),
            ("12", Some((key(0x12, 0), 0))),
            ("12 _3", Some((key(0x12, 0), 0))),
            ("12_99999999999", Some((key(0x12, 0), 0))),
            ("", None),
            ("é", None),
            ("texture", None),
        ] {
            assert_eq!(Key::parse(text), expected, "{text}");
        }
        let key = key(0x0880_1000_1234_5678, 0xA1B2_C3D4);
        assert_eq!(Key::parse(&key.file_stem(3)), Some((key, 3)), "what is written is read");
    }

    #[test]
    fn zeros_stand_for_anything_in_this_order() {
        let key = Key { texture: 0x0880_1000_1234_5678, data: 0xA1B2_C3D4 };
        let names = |ignores| key.names(ignores).map(|name| name.to_string()).collect::<Vec<_>>();
        assert_eq!(
            names(false),
            [
                "0880100012345678a1b2c3d4",
                "000000001234567800000000",
                "088010001234567800000000",
                "0000000012345678a1b2c3d4",
                "0880100000000000a1b2c3d4",
                "088010000000000000000000",
                "0000000000000000a1b2c3d4",
            ]
        );
        let without: Vec<_> = key.without_address().names(true).map(|name| name.to_string()).collect();
        assert_eq!(
            without,
            [
                "0000000012345678a1b2c3d4",
                "000000001234567800000000",
                "0000000012345678a1b2c3d4",
                "0000000000000000a1b2c3d4"
            ]
        );
    }
}
