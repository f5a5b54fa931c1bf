//! Spreads each stored colour's error to its neighbours, so that areas keep their mean colour (Floyd and Steinberg).

/// Sixteenths of the error for the pixel to the right and those below: left, straight, right.
const SHARES: [i32; 4] = [7, 3, 5, 1];

/// The errors that earlier pixels left for later ones, in sixteenths.
#[derive(Clone, Debug)]
pub(super) struct Dither {
    is_on: bool,
    row: Vec<[i32; 4]>,
    below: Vec<[i32; 4]>,
}

impl Dither {
    /// Starts a picture. Without `is_on`, this spreads nothing.
    pub(super) fn new(width: u32, is_on: bool) -> Self {
        let row = vec![[0; 4]; if is_on { width as usize + 2 } else { 0 }];
        Self { is_on, below: row.clone(), row }
    }

    pub(super) fn next_row(&mut self) {
        std::mem::swap(&mut self.row, &mut self.below);
        self.below.fill([0; 4]);
    }

    /// Returns the colour to look for at column `x`: the picture's, corrected by the errors left there.
    pub(super) fn adjusted(&self, x: u32, color: [u8; 4]) -> [u8; 4] {
        let Some(errors) = self.row.get(x as usize + 1) else { return color };
        let mut adjusted = color;
        for (channel, error) in adjusted.iter_mut().zip(errors) {
            let sum = (i32::from(*channel) * 16 + error + 8) >> 4;
            *channel = u8::try_from(sum.clamp(0, 255)).unwrap_or(u8::MAX);
        }
        adjusted
    }

    /// Spreads the difference between the adjusted colour and the colour found. Transparent colours spread none.
    pub(super) fn spread(&mut self, x: u32, adjusted: [u8; 4], found: [u8; 4]) {
        if !self.is_on || adjusted[3] == 0 {
            return;
        }
        let at = x as usize + 1;
        let [right, left_below, below, right_below] = SHARES;
        for (row, place, share) in
            [(0, at + 1, right), (1, at - 1, left_below), (1, at, below), (1, at + 1, right_below)]
        {
            let row = if row == 0 { &mut self.row } else { &mut self.below };
            let Some(errors) = row.get_mut(place) else { continue };
            for ((error, wanted), got) in errors.iter_mut().zip(adjusted).zip(found) {
                *error += (i32::from(wanted) - i32::from(got)) * share;
            }
        }
    }
}
