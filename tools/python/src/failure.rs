//! Errors, and the exceptions of Python that they become.

use std::fmt::Display;

use pspge::Error;
use pspge::documents::error::ErrorInfo;
use pspge::formats::FormatError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::to_object;
use crate::options::edit_failure;

/// An error, and the class of its exception.
#[derive(Debug)]
pub(crate) struct Failure {
    class: &'static str,
    info: Box<ErrorInfo>,
}

impl Failure {
    /// Creates the error of a wrong argument.
    pub(crate) fn usage(problem: impl Display) -> Self {
        Self::new("UsageError", "usage", problem)
    }

    /// Creates the error of an option that cannot apply to an input.
    pub(crate) fn inapplicable(option: impl Display, reason: impl Display) -> Self {
        Self::new("UsageError", "option-inapplicable", format_args!("{option} cannot apply: {reason}"))
    }

    /// Creates the error of an input that holds nothing of the kind that is asked for.
    pub(crate) fn content(code: &str, problem: impl Display) -> Self {
        Self::new("ContentError", code, problem)
    }

    fn new(class: &'static str, code: &str, problem: impl Display) -> Self {
        Self { class, info: Box::new(ErrorInfo::new(code, &problem.to_string())) }
    }

    /// Creates the error of a file that cannot be opened.
    pub(crate) fn format(error: &FormatError) -> Self {
        let mut info: ErrorInfo = error.into();
        if error.code() == "mesh-data-missing" {
            info.message.push_str(" (mesh_data=)");
        }
        Self { class: format_class(error), info: Box::new(info) }
    }

    /// Names the input in an error that names no file.
    pub(crate) fn of_input(mut self, input: &str) -> Self {
        let others = self.info.others.iter_mut().map(|other| &mut other.file);
        for file in std::iter::once(&mut self.info.file).chain(others) {
            file.get_or_insert_with(|| input.to_owned());
        }
        self
    }

    /// Returns the exception.
    fn exception(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let class = py.import("pspge._errors")?.getattr(self.class)?;
        let info = to_object(py, &*self.info)?;
        Ok(class.call((), Some(info.cast::<PyDict>()?))?.unbind())
    }
}

/// Returns the class of an error of a format.
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
