//! Tests `pspge capture` against a server that speaks the protocol of PPSSPP's debugger.
//!
//! Frames recorded in games need `PSPGE_CORPUS`.

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ge_tests::schema_check;
use serde_json::{Value, json};
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::{Message, WebSocket, accept_hdr};

use crate::support::{copy_sample, empty_folder, output, pspge_in, text};

type Socket = WebSocket<TcpStream>;
type Act = Box<dyn FnOnce(&mut Socket, &Value)>;

/// How the server answers a request.
enum Answer {
    /// With these members.
    Members(Value),
    /// With a file as a data URL.
    File(&'static str, Vec<u8>),
    /// With an event that has no ticket.
    Event(&'static str),
    /// With a refusal.
    Error(&'static str),
    /// In another way.
    Other(Act),
    /// By closing the connection without a word.
    End,
}

/// Starts a server that takes connections in turn. Returns its address, and the names of the requests it gets.
fn serve(mut answer: impl FnMut(&str, &Value) -> Answer + Send + 'static) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("ws://{}", listener.local_addr().expect("an address"));
    let (sender, names) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.expect("a connection");
            stream.set_write_timeout(Some(Duration::from_secs(60))).expect("a timeout");
            let mut socket = accept_hdr(stream, accepted).expect("a handshake");
            while let Ok(message) = socket.read() {
                let Message::Text(message) = message else { continue };
                let request: Value = serde_json::from_str(&message).expect("JSON");
                let name = request["event"].as_str().expect("a name").to_owned();
                // Sending fails if the test has ended.
                let _ = sender.send(name.clone());
                if reply(&mut socket, &request, answer(&name, &request)).is_err() {
                    break;
                }
            }
        }
    });
    (address, names)
}

fn reply(socket: &mut Socket, request: &Value, answer: Answer) -> tungstenite::Result<()> {
    match answer {
        Answer::Members(members) => {
            // Other events come at any time.
            send(socket, &json!({"event": "log", "message": "a line", "level": 4}))?;
            send(socket, &merged(request, members))
        }
        Answer::File(kind, bytes) => send_file(socket, request, kind, &bytes),
        Answer::Event(name) => send(socket, &json!({"event": name})),
        Answer::Error(message) => {
            let ticket = &request["ticket"];
            let error = json!({"event": "error", "message": message, "level": 2, "ticket": ticket});
            send(socket, &error)
        }
        Answer::Other(act) => {
            act(socket, request);
            Ok(())
        }
        Answer::End => Err(tungstenite::Error::ConnectionClosed),
    }
}

/// Accepts a client that asks for the debugger.
#[expect(clippy::result_large_err, reason = "the type of a callback")]
fn accepted(request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
    assert_eq!(request.uri().path(), "/debugger", "the path");
    assert_eq!(request.headers()["sec-websocket-protocol"], "debugger.ppsspp.org", "the protocol");
    let protocol = HeaderValue::from_static("debugger.ppsspp.org");
    response.headers_mut().insert("sec-websocket-protocol", protocol);
    Ok(response)
}

/// Adds a request's name and ticket to an answer's members.
fn merged(request: &Value, mut members: Value) -> Value {
    members["event"] = request["event"].clone();
    members["ticket"] = request["ticket"].clone();
    members
}

fn send(socket: &mut Socket, message: &Value) -> tungstenite::Result<()> {
    socket.send(Message::text(message.to_string()))
}

/// Sends a file as the emulator does: in many fragments.
fn send_file(socket: &mut Socket, request: &Value, kind: &str, bytes: &[u8]) -> tungstenite::Result<()> {
    let uri = format!("data:{kind};base64,{}", STANDARD.encode(bytes));
    let message = merged(request, json!({"uri": uri})).to_string();
    let pieces: Vec<&[u8]> = message.as_bytes().chunks(21_844).collect();
    for (number, piece) in pieces.iter().enumerate() {
        let code = if number == 0 { Data::Text } else { Data::Continue };
        send_fragment(socket, piece, code, number + 1 == pieces.len())?;
    }
    Ok(())
}

