//! A Python module for the engine of pspge.
//!
//! The classes and functions here are private: `python/pspge` wraps them in an interface with types and examples.
//! They expect options whose types are already checked, and return arrays, bytes, or documents as plain objects.
//!
//! # Invariants
//! * The interpreter's lock is released while the engine works, to let several threads use these objects.
//! * An array owns the memory that the engine wrote to.
//! * Errors become exceptions of `pspge`, with code, file and offset.

mod assembly;
mod asset;
mod comparison;
mod convert;
mod debugger;
mod drawing;
mod export;
mod failure;
mod files;
mod geometry;
mod importing;
mod options;
mod scratch;
mod tables;
mod textures;
mod trace;

/// The native part of the package `pspge`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::assembly::{Assembly, assemble};
    #[pymodule_export]
    use super::asset::Asset;
    #[pymodule_export]
    use super::comparison::{compare, diff, read_picture};
    #[pymodule_export]
    use super::convert::{formats, schema, schemas, version};
    #[pymodule_export]
    use super::debugger::Run;
    #[pymodule_export]
    use super::tables::Table;
    #[pymodule_export]
    use super::trace::Trace;
}
