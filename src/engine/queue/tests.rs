//! Tests of the queue on small lists. `ge-tests/tests/suite/drawing/queue.rs` compares it with a real PSP.

use super::*;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::run::interpreter::Interpreter;
use crate::run::sink::{NullObserver, NullSink};

/// Where each test's words start. A stall there keeps a list from running at all.
const LIST: u32 = 0x08A0_0000;
const STALL: u32 = LIST;
/// The lists write numbers to the low half of this register, to show how far they have come.
const AMBIENT: u32 = 0x5C00_0000;
const NOP: u32 = 0;
const FINISH: u32 = 0x0F00_0000;
const END: u32 = 0x0C00_0000;
const NEW_SDK: u32 = 0x0660_0010;

fn signal(behavior: u32, value: u32) -> u32 {
    0x0E00_0000 | behavior << 16 | value
}

struct Host {
    queue: Queue,
    interpreter: Interpreter,
    memory: Memory,
}

macro_rules! call {
    ($host:expr, $method:ident $(, $argument:expr)*) => {
        $host.queue.$method(
            &mut Machine {
                interpreter: &mut $host.interpreter,
                memory: &mut $host.memory,
                sink: &mut NullSink,
                watch: &mut NullObserver,
                limits: &Limits::default(),
            }
            $(, $argument)*
        )
    };
}

impl Host {
    fn new(sdk: u32, words: &[u32]) -> Self {
        let mut memory = Memory::default();
        for (place, word) in (0..).zip(words) {
            memory.write_u32(Address::new(LIST + place * 4), *word);
        }
        let mut queue = Queue::new();
        queue.set_sdk_version(sdk);
        let functions = CallbackFunctions { signal: 1, signal_argument: 10, finish: 2, finish_argument: 20 };
        assert_eq!(queue.set_callback(functions), Ok(0), "the first id");
        Self { queue, interpreter: Interpreter::new(Registers::new(), Arithmetic::Hardware), memory }
    }

    fn enqueue(&mut self, word: u32, stall: u32) -> Result<ListId, GeError> {
        let request = ListRequest { list: LIST + word * 4, stall, callback: 0, args: 0 };
        call!(self, enqueue, &request)
    }

    fn enqueue_head(&mut self, word: u32) -> Result<ListId, GeError> {
        let request = ListRequest { list: LIST + word * 4, stall: 0, callback: 0, args: 0 };
        call!(self, enqueue_head, &request)
    }

    /// Runs until time alone changes nothing more. Returns the callbacks' values, with 1000 added for finish
    /// functions.
    fn run(&mut self) -> Vec<u32> {
        let mut values = Vec::new();
        let mut progress = call!(self, advance, 100_000);
        while let Stop::Callback(callback) = progress.stop {
            let finish = if callback.kind == CallbackKind::Finish { 1000 } else { 0 };
            values.push(u32::from(callback.value) + finish);
            progress = call!(self, callback_returned, 100_000);
        }
        assert_eq!(progress.stop, Stop::Idle, "nothing more happens");
        values
    }

    fn status(&mut self, id: ListId) -> Result<Sync, GeError> {
        call!(self, list_sync, id, 1)
    }

    fn ambient(&mut self) -> u32 {
        call!(self, get_cmd, 0x5C).expect("a register") & 0xFF
    }
}

const fn status(status: ListStatus) -> Result<Sync, GeError> {
    Ok(Sync::Status(status))
}

#[test]
fn lists_run_in_order_and_heads_first() {
    let mut host = Host::new(
        0,
        &[AMBIENT | 1, FINISH | 1, END, AMBIENT | 2, FINISH | 2, END, AMBIENT | 3, FINISH | 3, END],
    );
    let first = host.enqueue(0, STALL).expect("an entry");
    let second = host.enqueue(3, 0).expect("an entry");
    assert_eq!(host.run(), [0; 0], "the first list is stalled");
    assert_eq!(host.enqueue_head(6), Err(GeError::InvalidValue), "the first list runs");
    assert_eq!(call!(host, break_list, 0, 0), Ok(Some(first)));
    let head = host.enqueue_head(6).expect("an entry");
    assert_eq!(host.queue.active().collect::<Vec<_>>(), [head, first, second]);
    assert_eq!(
        (host.status(first), host.status(second)),
        (status(ListStatus::Paused), status(ListStatus::Queued))
    );
    assert_eq!(host.run(), [0; 0], "nothing runs before it is continued");
    call!(host, continue_list).expect("a paused list");
    assert_eq!(host.run(), [1003], "the head ends, the next one stalls");
    call!(host, update_stall, first, 0).expect("it runs");
    assert_eq!(host.run(), [1001, 1002]);
    assert_eq!(host.ambient(), 2, "the last list was last");
}

