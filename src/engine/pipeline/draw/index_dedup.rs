//! Finds repeated vertices in indexed draws, to transform each only once.

/// An indexed draw's vertices, each only once.
#[derive(Clone, Debug)]
pub(super) struct IndexDedup {
    /// The distinct vertices' indices, in the order in which the draw first uses them.
    pub(super) distinct: Vec<u32>,
    /// Maps each vertex in the draw to its position in [`Self::distinct`].
    pub(super) remap: Vec<u32>,
}

impl IndexDedup {
    /// Finds the distinct vertices for these indices. Returns `None`, to treat every vertex as distinct, if there
    /// are too few indices to gain anything or if they spread too wide for a table.
    pub(super) fn new(indices: &[u32]) -> Option<Self> {
        /// Shorter draws do not repay the table.
        const MIN_COUNT: usize = 12;
        if indices.len() < MIN_COUNT {
            return None;
        }
        let (lowest, highest) = (*indices.iter().min()?, *indices.iter().max()?);
        let span = highest.wrapping_sub(lowest) as usize;
        if span > indices.len().saturating_mul(8) {
            return None;
        }
        // A table from index to slot is faster than hashing, and indices in games are dense.
        let mut slots = vec![u32::MAX; span.saturating_add(1)];
        let (mut distinct, mut remap) = (Vec::new(), Vec::with_capacity(indices.len()));
        for &index in indices {
            let slot = slots.get_mut(index.wrapping_sub(lowest) as usize)?;
            if *slot == u32::MAX {
                *slot = u32::try_from(distinct.len()).ok()?;
                distinct.push(index);
            }
            remap.push(*slot);
        }
        Some(Self { distinct, remap })
    }
}
