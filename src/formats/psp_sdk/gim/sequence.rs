//! Reads sequences, which animate a picture, and evaluates them.
//! Source: [GIM sequences](crate::reference::formats::psp_sdk#gim-sequences).

use super::problem::GimProblem;
use super::raw::Numbers;
use crate::formats::core::error::{FormatError, Warnings};
use crate::model::Field;

/// Bytes in the header.
const HEADER: u64 = 0x20;
/// Parameter numbers.
pub(super) mod parameter {
    pub(in super::super) const IMAGE: u16 = 0x00;
    pub(in super::super) const PLANE: u16 = 0x01;
    pub(in super::super) const LEVEL: u16 = 0x02;
    pub(in super::super) const FRAME: u16 = 0x03;
    pub(in super::super) const PALETTE: u16 = 0x08;
    pub(in super::super) const PALETTE_LEVEL: u16 = 0x0A;
    pub(in super::super) const PALETTE_FRAME: u16 = 0x0B;
    /// The part to show: its column, row, width and height in pixels.
    pub(in super::super) const CROP: [u16; 4] = [0x10, 0x11, 0x12, 0x13];
    pub(in super::super) const BLEND: u16 = 0x20;
    pub(in super::super) const FUNCTION: u16 = 0x22;
    pub(in super::super) const COMPONENT: u16 = 0x23;
    pub(in super::super) const MAGNIFICATION: u16 = 0x24;
    pub(in super::super) const MINIFICATION: u16 = 0x25;
    pub(in super::super) const WRAP: [u16; 2] = [0x26, 0x27];
}

/// Animates a picture by setting its parameters, to constants or over time.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    start: u16,
    end: u16,
    /// Whether this starts again after its end.
    cycles: bool,
    constants: Vec<(u16, i16)>,
    functions: Vec<Function>,
    /// Facts to show to the user.
    pub(super) fields: Vec<Field>,
}

/// A parameter that changes over time.
#[derive(Clone, Debug)]
struct Function {
    parameter: u16,
    is_linear: bool,
    segments: Vec<Segment>,
    /// The value after the last segment.
    last: i16,
}

/// A part of a function, for some frames.
#[derive(Clone, Debug)]
enum Segment {
    /// Lasts this many frames. The value holds, or moves to the next segment's if the function is linear.
    Ramp(u32, i16),
    /// A value for each frame.
    Values(Vec<i16>),
}

/// Reads a sequence.
pub(super) fn read(data: Numbers<'_>, warnings: &mut Warnings) -> Result<Sequence, FormatError> {
    data.view.slice(0, HEADER)?;
    let total = data.u32(0x1C)?;
    if u64::from(total) != data.view.len() {
        warnings.push(data.view.error(0x1C, GimProblem::Total { stated: total, actual: data.view.len() }));
    }
    let field = |name: &str, at: u64, value: String| Field {
        name: format!("sequence {name}"),
        offset: data.view.file_offset(at),
        value,
    };
    let (start, end, rate) = (data.u16(4)?, data.u16(6)?, data.u16(8)?);
    let mut sequence = Sequence {
        start,
        end,
        cycles: data.u16(10)? != 0,
        constants: Vec::new(),
        functions: Vec::new(),
        fields: vec![field("frame rate", 8, rate.to_string())],
    };
    let [constants, functions] = [data.u32(0x10)?, data.u32(0x14)?].map(u64::from);
    for at in (constants..).step_by(4).take(data.u16(12)?.into()) {
        let Ok(value) = data.i16(at.saturating_add(2)) else { break };
        sequence.constants.push((known(data, at, warnings)?, value));
    }
    // Functions may share keys. This budget keeps a small file from taking much memory that way.
    let mut budget = data.view.len();
    for at in (functions..).step_by(8).take(data.u16(14)?.into()) {
        let Ok(keys) = data.u32(at.saturating_add(4)) else { break };
        let parameter = known(data, at, warnings)?;
        let interpolation = data.u16(at.saturating_add(2))?;
        if interpolation & 0x80 != 0 {
            warnings.push(data.view.error(at.saturating_add(2), GimProblem::Dissolve));
        }
        if interpolation & 0x40 != 0 {
            sequence.fields.push(field("event", at, format!("parameter {parameter:#x}")));
        }
        let (segments, last) = read_keys(data, (keys.into(), parameter), &mut budget, warnings);
        sequence.functions.push(Function { parameter, is_linear: interpolation & 15 == 1, segments, last });
    }
    Ok(sequence)
}