#[test]
fn waits_end_with_their_lists() {
    let mut host = Host::new(0, &[NOP, FINISH, END]);
    let id = host.enqueue(0, STALL).expect("an entry");
    let Ok(Sync::Wait(wait)) = call!(host, list_sync, id, 0) else { panic!("the list is stalled") };
    let Ok(Sync::Wait(drawing)) = call!(host, draw_sync, 0) else { panic!("the list is stalled") };
    host.run();
    assert!(!host.queue.is_over(wait) && !host.queue.is_over(drawing), "it is still stalled");
    host.queue.set_may_wait(Err(WaitBan::Disabled));
    assert_eq!(call!(host, list_sync, id, 0), Err(GeError::CannotWait));
    assert_eq!(call!(host, draw_sync, 0), Err(GeError::CannotWait));
    host.queue.set_may_wait(Ok(()));
    call!(host, update_stall, id, 0).expect("it runs");
    let progress = call!(host, advance, 100);
    assert!(matches!(progress.stop, Stop::Callback(_)), "the finish function is due");
    assert_eq!(call!(host, draw_sync, 0), Err(GeError::IllegalContext), "the callback may not wait");
    assert_eq!(host.status(id), status(ListStatus::Completed));
    assert!(!host.queue.is_over(wait), "threads wait until the callback has returned");
    call!(host, callback_returned, 100);
    assert!(host.queue.is_over(wait), "the list has ended");
    assert_eq!(host.status(id), status(ListStatus::Completed));
    assert!(host.queue.is_over(drawing), "all lists have ended");
    assert_eq!(host.status(id), Err(GeError::InvalidId), "DrawSync forgets it");
}

#[test]
fn cycles_are_the_hosts() {
    let mut host = Host::new(0, &[NOP, NOP, signal(2, 5), END, NOP, FINISH | 6, END]);
    host.enqueue(0, 0).expect("an entry");
    let progress = call!(host, advance, 3);
    assert_eq!((progress.cycles, progress.stop), (3, Stop::Cycles));
    let progress = call!(host, advance, 1);
    let Stop::Callback(callback) = progress.stop else { panic!("the END calls back: {progress:?}") };
    assert_eq!((callback.value, callback.argument, progress.cycles), (5, 10, 1));
    let progress = call!(host, advance, 100);
    assert_eq!((progress.cycles, progress.stop), (3, Stop::Idle), "its FINISH waits for the callback");
    let progress = call!(host, callback_returned, 0);
    let Stop::Callback(callback) = progress.stop else { panic!("the list ends: {progress:?}") };
    assert_eq!((callback.value, callback.argument), (6, 20));
}

#[test]
fn errors_come_in_the_order_of_the_checks() {
    let mut host = Host::new(NEW_SDK, &[NOP, FINISH, END]);
    let args = LIST + 0x1000;
    let mut enqueue = |list, stall, words: [u32; 4]| {
        for (place, word) in (0..).zip(words) {
            host.memory.write_u32(Address::new(args + place * 4), word);
        }
        call!(host, enqueue, &ListRequest { list, stall, callback: -1, args })
    };
    let bad = 0x8000_0001;
    assert_eq!(enqueue(bad, bad, [16, bad, 256, bad]), Err(GeError::Privilege), "the list");
    assert_eq!(enqueue(1, 1, [16, bad, 256, 1]), Err(GeError::Privilege), "the context");
    assert_eq!(enqueue(1, 1, [16, 1, 256, bad]), Err(GeError::InvalidSize), "the size before the stack");
    assert_eq!(enqueue(1, 1, [16, 1, 255, bad]), Err(GeError::Privilege), "the stack");
    for (list, stall, context, stack) in [(1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 3, 0), (0, 0, 0, 1)] {
        assert_eq!(
            enqueue(list, stall, [16, context, 1, stack]),
            Err(GeError::InvalidPointer),
            "not aligned"
        );
    }
    let id = enqueue(LIST, LIST, [16, 0, 1, args + 32]).expect("an entry");
    assert_eq!(enqueue(LIST, LIST, [0; 4]), Err(GeError::Busy), "the address is in use");
    assert_eq!(enqueue(LIST | 0x4000_0000, 0, [0; 4]), Err(GeError::Busy), "the same address without cache");
    assert_eq!(enqueue(LIST + 4, 0, [16, 0, 1, args + 32]), Err(GeError::Busy), "the stack is in use");
    assert!(enqueue(LIST + 4, 0, [15, 0, 1, args + 32]).is_ok(), "no stack below size 16");
    assert_eq!(call!(host, list_sync, ListId(id.0 + 1), 7), Err(GeError::InvalidMode), "the id exists");
    assert_eq!(call!(host, list_sync, ListId(0), 7), Err(GeError::InvalidId), "the id comes first");
    assert_eq!(call!(host, break_list, 2, u32::MAX), Err(GeError::InvalidMode));
    assert_eq!(call!(host, break_list, 1, 0x7FFF_FFF0), Err(GeError::Privilege), "an end of the memory");
    assert_eq!(call!(host, break_list, 1, 0x7FFF_FFEF), Ok(None));
    assert_eq!(call!(host, break_list, 1, 0), Err(GeError::Already), "no list is active");
}

