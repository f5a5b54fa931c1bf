//! The built-in texts: constants and homebrew's usual state, so that lists need not repeat them.
//!
//! Source: the public pspsdk, whose `libgu` most homebrew programs use. Each text names the calls it replaces.

/// A text for every program to include by its name in angle brackets.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInText {
    /// The name without brackets.
    pub name: &'static str,
    /// A sentence on its content, for help texts.
    pub about: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All built-in texts.
#[doc(hidden)]
pub const TEXTS: &[BuiltInText] = &[
    BuiltInText {
        name: "psp",
        about: "Constants: screen size, memory, a usual division of VRAM. No bytes.",
        text: include_str!("prelude/psp.ge"),
    },
    BuiltInText {
        name: "psp/init",
        about: "The state after sceGuInit and the first sceGuStart: every register 0, then libgu's defaults.",
        text: include_str!("prelude/init.ge"),
    },
    BuiltInText {
        name: "psp/screen",
        about: "Framebuffer, depth buffer, scissor and viewport of 480x272 pixels.",
        text: include_str!("prelude/screen.ge"),
    },
    BuiltInText {
        name: "psp/identity",
        about: "Identity matrices.",
        text: include_str!("prelude/identity.ge"),
    },
    BuiltInText {
        name: "psp/clear",
        about: "Clears the screen to MATERIALAMBIENT and MATERIALALPHA, and depth to 0.",
        text: include_str!("prelude/clear.ge"),
    },
];

pub(super) fn find(name: &str) -> Option<&'static BuiltInText> {
    TEXTS.iter().find(|text| text.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::ge::command::Command;
    use crate::ge::opcode::Opcode;

    /// Returns the commands in a text without data.
    fn commands(text: &str) -> Vec<Command> {
        let program = assemble(text).unwrap_or_else(|error| panic!("{text}: {}", error.report()));
        let image = program.image().expect("small");
        let (words, _) = image.as_chunks::<4>();
        words.iter().map(|word| Command::from_word(u32::from_le_bytes(*word))).collect()
    }

    #[test]
    fn all_texts_assemble_twice_in_a_program() {
        for text in TEXTS {
            let name = text.name;
            let once = commands(&format!(".include <{name}>"));
            let twice = commands(&format!(".include <{name}>\n.include <{name}>"));
            assert_eq!(twice.len(), once.len().saturating_mul(2), "{name} defines no labels");
            assert_eq!(once.is_empty(), name == "psp", "only constants are no bytes");
            assert!(text.text.lines().all(|line| line.len() <= 115), "{name} has short lines");
        }
    }

    #[test]
    fn init_writes_every_register_of_libgu() {
        let commands = commands(".include <psp/init>");
        let (zeros, defaults) = commands.split_at(209);
        assert!(zeros.iter().all(|command| command.argument() == 0), "sceGuInit sends zeros");
        let saved = |opcode: &Opcode| opcode.is_context_saved() && *opcode != Opcode::NOP;
        for opcode in Opcode::all().filter(saved).filter(|opcode| !is_immediate_or_flow(*opcode)) {
            assert!(zeros.iter().any(|command| command.opcode() == opcode), "{opcode} is set");
        }
        let names: Vec<&str> = defaults.iter().map(|command| command.opcode().name()).collect();
        let expected = [
            "DITH0",
            "DITH1",
            "DITH2",
            "DITH3",
            "PATCHDIVISION",
            "MATERIALUPDATE",
            "MATERIALSPECULARCOEF",
            "TEXSCALEU",
            "TEXSCALEV",
        ];
        assert_eq!(names, expected, "sceGuStart");
    }

    /// `sceGuInit` leaves out ORIGIN and the registers for immediate vertices.
    fn is_immediate_or_flow(opcode: Opcode) -> bool {
        opcode == Opcode::ORIGIN || opcode.code() >= Opcode::VSCX.code()
    }

    #[test]
    fn constants_agree_with_one_another() {
        let text = ".include <psp>\n.word psp.free_vram psp.display_buffer psp.depth_buffer";
        let words: Vec<u32> = commands(text).iter().map(|command| command.word()).collect();
        assert_eq!(words, [0x0415_4000, 0x08_8000, 0x11_0000], "two framebuffers and a depth buffer");
    }
}
