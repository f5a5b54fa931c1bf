//! The names that homebrew knows: functions and constants from libgu, the public pspsdk's graphics library.
//!
//! Most programs never write a command themselves. For their authors, [`find`](super::reference::find) leads from a
//! function to the commands it sends, assembly text accepts the constants, and [`gu_call`] leads from commands back
//! to the call.

use super::error::similar::closest_names;
use crate::ge::opcode::Opcode;

mod calls;
mod constants;
mod form;
mod functions;

pub use calls::{GuCall, GuCalls, GuText, gu_call};
use form::{FORMS, Form, Kind};

/// A libgu function, to look up the commands it sends.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct GuFunction {
    forms: &'static [Form],
}

impl GuFunction {
    /// Finds a function by its name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|function| function.name().eq_ignore_ascii_case(name))
    }

    /// Lists all functions, sorted by name.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMS.chunk_by(|a, b| a.name == b.name).map(|forms| Self { forms })
    }

    /// Returns this function's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.forms.first().map_or("", |form| form.name)
    }

    /// Returns this function's parameter names, separated by commas.
    #[must_use]
    pub fn parameters(&self) -> String {
        let parameters = self.forms.first().map(|form| form.parameters.as_slice()).unwrap_or_default();
        let own = parameters.iter().filter(|parameter| !parameter.is_state);
        own.map(|parameter| parameter.name).collect::<Vec<_>>().join(", ")
    }

    /// Returns the commands this function sends, each once. A command for light 0, level 0 or index 0 stands for the
    /// others, too.
    #[must_use]
    pub fn commands(&self) -> Vec<Opcode> {
        let mut opcodes: Vec<Opcode> = Vec::new();
        let units = self.forms.iter().flat_map(|form| &form.units);
        for pattern in units.flat_map(|unit| &unit.commands) {
            if !opcodes.contains(&pattern.opcode) {
                opcodes.push(pattern.opcode);
            }
        }
        opcodes
    }

    /// Describes the words this function sends, for help texts: a line for each way to call it, and for each command
    /// with its fields. Names in field values are parameters.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for form in self.forms {
            let fixed = form.parameters.iter().filter_map(|parameter| match parameter.kind {
                Kind::Fixed(value) => Some(format!("{} = {value}", parameter.name)),
                _ => None,
            });
            let fixed: Vec<String> = fixed.collect();
            let with = if fixed.is_empty() { String::new() } else { format!(" with {}", fixed.join(", ")) };
            let (name, parameters) = (self.name(), self.parameters());
            let sends = if form.units.is_empty() { "sends no command" } else { "sends:" };
            lines.push(format!("{name}({parameters}) of libgu{with} {sends}"));
            for unit in &form.units {
                // A matrix has a command for each element, which all look the same.
                for patterns in unit.commands.chunk_by(|a, b| a.text() == b.text()) {
                    let Some(pattern) = patterns.first() else { continue };
                    let count = if patterns.len() > 1 {
                        format!(" ({} times)", patterns.len())
                    } else {
                        String::new()
                    };
                    let condition = if unit.is_optional() { " (left out if 0)" } else { "" };
                    lines.push(format!("    {}{count}{condition}", pattern.text()));
                }
            }
            let state =
                form.parameters.iter().filter(|parameter| parameter.is_state && !form.derives_state());
            let state: Vec<&str> = state.map(|parameter| parameter.name).collect();
            if !state.is_empty() {
                lines.push(format!("    {} from the state of libgu", state.join(", ")));
            }
        }
        lines
    }
}

/// Returns the value of a constant such as `GU_LINEAR`.
pub(super) fn constant(name: &str) -> Option<i64> {
    constants::value(name.strip_prefix("GU_")?).map(i64::from)
}

/// Returns the bits for a vertex type constant such as `GU_COLOR_8888`. They are in their place in VTYPE.
pub(super) fn vertex_type_bits(name: &str) -> Option<u32> {
    constants::vertex_type_bits(name.strip_prefix("GU_")?)
}