#[test]
fn all_entries_are_used_in_turns() {
    let mut host = Host::new(0, &[NOP]);
    let ids: Vec<_> = std::iter::from_fn(|| host.enqueue(0, STALL).ok()).collect();
    assert_eq!(ids.len(), LISTS);
    assert_eq!(host.enqueue(0, STALL), Err(GeError::OutOfMemory));
    assert_eq!(host.queue.dequeue(ids[0]), Err(GeError::Busy), "the first list has started");
    for id in [ids[7], ids[3]] {
        assert_eq!(host.queue.dequeue(id), Ok(()));
        assert_eq!(host.queue.dequeue(id), Err(GeError::InvalidId));
    }
    assert_eq!([host.enqueue(0, STALL), host.enqueue(0, STALL)], [Ok(ids[7]), Ok(ids[3])]);
}

#[test]
fn breaks_in_callbacks_end_after_them() {
    for sdk in [0, NEW_SDK] {
        let mut host = Host::new(sdk, &[NOP, signal(2, 5), END, AMBIENT | 1, NOP, FINISH, END]);
        let id = host.enqueue(0, LIST + 16).expect("an entry");
        let progress = call!(host, advance, 100);
        assert!(matches!(progress.stop, Stop::Callback(_)), "the signal: {progress:?}");
        call!(host, advance, 100);
        assert_eq!(call!(host, break_list, 0, 0), Ok(Some(id)));
        assert_eq!(host.status(id), status(ListStatus::Paused));
        call!(host, continue_list).expect("the break has not ended");
        assert_eq!(host.status(id), status(ListStatus::Paused), "queued, and has run");
        let progress = call!(host, callback_returned, 100);
        assert_eq!(
            (progress.stop, host.status(id)),
            (Stop::Idle, status(ListStatus::Stalled)),
            "SDK {sdk:x}"
        );
        call!(host, update_stall, id, 0).expect("it runs");
        assert_eq!((host.run(), host.ambient()), (vec![1000], 1));
    }
}

#[test]
fn break_takes_back_unhandled_pairs() {
    // Stalls before the signal's END, then after it.
    for (stall, values) in [(2, vec![5, 1006]), (3, vec![5, 1006])] {
        let mut host = Host::new(0, &[NOP, signal(1, 5), END, FINISH | 6, END]);
        let id = host.enqueue(0, LIST + stall * 4).expect("an entry");
        let before = host.run();
        assert_eq!(call!(host, break_list, 0, 0), Ok(Some(id)));
        assert_eq!(call!(host, draw_sync, 1), status(ListStatus::Drawing), "the GE's address reads as 0");
        call!(host, update_stall, id, 0).expect("it is stored");
        assert_eq!(call!(host, draw_sync, 1), status(ListStatus::Stalled), "and so does no stall address");
        call!(host, continue_list).expect("a paused list");
        assert_eq!(host.run(), values, "after {before:?}: the signal runs again");
    }
}

