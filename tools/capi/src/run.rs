//! Runs lists.

use pspge::run::sink::Sink;
use pspge::{Address, Command, Ending, Limit, Limits, Opcode, Report};

use crate::border::{HostStruct, call, give, sized_or_default};
use crate::changes::report_changes;
use crate::counts::ListCounts;
use crate::host_sink::HostSink;
use crate::instance::{Instance, Pspge};
use crate::loan::{Loan, Pending};
use crate::status::{Failure, Status};
use crate::watch::{RunRecord, RunWatch, StopReason, Stops, before, is_signal};

/// Stop before each SIGNAL's END, to let the host act as the firmware. Then pspge_resume acts as the firmware does,
/// and pspge_skip_signal goes on after END.
pub const RUN_STOP_AT_SIGNAL: u32 = 1;
/// Leave draws pending at the end of the call, until pspge_flush, so that a list with many stall addresses draws as
/// fast as a list without. With PSPGE_FLAG_REPORTS_CHANGES other threads go on drawing meanwhile. Until then the
/// host must neither read nor write VRAM, and it must not change textures or palettes used by draws so far. Lists,
/// vertices and all other memory are free, and pspge_write_memory may write anything at any time.
pub const RUN_KEEP_PENDING: u32 = 2;
/// Execute everything, but draw nothing, to skip a frame: registers, list flow, signals, block transfers and the
/// draw callback work as ever, but no draw changes VRAM.
pub const RUN_NO_DRAWING: u32 = 4;
/// Stop before the END of a FINISH that the list skips because of a SYNC signal, to let the host see it.
/// pspge_resume goes on after it.
pub const RUN_STOP_AT_SKIPPED_FINISH: u32 = 8;

/// How many notes a call keeps at most.
pub(crate) const NOTES_MAX: usize = 1000;

/// All flags that a run may have.
const RUN_FLAGS: u32 = RUN_STOP_AT_SIGNAL | RUN_KEEP_PENDING | RUN_NO_DRAWING | RUN_STOP_AT_SKIPPED_FINISH;

/// No stall address; 0 means the same, as for sceGeListEnQueue.
pub const NO_STALL: u32 = 0xFFFF_FFFF;

/// How to run. Set all bytes to 0, then `struct_size`, then the members that matter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// sizeof(pspge_run_options).
    pub struct_size: usize,
    /// How many commands to execute before the list stops; 0 for any number.
    pub max_commands: u64,
    /// After how many vertices, or vertices of divided patches, the list stops; 0 for any number.
    pub max_vertices: u64,
    /// After how many pixels, including those only tested, the list stops; 0 for any number. Without this, a single
    /// draw can take minutes.
    pub max_pixels: u64,
    /// The sum of PSPGE_RUN numbers.
    pub flags: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: integers, for which any bytes are valid values.
unsafe impl HostStruct for RunOptions {
    const NAME: &'static str = "pspge_run_options";
}

impl RunOptions {
    /// Returns limits for a run that goes on with a list. Only the host's bounds and the limit on notes apply,
    /// because a host bounds a run by commands and a list may go on forever.
    pub(crate) const fn limits(&self, list: &ListCounts) -> Limits {
        const fn bound(spent: u64, maximum: u64) -> u64 {
            match maximum {
                0 => u64::MAX,
                maximum => spent.saturating_add(maximum),
            }
        }
        Limits::none()
            .with_notes(NOTES_MAX)
            .with(Limit::Vertices, bound(list.vertex_cost, self.max_vertices))
            .with(Limit::PatchVertices, bound(list.patch_vertices, self.max_vertices))
            // The interpreter charges each transferred pixel twice, so this bound has to count it twice, too.
            .with(Limit::Pixels, bound(list.transferred_pixels.saturating_mul(2), self.max_pixels))
    }

    /// Checks flags and members.
    pub(crate) fn check(&self, flags: u32) -> Result<(), Failure> {
        if self.flags & !flags != 0 || self.reserved != 0 {
            return Err(Failure::BadArgument("an unknown flag or reserved member is not 0".to_owned()));
        }
        Ok(())
    }