/// Finds the constant most similar to a name that starts with `GU_`, for suggestions.
pub(super) fn similar_constant(name: &str) -> Option<String> {
    let name = name.strip_prefix("GU_")?;
    let known = closest_names(name, constants::all().map(|(known, _)| known));
    known.first().map(|known| format!("GU_{known}"))
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::asm::reference::{Found, find};
    use crate::ge::command::Command;

    #[test]
    fn functions_lead_to_their_commands() {
        for form in FORMS.iter() {
            let rows = functions::FUNCTIONS.iter().filter(|(name, ..)| *name == form.name);
            let states = functions::STATES.iter().map(|(_, commands)| *commands);
            let rows: Vec<&str> = rows.map(|(.., commands)| *commands).chain(states).collect();
            let units = |row: &&str| row.split('|').filter(|unit| !unit.trim_matches('=').is_empty()).count();
            let is_whole = rows.iter().any(|row| units(row) == form.units.len());
            assert!(is_whole, "{}: all commands can be read", form.name);
        }
        let names: Vec<&str> = GuFunction::all().map(|function| function.name()).collect();
        assert!(names.is_sorted() && names.windows(2).all(|pair| pair[0] != pair[1]), "each once: {names:?}");
        assert_eq!(find("sceGuTexFilter"), Found::One(Opcode::TEXFILTER), "one command");
        let fog = vec![Opcode::FOGCOLOR, Opcode::FOG1, Opcode::FOG2];
        assert_eq!(find("scegufog"), Found::Several(fog), "several, in any case");
    }

    #[test]
    fn functions_name_the_fields_of_their_words() {
        let lines = |name: &str| GuFunction::from_name(name).expect("a function").lines();
        let expected =
            ["sceGuTexFilter(min, mag) of libgu sends:", "    TEXFILTER minification=min magnify_linear=mag"];
        assert_eq!(lines("sceGuTexFilter"), expected, "fields");
        let expected = ["sceGuBreak(mode) of libgu sends no command"];
        assert_eq!(lines("sceGuBreak"), expected, "an act of the CPU");
        let array = lines("sceGuDrawArray");
        assert_eq!(array[1], "    VTYPE vtype (left out if 0)", "{array:?}");
        assert!(lines("sceGuEnable").contains(&"    BLENDENABLE 1".to_owned()), "switches");
    }

    #[test]
    fn constants_are_numbers_of_assembly_text() {
        let word = |text: &str| {
            let program = assemble(text).unwrap_or_else(|errors| panic!("{}", errors.report()));
            Command::from_word(program.capture().memory.read_u32(program.entry)).argument()
        };
        for (libgu, own) in [
            ("ZTEST GU_GEQUAL", "ZTEST GREATER_EQUAL"),
            (
                "TEXFILTER minification=GU_LINEAR_MIPMAP_LINEAR magnify_linear=GU_LINEAR",
                "TEXFILTER minification=7 magnify_linear=1",
            ),
            ("TEXFORMAT GU_PSM_T8", "TEXFORMAT CLUT8"),
            (
                "VTYPE color=GU_COLOR_8888 position=GU_VERTEX_16BIT through=GU_TRANSFORM_2D",
                "VTYPE color=ABGR8888 position=BITS16 through=1",
            ),
            ("PRIM primitive=GU_SPRITES count=2", "PRIM primitive=RECTANGLES count=2"),
            ("SHADEMODE GU_SMOOTH", "SHADEMODE GOURAUD"),
        ] {
            assert_eq!(word(libgu), word(own), "{libgu}");
        }
        assert_eq!(word(".set GU_FLAT 1\nSHADEMODE GU_FLAT"), 1, "a name of the text comes first");
        let errors = assemble("FRAMEBUFPTR GU_GEQAL").expect_err("no constant");
        assert!(errors.report().to_string().contains("GU_GEQUAL"), "{}", errors.report());
    }
}