#[test]
fn lists_hang_at_lone_ends_and_full_stacks() {
    let call_signal = [signal(0x11, LIST >> 16), END | LIST & 0xFFFF];
    for words in [
        vec![NOP, END, AMBIENT | 1],
        vec![signal(0xEE, 0), END],
        vec![signal(0x12, 0), END],
        call_signal.to_vec(),
    ] {
        let mut host = Host::new(NEW_SDK, &words);
        let id = host.enqueue(0, 0).expect("an entry");
        assert_eq!(host.run(), [0; 0], "{words:x?}");
        assert_eq!((host.status(id), host.ambient()), (status(ListStatus::Drawing), 0), "{words:x?}");
        assert_eq!(call!(host, continue_list), Err(GeError::Already));
        assert_eq!(call!(host, break_list, 1, 0), Ok(None));
        assert_eq!(host.status(id), Err(GeError::InvalidId));
    }
    // The kernel's own stack has 32 entries.
    let mut host = Host::new(0, &call_signal);
    host.enqueue(0, 0).expect("an entry");
    host.run();
    assert_eq!(call!(host, get_stack, -1, 0), Ok(32));
}

#[test]
fn finish_without_end_ends_the_list() {
    for (stall, words) in
        [(0, [AMBIENT | 7, FINISH | 1, NOP, END]), (LIST + 8, [AMBIENT | 7, FINISH | 1, END, NOP])]
    {
        let mut host = Host::new(0, &words);
        let id = host.enqueue(0, stall).expect("an entry");
        assert_eq!(host.run(), [1007], "the value comes from the word before");
        assert_eq!(host.status(id), status(ListStatus::Completed));
    }
}

#[test]
fn signals_set_addresses_by_changing_the_list() {
    let words = [
        0x1300_0000 | LIST >> 8,
        signal(0x29, 0x0012),
        END | 0x80_3450,
        signal(0x30, 0),
        END | 0x100,
        FINISH,
        END,
    ];
    let mut host = Host::new(0, &words);
    host.enqueue(0, 0).expect("an entry");
    host.run();
    let found = [1, 2, 3, 4].map(|place| host.memory.read_u32(Address::new(LIST + place * 4)));
    assert_eq!(
        found,
        [0xA1B2_3450, 0xA908_0080, 0xB0A0_010C, 0xB108_0000],
        "relative to the offset and to the signal"
    );
    assert_eq!(host.interpreter.registers().argument(crate::ge::opcode::Opcode::TEXADDR0.plus(1)), 0xB2_3450);
}

#[test]
fn contexts_are_kept_for_each_list() {
    // The second list's palette address is valid, so that its context includes a LOADCLUT.
    let words = [AMBIENT | 2, 0xB0A0_0100, 0xB108_0000, 0xC400_0001, FINISH, END, AMBIENT | 3, FINISH, END];
    let mut host = Host::new(0, &words);
    let (args, context) = (LIST + 0x1000, LIST + 0x2000);
    for (place, word) in (0..).zip([0, context, 0, 0]) {
        host.memory.write_u32(Address::new(args + place * 4), word);
    }
    let mut run = |word: u32, args| {
        call!(host, enqueue, &ListRequest { list: LIST + word * 4, stall: 0, callback: -1, args })
            .expect("an entry");
        host.run();
        (host.ambient(), host.memory.read_u32(Address::new(context + 226 * 4)))
    };
    assert_eq!(run(0, args), (0, 0x2A00_0000), "the registers are restored");
    assert_eq!(run(0, 0), (2, 0x2A00_0000), "no context");
    assert_eq!(run(6, args), (2, 0xC400_0001), "the saved registers, then the load of the palette");
    host.memory.write(Address::new(LIST + 0x100), &[9; 32]);
    assert_eq!(call!(host, restore_context, context), Ok(()));
    assert_eq!(host.interpreter.registers().clut()[..32], [9; 32], "the palette is loaded again");
    assert_eq!(host.memory.read_u32(Address::new(context + 386 * 4)), 0, "never written");
}

#[test]
fn pauses_of_displaced_lists_come_later() {
    let mut host = Host::new(
        NEW_SDK,
        &[signal(3, 5), END, NOP, FINISH, END, FINISH | 7, END, AMBIENT | 1, FINISH | 8, END],
    );
    let id = host.enqueue(0, LIST + 8).expect("an entry");
    assert_eq!(host.run(), [0; 0]);
    assert_eq!(host.status(id), status(ListStatus::Paused), "from the signal on");
    assert_eq!(call!(host, continue_list), Err(GeError::Busy), "its FINISH is not reached");
    assert_eq!(call!(host, break_list, 0, 0), Err(GeError::Busy));
    host.enqueue_head(7).expect("the first list is paused");
    call!(host, continue_list).expect("the head is paused");
    assert_eq!(host.run(), [1008, 5], "the head ends, and the pause is reported");
    assert_eq!(host.status(id), status(ListStatus::Paused));
}
