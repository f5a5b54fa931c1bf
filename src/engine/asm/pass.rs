//! The state of a pass over a program's texts.
//!
//! # Invariants
//! Both passes read the same statements in the same order, so they agree on every address. A statement with an error in
//! the first pass is skipped in the second.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::ge::address::{Address, USER_RAM_BASE};

use super::error::ERRORS_MAX;
use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::expression::Parser;
use super::include::loaded::{INCLUDE_BYTES_MAX, INCLUDES_MAX, Loaded};
use super::lexer::{Span, TokenKind};
use super::output::{Output, Purpose};
use super::scope::{Scope, Symbol};
use super::texture::{EncodedTexture, TextureError};

/// The deepest nesting of includes.
#[doc(hidden)]
pub const INCLUDE_DEPTH_MAX: usize = 64;

/// An error and the statements through which its text is included.
#[derive(Clone, Debug)]
pub(super) struct RecordedFault {
    /// The `.include` statements, outermost first.
    pub(super) includes: Vec<Span>,
    pub(super) span: Span,
    pub(super) kind: Box<AssemblyErrorKind>,
}

impl RecordedFault {
    /// Returns a key to sort errors in the order of the text, with an included text's errors at its statement.
    pub(super) fn order(&self) -> Vec<usize> {
        self.includes.iter().chain([&self.span]).map(|span| span.start).collect()
    }
}

/// A statement and the bytes it assembles to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedStatement {
    /// The first token.
    pub(super) span: Span,
    /// How many `.include` statements are around it.
    pub(super) depth: usize,
    /// Address of the first byte.
    pub(super) address: u32,
    /// How many bytes there are.
    pub(super) length: u64,
}

/// A program's textures.
#[derive(Clone, Debug, Default)]
pub(super) struct Textures {
    /// Results by file number and options, because both passes and equal statements need the same texture.
    pub(super) converted: HashMap<(usize, String), Result<Rc<EncodedTexture>, TextureError>>,
    /// Textures by their labels.
    pub(super) by_label: HashMap<String, Rc<EncodedTexture>>,
    /// How many bytes all textures have so far.
    pub(super) bytes: u64,
}

/// A label directly before a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<'a> {
    pub(super) name: &'a str,
    /// The label is not defined elsewhere.
    pub(super) is_new: bool,
}

/// A text that is left for an included text.
struct Frame<'a> {
    /// Continues after the `.include` statement.
    parser: Parser<'a>,
    include: Span,
}

/// A pass over the texts.
pub(super) struct Pass<'a> {
    pub(super) loaded: &'a Loaded<'a>,
    pub(super) parser: Parser<'a>,
    pub(super) scope: Scope,
    pub(super) output: Output,
    pub(super) entry: Option<Address>,
    pub(super) stall: Option<Address>,
    pub(super) words: Vec<u32>,
    /// Address, number of words and place of each command, and whether it is in a built-in text, for the map of a stored
    /// program.
    pub(super) commands: Vec<(Address, u32, Span, bool)>,
    pub(super) textures: Textures,
    /// The statements so far, if a listing is wanted.
    pub(super) listing: Option<Vec<ListedStatement>>,
    /// Number of the current statement.
    pub(super) statement: u32,
    /// No statement precedes this one in the current text.
    pub(super) is_first: bool,
    /// The label directly before the current statement.
    pub(super) label: Option<Label<'a>>,
    /// Errors so far, in the order of the text.
    pub(super) faults: Vec<RecordedFault>,
    /// Places of recorded errors: text and offset.
    recorded: BTreeSet<(u32, usize)>,
    /// How many errors came after the limit.
    pub(super) faults_omitted: usize,
    /// Numbers of the statements with errors.
    pub(super) failed: BTreeSet<u32>,
    /// Texts around the current text, outermost first.
    frames: Vec<Frame<'a>>,
    /// How many texts were included so far, and their bytes.
    included: usize,
    included_bytes: u64,
}

impl<'a> Pass<'a> {
    pub(super) fn new(loaded: &'a Loaded<'a>, scope: Scope, purpose: Purpose) -> Self {
        let scope = Scope { here_known: purpose != Purpose::Check, ..scope };
        Self {
            loaded,
            parser: Parser::new(loaded.text(0).1, 0),
            scope,
            output: Output::new(Address::new(USER_RAM_BASE), purpose),
            entry: None,
            stall: None,
            words: Vec::new(),
            commands: Vec::new(),
            textures: Textures::default(),
            listing: None,
            statement: 0,
            is_first: true,
            label: None,
            faults: Vec::new(),
            recorded: BTreeSet::new(),
            faults_omitted: 0,
            failed: BTreeSet::new(),
            frames: Vec::new(),
            included: 0,
            included_bytes: 0,
        }
    }

