//! Groups commands into the libgu calls that send them, to show a list as a program's author wrote it.

use std::sync::LazyLock;

use super::constants;
use super::form::{FORMS, Form, Kind, Parameter, Role};
use crate::asm::text::describe;
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;

/// The most commands a call sends: 16 for a matrix, after its number.
const COMMANDS_MAX: usize = 17;

/// The forms that may start with each opcode, to try only these.
static BY_OPCODE: LazyLock<Vec<Vec<&'static Form>>> = LazyLock::new(|| {
    let exact = || FORMS.iter().filter(|form| form.role == Role::Exact);
    Opcode::all().map(|opcode| exact().filter(|form| form.may_start_with(opcode)).collect()).collect()
});

/// A libgu call, as a line of C.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GuCall {
    /// The statement, such as `sceGuTexWrap(GU_REPEAT, GU_REPEAT);`.
    pub text: String,
    /// A comment on facts missing in the arguments: libgu's state, or a command's text if no call of its own exists.
    /// Empty for calls that need no comment.
    pub comment: String,
    /// How many commands this call sends.
    pub commands: usize,
}

/// Returns the call that sends the first of these commands, and possibly more; `None` if there are no commands. If
/// several calls fit, this is the call that sends the most commands. If no call fits, this is `sceGuSendCommandi`,
/// which sends any command.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::asm::gu_call;
/// use pspge::ge::command::Command;
///
/// let call = gu_call(&[Command::from_word(0xC600_0101)]).expect("there is a command");
/// assert_eq!((call.text.as_str(), call.commands), ("sceGuTexFilter(GU_LINEAR, GU_LINEAR);", 1));
/// ```
#[doc(hidden)]
#[must_use]
pub fn gu_call(commands: &[Command]) -> Option<GuCall> {
    let first = commands.first()?;
    let mut found: Option<(&Form, Vec<u32>, usize)> = None;
    for form in BY_OPCODE.get(usize::from(first.opcode().code())).into_iter().flatten() {
        if let Some((values, length)) = form.read(commands)
            && found.as_ref().is_none_or(|(.., longest)| length > *longest)
        {
            found = Some((form, values, length));
        }
    }
    let Some((form, values, length)) = found else {
        let (code, argument) = (first.opcode().code(), first.argument());
        let text = format!("sceGuSendCommandi({code:#04x}, {argument:#x});");
        return Some(GuCall { text, comment: describe(*first).to_string(), commands: 1 });
    };
    Some(GuCall { text: form.text(&values), comment: form.comment(&values), commands: length })
}

/// Groups commands into calls as they come, for traces. Each command has a tag, for instance its address.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct GuCalls<T> {
    commands: Vec<Command>,
    tags: Vec<T>,
}

impl<T> Default for GuCalls<T> {
    fn default() -> Self {
        Self { commands: Vec::new(), tags: Vec::new() }
    }
}

impl<T> GuCalls<T> {
    /// Adds a command with its tag.
    pub fn push(&mut self, command: Command, tag: T) {
        self.commands.push(command);
        self.tags.push(tag);
    }

    /// Takes the next call with its commands' tags, or returns `None` until enough commands are known to tell the
    /// longest call. Set `is_end` after the last command, to take the rest.
    pub fn next_call(&mut self, is_end: bool) -> Option<(GuCall, Vec<T>)> {
        if !is_end && self.commands.len() < COMMANDS_MAX {
            return None;
        }
        let call = gu_call(&self.commands)?;
        self.commands.drain(..call.commands);
        let tags = self.tags.drain(..call.commands).collect();
        Some((call, tags))
    }
}

/// Writes calls as lines of C, each with a comment on its place.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct GuText {
    text: String,
    calls: GuCalls<(String, Vec<String>)>,
    /// Comments to write before the next command.
    comments: Vec<String>,
}

impl GuText {
    /// Adds a comment line, to appear before the call that sends the next command.
    pub fn comment(&mut self, comment: String) {
        self.comments.push(comment);
    }

    /// Adds a command and its place.
    pub fn push(&mut self, command: Command, place: String) {
        self.calls.push(command, (place, std::mem::take(&mut self.comments)));
        self.print(false);
    }

