//! Files the engine asks Python for: an input's companions, and the files included by assembly text.

use std::cell::RefCell;
use std::fmt;

use pspge::asm::{IncludeProvider, IncludedFile};
use pspge::formats::{FileError, FileProvider, ProvidedFile};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// A folder implemented in Python: an object with `folder`, `names()`, and `read(name)`, which returns a name with
/// folders and bytes, or `None`.
pub(crate) struct Folder(pub(crate) Py<PyAny>);

impl fmt::Debug for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Folder").field(&self.folder()).finish()
    }
}

impl FileProvider for Folder {
    fn folder(&self) -> String {
        ask(|py| self.0.bind(py).getattr("folder")?.extract()).unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        // A folder that cannot be listed is no error.
        ask(|py| self.0.bind(py).call_method0("names")?.extract()).unwrap_or_default()
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let read: PyResult<Option<(String, Vec<u8>)>> =
            ask(|py| self.0.bind(py).call_method1("read", (name,))?.extract());
        match read {
            Ok(found) => Ok(found.map(|(name, bytes)| ProvidedFile { name, bytes })),
            Err(error) => Err(FileError { name: name.to_owned(), message: message(&error) }),
        }
    }
}

/// A Python function that reads included files. It takes the path and the including text's name, and returns a name
/// with folders and bytes, or `None`.
pub(crate) struct Includes(pub(crate) Py<PyAny>);

impl fmt::Debug for Includes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Includes").finish_non_exhaustive()
    }
}

impl IncludeProvider for Includes {
    fn read(&self, path: &str, from: &str) -> Result<Option<IncludedFile>, String> {
        let read: PyResult<Option<(String, Vec<u8>)>> =
            ask(|py| self.0.bind(py).call1((path, from))?.extract());
        match read {
            Ok(found) => Ok(found.map(|(name, bytes)| IncludedFile { name, bytes })),
            Err(error) => Err(message(&error)),
        }
    }
}

thread_local! {
    /// The user's interrupt while this thread asked Python. It has to bypass the file errors, because the file is
    /// not at fault.
    static INTERRUPT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Asks Python. An interrupt is kept for [`with_interrupts`], because the engine itself can only note a missing
/// file.
fn ask<T>(question: impl FnOnce(Python<'_>) -> PyResult<T>) -> PyResult<T> {
    Python::attach(|py| {
        let answer = question(py);
        if let Err(error) = &answer
            && error.is_instance_of::<PyKeyboardInterrupt>(py)
        {
            INTERRUPT.set(Some(error.clone_ref(py)));
        }
        answer
    })
}

/// Releases the lock to run work that may ask Python, then raises an interrupt that came meanwhile.
pub(crate) fn with_interrupts<T: Send>(py: Python<'_>, run: impl FnOnce() -> T + Send) -> PyResult<T> {
    INTERRUPT.take();
    let done = py.detach(run);
    match INTERRUPT.take() {
        Some(interrupt) => Err(interrupt),
        None => Ok(done),
    }
}

fn message(error: &PyErr) -> String {
    Python::attach(|py| error.value(py).to_string())
}
