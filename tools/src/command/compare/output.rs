//! Draws a picture to show the difference: the picture's kind, and the file to write.

use std::path::{Path, PathBuf};

use pspge::compare::{self, CompareError, CompareOptions, Factor, Picture, View};

use crate::batch::arguments::OutputArgs;
use crate::terminal::failure::Failure;

const HEADING: &str = "Picture of the difference";

/// How to show a difference as a picture.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PictureArgs {
    /// Write a picture of the difference, .png or .apng; of two folders, one for each pair
    ///
    /// In two folders, identical pairs get none. Pictures in a folder are named after A, such as
    /// a.ppdmp.difference.png.
    #[arg(short, long, value_name = "OUT.png|OUT.apng|DIR")]
    pub(super) output: Option<PathBuf>,

    /// Kind of picture [default: difference; flip if --output ends in .apng]
    #[arg(long, help_heading = HEADING, value_enum, requires = "output")]
    show: Option<Show>,

    /// Amplification of the difference [default: 8]
    ///
    /// At 16 bits, this counts 256 times, to make the smallest difference look the same. With auto, the largest
    /// difference becomes white.
    #[arg(long, help_heading = HEADING, value_name = "N|auto", requires = "output")]
    factor: Option<Factor>,

    /// Time to show each picture of a flip [default: 500]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "MILLISECONDS", requires = "output")]
    delay: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Show {
    /// The difference of each colour, amplified; that of alpha is added to all
    Difference,
    /// A, the amplified difference, and B, from left to right
    SideBySide,
    /// Pixels beyond the tolerance in colours for the size of their difference, on a dark A
    HeatMap,
    /// An animated PNG that alternates between A and B
    Flip,
}

impl PictureArgs {
    /// Checks the options, and returns the picture's path.
    ///
    /// # Errors
    /// If the extension or an option does not fit this kind of picture.
    pub(super) fn arguments(&self, is_batch: bool) -> Result<Option<OutputArgs>, Failure> {
        let Some(output) = self.output.clone() else { return Ok(None) };
        let arguments = OutputArgs { output, skip_existing: false, parents: false };
        if arguments.is_stdout() {
            return Err(Failure::usage("--output -: standard output has the figures; name a file"));
        }
        let show = self.show();
        // In a folder, `suffix` gives every picture the right extension, so this is only about a single file's name.
        if !is_batch && !arguments.names_folder() {
            let name = arguments.output.display();
            match (extension(&arguments.output).as_deref(), show) {
                (Some("png"), _) | (Some("apng"), Show::Flip) => {}
                (Some("apng"), _) => {
                    let problem = format_args!("--output {name}: an .apng picture needs --show flip");
                    return Err(Failure::usage(problem));
                }
                _ => {
                    let problem = format_args!("--output {name}: the extension must be .png or .apng");
                    return Err(Failure::usage(problem));
                }
            }
        }
        if self.delay.is_some() && show != Show::Flip {
            return Err(Failure::usage("--delay: only --show flip has several pictures"));
        }
        if self.factor.is_some() && !matches!(show, Show::Difference | Show::SideBySide) {
            return Err(Failure::usage("--factor: this picture has no amplified difference"));
        }
        Ok(Some(arguments))
    }

    fn show(&self) -> Show {
        let is_apng = self.output.as_deref().and_then(extension).as_deref() == Some("apng");
        self.show.unwrap_or(if is_apng { Show::Flip } else { Show::Difference })
    }

    /// Returns a suffix for naming pictures in a folder.
    pub(super) fn suffix(&self) -> &'static str {
        match self.show() {
            Show::Difference => ".difference.png",
            Show::SideBySide => ".side-by-side.png",
            Show::HeatMap => ".heat-map.png",
            Show::Flip => ".flip.apng",
        }
    }

    /// Draws the picture and encodes it as a file.
    ///
    /// # Errors
    /// Whatever the library reports.
    pub(super) fn draw(
        &self,
        first: &Picture,
        second: &Picture,
        options: &CompareOptions,
    ) -> Result<Vec<u8>, CompareError> {
        let factor = self.factor.unwrap_or_default();
        let view = match self.show() {
            Show::Difference => View::Difference(factor),
            Show::SideBySide => View::SideBySide(factor),
            Show::HeatMap => View::HeatMap,
            Show::Flip => return compare::flip(first, second, options, self.delay.unwrap_or(500)),
        };
        compare::view(first, second, options, view)?.to_png()
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}
