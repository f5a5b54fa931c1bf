//! Declares columns: name, type, meaning, and how to compute the values from rows.
//!
//! # Invariants
//! Each column is declared only once. Schema, arrays and the reference page come from this declaration, so that they
//! agree.

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, PrimitiveBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, ArrowPrimitiveType, BooleanArray, ListArray, StructArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};

/// The name for list elements.
const ELEMENT: &str = "element";
/// Metadata key under which to store a column's meaning.
const DESCRIPTION: &str = "description";
/// Metadata key under which to store a column's unit.
const UNIT: &str = "unit";

/// A column in a table with rows `R`.
pub(super) struct Column<R> {
    name: &'static str,
    unit: &'static str,
    description: &'static str,
    is_nullable: bool,
    values: Box<dyn Values<R>>,
}

/// Computes a column's values, to keep columns of all types in a single list.
trait Values<R>: Send + Sync {
    /// Returns this column's Arrow type.
    fn data_type(&self) -> DataType;

    /// Builds an array with a value for each row.
    ///
    /// # Errors
    /// If the array cannot be built.
    fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError>;
}

impl<R: 'static> Column<R> {
    fn new(
        name: &'static str,
        description: &'static str,
        is_nullable: bool,
        values: impl Values<R> + 'static,
    ) -> Self {
        Self { name, unit: "", description, is_nullable, values: Box::new(values) }
    }

    fn never_null(self) -> Self {
        Self { is_nullable: false, ..self }
    }

    /// Creates a column of numbers.
    pub(super) fn number<T: ArrowPrimitiveType>(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R) -> T::Native + Send + Sync + 'static,
    ) -> Self {
        Self::maybe_number::<T>(name, description, move |row| Some(value(row))).never_null()
    }

    /// Creates a column of numbers, null if the function returns `None`.
    pub(super) fn maybe_number<T: ArrowPrimitiveType>(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R) -> Option<T::Native> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, description, true, Numbers::<T, _>(value, PhantomData))
    }

    /// Creates a column of switches.
    pub(super) fn flag(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, description, false, Flags(value))
    }

    /// Creates a column of texts, which stores equal texts once.
    pub(super) fn text(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R) -> Cow<'_, str> + Send + Sync + 'static,
    ) -> Self {
        Self::maybe_text(name, description, move |row| Some(value(row))).never_null()
    }

    /// Creates a column of texts, null if the function returns `None`.
    pub(super) fn maybe_text(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R) -> Option<Cow<'_, str>> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, description, true, Texts(value))
    }

    /// Creates a column of lists of numbers. The function appends a row's numbers.
    pub(super) fn list<T: ArrowPrimitiveType>(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R, &mut Vec<T::Native>) + Send + Sync + 'static,
    ) -> Self {
        let value = move |row: &R, out: &mut Vec<T::Native>| {
            value(row, out);
            true
        };
        Self::maybe_list::<T>(name, description, value).never_null()
    }

    /// Creates a column of lists of numbers. The function appends a row's numbers, or returns false to make it null.
    pub(super) fn maybe_list<T: ArrowPrimitiveType>(
        name: &'static str,
        description: &'static str,
        value: impl Fn(&R, &mut Vec<T::Native>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, description, true, Lists::<T, _>(value, PhantomData))
    }

    /// Creates a column of lists of structures.
    pub(super) fn structures<S: Send + Sync + 'static>(
        name: &'static str,
        description: &'static str,
        columns: Vec<Column<S>>,
        value: impl Fn(&R) -> &[S] + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, description, false, Structures { columns, value })
    }

    /// Sets the unit, which readers find in the metadata.
    pub(super) fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Returns the field for the schema, with meaning and unit as metadata.
    pub(super) fn field(&self) -> Field {
        let texts = [(DESCRIPTION, self.description), (UNIT, self.unit)];
        let metadata: HashMap<String, String> = texts
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(key, text)| (key.to_owned(), text.to_owned()))
            .collect();
        Field::new(self.name, self.values.data_type(), self.is_nullable).with_metadata(metadata)
    }

    /// Builds an array with a value for each row.
    ///
    /// # Errors
    /// If the array cannot be built.
    pub(super) fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError> {
        self.values.array(rows)
    }
}

