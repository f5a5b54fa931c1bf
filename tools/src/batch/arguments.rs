//! Arguments for a batch: inputs, lists of inputs, report, shard, and where outputs go.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::input::name::InputName;
use crate::input::path_text;

/// Groups the options in this file, and other batch options, in the help.
pub(crate) const HEADING: &str = "Batch options";

/// A command's inputs, and how to go through them.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct BatchArgs {
    /// Files or folders; `FILE#MEMBER` for a member of a container, `FILE#*` for all, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = path_text::input_parser())]
    pub(crate) inputs: Vec<String>,

    /// Also read the names of inputs from this file, one per line or separated by zero bytes; `-` for standard input
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// Write a JSON object per input to this file: outputs, status, error, notes, duration
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FILE.jsonl")]
    pub(crate) report: Option<PathBuf>,

    /// Work only on every Nth input, from the Ith on; the same inputs for the same list of files
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,

    /// Worker threads; 0 = one per CPU
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "N", default_value = "0")]
    pub(crate) threads: usize,
}

impl BatchArgs {
    pub(crate) fn only(input: &str) -> Self {
        Self { inputs: vec![input.to_owned()], ..Self::default() }
    }

    /// Whether the user asks for several inputs, which makes the output a folder.
    pub(crate) fn names_several(&self) -> bool {
        let is_several =
            |name: &String| path_text::path(name).is_dir() || InputName::parse(name).wants_members();
        self.inputs.len() > 1
            || self.files_from.is_some()
            || self.shard.is_some()
            || self.inputs.iter().any(is_several)
    }

    pub(crate) fn worker_count(&self) -> usize {
        if self.threads == 0 { cpu_count() } else { self.threads }
    }

    /// Returns how many threads to use for a single input. This is at most 8 if the user leaves it to the CPU count,
    /// because a picture cannot keep more threads busy.
    pub(crate) fn threads_of_single(&self) -> u32 {
        const MAX: usize = 8;
        let threads = if self.threads == 0 { cpu_count().min(MAX) } else { self.threads };
        u32::try_from(threads).unwrap_or(1)
    }
}

fn cpu_count() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// `I/N`, with I from 1 to N: divides inputs between N runs, for instance on several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    pub(crate) fn has(self, number: usize) -> bool {
        number % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts =
            text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index: index - 1, count }),
            _ => Err("expected I/N with I from 1 to N, such as 2/4"),
        }
    }
}

/// Where outputs go, read like the target of `cp`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Output file, `-` for standard output; an existing folder or, for several inputs, a folder to create
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,

    /// Leave out inputs whose output exists
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub(crate) skip_existing: bool,

    /// Keep the folders in the inputs' names in the output folder
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub(crate) parents: bool,
}

/// Where outputs go, for each kind of command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Destination<'a> {
    /// The command only prints.
    None,
    /// A file for each input.
    Files(&'a OutputArgs),
    /// A folder for each input; a single input uses the output folder itself.
    Folders(&'a OutputArgs),
}

impl Destination<'_> {
    /// Returns the output arguments, if the command writes files.
    pub(crate) fn arguments(&self) -> Option<&OutputArgs> {
        match self {
            Self::None => None,
            Self::Files(args) | Self::Folders(args) => Some(args),
        }
    }

    pub(crate) fn skips_existing(&self) -> bool {
        self.arguments().is_some_and(|args| args.skip_existing)
    }
}

impl OutputArgs {
    /// Whether the output names a folder: an existing folder, or a name that ends in a slash.
    pub(crate) fn names_folder(&self) -> bool {
        let text = self.output.as_os_str().to_string_lossy();
        self.output.is_dir() || text.ends_with('/') || text.ends_with(std::path::MAIN_SEPARATOR)
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.output == Path::new("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_the_inputs() {
        let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse::<Shard>().expect("valid"));
        for number in 0..20 {
            let count = shards.iter().filter(|shard| shard.has(number)).count();
            assert_eq!(count, 1, "input {number} is in one shard");
        }
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
