//! Opens wrappers: archives around a single file in another format, such as a zipped frame dump.

use super::descriptor::{Format, Members};
use super::error::{FileRole, FormatError};
use super::registry::Registry;
use super::request::Request;
use super::slice::FileSlice;

/// Unpacks the file inside a wrapper. Returns `None` if the input is no wrapper.
///
/// # Errors
/// Errors in the format of the wrapper.
pub(super) fn unwrap(registry: &Registry, request: &Request<'_>) -> Result<Option<Vec<u8>>, FormatError> {
    let input = FileSlice::whole(request.input, FileRole::Input);
    let Some(format) = request.format.or_else(|| registry.sniff(input.bytes)) else { return Ok(None) };
    let Members::Wrapped { unpack } = format.descriptor().members else { return Ok(None) };
    // Only one layer: wrappers inside wrappers are not opened, so that none can nest without end.
    let is_wrapper = |format: Format| matches!(format.descriptor().members, Members::Wrapped { .. });
    let is_inside = |bytes: &[u8]| registry.sniff(bytes).is_some_and(|format| !is_wrapper(format));
    unpack(input.view(format.name()), &request.limits, &is_inside).map(Some)
}
