//! Parses material tables (WEAR) and materials (MAT0). Source:
//! [WEAR tables](crate::reference::formats::parkan#wear-tables),
//! [MAT0 materials](crate::reference::formats::parkan#mat0-materials).

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::problem::MshProblem;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::until_zero;
use crate::formats::parkan::nres::text;

/// A material must have fewer animation blocks than this.
const BLOCKS: u16 = 20;

/// A WEAR table, to find names for batches' material numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wear {
    pub(super) materials: Vec<Row>,
    pub(super) lightmaps: Vec<Row>,
}

/// A line in a WEAR table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// A legacy number, unused.
    pub(super) id: String,
    pub(super) name: String,
}

/// Iterates over trimmed lines with their offsets.
struct Lines<'a> {
    view: View<'a>,
    at: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = usize::try_from(self.at).ok().and_then(|at| self.view.bytes().get(at..));
        let rest = rest.filter(|rest| !rest.is_empty())?;
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let at = self.at;
        self.at = at.saturating_add(line.len() as u64).saturating_add(1);
        Some((at, line.trim_ascii()))
    }
}

/// Parses a WEAR table.
///
/// # Errors
/// If it does not start with a count of rows, or has none.
pub(super) fn read_wear(view: View<'_>, warnings: &mut Warnings) -> Result<Wear, FormatError> {
    let mut lines = Lines { view, at: 0 };
    let materials = read_rows(&mut lines, warnings)?;
    if materials.is_empty() {
        return Err(view.error(0, MshProblem::WearCount));
    }
    let mut rest = Lines { view, at: lines.at }.skip_while(|(_, line)| line.is_empty());
    let Some((at, heading)) = rest.next() else { return Ok(Wear { materials, lightmaps: Vec::new() }) };
    // A blank line separates the names from the heading.
    let separated = lines.next().is_some_and(|(_, line)| line.is_empty());
    if heading != b"LIGHTMAPS" || !separated {
        warnings.push(view.error(at, MshProblem::WearRest));
        return Ok(Wear { materials, lightmaps: Vec::new() });
    }
    lines.at = at;
    lines.next();
    let lightmaps = read_rows(&mut lines, warnings).unwrap_or_else(|error| {
        warnings.push(error);
        Vec::new()
    });
    if let Some((at, _)) = lines.find(|(_, line)| !line.is_empty()) {
        warnings.push(view.error(at, MshProblem::WearRest));
    }
    Ok(Wear { materials, lightmaps })
}

/// Parses a count and then this many rows, up to the first damaged row.
fn read_rows(lines: &mut Lines<'_>, warnings: &mut Warnings) -> Result<Vec<Row>, FormatError> {
    let view = lines.view;
    let wrong = view.error(lines.at, MshProblem::WearCount);
    let (_, count) = lines.next().ok_or_else(|| wrong.clone())?;
    let count: usize = std::str::from_utf8(count).ok().and_then(|count| count.parse().ok()).ok_or(wrong)?;
    let mut rows = Vec::new();
    for row in 0..count {
        let error = view.error(lines.at, MshProblem::WearRow { row, count });
        let line = lines.next().map(|(_, line)| line).unwrap_or_default();
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (Some(id), Some(name)) = (words.next(), words.next()) else {
            warnings.push(error);
            break;
        };
        rows.push(Row { id: text(id), name: text(name) });
    }
    Ok(rows)
}

/// A parsed material.
#[derive(Clone, Debug)]
pub(super) struct Material<'a> {
    pub(super) phases: &'a [Phase],
    /// Bytes between counts and phases. The version decides how many.
    pub(super) prefix: &'a [u8],
    pub(super) blocks: Vec<Block<'a>>,
}

/// How a material looks at a time in its animation.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Phase {
    pub(super) parameters: [u8; 18],
    texture: [u8; 16],
}

/// Animates a material's phases.
#[derive(Clone, Debug)]
pub(super) struct Block<'a> {
    head: u32,
    keys: &'a [[U16; 3]],
}

