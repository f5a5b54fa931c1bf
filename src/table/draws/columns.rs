//! Short forms to declare columns about the state at a draw.

use std::borrow::Cow;

use arrow_array::ArrowPrimitiveType;
use arrow_array::types::{Float32Type, UInt8Type};

use super::row::DrawRow;
use crate::documents::state::State;
use crate::ge::float::Float;
use crate::table::column::Column;

/// A column in [`DrawRow`]s.
pub(super) type DrawColumn = Column<DrawRow>;

/// Creates a column of switches.
pub(super) fn flag(name: &'static str, about: &'static str, value: fn(&State) -> bool) -> DrawColumn {
    Column::flag(name, about, move |row: &DrawRow| value(&row.state))
}

/// Creates a column of codes, shown by their names.
pub(super) fn code(
    name: &'static str,
    about: &'static str,
    value: fn(&State) -> Cow<'static, str>,
) -> DrawColumn {
    Column::text(name, about, move |row: &DrawRow| value(&row.state))
}

/// Creates a column of numbers.
pub(super) fn number<T: ArrowPrimitiveType>(
    name: &'static str,
    about: &'static str,
    value: fn(&State) -> T::Native,
) -> DrawColumn {
    Column::number::<T>(name, about, move |row: &DrawRow| value(&row.state))
}

/// Creates a column of floats.
pub(super) fn float(name: &'static str, about: &'static str, value: fn(&State) -> Float) -> DrawColumn {
    Column::number::<Float32Type>(name, about, move |row: &DrawRow| value(&row.state).0)
}

/// Creates a column of lists of floats.
pub(super) fn floats(name: &'static str, about: &'static str, value: fn(&State) -> &[Float]) -> DrawColumn {
    Column::list::<Float32Type>(name, about, move |row: &DrawRow, out| {
        out.extend(value(&row.state).iter().map(|Float(number)| *number));
    })
}

/// Creates a column of lists of floats, null for draws that do not use them.
pub(super) fn used_floats(
    name: &'static str,
    about: &'static str,
    value: fn(&State) -> Option<&[Float]>,
) -> DrawColumn {
    Column::maybe_list::<Float32Type>(name, about, move |row: &DrawRow, out| {
        let list = value(&row.state);
        out.extend(list.into_iter().flatten().map(|Float(number)| *number));
        list.is_some()
    })
}

/// Creates a column of colours: red, green, blue and, if it exists, alpha.
pub(super) fn color(name: &'static str, about: &'static str, value: fn(&State) -> &[u8]) -> DrawColumn {
    Column::list::<UInt8Type>(name, about, move |row: &DrawRow, out| out.extend(value(&row.state)))
        .unit("0 to 255")
}
