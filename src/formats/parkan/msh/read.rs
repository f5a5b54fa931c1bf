//! Parses an MSH model and checks all its references. Damaged references are repaired or left out, with a warning.
//! Source: [streams](crate::reference::formats::parkan#streams), [limits](crate::reference::formats::parkan#limits).
//!
//! # Invariants
//! The result of [`read`] can be drawn without further checks: every slot, batch, index, vertex, key, frame map word
//! and parent it refers to exists. The file's size bounds the work.

use std::borrow::Cow;

use zerocopy::little_endian::{F32, I16, U16};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::names;
use super::problem::MshProblem;
use super::raw::{self, NONE, stream};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::parkan::nres::{self, Entry};

/// A parsed and validated model, ready to be lowered.
#[derive(Clone, Debug)]
pub(super) struct Msh<'a> {
    /// The whole container.
    pub(super) file: View<'a>,
    /// How many entries the container has.
    pub(super) entries: usize,
    pub(super) nodes: Nodes<'a>,
    pub(super) bounds: raw::Bounds,
    pub(super) slots: Table<'a, raw::Slot>,
    pub(super) batches: Table<'a, raw::Batch>,
    pub(super) positions: Cow<'a, [[F32; 3]]>,
    pub(super) normals: Option<Table<'a, [i8; 4]>>,
    pub(super) texcoords: Option<Table<'a, [I16; 2]>>,
    pub(super) colors: Option<Table<'a, [u8; 4]>>,
    pub(super) indices: Table<'a, U16>,
    pub(super) triangles: Option<Table<'a, raw::Triangle>>,
    pub(super) keys: Option<Table<'a, raw::Key>>,
    pub(super) map: Cow<'a, [U16]>,
    /// How many frames the animation has; 1 if the model is static.
    pub(super) frames: u32,
    /// Node names; empty if the model has none.
    pub(super) names: Vec<Option<String>>,
    /// Streams kept uninterpreted, to show them to the user.
    pub(super) others: Vec<Entry<'a>>,
    pub(super) warnings: Warnings,
}

/// An array of structures, and the view it lies in. A repaired array is a copy.
#[derive(Clone, Debug)]
pub(super) struct Table<'a, T: Clone> {
    pub(super) view: View<'a>,
    pub(super) items: Cow<'a, [T]>,
}

/// A model's nodes, in either size.
#[derive(Clone, Debug)]
pub(super) enum Nodes<'a> {
    /// Nodes with 38 bytes, as in nearly all files.
    Known(Table<'a, raw::Node>),
    /// Nodes with 24 bytes and unknown meaning, from a single file in the game. Empty if the nodes are lost.
    Short(View<'a>),
}

impl Nodes<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Known(table) => table.items.len(),
            Self::Short(view) => view.bytes().len() / 24,
        }
    }
}

impl<T: Clone> Table<'_, T> {
    /// Returns where structure `index` is in the stream.
    pub(super) const fn at(&self, index: usize) -> u64 {
        (index as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// Returns where structure `index` is in the file.
    pub(super) const fn file_offset(&self, index: usize) -> u64 {
        self.view.file_offset(self.at(index))
    }
}

/// How many indices to check for all batches together, per byte in the file. Real models do not share many indices
/// between batches.
const WORK_PER_BYTE: u64 = 16;

/// Finds a model's streams by type, and keeps its warnings.
struct Streams<'a> {
    file: View<'a>,
    entries: Vec<Entry<'a>>,
    warnings: Warnings,
}

