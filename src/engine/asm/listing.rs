//! Makes assembly listings: each source line with its addresses and bytes.

use std::fmt::{self, Write as _};

use super::include::loaded::Loaded;
use super::output::OutputSegment;
use super::pass::ListedStatement;

/// How many bytes a row shows.
const ROW_BYTES: usize = 8;
/// How many rows a line may take. Its further bytes are only counted.
const ROWS_MAX: usize = 4;
/// How wide the columns with addresses and bytes are.
const BYTES_COLUMN: usize = 33;

/// A program's listing, to check which bytes a line assembles to.
///
/// Its text form has a line for each source line: address, bytes, line number and text. An included text's lines
/// follow its `.include`, and `>` marks how deeply they are nested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    text: String,
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Listing {
    /// Creates this listing from statements in the order of assembling them.
    pub(super) fn new(
        loaded: &Loaded<'_>,
        statements: &[ListedStatement],
        segments: &[OutputSegment],
    ) -> Self {
        let mut segments: Vec<&OutputSegment> = segments.iter().collect();
        segments.sort_by_key(|segment| segment.range.start);
        let mut writer = Writer { loaded, segments, text: String::new(), open: Vec::new() };
        writer.open(0);
        let place = |statement: &ListedStatement| (statement.depth, statement.span.file, statement.span.line);
        for line in statements.chunk_by(|a, b| place(a) == place(b)) {
            writer.statements(line);
        }
        while !writer.open.is_empty() {
            writer.close();
        }
        Self { text: writer.text }
    }
}

/// A text whose lines are being listed.
struct OpenText<'a> {
    file: u32,
    lines: Vec<&'a str>,
    /// How many lines are listed so far.
    listed: usize,
}

struct Writer<'a> {
    loaded: &'a Loaded<'a>,
    /// Sorted by address, to find a statement's bytes.
    segments: Vec<&'a OutputSegment>,
    text: String,
    /// The current text after the texts around it, outermost first.
    open: Vec<OpenText<'a>>,
}

impl Writer<'_> {
    fn open(&mut self, file: u32) {
        let lines = self.loaded.text(file).1.lines().collect();
        self.open.push(OpenText { file, lines, listed: 0 });
    }

    /// Lists the rest of the current text and returns to the text around it.
    fn close(&mut self) {
        self.lines_before(usize::MAX);
        self.open.pop();
    }

    /// Lists a line's statements, after closing or opening texts to get there.
    fn statements(&mut self, statements: &[ListedStatement]) {
        let Some(first) = statements.first() else { return };
        let (file, number) = (first.span.file, first.span.line as usize);
        let wanted = first.depth.saturating_add(1);
        let goes_on =
            |open: Option<&OpenText<'_>>| open.is_some_and(|open| open.file == file && open.listed <= number);
        while self.open.len() > wanted || (self.open.len() == wanted && !goes_on(self.open.last())) {
            self.close();
        }
        if self.open.len() < wanted {
            self.open(file);
        }
        self.lines_before(number);
        let mut rows = self.rows(statements).into_iter();
        self.source(number, &rows.next().unwrap_or_default());
        for row in rows {
            let _ = writeln!(self.text, "{row}");
        }
    }

    /// Lists the lines without statements before line `number`.
    fn lines_before(&mut self, number: usize) {
        let Some(open) = self.open.last() else { return };
        for line in open.listed.saturating_add(1)..=open.lines.len().min(number.saturating_sub(1)) {
            self.source(line, "");
        }
    }

    /// Lists a source line with the first row of its bytes.
    fn source(&mut self, number: usize, row: &str) {
        let depth = self.open.len().saturating_sub(1);
        let Some(open) = self.open.last_mut() else { return };
        open.listed = open.listed.max(number);
        let line = open.lines.get(number.saturating_sub(1)).copied().unwrap_or_default();
        let line = format!("{row:BYTES_COLUMN$} {number:5} {marks} {line}", marks = ">".repeat(depth));
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    /// Formats the statements' bytes as rows: an address and bytes.
    fn rows(&self, statements: &[ListedStatement]) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let mut total = 0_usize;
        for statement in statements {
            let bytes = self.bytes(statement);
            for (row, address) in bytes.chunks(ROW_BYTES).zip((statement.address..).step_by(ROW_BYTES)) {
                if rows.len() < ROWS_MAX {
                    let mut text = format!("{address:08x} ");
                    for byte in row {
                        let _ = write!(text, " {byte:02x}");
                    }
                    rows.push(text);
                    total = total.saturating_add(row.len());
                }
            }
        }
        let all: u64 = statements.iter().map(|statement| statement.length).sum();
        let left = all.saturating_sub(total as u64);
        if left > 0 {
            rows.push(format!("          … {left} more bytes"));
        }
        rows
    }

    /// Returns a statement's bytes, as far as its segment has them.
    fn bytes(&self, statement: &ListedStatement) -> &[u8] {
        let after = self.segments.partition_point(|segment| segment.range.start <= statement.address);
        let Some(segment) = after.checked_sub(1).and_then(|index| self.segments.get(index)) else {
            return &[];
        };
        let start = statement.address.saturating_sub(segment.range.start) as usize;
        let length = usize::try_from(statement.length).unwrap_or(usize::MAX);
        let bytes = segment.bytes.get(start..).unwrap_or_default();
        bytes.get(..length).unwrap_or(bytes)
    }
}
