//! Reports changed memory to the host.

use crate::instance::Instance;
use crate::loan::{Loan, Pending};
use crate::status::Failure;
use crate::watch::RunRecord;

/// Calls a function that may change memory. After the loan has ended, this reports the changed ranges. If threads
/// draw on, VRAM is reported by the call that completes their draws.
pub(crate) fn report_changes<T>(
    state: &mut Instance,
    pending: Pending,
    function: impl FnOnce(&mut Loan<'_>, &mut RunRecord) -> T,
) -> Result<T, Failure> {
    let mut record = RunRecord::default();
    let before = state.unreported;
    let mut loan = Loan::new(state, pending)?;
    let mark = before.unwrap_or_else(|| loan.memory.mark_vram());
    let result = function(&mut loan, &mut record);
    loan.unreported = loan.finish().then_some(mark);
    let is_wanted = loan.callbacks.dirty.0.is_some();
    let completed = loan.unreported.is_none().then_some(mark);
    let changes = if is_wanted { record.changes(&loan.memory, completed) } else { Vec::new() };
    // The callbacks come after the loan, to let the host look at its memory.
    drop(loan);
    state.counts.add_transferred_bytes(record.transferred_bytes);
    for (address, size) in changes {
        state.callbacks.report_dirty(address, size);
    }
    Ok(result)
}

/// Calls a function that looks at memory, and completes other threads' draws for it first.
pub(crate) fn with_memory<T>(
    state: &mut Instance,
    function: impl FnOnce(&mut Loan<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    report_changes(state, Pending::Complete, |loan, _| function(loan))?
}
