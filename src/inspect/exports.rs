//! Creates files to save: geometry, pictures, frame dumps.

use image::DynamicImage;

use crate::debug::timeline::EventNumber;
use crate::debug::trim::{TrimOptions, trim};
use crate::documents::note::NoteInfo;
use crate::export::picture_file::PictureFormat;
use crate::export::{self, DrawFilter, FrameSpace, Merge, RigMode, gltf, recorder};
use crate::ge::capture::Capture;
use crate::ge::draw_set::{DrawSet, DrawSetError};

use super::answer::Answer;
use super::error::InspectError;
use super::file::InspectedFile;
use super::pictures;
use super::request::{ExportKind, Moment, PictureSource};
use super::run::Run;

/// The game id to write to saved dumps.
const GAME_ID: [u8; 9] = *b"PSPGE0001";

/// Creates a file from a run.
///
/// # Errors
/// Fails if the run has no such moment, or if the file cannot be created.
pub(super) fn export(
    run: &Run,
    file: &InspectedFile,
    (what, at): (ExportKind, Option<Moment>),
    draws: Option<&str>,
) -> Result<(Answer, Vec<u8>), InspectError> {
    let end = run.session().end();
    let at = at.unwrap_or(Moment { event: end, after: false });
    let stem = stem_of(file.name());
    let mut notes = Vec::new();
    let (name, media_type, bytes) = match what {
        ExportKind::Gltf => {
            let part = draws.map(|draws| format!("-{draws}")).unwrap_or_default();
            (format!("{stem}{part}.glb"), "model/gltf-binary", geometry(run, file, draws, &mut notes)?)
        }
        ExportKind::Png => (format!("{stem}.png"), "image/png", png(run, at)?),
        ExportKind::Dump => {
            let bytes = dump(run, run.shot.capture.clone(), &mut notes)?;
            (format!("{stem}.ppdmp"), "application/octet-stream", bytes)
        }
        ExportKind::Trim => {
            let bytes = trimmed(run, at.event, &mut notes)?;
            (format!("{stem}-{}.ppdmp", at.event), "application/octet-stream", bytes)
        }
    };
    Ok((Answer::File { name, media_type: media_type.to_owned(), notes }, bytes))
}

/// Returns a file's name without folders, member and extension, to name the files to save.
fn stem_of(name: &str) -> String {
    let path = name.split('#').next().unwrap_or(name);
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let safe: String = stem
        .chars()
        .map(|char| if char.is_alphanumeric() || "-_ ".contains(char) { char } else { '_' })
        .collect();
    if safe.is_empty() { "pspge".to_owned() } else { safe }
}

fn geometry(
    run: &Run,
    file: &InspectedFile,
    draws: Option<&str>,
    notes: &mut Vec<NoteInfo>,
) -> Result<Vec<u8>, InspectError> {
    let wrong = |error: DrawSetError| InspectError::new("draws", &error.to_string());
    let draws: Option<DrawSet> = draws.map(str::parse).transpose().map_err(wrong)?;
    let limits = run.shot.limits;
    let filter = DrawFilter { draws, compares_order: true, limits, ..DrawFilter::default() };
    let posed = file.asset()?.posed(&run.options);
    let scene = match posed.map_err(|error| InspectError::of_file(file.name(), &error))? {
        Some(model) => export::model_scene(&model, file.name(), &filter, RigMode::Rigged),
        None => {
            export::frame_scene(&mut run.shot.capture.clone(), file.name(), &filter, FrameSpace::Automatic)
        }
    };
    let scene = scene.merged(Merge::usual(file.asset()?.model().is_some()));
    notes.extend(scene.notes.iter().map(NoteInfo::of_export));
    Ok(gltf::write_glb(&scene))
}

fn png(run: &Run, at: Moment) -> Result<Vec<u8>, InspectError> {
    let (_, image) = pictures::picture(run, Some(at), &PictureSource::Color)?;
    let mut image = image.into_rgba8();
    // Alpha holds the stencil. As alpha it would make parts of the picture transparent.
    image.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
    let encoded = PictureFormat::Png.encode(&DynamicImage::ImageRgba8(image));
    encoded.map_err(|error| InspectError::new("not-encodable", &error.to_string()))
}

fn dump(run: &Run, capture: Capture, notes: &mut Vec<NoteInfo>) -> Result<Vec<u8>, InspectError> {
    let recorded =
        recorder::record(capture, GAME_ID, run.shot.arithmetic(), &run.shot.limits).ok_or_else(|| {
            InspectError::new("too-large", "the draws use more data than a frame dump can hold")
        })?;
    if let Some(hit) = recorded.limit_hit {
        notes.push(NoteInfo::new("limit", &hit.to_string()));
    }
    Ok(recorded.dump.to_bytes())
}

fn trimmed(run: &Run, event: EventNumber, notes: &mut Vec<NoteInfo>) -> Result<Vec<u8>, InspectError> {
    let trimmed = {
        let mut session = run.session();
        trim(&mut session, event..=event, TrimOptions::default()).map_err(InspectError::inapplicable)?
    };
    let noted = trimmed.notes.iter().map(|note| NoteInfo::new("trim", &note.to_string()));
    notes.extend(noted);
    dump(run, trimmed.capture, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        for (name, stem) in
            [("a/b/frame.ppdmp", "frame"), ("x.pac#2/3", "x"), ("..\\..\\evil?.zip", "evil_"), ("", "pspge")]
        {
            assert_eq!(stem_of(name), stem, "{name}");
        }
    }
}
