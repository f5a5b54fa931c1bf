//! Keeps data from an MSH model as fields if they are unknown or not used for drawing. Source:
//! [streams](crate::reference::formats::parkan#streams).

use std::fmt::Write as _;

use super::problem::stream_name;
use super::read::{Msh, Nodes};
use crate::formats::core::cursor::View;
use crate::model::Field;

/// Keep no more structure fields than this per model.
const FIELDS_MAX: usize = 4096;
/// Show this many bytes from an unread stream.
const PREFIX_BYTES: usize = 16;

/// Collects a model's fields to show them to the user. This leaves out structure fields that are zero.
pub(super) fn of(msh: &Msh<'_>) -> Vec<Field> {
    let mut fields = Vec::new();
    bounds(msh, &mut fields);
    for entry in &msh.others {
        fields.push(stream(&stream_name(entry.type_id), entry.data, entry.attributes));
    }
    if let Nodes::Short(view) = msh.nodes
        && !view.is_empty()
    {
        fields.push(stream("nodes of 24 bytes", view, [0; 3]));
    }
    let structures =
        nodes(msh).chain(slots(msh)).chain(batches(msh)).chain(triangles(msh)).chain(normals(msh));
    fields.extend(structures.take(FIELDS_MAX));
    fields
}

fn field(name: impl Into<String>, offset: u64, value: impl Into<String>) -> Field {
    Field { name: name.into(), offset, value: value.into() }
}

fn bounds(msh: &Msh<'_>, fields: &mut Vec<Field>) {
    // The bounds lie directly before the slots.
    let header = size_of::<super::raw::Bounds>() as u64;
    let at = |into: u64| msh.slots.view.file_offset(0).saturating_sub(header).saturating_add(into);
    let corners: Vec<_> = msh.bounds.hull.iter().map(|corner| corner.map(|part| part.get())).collect();
    fields.push(field("hull corners", at(0), format!("{corners:?}")));
    let sphere = msh.bounds.sphere.map(|part| part.get());
    fields.push(field("sphere (centre, radius)", at(96), format!("{sphere:?}")));
    let capsule = msh.bounds.capsule.map(|part| part.get());
    fields.push(field("capsule (two ends, radius)", at(112), format!("{capsule:?}")));
}

/// Describes an unread stream by its length, attributes and first bytes.
fn stream(name: &str, data: View<'_>, attributes: [u32; 3]) -> Field {
    let [one, two, three] = attributes;
    let mut value = format!("{} bytes, attributes {one} {two} {three}", data.len());
    for (index, byte) in data.bytes().iter().take(PREFIX_BYTES).enumerate() {
        let lead = if index == 0 { ": " } else { "" };
        let _ = write!(value, "{lead}{byte:02x}");
    }
    if data.bytes().len() > PREFIX_BYTES {
        value.push('…');
    }
    field(name, data.file_offset(0), value)
}

fn nodes<'a>(msh: &'a Msh<'_>) -> impl Iterator<Item = Field> + 'a {
    let table = match &msh.nodes {
        Nodes::Known(table) => Some(table),
        Nodes::Short(_) => None,
    };
    table.into_iter().flat_map(|table| {
        table.items.iter().enumerate().filter(|(_, node)| node.flags.get() != 0).map(move |(number, node)| {
            field(format!("node {number} flags"), table.file_offset(number), format!("{:#06x}", node.flags))
        })
    })
}

fn slots<'a>(msh: &'a Msh<'_>) -> impl Iterator<Item = Field> + 'a {
    msh.slots.items.iter().enumerate().filter_map(|(number, slot)| {
        let opaque = slot.opaque.map(|word| word.get());
        let at = msh.slots.file_offset(number).saturating_add(48);
        let words = || opaque.map(|word| format!("{word:#x}")).join(", ");
        (opaque != [0; 5]).then(|| field(format!("slot {number} opaque"), at, words()))
    })
}

fn batches<'a>(msh: &'a Msh<'_>) -> impl Iterator<Item = Field> + 'a {
    msh.batches.items.iter().enumerate().filter_map(|(number, batch)| {
        let values = [batch.flags, batch.opaque4, batch.opaque6, batch.opaque14].map(|value| value.get());
        let [flags, four, six, fourteen] = values;
        (values != [0; 4]).then(|| {
            let value = format!(
                "flags {flags:#06x}, opaque4 {four:#06x}, opaque6 {six:#06x}, opaque14 {fourteen:#06x}"
            );
            field(format!("batch {number}"), msh.batches.file_offset(number), value)
        })
    })
}

/// Summarises the triangle descriptors, because the game uses them only for collision.
fn triangles(msh: &Msh<'_>) -> impl Iterator<Item = Field> + use<> {
    let found = msh.triangles.as_ref().filter(|triangles| !triangles.items.is_empty()).map(|triangles| {
        let flagged = triangles.items.iter().filter(|triangle| triangle.flags.get() != 0).count();
        let linked = triangles.items.iter().flat_map(|triangle| triangle.links);
        let linked = linked.filter(|link| link.get() != super::raw::NONE).count();
        let value = format!(
            "{} for collision, {flagged} with flags, {linked} links to neighbours",
            triangles.items.len()
        );
        field("triangle descriptors", triangles.view.file_offset(0), value)
    });
    found.into_iter()
}

/// Summarises the fourth bytes in normals.
fn normals(msh: &Msh<'_>) -> impl Iterator<Item = Field> + use<> {
    let found = msh.normals.as_ref().and_then(|normals| {
        let used = normals.items.iter().filter(|[.., fourth]| *fourth != 0).count();
        let value = format!("not 0 in {used} normals");
        (used > 0).then(|| field("fourth byte of normals", normals.view.file_offset(3), value))
    });
    found.into_iter()
}