    /// Ends the current call, because the next commands do not follow in memory.
    pub fn end(&mut self) {
        self.print(true);
        for comment in self.comments.drain(..) {
            self.text += &format!("// {comment}\n");
        }
    }

    /// Ends the last call and returns the text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.end();
        self.text
    }

    fn print(&mut self, is_end: bool) {
        while let Some((call, tags)) = self.calls.next_call(is_end) {
            for comment in tags.iter().flat_map(|(_, comments)| comments) {
                self.text += &format!("// {comment}\n");
            }
            let place = tags.first().map_or("", |(place, _)| place.as_str());
            let separator = if call.comment.is_empty() { "" } else { "; " };
            self.text += &format!("{} // {place}{separator}{}\n", call.text, call.comment);
        }
    }
}

impl Form {
    fn may_start_with(&self, opcode: Opcode) -> bool {
        let required = self.units.iter().position(|unit| !unit.is_optional()).unwrap_or(0);
        let firsts =
            self.units.iter().take(required.saturating_add(1)).filter_map(|unit| unit.commands.first());
        firsts.into_iter().any(|first| first.fits(opcode))
    }

    /// Returns this call in C, with arguments from `values`.
    pub(super) fn text(&self, values: &[u32]) -> String {
        let own = self.parameters.iter().filter(|parameter| !parameter.is_state);
        let arguments: Vec<String> = own.map(|parameter| parameter.text(values)).collect();
        format!("{}({});", self.name, arguments.join(", "))
    }

    /// Names the state sent by this call, unless it is 0 or follows from the arguments.
    fn comment(&self, values: &[u32]) -> String {
        if self.derives_state() {
            return String::new();
        }
        let is_set = |parameter: &&Parameter| {
            parameter.is_state && values.get(parameter.slot).is_some_and(|value| *value != 0)
        };
        let state = self.parameters.iter().filter(is_set);
        let texts: Vec<String> =
            state.map(|parameter| format!("{} {}", parameter.name, parameter.text(values))).collect();
        texts.join(", ")
    }
}

impl Parameter {
    /// Returns this parameter's argument in C.
    fn text(&self, values: &[u32]) -> String {
        let values = values.get(self.slot..).unwrap_or_default();
        let value = values.first().copied().unwrap_or(0);
        match self.kind {
            Kind::Fixed(text) => text.to_owned(),
            Kind::Constant(group) => constant(group, value).unwrap_or_else(|| value.to_string()),
            Kind::Flags(group) => flags(constants::group(group), value),
            Kind::Decimal | Kind::Index(_) => value.cast_signed().to_string(),
            Kind::Hexadecimal => format!("{value:#x}"),
            Kind::Pointer if value == 0 => "0".to_owned(),
            Kind::Pointer => format!("(void *){value:#010x}"),
            Kind::Float => float(value),
            Kind::Vector => {
                let elements: Vec<String> = values.iter().take(3).copied().map(float).collect();
                format!("&(ScePspFVector3){{{}}}", elements.join(", "))
            }
            Kind::Matrix(rows) => {
                let columns = values.chunks(rows.into()).take(4).enumerate().map(|(number, column)| {
                    // The Graphics Engine has no fourth row, except for the projection, so add the row that C needs.
                    let last = (column.len() < 4).then_some(if number == 3 { 1.0_f32 } else { 0.0 });
                    let last = last.map(|last| Float24::from_f32(last).to_bits());
                    let elements: Vec<String> = column.iter().copied().chain(last).map(float).collect();
                    format!("{{{}}}", elements.join(", "))
                });
                format!("&(ScePspFMatrix4){{{}}}", columns.collect::<Vec<_>>().join(", "))
            }
            Kind::Dither => {
                let signed = |value: &u32| (value << 28).cast_signed() >> 28;
                let row = |row: &[u32]| {
                    let numbers: Vec<String> = row.iter().map(|value| signed(value).to_string()).collect();
                    format!("{{{}}}", numbers.join(", "))
                };
                let rows: Vec<String> = values.chunks(4).take(4).map(row).collect();
                format!("&(ScePspIMatrix4){{{}}}", rows.join(", "))
            }
            Kind::VertexType => vertex_type(value),
            Kind::Bias => {
                let sixteenths = i16::from(value.to_le_bytes()[0].cast_signed());
                format!("{:?}f", f32::from(sixteenths) / 16.0)
            }
        }
    }
}

