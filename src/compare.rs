//! Compares pictures: how much they differ in figures, whether this is within bounds, and pictures to show it.
//!
//! A [`Picture`] is read from a file, made from the types in [`crate::image`], or drawn from an
//! [`Asset`](crate::Asset) by [`sides`]. To compare two, call [`pictures`], which returns a [`Difference`]; call
//! [`areas`] to leave out edges and rounding, and [`worst_region`] to find the worst part. [`View`] shows the
//! difference as a picture.
//!
//! # Compared values
//! * The stored samples. Colour profiles, gamma and orientation have no effect.
//! * At the depth of the deeper picture. An 8-bit value widens to 16 bits by the factor 257, so 255 becomes 65535. All
//!   figures and tolerances are then in 16-bit steps.
//! * Channel by channel. Grey counts as equal red, green and blue if the other picture has colours.
//! * Alpha as a separate channel: colours are not blended, so the colour of a transparent pixel counts. A picture
//!   without alpha is opaque.
//!
//! # Invariants
//! Figures are exact sums of integers, converted once, so they depend on neither threads nor machine.
//!
//! ```
//! use pspge::compare::{self, CompareOptions, Picture, View};
//! use pspge::image::{Rgb, RgbImage};
//!
//! let first = RgbImage::from_pixel(16, 16, Rgb([10, 20, 30]));
//! let mut second = first.clone();
//! second.put_pixel(3, 5, Rgb([10, 20, 33]));
//! let (first, second) = (Picture::from_image(first)?, Picture::from_image(second)?);
//!
//! let options = CompareOptions::default();
//! let difference = compare::pictures(&first, &second, &options)?;
//! assert_eq!((difference.differing_pixels, difference.is_equal()), (1, false));
//! assert_eq!(difference.mse, 9.0 / 768.0);
//!
//! let png = compare::view(&first, &second, &options, View::HeatMap)?.to_png()?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), compare::CompareError>(())
//! ```

mod area;
mod bounds;
mod channel;
mod counted;
mod depth_file;
mod difference;
mod encode;
mod error;
mod histogram;
mod measure;
mod measured_scene;
mod options;
mod pair;
mod parse_error;
mod picture;
mod picture_file;
mod read;
mod read_png;
mod region;
mod render;
mod ssim;
mod tolerance;
mod view;
mod worst_region;

pub use area::{AreaDifference, areas};
pub use bounds::{BoundedFigure, Bounds, Exceeded, PixelBound};
pub use channel::Channel;
pub use difference::{ChannelDifference, Difference, PixelDifference};
pub use error::{CompareError, PictureError, RenderError};
pub use histogram::HistogramBin;
pub use measure::{differing_pixels, pictures};
pub use options::CompareOptions;
pub use picture::{Channels, Depth, Picture};
pub use picture_file::PictureFile;
pub use read::read;
pub use region::Region;
pub use render::{Rendered, Side, sides};
pub use tolerance::Tolerance;
pub use view::{Factor, View, view};
pub use worst_region::{WorstRegion, worst_region};
#[doc(hidden)]
pub use {
    depth_file::{read_depth, write_depth},
    encode::to_apng,
    measured_scene::{MeasuredPart, MeasuredScene, MeasuredSceneError, Measurement},
    parse_error::ParseError,
    read::is_picture,
    view::flip,
};
