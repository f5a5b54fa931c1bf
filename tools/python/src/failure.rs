//! Errors, and the Python exceptions they become.

use std::fmt::Display;

use pspge::Error;
use pspge::documents::error::ErrorInfo;
use pspge::formats::FormatError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::to_object;
use crate::options::edit_failure;

/// An error, with the class for its exception.
#[derive(Debug)]
pub(crate) struct Failure {
    class: &'static str,
    info: Box<ErrorInfo>,
}

impl Failure {
    /// A wrong argument.
    pub(crate) fn usage(problem: impl Display) -> Self {
        Self::new("UsageError", "usage", problem)
    }

    /// An option that cannot apply to this input.
    pub(crate) fn inapplicable(option: impl Display, reason: impl Display) -> Self {
        Self::new("UsageError", "option-inapplicable", format_args!("{option} cannot apply: {reason}"))
    }

    /// An input without anything of the kind asked for.
    pub(crate) fn content(code: &str, problem: impl Display) -> Self {
        Self::new("ContentError", code, problem)
    }

    fn new(class: &'static str, code: &str, problem: impl Display) -> Self {
        Self { class, info: Box::new(ErrorInfo::new(code, &problem.to_string())) }
    }

    /// A file that cannot be opened.
    pub(crate) fn format(error: &FormatError) -> Self {
        let mut info: ErrorInfo = error.into();
        if error.code() == "mesh-data-missing" {
            info.message.push_str(" (mesh_data=)");
        }
        Self { class: format_class(error), info: Box::new(info) }
    }

    /// Adds the input's name wherever the error names no file.
    pub(crate) fn of_input(mut self, input: &str) -> Self {
        let others = self.info.others.iter_mut().map(|other| &mut other.file);
        for file in std::iter::once(&mut self.info.file).chain(others) {
            file.get_or_insert_with(|| input.to_owned());
        }
        self
    }

    /// Creates the exception to raise in Python.
    fn exception(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let class = py.import("pspge._errors")?.getattr(self.class)?;
        let info = to_object(py, &*self.info)?;
        Ok(class.call((), Some(info.cast::<PyDict>()?))?.unbind())
    }
}

/// Picks the exception class for a format error.
fn format_class(error: &FormatError) -> &'static str {
    if error.code() == "limit" { "LimitError" } else { "FormatError" }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let class = match &error {
            Error::Edit(error) => return edit_failure(error),
            Error::Format(error) => return Self::format(error),
            Error::NotText { .. } => "FormatError",
            Error::Assembly(_) => "AssemblyError",
            Error::LimitHit(_) => "LimitError",
            Error::NoDisplayList { .. } | Error::TooLargeForDump | Error::ListTooLong(_) => "ContentError",
            _ => "UsageError",
        };
        Self { class, info: Box::new((&error).into()) }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| match failure.exception(py) {
            Ok(exception) => Self::from_value(exception.into_bound(py)),
            Err(error) => error,
        })
    }
}