fn send_fragment(socket: &mut Socket, bytes: &[u8], code: Data, is_last: bool) -> tungstenite::Result<()> {
    socket.send(Message::Frame(Frame::message(bytes.to_vec(), OpCode::Data(code), is_last)))
}

/// Answers the requests that come before the first recording.
fn greeting(name: &str) -> Option<Answer> {
    match name {
        "version" => Some(Answer::Members(json!({"name": "PPSSPP", "version": "v1.20"}))),
        "game.status" => {
            Some(Answer::Members(json!({"game": {"id": "TEST00001", "title": "Test"}, "paused": false})))
        }
        "cpu.status" => Some(Answer::Members(json!({"stepping": false, "paused": false, "pc": 0}))),
        _ => None,
    }
}

/// Starts an emulator with a game that draws these frames in turn.
pub(crate) fn emulator(dumps: Vec<Vec<u8>>) -> (String, Receiver<String>) {
    let mut dumps = dumps.into_iter().cycle();
    serve(move |name, _| {
        greeting(name).unwrap_or_else(|| match name {
            "gpu.record.dump" => Answer::File("application/octet-stream", dumps.next().expect("a dump")),
            "gpu.stats.get" => Answer::Members(json!({"fps": {"actual": 60.0}})),
            _ => Answer::Error("Bad message: unknown event"),
        })
    })
}

/// Writes this many lists, each with another picture, and returns their frame dumps.
pub(crate) fn dumps(folder: &Path, count: usize) -> Vec<Vec<u8>> {
    fs::create_dir(folder.join("lists")).expect("a folder");
    for number in 0..count {
        let list = format!(
            "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271\n\
             BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1\n\
             VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | FINISH | END\n.align 4\n\
             v: .rgba #c02020ff | .s16 {number} 2 0 | .align 4 | .rgba #c02020ff | .s16 90 60 0 | .align 4\n"
        );
        fs::write(folder.join(format!("lists/{number:02}.ge")), list).expect("the file can be written");
    }
    output(folder, "pack lists -o packed -q");
    let dump = |number| folder.join(format!("packed/{number:02}.ge.ppdmp"));
    (0..count).map(|number| fs::read(dump(number)).expect("a dump")).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn recorded_frames_equal_those_of_the_game() {
    let folder = empty_folder("frames");
    let dumps = dumps(&folder, 20);
    let (address, names) = emulator(dumps.clone());
    let arguments = format!("capture {address} -o new/scene.ppdmp --frames 20 --every 3 --json");
    let documents = schema_check::checked(output(&folder, &arguments).as_bytes());
    assert_eq!(documents.len(), 20, "a document for each");
    for (number, dump) in (1..).zip(&dumps) {
        let name = format!("new/scene-{number:04}.ppdmp");
        assert!(fs::read(folder.join(&name)).expect("a dump") == *dump, "{name}");
    }
    let last = &documents[19];
    assert_eq!((&last["frame"], &last["emulator"]), (&json!(20), &json!("PPSSPP v1.20")), "{last}");
    assert_eq!((&last["game"], &last["screenshot"]), (&json!("PSPGE0001"), &Value::Null), "{last}");
    let waits = names.try_iter().filter(|name| name == "gpu.stats.get").count();
    assert_eq!(waits, 19 * 3, "flips between the frames");
    assert_eq!(files(&folder.join("new")).len(), 20, "and no other file");

    let (address, _) = emulator(dumps.clone());
    let printed = output(&folder, &format!("capture {address}"));
    assert_eq!(printed, format!("capture.ppdmp: PSPGE0001, {} bytes\n", dumps[0].len()), "one frame");
    let (address, _) = emulator(dumps.clone());
    let standard = pspge_in(&folder, &format!("capture {address} -o -"));
    assert!(standard.stdout == dumps[0], "standard output has the dump alone");
}

#[test]
fn recorded_frames_of_games_arrive_whole() {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS").map(PathBuf::from) else {
        eprintln!("PSPGE_CORPUS is not set; frames of games are not sent");
        return;
    };
    let folder = empty_folder("games");
    let mut paths: Vec<PathBuf> = fs::read_dir(corpus.join("frames"))
        .expect("frames")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ppdmp"))
        .collect();
    paths.sort();
    paths.truncate(20);
    let dumps: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("a dump")).collect();
    let (address, _) = emulator(dumps.clone());
    output(&folder, &format!("capture {address} -o frame.ppdmp --frames {} --timeout 300", dumps.len()));
    for (number, (dump, path)) in (1..).zip(dumps.iter().zip(&paths)) {
        let written = fs::read(folder.join(format!("frame-{number:04}.ppdmp"))).expect("a dump");
        assert!(written == *dump, "{}", path.display());
    }
}