    pub(crate) const fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// Why a run returned.
#[repr(u32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunEnding {
    /// FINISH and END.
    #[default]
    Finished = 0,
    /// The next word is a SIGNAL's END (only with PSPGE_RUN_STOP_AT_SIGNAL).
    Signal = 1,
    /// The next word is at the stall address.
    Stalled = 2,
    /// A signal asked to pause at this FINISH.
    Paused = 3,
    /// The next word is at an address without memory.
    BadAddress = 4,
    /// The command budget is used up.
    Budget = 5,
    /// The draw callback or the command callback asked for it.
    Stopped = 6,
    /// A signal unknown to the firmware: the hardware waits forever. pspge_resume returns this again, without
    /// executing a command, until pspge_run, pspge_set_flow, pspge_restore_state or pspge_reset gives the GE
    /// something else to do.
    Hung = 7,
    /// The limit on vertices or pixels is reached, perhaps inside a draw, whose rest is then missing.
    Limit = 8,
    /// A patch is divided more than 64 times: the hardware waits forever, as for PSPGE_RUN_ENDING_HUNG.
    HungAtPatch = 9,
    /// The next word is the END of a FINISH skipped by a SYNC signal (only with PSPGE_RUN_STOP_AT_SKIPPED_FINISH).
    FinishSkipped = 10,
}

/// How a run ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunResult {
    /// Why it returned, a PSPGE_RUN_ENDING number.
    pub ending: RunEnding,
    /// Where the next word is.
    pub pc: u32,
    /// The SIGNAL or FINISH word before the END that it stopped at; else 0.
    pub signal: u32,
    /// That END; else 0.
    pub end: u32,
    /// Where that END is; else 0.
    pub end_address: u32,
    /// Always 0.
    pub reserved: u32,
    /// How many commands this call executed.
    pub commands: u64,
    /// How many draws the list has made since it started.
    pub draws: u64,
    /// How many notes this call has on missing memory and other problems; see pspge_notes_json.
    pub notes: u64,
}

/// Where an instance goes on.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// With a new list.
    At(Address),
    /// With the list, where it stopped.
    Here,
    /// With a single command, without a list.
    Command(Command),
}

/// Runs until the list stops, and reports changed memory.
fn run(state: &mut Instance, start: Start, options: &RunOptions) -> Result<RunResult, Failure> {
    options.check(RUN_FLAGS)?;
    if let (Start::Here, Some(hang)) = (start, state.hang) {
        return stay_hung(state, hang);
    }
    if let Start::Command(command) = start
        && !uses_memory(command.opcode())
    {
        // Lending memory takes longer than most commands, so commands that need none skip it.
        return Ok(run_on(state, start, options, &mut RunRecord::default()));
    }
    let pending = if keeps_pending(start, options) { Pending::DrawOn } else { Pending::Complete };
    report_changes(state, pending, |loan, record| run_on(loan, start, options, record))
}

/// Whether draws may stay pending at the end of this call.
const fn keeps_pending(start: Start, options: &RunOptions) -> bool {
    matches!(start, Start::Command(_)) || options.has(RUN_KEEP_PENDING)
}

/// Whether this command alone reads or writes memory.
const fn uses_memory(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::PRIM
            | Opcode::BEZIER
            | Opcode::SPLINE
            | Opcode::BBOX
            | Opcode::VAP
            | Opcode::LOADCLUT
            | Opcode::TRANSFERSTART
    )
}

/// Runs until the list stops. Memory must be lent as far as the commands use it.
fn run_on(state: &mut Instance, start: Start, options: &RunOptions, record: &mut RunRecord) -> RunResult {
    let report = advance(state, start, options, record);
    let Report { ending, at, draws, notes, notes_dropped, .. } = report;
    let is_list = !matches!(start, Start::Command(_));
    if is_list {
        state.hang = Some(ending).filter(|ending| matches!(ending, Ending::Hung | Ending::HungAtPatch));
    }
    let stopped = Stopped { ending, at, draws, is_list };
    let count = (notes.len() as u64).saturating_add(notes_dropped);
    (state.notes, state.notes_dropped) = (notes, notes_dropped);
    RunResult { notes: count, ..describe(state, stopped, record) }
}

