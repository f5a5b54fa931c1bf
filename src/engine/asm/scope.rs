//! Labels and constants, to look up names in expressions.

use std::collections::{BTreeMap, BTreeSet};

use super::error::similar::closest_name;
use super::lexer::Span;
use super::libgu;

/// A label or constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) value: i64,
    /// Place of its definition; `None` for constants from outside the text.
    pub(super) span: Option<Span>,
    pub(super) is_label: bool,
    /// Whether the value does not depend on a statement with an error.
    pub(super) is_known: bool,
}

/// The symbols for expressions to refer to.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) symbols: BTreeMap<String, Symbol>,
    /// The value of `.`.
    pub(super) here: u32,
    /// Whether `here` is right: no statement with an error since the last `.org` could have moved it.
    pub(super) here_known: bool,
    /// Whether all labels are collected, because this is the second pass.
    pub(super) labels_known: bool,
    /// Names that statements with errors should have defined.
    pub(super) lost: LostNames,
}

/// Names missing because of an error. This is reported already, so their uses are no further errors.
#[derive(Clone, Debug, Default)]
pub(super) struct LostNames {
    names: BTreeSet<String>,
    /// Whether a whole text is missing, because it could define any name.
    all: bool,
}

impl LostNames {
    /// Adds a name, and all names that continue it after a point, such as a texture's constants.
    pub(super) fn add(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    pub(super) const fn add_all(&mut self) {
        self.all = true;
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        let mut starts = name.match_indices('.').filter_map(|(end, _)| name.get(..end));
        self.all || self.names.contains(name) || starts.any(|start| self.names.contains(start))
    }
}

/// The result of looking up a name.
pub(super) enum Lookup {
    Value(i64),
    /// The first pass does not know this name, but it may be defined later.
    Later,
    /// The value depends on a statement with an error.
    Unknown,
    /// This name does not exist; there may be a similar name to suggest.
    Undefined(Option<String>),
}

impl Scope {
    pub(super) fn look_up(&self, name: &str) -> Lookup {
        match self.symbols.get(name) {
            Some(symbol) if symbol.is_known => Lookup::Value(symbol.value),
            Some(_) => Lookup::Unknown,
            None if self.lost.contains(name) => Lookup::Unknown,
            None => match libgu::constant(name) {
                Some(value) => Lookup::Value(value),
                None if !self.labels_known => Lookup::Later,
                None => Lookup::Undefined(self.similar(name)),
            },
        }
    }

    /// Finds a known name similar to this name, for suggestions.
    pub(super) fn similar(&self, name: &str) -> Option<String> {
        libgu::similar_constant(name).or_else(|| closest_name(name, self.symbols.keys().map(String::as_str)))
    }
}