#[test]
fn screenshots_are_the_references_of_their_dumps() {
    let folder = empty_folder("screenshots");
    let dumps = dumps(&folder, 1);
    output(&folder, "render packed/00.ge.ppdmp -o own.png");
    let png = fs::read(folder.join("own.png")).expect("a picture");
    let large = {
        image::RgbImage::new(960, 544).save(folder.join("large.png")).expect("the file can be written");
        fs::read(folder.join("large.png")).expect("a picture")
    };
    let with_pictures = |can_slow: bool, png: Vec<u8>| {
        let dump = dumps[0].clone();
        serve(move |name, request| {
            greeting(name).unwrap_or_else(|| match name {
                "game.speed.set" if can_slow => Answer::Members(json!({"percent": request["percent"]})),
                "gpu.record.dump" => Answer::File("application/octet-stream", dump.clone()),
                "cpu.stepping" => Answer::Event("cpu.stepping"),
                "gpu.buffer.screenshot" => Answer::File("image/png", png.clone()),
                "cpu.resume" => Answer::Event("cpu.resume"),
                _ => Answer::Error("Bad message: unknown event"),
            })
        })
    };
    let (address, names) = with_pictures(true, png.clone());
    output(&folder, &format!("capture {address} -o cases/scene.ppdmp --frames 2 --screenshot --strict"));
    let written = ["scene-0001.png", "scene-0001.ppdmp", "scene-0002.png", "scene-0002.ppdmp"];
    assert_eq!(files(&folder.join("cases")), written, "dumps and pictures");
    let asked: Vec<String> = names.try_iter().skip(3).take(6).collect();
    let order = [
        "game.speed.set",
        "gpu.record.dump",
        "cpu.stepping",
        "gpu.buffer.screenshot",
        "cpu.resume",
        "game.speed.set",
    ];
    assert_eq!(asked, order, "the game goes on at its speed");
    let judged = schema_check::checked(output(&folder, "test cases --json -q").as_bytes());
    let outcomes: Vec<&Value> = judged.iter().map(|judgement| &judgement["outcome"]).collect();
    assert_eq!(outcomes, ["passed", "passed"], "{judged:?}");

    let (address, _) = with_pictures(false, large);
    let noted = pspge_in(&folder, &format!("capture {address} -o late.ppdmp --screenshot --strict"));
    let messages = text(&noted.stderr);
    assert_eq!(noted.status.code(), Some(1), "{messages}");
    assert!(messages.contains("may be of a later frame") && messages.contains("960x544"), "{messages}");
    let (address, names) = with_pictures(true, b"no picture".to_vec());
    let wrong = pspge_in(&folder, &format!("capture {address} -o wrong.ppdmp --screenshot"));
    assert_eq!(wrong.status.code(), Some(3), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stderr).contains("gpu.buffer.screenshot: "), "{}", text(&wrong.stderr));
    assert!(names.try_iter().any(|name| name == "cpu.resume"), "the game goes on");
    assert!(!files(&folder).iter().any(|name| name.starts_with("wrong")), "no half result");
}

