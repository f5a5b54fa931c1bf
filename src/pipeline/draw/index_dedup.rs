//! Repeated vertices of indexed draws, so that each is transformed once.

use crate::pipeline::vertex::VertexReader;

/// Which vertices of an indexed draw are the same.
#[derive(Clone, Debug)]
pub(super) struct Distinct {
    /// Where in the draw each distinct vertex comes first.
    pub(super) first: Vec<u32>,
    /// Which distinct vertex each one is.
    pub(super) places: Vec<u32>,
}

impl Distinct {
    /// Finds them where indices lie close together; else, and without indices, each vertex is taken for itself.
    pub(super) fn new(reader: &VertexReader<'_>, count: u32) -> Option<Self> {
        /// Fewer vertices are not worth it.
        const FEW: u32 = 12;
        if !reader.is_indexed() || count < FEW {
            return None;
        }
        let indices: Vec<u32> = (0..count).map(|nth| reader.index(nth)).collect();
        let (lowest, highest) = (*indices.iter().min()?, *indices.iter().max()?);
        let range = highest.wrapping_sub(lowest) as usize;
        if range > indices.len().saturating_mul(8) {
            return None;
        }
        let mut known = vec![u32::MAX; range.saturating_add(1)];
        let (mut first, mut places) = (Vec::new(), Vec::with_capacity(indices.len()));
        for (nth, index) in (0..).zip(&indices) {
            let place = known.get_mut(index.wrapping_sub(lowest) as usize)?;
            if *place == u32::MAX {
                *place = u32::try_from(first.len()).ok()?;
                first.push(nth);
            }
            places.push(*place);
        }
        Some(Self { first, places })
    }
}
