//! `hostile usage`: for each limit, compares the highest cost of any corpus file with the default, to show that
//! defaults are high enough.

use std::io::{self, Write};

use ge_tests::{exercise, mutate};
use pspge::ge::limits::{Limit, Limits};

/// Prints for each limit the file with the highest count. Returns whether all defaults are at least ten times as high.
pub(crate) fn run() -> Result<bool, String> {
    let limits = Limits::default();
    let mut most = Limit::ALL.map(|limit| (limit, 0, String::new()));
    for seed in mutate::seeds() {
        let Ok(usage) = exercise::file(&seed.name, &seed.bytes, &limits) else { continue };
        for (limit, largest, name) in &mut most {
            if usage.count_of(*limit) > *largest {
                (*largest, *name) = (usage.count_of(*limit), seed.name.clone());
            }
        }
    }
    let mut out = io::stdout();
    let mut good = true;
    for (limit, largest, name) in most.iter().filter(|(limit, ..)| *limit != Limit::Time) {
        let all = limits.get(*limit);
        let is_enough = largest.saturating_mul(10) <= all;
        good &= is_enough;
        let word = if is_enough { "ok  " } else { "FAIL" };
        writeln!(out, "{word} {limit:14} {largest:>12} of {all:>12}  {name}")
            .map_err(|error| error.to_string())?;
    }
    Ok(good)
}
