//! The form of a call: how its parameters become commands, and back.
//!
//! # Invariants
//! Reading is exact: a form reads only words that its call would send again unchanged.

use std::sync::LazyLock;

use super::functions::{FUNCTIONS, Row, STATES};
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;

/// The forms for all calls, sorted by name, so that a function's forms follow each other in table order.
pub(super) static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let mut forms: Vec<Form> = FUNCTIONS.iter().map(|row| Form::parse(row, "")).collect();
    for (name, value) in [("sceGuDisable", "0"), ("sceGuEnable", "1")] {
        forms.extend(STATES.iter().map(|(state, commands)| Form::parse(&(name, *state, *commands), value)));
    }
    forms.sort_by_key(|form| form.name);
    forms
});

/// A way to call a function. Its parameters have numbered values, which its units turn into commands.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) parameters: Vec<Parameter>,
    pub(super) units: Vec<Unit>,
    pub(super) role: Role,
}

/// Whether words alone tell that this form was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its words tell the call, so commands can be printed as this call.
    Exact,
    /// Another call sends the same words and is printed instead.
    Alias,
    /// It only names its commands, because the words depend on more than its parameters.
    Named,
}

/// A parameter, or state that a call sends without taking it.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// The number of its first value in the form's list.
    pub(super) slot: usize,
    /// Whether this is libgu's state, which the call does not take.
    pub(super) is_state: bool,
}

/// How to read and print a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The form is only for this value, so it needs no room in the list.
    Fixed(&'static str),
    /// A constant from this group, or another number.
    Constant(&'static str),
    /// Constants from this group, combined.
    Flags(&'static str),
    Decimal,
    Hexadecimal,
    Pointer,
    Float,
    /// Three floats.
    Vector,
    /// Four columns with three or four floats each.
    Matrix(u8),
    /// 16 signed numbers with four bits each.
    Dither,
    VertexType,
    /// The number of a light, level or register, below this.
    Index(u32),
    /// Sixteenths, in eight bits with a sign.
    Bias,
}

impl Kind {
    fn parse(text: &'static str) -> Self {
        match text {
            "" => Self::Decimal,
            "hex" => Self::Hexadecimal,
            "pointer" => Self::Pointer,
            "float" => Self::Float,
            "vector" => Self::Vector,
            "matrix3" => Self::Matrix(3),
            "matrix4" => Self::Matrix(4),
            "dither" => Self::Dither,
            "vtype" => Self::VertexType,
            "index4" => Self::Index(4),
            "index8" => Self::Index(8),
            "bias" => Self::Bias,
            _ => match text.strip_prefix("flags ") {
                Some(group) => Self::Flags(group),
                None => Self::Constant(text),
            },
        }
    }

    /// Returns how many values such a parameter takes.
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Fixed(_) => 0,
            Self::Vector => 3,
            Self::Matrix(rows) => (rows as usize).saturating_mul(4),
            Self::Dither => 16,
            _ => 1,
        }
    }
}

/// Commands sent together.
#[derive(Debug)]
pub(super) struct Unit {
    /// If given, the commands are sent only if this value is not 0.
    condition: Option<usize>,
    pub(super) commands: Vec<Pattern>,
}

/// A command to send, with its argument made from values.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) opcode: Opcode,
    /// A value to select among several registers, such as a light's, and the steps between them.
    index: Option<(usize, u8)>,
    pub(super) pieces: Vec<Piece>,
}

/// A range of bits in an argument.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) low: u32,
    width: u32,
    source: Source,
    /// The source as written in the table, to show it.
    pub(super) text: &'static str,
}

/// Where a piece's bits come from. A `usize` is the number of a value.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Always these bits.
    Fixed(u32),
    /// A value's bits from this bit on.
    Bits(usize, u32),
    /// A value minus 1.
    Less(usize),
    /// A value times this.
    Times(usize, u32),
    /// A value's logarithm, from its low ten bits.
    Log2(usize),
    /// A value that is a float already.
    Float(usize),
    /// An integer divided by this, as a float.
    Quotient(usize, i16),
}

