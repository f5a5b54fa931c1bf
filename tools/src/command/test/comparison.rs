//! Compares a picture or depth buffer with its reference.

use std::path::Path;

use pspge::compare::{self, CompareError, CompareOptions, Picture};
use pspge::documents::judgement::MatchFigures;

use crate::input::files;
use crate::renderer::screen;

/// Reads a reference picture.
///
/// # Errors
/// Says why it cannot be read.
pub(super) fn read_picture(path: &Path) -> Result<Picture, String> {
    let bytes = read(path)?;
    let name = path.display().to_string();
    compare::read(&name, &bytes).map(|file| file.picture).map_err(|error| format!("{name}: {error}"))
}

/// Reads a depth buffer.
///
/// # Errors
/// Says why it cannot be read.
pub(super) fn read_depth(path: &Path) -> Result<Picture, String> {
    compare::read_depth(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read_bytes(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub(super) fn options(picture: &Picture, reference: &Picture) -> CompareOptions {
    screen::options([picture.size(), reference.size()])
}

/// Compares a picture with its reference. In the tier `near`, channels differ by at most `near`.
///
/// # Errors
/// If they cannot be compared, for example because their sizes differ.
pub(super) fn figures(
    picture: &Picture,
    reference: &Picture,
    near: u16,
) -> Result<MatchFigures, CompareError> {
    let options = options(picture, reference);
    // Most pictures are identical, so this looks first: computing figures takes longer than drawing.
    let is_whole = options.regions.is_empty();
    let has_equal_layout = (picture.channels(), picture.depth()) == (reference.channels(), reference.depth());
    if is_whole && has_equal_layout && !picture.channels().has_alpha() && picture == reference {
        return Ok(MatchFigures::identical(picture.size(), picture.channels().count()));
    }
    // The reference comes first, so that signed figures are the picture minus the reference.
    let difference = compare::pictures(reference, picture, &options)?;
    let areas = compare::areas(reference, picture, &options)?;
    let [width, height] =
        options.regions.first().map_or(picture.size(), |region| [region.width, region.height]);
    Ok(MatchFigures { width, height, ..MatchFigures::new(&difference, &areas, near) })
}

pub(super) fn text(picture: Option<&MatchFigures>, depth: Option<&MatchFigures>) -> String {
    let part = |figures: Option<&MatchFigures>, unit: &str| {
        let figures = figures.filter(|figures| figures.differing_pixels > 0)?;
        let MatchFigures { differing_pixels, largest_difference, area_pixels, blocks, .. } = figures;
        let plural = if *differing_pixels == 1 { "" } else { "s" };
        let area = match (area_pixels, blocks) {
            (0, 0) => "edges and rounding only".to_owned(),
            (pixels, blocks) => format!("{pixels} in areas, {blocks} blocks"),
        };
        Some(format!("{differing_pixels} {unit}{plural} by {largest_difference} at most ({area})"))
    };
    let parts: Vec<String> = [part(picture, "pixel"), part(depth, "depth")].into_iter().flatten().collect();
    if parts.is_empty() { "identical".to_owned() } else { format!("differs in {}", parts.join(" and ")) }
}

#[cfg(test)]
mod tests {
    use pspge::compare::{Channels, Depth};
    use pspge::documents::judgement::MatchTier;

    use super::*;

    fn picture(width: u32, value: u16) -> Picture {
        Picture::new([width, 272], Channels::Rgb, Depth::Eight, vec![value; width as usize * 272 * 3])
            .expect("a picture")
    }

    #[test]
    fn framebuffers_are_compared_with_screens() {
        let found = figures(&picture(512, 7), &picture(480, 7), 8).expect("comparable");
        assert_eq!((found.tier, found.width, found.height), (MatchTier::Exact, 480, 272), "the screen");
        assert!(figures(&picture(500, 7), &picture(300, 7), 8).is_err(), "other sizes");
    }

    #[test]
    fn differences_are_those_of_the_picture() {
        let found = figures(&picture(480, 9), &picture(480, 7), 1).expect("comparable");
        assert_eq!((found.tier, found.bias.as_slice()), (MatchTier::Area, [2.0; 3].as_slice()), "brighter");
        assert_eq!(
            figures(&picture(480, 9), &picture(480, 7), 2).map(|found| found.tier),
            Ok(MatchTier::Near)
        );
        let text = text(Some(&found), None);
        assert_eq!(text, "differs in 130560 pixels by 2 at most (edges and rounding only)");
    }
}