struct Numbers<T, F>(F, PhantomData<fn() -> T>);

impl<R, T, F> Values<R> for Numbers<T, F>
where
    T: ArrowPrimitiveType,
    F: Fn(&R) -> Option<T::Native> + Send + Sync,
{
    fn data_type(&self) -> DataType {
        T::DATA_TYPE
    }

    fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError> {
        let mut builder = PrimitiveBuilder::<T>::with_capacity(rows.len());
        rows.iter().for_each(|row| builder.append_option((self.0)(row)));
        Ok(Arc::new(builder.finish()))
    }
}

struct Flags<F>(F);

impl<R, F: Fn(&R) -> bool + Send + Sync> Values<R> for Flags<F> {
    fn data_type(&self) -> DataType {
        DataType::Boolean
    }

    fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError> {
        let values = BooleanBuffer::from_iter(rows.iter().map(|row| (self.0)(row)));
        Ok(Arc::new(BooleanArray::new(values, None)))
    }
}

/// Returns the Arrow type for texts: a dictionary, because few are distinct.
pub(super) fn text_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

struct Texts<F>(F);

impl<R, F: Fn(&R) -> Option<Cow<'_, str>> + Send + Sync> Values<R> for Texts<F> {
    fn data_type(&self) -> DataType {
        text_type()
    }

    fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError> {
        texts(rows.iter().map(|row| (self.0)(row)))
    }
}