/// Runs `capture` against a server that answers the request for a dump in this way, and returns the error. No file
/// is left.
#[track_caller]
fn refused(
    name: &str,
    options: &str,
    status: i32,
    dump: impl FnMut(&Value) -> Answer + Send + 'static,
) -> String {
    let folder = empty_folder(name);
    let mut dump = dump;
    let (address, _) = serve(move |name, request| greeting(name).unwrap_or_else(|| dump(request)));
    let run = pspge_in(
        &folder,
        &format!("capture {address} -o new/frame.ppdmp {options}").trim().replace("  ", " "),
    );
    let message = text(&run.stderr);
    assert_eq!(run.status.code(), Some(status), "{name}: {message}");
    assert!(message.starts_with(&format!("error: {address}: ")), "{name}: {message}");
    assert_eq!(message.lines().count(), 1, "{name}: {message}");
    assert_eq!(files(&folder.join("new")), Vec::<String>::new(), "{name}: no file");
    message
}

#[test]
fn lies_are_named() {
    let contains = |message: String, part: &str| assert!(message.contains(part), "{part}: {message}");
    let uri = |uri: &'static str| move |_: &Value| Answer::Members(json!({ "uri": uri }));
    contains(
        refused("no-uri", "", 3, |_| Answer::Members(json!({}))),
        "gpu.record.dump: the answer has no uri",
    );
    contains(refused("no-data", "", 3, uri("http://example.org/")), "the uri holds no data in base64");
    contains(refused("no-base64", "", 3, uri("data:x;base64,AAA!")), "the data are not base64");
    contains(refused("no-dump", "", 3, uri("data:x;base64,AAAAAAAA")), "the data are no frame dump");
    let short = |_: &Value| Answer::File("x", b"PPSSPPGE\x06\x00\x00\x00TEST00001".to_vec());
    contains(refused("short-dump", "", 3, short), "the data are no frame dump");
    let ticket = |_: &Value| {
        Answer::Other(Box::new(|socket, _| {
            let _ = send(socket, &json!({"event": "gpu.record.dump", "ticket": "other", "uri": "data:"}));
        }))
    };
    contains(refused("ticket", "", 3, ticket), "the answer has the ticket \"other\"");
    contains(
        refused("error", "", 4, |_| Answer::Error("Recording already in progress")),
        "Recording already in progress",
    );
    let binary = |_: &Value| {
        Answer::Other(Box::new(|socket, _| {
            let _ = socket.send(Message::binary(vec![1, 2, 3]));
        }))
    };
    contains(refused("binary", "", 3, binary), "a message is not text");
    for (name, words) in [("no-json", "{\"event\":"), ("no-object", "[1, 2]")] {
        let wrong = move |_: &Value| {
            Answer::Other(Box::new(move |socket, _| {
                let _ = socket.send(Message::text(words));
            }))
        };
        contains(refused(name, "", 3, wrong), "a message is no JSON object");
    }
    let json = refused("documents", "--json", 4, |_| Answer::Error("CPU not started"));
    contains(json, "gpu.record.dump: the emulator refuses: CPU not started");
}

