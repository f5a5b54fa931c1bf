//! Options for one run out of two, given as an argument.

use std::str::FromStr;

use clap::Parser;
use pspge::raster::Engine;

use crate::camera::CameraArgs;
use crate::event_name::EventName;
use crate::frame::FrameArgs;
use crate::run::ArithmeticArg;
use crate::what_if::WhatIfArgs;

/// Keeps a run's options, and the text that the user wrote for them.
#[derive(Clone, Debug, Default)]
pub(super) struct SideOptions {
    text: String,
    words: Box<SideArgs>,
}

#[derive(Clone, Debug, Default, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct SideArgs {
    #[command(flatten)]
    camera: CameraArgs,

    #[arg(long, value_enum)]
    arithmetic: Option<ArithmeticArg>,

    #[arg(long)]
    reference: bool,

    #[arg(long)]
    at: Option<EventName>,

    #[command(flatten)]
    what_if: WhatIfArgs,
}

impl FromStr for SideOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        let words = SideArgs::try_parse_from(words).map_err(|error| {
            let text = error.render().to_string();
            let problem = text.lines().map(str::trim).take_while(|line| !line.is_empty());
            let problem = problem.collect::<Vec<&str>>().join(" ");
            problem.strip_prefix("error: ").unwrap_or(&problem).to_owned()
        })?;
        Ok(Self { text: text.to_owned(), words: Box::new(words) })
    }
}

impl SideOptions {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn what_if(&self) -> &WhatIfArgs {
        &self.words.what_if
    }

    /// The event to compare with the other side's.
    pub(super) const fn at(&self) -> Option<EventName> {
        self.words.at
    }

    pub(super) fn has_changes(&self) -> bool {
        self.what_if().given().next().is_some()
    }

    /// Returns how to draw this side: own options replace those given for both sides.
    pub(super) fn frame(&self, of_both: &FrameArgs) -> FrameArgs {
        let SideArgs { camera, arithmetic, .. } = &*self.words;
        of_both.with(camera, *arithmetic)
    }

    pub(super) const fn engine(&self) -> Engine {
        if self.words.reference { Engine::Reference } else { Engine::Fast }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_as_a_shell_does() {
        let options: SideOptions =
            "--skip 4-7 --replace-texture '0x10=my file.png'".parse().expect("options");
        assert_eq!(options.what_if().given().collect::<Vec<_>>(), ["--skip", "--replace-texture"], "both");
        let wrong = |text: &str| text.parse::<SideOptions>().expect_err("wrong options");
        assert_eq!(wrong("--skip 'x"), "a quote is not closed");
        assert!(wrong("--skip x").contains("--skip"), "{}", wrong("--skip x"));
        assert!(wrong("--json").contains("--json"), "{}", wrong("--json"));
    }
}