/// Parses a material. Its version comes from the directory entry.
///
/// # Errors
/// If it ends before its phases.
pub(super) fn read_material<'a>(
    view: View<'a>,
    version: u32,
    warnings: &mut Warnings,
) -> Result<Material<'a>, FormatError> {
    let [stated_phases, stated_blocks] = view.read::<[U16; 2]>(0)?.map(U16::get);
    // Each of these versions added bytes before the phases.
    let length = [(2, 2), (3, 4), (4, 4)].iter().filter(|(since, _)| version >= *since);
    let length = length.map(|(_, bytes)| *bytes).fold(0_u64, u64::saturating_add);
    let prefix = view.slice(4, length)?;
    let mut at = length.saturating_add(4);
    let size = size_of::<Phase>() as u64;
    let stored = view.len().saturating_sub(at).checked_div(size).unwrap_or(0);
    let count = u64::from(stated_phases);
    if count > stored {
        warnings.push(view.error(at, MshProblem::MaterialCut("phases")));
    }
    let count = count.min(stored);
    let phases = view.array(at, count)?;
    at = at.saturating_add(count.saturating_mul(size));
    let mut blocks = Vec::new();
    if stated_blocks >= BLOCKS {
        warnings.push(view.error(2, MshProblem::Blocks(stated_blocks)));
        return Ok(Material { phases, prefix, blocks });
    }
    for _ in 0..stated_blocks {
        let Ok((block, end)) = read_block(view, at) else {
            warnings.push(view.error(at, MshProblem::MaterialCut("animation blocks")));
            return Ok(Material { phases, prefix, blocks });
        };
        blocks.push(block);
        at = end;
    }
    if at != view.len() {
        warnings.push(view.error(at, MshProblem::MaterialEnd(view.len().saturating_sub(at))));
    }
    Ok(Material { phases, prefix, blocks })
}

/// Parses the animation block at an offset. This also returns where it ends.
fn read_block(view: View<'_>, at: u64) -> Result<(Block<'_>, u64), FormatError> {
    let mut cursor = Cursor::new(view, at);
    let (head, count) = (cursor.read::<U32>()?.get(), u64::from(cursor.read::<U16>()?.get()));
    let block = Block { head, keys: view.array(cursor.at(), count)? };
    Ok((block, cursor.at().saturating_add(count.saturating_mul(6))))
}

impl Phase {
    /// Returns the texture's name; `None` if the surface is untextured.
    pub(super) fn texture(&self) -> Option<String> {
        let name = until_zero(&self.texture);
        (!name.is_empty()).then(|| text(name))
    }

    /// Returns diffuse red, green, blue and alpha. This meaning is inferred from their position.
    pub(super) const fn diffuse(&self) -> [u8; 4] {
        let [_, _, _, _, red, green, blue, alpha, ..] = self.parameters;
        [red, green, blue, alpha]
    }

    /// Returns emissive red, green and blue. This meaning is inferred, too.
    pub(super) const fn emissive(&self) -> [u8; 3] {
        let [.., red, green, blue, _, _, _] = self.parameters;
        [red, green, blue]
    }
}

