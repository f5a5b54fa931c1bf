//! Reads and writes depth buffers in the form used by replayers on a PSP: width and height as 32-bit numbers, then
//! rows of 16-bit depths from the top, all little-endian.

use super::error::PictureError;
use super::picture::{Channels, Depth, Picture};
use super::picture_file::check_size;

/// The format's name, for errors.
const FORMAT: &str = "depth buffer";
/// How many bytes come before the depths.
const HEADER: usize = 8;

/// Reads a depth buffer as a grey picture with 16 bits, to compare it like any other.
///
/// # Errors
/// [`PictureError::Damaged`] if the file is shorter or longer than its width and height say, with the offset of its
/// end; [`PictureError::TooLarge`] as for pictures.
///
/// ```
/// use pspge::compare;
///
/// let bytes = [2, 0, 0, 0, 1, 0, 0, 0, 0x34, 0x12, 0xff, 0xff];
/// let picture = compare::read_depth(&bytes)?;
/// assert_eq!((picture.size(), picture.samples()), ([2, 1], [0x1234, 0xffff].as_slice()));
/// # Ok::<(), compare::PictureError>(())
/// ```
pub fn read_depth(bytes: &[u8]) -> Result<Picture, PictureError> {
    let damaged =
        |cause: String| PictureError::Damaged { format: FORMAT, offset: Some(bytes.len() as u64), cause };
    let Some((header, depths)) = bytes.split_at_checked(HEADER) else {
        return Err(damaged(format!("it ends in its header of {HEADER} bytes")));
    };
    let number = |at: usize| {
        let word = header.get(at..at.saturating_add(4)).and_then(|bytes| bytes.try_into().ok());
        word.map_or(0, u32::from_le_bytes)
    };
    let (width, height) = (number(0), number(4));
    check_size(FORMAT, width, height)?;
    let expected = u64::from(width) * u64::from(height) * 2;
    if depths.len() as u64 != expected || expected == 0 {
        let found = depths.len();
        return Err(damaged(format!("{width}x{height} depths take {expected} bytes, and it has {found}")));
    }
    let depths = depths.chunks_exact(2).filter_map(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes);
    Picture::new([width, height], Channels::Grey, Depth::Sixteen, depths.collect())
}

/// Writes a grey picture with 16 bits as a depth buffer; `None` for other pictures.
#[must_use]
pub fn write_depth(picture: &Picture) -> Option<Vec<u8>> {
    if (picture.channels(), picture.depth()) != (Channels::Grey, Depth::Sixteen) {
        return None;
    }
    let header = picture.size().into_iter().flat_map(u32::to_le_bytes);
    Some(header.chain(picture.samples().iter().flat_map(|depth| depth.to_le_bytes())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_come_back() {
        let depths = vec![0, 1, 0x8000, 0xFFFF, 0x1234, 5];
        let picture = Picture::new([3, 2], Channels::Grey, Depth::Sixteen, depths).expect("a picture");
        let bytes = write_depth(&picture).expect("grey with 16 bits");
        assert_eq!(read_depth(&bytes).as_ref(), Ok(&picture), "the same");
        for length in 0..bytes.len() {
            let error = read_depth(&bytes[..length]).expect_err("cut off");
            assert!(matches!(error, PictureError::Damaged { .. }), "{length}: {error}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        let error = read_depth(&longer).expect_err("a byte too many").to_string();
        assert_eq!(error, "at 0x15: looks like depth buffer, but 3x2 depths take 12 bytes, and it has 13");
    }

    #[test]
    fn hostile_sizes_are_refused() {
        let header = |width: u32, height: u32| [width.to_le_bytes(), height.to_le_bytes()].concat();
        assert!(
            matches!(read_depth(&header(u32::MAX, u32::MAX)), Err(PictureError::TooLarge { .. })),
            "huge"
        );
        assert!(matches!(read_depth(&header(0, 0)), Err(PictureError::Damaged { .. })), "empty");
    }
}
