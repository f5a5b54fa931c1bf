//! What all parts of a PMDL file are read with: bounds on the work, warnings, numbers in either byte order.

use zerocopy::byteorder::{F32, I32, U16, U32};
use zerocopy::{ByteOrder, FromBytes, Immutable, KnownLayout, Unaligned};

use super::geometry::{Collection, Draw, DrawFormat};
use super::problem::PmdlProblem;
use super::rig::Rig;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::address::RAM_SIZE_MAX;
use crate::model::Field;

/// More fields than this tell nobody anything.
const FIELDS: usize = 1024;

/// How much reading a file may take: each word, index, vertex and key counts one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(u64);

impl Budget {
    /// Enough for any file whose parts do not share data, and for a good deal of sharing; but no more than twice the
    /// words that fit into the machine.
    pub(super) fn of(file: View<'_>) -> Self {
        let most = u64::from(RAM_SIZE_MAX / 2);
        Self(file.len().saturating_mul(4).saturating_add(0x1_0000).min(most))
    }

    pub(super) fn spend(&mut self, file: View<'_>, at: u64, work: u64) -> Result<(), FormatError> {
        self.0 = self.0.checked_sub(work).ok_or_else(|| file.error(at, PmdlProblem::TooMuchWork))?;
        Ok(())
    }
}

/// What collections are read with.
pub(super) struct Context<'a> {
    pub(super) file: View<'a>,
    pub(super) format: DrawFormat,
    pub(super) pointer_size: u32,
    pub(super) shaders: usize,
    pub(super) rig: Option<Rig>,
    pub(super) budget: Budget,
    pub(super) warnings: Warnings,
    pub(super) fields: Vec<Field>,
    /// Fields beyond [`FIELDS`].
    pub(super) dropped: usize,
}

impl Context<'_> {
    /// Warns of something in the file.
    pub(super) fn warn(&mut self, at: u64, problem: PmdlProblem) {
        self.warnings.push(self.file.error(at, problem));
    }

    /// Keeps a field, unless there are very many already.
    pub(super) fn add_field(&mut self, name: impl Into<String>, offset: u64, value: impl Into<String>) {
        if self.fields.len() < FIELDS {
            self.fields.push(Field { name: name.into(), offset, value: value.into() });
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// How many bones there are.
    pub(super) fn bones(&self) -> usize {
        self.rig.as_ref().map_or(0, |rig| rig.skeleton.bones().len())
    }
}

/// Pieces of a collection, as its header gives them.
pub(super) struct CollectionParts<'a> {
    pub(super) layers: u16,
    pub(super) weights: u16,
    pub(super) vertices: View<'a>,
    pub(super) elements: View<'a>,
    /// From the platform part of the draw index on.
    pub(super) platform: View<'a>,
    pub(super) meshes: u32,
}

/// What the draw formats make of a collection: vertices, draws of each mesh, and how many primitives these were.
pub(super) struct Geometry {
    pub(super) collection: Collection,
    pub(super) draws: Vec<Vec<Draw>>,
    pub(super) primitives: u64,
}

/// All of `view` from `offset` on; `field` is where the file says that something begins there.
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

/// The word at `offset`.
pub(super) fn word<O: ByteOrder>(view: View<'_>, offset: u64) -> Result<u32, FormatError> {
    Ok(view.read::<U32<O>>(offset)?.get())
}

/// Numbers of a file, as those of the machine.
pub(super) trait Native {
    /// The number as the machine has it.
    type Number: Copy;
    /// That number.
    fn native(&self) -> Self::Number;
}

macro_rules! native {
    ($($raw:ident: $number:ty),*) => {$(
        impl<O: ByteOrder> Native for $raw<O> {
            type Number = $number;
            fn native(&self) -> $number {
                self.get()
            }
        }
    )*};
}
native!(U16: u16, U32: u32, I32: i32, F32: f32);

/// The `count` numbers from `offset` on.
pub(super) fn numbers<'a, T>(
    view: View<'a>,
    offset: u64,
    count: u64,
) -> Result<impl Iterator<Item = T::Number> + 'a, FormatError>
where
    T: Native + FromBytes + Immutable + KnownLayout + Unaligned + 'a,
{
    Ok(view.array::<T>(offset, count)?.iter().map(Native::native))
}

/// These numbers, if all are finite.
pub(super) fn finite<O: ByteOrder, const N: usize>(
    view: View<'_>,
    offset: u64,
    name: &'static str,
    values: [F32<O>; N],
) -> Result<[f32; N], FormatError> {
    let values = values.map(F32::get);
    if values.iter().all(|value| value.is_finite()) {
        Ok(values)
    } else {
        Err(view.error(offset, PmdlProblem::NotFinite(name)))
    }
}

/// The name at `at`, as the file says at `field`.
pub(super) fn name(
    context: &mut Context<'_>,
    names: View<'_>,
    at: u32,
    field: (View<'_>, u64),
) -> Result<String, FormatError> {
    let rest = target(names, at, "name", field)?.bytes();
    let at = u64::from(at);
    let bytes = rest.split(|&byte| byte == 0).next().unwrap_or_default();
    if bytes.len() == rest.len() {
        return Err(names.error(at, PmdlProblem::Name));
    }
    context.budget.spend(names, at, bytes.len() as u64)?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}
