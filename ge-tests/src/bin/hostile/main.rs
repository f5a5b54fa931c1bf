//! Tries hostile inputs by the thousand: `cargo dev hostile`.
//!
//! To detect every failure (a panic, an abort, too much time, too much memory), `pspge` itself or a child process of
//! this program processes each input.

mod campaign;
mod usage;
mod worst;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use ge_tests::fuzz;

/// How long an input may take.
const MAX_TIME: Duration = Duration::from_secs(5);
/// How much memory an input may take, in bytes.
const MAX_MEMORY: u64 = 1 << 30;

/// Describes the tasks and their options.
const USAGE: &str = "usage: hostile TASK [OPTION]...
  mutate     damaged files through everything: --count N, --seed S, --first N, --save FOLDER for what is found
  damaged    the same files, to look at: --count N, --seed S, --first N, --save FOLDER
  minimise   make a file with which something goes wrong smaller: --file FILE
  worst      the worst lists and dumps through every command: --only NAME, --command VERB, --pspge PROGRAM
  seeds      what the fuzz targets of tools/fuzz start from: --save FOLDER
  usage      what the files of the corpus take of each limit
Files come from the bundled samples, and from the folder that PSPGE_CORPUS names.";

#[derive(Clone, Debug)]
struct Options {
    count: u64,
    seed: u64,
    first: u64,
    save: Option<PathBuf>,
    file: Option<PathBuf>,
    only: Option<String>,
    command: Option<String>,
    pspge: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            count: 1000,
            seed: 1,
            first: 0,
            save: None,
            file: None,
            only: None,
            command: None,
            pspge: None,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = rest.next().ok_or_else(|| format!("{name}: needs a value\n{USAGE}"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{name} {value}: not a number"));
            match name.as_str() {
                "--count" => options.count = number()?,
                "--seed" => options.seed = number()?,
                "--first" => options.first = number()?,
                "--save" => options.save = Some(value.into()),
                "--file" => options.file = Some(value.into()),
                "--only" => options.only = Some(value.clone()),
                "--command" => options.command = Some(value.clone()),
                "--pspge" => options.pspge = Some(value.into()),
                _ => return Err(format!("{name}: no such option\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<bool, String> {
    let (task, rest) = arguments.split_first().ok_or(USAGE)?;
    let options = Options::parse(rest)?;
    match task.as_str() {
        "mutate" => campaign::run(&options),
        "damaged" => campaign::write(&options),
        "minimise" => campaign::minimise(&options),
        // This task runs in `mutate`'s child process.
        "work" => campaign::run_worker(&options),
        "worst" => worst::run(&options),
        "seeds" => seeds(&options),
        "usage" => usage::run(),
        _ => Err(USAGE.to_owned()),
    }
}

/// Writes a folder with seeds for each fuzz target, for a fuzzer to start from.
fn seeds(options: &Options) -> Result<bool, String> {
    let folder = options.save.as_ref().ok_or("seeds needs --save FOLDER")?;
    for (target, _) in fuzz::TARGETS {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for (name, bytes) in fuzz::seeds(target) {
            let path = folder.join(name);
            std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(true)
}
