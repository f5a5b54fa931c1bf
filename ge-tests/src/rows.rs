//! Reads tables with parameters and expected values (`rows.tsv`), and substitutes parameters in programs.
//!
//! Tabs separate columns. The first line names them: a plain name is a parameter, to replace `$name` in the program
//! and in observations; a name beginning with `=` is an observation ([`Observation`]), and its cells hold the
//! expected value, or `-` for any value. A column `#` is for remarks. Empty lines and lines beginning with `;` are
//! skipped.
//!
//! # Invariants
//! Every row has a cell for every column.

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::observe::{Observation, Value};

/// A table after reading it.
#[derive(Debug)]
pub struct Table {
    /// The parameters' names.
    pub parameters: Vec<String>,
    /// The observations after each run, as written in the header.
    pub observations: Vec<String>,
    /// The rows, in order.
    pub rows: Vec<Row>,
}

/// A row, to run the program once.
#[derive(Debug)]
pub struct Row {
    /// The parameters' values, as [`Table::parameters`] orders them.
    pub values: Vec<String>,
    /// The observations after the run and their expected values.
    pub expected: Vec<(Observation, Value)>,
    /// A remark, for people to read.
    pub remark: String,
}

enum Column {
    Parameter,
    Observation,
    Remark,
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// If the header has no observation or an unknown observation, or if a row does not fit the header.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(';'));
        let (_, header) = lines.next().ok_or_else(|| anyhow!("the table is empty"))?;
        let mut columns = Vec::new();
        let mut table = Self { parameters: Vec::new(), observations: Vec::new(), rows: Vec::new() };
        for name in header.split('\t').map(str::trim) {
            columns.push(if let Some(observation) = name.strip_prefix('=') {
                table.observations.push(observation.to_owned());
                Column::Observation
            } else if name == "#" {
                Column::Remark
            } else {
                ensure!(is_name(name), "`{name}` is not a valid name of a parameter");
                table.parameters.push(name.to_owned());
                Column::Parameter
            });
        }
        ensure!(!table.observations.is_empty(), "the table has no observation");
        for (index, line) in lines {
            let row = Row::parse(line, &columns, &table).with_context(|| format!("line {}", index + 1))?;
            table.rows.push(row);
        }
        ensure!(!table.rows.is_empty(), "the table has no rows");
        Ok(table)
    }
}

impl Row {
    fn parse(line: &str, columns: &[Column], table: &Table) -> Result<Self> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        ensure!(cells.len() == columns.len(), "{} cells, but {} columns", cells.len(), columns.len());
        let mut row = Self { values: Vec::new(), expected: Vec::new(), remark: String::new() };
        let mut wanted = Vec::new();
        for (cell, column) in cells.iter().zip(columns) {
            match column {
                Column::Parameter => row.values.push((*cell).to_owned()),
                Column::Observation => wanted.push(*cell),
                Column::Remark => row.remark = (*cell).to_owned(),
            }
        }
        for (observation, value) in table.observations.iter().zip(wanted) {
            let observation = Observation::parse(&substitute(observation, &table.parameters, &row.values)?)?;
            if value != "-" {
                row.expected.push((observation, observation.parse_value(value)?));
            }
        }
        Ok(row)
    }
}

/// Replaces every `$name` in `program` by the parameter's value.
///
/// # Errors
/// If the program names a parameter missing in the table.
pub fn substitute(program: &str, names: &[String], values: &[String]) -> Result<String> {
    let mut out = String::with_capacity(program.len());
    let mut rest = program;
    while let Some((before, after)) = rest.split_once('$') {
        out += before;
        let end = after.find(|c: char| !is_name_character(c)).unwrap_or(after.len());
        let (name, tail) = after.split_at(end);
        let Some(index) = names.iter().position(|known| known == name) else {
            bail!("the program uses `${name}`, which is no column of the table");
        };
        out += values.get(index).map_or("", String::as_str);
        rest = tail;
    }
    out += rest;
    Ok(out)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_name_character)
}

const fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_parameters_observations_and_remarks() {
        let text = "a\t#\t=pixel($a,1)\n; note\n\n12\tfirst\tff00\n13\t\t-\n";
        let table = Table::parse(text).expect("a table");
        assert_eq!(table.parameters, ["a"], "parameters");
        assert_eq!(table.rows.len(), 2, "rows");
        assert_eq!(table.rows[0].values, ["12"], "values");
        assert_eq!(
            table.rows[0].expected,
            [(Observation::Pixel(12, 1), Value::Number(0xFF00))],
            "observations name parameters, and pixels are hexadecimal"
        );
        assert_eq!(table.rows[0].remark, "first", "remark");
        assert!(table.rows[1].expected.is_empty(), "no expected value");
    }

    #[test]
    fn rejects_malformed_tables() {
        for text in [
            "",
            "a\tb\n1\t2\n",
            "=pixel(0,0)\n1\t2\n",
            "=pixel(0,0)\n",
            "=nothing\n1\n",
            "=pixel(0,0)\nxyz\n",
        ] {
            assert!(Table::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn substitutes_whole_names() {
        let names = ["x".to_owned(), "xy".to_owned()];
        let values = ["1".to_owned(), "2".to_owned()];
        assert_eq!(substitute("$x $xy,$x", &names, &values).expect("known names"), "1 2,1", "longest name");
        assert!(substitute("$z", &names, &values).is_err(), "unknown name");
    }
}