/// Returns a constant's name by its value; `None` if this group has no such constant.
fn constant(group: &str, value: u32) -> Option<String> {
    let (name, _) = constants::group(group).find(|(_, known)| *known == value)?;
    Some(format!("GU_{name}"))
}

/// Combines constants, and adds a number for bits without a constant.
fn flags(constants: impl Iterator<Item = (&'static str, u32)>, value: u32) -> String {
    let mut rest = value;
    let mut names = Vec::new();
    for (name, bits) in constants.filter(|(_, bits)| value & bits == *bits) {
        rest &= !bits;
        names.push(format!("GU_{name}"));
    }
    if rest != 0 || names.is_empty() {
        names.push(format!("{rest:#x}"));
    }
    names.join(" | ")
}

/// Combines constants to a vertex type. Each group has bits of its own.
fn vertex_type(value: u32) -> String {
    const GROUPS: [(&str, u32); 6] = [
        ("texture-bits", 0x3),
        ("color-bits", 0x1C),
        ("normal-bits", 0x60),
        ("vertex-bits", 0x180),
        ("weight-bits", 0x600),
        ("index-bits", 0x1800),
    ];
    const THROUGH: u32 = 0x80_0000;
    if value == 0 {
        return "0".to_owned();
    }
    let mut rest = value & !THROUGH;
    let mut names = Vec::new();
    for (group, mask) in GROUPS {
        if let Some(name) = constant(group, value & mask) {
            rest &= !mask;
            names.push(name);
        }
    }
    for (name, low) in [("GU_WEIGHTS", 14), ("GU_VERTICES", 18)] {
        let more = value >> low & 7;
        if more > 0 {
            rest &= !(7 << low);
            names.push(format!("{name}({})", more.saturating_add(1)));
        }
    }
    if rest != 0 {
        names.push(format!("{rest:#x}"));
    }
    names.extend(constant("transform-bits", value & THROUGH));
    names.join(" | ")
}

fn float(bits: u32) -> String {
    format!("{}f", Float24::from_bits(bits))
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    /// Makes values that differ from each other, within the parameters' ranges.
    fn samples(form: &Form) -> Vec<u32> {
        let mut values = vec![0; form.len()];
        for (nth, parameter) in (0_u32..).zip(&form.parameters) {
            let slots = parameter.slot..parameter.slot + parameter.kind.len();
            for (element, value) in (0_u32..).zip(&mut values[slots]) {
                let number = nth + element + 1;
                *value = match (parameter.kind, parameter.name) {
                    // Some calls send only two bits.
                    (Kind::Constant(group), _) => {
                        let values = constants::group(group).map(|(_, value)| value);
                        values.filter(|value| *value <= 3).max().unwrap_or(0)
                    }
                    (Kind::Flags("clear"), _) => 5,
                    (Kind::Flags(_), _) => 3,
                    (Kind::Decimal, "width" | "height") if form.name == "sceGuTexImage" => 64 << nth,
                    (Kind::Decimal, "count") if form.name == "sceGuClear" => 2,
                    (Kind::Hexadecimal, name) if has_high_bits(form, name) => 0x7F00_0010 + number,
                    (Kind::Pointer, _) => 0x0812_3450 + 0x100 * number,
                    (Kind::Float | Kind::Vector | Kind::Matrix(_), _) => {
                        Float24::from_f32(f32::from(u8::try_from(number).expect("small")) * 1.5).to_bits()
                    }
                    (Kind::VertexType, _) => 0x80_011F,
                    (Kind::Bias, _) => 0xF8,
                    _ => number,
                };
            }
        }
        values
    }

    /// Returns whether any command holds this parameter's upper eight bits.
    fn has_high_bits(form: &Form, name: &str) -> bool {
        let patterns = form.units.iter().flat_map(|unit| &unit.commands);
        patterns.flat_map(|pattern| &pattern.pieces).any(|piece| piece.text == format!("{name}>>24"))
    }

    #[test]
    fn words_of_each_call_are_printed_as_this_call() {
        for form in FORMS.iter().filter(|form| form.role != Role::Named) {
            let values = samples(form);
            let commands = form.write(&values);
            let call = gu_call(&commands).expect("there are commands");
            assert_eq!(call.commands, commands.len(), "{}: {call:?} of {commands:?}", form.name);
            assert!(commands.len() <= COMMANDS_MAX, "{}: {} commands", form.name, commands.len());
            let is_same = call.text == form.text(&values);
            assert_eq!(is_same, form.role == Role::Exact, "{}: {call:?}", form.text(&values));
            // Further commands do not change the call.
            let more = [&commands[..], &[Command::new(Opcode::NOP, 0)]].concat();
            assert_eq!(gu_call(&more), Some(call), "{}: with more commands", form.name);
        }
    }

    fn text(words: &str) -> String {
        let commands: Vec<Command> =
            words.split(" | ").map(|line| crate::asm::parse_command(line).expect("a command")).collect();
        let mut calls = GuCalls::default();
        commands.into_iter().for_each(|command| calls.push(command, ()));
        let mut lines = Vec::new();
        while let Some((call, _)) = calls.next_call(true) {
            lines.push([call.text, call.comment].join(" ").trim().to_owned());
        }
        lines.join(" ")
    }

    #[test]
    fn calls_are_valid_c() {
        for (words, expected) in [
            ("BLENDENABLE 1", "sceGuEnable(GU_BLEND);"),
            ("CULLENABLE 0", "sceGuDisable(GU_CULL_FACE);"),
            ("ZTEST GREATER_EQUAL", "sceGuDepthFunc(GU_GEQUAL);"),
            (
                "VTYPE texcoord=FLOAT color=ABGR8888 position=FLOAT | BASE 8 | VADDR 0x123400 | PRIM primitive=RECTANGLES count=2",
                "sceGuDrawArray(GU_SPRITES, GU_TEXTURE_32BITF | GU_COLOR_8888 | GU_VERTEX_32BITF | GU_TRANSFORM_3D, 2, 0, \
                 (void *)0x08123400);",
            ),
            ("PRIM primitive=TRIANGLES count=3", "sceGuDrawArray(GU_TRIANGLES, 0, 3, 0, 0);"),
            ("FOGCOLOR #3060ff | FOG1 120.0 | FOG2 0.01", "sceGuFog(20.0f, 120.0f, 0xff6030);"),
            (
                "VIEWPORTZSCALE -32767.0 | VIEWPORTZCENTER 32767.0 | MINZ 0 | MAXZ 0xfffe",
                "sceGuDepthRange(65534, 0);",
            ),
            (
                "SCISSOR1 x=0 y=0 | SCISSOR2 x=479 y=271 | REGION1 x=0 y=0 | REGION2 x=479 y=271",
                "sceGuScissor(0, 0, 480, 272);",
            ),
            (
                "TEXFUNC function=REPLACE use_alpha=1 double=1",
                "sceGuTexFunc(GU_TFX_REPLACE, GU_TCC_RGBA); fragment_2x GU_TRUE",
            ),
            ("BASE 0x8", "sceGuSendCommandi(0x10, 0x80000); BASE 0x8"),
            ("ZTEST 7 | MINZ 1", "sceGuDepthFunc(GU_GEQUAL); sceGuSendCommandi(0xd6, 0x1); MINZ 1"),
            (
                "MATERIALSPECULARCOEF nan(0x7FC000)",
                "sceGuSendCommandi(0x5b, 0x7fc000); MATERIALSPECULARCOEF nan(0x7FC000)",
            ),
            ("TEXENABLE 0 +0x2", "sceGuSendCommandi(0x1e, 0x2); TEXENABLE 0 +0x2"),
        ] {
            assert_eq!(text(words), expected, "{words}");
        }
    }
}
