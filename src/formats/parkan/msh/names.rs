//! Reads the node names in an MSH model (stream 10). Source:
//! [other streams](crate::reference::formats::parkan#other-streams).

use super::problem::MshProblem;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::Warnings;
use crate::formats::parkan::nres::text;

/// Parses a name for each node: a length and, if this is not 0, the name with a final zero. A damaged name ends the
/// list, because the next cannot be found.
pub(super) fn read(view: View<'_>, nodes: usize, warnings: &mut Warnings) -> Vec<Option<String>> {
    let mut names = Vec::new();
    let mut cursor = Cursor::new(view, 0);
    for node in 0..nodes {
        let at = cursor.at();
        let Ok(length) = cursor.word() else {
            warnings.push(view.error(at, MshProblem::Name(node)));
            return names;
        };
        if length == 0 {
            names.push(None);
            continue;
        }
        let bytes = view.slice(cursor.at(), u64::from(length).saturating_add(1));
        let Ok([name @ .., 0]) = bytes else {
            warnings.push(view.error(at, MshProblem::Name(node)));
            return names;
        };
        names.push(Some(text(name)));
        cursor = Cursor::new(view, cursor.at().saturating_add(u64::from(length)).saturating_add(1));
    }
    if cursor.at() != view.len() {
        let left = view.len().saturating_sub(cursor.at());
        warnings.push(view.error(cursor.at(), MshProblem::NamesEnd(left)));
    }
    names
}
