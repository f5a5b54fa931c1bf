//! Runs lists.

use pspge::run::sink::Sink;
use pspge::{Address, Command, Ending, Limit, Limits, Opcode, Report};

use crate::border::{HostStruct, call, output, sized};
use crate::instance::{Instance, Pspge};
use crate::loan::Loan;
use crate::status::{Failure, Status};
use crate::watch::{MemoryBefore, RunRecord, RunWatch, StopReason, Stops, before, is_signal};

/// Stop before the END of each SIGNAL, so that the host acts as the firmware. pspge_resume then acts as the firmware does,
/// and pspge_skip_signal goes on after END.
pub const RUN_STOP_AT_SIGNAL: u32 = 1;

/// No stall address.
pub const NO_STALL: u32 = 0xFFFF_FFFF;

/// Options of a run. Set all bytes to 0, then `struct_size`, then the members that matter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// sizeof(pspge_run_options).
    pub struct_size: usize,
    /// Number of commands after which the list stops; 0 for any number.
    pub max_commands: u64,
    /// Number of vertices, and of vertices of divided patches, after which the list stops; 0 for any number.
    pub max_vertices: u64,
    /// Number of pixels after which the list stops, tested ones included; 0 for any number. A single draw can take minutes
    /// without it.
    pub max_pixels: u64,
    /// Sum of PSPGE_RUN numbers.
    pub flags: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: integers, for which any bytes are valid values.
unsafe impl HostStruct for RunOptions {
    const NAME: &'static str = "pspge_run_options";
}

impl RunOptions {
    /// Returns the limits for a run that goes on from a report. Only the host's bounds and the limit on notes apply,
    /// because a host bounds a run by commands and a list may go on forever.
    pub(crate) fn limits(&self, last: Option<&Report>) -> Limits {
        let no_limits = Limit::ALL
            .into_iter()
            .filter(|limit| *limit != Limit::Time)
            .fold(Limits::default(), |limits, limit| limits.with(limit, u64::MAX));
        let spent = |count: fn(&Report) -> u64| last.map_or(0, count);
        let bound = |spent: u64, maximum: u64| match maximum {
            0 => u64::MAX,
            maximum => spent.saturating_add(maximum),
        };
        no_limits
            .with(Limit::Vertices, bound(spent(|report| report.vertex_cost), self.max_vertices))
            .with(Limit::PatchVertices, bound(spent(|report| report.patch_vertices), self.max_vertices))
            // The interpreter charges each pixel of a transfer twice, so the bound has to count it twice, too.
            .with(
                Limit::Pixels,
                bound(spent(|report| report.transferred_pixels.saturating_mul(2)), self.max_pixels),
            )
    }
}

/// Why a run returned.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// FINISH and END.
    Finished = 0,
    /// The next word is the END of a SIGNAL (only with PSPGE_RUN_STOP_AT_SIGNAL).
    Signal = 1,
    /// The next word is at the stall address.
    Stalled = 2,
    /// A signal asked to pause at this FINISH.
    Paused = 3,
    /// The next word is at an address without memory.
    BadAddress = 4,
    /// The number of commands is reached.
    Budget = 5,
    /// The draw callback asked for it.
    Stopped = 6,
    /// A signal that the firmware does not know: the hardware waits forever.
    Hung = 7,
    /// The number of vertices or pixels is reached, perhaps inside a draw, whose rest is then missing.
    Limit = 8,
    /// A patch is divided more than 64 times: the hardware waits forever.
    HungAtPatch = 9,
}

/// The result of a run.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunResult {
    /// Why it returned, a PSPGE_RUN_ENDING number.
    pub ending: RunEnding,
    /// Address of the next word.
    pub pc: u32,
    /// The SIGNAL or FINISH word before the END at which it stopped; else 0.
    pub signal: u32,
    /// That END; else 0.
    pub end: u32,
    /// Commands executed by this call.
    pub commands: u64,
    /// Draws since the list started.
    pub draws: u64,
    /// Notes of this call on missing memory and other problems; see pspge_notes_json.
    pub notes: u64,
}

/// How an instance goes on.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// With a new list.
    At(Address),
    /// With the list where it stopped.
    Here,
    /// With a single command, without a list.
    Command(Command),
}

