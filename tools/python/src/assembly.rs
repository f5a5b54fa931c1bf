//! Assembling text from Python.

use pspge::asm::{self, AssemblyRequest};
use pspge::documents::AssemblyDocument;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::asset::Asset;
use crate::convert::to_object;
use crate::failure::Failure;
use crate::files::{Includes, with_interrupts};
use crate::options::OpenOptions;

/// Assembled text, kept with its source so that [`Self::asset`] can open the program like a file.
#[pyclass(frozen, module = "pspge._native")]
pub(crate) struct Assembly {
    name: String,
    text: String,
    inner: asm::Assembly,
}

/// Assembles text. Constants from Python count as defined before its first line.
#[pyfunction]
pub(crate) fn assemble(
    py: Python<'_>,
    text: String,
    name: String,
    define: Vec<(String, i64)>,
    includes: Option<Py<PyAny>>,
) -> PyResult<Assembly> {
    let assembled = with_interrupts(py, || -> Result<asm::Assembly, Failure> {
        let includes = includes.map(Includes);
        let constants: Vec<(&str, i64)> =
            define.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let request =
            AssemblyRequest { constants: &constants, listing: true, ..AssemblyRequest::new(&name, &text) };
        let request = match &includes {
            Some(files) => AssemblyRequest { files, ..request },
            None => request,
        };
        Ok(asm::assemble_with(&request).map_err(pspge::Error::from)?)
    })?;
    let inner = assembled.map_err(|error| error.of_input(&name))?;
    Ok(Assembly { name, text, inner })
}

#[pymethods]
impl Assembly {
    /// Returns a document that describes each part of the program.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &AssemblyDocument::new(&self.name, &self.inner))
    }

    /// The program's bytes, from its lowest address to its highest.
    fn image<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let image = py.detach(|| self.inner.program.image());
        let image = image.map_err(|error| Failure::content("too-large", &error.kind).of_input(&self.name))?;
        Ok(PyBytes::new(py, &image))
    }

    /// Source lines with their addresses and bytes.
    fn listing(&self) -> String {
        self.inner.listing.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// Opens the program as an asset, to run or draw it without a file.
    fn asset(&self, options: OpenOptions) -> PyResult<Asset> {
        let inner = pspge::Asset::from_program(self.name.clone(), self.inner.program.clone());
        let bytes = self.text.clone().into_bytes();
        Ok(Asset::new(inner, self.name.clone(), bytes, options.limits()?))
    }
}
