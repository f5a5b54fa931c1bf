//! State for all PMDL parsers to share: work budget, warnings, and numbers in either byte order.

use zerocopy::ByteOrder;
use zerocopy::byteorder::{F32, U32};

use super::geometry::{Collection, Draw, DrawFormat};
use super::problem::PmdlProblem;
use super::rig::Rig;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::{decode_name_lossy, until_zero};
use crate::ge::address::RAM_SIZE_MAX;
use crate::model::Field;

/// Keep no more fields than this, so that a damaged file cannot fill the memory.
const FIELDS: usize = 1024;

/// Limits how much work a file may cause. Each word, index, vertex and key costs a step. See
/// [limits](crate::reference::formats::pmdl#limits).
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(u64);

impl Budget {
    /// Allows 4 steps per byte plus 65536, so that parts may share data to some extent, but never more than twice
    /// the number of words in RAM.
    pub(super) fn of(file: View<'_>) -> Self {
        let most = u64::from(RAM_SIZE_MAX / 2);
        Self(file.len().saturating_mul(4).saturating_add(0x1_0000).min(most))
    }

    pub(super) fn spend(&mut self, file: View<'_>, at: u64, work: u64) -> Result<(), FormatError> {
        self.0 = self.0.checked_sub(work).ok_or_else(|| file.error(at, PmdlProblem::TooMuchWork))?;
        Ok(())
    }
}

/// State that all parsers need to read a file.
pub(super) struct Context<'a> {
    pub(super) file: View<'a>,
    pub(super) format: DrawFormat,
    /// Whether the layout is a rigged model's, even if this reader cannot read its rig.
    pub(super) is_rigged: bool,
    pub(super) pointer_size: u32,
    pub(super) shaders: usize,
    pub(super) rig: Option<Rig>,
    pub(super) budget: Budget,
    pub(super) warnings: Warnings,
    pub(super) fields: Vec<Field>,
    /// How many fields were dropped because of [`FIELDS`].
    pub(super) dropped: usize,
}

impl Context<'_> {
    pub(super) fn warn(&mut self, at: u64, problem: PmdlProblem) {
        self.warnings.push(self.file.error(at, problem));
    }

    /// Keeps a field to show it to the user, unless the limit is reached.
    pub(super) fn add_field(&mut self, name: impl Into<String>, offset: u64, value: impl Into<String>) {
        if self.fields.len() < FIELDS {
            self.fields.push(Field { name: name.into(), offset, value: value.into() });
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Turns a failure to read a part into a warning and a default, so that this model still shows its other
    /// parts.
    ///
    /// # Errors
    /// If reading took too much work, because every other part would fail alike.
    pub(super) fn or_default<T: Default>(
        &mut self,
        part: &str,
        result: Result<T, FormatError>,
    ) -> Result<T, FormatError> {
        match result {
            Err(error) if !matches!(error.problem_as(), Some(PmdlProblem::TooMuchWork)) => {
                let problem = Box::new(error.kind.clone());
                let kind = PmdlProblem::Unreadable { part: part.to_owned(), problem }.into();
                self.warnings.push(FormatError { kind, ..error });
                Ok(T::default())
            }
            other => other,
        }
    }
}

/// Where a collection's parts are, according to its header.
pub(super) struct CollectionParts<'a> {
    pub(super) layers: u16,
    pub(super) weights: u16,
    pub(super) vertices: View<'a>,
    pub(super) elements: View<'a>,
    /// The draw index from its platform part on.
    pub(super) platform: View<'a>,
    pub(super) meshes: u32,
}

/// A collection's buffers as parsed: vertices, draws for each mesh, and how many primitives there are.
pub(super) struct Geometry {
    pub(super) collection: Collection,
    pub(super) draws: Vec<Vec<Draw>>,
    pub(super) primitives: u64,
}

/// Narrows `view` to everything from `offset` on. Pass the `field` this offset comes from, so that the error for an
/// offset out of range points there.
pub(super) fn target<'a>(
    view: View<'a>,
    offset: impl Into<u64>,
    name: &'static str,
    field: (View<'_>, u64),
) -> Result<View<'a>, FormatError> {
    let offset = offset.into();
    match view.len().checked_sub(offset) {
        Some(rest) => view.view(offset, rest),
        None => {
            let offset = view.file_offset(offset);
            Err(field.0.error(field.1, PmdlProblem::Outside { name, offset }))
        }
    }
}

/// Reads the word at `offset`.
pub(super) fn word<O: ByteOrder>(view: View<'_>, offset: u64) -> Result<u32, FormatError> {
    Ok(view.read::<U32<O>>(offset)?.get())
}

/// Converts values, and replaces infinities and NaN by 0 with a warning.
pub(super) fn finite<O: ByteOrder, const N: usize>(
    warnings: &mut Warnings,
    view: View<'_>,
    offset: u64,
    name: &'static str,
    values: [F32<O>; N],
) -> [f32; N] {
    let values = values.map(F32::get);
    if values.iter().any(|value| !value.is_finite()) {
        warnings.push(view.error(offset, PmdlProblem::NotFinite(name)));
    }
    values.map(|value| if value.is_finite() { value } else { 0.0 })
}

/// Reads the zero-terminated name at `at`. `field` tells where this offset comes from.
pub(super) fn name(
    context: &mut Context<'_>,
    names: View<'_>,
    at: u32,
    field: (View<'_>, u64),
) -> Result<String, FormatError> {
    let rest = target(names, at, "name", field)?.bytes();
    let at = u64::from(at);
    let bytes = until_zero(rest);
    if bytes.len() == rest.len() {
        return Err(names.error(at, PmdlProblem::Name));
    }
    context.budget.spend(names, at, bytes.len() as u64)?;
    Ok(decode_name_lossy(bytes))
}
