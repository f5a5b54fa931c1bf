//! Collects the notes about an input: everything missing, left out, guessed or cut short.
//!
//! # Invariants
//! Equal notes become a single note with a count, in the order of their first appearance, so that a fault in every
//! draw does not flood the list.

use super::note::{NoteInfo, NoteSeverity};
use crate::debug::pixel::history::PixelHistory;
#[cfg(feature = "export")]
use crate::export::ExportNote;
use crate::ge::address::Address;
use crate::ge::limits::LimitHit;
use crate::ge::note::Note;
use crate::model::FileNote;
use crate::run::interpreter::Report;
use crate::scene::highlight::{HighlightPicture, OTHER_FATES, WRITTEN};
use crate::scene::overdraw::{self, OverdrawPicture};

/// The notes on an input.
///
/// ```
/// use pspge::documents::note_list::NoteList;
///
/// let mut notes = NoteList::default();
/// notes.add("file", "a texture is missing");
/// notes.add("file", "a texture is missing");
/// assert_eq!((notes.entries().len(), notes.entries()[0].count), (1, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoteList(Vec<NoteInfo>);

impl NoteList {
    /// Adds a note only to inform, without a place.
    pub fn inform(&mut self, code: &str, message: impl Into<String>) {
        let note = NoteInfo::new(code, &message.into());
        self.push(NoteInfo { severity: NoteSeverity::Information, ..note });
    }

    /// Adds a note about a problem, without a place.
    pub fn add(&mut self, code: &str, message: impl Into<String>) {
        self.push(NoteInfo::new(code, &message.into()));
    }

    /// Adds the notes about a file.
    pub fn add_file(&mut self, notes: &[FileNote]) {
        notes.iter().for_each(|note| self.push(NoteInfo::of_file(note)));
    }

    /// Adds the notes from exporting a scene.
    #[cfg(feature = "export")]
    pub fn add_export(&mut self, notes: &[ExportNote]) {
        notes.iter().for_each(|note| self.push(NoteInfo::of_export(note)));
    }

    /// Adds a run's notes, how many it did not keep, and a note for each override without effect.
    pub fn add_report(&mut self, report: &Report) {
        NoteInfo::of_report(report).into_iter().for_each(|note| self.push(note));
    }

    /// Adds a run's notes.
    pub fn add_run(&mut self, notes: &[Note]) {
        notes.iter().for_each(|note| self.push(NoteInfo::of_run(note)));
    }

    /// Adds a note to tell which limit was hit.
    pub fn add_limit(&mut self, hit: LimitHit) {
        self.add("limit", hit.to_string());
    }

    /// Adds a note for each override without effect, by its text. [`Self::add_report`] already does this for its
    /// run.
    pub fn add_unused(&mut self, texts: &[String]) {
        texts.iter().for_each(|text| self.push(NoteInfo::of_unused(text)));
    }

    /// Adds a note about a buffer that the list has not set up, to explain the empty picture.
    pub fn add_unset(&mut self) {
        let message = "the list sets up no such buffer (its rows have 0 pixels), so the picture is empty";
        self.add("buffer-unset", message);
    }

    /// Adds a note if a picture has another size than the user asked for.
    pub fn add_cut(&mut self, [width, height]: [u32; 2], wanted: Option<[u32; 2]>) {
        if let Some([x, y]) = wanted.filter(|wanted| *wanted != [width, height]) {
            let message = format!(
                "the picture has {width}x{height} instead of {x}x{y} pixels, as far as the buffer reaches"
            );
            self.add("picture-cut", message);
        }
    }

    /// Adds the notes about a picture that highlights a draw, and about its run: how many pixels have each colour.
    pub fn add_highlight(&mut self, draw: u64, picture: &HighlightPicture) {
        self.add_report(&picture.run.report);
        if let Some(hit) = picture.limit_hit {
            self.add("limit", format!("a part of draw {draw} is not shown: {hit}"));
        }
        let Some(bounds) = picture.bounds else {
            let target = Address::vram(picture.target.address);
            let message = format!("draw {draw}, to the buffer at {target}, touches no pixel of the picture");
            return self.add("highlight", message);
        };
        let counts = picture.pixels.iter().map(|(fate, count)| {
            let other = OTHER_FATES.iter().find(|(known, ..)| known == fate);
            let ([red, green, blue], name) =
                other.map_or((WRITTEN, "written"), |(_, color, name)| (*color, *name));
            format!("{count} {name} (#{red:02x}{green:02x}{blue:02x})")
        });
        let counts = counts.collect::<Vec<_>>().join(", ");
        self.inform("highlight", format!("draw {draw} has pixels from {bounds}: {counts}"));
    }

    /// Adds the notes about an overdraw picture, and about its run: the largest and the mean number of fragments,
    /// and the scale.
    pub fn add_overdraw(&mut self, picture: &OverdrawPicture) {
        self.add_report(&picture.run.report);
        let pixels = u64::from(picture.image.width()).saturating_mul(picture.image.height().into());
        #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
        let mean = if pixels == 0 { 0.0 } else { picture.fragments as f64 / pixels as f64 };
        let (largest, legend) = (picture.largest, overdraw::legend());
        let message =
            format!("at most {largest} fragments were written to a pixel, {mean:.2} on average; {legend}");
        self.inform("overdraw", message);
    }

    /// Adds a note if explanations in a pixel's history are missing or contradict the picture.
    pub fn add_gaps(&mut self, history: &PixelHistory) {
        if let Some(hit) = history.limit_hit {
            self.add("limit", format!("explanations of later draws are left out: {hit}"));
        } else if let Some(entry) = history.entries.iter().find(|entry| !entry.agrees) {
            let number = entry.event.number;
            let message =
                format!("the explanation of event {number} does not lead to the value that was drawn");
            self.add("explanation", message);
        }
    }

    /// Adds a note, or counts it if it is already known.
    pub fn push(&mut self, note: NoteInfo) {
        let equal = |known: &&mut NoteInfo| {
            (&known.code, &known.message, &known.part, &known.file)
                == (&note.code, &note.message, &note.part, &note.file)
        };
        match self.0.iter_mut().find(equal) {
            Some(known) => known.count = known.count.saturating_add(note.count),
            None => self.0.push(note),
        }
    }

    /// Removes the notes with this code.
    pub fn remove(&mut self, code: &str) {
        self.0.retain(|note| note.code != code);
    }

    /// Returns whether something is missing, guessed or contradictory, rather than only worth knowing.
    #[must_use]
    pub fn has_problem(&self) -> bool {
        self.0.iter().any(|note| note.severity == NoteSeverity::Problem)
    }

    /// Returns the notes, in the order of their first appearance.
    #[must_use]
    pub fn entries(&self) -> &[NoteInfo] {
        &self.0
    }

    /// Turns the list into its notes.
    #[must_use]
    pub fn into_entries(self) -> Vec<NoteInfo> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_are_counted() {
        let mut notes = NoteList::default();
        for message in ["a texture is missing", "guessed", "a texture is missing"] {
            notes.add("file", message);
        }
        let counts: Vec<(&str, u64)> =
            notes.entries().iter().map(|note| (note.message.as_str(), note.count)).collect();
        assert_eq!(counts, [("a texture is missing", 2), ("guessed", 1)], "in order of first appearance");
    }
}
