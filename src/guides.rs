//! Guides to common tasks. To get started, pick the guide for your task:
//!
//! * [`install`]: get the command, the library and the inspector's page, from a release or from a checkout.
//! * [`snapshot_tests`]: snapshot-test your own models.
//! * [`wrong_pixel`]: find out why a pixel has its colour.
//! * [`change_textures`]: change a texture and put it back into its file.
//! * [`change_models`]: change a model's geometry and put it back into its file.
//! * [`texture_packs`]: write, draw and check texture packs for PPSSPP, and learn how it names their pictures.
//! * [`inspector`]: ask ten questions to a frame, and get the answers in a browser.
//! * [`regression_tests`]: judge renderers by reference pictures, here and in CI.
//! * [`tables`]: ask a collection of frames, in SQL; [`table_columns`]: the columns of its tables.
//! * [`back_end`]: write a custom back end, or set a breakpoint.
//! * [`adding_a_format`]: add a format with a folder and a line.
//! * [`embedding`]: choose features, logs and limits for a program that embeds pspge.
//! * [`hosts`]: figures for emulators and recompilers, and how to measure them.
//! * [`changes`]: each version's content.
//!
//! ```
//! // The shortest task of all: does the list run to its end?
//! let run = pspge::open("list.ge", b"FINISH | END")?.run(&mut pspge::NullSink)?;
//! assert!(run.report.notes.is_empty());
//! # Ok::<(), pspge::Error>(())
//! ```

#[doc = include_str!("guides/install.md")]
pub mod install {}

#[doc = include_str!("guides/snapshot_tests.md")]
pub mod snapshot_tests {}

#[doc = include_str!("guides/wrong_pixel.md")]
pub mod wrong_pixel {}

#[doc = include_str!("guides/change_textures.md")]
pub mod change_textures {}

#[doc = include_str!("guides/change_models.md")]
pub mod change_models {}

#[doc = include_str!("guides/texture_packs.md")]
pub mod texture_packs {}

#[doc = include_str!("guides/inspector.md")]
pub mod inspector {}

#[doc = include_str!("guides/regression_tests.md")]
pub mod regression_tests {}

#[doc = include_str!("guides/tables.md")]
pub mod tables {}

#[doc = include_str!("guides/table_columns.md")]
pub mod table_columns {}

#[doc = include_str!("guides/back_end.md")]
pub mod back_end {}

#[doc = include_str!("guides/adding_a_format.md")]
pub mod adding_a_format {}

#[doc = include_str!("guides/embedding.md")]
pub mod embedding {}

#[doc = include_str!("guides/hosts.md")]
pub mod hosts {}

#[doc = include_str!("guides/changes.md")]
pub mod changes {}
