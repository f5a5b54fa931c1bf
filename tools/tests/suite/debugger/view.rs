//! Tests `pspge view`: the server, its access rules, and the page as a single file.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pspge::inspect::Message;

use crate::debugger::capture::{dumps, emulator};
use crate::support::{copy_sample, empty_folder, pspge_in, text};

/// A server that ends with the test.
struct Server {
    process: Child,
    /// The host with the port.
    host: String,
    path: String,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pspge"));
        command.current_dir(folder).arg("view").args(arguments).arg("--no-open");
        let mut process =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let address = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("an address: {line:?}"));
        let (host, path) = address.split_at(address.find('/').expect("a path"));
        Self { process, host: host.to_owned(), path: path.to_owned() }
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        stream.write_all((request + "\r\n").as_bytes()).expect("a request");
        stream.write_all(body).expect("a body");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("headers");
        let head = text(&answer[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head, answer[end + 4..].to_vec())
    }

    fn get(&self, name: &str) -> (u16, String, String) {
        let (status, head, body) =
            self.send("GET", &format!("{}{name}", self.path), &[("Host", &self.host)], &[]);
        (status, head, text(&body))
    }

    /// Asks a question, as the page does.
    fn ask(&self, json: &str) -> serde_json::Value {
        let message = Message { json: json.to_owned(), bytes: Vec::new() }.encode();
        let (status, _, body) =
            self.send("POST", &format!("{}api", self.path), &[("Host", &self.host)], &message);
        assert_eq!(status, 200, "{json}");
        let answer = Message::decode(&body).expect("a message");
        serde_json::from_str(&answer.json).expect("JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn pages_and_answers_are_served() {
    let folder = empty_folder("served");
    copy_sample("anemone.pmdl", &folder.join("anemone.pmdl"));
    let server = Server::start(&folder, &["anemone.pmdl"]);
    let (status, head, page) = server.get("");
    assert_eq!(status, 200, "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    assert!(head.contains("cache-control: no-store"), "{head}");
    assert!(!page.contains("<!--pspge:"), "all places are filled: {page}");
    let (status, head, _) = server.get("page/app.js");
    assert!(status == 200 && head.contains("content-type: text/javascript"), "{head}");
    let input = server.ask(r#"{"request": "input"}"#);
    assert_eq!((&input["kind"], &input["name"]), (&"model".into(), &"anemone.pmdl".into()), "{input}");
    let events = server.ask(r#"{"request": "events"}"#);
    assert!(events["count"].as_u64() > Some(0), "{events}");
    let wrong = server.ask("?");
    assert_eq!(wrong["error"]["code"], "request", "a typed error: {wrong}");
}

#[test]
fn frames_of_an_emulator_follow_each_other() {
    let folder = empty_folder("emulator");
    let (address, _) = emulator(dumps(&folder, 2));
    let server = Server::start(&folder, &[&address]);
    let (_, _, page) = server.get("");
    assert!(page.contains(&format!("<meta name=\"pspge-emulator\" content=\"{address}\">")), "{page}");
    let hash = || server.ask(r#"{"request": "input"}"#)["hash"].clone();
    let first = hash();
    let next = || server.send("POST", &format!("{}next", server.path), &[("Host", &server.host)], &[]).0;
    assert_eq!(next(), 204, "another frame");
    assert_ne!(hash(), first, "it is shown");
    assert_eq!(next(), 204, "the first again");
    assert_eq!(hash(), first, "it is shown");
    let (status, ..) = server.send("POST", &format!("{}next", server.path), &[("Host", "evil.example")], &[]);
    assert_eq!(status, 403, "others cannot record");
    let server = Server::start(&folder, &["packed/00.ge.ppdmp"]);
    let (status, ..) = server.send("POST", &format!("{}next", server.path), &[("Host", &server.host)], &[]);
    assert_eq!(status, 404, "a file has no next frame");
}

#[test]
fn others_are_refused() {
    let server = Server::start(&empty_folder("refused"), &[]);
    let api = format!("{}api", server.path);
    let host: &str = &server.host;
    for (path, headers) in [
        ("/", vec![("Host", host)]),
        ("/api", vec![("Host", host)]),
        ("/0123456789abcdef0123456789abcdef/", vec![("Host", host)]),
        (&server.path, vec![("Host", "evil.example")]),
        (&api, vec![("Host", "evil.example:80")]),
        (&api, vec![("Host", host), ("Origin", "http://evil.example")]),
        (&api, vec![("Host", host), ("Origin", "null")]),
    ] {
        for method in ["GET", "POST"] {
            let (status, ..) = server.send(method, path, &headers, &[]);
            assert_eq!(status, 403, "{method} {path} {headers:?}");
        }
    }
    for name in
        ["index.html", "../Cargo.toml", "..%2fCargo.toml", "%2e%2e/x", "engine%2fglue.js", "nothing.js"]
    {
        let (status, ..) = server.get(name);
        assert!(status == 404 || status == 403, "{name}: {status}");
    }
    let origin = format!("http://{host}");
    let message = Message { json: "{\"request\": \"input\"}".to_owned(), bytes: Vec::new() }.encode();
    let (status, _, body) = server.send("POST", &api, &[("Host", host), ("Origin", &origin)], &message);
    let answer = Message::decode(&body).map(|answer| answer.json).unwrap_or_default();
    assert!(status == 200 && answer.contains("no file is open"), "the page itself: {answer}");
}

#[test]
fn one_file_holds_the_input() {
    let folder = empty_folder("one-file");
    copy_sample("anemone.pmdl", &folder.join("anemone.pmdl"));
    let output = pspge_in(&folder, "view anemone.pmdl -o page.html");
    if output.status.success() {
        let page = fs::read_to_string(folder.join("page.html")).expect("a page");
        assert!(page.contains("data-input=\"anemone.pmdl\""), "the input");
        assert!(page.contains("id=\"pspge-engine\""), "the engine");
    } else {
        // This program was built without the engine.
        assert!(text(&output.stderr).contains("run `cargo dev web`"), "{}", text(&output.stderr));
        assert!(!folder.join("page.html").exists(), "no page");
    }
}

#[test]
fn files_of_a_folder_are_members() {
    let folder = empty_folder("view-folder");
    fs::create_dir_all(folder.join("set/inner")).expect("a folder");
    copy_sample("lampwing.pac", &folder.join("set/inner/lampwing.pac"));
    copy_sample("rover.rlb", &folder.join("set/rover.rlb"));
    let server = Server::start(&folder, &["set"]);
    let input = server.ask(r#"{"request": "input"}"#);
    assert_eq!((&input["kind"], &input["container"]), (&"folder".into(), &"set".into()), "{input}");
    let events = server.ask(r#"{"request": "events"}"#);
    assert_eq!(events["error"]["code"], "inapplicable", "{events}");
    let paths = |request: &str| {
        let members = server.ask(request)["members"].clone();
        let rows = members.as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| row["path"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(r#"{"request": "members"}"#), ["inner/lampwing.pac", "rover.rlb"]);
    let inner = paths(r#"{"request": "members", "member": "inner/lampwing.pac"}"#);
    assert_eq!(inner.first().map(String::as_str), Some("inner/lampwing.pac/0"), "{inner:?}");
    let part = |part: &str| server.ask(&format!(r#"{{"request": "part", "run": {{"part": {part}}}}}"#));
    let member = part(r#"{"member": "inner/lampwing.pac/2"}"#);
    assert_eq!(member["name"], "set/inner/lampwing.pac#2", "as a command takes it: {member}");
    assert_eq!(member["hash"], input["hash"], "the same file for the page");
    assert_eq!(part(r#"{"member": "rover.rlb", "lod": 2}"#)["kind"], "model");
    for (wrong, reason) in [
        (r#"{"member": "../lampwing.pac"}"#, "the folder has no file"),
        (r#"{"member": "/etc/passwd"}"#, "the folder has no file"),
        (r#"{"member": "rover.rlb", "lod": 7}"#, "--lod 7 cannot apply"),
    ] {
        let message = part(wrong)["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.contains(reason), "{wrong}: {message}");
    }
    let server = Server::start(&folder, &["set#rover.rlb"]);
    assert_eq!(server.ask(r#"{"request": "input"}"#)["kind"], "model", "a file of the folder");
    // The page holds the whole folder, and needs the engine.
    let output = pspge_in(&folder, "view set -o page.html");
    match fs::read_to_string(folder.join("page.html")) {
        Ok(page) => assert!(page.contains("data-input=\"set.zip\""), "an archive"),
        Err(_) => assert!(text(&output.stderr).contains("cargo dev web"), "{}", text(&output.stderr)),
    }
}

#[test]
fn pages_open_models_as_the_options_say() {
    let folder = empty_folder("view-options");
    copy_sample("rover.rlb", &folder.join("rover.rlb"));
    let server = Server::start(&folder, &["rover.rlb", "--lod", "1", "--anim", "0", "--frame", "3"]);
    let input = server.ask(r#"{"request": "input"}"#);
    assert_eq!(input["part"]["lod"], 1, "{input}");
    assert_eq!(input["pose"], serde_json::json!({"animation": 0, "frame": 3.0}), "{input}");
    let (status, _, page) = server.send(
        "POST",
        &format!("{}page", server.path),
        &[("Host", &server.host)],
        br##"{"run": {"part": {"lod": 2}}, "at": "#lod=2"}"##,
    );
    let page = text(&page);
    if status == 200 {
        assert!(
            page.contains("data-input=\"rover.rlb\"") && page.contains("content=\"#lod=2\""),
            "the file and its place"
        );
        assert!(page.contains("http-equiv=\"Content-Security-Policy\""), "no network");
    } else {
        // This program was built without the engine.
        assert_eq!((status, page.contains("run `cargo dev web`")), (501, true), "{page}");
    }
    let (status, ..) = server.send("POST", &format!("{}page", server.path), &[("Host", &server.host)], b"?");
    assert_eq!(status, 400, "no request");
}

#[test]
fn wrong_inputs_end_the_command() {
    let folder = empty_folder("wrong");
    fs::write(folder.join("junk.bin"), [7; 64]).expect("the file can be written");
    let output = pspge_in(&folder, "view junk.bin --no-open");
    assert!(
        !output.status.success() && text(&output.stderr).contains("junk.bin"),
        "{}",
        text(&output.stderr)
    );
    let taken = Server::start(&folder, &[]);
    let port = taken.host.rsplit(':').next().expect("a port").to_owned();
    let output = pspge_in(&folder, &format!("view --no-open --port {port}"));
    assert!(text(&output.stderr).contains(&format!("--port {port}")), "{}", text(&output.stderr));
}
