//! Tests of commands that read and write files: models, their pictures and geometry, tables, assembly text.

mod alternatives;
mod archives;
mod assembly;
mod export;
mod export_counts;
mod import_model;
mod import_textures;
mod info;
mod table;
