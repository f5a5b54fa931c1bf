//! Texture packs, in which PPSSPP finds other pictures for the textures of a game: a folder or ZIP archive with
//! `textures.ini` and pictures, whose names tell address, palette hash and data hash of the texture.
//!
//! | part | holds |
//! | --- | --- |
//! | [`hash`] | the three hashes of bytes |
//! | [`key`] | names of textures, and the names with zeros that stand for many |
//! | [`ini`] | the lines of `textures.ini` |
//! | [`settings`] | the options and ranges that decide which bytes are hashed |
//! | [`uses`] | the textures of a run with their names |
//! | [`pack`] | the entries of a pack, and their pictures |
//! | [`mod@write`] | a pack of the textures of a run |
//!
//! # Invariants
//! Names depend on registers and memory at the draw alone. Any bytes in a pack give an error or a problem with file and
//! line.
//!
//! ```
//! use pspge::texture_pack::key::Key;
//!
//! let (key, level) = Key::parse("0880100012345678a1b2c3d4_1").expect("a name");
//! assert_eq!((key.address(), key.palette(), key.data, level), (0x0880_1000, 0x1234_5678, 0xA1B2_C3D4, 1));
//! ```

mod dds;
#[doc(hidden)]
pub mod hash;
pub mod ini;
pub mod key;
pub mod pack;
mod picture;
pub mod settings;
mod texture_hash;
#[doc(hidden)]
pub mod uses;
#[doc(hidden)]
pub mod write;
#[cfg(feature = "formats")]
pub mod zip_files;
