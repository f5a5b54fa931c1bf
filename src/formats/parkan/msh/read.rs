//! Parses an MSH model and validates all its references. Source:
//! [streams](crate::reference::formats::parkan#streams), [limits](crate::reference::formats::parkan#limits).
//!
//! # Invariants
//! The result of [`read`] can be drawn without further checks: all slots, batches, indices, vertices, keys,
//! frame map words and parents that it refers to exist. The work is bounded by the size of the file.

use zerocopy::little_endian::{F32, I16, U16};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::names;
use super::problem::MshProblem;
use super::raw::{self, NONE, stream};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::parkan::nres::{self, Entry};

/// A parsed and validated model.
#[derive(Clone, Debug)]
pub(super) struct Msh<'a> {
    /// The whole container.
    pub(super) file: View<'a>,
    /// Number of entries in the container.
    pub(super) entries: usize,
    pub(super) nodes: Nodes<'a>,
    pub(super) bounds: raw::Bounds,
    pub(super) slots: Table<'a, raw::Slot>,
    pub(super) batches: Table<'a, raw::Batch>,
    pub(super) positions: &'a [[F32; 3]],
    pub(super) normals: Option<Table<'a, [i8; 4]>>,
    pub(super) texcoords: Option<Table<'a, [I16; 2]>>,
    pub(super) colors: Option<Table<'a, [u8; 4]>>,
    pub(super) indices: Table<'a, U16>,
    pub(super) triangles: Option<Table<'a, raw::Triangle>>,
    pub(super) keys: Option<Table<'a, raw::Key>>,
    pub(super) map: &'a [U16],
    /// Number of frames of the animation; 1 if the model is static.
    pub(super) frames: u32,
    /// Names of the nodes; empty if the model has no names.
    pub(super) names: Vec<Option<String>>,
    /// Streams that are kept uninterpreted.
    pub(super) others: Vec<Entry<'a>>,
    pub(super) warnings: Warnings,
}

/// An array of structures, and the view that contains it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a, T> {
    pub(super) view: View<'a>,
    pub(super) items: &'a [T],
}

/// The nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Nodes<'a> {
    /// Nodes of 38 bytes, as in nearly all files.
    Known(Table<'a, raw::Node>),
    /// Nodes of 24 bytes of unknown meaning, in one file of the game.
    Short(View<'a>),
}

impl Nodes<'_> {
    /// Returns the number of nodes.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Known(table) => table.items.len(),
            Self::Short(view) => view.bytes().len() / 24,
        }
    }
}

impl<T> Table<'_, T> {
    /// Returns the offset of structure `index` in the stream.
    pub(super) const fn at(&self, index: usize) -> u64 {
        (index as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// Returns the offset of structure `index` in the file.
    pub(super) const fn file_offset(&self, index: usize) -> u64 {
        self.view.file_offset(self.at(index))
    }
}

/// Limit of indices checked for all batches, per byte of the file. Real models do not share many indices
/// between batches.
const WORK_PER_BYTE: u64 = 16;

/// Access to the streams of a model by type.
struct Streams<'a> {
    file: View<'a>,
    entries: Vec<Entry<'a>>,
    warnings: Warnings,
}

impl<'a> Streams<'a> {
    /// Finds the first stream of a type. A second one is an error if the stream is required, otherwise a
    /// warning.
    fn find(&mut self, type_id: u32) -> Result<Option<Entry<'a>>, FormatError> {
        let mut found = self.entries.iter().filter(|entry| entry.type_id == type_id);
        let first = found.next();
        if let Some(second) = found.next() {
            let error = self.file.error(second.at, MshProblem::Twice(type_id));
            if stream::REQUIRED.contains(&type_id) {
                return Err(error);
            }
            self.warnings.push(error);
        }
        Ok(first.cloned())
    }

    fn required(&mut self, type_id: u32) -> Result<Entry<'a>, FormatError> {
        let missing = self.file.error(8, MshProblem::Missing(type_id));
        self.find(type_id)?.ok_or(missing)
    }

    /// Reads the structures of a stream, and warns if `attr1` is not their number.
    fn table<T>(&mut self, entry: &Entry<'a>) -> Result<Table<'a, T>, FormatError>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let table = structures(entry.data, entry.type_id)?;
        self.check_count(entry, table.items.len());
        Ok(table)
    }

    fn check_count(&mut self, entry: &Entry<'_>, found: usize) {
        let [declared, ..] = entry.attributes;
        // Files written by tools leave the attribute 0.
        if declared != 0 && declared as usize != found {
            let kind = MshProblem::Count { stream: entry.type_id, declared, found };
            self.warnings.push(self.file.error(entry.at.saturating_add(4), kind));
        }
    }

    /// Reads a stream with a structure for each vertex. Fewer are an error, more a warning.
    fn per_vertex<T>(&mut self, type_id: u32, vertices: usize) -> Result<Option<Table<'a, T>>, FormatError>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let Some(entry) = self.find(type_id)? else { return Ok(None) };
        let table = self.table::<T>(&entry)?;
        let found = table.items.len();
        if found != vertices {
            let kind = MshProblem::PerVertex { stream: type_id, found, vertices };
            let error = entry.data.error(0, kind);
            if found < vertices {
                return Err(error);
            }
            self.warnings.push(error);
        }
        Ok(Some(table))
    }
}