/// Describes a list that hangs, without executing anything.
fn stay_hung(state: &mut Instance, ending: Ending) -> Result<RunResult, Failure> {
    (state.notes_dropped, state.notes) = (0, Vec::new());
    let loan = Loan::new(state, Pending::Complete)?;
    let stopped = Stopped { ending, at: loan.interpreter.pc(), draws: loan.list.draws, is_list: true };
    Ok(describe(&loan, stopped, &RunRecord::default()))
}

fn advance(state: &mut Instance, start: Start, options: &RunOptions, record: &mut RunRecord) -> Report {
    let keeps_pending = keeps_pending(start, options);
    let Instance { memory, interpreter, raster, callbacks, counts, list, was_asked, recording, .. } =
        &mut *state;
    let goes_on = matches!(start, Start::Here);
    let stops = Stops {
        budget: if options.max_commands > 0 { options.max_commands } else { u64::MAX },
        at_signal: options.has(RUN_STOP_AT_SIGNAL),
        at_skipped_finish: options.has(RUN_STOP_AT_SKIPPED_FINISH),
        first: goes_on.then(|| interpreter.pc()),
        was_asked: goes_on && *was_asked,
    };
    let draws = !options.has(RUN_NO_DRAWING);
    // No memory was lent for commands that need none, so the recorder has nothing to look at.
    let has_memory = !matches!(start, Start::Command(command) if !uses_memory(command.opcode()));
    let mut recorder = recording.running();
    if let Some(recorder) = recorder.as_deref_mut().filter(|_| has_memory) {
        recorder.enter(memory, interpreter, raster, draws);
    }
    let mut watch = RunWatch::new(record, callbacks, recorder, stops);
    if matches!(start, Start::At(_)) {
        *list = ListCounts::default();
    }
    // The host's limits hold for this call, but the interpreter counts from the list's start, so earlier counts are
    // added.
    let limits = options.limits(list);
    let sink = &mut HostSink { raster, draws };
    sink.begin(memory, &options.limits(&ListCounts::default()));
    let report = match start {
        Start::At(address) if keeps_pending => {
            interpreter.start(address);
            interpreter.begin(memory, sink, &limits);
            interpreter.resume_unflushed(memory, sink, &mut watch, &limits)
        }
        Start::At(address) => interpreter.run(memory, address, sink, &mut watch, &limits),
        Start::Here if keeps_pending => interpreter.resume_unflushed(memory, sink, &mut watch, &limits),
        Start::Here => interpreter.resume(memory, sink, &mut watch, &limits),
        Start::Command(command) => interpreter.execute(memory, command, sink, &mut watch, &limits),
    };
    if let Some(recorder) = watch.into_recorder().filter(|_| has_memory) {
        recorder.leave(memory, interpreter, raster);
    }
    let now = ListCounts::of(&report);
    counts.add(list, &now);
    *list = now;
    *was_asked = record.reason == Some(StopReason::CommandCallback);
    // The interpreter does not flush a stalled list.
    if !keeps_pending && report.ending == Ending::Stalled {
        state.flush();
    }
    report
}

/// How a run stopped, as far as the engine knows.
#[derive(Clone, Copy, Debug)]
struct Stopped {
    ending: Ending,
    /// Where the next word is.
    at: Address,
    /// How many draws the list has made since it started.
    draws: u64,
    /// Whether this was a list rather than a single command.
    is_list: bool,
}