impl Form {
    /// Parses a row. `@` in its commands stands for `value`. This skips units it does not understand, because the
    /// rows are constant and a test parses them all.
    fn parse(&(name, parameters, commands): &Row, value: &'static str) -> Self {
        let (role, commands) = match commands.split_at_checked(1) {
            Some(("=", rest)) => (Role::Named, rest),
            Some(("~", rest)) => (Role::Alias, rest),
            _ if commands.is_empty() => (Role::Named, commands),
            _ => (Role::Exact, commands),
        };
        let mut form = Self { name, parameters: Vec::new(), units: Vec::new(), role };
        let (own, state) = parameters.split_once(';').unwrap_or((parameters, ""));
        let mut slot = 0_usize;
        for (list, is_state) in [(own, false), (state, true)] {
            for parameter in list.split(',').map(str::trim).filter(|text| !text.is_empty()) {
                let (name, kind) = match (parameter.split_once('='), parameter.split_once(':')) {
                    (Some((name, value)), _) => (name, Kind::Fixed(value)),
                    (None, Some((name, kind))) => (name, Kind::parse(kind)),
                    (None, None) => (parameter, Kind::Decimal),
                };
                form.parameters.push(Parameter { name, kind, slot, is_state });
                slot = slot.saturating_add(kind.len());
            }
        }
        let units = commands.split('|').map(str::trim).filter(|text| !text.is_empty());
        form.units = units.filter_map(|unit| form.unit(unit, value)).collect();
        form
    }

    fn unit(&self, text: &'static str, value: &'static str) -> Option<Unit> {
        let (is_optional, text) = text.strip_prefix('?').map_or((false, text), |rest| (true, rest));
        let mut commands = Vec::new();
        for command in text.split('&').map(str::trim) {
            commands.extend(self.patterns(command, value)?);
        }
        let condition = is_optional.then(|| commands.first()?.pieces.first()?.source.slot()).flatten();
        Some(Unit { condition, commands })
    }

    /// Parses a command, or several if the row repeats it with `*`.
    fn patterns(&self, text: &'static str, value: &'static str) -> Option<Vec<Pattern>> {
        let mut words = text.split(' ');
        let name = words.next()?;
        let (name, count) = match name.split_once('*').filter(|_| !name.contains('+')) {
            Some((name, count)) => (name, count.parse().ok()?),
            None => (name, 1_usize),
        };
        let (name, index) = match name.split_once('+') {
            Some((name, index)) => {
                let (index, step) = index.split_once('*').unwrap_or((index, "1"));
                (name, Some((self.slot(index)?, step.parse().ok()?)))
            }
            None => (name, None),
        };
        let opcode = Opcode::from_name(name)?;
        let pieces: Vec<&'static str> = words.collect();
        let pattern = |nth: usize| {
            let pieces = pieces.iter().map(|piece| self.piece(piece, value, nth)).collect::<Option<_>>()?;
            Some(Pattern { opcode, index, pieces })
        };
        (0..count).map(pattern).collect()
    }

    fn piece(&self, piece: &'static str, value: &'static str, nth: usize) -> Option<Piece> {
        let (place, text) = piece.split_once('=')?;
        let text = if text == "@" { value } else { text };
        if place == "f" {
            let source = match text.split_once('/') {
                Some((name, divisor)) => Source::Quotient(self.slot(name)?, divisor.parse().ok()?),
                None if self.is_float(text) => Source::Float(self.slot(text)?.checked_add(nth)?),
                None => Source::Quotient(self.slot(text)?, 1),
            };
            return Some(Piece { low: 0, width: 24, source, text });
        }
        let (low, width) = match place.split_once('.') {
            Some((low, width)) => (low.parse().ok()?, width.parse().ok()?),
            None => (place.parse().ok()?, 24_u32.checked_sub(place.parse().ok()?)?),
        };
        let source = if let Ok(number) = text.parse() {
            Source::Fixed(number)
        } else if let Some((name, shift)) = text.split_once(">>") {
            Source::Bits(self.slot(name)?, shift.parse().ok()?)
        } else if let Some((name, factor)) = text.split_once('*') {
            Source::Times(self.slot(name)?, factor.parse().ok()?)
        } else if let Some(name) = text.strip_suffix("-1") {
            Source::Less(self.slot(name)?)
        } else if let Some(name) = text.strip_prefix("log2") {
            Source::Log2(self.slot(name)?)
        } else {
            Source::Bits(self.slot(text)?, 0)
        };
        Some(Piece { low, width, source, text })
    }

    /// Finds the number of a parameter's first value, or of its Nth with `.N`.
    fn slot(&self, text: &str) -> Option<usize> {
        let (name, nth) = text.split_once('.').unwrap_or((text, "0"));
        let parameter = self.parameters.iter().find(|parameter| parameter.name == name)?;
        parameter.slot.checked_add(nth.parse().ok()?)
    }

    fn is_float(&self, text: &str) -> bool {
        let name = text.split_once('.').map_or(text, |(name, _)| name);
        let kind = self.parameters.iter().find(|parameter| parameter.name == name).map(|found| found.kind);
        matches!(kind, Some(Kind::Float | Kind::Vector | Kind::Matrix(_)))
    }

    /// Returns whether this call computes its state from the arguments, so that a comment need not repeat it.
    pub(super) fn derives_state(&self) -> bool {
        matches!(self.name, "sceGuScissor" | "sceGuDepthRange" | "sceGuFog")
    }

