//! PMO: models in Monster Hunter Freedom Unite (`1.0`) and Portable 3rd (`102`).
//!
//! A PMO already is a program for the Graphics Engine: a display list per group, followed by its vertices and
//! indices. `read` reads the header and, with `meshes` and `groups`, the tables. `list` checks the display lists,
//! and `lower` writes a list to call them.
//! Source: [Monster Hunter](crate::reference::formats::pmo).

mod groups;
mod list;
mod lower;
mod meshes;
mod model;
mod problem;
mod raw;
mod read;
mod source;
mod write;

pub(super) use model::Companions;
pub use problem::PmoProblem;
pub(super) use raw::MAGIC;
pub(super) use read::is_mesh_data;
pub(super) use write::write;

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::model::Model;
use list::{ScannedList, WorkBudget};
use model::Pmo;
use read::PmoTables;
use source::Version;

/// Recognises a PMO in any version by its first bytes. Birth by Sleep's format spells its magic in capitals.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a model. Its mesh data is in the file, or in `second` if given. Leaves out groups if they cannot be drawn.
///
/// # Errors
/// Fails if nothing can be drawn.
pub(super) fn read<'a>(file: View<'a>, second: Option<View<'a>>) -> Result<Pmo<'a>, FormatError> {
    if let Some(version) = read::version(file)? {
        return read_as(file, second, version);
    }
    // Only the game looks at the version, and tools do not. So an unknown version may still have a known layout:
    // take the layout that contradicts itself least.
    let layouts = [Version::V10, Version::V102];
    let readings = layouts.into_iter().filter_map(|version| read_as(file, second, version).ok());
    let best = readings.min_by_key(|pmo| pmo.warnings.as_slice().len());
    let mut pmo = best.ok_or_else(|| file.error(4, PmoProblem::Version))?;
    pmo.warnings.push(file.error(4, PmoProblem::GuessedVersion(pmo.file.version.name())));
    Ok(pmo)
}

/// Reads a model in the layout of this version.
fn read_as<'a>(file: View<'a>, second: Option<View<'a>>, version: Version) -> Result<Pmo<'a>, FormatError> {
    let mut file = read::read(file, second, version)?;
    let mut warnings = std::mem::take(&mut file.warnings);
    let mut budget = WorkBudget::of(file.data);
    let mut assigned = [false; 8];
    let (mut lists, mut first_error) = (Vec::new(), None);
    for number in 0..file.groups.len() {
        let list = scan(&file, number, &mut assigned, &mut budget, &mut warnings);
        lists.push(list.map_err(|error| {
            let FormatError { kind, .. } = &error;
            let problem = PmoProblem::GroupLeftOut { group: number, problem: Box::new(kind.clone()) };
            warnings.push(FormatError { kind: problem.into(), ..error.clone() });
            first_error.get_or_insert(error);
        }));
    }
    let lists: Vec<Option<ScannedList>> = lists.into_iter().map(Result::ok).collect();
    if let Some(error) = first_error.filter(|_| lists.iter().all(Option::is_none)) {
        let problem = PmoProblem::NothingDrawn { groups: lists.len(), first: Box::new(error.kind.clone()) };
        return Err(FormatError { kind: problem.into(), ..error });
    }
    Ok(Pmo { file, lists, warnings })
}

impl Pmo<'_> {
    /// Lowers the model together with its companions.
    pub(super) fn lower(&self, name: &str, companions: Companions<'_>) -> Result<Model, FormatError> {
        lower::lower(self, name, companions)
    }
}

/// Scans a group's list. `assigned` tells which bone matrices have a bone so far.
fn scan(
    file: &PmoTables<'_>,
    number: usize,
    assigned: &mut [bool; 8],
    budget: &mut WorkBudget,
    warnings: &mut Warnings,
) -> Result<ScannedList, FormatError> {
    let Some(group) = file.groups.get(number) else { return Ok(ScannedList::default()) };
    // Entries accumulate: a group inherits the bone matrices from the groups before it.
    for entry in file.bones_of(group) {
        if let Some(slot) = assigned.get_mut(entry.slot) {
            *slot = true;
        }
    }
    group.material.clone()?;
    if group.list >= file.data.len() {
        // Report the header field, because the list has no offset in the file.
        let at = group.offset.saturating_add(4);
        return Err(file.file.error(at, PmoProblem::ListOutside(group.list)));
    }
    let mut found = Warnings::default();
    let scanned = list::scan(file.data, group.list, budget, &mut found)?;
    warnings.extend(&found);
    // The list decides; the header is only compared with it.
    for (field, name, stated, found) in [
        (8, "vertices", group.vertices, scanned.first_vertex),
        (12, "indices", group.indices, scanned.first_index),
    ] {
        if found.is_some_and(|found| found != stated) {
            let at = group.offset.saturating_add(field);
            warnings.push(file.file.error(at, PmoProblem::HeaderMismatch(name)));
        }
    }
    let slots = assigned.iter().filter(|slot| **slot).count();
    if scanned.weights > slots {
        let problem = PmoProblem::Unassigned { weights: scanned.weights, slots };
        warnings.push(file.file.error(group.offset.saturating_add(1), problem));
    }
    Ok(scanned)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
