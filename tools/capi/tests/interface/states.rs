//! Tests saved states: states from earlier versions, and states with a queue.

use pspge_c::Status;
use pspge_c::queue::{
    QueueAnswer, QueueCall, QueueProgress, QueueStop, pspge_queue_advance, pspge_queue_call,
};
use pspge_c::run::{RUN_STOP_AT_SIGNAL, RunEnding, RunOptions};
use pspge_c::saved::pspge_restore_state;

use crate::host::{Host, LIST, START, options, restore, save};

/// A state saved by version 0.1 at the signal in `LIST`.
const STATE_OF_0_1: &[u8] = include_bytes!("../states/0.1.bin");

#[test]
fn states_of_earlier_versions_are_restored() {
    let stop = RunOptions { flags: RUN_STOP_AT_SIGNAL, ..options() };
    let host = Host::new(LIST, 0);
    host.run(&stop);
    let now = save(&host);
    assert_eq!((now[7], STATE_OF_0_1[7]), (2, 1), "formats");
    for state in [&now[..], STATE_OF_0_1] {
        let other = Host::new(LIST, 0);
        restore(&other, state);
        let rest = other.resume(&stop);
        assert_eq!((rest.ending, rest.signal), (RunEnding::Finished, 0x0F00_0007), "{rest:?}");
        assert_eq!([other.pixel(0, 0), other.pixel(4, 0)], [[0; 4], [0, 0, 255, 0]], "only the second draw");
    }
    // Later versions may add sections; some can be skipped.
    let with = |name: &[u8]| [&now[..], name, &3_u32.to_le_bytes(), b"abc"].concat();
    restore(&host, &with(b"note"));
    for wrong in [with(b"NOTE"), now[..now.len() - 1].to_vec(), [&now[..7], &[3][..], &now[8..]].concat()] {
        // SAFETY: the instance lives, and there are as many bytes.
        let status = unsafe { pspge_restore_state(host.instance, wrong.as_ptr(), wrong.len()) };
        assert_eq!(status, Status::BadState, "{}", host.error());
    }
}

fn queue_call(host: &Host, call: QueueCall, arguments: [u32; 4]) -> u32 {
    let mut answer = QueueAnswer::default();
    // SAFETY: the instance lives, and there are four arguments.
    let status = unsafe { pspge_queue_call(host.instance, call as u32, arguments.as_ptr(), &raw mut answer) };
    assert_eq!(status, Status::Ok, "{}", host.error());
    answer.value
}

fn advance(host: &Host) -> QueueProgress {
    let mut progress = QueueProgress::default();
    // SAFETY: the instance lives.
    let status = unsafe { pspge_queue_advance(host.instance, 1000, std::ptr::null(), &raw mut progress) };
    assert_eq!(status, Status::Ok, "{}", host.error());
    progress
}

#[test]
#[cfg_attr(miri, ignore = "slow: damages each byte")]
fn states_hold_the_queue() {
    let host = Host::new(LIST, 0);
    queue_call(&host, QueueCall::SetCompiledSdkVersion, [0x0606_0010, 0, 0, 0]);
    // Functions for signals and ends, in the host's RAM.
    let functions = START + 0x2000;
    for (at, word) in (0x80_2000..).step_by(4).zip([0x0880_4000_u32, 1, 0x0880_4100, 2]) {
        host.ram()[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    let callback = queue_call(&host, QueueCall::SetCallback, [functions, 0, 0, 0]);
    let list = queue_call(&host, QueueCall::ListEnQueue, [START, START + 12, callback, 0]);
    assert_eq!(advance(&host).stop, QueueStop::Idle, "stalled");
    assert_eq!(queue_call(&host, QueueCall::ListSync, [list, 1, 0, 0]), 3, "stalled");
    let saved = save(&host);
    let other = Host::new(LIST, 0);
    restore(&other, &saved);
    for host in [host, other] {
        assert_eq!(queue_call(&host, QueueCall::ListSync, [list, 1, 0, 0]), 3, "still stalled");
        queue_call(&host, QueueCall::ListUpdateStallAddr, [list, 0, 0, 0]);
        let signal = advance(&host);
        assert_eq!(
            (signal.stop, signal.function, signal.arguments[..2].to_vec(), signal.list),
            (QueueStop::Callback, 0x0880_4000, vec![0x42, 1], list),
            "{signal:?}"
        );
    }
    // No bytes lead to a failure inside.
    let host = Host::new(LIST, 0);
    for at in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[at] ^= 0x81;
        // SAFETY: the instance lives, and there are as many bytes.
        let status = unsafe { pspge_restore_state(host.instance, damaged.as_ptr(), damaged.len()) };
        assert!(matches!(status, Status::Ok | Status::BadState), "byte {at}: {status:?}");
        let progress = advance(&host);
        assert!(progress.cycles <= 1000, "byte {at}: {progress:?}");
    }
}