impl<'a> Streams<'a> {
    /// Finds the first stream with this type, and warns about a second.
    fn find(&mut self, type_id: u32) -> Option<Entry<'a>> {
        let mut found = self.entries.iter().filter(|entry| entry.type_id == type_id && !entry.is_lost);
        let first = found.next();
        if let Some(second) = found.next() {
            self.warnings.push(self.file.error(second.at, MshProblem::Twice(type_id)));
        }
        first.cloned()
    }

    fn required(&mut self, type_id: u32) -> Result<Entry<'a>, FormatError> {
        let missing = self.file.error(8, MshProblem::Missing(type_id));
        self.find(type_id).ok_or(missing)
    }

    /// Reads a stream as structures. This warns if `attr1` does not count them.
    fn table<T>(&mut self, entry: &Entry<'a>) -> Result<Table<'a, T>, FormatError>
    where
        T: Clone + FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let table = structures(entry.data, entry.type_id, &mut self.warnings)?;
        self.check_count(entry, table.items.len());
        Ok(table)
    }

    fn check_count(&mut self, entry: &Entry<'_>, found: usize) {
        let [declared, ..] = entry.attributes;
        // Files written by tools leave this attribute 0.
        if declared != 0 && declared as usize != found {
            let kind = MshProblem::Count { stream: entry.type_id, declared, found };
            self.warnings.push(self.file.error(entry.at.saturating_add(4), kind));
        }
    }

    /// Reads a stream with a structure for each vertex. This warns about fewer or more.
    fn per_vertex<T>(&mut self, type_id: u32, vertices: usize) -> Result<Option<Table<'a, T>>, FormatError>
    where
        T: Clone + FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let Some(entry) = self.find(type_id) else { return Ok(None) };
        let table = self.table::<T>(&entry)?;
        let found = table.items.len();
        if found != vertices {
            let kind = MshProblem::PerVertex { stream: type_id, found, vertices };
            self.warnings.push(entry.data.error(0, kind));
        }
        Ok(Some(table))
    }
}

/// Reads a stream as structures. This warns if its size is no multiple of theirs.
fn structures<'a, T>(
    view: View<'a>,
    type_id: u32,
    warnings: &mut Warnings,
) -> Result<Table<'a, T>, FormatError>
where
    T: Clone + FromBytes + Immutable + KnownLayout + Unaligned,
{
    let stride = size_of::<T>() as u64;
    let count = view.len().checked_div(stride).unwrap_or(0);
    if view.len() != count.saturating_mul(stride) {
        let kind = MshProblem::Size { stream: type_id, size: view.len(), stride };
        warnings.push(view.error(0, kind));
    }
    Ok(Table { view, items: Cow::Borrowed(view.array(0, count)?) })
}

/// Parses a model and repairs it.
///
/// # Errors
/// If a stream is missing that every drawing needs, no batch can be drawn, or drawing takes too much work.
pub(super) fn read(file: View<'_>) -> Result<Msh<'_>, FormatError> {
    let nres::Nres { entries, warnings } = nres::read(file)?;
    let count = entries.len();
    let mut streams = Streams { file, entries, warnings };
    let nodes = read_nodes(&mut streams)?;
    let (bounds, slots) = read_slots(&mut streams)?;
    let positions = streams.required(stream::POSITIONS)?;
    let mut positions: Table<'_, [F32; 3]> = streams.table(&positions)?;
    repair_positions(&mut positions, &mut streams.warnings);
    let indices = streams.required(stream::INDICES)?;
    let indices = streams.table(&indices)?;
    let batches = streams.required(stream::BATCHES)?;
    let batches = streams.table(&batches)?;
    let vertices = positions.items.len();
    let triangles = streams.find(stream::TRIANGLES);
    let triangles = triangles.map(|entry| streams.table(&entry)).transpose()?;
    let keys = streams.find(stream::KEYS).map(|entry| streams.table(&entry)).transpose()?;
    let normals = streams.per_vertex(stream::NORMALS, vertices)?;
    let texcoords = streams.per_vertex(stream::TEXCOORDS, vertices)?;
    let colors = streams.per_vertex(stream::COLORS, vertices)?;
    streams.per_vertex::<[u8; 8]>(stream::EXTRA, vertices)?;
    let (map, frames) = match streams.find(stream::FRAMES) {
        Some(entry) => (streams.table::<U16>(&entry)?.items, entry.attributes[1]),
        None => (Default::default(), 1),
    };
    let names = match streams.find(stream::NAMES) {
        Some(entry) => names::read(entry.data, nodes.len(), &mut streams.warnings),
        None => Vec::new(),
    };
    let Streams { entries, warnings, .. } = streams;
    let others = entries.into_iter().filter(|entry| !is_read(entry.type_id)).collect();
    let mut msh = Msh {
        file,
        entries: count,
        nodes,
        bounds,
        slots,
        batches,
        positions: positions.items,
        normals,
        texcoords,
        colors,
        indices,
        triangles,
        keys,
        map,
        frames,
        names,
        others,
        warnings,
    };
    // Streams refer to each other, so repairs start only when all are known. Nodes need the repaired frame count, so
    // they come after it.
    msh.repair_slots();
    msh.repair_batches()?;
    msh.repair_frames();
    msh.repair_nodes();
    msh.check_triangles();
    Ok(msh)
}

/// Returns whether this reader interprets a stream type.
fn is_read(type_id: u32) -> bool {
    const READ: [u32; 7] = [
        stream::NORMALS,
        stream::TEXCOORDS,
        stream::TRIANGLES,
        stream::KEYS,
        stream::NAMES,
        stream::COLORS,
        stream::FRAMES,
    ];
    stream::REQUIRED.contains(&type_id) || READ.contains(&type_id)
}

fn read_nodes<'a>(streams: &mut Streams<'a>) -> Result<Nodes<'a>, FormatError> {
    let Some(entry) = streams.find(stream::NODES) else {
        streams.warnings.push(streams.file.error(8, MshProblem::NoNodes));
        return Ok(Nodes::Short(streams.file.view(0, 0)?));
    };
    if entry.attributes[2] != 24 {
        return Ok(Nodes::Known(streams.table(&entry)?));
    }
    let table: Table<'_, [u8; 24]> = streams.table(&entry)?;
    streams.warnings.push(entry.data.error(0, MshProblem::ShortNodes));
    Ok(Nodes::Short(table.view))
}

