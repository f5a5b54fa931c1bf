//! Writes the column reference as Markdown.

use std::fmt::Write;

use arrow_schema::{DataType, Field};

use super::kind::Table;

/// Returns a Markdown page to look up every table's columns: type, unit and meaning.
#[must_use]
pub fn reference() -> String {
    let mut page = String::new();
    for table in Table::ALL {
        let schema = table.schema();
        // Writing to a string cannot fail, so the result is ignored.
        let _ = write!(page, "## `{table}`\n\n{}\n\n", table.description());
        page.push_str("| column | type | unit | meaning |\n| --- | --- | --- | --- |\n");
        for field in schema.fields() {
            add(&mut page, "", field);
        }
        page.push('\n');
    }
    page
}

/// Adds a line for a column. If it holds structures, a line for each member follows.
fn add(page: &mut String, within: &str, field: &Field) {
    let text = |key: &str| field.metadata().get(key).map_or("", String::as_str);
    let name = format!("{within}{}", field.name());
    let null = if field.is_nullable() { ", or null" } else { "" };
    let kind = type_name(field.data_type());
    let _ = writeln!(page, "| `{name}` | {kind}{null} | {} | {} |", text("unit"), text("description"));
    if let DataType::List(element) = field.data_type()
        && let DataType::Struct(fields) = element.data_type()
    {
        for part in fields {
            add(page, &format!("{name}."), part);
        }
    }
}

/// Returns a type's name in plain words.
fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Boolean => "boolean".to_owned(),
        DataType::Dictionary(_, _) | DataType::Utf8 => "text".to_owned(),
        DataType::Float32 => "float".to_owned(),
        DataType::List(element) => format!("list of {}", type_name(element.data_type())),
        DataType::Struct(_) => "structures".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}
