//! Loads a program's texts and files: the main text and everything it includes, each once.
//!
//! # Invariants
//! All files are read before the first pass, so that both passes see the same bytes. Their number and size are
//! bounded.

use std::borrow::Cow;
use std::collections::HashMap;

use super::IncludeProvider;
use crate::asm::error::error_kind::AssemblyErrorKind;
use crate::asm::error::location::Location;
use crate::asm::lexer::{Lexer, Span, TokenKind};
use crate::asm::prelude;

/// How many files a program may include. A text counts each time it is included.
#[doc(hidden)]
pub const INCLUDES_MAX: usize = 1 << 14;
/// How many bytes all included files may have together (128 MiB). A text counts each time it is included.
#[doc(hidden)]
pub const INCLUDE_BYTES_MAX: u64 = 128 << 20;

const FILE_DIRECTIVES: [&str; 3] = ["include", "incbin", "texture"];

/// The loaded content for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// A text, by its number.
    Text(u32),
    /// A binary file, by its number.
    Bytes(usize),
}

/// A program's texts and files. Text 0 is the main text.
#[derive(Debug)]
pub(crate) struct Loaded<'a> {
    /// Names and contents of texts.
    texts: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Names and contents of binary files.
    files: Vec<(String, Vec<u8>)>,
    /// The content for each path in a statement. The key is where the path is: text number and byte offset.
    named: HashMap<(u32, usize), Result<Content, AssemblyErrorKind>>,
}

impl<'a> Loaded<'a> {
    /// Loads the files for `text`, and those for the texts it includes.
    pub(crate) fn load(name: &'a str, text: &'a str, provider: &dyn IncludeProvider) -> Self {
        let main = (Cow::Borrowed(name), Cow::Borrowed(text));
        let loaded = Self { texts: vec![main], files: Vec::new(), named: HashMap::new() };
        let numbers = HashMap::from([((true, name.to_owned()), Content::Text(0))]);
        let mut loader = Loader { loaded, provider, read: HashMap::new(), numbers, bytes: 0 };
        let mut number = 0;
        // Included texts are appended while this runs, so that the loop visits them too.
        while let Some((_, text)) = loader.loaded.texts.get(number as usize) {
            for (span, path) in paths(text, number) {
                let content = loader.content(number, path);
                loader.loaded.named.insert((number, span.start), content);
            }
            number = number.saturating_add(1);
        }
        loader.loaded
    }

    /// Returns name and text by number; both are empty if there is no such text.
    pub(crate) fn text(&self, number: u32) -> (&str, &str) {
        self.texts.get(number as usize).map_or(("", ""), |(name, text)| (&**name, &**text))
    }

    /// Returns the names of all included files, without built-in texts.
    pub(crate) fn included(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.iter().skip(1).map(|(name, _)| &**name);
        texts.filter(|name| !name.starts_with('<')).chain(self.files.iter().map(|(name, _)| name.as_str()))
    }

    /// Returns the number of the text loaded for the path at `span`.
    pub(super) fn included_text(&self, span: Span) -> Result<u32, AssemblyErrorKind> {
        match self.named.get(&(span.file, span.start)) {
            Some(Ok(Content::Text(number))) => Ok(*number),
            Some(Err(kind)) => Err(kind.clone()),
            Some(Ok(Content::Bytes(_))) | None => Err(AssemblyErrorKind::BadPath),
        }
    }

    /// Returns number and bytes for the file loaded for the path at `span`.
    pub(crate) fn included_bytes(&self, span: Span) -> Result<(usize, &[u8]), AssemblyErrorKind> {
        match self.named.get(&(span.file, span.start)) {
            Some(Ok(Content::Bytes(number))) => {
                let (_, bytes) = self.files.get(*number).ok_or(AssemblyErrorKind::BadPath)?;
                Ok((*number, bytes))
            }
            Some(Err(kind)) => Err(kind.clone()),
            Some(Ok(Content::Text(_))) | None => Err(AssemblyErrorKind::BadPath),
        }
    }

    /// Returns the line in which a span starts, without its line break.
    pub(crate) fn line(&self, span: Span) -> &str {
        let (_, text) = self.text(span.file);
        let start = span.start.saturating_sub(span.column.saturating_sub(1) as usize);
        let line = text.get(start..).unwrap_or_default();
        line.split('\n').next().unwrap_or_default()
    }

    /// Converts a span to the place where it starts, for messages. This counts columns in characters, not bytes.
    pub(crate) fn location(&self, span: Span) -> Location {
        let before = self.line(span).get(..span.column.saturating_sub(1) as usize).unwrap_or_default();
        let column = u32::try_from(before.chars().count()).unwrap_or(u32::MAX).saturating_add(1);
        Location { file: self.text(span.file).0.to_owned(), line: span.line, column }
    }
}

/// A path in a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FilePath {
    /// A text, by its path in quotes.
    Text(String),
    /// A binary file, by its path in quotes.
    Bytes(String),
    /// A built-in text.
    BuiltIn(String),
    /// Not a path.
    Bad,
}