fn texts<'r>(texts: impl Iterator<Item = Option<Cow<'r, str>>>) -> Result<ArrayRef, ArrowError> {
    let mut builder = StringDictionaryBuilder::<Int32Type>::new();
    // This counts equal neighbours first, because it is faster than hashing each text.
    let mut run: Option<(Cow<'r, str>, usize)> = None;
    for text in texts {
        // A null ends the run. The run must be written first, to keep the order.
        let Some(text) = text else {
            append(&mut builder, run.take())?;
            builder.append_null();
            continue;
        };
        match &mut run {
            Some((known, count)) if *known == text => *count += 1,
            run => append(&mut builder, run.replace((text, 1)))?,
        }
    }
    append(&mut builder, run)?;
    Ok(Arc::new(builder.finish()))
}

/// Appends a run of equal texts, if there is any.
fn append(
    builder: &mut StringDictionaryBuilder<Int32Type>,
    run: Option<(Cow<'_, str>, usize)>,
) -> Result<(), ArrowError> {
    match run {
        Some((text, count)) => builder.append_n(text, count).map(|_| ()),
        None => Ok(()),
    }
}

struct Lists<T, F>(F, PhantomData<fn() -> T>);

impl<T: ArrowPrimitiveType, F> Lists<T, F> {
    fn element() -> Field {
        Field::new(ELEMENT, T::DATA_TYPE, false)
    }
}

impl<R, T, F> Values<R> for Lists<T, F>
where
    T: ArrowPrimitiveType,
    F: Fn(&R, &mut Vec<T::Native>) -> bool + Send + Sync,
{
    fn data_type(&self) -> DataType {
        DataType::List(Arc::new(Self::element()))
    }

    fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError> {
        let mut builder = ListBuilder::new(PrimitiveBuilder::<T>::new()).with_field(Self::element());
        let mut list = Vec::new();
        for row in rows {
            list.clear();
            let is_valid = (self.0)(row, &mut list);
            // The function may have appended numbers already, but a null list takes none of them.
            builder.values().append_slice(if is_valid { &list } else { &[] });
            builder.append(is_valid);
        }
        Ok(Arc::new(builder.finish()))
    }
}

struct Structures<S, F> {
    columns: Vec<Column<S>>,
    value: F,
}

impl<S: 'static, F> Structures<S, F> {
    fn fields(&self) -> Fields {
        self.columns.iter().map(Column::field).collect()
    }

    fn element(&self) -> Field {
        Field::new(ELEMENT, DataType::Struct(self.fields()), false)
    }
}

impl<R, S: Send + Sync + 'static, F: Fn(&R) -> &[S] + Send + Sync> Values<R> for Structures<S, F> {
    fn data_type(&self) -> DataType {
        DataType::List(Arc::new(self.element()))
    }

    fn array(&self, rows: &[&R]) -> Result<ArrayRef, ArrowError> {
        // Arrow stores all lists as a single array, with the offsets at which they start.
        let lists: Vec<&[S]> = rows.iter().map(|row| (self.value)(row)).collect();
        let offsets = OffsetBuffer::from_lengths(lists.iter().map(|list| list.len()));
        let elements: Vec<&S> = lists.into_iter().flatten().collect();
        let arrays = self.columns.iter().map(|column| column.array(&elements)).collect::<Result<_, _>>()?;
        let structures =
            StructArray::try_new_with_length(self.fields(), arrays, None::<NullBuffer>, elements.len())?;
        Ok(Arc::new(ListArray::try_new(Arc::new(self.element()), offsets, Arc::new(structures), None)?))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, UInt8Type, UInt32Type};

    use super::*;

    struct Row {
        number: Option<u32>,
        name: &'static str,
        list: Vec<u8>,
        parts: Vec<f32>,
    }

    fn rows() -> Vec<Row> {
        let row = |number, name, list: &[u8], parts: &[f32]| Row {
            number,
            name,
            list: list.to_vec(),
            parts: parts.to_vec(),
        };
        vec![
            row(Some(1), "a", &[1, 2], &[0.5]),
            row(None, "b", &[], &[]),
            row(Some(3), "a", &[9], &[1.0, 2.0]),
        ]
    }

    fn array(column: &Column<Row>) -> ArrayRef {
        let rows = rows();
        column.array(&rows.iter().collect::<Vec<_>>()).expect("an array")
    }

    #[test]
    fn values_and_nulls() {
        let numbers = Column::maybe_number::<UInt32Type>("number", "A number.", |row: &Row| row.number);
        let array = array(&numbers);
        let expected = [Some(1), None, Some(3)];
        assert_eq!(array.as_primitive::<UInt32Type>().iter().collect::<Vec<_>>(), expected, "numbers");
        assert!(numbers.field().is_nullable(), "some rows have none");
    }

    #[test]
    fn equal_texts_are_stored_once() {
        let names = Column::text("name", "A name.", |row: &Row| row.name.into());
        let array = array(&names);
        let names = array.as_dictionary::<Int32Type>();
        assert_eq!(names.values().len(), 2, "distinct texts");
        assert_eq!(names.keys().values().as_ref(), [0, 1, 0], "their numbers");
    }

    #[test]
    fn lists_have_any_length() {
        let lists = Column::maybe_list::<UInt8Type>("list", "Numbers.", |row: &Row, out| {
            out.extend(&row.list);
            !row.list.is_empty()
        });
        let array = array(&lists);
        let lists = array.as_list::<i32>();
        let lengths: Vec<Option<usize>> = lists.iter().map(|list| Some(list?.len())).collect();
        assert_eq!(lengths, [Some(2), None, Some(1)], "a list, null, a list");
    }

    #[test]
    fn structures_have_columns() {
        let columns =
            vec![Column::number::<Float32Type>("part", "A part.", |part: &f32| *part).unit("pixels")];
        let parts = Column::structures("parts", "Parts.", columns, |row: &Row| row.parts.as_slice());
        let array = array(&parts);
        assert_eq!(array.data_type(), parts.field().data_type(), "the schema's type");
        let lengths: Vec<usize> = array.as_list::<i32>().iter().flatten().map(|list| list.len()).collect();
        assert_eq!(lengths, [1, 0, 2], "lists");
    }

    #[test]
    fn fields_say_what_they_mean() {
        let field = Column::number::<UInt32Type>("x", "A column.", |_: &Row| 0).unit("pixels").field();
        let metadata = |key: &str| field.metadata().get(key).map(String::as_str);
        assert_eq!(
            (metadata("description"), metadata("unit")),
            (Some("A column."), Some("pixels")),
            "metadata"
        );
    }
}