/// Reads a stream as structures. Its size must be a multiple of theirs.
fn structures<T>(view: View<'_>, type_id: u32) -> Result<Table<'_, T>, FormatError>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let stride = size_of::<T>() as u64;
    let (Some(count), Some(0)) = (view.len().checked_div(stride), view.len().checked_rem(stride)) else {
        let kind = MshProblem::Size { stream: type_id, size: view.len(), stride };
        return Err(view.error(0, kind));
    };
    Ok(Table { view, items: view.array(0, count)? })
}

/// Parses and validates a model.
pub(super) fn read(file: View<'_>) -> Result<Msh<'_>, FormatError> {
    let nres::Nres { entries, warnings } = nres::read(file)?;
    let count = entries.len();
    let mut streams = Streams { file, entries, warnings };
    let nodes = read_nodes(&mut streams)?;
    let (bounds, slots) = read_slots(&mut streams)?;
    let positions = streams.required(stream::POSITIONS)?;
    let positions: Table<'_, [F32; 3]> = streams.table(&positions)?;
    let indices = streams.required(stream::INDICES)?;
    let indices = streams.table(&indices)?;
    let batches = streams.required(stream::BATCHES)?;
    let batches = streams.table(&batches)?;
    let vertices = positions.items.len();
    let triangles = streams.find(stream::TRIANGLES)?;
    let triangles = triangles.map(|entry| streams.table(&entry)).transpose()?;
    let keys = streams.find(stream::KEYS)?.map(|entry| streams.table(&entry)).transpose()?;
    let normals = streams.per_vertex(stream::NORMALS, vertices)?;
    let texcoords = streams.per_vertex(stream::TEXCOORDS, vertices)?;
    let colors = streams.per_vertex(stream::COLORS, vertices)?;
    streams.per_vertex::<[u8; 8]>(stream::EXTRA, vertices)?;
    let (map, frames) = match streams.find(stream::FRAMES)? {
        Some(entry) => (streams.table::<U16>(&entry)?.items, entry.attributes[1]),
        None => (Default::default(), 1),
    };
    let names = match streams.find(stream::NAMES)? {
        Some(entry) => names::read(entry.data, nodes.len())?,
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
    check_positions(&positions)?;
    msh.check_slots()?;
    msh.check_batches()?;
    msh.check_nodes()?;
    msh.check_triangles()?;
    Ok(msh)
}

/// Checks whether a stream type is interpreted.
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
    let entry = streams.required(stream::NODES)?;
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
    let slots: Table<'_, raw::Slot> = structures(entry.data.view(header, rest)?, stream::SLOTS)?;
    streams.check_count(&entry, slots.items.len());
    Ok((bounds, slots))
}

/// Checks that all positions are finite.
fn check_positions(positions: &Table<'_, [F32; 3]>) -> Result<(), FormatError> {
    let is_finite = |position: &[F32; 3]| position.iter().all(|coordinate| coordinate.get().is_finite());
    match positions.items.iter().position(|position| !is_finite(position)) {
        Some(vertex) => Err(positions.view.error(positions.at(vertex), MshProblem::Position(vertex))),
        None => Ok(()),
    }
}

impl Msh<'_> {
    /// Checks the ranges of batches and triangles, and the bounds of slots.
    fn check_slots(&self) -> Result<(), FormatError> {
        for (slot, raw) in self.slots.items.iter().enumerate() {
            let error =
                |into: u64, kind| self.slots.view.error(self.slots.at(slot).saturating_add(into), kind);
            let (start, count) = (raw.batch_start.get(), raw.batch_count.get());
            if range_end(start, count) > self.batches.items.len() {
                return Err(error(4, MshProblem::Batches { slot, start, count }));
            }
            let (start, count) = (raw.triangle_start.get(), raw.triangle_count.get());
            if self.triangles.is_some_and(|triangles| range_end(start, count) > triangles.items.len()) {
                return Err(error(0, MshProblem::Triangles { slot, start, count }));
            }
            let ordered = raw.min.iter().zip(&raw.max).all(|(min, max)| {
                let (min, max) = (min.get(), max.get());
                min.is_finite() && max.is_finite() && min <= max
            });
            if !ordered {
                return Err(error(8, MshProblem::Box(slot)));
            }
            if !(raw.radius.get() >= 0.0 && raw.radius.get().is_finite()) {
                return Err(error(44, MshProblem::Radius(slot)));
            }
        }
        Ok(())
    }

    /// Checks the indices and vertices of batches.
    fn check_batches(&self) -> Result<(), FormatError> {
        let mut budget = self.file.len().saturating_mul(WORK_PER_BYTE).saturating_add(0x1_0000);
        for (batch, raw) in self.batches.items.iter().enumerate() {
            let error =
                |into: u64, kind| self.batches.view.error(self.batches.at(batch).saturating_add(into), kind);
            let count = raw.index_count.get();
            if count.checked_rem(3) != Some(0) {
                return Err(error(8, MshProblem::IndexCount { batch, count }));
            }
            let start = raw.index_start.get();
            let Some(indices) = self.indices_of(raw) else {
                return Err(error(10, MshProblem::Indices { batch, start, count }));
            };
            let Some(left) = budget.checked_sub(u64::from(count)) else {
                return Err(error(8, MshProblem::TooMuchWork));
            };
            budget = left;
            let vertices = self.positions.len() as u64;
            let base = u64::from(raw.base_vertex.get());
            let vertex = |index: &U16| base.saturating_add(u64::from(index.get()));
            if let Some(position) = indices.iter().position(|index| vertex(index) >= vertices) {
                let at = (start as usize).saturating_add(position);
                let vertex = indices.get(position).map_or(0, vertex);
                let kind = MshProblem::Vertex { batch, vertex, vertices };
                return Err(self.indices.view.error(self.indices.at(at), kind));
            }
        }
        Ok(())
    }

    /// Returns the indices of a batch; `None` if they are out of range.
    pub(super) fn indices_of(&self, batch: &raw::Batch) -> Option<&[U16]> {
        let start = batch.index_start.get() as usize;
        self.indices.items.get(start..start.checked_add(batch.index_count.get().into())?)
    }

    /// Checks the slots, keys, frame map words and parents of nodes.
    fn check_nodes(&mut self) -> Result<(), FormatError> {
        let Nodes::Known(nodes) = self.nodes else { return Ok(()) };
        if self.keys.is_none() && !nodes.items.is_empty() {
            self.warnings.push(self.file.error(8, MshProblem::NoKeys));
        }
        for (node, raw) in nodes.items.iter().enumerate() {
            let error = |into: u64, kind| nodes.view.error(nodes.at(node).saturating_add(into), kind);
            let parent = raw.parent.get();
            if parent != NONE && usize::from(parent) >= node {
                return Err(error(2, MshProblem::Parent { node, parent }));
            }
            let start = raw.map_start.get();
            let words = self.map.len();
            let last = u64::from(start).saturating_add(self.frames.into());
            if start != NONE && last > words as u64 {
                let kind = MshProblem::Map { node, start, frames: self.frames, words };
                return Err(error(4, kind));
            }
            let key = raw.fallback_key.get();
            if let Some(keys) = self.keys
                && usize::from(key) >= keys.items.len()
            {
                return Err(error(6, MshProblem::Key { node, key, keys: keys.items.len() }));
            }
            for (slot, into) in raw.slots.as_flattened().iter().zip((8..).step_by(2)) {
                let (slot, slots) = (slot.get(), self.slots.items.len());
                if slot != NONE && usize::from(slot) >= slots {
                    return Err(error(into, MshProblem::Slot { node, slot, slots }));
                }
            }
        }
        Ok(())
    }

    /// Checks the neighbours of triangles.
    fn check_triangles(&self) -> Result<(), FormatError> {
        let Some(triangles) = self.triangles else { return Ok(()) };
        for (triangle, raw) in triangles.items.iter().enumerate() {
            for (link, into) in raw.links.iter().map(|link| link.get()).zip((2..).step_by(2)) {
                if link != NONE && usize::from(link) >= triangles.items.len() {
                    let at = triangles.at(triangle).saturating_add(into);
                    return Err(triangles.view.error(at, MshProblem::Link { triangle, link }));
                }
            }
        }
        Ok(())
    }
}

/// Computes the end of a range with 16-bit start and length.
fn range_end(start: u16, count: u16) -> usize {
    usize::from(start).saturating_add(count.into())
}