/// Finds the paths in a text, by their directives.
fn paths(text: &str, number: u32) -> Vec<(Span, FilePath)> {
    let mut found = Vec::new();
    // Texts without includes may be large, so this saves a pass over them.
    if !FILE_DIRECTIVES.iter().any(|name| text.contains(name)) {
        return found;
    }
    let mut lexer = Lexer::new(text, number);
    let mut is_include = None;
    loop {
        let token = lexer.token();
        match (token.kind, is_include) {
            (TokenKind::End, _) => return found,
            (TokenKind::BuiltIn(name), Some(true)) => {
                found.push((token.span, FilePath::BuiltIn(name.to_owned())));
            }
            (TokenKind::Text(path), Some(is_include)) => {
                let path = unescape(path).ok().and_then(|path| String::from_utf8(path).ok());
                let path = match path.filter(|path| !path.is_empty()) {
                    Some(path) if is_include => FilePath::Text(path),
                    Some(path) => FilePath::Bytes(path),
                    None => FilePath::Bad,
                };
                found.push((token.span, path));
            }
            _ => {}
        }
        is_include = match token.kind {
            TokenKind::Directive(name) if FILE_DIRECTIVES.contains(&name) => Some(name == "include"),
            _ => None,
        };
    }
}

/// Decodes the escapes in a string. The error is the unknown escape, without its backslash.
pub(crate) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        bytes.extend_from_slice(plain.as_bytes());
        let bad = |length| -> String { escape.chars().skip(1).take(length).collect() };
        let (byte, length) = match escape.as_bytes().get(1) {
            Some(b'n') => (b'\n', 2),
            Some(b't') => (b'\t', 2),
            Some(b'0') => (0, 2),
            Some(quoted @ (b'\\' | b'"')) => (*quoted, 2),
            Some(b'x') => {
                // `from_str_radix` would also accept a sign.
                let digits = escape.get(2..4).filter(|digits| !digits.starts_with('+'));
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                (byte.ok_or_else(|| bad(3))?, 4)
            }
            _ => return Err(bad(1)),
        };
        bytes.push(byte);
        rest = escape.get(length..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

struct Loader<'a, 'p> {
    loaded: Loaded<'a>,
    provider: &'p dyn IncludeProvider,
    /// Results from the provider, by including text and path, to ask only once for each.
    read: HashMap<(u32, FilePath), Result<Content, AssemblyErrorKind>>,
    /// Texts (true) and binary files (false) already loaded, by name.
    numbers: HashMap<(bool, String), Content>,
    /// How many bytes all included files have so far.
    bytes: u64,
}

impl Loader<'_, '_> {
    /// Returns the content for a path in text number `from`, loading it if it is new.
    fn content(&mut self, from: u32, path: FilePath) -> Result<Content, AssemblyErrorKind> {
        let key = (from, path);
        if let Some(known) = self.read.get(&key) {
            return known.clone();
        }
        let content = match &key.1 {
            FilePath::BuiltIn(name) => self.built_in(name),
            FilePath::Text(path) => self.file(from, path, true),
            FilePath::Bytes(path) => self.file(from, path, false),
            FilePath::Bad => Err(AssemblyErrorKind::BadPath),
        };
        self.read.insert(key, content.clone());
        content
    }

    fn built_in(&mut self, name: &str) -> Result<Content, AssemblyErrorKind> {
        let Some(text) = prelude::find(name) else {
            let known = prelude::TEXTS.iter().map(|text| format!("<{}>", text.name));
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(AssemblyErrorKind::UnknownBuiltIn { name: name.to_owned(), known });
        };
        let name = format!("<{name}>");
        if let Some(known) = self.numbers.get(&(true, name.clone())) {
            return Ok(*known);
        }
        Ok(self.add_text(name, Cow::Borrowed(text.text)))
    }

    fn file(&mut self, from: u32, path: &str, is_text: bool) -> Result<Content, AssemblyErrorKind> {
        let (from, _) = self.loaded.text(from);
        let read = self.provider.read(path, from);
        let unreadable = |reason| AssemblyErrorKind::FileUnreadable { path: path.to_owned(), reason };
        let not_found = || AssemblyErrorKind::FileNotFound { path: path.to_owned() };
        let file = read.map_err(unreadable)?.ok_or_else(not_found)?;
        if let Some(known) = self.numbers.get(&(is_text, file.name.clone())) {
            return Ok(*known);
        }
        if self.numbers.len() >= INCLUDES_MAX {
            return Err(AssemblyErrorKind::TooManyIncludes { limit: INCLUDES_MAX });
        }
        self.bytes = self.bytes.saturating_add(file.bytes.len() as u64);
        if self.bytes > INCLUDE_BYTES_MAX {
            return Err(AssemblyErrorKind::IncludesTooLarge { limit: INCLUDE_BYTES_MAX });
        }
        if is_text {
            let text = String::from_utf8(file.bytes).map_err(|error| AssemblyErrorKind::NotText {
                path: path.to_owned(),
                offset: error.utf8_error().valid_up_to(),
            })?;
            return Ok(self.add_text(file.name, Cow::Owned(text)));
        }
        let content = Content::Bytes(self.loaded.files.len());
        self.numbers.insert((false, file.name.clone()), content);
        self.loaded.files.push((file.name, file.bytes));
        Ok(content)
    }

    fn add_text(&mut self, name: String, text: Cow<'static, str>) -> Content {
        let content = Content::Text(u32::try_from(self.loaded.texts.len()).unwrap_or(u32::MAX));
        self.numbers.insert((true, name.clone()), content);
        self.loaded.texts.push((Cow::Owned(name), text));
        content
    }
}
