//! Records frames from a running PPSSPP, and takes its own pictures of them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pspge::documents::error::ErrorInfo;
use pspge::formats::Request;
use pspge::{Asset, Error, compare};
use serde_json::{Map, Value};
use tungstenite::http::Uri;

mod debugger;

use self::debugger::{Debugger, Fault, text};
use crate::terminal::failure::Failure;

/// Tells where PPSSPP shows the port, for help and errors.
pub(crate) const PORT_HELP: &str = "PPSSPP shows the port when Settings > Tools > Developer tools > Allow remote debugger is \
    switched on; Local server port in the same place sets it";

/// The speed to take the emulator's pictures at, in percent. A frame then stays on the screen for at least a sixth
/// of a second, so that the picture shows the recorded frame.
const PICTURE_SPEED: u32 = 10;

/// The address of an emulator's debugger: `ws://HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    text: String,
    uri: Uri,
}

impl Address {
    /// Whether an input's name is meant as an address.
    pub(crate) fn is_meant(name: &str) -> bool {
        name.starts_with("ws://") || name.starts_with("wss://")
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("expected ws://HOST:PORT, such as ws://localhost:51234 ({PORT_HELP})");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let is_root = ["", "/", "/debugger"].contains(&uri.path()) && uri.query().is_none();
        match (uri.scheme_str(), uri.authority()) {
            (Some("wss"), _) => Err("the emulator's debugger does not speak TLS; use ws://".to_owned()),
            (Some("ws"), Some(host)) if uri.port_u16().is_some() && is_root => {
                let uri = format!("ws://{host}/debugger").parse().map_err(|_| wrong())?;
                Ok(Self { text: text.to_owned(), uri })
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

pub(crate) struct Emulator {
    address: String,
    debugger: Debugger,
    /// Its name and version.
    pub(crate) name: String,
}

/// A recorded frame.
pub(crate) struct Frame {
    /// The frame dump.
    pub(crate) dump: Vec<u8>,
    /// The dump, opened.
    pub(crate) asset: Asset,
}

/// The emulator's own picture of a frame.
pub(crate) struct Screenshot {
    /// The PNG file.
    pub(crate) png: Vec<u8>,
    /// Its size in pixels.
    pub(crate) size: [u32; 2],
    /// Whether the emulator was slowed down for this. Otherwise the picture may show a later frame.
    pub(crate) is_in_time: bool,
}

impl Emulator {
    /// Connects to an emulator. Each answer may take `timeout`.
    ///
    /// # Errors
    /// If it cannot be reached, is no PPSSPP, or runs no game.
    pub(crate) fn connect(address: &Address, timeout: Duration) -> Result<Self, Failure> {
        let debugger = Debugger::connect(&address.uri, timeout)
            .map_err(|fault| failure(&address.text, format_args!("{fault}"), &fault))?;
        let mut emulator = Self { address: address.text.clone(), debugger, name: String::new() };
        let own = [("name", "pspge".into()), ("version", env!("CARGO_PKG_VERSION").into())];
        let version = emulator.ask("version", &own)?;
        emulator.name = format!("{} {}", text(&version, "name"), text(&version, "version")).trim().to_owned();
        let status = emulator.ask("game.status", &[])?;
        let is_set = |answer: &Map<String, Value>, name: &str| answer.get(name) == Some(&Value::Bool(true));
        let problem = if status.get("game").is_none_or(Value::is_null) {
            "the emulator runs no game"
        } else if is_set(&status, "paused") {
            "the game is paused, so it draws no frames"
        } else if is_set(&emulator.ask("cpu.status", &[])?, "stepping") {
            // This is so after a start with `--debugger`, or at a breakpoint.
            "the game is stopped in the emulator's debugger, so it draws no frames; let it run there"
        } else {
            return Ok(emulator);
        };
        Err(Failure::file_problem(&emulator.address, "no-game", problem))
    }

    /// Waits until the game has shown this many frames.
    ///
    /// # Errors
    /// If the emulator does not answer as it should.
    pub(crate) fn skip(&mut self, frames: u32) -> Result<(), Failure> {
        for _ in 0..frames {
            // The emulator answers after the display's next flip, so each question waits for a frame.
            self.ask("gpu.stats.get", &[])?;
        }
        Ok(())
    }

    /// Records the next frame.
    ///
    /// # Errors
    /// If the emulator does not answer as it should, or if its answer is no frame dump.
    pub(crate) fn record(&mut self) -> Result<Frame, Failure> {
        let dump = self.file("gpu.record.dump")?;
        match pspge::open_as(&Request::new(&self.address, &dump), Some("ppdmp"), &pspge::asm::NoIncludes) {
            Ok(asset) => Ok(Frame { dump, asset }),
            Err(Error::Format(error)) => {
                let info: ErrorInfo = (&error).into();
                let problem = format_args!("gpu.record.dump: the data are no frame dump: {}", info.message);
                Err(Failure::input(&self.address, &info.code, info.offset, problem))
            }
            Err(error) => Err(Failure::asset(&self.address, &error)),
        }
    }

    /// Records the next frame, and takes the emulator's own picture of it. Meanwhile the game is slow, and stops for
    /// a moment.
    ///
    /// # Errors
    /// As [`Self::record`], and if the picture is no PNG file.
    pub(crate) fn record_with_screenshot(&mut self) -> Result<(Frame, Screenshot), Failure> {
        const SPEED: &str = "game.speed.set";
        let slow = self.debugger.ask(SPEED, &[("percent", PICTURE_SPEED.into())]);
        let is_in_time = match slow {
            Ok(_) => true,
            // Old versions cannot do this, and some settings forbid it.
            Err(Fault::Refused(_)) => false,
            Err(fault) => return Err(self.failure(SPEED, &fault)),
        };
        let taken = self.record().and_then(|frame| Ok((frame, self.stopped_picture()?)));
        let restored =
            if is_in_time { self.ask(SPEED, &[("percent", Value::Null)]).map(drop) } else { Ok(()) };
        let (frame, png) = taken?;
        restored?;
        let picture = compare::read(&self.address, &png)
            .map_err(|error| self.wrong(format_args!("gpu.buffer.screenshot: {}", error.message())))?;
        Ok((frame, Screenshot { png, size: picture.picture.size(), is_in_time }))
    }

    /// Stops the game to take the picture on its screen, then lets it go on.
    fn stopped_picture(&mut self) -> Result<Vec<u8>, Failure> {
        self.order("cpu.stepping")?;
        let picture = self.file("gpu.buffer.screenshot");
        // After a lost connection this fails, too; the first error counts.
        let resumed = self.order("cpu.resume");
        let picture = picture?;
        resumed?;
        Ok(picture)
    }

    /// Asks for a file, which the answer holds in base64.
    fn file(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        let mut answer = self.ask(name, &[])?;
        let Some(Value::String(uri)) = answer.remove("uri") else {
            return Err(self.wrong(format_args!("{name}: the answer has no uri")));
        };
        let data = uri.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
        let Some((_, data)) = data else {
            return Err(self.wrong(format_args!("{name}: the uri holds no data in base64")));
        };
        STANDARD
            .decode(data)
            .map_err(|error| self.wrong(format_args!("{name}: the data are not base64: {error}")))
    }

    fn ask(&mut self, name: &str, members: &[(&str, Value)]) -> Result<Map<String, Value>, Failure> {
        self.debugger.ask(name, members).map_err(|fault| self.failure(name, &fault))
    }

    fn order(&mut self, name: &str) -> Result<(), Failure> {
        self.debugger.order(name).map_err(|fault| self.failure(name, &fault))
    }

    fn failure(&self, name: &str, fault: &Fault) -> Failure {
        let hint = match fault {
            Fault::TimedOut(_) => "; a game that is paused or stopped draws no frames",
            _ => "",
        };
        failure(&self.address, format_args!("{name}: {fault}{hint}"), fault)
    }

    fn wrong(&self, problem: fmt::Arguments<'_>) -> Failure {
        Failure::input(&self.address, "emulator-answer", None, problem)
    }
}

/// Turns a fault into a command's error.
fn failure(address: &str, problem: fmt::Arguments<'_>, fault: &Fault) -> Failure {
    match fault {
        Fault::Unreached(_) | Fault::Lost(_) => Failure::file_problem(address, "connection", problem),
        Fault::TimedOut(_) => Failure::file_problem(address, "timed-out", problem),
        Fault::Refused(_) => Failure::file_problem(address, "emulator-refuses", problem),
        Fault::Wrong(_) => Failure::input(address, "emulator-answer", None, problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_a_host_and_a_port() {
        for right in ["ws://localhost:51234", "ws://127.0.0.1:1/", "ws://[::1]:9/debugger"] {
            let address: Address = right.parse().expect("an address");
            assert_eq!((address.uri.path(), address.to_string().as_str()), ("/debugger", right), "{right}");
        }
        for wrong in
            ["", "localhost:9", "ws://", "ws://localhost", "http://localhost:9", "ws://a:9/other", "ws://a:b"]
        {
            let error = wrong.parse::<Address>().expect_err(wrong);
            assert!(error.contains("Allow remote debugger"), "{wrong}: {error}");
        }
        assert!("wss://a:9".parse::<Address>().is_err_and(|error| error.contains("TLS")), "no TLS");
    }
}
