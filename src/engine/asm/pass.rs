//! The state of a pass over a program's texts.
//!
//! # Invariants
//! Both passes read the same statements in the same order, so they agree on every address. The second pass skips
//! statements with an error in the first.

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

/// How deeply includes may be nested.
#[doc(hidden)]
pub const INCLUDE_DEPTH_MAX: usize = 64;

/// An error, with the statements that include its text.
#[derive(Clone, Debug)]
pub(super) struct RecordedFault {
    /// The `.include` statements, outermost first.
    pub(super) includes: Vec<Span>,
    pub(super) span: Span,
    pub(super) kind: Box<AssemblyErrorKind>,
}

impl RecordedFault {
    /// Returns a key to sort errors in text order, with an included text's errors at the including statement.
    pub(super) fn order(&self) -> Vec<usize> {
        self.includes.iter().chain([&self.span]).map(|span| span.start).collect()
    }
}

/// A statement and the bytes it assembles to, for a listing.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedStatement {
    /// The first token.
    pub(super) span: Span,
    /// How many `.include` statements lead to its text.
    pub(super) depth: usize,
    /// Address of the first byte.
    pub(super) address: u32,
    pub(super) length: u64,
}

/// A program's textures, to convert each only once.
#[derive(Clone, Debug, Default)]
pub(super) struct Textures {
    /// Results by file number and options, because both passes and equal statements need the same texture.
    pub(super) converted: HashMap<(usize, String), Result<Rc<EncodedTexture>, TextureError>>,
    /// Textures by their labels, to lend their palettes.
    pub(super) by_label: HashMap<String, Rc<EncodedTexture>>,
    /// How many bytes all textures have so far, to bound their memory.
    pub(super) bytes: u64,
}

/// A label directly before a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<'a> {
    pub(super) name: &'a str,
    /// Whether the label is not defined elsewhere.
    pub(super) is_new: bool,
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
    /// Address, word count and place for each command, and whether it is in a built-in text, to make the program's
    /// source map.
    pub(super) commands: Vec<(Address, u32, Span, bool)>,
    pub(super) textures: Textures,
    /// The statements so far, if a listing is wanted.
    pub(super) listing: Option<Vec<ListedStatement>>,
    /// The current statement's number.
    pub(super) statement: u32,
    /// Whether no statement precedes the current statement in its text, so that `.ge` is allowed.
    pub(super) is_first: bool,
    /// The label directly before the current statement.
    pub(super) label: Option<Label<'a>>,
    /// Errors so far, in text order.
    pub(super) faults: Vec<RecordedFault>,
    /// Places of recorded errors, as text number and offset, to report each only once.
    recorded: BTreeSet<(u32, usize)>,
    /// How many errors came after the limit.
    pub(super) faults_omitted: usize,
    /// The numbers of statements with errors, for the second pass to skip.
    pub(super) failed: BTreeSet<u32>,
    /// Texts around the current text, outermost first: the parser to continue with, and the place of its `.include`.
    frames: Vec<(Parser<'a>, Span)>,
    /// How many texts were included so far. With `included_bytes`, this bounds the work for repeated includes.
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
        let around = self.frames.iter().map(|(_, include)| include.file).chain([include.file]);
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
        self.frames.push((parser, include));
        self.is_first = true;
        Ok(())
    }

    /// Returns from an included text to the text around it. Returns false after the main text.
    pub(super) fn leave(&mut self) -> bool {
        let Some((parser, _)) = self.frames.pop() else { return false };
        self.parser = parser;
        self.is_first = false;
        true
    }

    /// Notes that the words of the statement at `span` go to `address`.
    pub(super) fn place_commands(&mut self, address: Address, span: Span) {
        let is_built_in = |span: &Span| self.loaded.text(span.file).0.starts_with('<');
        let includes = self.frames.iter().rev().map(|(_, include)| *include);
        let own = [span].into_iter().chain(includes).find(|span| !is_built_in(span)).unwrap_or(span);
        let words = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.commands.push((address, words, own, is_built_in(&span)));
    }

    /// Records an error in the current text.
    pub(super) fn record(&mut self, span: Span, kind: Box<AssemblyErrorKind>) {
        // A text may be included several times, but its mistakes are reported only once.
        if !self.recorded.insert((span.file, span.start)) {
            return;
        }
        if self.faults.len() >= ERRORS_MAX {
            self.faults_omitted = self.faults_omitted.saturating_add(1);
            return;
        }
        let includes = self.frames.iter().map(|(_, include)| *include).collect();
        self.faults.push(RecordedFault { includes, span, kind });
    }

    /// Skips a statement with an error. Names it defines, and addresses after it, become unknown, so that their uses
    /// are not reported too.
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

    /// Defines a label or constant. Does nothing in the second pass, which knows all names.
    pub(super) fn define(&mut self, name: &str, value: i64, is_label: bool, span: Span) -> Result<(), Fault> {
        if self.scope.labels_known {
            return Ok(());
        }
        let is_known = !is_label || self.scope.here_known;
        if let Some(symbol) = self.scope.symbols.get(name) {
            // This is the same statement again, because a text with constants may be included several times.
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
