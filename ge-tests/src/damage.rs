//! Helps tests to damage files: reproducible random words, work for two threads, and a check for errors.

use std::thread;

use pspge::formats::Problem;

/// Returns a random word that depends only on `place`, to make each failure reproducible.
///
/// # Panics
/// Never.
#[must_use]
pub fn random_word(place: usize) -> u32 {
    let mut state = (place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    u32::from_le_bytes((state ^ (state >> 31)).to_le_bytes()[..4].try_into().expect("four bytes"))
}

/// Runs `damage` for every number below `count` on two threads, and counts the calls that returned true.
pub fn count_parallel(count: usize, damage: impl Fn(usize) -> bool + Sync) -> usize {
    let half = |odd: usize| (odd..count).step_by(2).filter(|&number| damage(number)).count();
    thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0) + other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Checks that an error's message is a single line, and that its offset is inside the file. An error may lack an
/// offset only for a file that no format recognises any more, or that does not fit into memory.
///
/// # Panics
/// If the check fails.
pub fn assert_located(name: &str, error: &pspge::formats::FormatError, length: usize) {
    let message = error.to_string();
    let kind = match &error.kind {
        Problem::LooksLike { problem, .. } => problem,
        kind => kind,
    };
    let is_whole = matches!(
        kind,
        Problem::Unknown
            | Problem::Foreign(_)
            | Problem::Empty
            | Problem::MagicCut { .. }
            | Problem::OutOfMemory(_)
            | Problem::Format(_)
    );
    assert_eq!(message.lines().count(), 1, "{name}: the error is one line: {message}");
    match error.offset {
        Some(offset) => assert!(offset <= length as u64, "{name}: the offset is inside the file: {message}"),
        None => assert!(is_whole, "{name}: the error gives an offset: {message}"),
    }
}
