//! Runs another renderer: a command to draw a frame dump, whole or up to a draw, or a real PSP.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::str::FromStr;
use std::time::Duration;

use pspge::compare::{self, Picture};

use super::process;
use crate::terminal::failure::Failure;

/// Names a PSP as renderer, before the folder that it sees as `host0:`.
const PSP: &str = "psp://";
/// Draws on a PSP; the script says how.
const PSP_SCRIPT: &str = include_str!("psp.py");

/// A command with places for the dump, the last draw, the picture and the depth buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RendererCommand {
    text: String,
    program: String,
    arguments: Vec<String>,
}

/// How to run the renderer once: the dump, its last draw, and the files to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RendererRun<'a> {
    pub(crate) dump: &'a Path,
    /// The last draw's number.
    pub(crate) until: u64,
    /// The picture to write.
    pub(crate) picture: &'a Path,
    /// The depth buffer to write, if the command has a place for it.
    pub(crate) depth: Option<&'a Path>,
    /// How long this run may take.
    pub(crate) timeout: Duration,
}

/// Why a renderer left no picture.
#[derive(Debug)]
pub(crate) enum RendererFault {
    /// The command could not be started, or a file could not be handled.
    System(Failure),
    /// It took too long.
    TimedOut,
    /// It ended with an error; the text is the last line it printed.
    Crashed(ExitStatus, String),
    /// It wrote no picture.
    NoPicture(String),
    /// Its picture cannot be read.
    BadPicture(String),
}

impl FromStr for RendererCommand {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(folder) = text.strip_prefix(PSP) {
            let folder = if folder.is_empty() { "." } else { folder };
            let words = ["-c", PSP_SCRIPT, folder, "{in}", "{out}", "{depth}"];
            let program = if cfg!(windows) { "python" } else { "python3" };
            let arguments = words.map(str::to_owned).to_vec();
            return Ok(Self { text: text.to_owned(), program: program.to_owned(), arguments });
        }
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        let Some((program, arguments)) = words.split_first() else { return Err("no command") };
        let has = |place: &str| arguments.iter().any(|argument| argument.contains(place));
        if !has("{in}") || !has("{out}") {
            return Err(
                "expected a command with {in} and {out}, such as 'other {in} --last-draw {until} -o {out}', or psp://FOLDER",
            );
        }
        Ok(Self { text: text.to_owned(), program: program.clone(), arguments: arguments.to_vec() })
    }
}

impl RendererCommand {
    /// Creates a command from its words, which contain the places.
    pub(crate) fn new(program: &Path, arguments: Vec<String>) -> Self {
        let program = program.display().to_string();
        let words = std::iter::once(program.as_str()).chain(arguments.iter().map(String::as_str));
        // Words with zero bytes cannot be quoted, but neither can they be arguments.
        let text = shlex::try_join(words).unwrap_or_else(|_| program.clone());
        Self { text, program, arguments }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    /// Whether this is a PSP, which draws one dump at a time.
    pub(crate) fn is_psp(&self) -> bool {
        self.text.starts_with(PSP)
    }

    /// Whether the command takes the last draw's number, or the number of draws.
    pub(crate) fn takes_draw(&self) -> bool {
        self.has("{until}") || self.has("{count}")
    }

    pub(crate) fn writes_depth(&self) -> bool {
        self.has("{depth}")
    }

    fn has(&self, place: &str) -> bool {
        self.arguments.iter().any(|argument| argument.contains(place))
    }

    /// Draws a dump up to a draw, and returns the picture.
    ///
    /// # Errors
    /// If the command cannot be started, fails or takes too long, or if it writes no picture.
    pub(crate) fn draw(&self, run: &RendererRun<'_>) -> Result<Picture, RendererFault> {
        let RendererRun { dump, until, picture, depth, timeout } = *run;
        // Otherwise an earlier draw's picture could be taken for this draw's.
        for file in [Some(picture), depth].into_iter().flatten() {
            if let Err(error) = std::fs::remove_file(file)
                && error.kind() != std::io::ErrorKind::NotFound
            {
                return Err(RendererFault::System(Failure::file(file.display(), &error)));
            }
        }
        let places = [
            ("{in}", dump.display().to_string()),
            ("{until}", until.to_string()),
            ("{count}", until.saturating_add(1).to_string()),
            ("{out}", picture.display().to_string()),
            (
                "{depth}",
                depth.map_or_else(|| null_file().display().to_string(), |path| path.display().to_string()),
            ),
        ];
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(|argument| fill(argument, &places)));
        let finished = process::run(command, timeout)
            .map_err(|error| RendererFault::System(Failure::file(&self.program, &error)))?;
        match finished.status {
            None => return Err(RendererFault::TimedOut),
            Some(status) if !status.success() => {
                return Err(RendererFault::Crashed(status, finished.last_line()));
            }
            Some(_) => {}
        }
        let bytes = std::fs::read(picture).map_err(|error| RendererFault::NoPicture(error.to_string()))?;
        compare::read(&picture.display().to_string(), &bytes)
            .map(|file| file.picture)
            .map_err(|error| RendererFault::BadPicture(error.message()))
    }
}

