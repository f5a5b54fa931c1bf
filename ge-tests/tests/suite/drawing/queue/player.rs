//! Carries out a case's steps and notes each difference.

use std::collections::HashMap;

use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::Memory;
use pspge::ge::registers::Registers;
use pspge::queue::{
    Callback, CallbackFunctions, CallbackKind, GeError, ListId, ListRequest, Machine, Progress, Queue, Stop,
    Sync, WaitBan,
};
use pspge::run::interpreter::{Interpreter, Limits};
use pspge::run::sink::{NullObserver, NullSink};

use crate::drawing::queue::case::Node;

/// How long a list runs after each call, in cycles; all lists are shorter.
const CYCLES: u64 = 1_000_000;
/// The base address for programs' functions, so that an address tells which function is called: add the callback's
/// id, and 16 for finish functions.
const FUNCTIONS: u32 = 0x0880_4000;

/// A program, the queue and the machine.
#[derive(Debug)]
pub(crate) struct Player<'t> {
    queue: Queue,
    interpreter: Interpreter,
    memory: Memory,
    blocks: HashMap<String, u32>,
    lists: HashMap<String, u32>,
    callbacks: HashMap<String, i32>,
    /// Ids in the order of their first use, with the number of uses.
    counts: Vec<(u32, usize)>,
    /// Whether the ban on waiting ends with the next call.
    ban_ends: bool,
    output: Vec<&'t str>,
    /// How many steps with a place in the output were compared.
    pub(crate) compared: usize,
    /// All differences so far.
    pub(crate) failures: Vec<String>,
}

/// Calls a method of the queue with this machine.
macro_rules! call {
    ($player:expr, $method:ident $(, $argument:expr)*) => {{
        let machine = &mut Machine {
            interpreter: &mut $player.interpreter,
            memory: &mut $player.memory,
            sink: &mut NullSink,
            watch: &mut NullObserver,
            limits: &Limits::default(),
        };
        $player.queue.$method(machine $(, $argument)*)
    }};
}

impl<'t> Player<'t> {
    /// Starts a machine for the program with this output.
    pub(crate) fn new(output: &'t str) -> Self {
        Self {
            queue: Queue::new(),
            interpreter: Interpreter::new(Registers::new(), Arithmetic::Hardware),
            memory: Memory::default(),
            blocks: HashMap::new(),
            lists: HashMap::new(),
            callbacks: HashMap::new(),
            counts: Vec::new(),
            ban_ends: false,
            output: output.lines().collect(),
            compared: 0,
            failures: Vec::new(),
        }
    }

