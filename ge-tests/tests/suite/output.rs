//! Tests of files that the library writes, and of files that bring changes back.

mod export;
mod import_model;
mod pack;
mod table;
mod texture_index;
mod texture_packs;