/// Describes a run to the host, without notes.
fn describe(state: &Instance, stopped: Stopped, record: &RunRecord) -> RunResult {
    let Stopped { ending, at, draws, is_list } = stopped;
    // The engine knows only that its observer stopped the run, so the record has to say why.
    let ending = match (ending, record.reason) {
        (Ending::Stopped, Some(StopReason::Signal)) => RunEnding::Signal,
        (Ending::Stopped, Some(StopReason::SkippedFinish)) => RunEnding::FinishSkipped,
        (Ending::Stopped, Some(StopReason::DrawCallback | StopReason::CommandCallback)) => RunEnding::Stopped,
        (Ending::Stopped, _) => RunEnding::Budget,
        (Ending::LimitReached, _) => RunEnding::Limit,
        (Ending::Finished, _) => RunEnding::Finished,
        (Ending::Paused, _) => RunEnding::Paused,
        (Ending::Hung, _) => RunEnding::Hung,
        (Ending::HungAtPatch, _) => RunEnding::HungAtPatch,
        (Ending::Unmapped, _) => RunEnding::BadAddress,
        (Ending::Stalled, _) => RunEnding::Stalled,
    };
    let memory = &state.memory;
    // A run stops before a signal's END, so this END is at `at`; the other endings come after their END.
    let end = match ending {
        _ if !is_list => None,
        RunEnding::Signal | RunEnding::FinishSkipped => Some(at),
        RunEnding::Finished | RunEnding::Paused | RunEnding::Hung => Some(before(at)),
        _ => None,
    };
    let word = |address: Option<Address>| address.map_or(0, |address| memory.read_u32(address));
    RunResult {
        ending,
        pc: at.get(),
        signal: word(end.map(before)),
        end: word(end),
        end_address: end.map_or(0, Address::get),
        commands: record.commands,
        draws,
        ..RunResult::default()
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
        // SAFETY: as the caller ensures.
        let options = unsafe { sized_or_default(options) }?;
        let run = run(state, start, &options)?;
        // SAFETY: as the caller ensures.
        unsafe { give("result", result, run) }
    })
}

/// Runs the list at `address` until it ends or stops. It starts with offset register 0 and an empty call stack; all
/// other state is kept. Afterwards memory holds everything drawn, unless PSPGE_RUN_KEEP_PENDING is set.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `options` is null, or points to a structure as its
/// `struct_size` says. `result` is null or valid for writes. During this call, nobody else uses memory given to the
/// instance.
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

/// Goes on where the last list stopped, with the current list flow (pspge_set_flow). After PSPGE_RUN_ENDING_SIGNAL
/// this acts as the firmware does.
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

/// Executes a command as the list's next word, without moving the list on. JUMP, BJUMP, CALL, RET and END only write
/// their register. Draws stay pending as with PSPGE_RUN_KEEP_PENDING: call pspge_flush before you read memory.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_execute(instance: *const Pspge, word: u32, result: *mut RunResult) -> Status {
    let start = Start::Command(Command::from_word(word));
    // SAFETY: as the caller ensures.
    unsafe { run_with(instance, start, std::ptr::null(), result) }
}

/// Executes a block transfer with the operands in the registers, TRANSFERSTART included. If draws are pending, call
/// pspge_flush before you read VRAM.
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
        unsafe { give("result", result, run) }
    })
}

/// Moves a list stopped at a signal (PSPGE_RUN_ENDING_SIGNAL) to the word after END, because the host has acted as
/// the firmware.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_skip_signal(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let loan = Loan::new(state, Pending::Complete)?;
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

/// Sets the stall address, to stop lists before the word there; PSPGE_NO_STALL or 0 for none.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_stall(instance: *const Pspge, address: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.interpreter.set_stall(stall_of(address));
        Ok(())
    })
}

/// Turns a number into the stall address it means.
pub(crate) fn stall_of(address: u32) -> Option<Address> {
    (address != NO_STALL && address != 0).then(|| Address::new(address))
}

/// Completes pending draws (PSPGE_RUN_KEEP_PENDING, pspge_execute), so that memory holds everything drawn. From now
/// on, the host may read and write all memory again.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_flush(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        report_changes(state, Pending::Complete, |loan, _| loan.flush())
    })
}

/// Completes pending draws that any of `size` bytes from `address` on depend on, to let the host read these bytes,
/// but not write them. Other draws stay pending.
///
/// # Safety
/// As for pspge_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_flush_range(instance: *const Pspge, address: u32, size: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        report_changes(state, Pending::DrawOn, |loan, _| {
            let Instance { memory, raster, .. } = &mut **loan;
            raster.flush_for_read(memory, Address::new(address), size);
            // Bytes written late would be missing in the host's own memory.
            if memory.has_late_writes() {
                loan.settle();
            }
        })
    })
}
