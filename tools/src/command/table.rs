//! `pspge table`: writes frames into Parquet tables.

use std::path::{Path, PathBuf};

use pspge::documents::report::Status;
use pspge::pipeline::texture::content_hash::ContentHash;
use pspge::table::{self, FrameFile, FrameRow, Table, TableOptions};

use crate::batch;
use crate::batch::arguments::{BatchArgs, OutputArgs};
use crate::frame::FrameArgs;
use crate::input::files;
use crate::input::name::InputName;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task, TaskResult};
use crate::output;
use crate::terminal::console::Console;
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::failure::Failure;

mod collector;
mod writers;

use collector::Collector;
use writers::Writers;

/// Write Parquet tables: frames, draws, commands, textures, vertices, pixels
///
/// All inputs become rows in the same files: DIR/frames.parquet has a row for each input, even if it failed; rows in
/// other tables name their input by its number in the column `frame`. The files and the guide on tables describe the
/// columns; the guide also has questions in SQL for DuckDB.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    /// Folder of the tables; it is created. Tables of an earlier run are replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Write only these tables, separated by commas [default: all but pixels]
    #[arg(long, value_name = "TABLES", value_delimiter = ',', value_parser = table_parser())]
    tables: Vec<String>,

    /// Also write the pixel table, for the picture at the end
    #[arg(long)]
    pixels: bool,

    #[command(flatten)]
    open: OpenOptions,

    #[command(flatten)]
    frame: FrameArgs,
}

/// Parses table names.
fn table_parser() -> clap::builder::PossibleValuesParser {
    Table::ALL.map(|table| clap::builder::PossibleValue::new(table.name()).help(table.description())).into()
}

impl Args {
    fn tables(&self) -> Vec<Table> {
        let is_default = self.tables.is_empty();
        let is_wanted = |table: &Table| match table {
            Table::Pixels if self.pixels => true,
            Table::Pixels if is_default => false,
            table => is_default || self.tables.iter().any(|name| name == table.name()),
        };
        Table::ALL.into_iter().filter(is_wanted).collect()
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let folder = OutputArgs { output: args.output.clone(), skip_existing: false, parents: false };
    if folder.is_stdout() {
        return Err(Failure::usage("--output -: the tables are several files, which need a folder"));
    }
    let tables = args.tables();
    let is_new = !args.output.exists();
    output::create_folder(&args.output)?;
    let job = Tables {
        args,
        options: TableOptions::default()
            .tables(tables.iter().copied())
            .render(args.frame.spec(args.open.limits())),
        collector: Collector::new(Writers::create(&args.output, &tables)?),
    };
    let result = batch::run_collecting(&job, &args.batch, &folder, console);
    // A damaged input is still a row, but a wrong command line should leave no tables.
    let is_wrong = matches!(&result, Err(Failure::Error(error)) if error.status == ExitStatus::Usage);
    match job.collector.into_complete().filter(|_| !is_wrong) {
        Some(writers) => {
            writers.finish()?;
            note_older_tables(&args.output, &tables, console);
        }
        None if is_new => {
            // Removing fails if another program has written into the folder meanwhile; then it stays.
            let _ = std::fs::remove_dir(&args.output);
        }
        None => {}
    }
    result
}

/// Notes which tables in the folder come from an earlier run.
fn note_older_tables(folder: &Path, written: &[Table], console: Console) {
    let others = Table::ALL.into_iter().filter(|table| !written.contains(table));
    for path in others.map(|table| writers::path_of(folder, table)).filter(|path| path.exists()) {
        console.print_hint(format_args!("note: {}: is of an earlier run", path.display()));
    }
}

struct Tables<'a> {
    args: &'a Args,
    options: TableOptions,
    collector: Collector,
}

impl Job for Tables<'_> {
    fn info(&self) -> JobInfo {
        JobInfo::new("in tables", "no display list")
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let _guard = collector::StopOnPanic(&self.collector);
        let name = InputName::parse(&task.input);
        let bytes = files::read(Path::new(name.path))?;
        let file = FrameFile {
            frame: u32::try_from(task.number).unwrap_or(u32::MAX),
            input: &task.input,
            member: name.member,
            bytes: bytes.len() as u64,
            hash: ContentHash::of(&bytes),
        };
        // Should the input fail, its row has at least its hash.
        let mut row = FrameRow::without_run(file.key(), &task.input, Status::Failed, None);
        row.file_bytes = Some(file.bytes);
        self.collector.set_row(task.number, row);
        // The row brings notes on the file itself, so these would repeat them.
        let mut notes = session.notes.empty_for_same();
        let (asset, _) = self.args.open.open(&task.input, Some(bytes), &mut notes)?;
        session.notes.add_ignored_options(notes);
        if asset.is_drawable() {
            self.args.frame.ignore_camera(&task.input, &asset, &mut session.notes)?;
        }
        let mut out = |table, batch| self.collector.push(task.number, table, batch);
        let row = table::write(&asset, &file, &self.options, &mut out)
            .map_err(|error| Failure::input(&task.input, "table", None, error))?;
        row.notes.iter().for_each(|note| session.notes.list.push(note.clone()));
        let is_drawn = row.run.is_some();
        self.collector.set_row(task.number, row);
        Ok(if is_drawn { Outcome::Done } else { Outcome::Nothing })
    }

    fn finish(&self, task: &Task, result: &TaskResult<'_>) -> Result<(), Failure> {
        let _guard = collector::StopOnPanic(&self.collector);
        self.collector.finish(task, result)
    }

    fn stop(&self) {
        self.collector.stop();
    }
}