/// Reads a parameter number, and warns if its meaning is not known.
fn known(data: Numbers<'_>, at: u64, warnings: &mut Warnings) -> Result<u16, FormatError> {
    let parameter = data.u16(at)?;
    if !matches!(parameter, 0..=3 | 8 | 0x0A | 0x0B | 0x10..=0x13 | 0x20 | 0x22..=0x27) {
        warnings.push(data.view.error(at, GimProblem::Parameter(parameter)));
    }
    Ok(parameter)
}

/// Reads segments up to the end mark, and the value that holds after them.
fn read_keys(
    data: Numbers<'_>,
    (at, parameter): (u64, u16),
    budget: &mut u64,
    warnings: &mut Warnings,
) -> (Vec<Segment>, i16) {
    let mut segments = Vec::new();
    let (mut next, mut last) = (at, 0);
    let mut value = || {
        *budget = budget.checked_sub(1)?;
        let value = data.i16(next).ok();
        next = next.saturating_add(2);
        value
    };
    loop {
        let Some((count, first)) = value().zip(value()) else {
            warnings.push(data.view.error(at, GimProblem::Keys(parameter)));
            return (segments, last);
        };
        last = first;
        // A positive count is a ramp's length in frames. A negative count is a list of values; its first is read
        // already.
        match count {
            0 => return (segments, last),
            1.. => segments.push(Segment::Ramp(count.unsigned_abs().into(), first)),
            _ => {
                let more = count.unsigned_abs().saturating_sub(1);
                let values: Vec<i16> =
                    std::iter::once(first).chain((0..more).map_while(|_| value())).collect();
                last = values.last().copied().unwrap_or(first);
                segments.push(Segment::Values(values));
            }
        }
    }
}

impl Function {
    /// Evaluates the function at a frame from the sequence's start.
    fn at(&self, frame: f64) -> f64 {
        let mut left = frame.max(0.0);
        let mut segments = self.segments.iter().peekable();
        while let Some(segment) = segments.next() {
            let (length, value) = match segment {
                Segment::Ramp(length, value) => (f64::from(*length), f64::from(*value)),
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamps")]
                Segment::Values(values) => {
                    let length = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX));
                    (length, values.get(left as usize).copied().unwrap_or_default().into())
                }
            };
            if left < length {
                let ramps = self.is_linear && matches!(segment, Segment::Ramp(..));
                let next = segments.peek().map_or(f64::from(self.last), |next| next.first());
                return if ramps { value + (next - value) * (left / length) } else { value };
            }
            left -= length;
        }
        self.last.into()
    }
}

impl Segment {
    fn first(&self) -> f64 {
        match self {
            Self::Ramp(_, value) => (*value).into(),
            Self::Values(values) => values.first().copied().unwrap_or_default().into(),
        }
    }
}

impl Sequence {
    /// Counts the frames. A cycle leaves out its last, which shows the first again.
    pub(super) fn frames(&self) -> u32 {
        let length = u32::from(self.end.saturating_sub(self.start));
        if self.cycles { length.max(1) } else { length.saturating_add(1) }
    }

    pub(super) fn channels(&self) -> usize {
        self.constants.len().saturating_add(self.functions.len())
    }

    /// Counts the keys of all functions, with each function's last value.
    pub(super) fn keys(&self) -> usize {
        let keys = |segment: &Segment| match segment {
            Segment::Ramp(..) => 1,
            Segment::Values(values) => values.len(),
        };
        self.functions
            .iter()
            .map(|function| function.segments.iter().map(keys).sum::<usize>().saturating_add(1))
            .sum()
    }

    /// Evaluates a parameter at a frame; `None` if this sequence does not set it.
    pub(super) fn value(&self, parameter: u16, frame: f64) -> Option<f64> {
        if let Some(function) = self.functions.iter().find(|function| function.parameter == parameter) {
            let length = f64::from(self.end.saturating_sub(self.start));
            let frame = match self.cycles {
                true if length > 0.0 && frame.is_finite() => frame.rem_euclid(length),
                _ => frame.clamp(0.0, length),
            };
            return Some(function.at(frame));
        }
        let constant = self.constants.iter().find(|(number, _)| *number == parameter);
        constant.map(|(_, value)| f64::from(*value))
    }
}
