//! Finds the screen in pictures, because some renderers write the whole framebuffer, which is wider.

use pspge::compare::{CompareOptions, Region};
use pspge::ge::capture::SCREEN;

/// How wide a framebuffer may be and still hold only the screen.
const STRIDE: u32 = 512;

/// Returns options to compare two pictures. If either is a framebuffer around the screen, only the screen counts.
/// Alpha never does.
pub(crate) fn options(sizes: [[u32; 2]; 2]) -> CompareOptions {
    let [width, height] = SCREEN;
    let holds_screen = |[x, y]: [u32; 2]| (width..=STRIDE).contains(&x) && y >= height;
    let is_wider = sizes[0] != sizes[1] || sizes[0][0] == STRIDE;
    let regions = if is_wider && sizes.iter().all(|size| holds_screen(*size)) {
        vec![Region { x: 0, y: 0, width, height }]
    } else {
        Vec::new()
    };
    CompareOptions { ignore_alpha: true, regions, ..CompareOptions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framebuffers_are_cut_to_the_screen() {
        let regions = |sizes| options(sizes).regions.len();
        assert_eq!(regions([[480, 272], [512, 272]]), 1, "one is a framebuffer");
        assert_eq!(regions([[512, 272], [512, 512]]), 1, "both are");
        assert_eq!(regions([[480, 272], [480, 272]]), 0, "screens");
        assert_eq!(regions([[960, 544], [960, 544]]), 0, "larger pictures");
        assert_eq!(regions([[480, 272], [960, 544]]), 0, "which cannot be compared");
    }
}
