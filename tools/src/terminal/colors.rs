//! Colours words on a terminal.
//!
//! `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` decide, as for the help texts; without them a terminal has colours,
//! and a file or a pipe has none.

use std::io;
use std::sync::LazyLock;

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

/// The meaning that a word's colour shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Good,
    Error,
    Warning,
    Note,
    Title,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

impl Mark {
    const fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default(),
            Self::Error => AnsiColor::Red.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Note => AnsiColor::Cyan.on_default().bold(),
            Self::Title => Style::new().bold(),
        }
    }

    /// Returns the word in its colour, if the stream shows colours.
    pub(crate) fn paint(self, word: &str, stream: Stream) -> String {
        if word.is_empty() || !stream.has_colors() {
            return word.to_owned();
        }
        let style = self.style();
        format!("{style}{word}{style:#}")
    }

    /// Returns the mark for the word that begins a message, such as `error:`.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        match word {
            "error" => Some(Self::Error),
            "warning" => Some(Self::Warning),
            "note" | "hint" => Some(Self::Note),
            _ => None,
        }
    }
}

impl Stream {
    fn has_colors(self) -> bool {
        static STDOUT: LazyLock<bool> =
            LazyLock::new(|| AutoStream::choice(&io::stdout()) != ColorChoice::Never);
        static STDERR: LazyLock<bool> =
            LazyLock::new(|| AutoStream::choice(&io::stderr()) != ColorChoice::Never);
        match self {
            Self::Stdout => *STDOUT,
            Self::Stderr => *STDERR,
        }
    }
}