    /// Counts the values of all parameters, state included.
    pub(super) fn len(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.kind.len()).sum()
    }

    /// Finds the values that make this call send the first of these commands. Returns them, and how many commands it
    /// sends; `None` if it cannot send these.
    pub(super) fn read(&self, commands: &[Command]) -> Option<(Vec<u32>, usize)> {
        let mut values = vec![0; self.len()];
        let mut at = 0_usize;
        for unit in &self.units {
            match unit.read(commands.get(at..)?, &values) {
                Some(read) => {
                    values = read;
                    at = at.checked_add(unit.commands.len())?;
                }
                None if unit.condition.is_some() => {}
                None => return None,
            }
        }
        self.complete(&mut values)?;
        let is_valid = |parameter: &Parameter| {
            let values = values.iter().skip(parameter.slot).take(parameter.kind.len());
            match parameter.kind {
                Kind::Index(count) => values.copied().all(|value| value < count),
                Kind::Float | Kind::Vector | Kind::Matrix(_) => {
                    values.copied().all(|value| Float24::from_bits(value).to_f32().is_finite())
                }
                _ => true,
            }
        };
        let sends =
            at > 0 && self.parameters.iter().all(is_valid) && self.write(&values) == commands.get(..at)?;
        sends.then_some((values, at))
    }

    /// Returns the commands this call sends for these values.
    pub(super) fn write(&self, values: &[u32]) -> Vec<Command> {
        let mut values = values.to_vec();
        self.derive(&mut values);
        let value = |slot: usize| values.get(slot).copied().unwrap_or(0);
        let is_sent = |unit: &&Unit| unit.condition.is_none_or(|slot| value(slot) != 0);
        let commands = self.units.iter().filter(is_sent).flat_map(|unit| &unit.commands);
        let write = |pattern: &Pattern| {
            let steps = pattern.index.map_or(0, |(slot, step)| value(slot).wrapping_mul(step.into()));
            let bits = pattern.pieces.iter().map(|piece| piece.write(&value));
            let opcode = pattern.opcode.plus(steps.to_le_bytes()[0]);
            Command::new(opcode, bits.fold(0, |argument, bits| argument | bits))
        };
        commands.map(write).collect()
    }

    /// Computes state from the parameters, for calls that send them in another form.
    fn derive(&self, values: &mut [u32]) {
        match (self.name, values) {
            ("sceGuScissor", [x, y, w, h, right, bottom]) => {
                *right = x.wrapping_add(*w).wrapping_sub(1);
                *bottom = y.wrapping_add(*h).wrapping_sub(1);
            }
            ("sceGuDepthRange", [near, far, scale, center, low, high]) => {
                let middle = float(near.wrapping_add(*far) >> 1);
                *scale = Float24::from_f32(middle - float(*near)).to_bits();
                *center = Float24::from_f32(middle).to_bits();
                (*low, *high) = (*near.min(far), *near.max(far));
            }
            ("sceGuFog", [near, far, _, scale]) => {
                let [near, far] = [*near, *far].map(|value| Float24::from_bits(value).to_f32());
                let distance = far - near;
                let factor = if distance == 0.0 { distance } else { 1.0 / distance };
                *scale = Float24::from_f32(factor).to_bits();
            }
            _ => {}
        }
    }

    /// Computes parameters from the state read, as the inverse of [`Self::derive`]. `None` if no parameters give
    /// this state.
    fn complete(&self, values: &mut [u32]) -> Option<()> {
        match (self.name, values) {
            ("sceGuScissor", [x, y, w, h, right, bottom]) => {
                *w = right.checked_sub(*x)?.checked_add(1)?;
                *h = bottom.checked_sub(*y)?.checked_add(1)?;
            }
            ("sceGuDepthRange", [near, far, scale, _, low, high]) => {
                let is_rising = Float24::from_bits(*scale).to_f32() >= 0.0;
                (*near, *far) = if is_rising { (*low, *high) } else { (*high, *low) };
            }
            // Fast clearing draws columns, but otherwise a single rectangle, so the vertex count tells the flag.
            ("sceGuClear", [flags, _, _, count]) if *count != 2 => *flags |= 16,
            ("sceGuFog", values) => {
                // Many distances have this reciprocal. Programs probably chose the distance with the fewest digits.
                let [_, far, _, scale] = *values else { return None };
                let factor = Float24::from_bits(scale).to_f32();
                let near = Float24::from_bits(far).to_f32() - if factor == 0.0 { 0.0 } else { 1.0 / factor };
                let fits = |digits: usize| {
                    let near: f32 = format!("{near:.digits$}").parse().ok()?;
                    let near = Float24::from_f32(near).to_bits();
                    let mut again = [near, far, 0, 0];
                    self.derive(&mut again);
                    (again[3] == scale).then_some(near)
                };
                *values.first_mut()? = (0..7).find_map(fits)?;
            }
            _ => {}
        }
        Some(())
    }
}