fn read_slots<'a>(streams: &mut Streams<'a>) -> Result<(raw::Bounds, Table<'a, raw::Slot>), FormatError> {
    let entry = streams.required(stream::SLOTS)?;
    let header = size_of::<raw::Bounds>() as u64;
    let Some(rest) = entry.data.len().checked_sub(header) else {
        let kind = MshProblem::Header { size: entry.data.len(), header };
        return Err(entry.data.error(0, kind));
    };
    let bounds = entry.data.read(0)?;
    let slots = entry.data.view(header, rest)?;
    let slots: Table<'_, raw::Slot> = structures(slots, stream::SLOTS, &mut streams.warnings)?;
    streams.check_count(&entry, slots.items.len());
    Ok((bounds, slots))
}

/// Replaces infinite and NaN coordinates by 0.
fn repair_positions(positions: &mut Table<'_, [F32; 3]>, warnings: &mut Warnings) {
    let is_finite = |position: &[F32; 3]| position.iter().all(|coordinate| coordinate.get().is_finite());
    let Some(first) = positions.items.iter().position(|position| !is_finite(position)) else { return };
    warnings.push(positions.view.error(positions.at(first), MshProblem::Position(first)));
    for coordinate in positions.items.to_mut().as_flattened_mut() {
        if !coordinate.get().is_finite() {
            *coordinate = F32::ZERO;
        }
    }
}

