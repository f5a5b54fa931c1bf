//! Puts a file together from its old bytes and its new groups.
//!
//! # Invariants
//! Everything keeps its place unless something before it becomes longer or shorter. Sections start at multiples of
//! 16, as in the games' files. So do lists, vertices and indices, or at multiples of 4 in version 102.

use std::collections::BTreeMap;
use std::ops::Range;

use super::rebuild::{Fate, NewScale, Part};
use super::stored::StoredGroup;
use crate::formats::core::geometry::{GeometryError, GeometryProblem};
use crate::formats::monster_hunter::pmo::model::Pmo;
use crate::formats::monster_hunter::pmo::source::Version;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View as _;

/// Sections start at multiples of this.
const SECTION: usize = 16;
/// Offsets of header fields; the first holds the file size.
const FILE_SIZE: usize = 0x8;
const CLIPPING: usize = 0xC;
const SCALE: usize = 0x10;
const GROUP_HEADERS: usize = 0x24;
const BONE_DATA: usize = 0x2C;
const MESH_DATA: usize = 0x34;
/// Bytes in a group's header.
const HEADER: usize = 16;

/// A group's old header, its bones, and the new offsets of its list, vertices and indices in the mesh data.
#[derive(Clone, Debug)]
struct NewHeader {
    old: Vec<u8>,
    bones: Vec<(u8, u8)>,
    places: [usize; 3],
}

/// Puts the file together, and the second file if the model has one. `scales` holds old scales with their new
/// values.
pub(super) fn assemble(
    pmo: &Pmo<'_>,
    groups: &[Option<StoredGroup>],
    fates: &[Fate],
    scales: &[NewScale],
) -> Result<(Vec<u8>, Option<Vec<u8>>), GeometryError> {
    let file = &pmo.file;
    let mut bytes = file.file.bytes().to_vec();
    let own_data = file.data_offset.map(as_usize);
    // Without its own mesh data, the file ends at the place for them.
    let data_at = own_data.unwrap_or(bytes.len());
    // Refuse an unusual order, because sections would be in the mesh data, or headers somewhere else.
    let is_usual = (0x20..MESH_DATA).step_by(4).all(|field| word(&bytes, field) < data_at);
    let table_at = word(&bytes, GROUP_HEADERS);
    let headers_at = file.groups.iter().map(|group| as_usize(group.offset));
    if !is_usual || !headers_at.eq((table_at..).step_by(HEADER).take(file.groups.len())) {
        return Err(GeometryProblem::NotStored(0).into());
    }
    let (data, places) = mesh_data(pmo, groups, fates, own_data.unwrap_or(0))?;
    write_scales(pmo, &mut bytes, scales);
    let headers = headers(pmo, groups, fates, &places);
    let counts: Vec<usize> = fates.iter().map(parts).collect();
    let is_longer = counts.iter().any(|count| *count > 1);
    let old_bones: Vec<(u8, u8)> =
        file.bones.iter().map(|entry| (u8::try_from(entry.slot).unwrap_or(u8::MAX), entry.bone)).collect();
    let same_bones = headers
        .iter()
        .zip(&file.groups)
        .all(|(header, group)| header.bones == old_bones.get(group.bones.clone()).unwrap_or_default());
    let mut replaced: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    let (mut table, mut entries) = (Vec::new(), Vec::new());
    for header in &headers {
        let mut own = header.old.clone();
        if is_longer || !same_bones {
            let first = limited("bone entries", entries.len(), 0xFFFF)?;
            own[1] = u8::try_from(header.bones.len()).unwrap_or(8);
            own[2..4].copy_from_slice(&first.to_le_bytes()[..2]);
        }
        entries.extend(header.bones.iter().map(|(slot, bone)| [*slot, *bone]));
        for (number, place) in header.places.into_iter().enumerate() {
            put(&mut own, 4 + 4 * number, limited("bytes of geometry", place, 0xFF_FFFF)?);
        }
        table.extend(own);
    }
    if is_longer || !same_bones {
        replaced.insert(GROUP_HEADERS, table);
        replaced.insert(BONE_DATA, entries.concat());
        count_groups(pmo, &mut bytes, &counts)?;
    } else {
        for (header, group) in table.chunks_exact(HEADER).zip(&file.groups) {
            let at = usize::try_from(group.offset).unwrap_or(usize::MAX);
            if let Some(to) = bytes.get_mut(at..at.saturating_add(HEADER)) {
                to.copy_from_slice(header);
            }
        }
    }
    if own_data.is_some() {
        replaced.insert(MESH_DATA, data);
        return Ok((place_sections(&bytes, replaced, data_at), None));
    }
    let mut new = place_sections(&bytes, replaced, data_at);
    while bytes.len().is_multiple_of(SECTION) && !new.len().is_multiple_of(SECTION) {
        new.push(0);
    }
    // The header counts both files.
    for (field, old_length, length) in [
        (MESH_DATA, bytes.len(), new.len()),
        (FILE_SIZE, bytes.len() + file.data.bytes().len(), new.len() + data.len()),
    ] {
        if word(&bytes, field) == old_length {
            put(&mut new, field, limited("bytes", length, u32::MAX)?);
        }
    }
    Ok((new, Some(data)))
}

