//! Names a renderer to judge: pspge itself in one of its arithmetics, or a command.

use std::str::FromStr;

use pspge::ge::arithmetic::Arithmetic;

use crate::renderer::command::RendererCommand;

/// A renderer, with how to find its references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) renderer: Renderer,
    /// The suffixes to look for on its references, the preferred first; `None` for the usual suffixes.
    pub(super) suffixes: Option<Vec<String>>,
    /// Whether a case without a reference is an error.
    pub(super) needs_reference: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Renderer {
    /// This library.
    Own(Arithmetic),
    /// Another program.
    Command(RendererCommand),
}

impl Column {
    /// Creates a column with the usual references.
    fn new(name: &str, renderer: Renderer) -> Self {
        Self { name: name.to_owned(), renderer, suffixes: None, needs_reference: false }
    }

    /// Uses this library with the hardware's arithmetic.
    pub(super) fn own() -> Self {
        Self::new("pspge", Renderer::Own(Arithmetic::Hardware))
    }

    /// Returns this library's arithmetic, or `None` for another program.
    pub(super) const fn arithmetic(&self) -> Option<Arithmetic> {
        match &self.renderer {
            Renderer::Own(arithmetic) => Some(*arithmetic),
            Renderer::Command(_) => None,
        }
    }

    /// Returns the other program's command, or `None` for this library.
    pub(super) fn command(&self) -> Option<&RendererCommand> {
        match &self.renderer {
            Renderer::Own(_) => None,
            Renderer::Command(command) => Some(command),
        }
    }
}

impl FromStr for Column {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pspge" => return Ok(Self::own()),
            "pspge-single" => return Ok(Self::new(text, Renderer::Own(Arithmetic::Single))),
            _ => {}
        }
        let is_name = |name: &str| {
            !name.is_empty()
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
        };
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name), command),
            _ => (None, text),
        };
        let command: RendererCommand = command.parse().map_err(str::to_owned)?;
        let program = || {
            let stem = std::path::Path::new(command.program()).file_stem().unwrap_or_default();
            let name = |letter: char| if is_name(letter.encode_utf8(&mut [0; 4])) { letter } else { '_' };
            stem.to_string_lossy().chars().map(name).collect()
        };
        let own = || if command.is_psp() { "psp".to_owned() } else { program() };
        let name = name.map_or_else(own, str::to_owned);
        Ok(Self::new(&name, Renderer::Command(command)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_names() {
        let name = |text: &str| text.parse::<Column>().map(|column| column.name);
        assert_eq!(name("pspge-single").as_deref(), Ok("pspge-single"), "built in");
        assert_eq!(name("gl=draw --backend=gl {in} {out}").as_deref(), Ok("gl"), "given");
        assert_eq!(name("/my/draw.sh --backend=gl {in} {out}").as_deref(), Ok("draw"), "of the program");
        assert_eq!(name("'my tool' --x={in} {out}").as_deref(), Ok("my_tool"), "without spaces");
        assert_eq!(name("psp:///a=b").as_deref(), Ok("psp"), "a PSP");
        assert_eq!(name("slim=psp://a").as_deref(), Ok("slim"), "a PSP with a name");
        assert!(name("gl=draw {in}").is_err() && name("other").is_err(), "no command");
    }
}
