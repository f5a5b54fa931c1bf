//! Exchanges list flow as plain data: the state owned by a list, and the machine's pointers.

use pspge::ge::edram::Translation;
use pspge::run::interpreter::{CallFrame, FlowState, STACK_DEPTH};
use pspge::{Address, Command, Interpreter, Opcode};

use crate::border::{call, input, output};
use crate::changes::report_changes;
use crate::instance::Pspge;
use crate::loan::Pending;
use crate::run::{NO_STALL, stall_of};
use crate::status::{Failure, Status};

/// How many entries the call stack has.
pub const STACK_ENTRIES: usize = 32;

const _: () = assert!(STACK_ENTRIES == STACK_DEPTH, "the structure holds the whole stack");

/// A call to return from.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackEntry {
    /// Where to return to.
    pub pc: u32,
    /// The offset register before this call.
    pub offset: u32,
    /// BASE's argument before this call, if `restores_base` is not 0.
    pub base: u32,
    /// 1 after a call by signal, which restores BASE on return; else 0.
    pub restores_base: u32,
}

/// The state owned by a list. To run several lists in turns, a host keeps a copy for each. Everything else belongs
/// to the machine and passes from list to list: registers, matrices, palette memory, and the pointers of
/// pspge_get_pointers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Where the next word is.
    pub pc: u32,
    /// The stall address; PSPGE_NO_STALL or 0 for none.
    pub stall: u32,
    /// The offset register.
    pub offset: u32,
    /// BASE's argument, 24 bits. BASE is a register, but the kernel gives it back to each list that goes on.
    pub base: u32,
    /// 1 if the last BBOX was visible, else 0, which makes BJUMP jump.
    pub box_visible: u32,
    /// 1 if a signal asked to ignore the next FINISH; else 0.
    pub skip_finish: u32,
    /// 1 if a signal asked to pause at the next FINISH; else 0.
    pub pause_at_finish: u32,
    /// How many call stack entries are in use.
    pub depth: u32,
    /// The call stack; entry `depth - 1` is the innermost call.
    pub stack: [StackEntry; STACK_ENTRIES],
}

impl Flow {
    /// Describes an interpreter's list.
    fn of(interpreter: &Interpreter) -> Self {
        let state = &interpreter.flow_state();
        let mut stack = [StackEntry::default(); STACK_ENTRIES];
        for (entry, frame) in stack.iter_mut().zip(&state.stack) {
            *entry = StackEntry {
                pc: frame.pc.get(),
                offset: frame.offset,
                base: frame.base.unwrap_or(0),
                restores_base: u32::from(frame.base.is_some()),
            };
        }
        Self {
            pc: state.pc.get(),
            stall: state.stall.map_or(NO_STALL, Address::get),
            offset: state.offset,
            base: interpreter.registers().argument(Opcode::BASE),
            box_visible: u32::from(state.box_visible),
            skip_finish: u32::from(state.skip_finish),
            pause_at_finish: u32::from(state.pause_at_finish),
            depth: u32::try_from(state.stack.len()).unwrap_or(u32::MAX),
            stack,
        }
    }

    /// Converts back to a state, with the machine's pointers taken from `machine`.
    fn to_state(self, machine: &FlowState) -> Result<FlowState, Failure> {
        let flow = self;
        // A host may pass any bytes, so this checks every number that has a range.
        let flag = |name, value: u32| match value {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Failure::BadArgument(format!("{name} is {other}, not 0 or 1"))),
        };
        let depth = flow.depth as usize;
        let used = flow.stack.get(..depth).ok_or_else(|| {
            Failure::BadArgument(format!("depth is {depth}, but the stack has {STACK_ENTRIES} entries"))
        })?;
        let frame = |entry: &StackEntry| {
            let has_base = flag("restores_base", entry.restores_base)?;
            check_base(entry.base)?;
            let base = has_base.then_some(entry.base);
            Ok(CallFrame { pc: Address::new(entry.pc), offset: entry.offset, base })
        };
        check_base(flow.base)?;
        Ok(FlowState {
            pc: Address::new(flow.pc),
            stall: stall_of(flow.stall),
            offset: flow.offset,
            vertices: machine.vertices,
            indices: machine.indices,
            box_visible: flag("box_visible", flow.box_visible)?,
            stack: used.iter().map(frame).collect::<Result<_, Failure>>()?,
            skip_finish: flag("skip_finish", flow.skip_finish)?,
            pause_at_finish: flag("pause_at_finish", flow.pause_at_finish)?,
        })
    }
}

/// Checks an argument for BASE.
fn check_base(base: u32) -> Result<(), Failure> {
    if base > 0xFF_FFFF {
        return Err(Failure::BadArgument(format!("base 0x{base:x} has more than 24 bits")));
    }
    Ok(())
}

/// Returns the state owned by the list.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `flow` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_flow(instance: *const Pspge, flow: *mut Flow) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let flow = unsafe { output("flow", flow) }?;
        flow.write(Flow::of(&state.interpreter));
        Ok(())
    })
}

/// Replaces the state owned by the list. pspge_resume goes on with it, even after PSPGE_RUN_ENDING_HUNG.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `flow` is null or valid for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_flow(instance: *const Pspge, flow: *const Flow) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let flow = unsafe { input("flow", flow, 1) }?;
        for flow in flow {
            let machine = state.interpreter.flow_state();
            state.interpreter.set_flow_state(&flow.to_state(&machine)?);
            state.interpreter.registers_mut().write(Command::new(Opcode::BASE, flow.base));
            (state.hang, state.was_asked) = (None, false);
        }
        Ok(())
    })
}

/// The machine's pointers, which draws move. A list that starts takes them over from the list before.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointers {
    /// The vertex pointer.
    pub vertices: u32,
    /// The index pointer.
    pub indices: u32,
}

/// Returns the machine's pointers.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `pointers` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_pointers(instance: *const Pspge, pointers: *mut Pointers) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let pointers = unsafe { output("pointers", pointers) }?;
        let FlowState { vertices, indices, .. } = state.interpreter.flow_state();
        pointers.write(Pointers { vertices: vertices.get(), indices: indices.get() });
        Ok(())
    })
}

/// Replaces the machine's pointers.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `pointers` is null or valid for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_pointers(instance: *const Pspge, pointers: *const Pointers) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        for pointers in unsafe { input("pointers", pointers, 1) }? {
            state.interpreter.set_flow_state(&FlowState {
                vertices: Address::new(pointers.vertices),
                indices: Address::new(pointers.indices),
                ..state.interpreter.flow_state()
            });
        }
        Ok(())
    })
}

/// Selects the eDRAM address translation, as sceGeEdramSetAddrTranslation does: 0, 0x200, 0x400 (after power-on),
/// 0x800 or 0x1000. The bytes in VRAM stay in place. This completes pending draws.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. During this call, nobody else uses memory given to the
/// instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_edram_translation(instance: *const Pspge, mode: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let translation = Translation::from_mode(mode).ok_or_else(|| {
            Failure::BadArgument(format!("0x{mode:x} is not a translation of eDRAM addresses"))
        })?;
        report_changes(state, Pending::Complete, |loan, _| {
            loan.flush();
            loan.memory.set_translation(translation);
        })
    })
}

/// Returns the eDRAM address translation selected last.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `mode` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_edram_translation(instance: *const Pspge, mode: *mut u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let mode = unsafe { output("mode", mode) }?;
        mode.write(state.memory.selected_translation().mode());
        Ok(())
    })
}
