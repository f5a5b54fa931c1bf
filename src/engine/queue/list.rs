//! The 64 entries for lists, and the kernel's data for each.

#[cfg(feature = "serde")]
use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use crate::run::interpreter::{CallFrame, STACK_DEPTH};

/// How many lists fit in the queue.
pub const LISTS: usize = 64;
/// Ids are made as in PPSSPP, to compare its logs with ours. The kernel makes them from an address and a number
/// that differs on each start.
const ID_MASK: u32 = 0x3500_0000;

/// Identifies a list to a program: a positive number, or any number that a program passes instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListId(pub u32);

/// An entry's position, below [`LISTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u8", into = "u8")
)]
pub(super) struct Slot(u8);

impl TryFrom<u8> for Slot {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if usize::from(number) < LISTS { Ok(Self(number)) } else { Err("a list has a number above 63") }
    }
}

impl From<Slot> for u8 {
    fn from(slot: Slot) -> Self {
        slot.0
    }
}

/// Reads positions and checks that none comes twice.
#[cfg(feature = "serde")]
pub(super) fn distinct<'de, D: serde::Deserializer<'de>>(source: D) -> Result<VecDeque<Slot>, D::Error> {
    let slots: VecDeque<Slot> = serde::Deserialize::deserialize(source)?;
    let is_repeated = |(number, slot): (usize, &Slot)| slots.iter().take(number).any(|other| other == slot);
    match slots.iter().enumerate().any(is_repeated) {
        true => Err(serde::de::Error::custom("a list is in the queue twice")),
        false => Ok(slots),
    }
}

impl Slot {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// Finds the entry for an id, or `None` if the number cannot be an id.
    pub(super) fn of(id: ListId) -> Option<Self> {
        u8::try_from(id.0 ^ ID_MASK).ok().filter(|slot| usize::from(*slot) < LISTS).map(Self)
    }

    pub(super) fn id(self) -> ListId {
        ListId(ID_MASK ^ u32::from(self.0))
    }
}

/// How far a list has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum State {
    /// This entry holds no list.
    #[default]
    None,
    /// It waits for its turn.
    Queued,
    /// It runs, or is stalled or hangs.
    Running,
    /// It has ended.
    Completed,
    /// It waits for `sceGeContinue`.
    Paused,
}

/// Tells how the list's next FINISH differs from a plain end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Mark {
    /// The FINISH ends the list.
    #[default]
    None,
    /// The FINISH ends the list, which `sceGeBreak` or a signal has paused before.
    Break,
    /// The list pauses at the FINISH.
    Pause,
    /// The list skips this FINISH.
    Sync,
}

/// Where and how to go on with a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Resume {
    /// The next word's address; before the start, the pointer that the program passed.
    pub(super) pc: u32,
    /// The stall address as the program passed it; 0 for none.
    pub(super) stall: u32,
    pub(super) offset: u32,
    /// Where the open CALLs return to.
    pub(super) calls: ArrayVec<CallFrame, STACK_DEPTH>,
    pub(super) box_visible: bool,
    /// The BASE word. A list that has not started has none, and keeps the value from the list before.
    pub(super) base: Option<u32>,
}

/// An open call by signal, with the state to restore at its return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SignalFrame {
    /// The eight words that `sceGeGetStack` returns. Source: `reference/ge/list_queue.md#calls-by-signal`.
    pub(super) words: [u32; 8],
    /// The CALL stack before this call by signal.
    pub(super) calls: ArrayVec<CallFrame, STACK_DEPTH>,
}

/// The kernel's data for a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct List {
    pub(super) state: State,
    pub(super) mark: Mark,
    /// Whether this list has ever run.
    pub(super) is_started: bool,
    /// Whether to wake the threads waiting for this list: set at its end, cleared when its entry is taken again.
    pub(super) is_done: bool,
    pub(super) resume: Resume,
    /// The id of the callback functions to use; negative for none.
    pub(super) callback: i32,
    /// Where to save the registers; 0 for nowhere.
    pub(super) context: u32,
    /// Where to save calls by signal; 0 to keep them out of the program's memory.
    pub(super) stack: u32,
    /// How many calls by signal may be open.
    pub(super) stack_size: usize,
    pub(super) frames: Vec<SignalFrame>,
    /// The value of the signal that asked for a pause, for its late callback.
    pub(super) pause_value: u16,
}

/// All entries, indexed by [`Slot`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Vec<List>"))]
pub(super) struct Lists(Vec<List>);

impl TryFrom<Vec<List>> for Lists {
    type Error = &'static str;

    fn try_from(lists: Vec<List>) -> Result<Self, Self::Error> {
        if lists.len() == LISTS { Ok(Self(lists)) } else { Err("the queue does not have 64 entries") }
    }
}

impl Default for Lists {
    fn default() -> Self {
        Self(Slot::all().map(|_| List { is_done: true, ..List::default() }).collect())
    }
}

impl Lists {
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut List> {
        self.0.iter_mut()
    }
}

#[expect(clippy::indexing_slicing, reason = "there is an entry for each slot")]
impl Index<Slot> for Lists {
    type Output = List;

    fn index(&self, slot: Slot) -> &List {
        &self.0[usize::from(slot.0)]
    }
}

#[expect(clippy::indexing_slicing, reason = "there is an entry for each slot")]
impl IndexMut<Slot> for Lists {
    fn index_mut(&mut self, slot: Slot) -> &mut List {
        &mut self.0[usize::from(slot.0)]
    }
}