#[test]
fn servers_that_die_or_never_answer_leave_no_file() {
    let contains = |message: String, part: &str| assert!(message.contains(part), "{part}: {message}");
    contains(refused("dead", "", 4, |_| Answer::End), "the connection is lost");
    // The message stops after its first half.
    let half = |_: &Value| {
        Answer::Other(Box::new(|socket, request| {
            let message = merged(request, json!({"uri": "data:x;base64,AAAA"})).to_string();
            let _ = send_fragment(socket, &message.as_bytes()[..20], Data::Text, false);
            let _ = socket.get_mut().shutdown(std::net::Shutdown::Both);
        }))
    };
    contains(refused("half", "", 4, half), "the connection is lost");
    // A frame is announced, but never comes.
    let announced = |_: &Value| {
        Answer::Other(Box::new(|socket, _| {
            let _ = socket.get_mut().write_all(&[0x81, 127, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]);
        }))
    };
    contains(refused("too-long", "", 3, announced), "a message is longer than 128 MiB");
    let silent = |_: &Value| Answer::Other(Box::new(|_, _| {}));
    let message = refused("silent", "--timeout 0.5", 4, silent);
    contains(message, "gpu.record.dump: no complete answer within 0.5 s; a game that is paused");
    // Bytes that trickle in do not extend the time.
    let slow = |_: &Value| {
        Answer::Other(Box::new(|socket, _| {
            let mut code = Data::Text;
            while send_fragment(socket, b" ", code, false).is_ok() {
                code = Data::Continue;
                thread::sleep(Duration::from_millis(50));
            }
        }))
    };
    contains(refused("slow", "--timeout 0.5", 4, slow), "no complete answer within 0.5 s");
    let endless = |_: &Value| {
        Answer::Other(Box::new(|socket, _| {
            let mut code = Data::Text;
            while send_fragment(socket, &[b' '; 1 << 20], code, false).is_ok() {
                code = Data::Continue;
            }
        }))
    };
    contains(refused("endless", "--timeout 300", 3, endless), "a message is longer than 128 MiB");
    // Earlier frames stay.
    let folder = empty_folder("second");
    let dump = dumps(&folder, 1).remove(0);
    let mut sent = false;
    let (address, _) = serve(move |name, _| {
        greeting(name).unwrap_or_else(|| match std::mem::replace(&mut sent, true) {
            false => Answer::File("x", dump.clone()),
            true => Answer::End,
        })
    });
    let run = pspge_in(&folder, &format!("capture {address} -o new/frame.ppdmp --frames 2"));
    assert_eq!(run.status.code(), Some(4), "{}", text(&run.stderr));
    assert_eq!(files(&folder.join("new")), ["frame-0001.ppdmp"], "whole frames only");
}

#[test]
fn addresses_without_a_game_are_refused() {
    let folder = empty_folder("refused");
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let run = |arguments: &str, status: i32, part: &str| {
        let run = pspge_in(&folder, arguments);
        let message = text(&run.stderr);
        assert_eq!(run.status.code(), Some(status), "{arguments}: {message}");
        assert!(message.contains(part), "{arguments}: {message}");
        text(&run.stdout)
    };
    let printed = run(&format!("capture ws://{free} --json"), 4, "no connection");
    let [error] = schema_check::checked(printed.as_bytes()).try_into().expect("a document");
    assert_eq!(error["error"]["code"], "connection", "{error}");
    for (members, part) in [
        (json!({"game": null, "paused": false}), "the emulator runs no game"),
        (json!({"game": {"id": "A"}, "paused": true}), "the game is paused"),
        (
            json!({"game": {"id": "A"}, "paused": false, "stepping": true}),
            "the game is stopped in the emulator's debugger",
        ),
    ] {
        let (address, _) = serve(move |_, _| Answer::Members(members.clone()));
        run(&format!("capture {address}"), 4, part);
    }
    // This server speaks another protocol.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    });
    run(&format!("capture ws://{address}"), 3, "this is no debugger of PPSSPP: HTTP error: 404");
    run("capture localhost", 2, "Allow remote debugger");
    run(&format!("capture ws://{free} -o - --json"), 2, "--output -");
    copy_sample("anemone.pmdl", &folder.join("file/anemone.pmdl"));
    run(&format!("capture ws://{free} -o file/anemone.pmdl/x.ppdmp"), 4, "file/anemone.pmdl");
    assert_eq!(files(&folder), ["file"], "no other file");
}
