//! PMO: the models of Monster Hunter Freedom Unite (`1.0`) and Portable 3rd (`102`).
//!
//! A PMO already is a Graphics Engine program: one display list per group of primitives, followed by its
//! vertices and indices. `read` checks the tables, `list` checks the display lists, and `lower` writes the
//! list that calls them.
//! Source: [Monster Hunter](crate::reference::formats::pmo).

use std::collections::HashSet;

mod list;
mod lower;
mod model;
mod problem;
mod raw;
mod read;

pub(super) use model::Companions;
pub use problem::PmoProblem;
pub(super) use raw::MAGIC;

use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::model::Model;
use list::WorkBudget;
use model::Pmo;

/// Returns true if the bytes start like a PMO of any version. The format of Birth by Sleep spells its magic
/// in capitals.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a model. Its mesh data is in the file, or in `second` if that is given.
pub(super) fn read<'a>(file: View<'a>, second: Option<View<'a>>) -> Result<Pmo<'a>, FormatError> {
    let mut file = read::read(file, second)?;
    let mut warnings = std::mem::take(&mut file.warnings);
    let mut budget = WorkBudget::of(file.data);
    let mut lists = Vec::new();
    let mut assigned = [false; 8];
    for group in &file.groups {
        if group.list >= file.data.len() {
            // Report the header field, because the list has no offset in the file.
            let at = group.offset.saturating_add(4);
            return Err(file.file.error(at, PmoProblem::ListOutside(group.list)));
        }
        let scanned = list::scan(file.data, group.list, &mut budget, &mut warnings)?;
        // The list is the authority; the header is only compared with it.
        for (field, name, stated, found) in [
            (8, "vertices", group.vertices, scanned.first_vertex),
            (12, "indices", group.indices, scanned.first_index),
        ] {
            if found.is_some_and(|found| found != stated) {
                let at = group.offset.saturating_add(field);
                warnings.push(file.file.error(at, PmoProblem::HeaderMismatch(name)));
            }
        }
        for entry in file.bones.get(group.bones.clone()).unwrap_or_default() {
            if let Some(slot) = assigned.get_mut(entry.slot) {
                *slot = true;
            }
        }
        let slots = assigned.iter().filter(|slot| **slot).count();
        if scanned.weights > slots {
            let problem = PmoProblem::Unassigned { weights: scanned.weights, slots };
            return Err(file.file.error(group.offset.saturating_add(1), problem));
        }
        lists.push(scanned);
    }
    Ok(Pmo { file, lists, warnings })
}

impl Pmo<'_> {
    /// Lowers the model together with its companions.
    pub(super) fn lower(self, name: &str, companions: Companions<'_>) -> Result<Model, FormatError> {
        if let Some(skeleton) = &companions.skeleton {
            let known: HashSet<u32> = skeleton.bones().iter().map(|bone| bone.id).collect();
            let unknown = self.file.bones.iter().find(|entry| !known.contains(&u32::from(entry.bone)));
            if let Some(entry) = unknown {
                let at = entry.offset.saturating_add(1);
                return Err(self.file.file.error(at, PmoProblem::NoBone(entry.bone)));
            }
        }
        lower::lower(&self, name, companions)
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
