//! Talks to the debugger of a running PPSSPP: JSON messages over a WebSocket, with the subprotocol
//! `debugger.ppsspp.org`.
//!
//! A request has a name, `event`, and a `ticket`, which its answer repeats. Failures are answers named `error` with
//! a `message`. The emulator also reports events that nobody asked for.
//!
//! # Invariants
//! * Each step ends in time, however slowly bytes come in.
//! * A message takes memory only up to a bound.
//! * An answer counts only with its request's name and ticket.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tungstenite::client::client_with_config;
use tungstenite::error::Error as SocketError;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::Uri;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{ClientRequestBuilder, Message, WebSocket};

const PROTOCOL: &str = "debugger.ppsspp.org";
/// Longer messages, in bytes, are refused. Games' dumps have a few megabytes.
const MESSAGE_MAX: usize = 128 << 20;

pub(super) struct Debugger {
    socket: WebSocket<TimedStream>,
    timeout: Duration,
    /// Counts tickets, to give each request another.
    tickets: u32,
}

/// Why a question has no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// There is no connection.
    Unreached(String),
    /// The connection is lost.
    Lost(String),
    /// No answer came in time.
    TimedOut(Duration),
    /// The emulator answers that it cannot.
    Refused(String),
    /// The answer breaks the protocol.
    Wrong(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreached(reason) => write!(f, "no connection: {reason}"),
            Self::Lost(reason) => write!(f, "the connection is lost: {reason}"),
            Self::TimedOut(timeout) => write!(f, "no complete answer within {} s", timeout.as_secs_f64()),
            Self::Refused(message) => write!(f, "the emulator refuses: {message}"),
            Self::Wrong(problem) => f.write_str(problem),
        }
    }
}

impl Debugger {
    /// Connects to the debugger. Each step may take `timeout`.
    pub(super) fn connect(uri: &Uri, timeout: Duration) -> Result<Self, Fault> {
        let unreached = |error: io::Error| Fault::Unreached(error.to_string());
        let host = uri.authority().map_or("", |authority| authority.as_str());
        let mut tried = Err(Fault::Unreached("the host has no address".to_owned()));
        for address in host.to_socket_addrs().map_err(unreached)? {
            tried = TcpStream::connect_timeout(&address, timeout).map_err(|error| match error.kind() {
                io::ErrorKind::TimedOut => Fault::TimedOut(timeout),
                _ => unreached(error),
            });
            if tried.is_ok() {
                break;
            }
        }
        let stream = TimedStream { stream: tried?, end: Instant::now() + timeout };
        let request = ClientRequestBuilder::new(uri.clone()).with_sub_protocol(PROTOCOL);
        let config =
            WebSocketConfig::default().max_message_size(Some(MESSAGE_MAX)).max_frame_size(Some(MESSAGE_MAX));
        match client_with_config(request, stream, Some(config)) {
            Ok((socket, _)) => Ok(Self { socket, timeout, tickets: 0 }),
            Err(HandshakeError::Failure(error)) => Err(match fault(error, timeout) {
                Fault::Wrong(problem) => Fault::Wrong(format!("this is no debugger of PPSSPP: {problem}")),
                fault => fault,
            }),
            Err(HandshakeError::Interrupted(_)) => Err(Fault::TimedOut(timeout)),
        }
    }

    /// Asks a question and returns its answer.
    pub(super) fn ask(&mut self, name: &str, members: &[(&str, Value)]) -> Result<Map<String, Value>, Fault> {
        let ticket = self.send(name, members)?;
        loop {
            let answer = self.receive()?;
            let (event, own) = (text(&answer, "event"), answer.get("ticket").and_then(Value::as_str));
            if ![name, "error"].contains(&event) {
                continue;
            }
            if event == "error" && (own == Some(&ticket) || !answer.contains_key("ticket")) {
                return Err(Fault::Refused(text(&answer, "message").to_owned()));
            }
            if own == Some(&ticket) {
                return Ok(answer);
            }
            let found = answer.get("ticket").map_or_else(|| "none".to_owned(), Value::to_string);
            return Err(Fault::Wrong(format!("{name}: the answer has the ticket {found}, not {ticket:?}")));
        }
    }

    /// Gives an order and waits for the event of the same name, which reports that it is done and needs no ticket.
    pub(super) fn order(&mut self, name: &str) -> Result<(), Fault> {
        let ticket = self.send(name, &[])?;
        loop {
            let answer = self.receive()?;
            match text(&answer, "event") {
                event if event == name => return Ok(()),
                "error" if answer.get("ticket").is_none_or(|own| *own == *ticket) => {
                    return Err(Fault::Refused(text(&answer, "message").to_owned()));
                }
                _ => {}
            }
        }
    }

    /// Sends a request and returns its ticket.
    fn send(&mut self, name: &str, members: &[(&str, Value)]) -> Result<String, Fault> {
        self.tickets += 1;
        let ticket = format!("pspge-{}", self.tickets);
        let mut request: Map<String, Value> =
            members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        request.insert("event".to_owned(), name.into());
        request.insert("ticket".to_owned(), ticket.as_str().into());
        self.socket.get_mut().end = Instant::now() + self.timeout;
        let message = Message::text(Value::Object(request).to_string());
        self.socket.send(message).map_err(|error| fault(error, self.timeout))?;
        Ok(ticket)
    }

    fn receive(&mut self) -> Result<Map<String, Value>, Fault> {
        loop {
            match self.socket.read().map_err(|error| fault(error, self.timeout))? {
                Message::Text(text) => {
                    return serde_json::from_str(&text)
                        .map_err(|error| Fault::Wrong(format!("a message is no JSON object: {error}")));
                }
                Message::Binary(_) => return Err(Fault::Wrong("a message is not text".to_owned())),
                Message::Close(_) => return Err(Fault::Lost("the emulator closes it".to_owned())),
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }
}

/// Returns a message's text; empty if it has none.
pub(super) fn text<'a>(message: &'a Map<String, Value>, name: &str) -> &'a str {
    message.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Describes a WebSocket error.
fn fault(error: SocketError, timeout: Duration) -> Fault {
    match error {
        SocketError::Io(error) if error.kind() == io::ErrorKind::TimedOut => Fault::TimedOut(timeout),
        SocketError::Io(error) => Fault::Lost(error.to_string()),
        SocketError::ConnectionClosed | SocketError::AlreadyClosed => {
            Fault::Lost("the emulator closes it".to_owned())
        }
        SocketError::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => {
            Fault::Lost("it ends in the middle".to_owned())
        }
        SocketError::Capacity(_) => {
            Fault::Wrong(format!("a message is longer than {} MiB", MESSAGE_MAX >> 20))
        }
        error => Fault::Wrong(error.to_string()),
    }
}

/// A connection that must finish its step by a time.
struct TimedStream {
    stream: TcpStream,
    end: Instant,
}

impl TimedStream {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

/// Gives a timeout the same kind on all systems.
fn timed<T>(result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
        _ => error,
    })
}

impl Read for TimedStream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        timed(self.stream.read(bytes))
    }
}

impl Write for TimedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        timed(self.stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
