//! Reports changed memory to the host.

use crate::instance::Instance;
use crate::loan::Loan;
use crate::status::Failure;
use crate::watch::RunRecord;

/// Calls a function that may change memory. Afterwards, when the loan has ended, this reports the changed ranges.
pub(crate) fn report_changes<T>(
    state: &mut Instance,
    function: impl FnOnce(&mut Loan<'_>, &mut RunRecord) -> T,
) -> Result<T, Failure> {
    let mut record = RunRecord::default();
    let mut loan = Loan::new(state)?;
    let mark = loan.callbacks.dirty.0.is_some().then(|| loan.memory.mark_vram());
    let result = function(&mut loan, &mut record);
    let changes = mark.map(|mark| record.changes(&loan.memory, mark)).unwrap_or_default();
    // The callbacks come after the loan, so that the host may look at its memory.
    drop(loan);
    state.counts.add_transferred_bytes(record.transferred_bytes);
    for (address, size) in changes {
        state.callbacks.report_dirty(address, size);
    }
    Ok(result)
}

/// Calls a function that looks at memory, and may complete pending draws for that.
pub(crate) fn with_memory<T>(
    state: &mut Instance,
    function: impl FnOnce(&mut Loan<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    report_changes(state, |loan, _| function(loan))?
}