    /// Returns how many texts are around the current text.
    pub(super) const fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Continues with text number `text`, because of the statement at `include`.
    pub(super) fn enter(&mut self, text: u32, include: Span) -> Result<(), Fault> {
        let error = |kind| Err(Fault::new(include, kind));
        let around = self.frames.iter().map(|frame| frame.include.file).chain([include.file]);
        if let Some(start) = around.clone().position(|file| file == text) {
            let names = around.skip(start).chain([text]).map(|file| self.loaded.text(file).0.to_owned());
            return error(AssemblyErrorKind::IncludeLoop { chain: names.collect() });
        }
        if self.frames.len() >= INCLUDE_DEPTH_MAX {
            return error(AssemblyErrorKind::IncludesTooDeep { limit: INCLUDE_DEPTH_MAX });
        }
        self.included = self.included.saturating_add(1);
        if self.included > INCLUDES_MAX {
            return error(AssemblyErrorKind::TooManyIncludes { limit: INCLUDES_MAX });
        }
        let (_, content) = self.loaded.text(text);
        self.included_bytes = self.included_bytes.saturating_add(content.len() as u64);
        if self.included_bytes > INCLUDE_BYTES_MAX {
            return error(AssemblyErrorKind::IncludesTooLarge { limit: INCLUDE_BYTES_MAX });
        }
        let parser = std::mem::replace(&mut self.parser, Parser::new(content, text));
        self.frames.push(Frame { parser, include });
        self.is_first = true;
        Ok(())
    }

    /// Returns to the including text after an included one. Returns false after the main text.
    pub(super) fn leave(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        self.parser = frame.parser;
        self.is_first = false;
        true
    }

    /// Notes where the words of the statement at `span` go.
    pub(super) fn place_commands(&mut self, address: Address, span: Span) {
        let is_built_in = |span: &Span| self.loaded.text(span.file).0.starts_with('<');
        let includes = self.frames.iter().rev().map(|frame| frame.include);
        let own = [span].into_iter().chain(includes).find(|span| !is_built_in(span)).unwrap_or(span);
        let words = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.commands.push((address, words, own, is_built_in(&span)));
    }

    /// Records an error in the current text.
    pub(super) fn record(&mut self, span: Span, kind: Box<AssemblyErrorKind>) {
        // If a text is included several times, its mistakes are reported only once.
        if !self.recorded.insert((span.file, span.start)) {
            return;
        }
        if self.faults.len() >= ERRORS_MAX {
            self.faults_omitted = self.faults_omitted.saturating_add(1);
            return;
        }
        let includes = self.frames.iter().map(|frame| frame.include).collect();
        self.faults.push(RecordedFault { includes, span, kind });
    }

    /// Skips a statement with an error. Names that it defines, and addresses after it, become unknown. This
    /// keeps their uses from being reported too.
    pub(super) fn recover(&mut self, fault: Fault) {
        self.failed.insert(self.statement);
        if let Fault::Error(span, kind) = fault {
            self.record(span, kind);
        }
        while !self.parser.at_statement_end() {
            if let (TokenKind::Name(name), TokenKind::Symbol(':')) =
                (self.parser.kind(), self.parser.peek_second())
            {
                self.scope.lost.add(name);
            }
            self.parser.advance();
        }
        self.parser.skip_statement();
        self.scope.here_known = false;
    }

    /// Checks that the current statement ends here.
    pub(super) fn end_of_statement(&self) -> Result<(), Fault> {
        if self.parser.at_statement_end() {
            return Ok(());
        }
        Err(self.parser.expected("the end of the statement"))
    }

    /// Defines a label or constant. Does nothing in the second pass.
    pub(super) fn define(&mut self, name: &str, value: i64, is_label: bool, span: Span) -> Result<(), Fault> {
        if self.scope.labels_known {
            return Ok(());
        }
        let is_known = !is_label || self.scope.here_known;
        if let Some(symbol) = self.scope.symbols.get(name) {
            // This is the same statement again. A text with constants may be included several times.
            let is_same = symbol.span == Some(span) && symbol.value == value && !is_label;
            if is_same {
                return Ok(());
            }
            let first = symbol.span.map(|first| self.loaded.location(first));
            let kind = AssemblyErrorKind::DuplicateName { name: name.to_owned(), first };
            return Err(Fault::new(span, kind));
        }
        let symbol = Symbol { value, span: Some(span), is_label, is_known };
        self.scope.symbols.insert(name.to_owned(), symbol);
        Ok(())
    }
}
