//! `hostile mutate`: does everything with thousands of damaged files, in a monitored child process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use ge_tests::{exercise, measure, mutate};
use pspge::ge::limits::Limits;

use crate::{MAX_MEMORY, MAX_TIME, Options};

/// A fault caused by an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A panic with this message.
    Panic(String),
    /// The process ended, with this status.
    Died(String),
    /// The input exceeded the time limit.
    Slow(Duration),
    /// The input exceeded the memory limit, in bytes.
    Large(u64),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Panic(message) => write!(f, "panic: {message}"),
            Self::Died(how) => write!(f, "the process ended: {how}"),
            Self::Slow(time) => write!(f, "timeout: more than {:.1} s", time.as_secs_f64()),
            Self::Large(bytes) => write!(f, "memory: {} MiB", bytes >> 20),
        }
    }
}

/// Runs the worker: exercises inputs and prints events for the parent to read.
pub(crate) fn run_worker(options: &Options) -> Result<bool, String> {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string().replace('\n', " ");
        // If the parent is gone, nobody is left to read this message, so it may be lost.
        let _ = writeln!(io::stdout(), "panic {message}");
    }));
    if let Some(path) = &options.file {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(exercise_input(0, &path.display().to_string(), &bytes));
    }
    let seeds = mutate::seeds();
    for number in options.first..options.first.saturating_add(options.count) {
        let Some(damaged) = mutate::damaged(&seeds, options.seed, number) else { return Ok(true) };
        exercise_input(number, &damaged.name, &damaged.bytes);
    }
    Ok(true)
}

/// Does everything with an input and prints a line before and after, for the parent to time it.
fn exercise_input(number: u64, name: &str, bytes: &[u8]) -> bool {
    let mut out = io::stdout();
    // If the parent is gone, nobody is left to read this message, so it may be lost.
    let _ = writeln!(out, "begin {number} {name}");
    let result = panic::catch_unwind(|| exercise::file(name, bytes, &Limits::default()));
    let (word, good) = match &result {
        Ok(Ok(usage)) if usage.limits_hit.is_empty() => ("opened", true),
        Ok(Ok(_)) => ("limited", true),
        Ok(Err(_)) => ("refused", true),
        Err(_) => ("panicked", false),
    };
    let _ = writeln!(out, "end {number} {word}");
    good
}