/// Runs until the list stops, and reports changed memory.
fn run(state: &mut Instance, start: Start, options: &RunOptions) -> Result<RunResult, Failure> {
    if options.flags & !RUN_STOP_AT_SIGNAL != 0 || options.reserved != 0 {
        return Err(Failure::BadArgument("an unknown flag or reserved member is not 0".to_owned()));
    }
    let (report, result) = report_changes(state, |loan, record| {
        let report = advance(loan, start, options, record);
        let result = describe(loan, &report, record);
        (report, result)
    })?;
    state.notes_dropped = report.notes_dropped;
    state.notes = report.notes;
    Ok(result)
}

/// Calls a function that may change memory. Afterwards, when the loan has ended, this reports the changed ranges.
pub(crate) fn report_changes<T>(
    state: &mut Instance,
    function: impl FnOnce(&mut Loan<'_>, &mut RunRecord) -> T,
) -> Result<T, Failure> {
    let mut record = RunRecord::default();
    let mut loan = Loan::new(state)?;
    let earlier = loan.callbacks.dirty.0.is_some().then(|| MemoryBefore::new(&loan.memory));
    let result = function(&mut loan, &mut record);
    let changes = earlier.map(|earlier| earlier.changes(&loan.memory, &record)).unwrap_or_default();
    // The callbacks come after the loan, so that the host may look at its memory.
    drop(loan);
    for (address, size) in changes {
        state.callbacks.report_dirty(address, size);
    }
    Ok(result)
}

fn advance(loan: &mut Loan<'_>, start: Start, options: &RunOptions, record: &mut RunRecord) -> Report {
    let Instance { memory, interpreter, raster, callbacks, counts, last_report, .. } = &mut **loan;
    let stops = Stops {
        budget: (options.max_commands > 0).then_some(options.max_commands),
        at_signal: options.flags & RUN_STOP_AT_SIGNAL != 0,
        first: matches!(start, Start::Here).then(|| interpreter.flow_state().pc),
    };
    let mut watch = RunWatch { record, callbacks, stops, word: 0, stop_requested: false };
    if matches!(start, Start::At(_)) {
        *last_report = None;
    }
    // Limits hold for a call, but the interpreter counts from the start of the list, so earlier counts are added.
    let limits = options.limits(last_report.as_ref());
    raster.begin(&options.limits(None));
    let report = match start {
        Start::At(address) => interpreter.run(memory, address, raster, &mut watch, &limits),
        Start::Here => interpreter.resume(memory, raster, &mut watch, &limits),
        Start::Command(command) => interpreter.execute(memory, command, raster, &mut watch, &limits),
    };
    // The interpreter does not flush a stalled list, but the host may look at memory now, and other threads must not
    // draw while it does.
    counts.add(last_report.as_ref(), &report);
    *last_report = Some(Report { notes: Vec::new(), ..report.clone() });
    if !matches!(start, Start::Command(_)) || loan.raster.threads() > 1 {
        loan.flush();
    }
    report
}

/// Describes a run to the host.
fn describe(loan: &Loan<'_>, report: &Report, record: &RunRecord) -> RunResult {
    // The engine knows only that its observer stopped the run, so the record has to say why.
    let ending = match (report.ending, record.reason) {
        (Ending::Stopped, Some(StopReason::Signal)) => RunEnding::Signal,
        (Ending::Stopped, Some(StopReason::Callback)) => RunEnding::Stopped,
        (Ending::Stopped, _) => RunEnding::Budget,
        (Ending::LimitReached, _) => RunEnding::Limit,
        (Ending::Finished, _) => RunEnding::Finished,
        (Ending::Paused, _) => RunEnding::Paused,
        (Ending::Hung, _) => RunEnding::Hung,
        (Ending::HungAtPatch, _) => RunEnding::HungAtPatch,
        (Ending::Unmapped, _) => RunEnding::BadAddress,
        (Ending::Stalled, _) => RunEnding::Stalled,
    };
    let memory = &loan.memory;
    // A run stops before a signal's END, so this END is at `at`; the other endings come after their END.
    let end = match ending {
        RunEnding::Signal => Some(report.at),
        RunEnding::Finished | RunEnding::Paused | RunEnding::Hung => Some(before(report.at)),
        _ => None,
    };
    let word = |address: Option<Address>| address.map_or(0, |address| memory.read_u32(address));
    RunResult {
        ending,
        pc: report.at.get(),
        signal: word(end.map(before)),
        end: word(end),
        commands: record.commands,
        draws: report.draws,
        notes: (report.notes.len() as u64).saturating_add(report.notes_dropped),
    }
}

/// Reads options, unless they are null, and runs.
///
/// # Safety
/// As for pspge_run.
unsafe fn run_with(
    instance: *const Pspge,
    start: Start,
    options: *const RunOptions,
    result: *mut RunResult,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let options = if options.is_null() {
            RunOptions::default()
        } else {
            // SAFETY: as the caller ensures.
            unsafe { sized(options) }?
        };
        let run = run(state, start, &options)?;
        // SAFETY: as the caller ensures.
        unsafe { give_result(result, run) }
    })
}