/// Counts the groups that replace a group.
fn parts(fate: &Fate) -> usize {
    match fate {
        Fate::Rebuilt(parts) => parts.len(),
        _ => 1,
    }
}

/// Checks that a number fits into its field.
fn limited(what: &'static str, count: usize, most: u32) -> Result<u32, GeometryProblem> {
    let fits = u32::try_from(count).ok().filter(|count| *count <= most);
    fits.ok_or(GeometryProblem::TooMany { what, count: count as u64, most: most.into() })
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(to) = bytes.get_mut(at..at + 4) {
        to.copy_from_slice(&value.to_le_bytes());
    }
}

fn word(bytes: &[u8], at: usize) -> usize {
    let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map_or(0, u32::from_le_bytes);
    usize::try_from(word).unwrap_or(usize::MAX)
}

/// Offsets of a group's list, vertices and indices in the mesh data.
type Places = [usize; 3];

/// Returns the new mesh data, and each group's new places in it.
fn mesh_data(
    pmo: &Pmo<'_>,
    groups: &[Option<StoredGroup>],
    fates: &[Fate],
    data_at: usize,
) -> Result<(Vec<u8>, Vec<Vec<Places>>), GeometryError> {
    let old = pmo.file.data.bytes();
    let alignment = if pmo.file.version == Version::V10 { 16 } else { 4 };
    let is_moved = fates.iter().any(|fate| matches!(fate, Fate::Rebuilt(_)));
    let start_of = |group: usize| {
        let start = pmo.file.groups.get(group).map_or(0, |group| group.list & !3);
        usize::try_from(start).unwrap_or(usize::MAX).min(old.len())
    };
    let mut starts: Vec<usize> = (0..fates.len()).map(start_of).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut places: Vec<Vec<Places>> = pmo
        .file
        .groups
        .iter()
        .map(|group| vec![[group.list, group.vertices, group.indices].map(as_usize)])
        .collect();
    let mut data = old.get(..starts.first().copied().unwrap_or(old.len())).unwrap_or_default().to_vec();
    for (number, &start) in starts.iter().enumerate() {
        let block = start..starts.get(number + 1).copied().unwrap_or(old.len());
        let owners: Vec<usize> = (0..fates.len()).filter(|group| start_of(*group) == start).collect();
        // If a part moves, all its data must move with it.
        for &owner in owners.iter().filter(|_| is_moved) {
            if groups[owner].as_ref().is_some_and(|group| !group.is_inside(&block)) {
                return Err(GeometryProblem::NotStored(owner).into());
            }
        }
        let rebuilt = owners.iter().find_map(|owner| match &fates[*owner] {
            Fate::Rebuilt(parts) => Some((*owner, parts)),
            _ => None,
        });
        if let Some((owner, parts)) = rebuilt
            && let Some(group) = &groups[owner]
        {
            places[owner].clear();
            for part in parts {
                places[owner].push(append(&mut data, group, part, alignment, data_at)?);
            }
            continue;
        }
        // Keep the place within a line of 16 bytes, so that everything stays aligned.
        while data.len() % SECTION != start % SECTION {
            data.push(0);
        }
        let new = data.len();
        data.extend_from_slice(&old[block.clone()]);
        for owner in owners {
            for place in &mut places[owner][0] {
                // 0 means no indices.
                if *place >= start {
                    *place = *place - start + new;
                }
            }
        }
    }
    for (group, fate) in groups.iter().zip(fates) {
        let (Some(group), Fate::Vertices) = (group, fate) else { continue };
        // VADDR in the list may name another vertex than the header.
        let block = starts.partition_point(|start| *start <= group.list.start).saturating_sub(1);
        let (from, to) = (starts[block], pmo_start(&places, pmo, starts[block]));
        let at = if is_moved { group.vertices_at.start - from + to } else { group.vertices_at.start };
        let vertices = group.raw.concat();
        if let Some(to) = data.get_mut(at..at + vertices.len()) {
            to.copy_from_slice(&vertices);
        }
    }
    let end = data_at + old.len();
    if end.is_multiple_of(SECTION) {
        while !(data_at + data.len()).is_multiple_of(SECTION) {
            data.push(0);
        }
    }
    Ok((data, places))
}

