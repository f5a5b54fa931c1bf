//! Reads a GIM file: its pictures, each with images, palettes and sequences.
//! Source: [GIM chunks](crate::reference::formats::psp_sdk#gim-chunks).
//!
//! # Invariants
//! There is at least one picture, and each has at least one image. Indexed images have a palette.

use super::chunk::{self, Chunk};
use super::image::{self, Image};
use super::problem::GimProblem;
use super::raw::{
    BIG_MAGIC, BLOCK, FILE, FILE_INFO, HEADER, IMAGE, MAGIC, Numbers, PALETTE, PICTURE, SEQUENCE,
};
use super::sequence::{self, Sequence};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::decode_name_lossy;
use crate::model::Field;

/// How deep chunks may nest, to bound the recursion. Deeper ones are noted as unknown.
const DEPTH_MAX: usize = 8;
/// Field names for the strings in a FileInfo chunk, in file order.
const INFO: [&str; 4] = ["source file", "user", "date", "tool"];

/// The pictures in a file, after all checks.
#[derive(Clone, Debug)]
pub(in crate::formats::psp_sdk) struct Gim<'a> {
    pub(super) file: View<'a>,
    pub(super) pictures: Vec<Picture<'a>>,
    pub(in crate::formats::psp_sdk) fields: Vec<Field>,
    pub(in crate::formats::psp_sdk) warnings: Warnings,
}

/// A picture: its images, and the palettes and sequences for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture<'a> {
    pub(super) images: Vec<Image<'a>>,
    pub(super) palettes: Vec<Image<'a>>,
    pub(super) sequences: Vec<Sequence>,
}

/// Recognises a file in either byte order by its first bytes.
pub(in crate::formats::psp_sdk) fn sniff(bytes: &[u8]) -> bool {
    // Third-party tools do not always write the magic's last byte.
    bytes.starts_with(&MAGIC[..11]) || bytes.starts_with(&BIG_MAGIC)
}

/// Reads a file. Damaged chunks become warnings; this fails only for a wrong header or if no picture remains.
pub(in crate::formats::psp_sdk) fn read(file: View<'_>) -> Result<Gim<'_>, FormatError> {
    if !sniff(file.bytes()) {
        return Err(file.error(0, GimProblem::Magic));
    }
    let is_big = file.bytes().starts_with(&BIG_MAGIC);
    file.slice(0, HEADER)?;
    let rest = file.view(HEADER, file.len().saturating_sub(HEADER))?;
    let rest = Numbers { view: rest, is_big };
    let mut reader = Reader {
        gim: Gim { file, pictures: Vec::new(), fields: Vec::new(), warnings: Warnings::default() },
        first_error: None,
    };
    if let Ok(stated) = rest.u32(4)
        && u64::from(stated) != rest.view.len()
    {
        let problem = GimProblem::FileSize { stated, actual: rest.view.len() };
        reader.gim.warnings.push(file.error(HEADER.saturating_add(4), problem));
    }
    for chunk in chunk::list(rest, true, &mut reader.gim.warnings) {
        reader.chunk(&chunk, 0);
    }
    let Reader { mut gim, first_error } = reader;
    gim.pictures.retain(|picture| !picture.images.is_empty());
    if gim.pictures.is_empty() {
        return Err(first_error.unwrap_or_else(|| file.error(0, GimProblem::NoPicture)));
    }
    Ok(gim)
}

/// Collects pictures, fields and warnings from the chunk tree, and the first error in case no picture remains.
struct Reader<'a> {
    gim: Gim<'a>,
    first_error: Option<FormatError>,
}

impl<'a> Reader<'a> {
    /// Reads this chunk and all below it.
    fn chunk(&mut self, chunk: &Chunk<'a>, depth: usize) {
        match chunk.kind {
            BLOCK | FILE if depth < DEPTH_MAX => {
                for child in chunk::list(chunk.children, false, &mut self.gim.warnings) {
                    self.chunk(&child, depth.saturating_add(1));
                }
            }
            PICTURE => {
                let chunks = chunk::list(chunk.children, false, &mut self.gim.warnings);
                self.picture(&chunks);
            }
            // An image outside a picture is a picture of its own.
            IMAGE => self.picture(&[*chunk]),
            FILE_INFO => self.info(chunk),
            kind => {
                self.gim.warnings.push(chunk.data.view.error(0, GimProblem::Unknown(kind)));
            }
        }
    }

    /// Reads a picture's chunks. Palettes are read first, because the file may store them after the images that use
    /// them.
    fn picture(&mut self, chunks: &[Chunk<'a>]) {
        let mut picture = Picture::default();
        let of = |kind: u16| chunks.iter().filter(move |chunk| chunk.kind == kind);
        for chunk in of(PALETTE) {
            let palette = image::read(chunk.data, true, false, &mut self.gim.warnings);
            picture.palettes.extend(self.or_leave_out("palette", palette));
        }
        let has_palette = !picture.palettes.is_empty();
        for chunk in of(IMAGE) {
            let image = image::read(chunk.data, false, has_palette, &mut self.gim.warnings);
            let image = image.and_then(|image| match image.format.is_indexed() && !has_palette {
                true => Err(chunk.data.view.error(0, GimProblem::NoPalette)),
                false => Ok(image),
            });
            picture.images.extend(self.or_leave_out("image", image));
        }
        for chunk in of(SEQUENCE) {
            let sequence = sequence::read(chunk.data, &mut self.gim.warnings);
            let sequence = self.or_leave_out("sequence", sequence);
            self.gim.fields.extend(sequence.iter().flat_map(|sequence| &sequence.fields).cloned());
            picture.sequences.extend(sequence);
        }
        for chunk in chunks.iter().filter(|chunk| !matches!(chunk.kind, IMAGE | PALETTE | SEQUENCE)) {
            if chunk.kind == FILE_INFO {
                self.info(chunk);
            } else {
                self.gim.warnings.push(chunk.data.view.error(0, GimProblem::Unknown(chunk.kind)));
            }
        }
        self.gim.pictures.push(picture);
    }

    /// Returns a part, or adds a warning if it cannot be read. The first such error is kept.
    fn or_leave_out<T>(&mut self, what: &'static str, read: Result<T, FormatError>) -> Option<T> {
        let leave_out = |error: FormatError| {
            let kind = GimProblem::Broken { what, reason: error.kind.to_string() }.into();
            self.gim.warnings.push(FormatError { kind, ..error.clone() });
            self.first_error.get_or_insert(error);
        };
        read.map_err(leave_out).ok()
    }

    /// Adds the strings in a FileInfo chunk to the fields to show.
    fn info(&mut self, chunk: &Chunk<'a>) {
        let view = chunk.data.view;
        let mut at = 0_u64;
        for (name, text) in INFO.into_iter().zip(view.bytes().split(|byte| *byte == 0)) {
            if !text.is_empty() {
                let value = decode_name_lossy(text);
                self.gim.fields.push(Field { name: name.to_owned(), offset: view.file_offset(at), value });
            }
            at = at.saturating_add(text.len() as u64).saturating_add(1);
        }
    }
}