/// Converts an integer to a float, as C does.
#[expect(clippy::cast_precision_loss, reason = "the call rounds in the same way")]
fn float(value: u32) -> f32 {
    value.cast_signed() as f32
}

impl Unit {
    /// Returns whether a call may leave these commands out.
    pub(super) const fn is_optional(&self) -> bool {
        self.condition.is_some()
    }

    fn read(&self, commands: &[Command], values: &[u32]) -> Option<Vec<u32>> {
        let mut values = values.to_vec();
        for (nth, pattern) in self.commands.iter().enumerate() {
            let command = commands.get(nth)?;
            if !pattern.fits(command.opcode()) {
                return None;
            }
            if let Some((slot, step)) = pattern.index {
                let steps = command.opcode().code().checked_sub(pattern.opcode.code())?;
                *values.get_mut(slot)? = u32::from(steps.checked_div(step)?);
            }
            for piece in &pattern.pieces {
                piece.read(command.argument(), &mut values)?;
            }
        }
        Some(values)
    }
}

impl Source {
    const fn slot(self) -> Option<usize> {
        match self {
            Self::Fixed(_) => None,
            Self::Bits(slot, _)
            | Self::Less(slot)
            | Self::Times(slot, _)
            | Self::Log2(slot)
            | Self::Float(slot)
            | Self::Quotient(slot, _) => Some(slot),
        }
    }
}

impl Piece {
    const fn mask(&self) -> u32 {
        (1_u32 << self.width).wrapping_sub(1)
    }

    /// Adds this piece's bits to the value they come from.
    fn read(&self, argument: u32, values: &mut [u32]) -> Option<()> {
        let bits = argument >> self.low & self.mask();
        let Some(slot) = self.source.slot() else { return Some(()) };
        let value = values.get_mut(slot)?;
        match self.source {
            Source::Fixed(_) => {}
            Source::Bits(_, shift) => *value |= bits << shift,
            Source::Less(_) => *value = bits.checked_add(1)?,
            Source::Times(_, factor) => *value = bits.checked_div(factor)?,
            Source::Log2(_) => *value = 1_u32.checked_shl(bits)?,
            Source::Float(_) => *value = bits,
            Source::Quotient(_, divisor) => {
                let number = Float24::from_bits(bits).to_f32() * f32::from(divisor);
                // [`Form::read`] compares what it would write, so it notices a number that does not fit.
                #[expect(clippy::cast_possible_truncation, reason = "it is then another number")]
                let number = number as i32;
                *value = number.cast_unsigned();
            }
        }
        Some(())
    }

    /// Returns this piece's bits, in place.
    fn write(&self, value: &impl Fn(usize) -> u32) -> u32 {
        let bits = match self.source {
            Source::Fixed(bits) => bits,
            Source::Bits(slot, shift) => value(slot) >> shift,
            Source::Less(slot) => value(slot).wrapping_sub(1),
            Source::Times(slot, factor) => value(slot).wrapping_mul(factor),
            Source::Log2(slot) => (value(slot) & 0x3FF).checked_ilog2().unwrap_or(u32::MAX),
            Source::Float(slot) => value(slot),
            Source::Quotient(slot, divisor) => {
                Float24::from_f32(float(value(slot)) / f32::from(divisor)).to_bits()
            }
        };
        (bits & self.mask()) << self.low
    }
}

impl Pattern {
    /// Returns whether this pattern may be a command with this opcode.
    pub(super) fn fits(&self, opcode: Opcode) -> bool {
        let steps = opcode.code().checked_sub(self.opcode.code());
        steps
            .is_some_and(|steps| steps == 0 || self.index.is_some_and(|(_, step)| steps.is_multiple_of(step)))
    }

    /// Returns this command with its pieces as fields, such as `TEXWRAP u=u v=v`, for help texts.
    pub(super) fn text(&self) -> String {
        let mut text = self.opcode.name().to_owned();
        let fields = self.opcode.info().fields;
        for piece in &self.pieces {
            let field = fields.iter().find(|field| u32::from(field.low) == piece.low);
            let name = field.map_or_else(|| format!("bits {} on", piece.low), |field| field.name.to_owned());
            let is_whole = fields.len() == 1 || piece.width == 24;
            let place = if is_whole { String::new() } else { format!("{name}=") };
            text += &format!(" {place}{}", piece.text);
        }
        text
    }
}