fn as_usize(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Returns where the list from `start` is now.
fn pmo_start(places: &[Vec<Places>], pmo: &Pmo<'_>, start: usize) -> usize {
    let owner = pmo.file.groups.iter().position(|group| as_usize(group.list & !3) == start);
    let place = owner.and_then(|owner| places.get(owner)).and_then(|own| own.first());
    place.map_or(start, |place| place[0] & !3)
}

/// Appends a list with its vertices and indices, and returns their places.
fn append(
    data: &mut Vec<u8>,
    group: &StoredGroup,
    part: &Part,
    alignment: usize,
    data_at: usize,
) -> Result<Places, GeometryError> {
    let align = |data: &mut Vec<u8>| {
        while !(data_at + data.len()).is_multiple_of(alignment) {
            data.push(0);
        }
        data.len()
    };
    let list = align(data);
    let mut words = group.words[..group.prims.start].to_vec();
    words[group.vtype_at] = Command::new(Opcode::VTYPE, part.layout.vtype.to_argument()).word();
    let (mut vaddr_at, iaddr_at) = (group.vaddr_at, group.iaddr_at.unwrap_or(group.vaddr_at));
    if group.iaddr_at.is_none() {
        words.insert(iaddr_at, 0);
        vaddr_at += 1;
    }
    words.extend(&part.prims);
    // End the list with the same CULL as before.
    words.extend(group.words[group.prims.clone()].iter().rev().find(|word| is_cull(word)));
    words.extend(&group.words[group.prims.end..]);
    data.resize(list + 4 * words.len(), 0);
    let vertices = align(data);
    data.extend(part.vertices.concat());
    let indices = align(data);
    data.extend(&part.indices);
    align(data);
    // Addresses count from the ORIGIN command.
    let origin = list + 4 * group.origin_at;
    for (at, opcode, place) in [(vaddr_at, Opcode::VADDR, vertices), (iaddr_at, Opcode::IADDR, indices)] {
        let argument = limited("bytes in a group", place - origin, 0xFF_FFFF)?;
        words[at] = Command::new(opcode, argument).word();
    }
    for (number, word) in words.into_iter().enumerate() {
        put(data, list + 4 * number, word);
    }
    Ok([list, vertices, indices])
}

fn is_cull(word: &u32) -> bool {
    Command::from_word(*word).opcode() == Opcode::CULL
}

/// Returns the header for each new group.
fn headers(
    pmo: &Pmo<'_>,
    groups: &[Option<StoredGroup>],
    fates: &[Fate],
    places: &[Vec<Places>],
) -> Vec<NewHeader> {
    let file = &pmo.file;
    let (mut before, mut now) = ([None; 8], [None; 8]);
    let mut headers = Vec::new();
    for (number, group) in file.groups.iter().enumerate() {
        let at = as_usize(group.offset);
        let old = file.file.bytes().get(at..at + HEADER).map_or_else(|| vec![0; HEADER], <[u8]>::to_vec);
        let entries: Vec<(u8, u8)> = file
            .bones_of(group)
            .map(|entry| (u8::try_from(entry.slot).unwrap_or(u8::MAX), entry.bone))
            .collect();
        let stored = groups[number].as_ref();
        // The game does not apply bone entries from transparent groups.
        let is_drawn = stored.is_none_or(|stored| stored.is_drawn);
        if is_drawn {
            apply(&mut before, &entries);
        }
        let parts: &[Part] = match &fates[number] {
            Fate::Rebuilt(parts) => parts,
            _ => &[],
        };
        let keeps_bones = match parts {
            [] => true,
            [part] => stored.is_some_and(|stored| stored.palette == part.palette),
            _ => false,
        };
        for place in 0..parts.len().max(1) {
            let (wanted, count) = match (parts.get(place), stored) {
                (Some(part), _) => (part.palette, part.layout.vtype.weights()),
                (None, Some(stored)) => (before, stored.layout.vtype.weights()),
                // It is unknown which bones this part needs, so all stay.
                (None, None) => (before, before.len()),
            };
            let mut bones = if keeps_bones { entries.clone() } else { Vec::new() };
            if is_drawn {
                let mut state = now;
                apply(&mut state, &bones);
                let missing: Vec<(u8, u8)> = (0..)
                    .zip(wanted)
                    .take(count)
                    .filter_map(|(slot, bone)| Some((slot, bone?)))
                    .filter(|(slot, bone)| state[usize::from(*slot)] != Some(*bone))
                    .collect();
                if !missing.is_empty() {
                    // Each slot has a single entry, so there are never more than 8.
                    bones.extend(missing);
                    bones = bones.into_iter().collect::<BTreeMap<u8, u8>>().into_iter().collect();
                }
                apply(&mut now, &bones);
            }
            let places = places[number].get(place).copied().unwrap_or_default();
            headers.push(NewHeader { old: old.clone(), bones, places });
        }
    }
    headers
}

fn apply(palette: &mut [Option<u8>; 8], entries: &[(u8, u8)]) {
    for (slot, bone) in entries {
        if let Some(slot) = palette.get_mut(usize::from(*slot)) {
            *slot = Some(*bone);
        }
    }
}

/// Writes how many groups each mesh has. Some tools leave out the cumulative counts, and then this does, too.
fn count_groups(pmo: &Pmo<'_>, bytes: &mut [u8], counts: &[usize]) -> Result<(), GeometryError> {
    let mut first = 0;
    for mesh in &pmo.file.meshes {
        let own = mesh.groups.start.min(counts.len())..mesh.groups.end.min(counts.len());
        let count: usize = counts[own].iter().sum();
        let at = as_usize(mesh.flags_at) + 12;
        let stated = word(bytes, at) >> 16;
        let sum = if stated == mesh.groups.start { first } else { stated };
        let fields = limited("groups", count, 0xFFFF)? | limited("groups", sum, 0xFFFF)? << 16;
        put(bytes, at, fields);
        first += count;
    }
    Ok(())
}

/// Writes enlarged scales, and the distance up to which the game draws the model.
fn write_scales(pmo: &Pmo<'_>, bytes: &mut [u8], scales: &[NewScale]) {
    let float = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map_or(0.0, f32::from_le_bytes)
    };
    let mesh_scales = pmo.file.meshes.iter().filter(|_| pmo.file.version == Version::V102);
    let places = mesh_scales.map(|mesh| as_usize(mesh.flags_at) - 0x20).chain([SCALE]);
    for at in places.collect::<Vec<_>>() {
        let old = [0, 4, 8].map(|offset| float(bytes, at + offset));
        if let Some((_, new)) = scales.iter().find(|(known, _)| *known == old) {
            for (axis, scale) in new.iter().enumerate() {
                put(bytes, at + 4 * axis, scale.to_bits());
            }
        }
    }
    let largest = scales.iter().flat_map(|(_, new)| new).fold(0.0_f32, |most, scale| most.max(*scale));
    if float(bytes, CLIPPING) < largest {
        put(bytes, CLIPPING, largest.to_bits());
    }
}