/// Fills the places in an argument. Each is filled only once, because a value may look like a place.
fn fill(argument: &str, places: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = argument;
    while let Some(start) = rest.find('{') {
        let (before, at) = rest.split_at(start);
        filled += before;
        match places.iter().find(|(place, _)| at.starts_with(place)) {
            Some((place, value)) => {
                filled += value;
                rest = at.get(place.len()..).unwrap_or_default();
            }
            None => {
                filled.push('{');
                rest = at.get(1..).unwrap_or_default();
            }
        }
    }
    filled + rest
}

/// Returns the null device, to discard an unwanted depth buffer.
fn null_file() -> PathBuf {
    PathBuf::from(if cfg!(windows) { "NUL" } else { "/dev/null" })
}

impl RendererFault {
    pub(crate) fn text(&self, timeout: Duration) -> String {
        match self {
            Self::System(failure) => match failure.as_error() {
                Some(error) => {
                    let file = error.info.file.as_deref().map(|file| format!("{file}: ")).unwrap_or_default();
                    format!("cannot be run: {file}{}", error.info.message)
                }
                None => "cannot be run".to_owned(),
            },
            Self::TimedOut => format!("timed out after {} s", timeout.as_secs_f64()),
            Self::Crashed(status, line) => format!("ended with {status}: {line}"),
            Self::NoPicture(problem) => format!("wrote no picture: {problem}"),
            Self::BadPicture(problem) => format!("wrote a picture that cannot be read: {problem}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_dump_and_the_picture() {
        let command: RendererCommand = "'my renderer' {in} --to={until} {out}".parse().expect("a command");
        assert_eq!(command.program, "my renderer");
        assert!(command.takes_draw() && !command.writes_depth(), "the draw");
        let command: RendererCommand = "other {in} {out} {depth}".parse().expect("a command");
        assert!(!command.takes_draw() && command.writes_depth(), "the depth");
        for wrong in ["", "'", "other", "other {in}", "{in} {out}x"] {
            assert!(wrong.parse::<RendererCommand>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_psp_is_a_script_without_places() {
        let command: RendererCommand = "psp://my folder".parse().expect("a PSP");
        assert!(command.is_psp() && command.writes_depth() && !command.takes_draw(), "places");
        let places = ["{in}", "{out}", "{depth}", "{until}", "{count}"];
        let found = places.iter().find(|place| PSP_SCRIPT.contains(**place));
        assert_eq!(found, None, "the script is passed as it is");
        assert_eq!(command.arguments[2], "my folder", "one argument");
    }

    #[test]
    fn values_that_look_like_places_stay() {
        let places = [("{in}", "a{out}b".to_owned()), ("{out}", "c".to_owned())];
        assert_eq!(fill("x{in}{out}{other}{", &places), "xa{out}bc{other}{", "once");
    }

    #[test]
    fn a_command_from_words_can_be_read_again() {
        let words = ["{in}", "--save={out}", "a b"].map(str::to_owned).to_vec();
        let command = RendererCommand::new(Path::new("/my tools/draw"), words);
        assert_eq!(command.text().parse(), Ok(command.clone()), "{}", command.text());
    }
}