/// A worker process and its output.
struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Worker {
    fn start(arguments: &[String]) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new(own)
            .arg("work")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let (sender, lines) = channel();
        if let Some(out) = child.stdout.take() {
            thread::spawn(move || {
                let mut lines = BufReader::new(out).lines();
                while let Some(Ok(line)) = lines.next() {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self { child, lines })
    }

    fn stop(&mut self) {
        // The worker may have ended by itself, so killing it may fail.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How an input ended.
#[derive(Clone, Debug)]
struct Outcome {
    number: u64,
    name: String,
    word: String,
    faults: Vec<Fault>,
    time: Duration,
    memory: u64,
}

/// Monitors a worker until it ends or has to be stopped, and reports each input. Returns the number from which a new
/// worker has to continue, if any.
fn watch(
    worker: &mut Worker,
    report: &mut dyn FnMut(Outcome) -> Result<(), String>,
) -> Result<Option<u64>, String> {
    let process = worker.child.id();
    let mut current: Option<(Outcome, Instant, Duration)> = None;
    loop {
        let line = worker.lines.recv_timeout(Duration::from_millis(20));
        if let Some((outcome, began, cpu_before)) = &mut current {
            outcome.memory = outcome.memory.max(measure::peak_memory(process).unwrap_or(0));
            let time = measure::cpu_time(process).map(|now| now.saturating_sub(*cpu_before));
            outcome.time = outcome.time.max(time.unwrap_or_else(|| began.elapsed()));
            // Other programs may delay the worker, but not indefinitely.
            let is_late = outcome.time > MAX_TIME || began.elapsed() > 120 * MAX_TIME;
            // An input far beyond this limit has to be stopped before the machine runs out of memory; others are
            // judged at their end.
            let is_large = outcome.memory > 4 * MAX_MEMORY;
            if line.is_err() && (is_late || is_large) {
                worker.stop();
                let mut outcome = outcome.clone();
                outcome.faults.push(if is_large {
                    Fault::Large(outcome.memory)
                } else {
                    Fault::Slow(outcome.time)
                });
                let next = outcome.number.saturating_add(1);
                report(outcome)?;
                return Ok(Some(next));
            }
        }
        match line {
            Ok(line) => match line.split_once(' ') {
                Some(("begin", rest)) => {
                    let (number, name) = rest.split_once(' ').unwrap_or((rest, ""));
                    let number =
                        number.parse().map_err(|_| format!("unexpected output of the worker: {line}"))?;
                    // This keeps an input from answering for the memory of earlier inputs.
                    measure::reset_peak_memory(process);
                    let outcome = Outcome {
                        number,
                        name: name.to_owned(),
                        word: String::new(),
                        faults: Vec::new(),
                        time: Duration::ZERO,
                        memory: 0,
                    };
                    current = Some((outcome, Instant::now(), measure::cpu_time(process).unwrap_or_default()));
                }
                Some(("panic", message)) => {
                    if let Some((outcome, ..)) = &mut current {
                        outcome.faults.push(Fault::Panic(message.to_owned()));
                    }
                }
                Some(("end", rest)) => {
                    if let Some((mut outcome, ..)) = current.take() {
                        outcome.word = rest.rsplit(' ').next().unwrap_or_default().to_owned();
                        if outcome.time > MAX_TIME {
                            outcome.faults.push(Fault::Slow(outcome.time));
                        }
                        if outcome.memory > MAX_MEMORY {
                            outcome.faults.push(Fault::Large(outcome.memory));
                        }
                        report(outcome)?;
                    }
                }
                _ => {}
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let status = worker.child.wait().map_err(|error| error.to_string())?;
                let Some((mut outcome, ..)) = current else { return Ok(None) };
                outcome.faults.push(Fault::Died(status.to_string()));
                let next = outcome.number.saturating_add(1);
                report(outcome)?;
                return Ok(Some(next));
            }
        }
    }
}

/// Returns the faults caused by a file.
pub(crate) fn try_file(path: &std::path::Path) -> Result<Vec<Fault>, String> {
    let mut worker = Worker::start(&["--file".to_owned(), path.display().to_string()])?;
    let mut faults = Vec::new();
    watch(&mut worker, &mut |outcome| {
        faults.extend(outcome.faults);
        Ok(())
    })?;
    worker.stop();
    Ok(faults)
}

/// Runs the campaign.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let mut out = io::stdout();
    let print =
        |out: &mut io::Stdout, text: String| writeln!(out, "{text}").map_err(|error| error.to_string());
    let mut next = options.first;
    let end = options.first.saturating_add(options.count);
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    let (mut slowest, mut largest) = ((Duration::ZERO, String::new()), (0, String::new()));
    let mut found = Vec::new();
    let began = Instant::now();
    // An input may take its worker down, so a new worker goes on with the input after it.
    while next < end {
        let arguments: Vec<String> = [("--seed", options.seed), ("--first", next), ("--count", end - next)]
            .iter()
            .flat_map(|(name, value)| [(*name).to_owned(), value.to_string()])
            .collect();
        let mut worker = Worker::start(&arguments)?;
        let mut done = 0;
        let stopped = watch(&mut worker, &mut |outcome| {
            done += 1;
            *counts
                .entry(if outcome.word.is_empty() { "ended".to_owned() } else { outcome.word.clone() })
                .or_default() += 1;
            slowest = std::mem::take(&mut slowest).max((outcome.time, outcome.name.clone()));
            largest = std::mem::take(&mut largest).max((outcome.memory, outcome.name.clone()));
            for fault in &outcome.faults {
                print(&mut out, format!("FOUND {}: {fault}", outcome.name))?;
                found.push(outcome.number);
            }
            if outcome.number % 1000 == 999 {
                print(
                    &mut out,
                    format!(
                        "{} done, {} found, {:.0} s",
                        outcome.number + 1,
                        found.len(),
                        began.elapsed().as_secs_f64()
                    ),
                )?;
            }
            Ok(())
        })?;
        worker.stop();
        match stopped {
            Some(after) => next = after,
            None if done == 0 => return Err("the worker processed no input".to_owned()),
            None => break,
        }
    }
    // To save an input with several faults only once, drop repeated numbers.
    found.dedup();
    if let Some(folder) = &options.save
        && !found.is_empty()
    {
        save(options, folder, &found)?;
    }
    let counts: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    print(&mut out, format!("{} inputs from seed {}: {}", options.count, options.seed, counts.join(", ")))?;
    print(&mut out, format!("slowest: {:.2} s, {}", slowest.0.as_secs_f64(), slowest.1))?;
    print(&mut out, format!("largest: {} MiB, {}", largest.0 >> 20, largest.1))?;
    print(&mut out, format!("{} found", found.len()))?;
    Ok(found.is_empty())
}

/// Writes damaged inputs into a folder without running them, to look at them.
pub(crate) fn write(options: &Options) -> Result<bool, String> {
    let folder = options.save.as_ref().ok_or("damaged needs --save FOLDER")?;
    let numbers: Vec<u64> = (options.first..options.first.saturating_add(options.count)).collect();
    save(options, folder, &numbers)?;
    Ok(true)
}

/// Writes the inputs with these numbers into a folder.
fn save(options: &Options, folder: &PathBuf, numbers: &[u64]) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let seeds = mutate::seeds();
    for &number in numbers {
        if let Some(damaged) = mutate::damaged(&seeds, options.seed, number) {
            let path = folder.join(format!("{}-{number}", options.seed));
            std::fs::write(&path, damaged.bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// Shrinks a file as long as it causes the same type of fault, to make the fault easier to find.
pub(crate) fn minimise(options: &Options) -> Result<bool, String> {
    let Some(path) = &options.file else { return Err("minimise needs --file FILE".to_owned()) };
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let trial = std::env::temp_dir().join(format!("pspge-minimise-{}", std::process::id()));
    let result = shrink(bytes, &trial);
    // The last trial may have left no file to remove.
    let _ = std::fs::remove_file(&trial);
    let Some((bytes, fault)) = result? else {
        return Err(format!("{}: causes no fault", path.display()));
    };
    let to = path.with_extension("min");
    std::fs::write(&to, &bytes).map_err(|error| format!("{}: {error}", to.display()))?;
    writeln!(io::stdout(), "{}: {} bytes, {fault}", to.display(), bytes.len())
        .map_err(|error| error.to_string())?;
    Ok(true)
}

fn shrink(mut bytes: Vec<u8>, trial: &std::path::Path) -> Result<Option<(Vec<u8>, Fault)>, String> {
    let fails = |bytes: &[u8]| -> Result<Option<Fault>, String> {
        std::fs::write(trial, bytes).map_err(|error| format!("{}: {error}", trial.display()))?;
        Ok(try_file(trial)?.into_iter().next())
    };
    let Some(mut fault) = fails(&bytes)? else { return Ok(None) };
    let kind = std::mem::discriminant(&fault);
    // Large pieces go first, because they shorten the file in few trials.
    let mut piece = bytes.len().next_power_of_two() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < bytes.len() {
            let to = bytes.len().min(at + piece);
            let mut shorter = bytes.clone();
            shorter.drain(at..to);
            let mut emptier = bytes.clone();
            emptier[at..to].fill(0);
            let mut is_shorter = false;
            // If a piece has to stay, fill it with zeros, which leaves less to look at.
            for candidate in [shorter, emptier] {
                if candidate == bytes {
                    continue;
                }
                if let Some(found) = fails(&candidate)?.filter(|found| std::mem::discriminant(found) == kind)
                {
                    is_shorter = candidate.len() < bytes.len();
                    (bytes, fault) = (candidate, found);
                    break;
                }
            }
            // After a removal the next bytes are at this place, so the position stays.
            if !is_shorter {
                at = to;
            }
        }
        piece /= 2;
    }
    Ok(Some((bytes, fault)))
}
