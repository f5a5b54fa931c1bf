//! Measures how much memory this process uses.

use std::fmt::{self, Display, Formatter};

/// Returns this process's peak resident memory in bytes, or `None` on systems other than Linux.
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

/// A byte count, to display in MiB, rounded up.
pub(crate) struct Mebibytes(pub(crate) u64);

impl Display for Mebibytes {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} MiB", self.0.div_ceil(1 << 20))
    }
}