/// Places all sections in turn, with new bytes for those in `replaced`. A section is known by the header field with
/// its offset.
fn place_sections(old: &[u8], replaced: BTreeMap<usize, Vec<u8>>, data_at: usize) -> Vec<u8> {
    let mut sections: Vec<(usize, usize)> = (0x20..=MESH_DATA)
        .step_by(4)
        .map(|field| (if field == MESH_DATA { data_at } else { word(old, field) }, field))
        .filter(|(at, _)| *at > 0 && *at < old.len())
        .collect();
    sections.sort_unstable();
    let first = sections.first().map_or(old.len(), |(at, _)| *at);
    let mut new = old.get(..first).unwrap_or_default().to_vec();
    for (number, (at, field)) in sections.iter().enumerate() {
        let end = sections.get(number + 1).map_or(old.len(), |(end, _)| *end);
        // A section that does not move keeps its place, even if it is not aligned.
        while new.len() != *at && !new.len().is_multiple_of(SECTION) {
            new.push(0);
        }
        let start = new.len();
        put(&mut new, *field, u32::try_from(start).unwrap_or(u32::MAX));
        match replaced.get(field) {
            Some(bytes) => {
                new.extend(bytes);
                // Keep the old length if the new bytes fit, so that nothing moves.
                let room = end - at;
                if *field != MESH_DATA && bytes.len() <= room && start == *at {
                    new.resize(start + room, 0);
                }
            }
            None => new.extend_from_slice(&old[Range { start: *at, end }]),
        }
    }
    if word(old, FILE_SIZE) == old.len() {
        let size = u32::try_from(new.len()).unwrap_or(u32::MAX);
        put(&mut new, FILE_SIZE, size);
    }
    new
}
