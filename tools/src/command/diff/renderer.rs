//! Another renderer: a command that draws a frame dump up to one of its draws.

use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;

use pspge::compare::{self, Picture};

use crate::failure::Failure;

/// Bytes of the renderer's last line that an error repeats.
const LINE_MAX: usize = 200;

/// A command with places for the dump, the last draw and the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RendererCommand {
    text: String,
    program: String,
    arguments: Vec<String>,
}

impl FromStr for RendererCommand {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        let Some((program, arguments)) = words.split_first() else { return Err("no command") };
        let has = |place: &str| arguments.iter().any(|argument| argument.contains(place));
        if !has("{in}") || !has("{out}") {
            return Err(
                "expected a command with {in} and {out}, such as 'other {in} --last-draw {until} -o {out}'",
            );
        }
        Ok(Self { text: text.to_owned(), program: program.clone(), arguments: arguments.to_vec() })
    }
}

impl RendererCommand {
    /// Returns the command as the user wrote it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the command takes the number of the last draw.
    pub(super) fn takes_draw(&self) -> bool {
        self.arguments.iter().any(|argument| argument.contains("{until}"))
    }

    /// Draws a dump up to a draw, and returns the picture.
    ///
    /// # Errors
    /// If the command cannot be started or fails, or if it writes no picture.
    pub(super) fn draw(&self, dump: &Path, until: u64, picture: &Path) -> Result<Picture, Failure> {
        let [dump, picture_name] = [dump, picture].map(|path| path.display().to_string());
        let fill = |argument: &String| {
            argument
                .replace("{in}", &dump)
                .replace("{until}", &until.to_string())
                .replace("{out}", &picture_name)
        };
        // A picture of an earlier draw must not be taken for this one.
        if let Err(error) = std::fs::remove_file(picture)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Failure::file(picture.display(), &error));
        }
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(fill)).stdin(Stdio::null());
        let output = command.output().map_err(|error| Failure::file(&self.program, &error))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
            let line: String = line.trim().chars().take(LINE_MAX).collect();
            return Err(self.failure(until, format_args!("{}: {line}", output.status)));
        }
        let bytes = std::fs::read(picture)
            .map_err(|error| self.failure(until, format_args!("it wrote no picture: {error}")))?;
        compare::read(&picture_name, &bytes)
            .map(|file| file.picture)
            .map_err(|error| self.failure(until, format_args!("its picture: {}", error.message())))
    }

    fn failure(&self, until: u64, problem: impl std::fmt::Display) -> Failure {
        let problem = format_args!("the renderer, at draw {until}: {problem}").to_string();
        Failure::file_problem(&self.program, "renderer", problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_dump_and_the_picture() {
        let command: RendererCommand = "'my renderer' {in} --to={until} {out}".parse().expect("a command");
        assert_eq!(command.program, "my renderer");
        assert!(command.takes_draw(), "the draw");
        let command: RendererCommand = "other {in} {out}".parse().expect("a command");
        assert!(!command.takes_draw(), "no draw");
        for wrong in ["", "'", "other", "other {in}", "{in} {out}x"] {
            assert!(wrong.parse::<RendererCommand>().is_err(), "{wrong}");
        }
    }
}