    /// Carries out all steps of a program.
    pub(crate) fn play(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.step(node);
        }
    }

    /// Carries out a step, then runs the GE and the callbacks.
    fn step(&mut self, node: &Node) {
        self.perform(node);
        let mut progress = call!(self, advance, CYCLES);
        let mut expected = node.inside.iter();
        while let Stop::Callback(callback) = progress.stop {
            match expected.next() {
                Some(handler) => self.handle(&callback, handler),
                None => self.fail(node, &format!("unexpected {callback:x?}")),
            }
            progress = call!(self, callback_returned, CYCLES);
        }
        self.check_idle(node, &progress);
        for missing in expected {
            self.fail(missing, "no such callback");
        }
        if std::mem::take(&mut self.ban_ends) && !node.text.starts_with("env") {
            self.queue.set_may_wait(Ok(()));
        } else {
            self.ban_ends = node.text.starts_with("env") && !node.text.ends_with("handler");
        }
    }

    /// Runs a function of the program.
    fn handle(&mut self, callback: &Callback, handler: &Node) {
        self.compared += usize::from(!handler.places.is_empty());
        let mut words = handler.text.split_whitespace();
        let kind = match words.next() {
            Some("signal") => CallbackKind::Signal,
            Some("finish") => CallbackKind::Finish,
            other => panic!("{other:?} is no callback"),
        };
        let name = words.next().expect("the name of a callback");
        let id = self.callbacks.get(name).copied().expect("a known callback");
        let found = (callback.kind, callback.function, callback.value, callback.argument, callback.address);
        let value = u16::try_from(self.hexadecimal(field(&handler.text, "value"))).expect("16 bits");
        let argument = self.hexadecimal(field(&handler.text, "arg"));
        let address = self.address(field(&handler.text, "address"));
        let expected = (kind, function(kind, id), value, argument, address);
        if found != expected {
            self.fail(handler, &format!("{found:x?}, not {expected:x?}"));
        }
        // The GE goes on while this function starts.
        let progress = call!(self, advance, CYCLES);
        self.check_idle(handler, &progress);
        for node in &handler.inside {
            assert!(node.inside.is_empty(), "interrupts wait in a callback");
            self.perform(node);
            let progress = call!(self, advance, CYCLES);
            self.check_idle(node, &progress);
        }
    }

    fn check_idle(&mut self, node: &Node, progress: &Progress) {
        if progress.stop != Stop::Idle {
            self.fail(node, &format!("the GE does not come to rest: {:?}", progress.stop));
        }
    }

    /// Carries out a step and compares its result.
    fn perform(&mut self, node: &Node) {
        self.compared += usize::from(!node.places.is_empty());
        let text = node.text.as_str();
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["sdk", version] => {
                let version = self.hexadecimal(version);
                self.queue.set_sdk_version(version);
            }
            ["block", name, at, _] => {
                let at = self.hexadecimal(at.strip_prefix("at=").expect("an address"));
                self.blocks.insert((*name).to_owned(), at);
            }
            ["words", at, words @ ..] => {
                let mut at = Address::new(self.address(at));
                for word in words {
                    self.memory.write_u32(at, self.hexadecimal(word));
                    at = at.offset(4);
                }
            }
            ["fill", at, word] => {
                let (at, word) = (Address::new(self.address(at)), self.hexadecimal(word));
                (0..512).for_each(|number| self.memory.write_u32(at.offset(number * 4), word));
            }
            ["read", at] => {
                let word = self.memory.read_u32(Address::new(self.address(at)));
                self.check(node, word);
            }
            ["delay"] => {}
            ["env", ban] => self.queue.set_may_wait(Err(match *ban {
                "interrupts-disabled" | "dispatch-disabled" => WaitBan::Disabled,
                "interrupt-handler" => WaitBan::InterruptHandler,
                other => panic!("{other} is no environment"),
            })),
            ["repeat", times, rest @ ..] => {
                let times: usize = times.trim_end_matches(':').parse().expect("a number");
                let step = Node::new(&rest.join(" "));
                self.counts.clear();
                for _ in 0..times {
                    let result = self.call(&step.text);
                    self.count(result);
                }
            }
            ["for", ..] => self.enqueue_and_dequeue(text),
            ["dequeue", "each", ..] => {
                for (id, _) in std::mem::take(&mut self.counts) {
                    // The output does not show this result. The first list has started, so it stays.
                    let _busy = self.queue.dequeue(ListId(id));
                }
            }
            ["expect", "counts", ..] => {
                let (_, expected) = text.split_once(": ").expect("numbers");
                let counts: Vec<String> = self.counts.iter().map(|(_, count)| count.to_string()).collect();
                if counts.join(" ") != expected {
                    self.fail(node, &counts.join(" "));
                }
                let shown = node.places.iter().all(|place| self.line(*place).ends_with(expected));
                assert!(shown, "the output shows {text}");
            }
            ["expect", at, "is", "not", word] => {
                let found = self.memory.read_u32(Address::new(self.address(at)));
                if found == self.hexadecimal(word) {
                    self.fail(node, "not written");
                }
            }
            _ => {
                let result = self.call(text);
                let expected = node.result.as_deref();
                match (expected, result) {
                    (None, _) => {}
                    (Some("ok"), Ok(id)) => assert!(id.cast_signed() > 0, "ids are positive"),
                    (Some("ok"), Err(error)) => self.fail(node, &error.to_string()),
                    (Some(name), Ok(id)) if self.lists.contains_key(name) => {
                        if self.lists.get(name) != Some(&id) {
                            self.fail(node, &format!("{id:x}"));
                        }
                    }
                    (Some(_), result) => self.check(node, result.unwrap_or_else(GeError::code)),
                }
                self.name_result(&words, result);
            }
        }
    }

    /// A name means the latest id, or the error in its place.
    fn name_result(&mut self, words: &[&str], result: Result<u32, GeError>) {
        match words {
            ["enqueue" | "enqueue_head", name, ..] => {
                self.lists.insert((*name).to_owned(), result.unwrap_or_else(GeError::code));
            }
            ["set_callback", name, ..] => {
                let id = result.expect("a free callback").cast_signed();
                self.callbacks.insert((*name).to_owned(), id);
            }
            _ => {}
        }
    }

    fn call(&mut self, text: &str) -> Result<u32, GeError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mode = || field(text, "mode").parse::<u32>().expect("a mode");
        let id = |player: &Self, name| ListId(player.id(name));
        let status = |sync| match sync {
            Sync::Status(status) => status as u32,
            other => panic!("{text}: {other:?}"),
        };
        match words.as_slice() {
            ["enqueue", ..] => {
                let request = self.request(text);
                call!(self, enqueue, &request).map(|id| id.0)
            }
            ["enqueue_head", ..] => {
                let request = self.request(text);
                call!(self, enqueue_head, &request).map(|id| id.0)
            }
            ["dequeue", name] => self.queue.dequeue(id(self, name)).map(|()| 0),
            ["update", name, _] => {
                let (id, stall) = (id(self, name), self.address(field(text, "stall")));
                call!(self, update_stall, id, stall).map(|()| 0)
            }
            ["sync", name, _] => {
                let id = id(self, name);
                call!(self, list_sync, id, mode()).map(status)
            }
            ["drawsync", _] => call!(self, draw_sync, mode()).map(status),
            ["break", ..] => {
                let parameter = self.address(field(text, "param"));
                call!(self, break_list, mode(), parameter).map(|id| id.map_or(0, |id| id.0))
            }
            ["continue"] => call!(self, continue_list).map(|()| 0),
            ["save", at] => {
                let at = self.address(at);
                call!(self, save_context, at).map(|()| 0)
            }
            ["restore", at] => {
                let at = self.address(at);
                call!(self, restore_context, at).map(|()| 0)
            }
            ["getcmd", number] => {
                let number = self.hexadecimal(number).cast_signed();
                call!(self, get_cmd, number)
            }
            ["getstack", number, at] => {
                let (number, at) = (number.parse().expect("a number"), self.address(at));
                call!(self, get_stack, number, at)
            }
            ["getmtx", number, at] => {
                let (number, at) = (number.parse().expect("a number"), self.address(at));
                call!(self, get_mtx, number, at).map(|()| 0)
            }
            ["translation", mode] => {
                let mode = self.hexadecimal(mode);
                call!(self, set_edram_translation, mode)
            }
            ["set_callback", _, functions @ ..] => {
                let id = i32::try_from(self.callbacks.len()).expect("few callbacks");
                let has = |kind, name| if functions.contains(&name) { function(kind, id) } else { 0 };
                self.queue
                    .set_callback(CallbackFunctions {
                        signal: has(CallbackKind::Signal, "signal"),
                        signal_argument: self.hexadecimal(field(text, "signal_arg")),
                        finish: has(CallbackKind::Finish, "finish"),
                        finish_argument: self.hexadecimal(field(text, "finish_arg")),
                    })
                    .map(i32::cast_unsigned)
            }
            ["unset_callback", name] => {
                let id = self.callbacks.remove(*name).expect("a known callback");
                self.queue.unset_callback(id).map(|()| 0)
            }
            _ => panic!("{text} is no step"),
        }
    }

    /// `for i in A..B: enqueue X list=BLOCK+i …, then dequeue X at once`
    fn enqueue_and_dequeue(&mut self, text: &str) {
        let (head, step) = text.split_once(": ").expect("a step");
        let (_, range) = head.rsplit_once(' ').expect("a range");
        let (first, last) = range.split_once("..").expect("two numbers");
        let (step, _) = step.split_once(',').expect("an enqueue step");
        let [first, last] = [first, last].map(|number| number.parse::<u32>().expect("a number"));
        self.counts.clear();
        for number in first..=last {
            let result = self.call(&step.replace("+i", &format!("+{number}")));
            self.count(result);
            if let Ok(id) = result {
                let _busy = self.queue.dequeue(ListId(id));
            }
        }
    }

    fn count(&mut self, result: Result<u32, GeError>) {
        let Ok(id) = result else { return };
        match self.counts.iter_mut().find(|(known, _)| *known == id) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((id, 1)),
        }
    }

    fn request(&self, text: &str) -> ListRequest {
        let callback = match field(text, "callback") {
            "-" => -1,
            name => self.callbacks.get(name).copied().expect("a known callback"),
        };
        let args = if text.contains(" args=") { self.address(field(text, "args")) } else { 0 };
        ListRequest {
            list: self.address(field(text, "list")),
            stall: self.address(field(text, "stall")),
            callback,
            args,
        }
    }

    fn id(&self, name: &str) -> u32 {
        match name.strip_prefix('#') {
            Some(number) => self.hexadecimal(number),
            None => self.lists.get(name).copied().unwrap_or_else(|| panic!("no list {name}")),
        }
    }

    /// `BLOCK`, `BLOCK+WORD`, `BLOCK+WORD.BYTES` or a hexadecimal number.
    fn address(&self, text: &str) -> u32 {
        let (name, place) = text.split_once('+').unwrap_or((text, "0"));
        let Some(block) = self.blocks.get(name) else { return self.hexadecimal(text) };
        let (word, bytes) = place.split_once('.').unwrap_or((place, "0"));
        let [word, bytes] = [word, bytes].map(|number| number.parse::<u32>().expect("a decimal number"));
        block + word * 4 + bytes
    }

    #[expect(clippy::unused_self, reason = "next to the other readers of numbers")]
    fn hexadecimal(&self, text: &str) -> u32 {
        u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is no hexadecimal number"))
    }

    /// Compares a result with the case, and the case with the output.
    fn check(&mut self, node: &Node, found: u32) {
        let Some(expected) = node.result.as_deref() else { return };
        let number = self.hexadecimal(expected);
        if found != number {
            self.fail(node, &format!("{found:08x}"));
        }
        self.check_output(node, number);
    }

    /// Checks that the output shows a number.
    fn check_output(&self, node: &Node, number: u32) {
        for place in &node.places {
            let line = self.line(*place);
            let is_shown = line.contains(&format!("{number:x}"))
                || line.contains(&number.cast_signed().to_string())
                || line.contains("OK")
                || line.contains("Invalid list");
            assert!(is_shown, "line {place}, {line:?}, shows {}", node.text);
        }
    }

    fn line(&self, place: usize) -> &'t str {
        self.output.get(place - 1).copied().unwrap_or_else(|| panic!("the output has a line {place}"))
    }

    fn fail(&mut self, node: &Node, found: &str) {
        let expected = node.result.as_deref().unwrap_or_default();
        self.failures.push(format!("{} -> {expected}: {found}", node.text));
    }
}

/// Returns the address of a callback's function.
fn function(kind: CallbackKind, id: i32) -> u32 {
    let finish = if kind == CallbackKind::Finish { 16 } else { 0 };
    FUNCTIONS + finish + id.cast_unsigned()
}

/// Returns the value in `name=value`.
fn field<'t>(text: &'t str, name: &str) -> &'t str {
    let value = |word: &'t str| word.strip_prefix(name)?.strip_prefix('=');
    text.split_whitespace().find_map(value).unwrap_or_else(|| panic!("{text} has no {name}"))
}
