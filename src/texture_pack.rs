//! Texture packs, in which PPSSPP finds other pictures to show in place of a game's textures. A pack is a folder or
//! ZIP archive with `textures.ini` and pictures; each picture is named after its texture's address, palette hash and
//! data hash.
//!
//! | part | holds |
//! | --- | --- |
//! | [`hash`] | the three hash functions |
//! | [`key`] | texture names, and names with zeros to stand for many |
//! | [`ini`] | the lines of `textures.ini` |
//! | [`settings`] | the options and ranges to decide which bytes are hashed |
//! | [`uses`] | a run's textures with their names |
//! | [`pack`] | a pack's entries, and their pictures |
//! | [`mod@write`] | writing a run's textures as a pack |
//!
//! # Invariants
//! Names depend only on registers and memory at the draw. No bytes in a pack can cause a panic: they give an error,
//! or a problem with file and line.
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