/// Writes a result, if the host wants it.
///
/// # Safety
/// `result` is null or valid for writes.
unsafe fn give_result(result: *mut RunResult, run: RunResult) -> Result<(), Failure> {
    if !result.is_null() {
        // SAFETY: as the caller ensures.
        unsafe { output("result", result) }?.write(run);
    }
    Ok(())
}

/// Runs the list at `address` until it ends or stops. The offset register is 0 and the call stack is empty at the start; all
/// other state is kept. When the function returns, memory holds everything that was drawn.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `options` is null, or points to a structure as its
/// `struct_size` says. `result` is null or valid for writes. Nobody else uses memory that was given to the instance during
/// the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_run(
    instance: *const Pspge,
    address: u32,
    options: *const RunOptions,
    result: *mut RunResult,
) -> Status {
    // SAFETY: as the caller ensures.
    unsafe { run_with(instance, Start::At(Address::new(address)), options, result) }
}

/// Goes on where the last list stopped, with the current list flow (pspge_set_flow). After PSPGE_RUN_ENDING_SIGNAL it acts
/// as the firmware does.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_resume(
    instance: *const Pspge,
    options: *const RunOptions,
    result: *mut RunResult,
) -> Status {
    // SAFETY: as the caller ensures.
    unsafe { run_with(instance, Start::Here, options, result) }
}

/// Executes one command as the next word of the list, which does not move on. JUMP, BJUMP, CALL, RET and END only write their
/// register. Call pspge_flush before memory is read.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_execute(instance: *const Pspge, word: u32, result: *mut RunResult) -> Status {
    let start = Start::Command(Command::from_word(word));
    // SAFETY: as the caller ensures.
    unsafe { run_with(instance, start, std::ptr::null(), result) }
}

/// Executes a block transfer with the operands in the registers, TRANSFERSTART included.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_transfer(instance: *const Pspge, result: *mut RunResult) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let command = state.interpreter.registers().command(Opcode::TRANSFERSTART);
        let run = run(state, Start::Command(command), &RunOptions::default())?;
        // SAFETY: as the caller ensures.
        unsafe { give_result(result, run) }
    })
}

/// Moves a list that has stopped at a signal (PSPGE_RUN_ENDING_SIGNAL) to the word after END, because the host has acted as
/// the firmware.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_skip_signal(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let loan = Loan::new(state)?;
        let mut flow = loan.interpreter.flow_state();
        let next = Command::from_word(loan.memory.read_u32(flow.pc));
        if next.opcode() != Opcode::END || !is_signal(&loan.memory, flow.pc) {
            return Err(Failure::BadArgument(format!("the word at {} is not the END of a SIGNAL", flow.pc)));
        }
        flow.pc = flow.pc.offset(4);
        drop(loan);
        state.interpreter.set_flow_state(&flow);
        Ok(())
    })
}

/// Sets the stall address, before whose word lists stop; PSPGE_NO_STALL for none.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_stall(instance: *const Pspge, address: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.interpreter.set_stall((address != NO_STALL).then(|| Address::new(address)));
        Ok(())
    })
}

/// Completes everything that was drawn by pspge_execute, so that memory holds it.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_flush(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| report_changes(state, |loan, _| loan.flush()))
}
