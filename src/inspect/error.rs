//! Errors that answer a request.

use std::fmt::Display;

use crate::asset::Error;
use crate::debug::NoSuchEvent;
use crate::debug::draw::report::DrawReportError;
use crate::documents::error::ErrorInfo;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .info.message)]
pub struct InspectError {
    /// The reason, in the form for documents.
    pub info: Box<ErrorInfo>,
}

impl InspectError {
    /// Creates an error without a place in a file.
    pub(super) fn new(code: &str, message: &str) -> Self {
        Self { info: Box::new(ErrorInfo::new(code, message)) }
    }

    /// Creates an error for a request that this file, run or event cannot answer.
    pub(super) fn inapplicable(message: impl Display) -> Self {
        Self::new("inapplicable", &message.to_string())
    }

    /// Creates an error about a file.
    pub(super) fn of_file(name: &str, error: &Error) -> Self {
        let info = ErrorInfo::from(error);
        let file = info.file.clone().or_else(|| Some(name.to_owned()));
        Self { info: Box::new(ErrorInfo { file, ..info }) }
    }
}

impl From<NoSuchEvent> for InspectError {
    fn from(error: NoSuchEvent) -> Self {
        Self::new("no-such-event", &error.to_string())
    }
}

impl From<DrawReportError> for InspectError {
    fn from(error: DrawReportError) -> Self {
        Self::inapplicable(error)
    }
}
