//! Labels and constants.

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
    /// The value does not depend on a statement with an error.
    pub(super) is_known: bool,
}

/// The symbols for expressions to refer to.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) symbols: BTreeMap<String, Symbol>,
    /// The value of `.`.
    pub(super) here: u32,
    /// No statement with an error since the last `.org` could have moved `here`.
    pub(super) here_known: bool,
    /// All labels are collected: this is the second pass.
    pub(super) labels_known: bool,
    /// Names that statements with errors should have defined.
    pub(super) lost: LostNames,
}

/// Names that are missing because of an error. This is reported already, so their uses are no further errors.
#[derive(Clone, Debug, Default)]
pub(super) struct LostNames {
    names: BTreeSet<String>,
    /// A whole text is missing, which could define any name.
    all: bool,
}

impl LostNames {
    /// Adds a name, and with it all names that continue it after a point, such as a texture's.
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
    /// Its value.
    Value(i64),
    /// The name may be defined later.
    Later,
    /// The value depends on a statement with an error.
    Unknown,
    /// The name does not exist; there may be a similar name.
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

    /// Finds a defined name that is similar to this name.
    pub(super) fn similar(&self, name: &str) -> Option<String> {
        libgu::similar_constant(name).or_else(|| closest_name(name, self.symbols.keys().map(String::as_str)))
    }
}
