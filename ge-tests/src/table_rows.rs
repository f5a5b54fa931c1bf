//! Converts rows in Arrow batches to JSON, to compare them with documents.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Int8Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use pspge::ge::float::Float;
use serde_json::{Map, Value};

/// A row's values by column name.
pub type Row = Map<String, Value>;

/// Converts all rows in batches.
///
/// # Panics
/// If a column has a type that tables never use.
#[must_use]
pub fn rows<'a>(batches: impl IntoIterator<Item = &'a RecordBatch>) -> Vec<Row> {
    batches.into_iter().flat_map(rows_of).collect()
}

fn rows_of(batch: &RecordBatch) -> Vec<Row> {
    let schema = batch.schema();
    let row = |index: usize| {
        let columns = schema.fields().iter().zip(batch.columns());
        columns.map(|(field, array)| (field.name().clone(), value(array.as_ref(), index))).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Converts an array's element. As in documents, infinities and NaN are null.
fn value(array: &dyn Array, index: usize) -> Value {
    fn number<T: ArrowPrimitiveType>(array: &dyn Array, index: usize) -> T::Native {
        array.as_primitive::<T>().value(index)
    }
    if array.is_null(index) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(index).into(),
        DataType::Int8 => number::<Int8Type>(array, index).into(),
        DataType::UInt8 => number::<UInt8Type>(array, index).into(),
        DataType::UInt16 => number::<UInt16Type>(array, index).into(),
        DataType::UInt32 => number::<UInt32Type>(array, index).into(),
        DataType::UInt64 => number::<UInt64Type>(array, index).into(),
        DataType::Float32 => {
            // This goes through text, as documents are read, because a single as a double would have other digits.
            let text = serde_json::to_string(&Float(number::<Float32Type>(array, index))).expect("JSON");
            serde_json::from_str(&text).expect("a number or null")
        }
        DataType::Utf8 => array.as_string::<i32>().value(index).into(),
        DataType::Dictionary(_, _) => {
            let texts = array.as_dictionary::<Int32Type>();
            value(texts.values().as_ref(), texts.key(index).expect("a key"))
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(index);
            (0..list.len()).map(|element| value(list.as_ref(), element)).collect()
        }
        DataType::Struct(fields) => {
            let parts = array.as_struct();
            let members = fields.iter().zip(parts.columns());
            members.map(|(field, part)| (field.name().clone(), value(part.as_ref(), index))).collect()
        }
        other => panic!("{other} is no type of a table"),
    }
}