impl Msh<'_> {
    /// Cuts slots' batches to those that exist. This checks triangles and bounds, too, although they are not drawn.
    fn repair_slots(&mut self) {
        let batches = self.batches.items.len();
        let triangles = self.triangles.as_ref().map(|triangles| triangles.items.len());
        let mut problems = Vec::new();
        for (slot, raw) in self.slots.items.iter().enumerate() {
            let (start, count) = (raw.batch_start.get(), raw.batch_count.get());
            if range_end(start, count) > batches {
                problems.push((slot, 4, MshProblem::Batches { slot, start, count }));
            }
            let (start, count) = (raw.triangle_start.get(), raw.triangle_count.get());
            if triangles.is_some_and(|triangles| range_end(start, count) > triangles) {
                problems.push((slot, 0, MshProblem::Triangles { slot, start, count }));
            }
            let ordered = raw.min.iter().zip(&raw.max).all(|(min, max)| {
                let (min, max) = (min.get(), max.get());
                min.is_finite() && max.is_finite() && min <= max
            });
            if !ordered {
                problems.push((slot, 8, MshProblem::Box(slot)));
            }
            if !(raw.radius.get() >= 0.0 && raw.radius.get().is_finite()) {
                problems.push((slot, 44, MshProblem::Radius(slot)));
            }
        }
        // This copies a table only to repair it.
        for (slot, into, problem) in problems {
            if let MshProblem::Batches { start, .. } = problem
                && let Some(raw) = self.slots.items.to_mut().get_mut(slot)
            {
                let left = u16::try_from(batches.saturating_sub(start.into())).unwrap_or(u16::MAX);
                raw.batch_count = left.min(raw.batch_count.get()).into();
            }
            let at = self.slots.at(slot).saturating_add(into);
            self.warnings.push(self.slots.view.error(at, problem));
        }
    }

    /// Cuts batches' indices to whole triangles that exist. A triangle with a missing vertex becomes a point, and
    /// draws nothing.
    ///
    /// # Errors
    /// If no batch is left, or all together take too much work.
    fn repair_batches(&mut self) -> Result<(), FormatError> {
        let mut budget = self.file.len().saturating_mul(WORK_PER_BYTE).saturating_add(0x1_0000);
        let mut first_problem = None;
        for batch in 0..self.batches.items.len() {
            let Some(raw) = self.batches.items.get(batch).copied() else { continue };
            let at = |into: u64| self.batches.at(batch).saturating_add(into);
            let (start, count) = (raw.index_start.get(), raw.index_count.get());
            let left = self.indices.items.len().saturating_sub(start as usize);
            let existing = count.min(u16::try_from(left).unwrap_or(u16::MAX));
            let whole = existing.checked_div(3).unwrap_or(0).saturating_mul(3);
            let mut problem = None;
            if existing < count {
                problem = Some(self.batches.view.error(at(10), MshProblem::Indices { batch, start, count }));
            } else if whole < count {
                problem = Some(self.batches.view.error(at(8), MshProblem::IndexCount { batch, count }));
            }
            let Some(left) = budget.checked_sub(u64::from(whole)) else {
                return Err(self.batches.view.error(at(8), MshProblem::TooMuchWork));
            };
            budget = left;
            let missing = self.missing_vertex(batch, &raw, whole);
            let (base, vertices) = (u64::from(raw.base_vertex.get()), self.positions.len() as u64);
            // A base beyond all vertices leaves no triangle to keep.
            if whole < count || missing.is_some() && base >= vertices {
                let kept = if base < vertices { whole } else { 0 };
                if let Some(raw) = self.batches.items.to_mut().get_mut(batch) {
                    raw.index_count = kept.into();
                }
            }
            if missing.is_some() && base < vertices {
                let range = (start as usize)..(start as usize).saturating_add(whole.into());
                let indices = self.indices.items.to_mut().get_mut(range).unwrap_or_default();
                let exists = |index: &U16| base.saturating_add(index.get().into()) < vertices;
                for triangle in indices.chunks_exact_mut(3).filter(|triangle| !triangle.iter().all(exists)) {
                    triangle.fill(U16::ZERO);
                }
            }
            for problem in problem.into_iter().chain(missing) {
                first_problem.get_or_insert(problem.clone());
                self.warnings.push(problem);
            }
        }
        match first_problem {
            Some(problem) if self.batches.items.iter().all(|batch| batch.index_count.get() == 0) => {
                Err(FormatError { kind: MshProblem::NoBatches.into(), ..problem })
            }
            _ => Ok(()),
        }
    }

    /// Returns the problem with a batch's first index whose vertex does not exist.
    fn missing_vertex(&self, batch: usize, raw: &raw::Batch, count: u16) -> Option<FormatError> {
        let (start, base) = (raw.index_start.get() as usize, u64::from(raw.base_vertex.get()));
        let indices = self.indices.items.get(start..start.checked_add(count.into())?)?;
        let vertices = self.positions.len() as u64;
        let vertex = |index: &U16| base.saturating_add(u64::from(index.get()));
        let position = indices.iter().position(|index| vertex(index) >= vertices)?;
        let vertex = indices.get(position).map_or(0, vertex);
        let at = self.indices.at(start.saturating_add(position));
        Some(self.indices.view.error(at, MshProblem::Vertex { batch, vertex, vertices }))
    }

    /// Returns a batch's indices; `None` if they are out of range.
    pub(super) fn indices_of(&self, batch: &raw::Batch) -> Option<&[U16]> {
        let start = batch.index_start.get() as usize;
        self.indices.items.get(start..start.checked_add(batch.index_count.get().into())?)
    }

    /// Reduces the frame count if the frame map is too short for it.
    fn repair_frames(&mut self) {
        let Nodes::Known(nodes) = &self.nodes else { return };
        let words = self.map.len();
        let starts = nodes.items.iter().map(|node| usize::from(node.map_start.get()));
        let left: Vec<usize> = starts.filter_map(|start| words.checked_sub(start)).collect();
        let fits = |left: &usize| *left as u64 >= self.frames.into();
        if left.is_empty() || left.iter().any(fits) {
            // If any node has enough words, the count is right and the other nodes are damaged.
            return;
        }
        let used = left.into_iter().filter(|left| *left > 0).min().unwrap_or(1);
        let used = u32::try_from(used).unwrap_or(u32::MAX);
        self.warnings.push(self.file.error(8, MshProblem::Frames { stated: self.frames, used }));
        self.frames = used;
    }

    /// Removes references from nodes to slots, frame map words and parents that do not exist.
    fn repair_nodes(&mut self) {
        let Nodes::Known(nodes) = &mut self.nodes else { return };
        if self.keys.is_none() && !nodes.items.is_empty() {
            self.warnings.push(self.file.error(8, MshProblem::NoKeys));
        }
        let (words, slots) = (self.map.len(), self.slots.items.len());
        let keys = self.keys.as_ref().map(|keys| keys.items.len());
        let mut problems = Vec::new();
        for (node, raw) in nodes.items.iter().enumerate() {
            let parent = raw.parent.get();
            if parent != NONE && usize::from(parent) >= node {
                problems.push((node, 2, MshProblem::Parent { node, parent }));
            }
            let start = raw.map_start.get();
            let last = u64::from(start).saturating_add(self.frames.into());
            if start != NONE && last > words as u64 {
                problems.push((node, 4, MshProblem::Map { node, start, frames: self.frames, words }));
            }
            let key = raw.fallback_key.get();
            if let Some(keys) = keys.filter(|keys| usize::from(key) >= *keys) {
                problems.push((node, 6, MshProblem::Key { node, key, keys }));
            }
            for (slot, into) in raw.slots.as_flattened().iter().zip((8..).step_by(2)) {
                let slot = slot.get();
                if slot != NONE && usize::from(slot) >= slots {
                    problems.push((node, into, MshProblem::Slot { node, slot, slots }));
                }
            }
        }
        // This copies a table only to repair it.
        for (node, into, problem) in problems {
            let at = nodes.at(node).saturating_add(into);
            if let Some(raw) = nodes.items.to_mut().get_mut(node) {
                match &problem {
                    MshProblem::Parent { .. } => raw.parent = NONE.into(),
                    MshProblem::Map { .. } => raw.map_start = NONE.into(),
                    MshProblem::Slot { slot: missing, .. } => {
                        let missing = |slot: &&mut U16| slot.get() == *missing;
                        let slots = raw.slots.as_flattened_mut().iter_mut();
                        slots.filter(missing).for_each(|slot| *slot = NONE.into());
                    }
                    _ => {}
                }
            }
            self.warnings.push(nodes.view.error(at, problem));
        }
    }

    /// Checks triangles' neighbours, although they are not drawn.
    fn check_triangles(&mut self) {
        let Some(triangles) = &self.triangles else { return };
        for (triangle, raw) in triangles.items.iter().enumerate() {
            for (link, into) in raw.links.iter().map(|link| link.get()).zip((2..).step_by(2)) {
                if link != NONE && usize::from(link) >= triangles.items.len() {
                    let at = triangles.at(triangle).saturating_add(into);
                    self.warnings.push(triangles.view.error(at, MshProblem::Link { triangle, link }));
                }
            }
        }
    }
}

/// Computes where a range with 16-bit start and length ends.
fn range_end(start: u16, count: u16) -> usize {
    usize::from(start).saturating_add(count.into())
}