impl Block<'_> {
    /// Puts mode, mask and keys into words, to show them to the user.
    pub(super) fn describe(&self) -> String {
        let mode = match self.head & 7 {
            0 => "loop".to_owned(),
            1 => "ping-pong".to_owned(),
            2 => "clamp".to_owned(),
            3 => "random".to_owned(),
            other => format!("mode {other}"),
        };
        let keys: Vec<String> =
            self.keys.iter().take(16).map(|key| format!("{:?}", key.map(|part| part.get()))).collect();
        let more = if self.keys.len() > 16 { ", …" } else { "" };
        format!("{mode}, mask {:#x}, keys {}{more}", self.head >> 3, keys.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::core::error::FileRole;

    fn view(bytes: &[u8]) -> View<'_> {
        View::new(bytes, 0x100, "msh", FileRole::Textures)
    }

    /// Reads a table. A warning counts as an error here.
    fn wear(text: &[u8]) -> Result<Wear, FormatError> {
        let mut warnings = Warnings::default();
        let wear = read_wear(view(text), &mut warnings)?;
        warnings.as_slice().first().map_or(Ok(wear), |warning| Err(warning.clone()))
    }

    /// Does the same for a material.
    fn read(bytes: &[u8], version: u32) -> Result<Material<'_>, FormatError> {
        let mut warnings = Warnings::default();
        let material = read_material(view(bytes), version, &mut warnings)?;
        warnings.as_slice().first().map_or(Ok(material), |warning| Err(warning.clone()))
    }

    fn names(rows: &[Row]) -> Vec<&str> {
        rows.iter().map(|row| row.name.as_str()).collect()
    }

    #[test]
    fn parses_wear_tables_by_lines() {
        let found = wear(b"2\r\n7 HULL\r\n  0\tWheel  more\r\n").expect("good");
        assert_eq!(names(&found.materials), ["HULL", "Wheel"], "rows");
        assert_eq!(found.materials.first().map(|row| row.id.as_str()), Some("7"), "the number of old");
        assert_eq!(found.lightmaps, [], "no lightmaps");
        let found = wear(b"1\n0 A\n\nLIGHTMAPS\n2\n0 B\n1 C").expect("good");
        assert_eq!((names(&found.materials), names(&found.lightmaps)), (vec!["A"], vec!["B", "C"]), "both");
        assert!(wear(b"1\n0 A\n\n\n").is_ok(), "blank lines at the end");
    }

    #[test]
    fn damage_of_wear_tables_is_located() {
        let rest = "only a blank line and LIGHTMAPS may follow the rows of a WEAR table";
        for (text, message) in [
            ("", "at 0x100: the WEAR table needs a count of rows here"),
            ("x\n", "at 0x100: the WEAR table needs a count of rows here"),
            ("0\n", "at 0x100: the WEAR table needs a count of rows here"),
            ("-1\n", "at 0x100: the WEAR table needs a count of rows here"),
            ("2\n0 A\n", "at 0x106: row 1 of 2 of the WEAR table is missing, or has no name"),
            ("1\n0\n", "at 0x100: the WEAR table needs a count of rows here"),
            ("1\n0 A\nLIGHTMAPS\n0\n", &format!("at 0x106: {rest}")),
            ("1\n0 A\n\nlights\n", &format!("at 0x107: {rest}")),
            ("1\n0 A\n\nLIGHTMAPS\nx", "at 0x111: the WEAR table needs a count of rows here"),
            ("1\n0 A\n\nLIGHTMAPS\n0\nmore", &format!("at 0x113: {rest}")),
        ] {
            let error = wear(text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }

    /// Builds a material with a single phase, and a single block with a single key.
    fn material(prefix: &[u8]) -> Vec<u8> {
        let mut bytes = vec![1, 0, 1, 0];
        bytes.extend_from_slice(prefix);
        bytes.extend(1..=18);
        bytes.extend(b"HULL.0\0\0\0\0\0\0\0\0\0\0");
        bytes.extend([3 | 1 << 3, 0, 0, 0, 1, 0, 4, 0, 5, 0, 6, 0]);
        bytes
    }

    #[test]
    fn prefix_length_depends_on_version() {
        for (version, length) in [(0, 0), (1, 0), (2, 2), (3, 6), (4, 10), (9, 10)] {
            let bytes = material(&vec![0xAA; length]);
            let read = read(&bytes, version).expect("good");
            assert_eq!(read.prefix.len(), length, "version {version}");
            let phase = read.phases.first().expect("one");
            assert_eq!(phase.texture().as_deref(), Some("HULL.0"), "texture");
            assert_eq!((phase.diffuse(), phase.emissive()), ([5, 6, 7, 8], [13, 14, 15]), "colours");
            let described: Vec<String> = read.blocks.iter().map(Block::describe).collect();
            assert_eq!(described, ["random, mask 0x1, keys [4, 5, 6]"], "block");
        }
    }

    #[test]
    fn damage_of_materials_is_located() {
        let good = material(&[]);
        for length in 0..good.len() {
            assert!(read(good.get(..length).unwrap_or_default(), 1).is_err(), "cut at {length}");
        }
        let mut long = good.clone();
        long.push(0);
        let error = read(&long, 1).expect_err("more");
        assert_eq!(error.to_string(), "at 0x132: 1 bytes follow the material", "message");
        let mut blocks = good;
        if let Some(count) = blocks.get_mut(2) {
            *count = 20;
        }
        let error = read(&blocks, 1).expect_err("20 blocks");
        assert_eq!(
            error.to_string(),
            "at 0x102: a material has less than 20 animation blocks, not 20; they are left out",
            "message"
        );
    }
}
