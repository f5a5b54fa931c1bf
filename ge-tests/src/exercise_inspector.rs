//! Asks the inspector everything about a file, as its page does.
//!
//! This is for damaged inputs. Every failure is an answer, so only a panic or an endless loop is a finding.

use pspge::ge::limits::Limits;
use pspge::inspect::{Inspector, Message};
use serde_json::{Value, json};

/// Opens a file and asks the inspector about it.
///
/// # Panics
/// If the library has a bug.
pub fn file(bytes: &[u8], limits: Limits) {
    let inspector = Inspector::new(limits);
    for damaged in [bytes, bytes.get(..bytes.len() / 2).unwrap_or_default()] {
        assert!(Message::decode(&inspector.handle(damaged)).is_ok(), "any bytes are answered");
    }
    let opened = ask(&inspector, &json!({"request": "open", "name": "input"}), bytes);
    let other =
        ask(&inspector, &json!({"request": "open", "name": "other#1", "member": "0", "input": 1}), bytes);
    for answer in [&opened, &other] {
        assert!(answer["answer"] == "input" || !answer["error"]["message"].is_null(), "{answer}");
    }
    for request in about_parts() {
        let answer = ask(&inspector, &request, &[]);
        assert!(answer["answer"] != "error" || !answer["error"]["message"].is_null(), "{request}: {answer}");
    }
    if opened["is_runnable"] != json!(true) {
        return;
    }
    let events = ask(&inspector, &json!({"request": "events"}), &[]);
    let end = events["count"].as_u64().unwrap_or(0);
    assert_eq!(events["events"].as_array().map(Vec::len), usize::try_from(end).ok(), "all of them");
    for event in [end / 2, end] {
        for request in about(event) {
            let answer = ask(&inspector, &request, &[]);
            assert!(answer["answer"].is_string(), "{request}: {answer}");
        }
    }
    let beyond = ask(&inspector, &json!({"request": "state", "event": end + 1}), &[]);
    assert_eq!(beyond["error"]["code"], "no-such-event", "{beyond}");
}

/// Builds requests to ask about members, alternatives and stored textures.
fn about_parts() -> Vec<Value> {
    let part = |part: Value| json!({"request": "part", "run": {"part": part}});
    let mut requests = vec![
        json!({"request": "members"}),
        part(json!({"lod": 1, "group": 1, "hidden": true})),
        json!({"request": "stored-texture", "texture": 0, "palette": 1, "max": 16}),
    ];
    for member in ["0", "1/0", "pmo", "../x", ""] {
        requests.push(json!({"request": "members", "member": member}));
        requests.push(part(json!({"member": member})));
        requests
            .push(json!({"request": "stored-texture", "run": {"part": {"member": member}}, "texture": 0}));
    }
    requests
}

/// Builds requests to ask about an event and the moment after it.
fn about(event: u64) -> Vec<Value> {
    let at = json!({"event": event, "after": true});
    let memory = |format: &str, width: u32| json!({"kind": "memory", "address": 0x10_0000, "format": format, "width": width, "height": 16});
    let pictures = [
        json!({"kind": "screen"}),
        json!({"kind": "color"}),
        json!({"kind": "depth"}),
        json!({"kind": "texture"}),
        json!({"kind": "texture", "level": 7}),
        memory("CLUT8", 64),
        memory("DXT5", 5000),
    ];
    let pictures =
        pictures.map(|source| json!({"request": "picture", "at": at, "source": source, "max": 96}));
    let skipped = json!({"edits": [format!("--skip event:{event}"), "--set ZTEST=NEVER"]});
    let buffer =
        json!({"address": 0x0400_0000, "stride": 512, "format": "BGR5650", "width": 64, "height": 64});
    let others = [
        json!({"request": "coverage", "event": event}),
        json!({"request": "heat", "kind": "overdraw", "at": at, "buffer": buffer}),
        json!({"request": "heat", "kind": "cost", "at": at, "buffer": buffer}),
        json!({"request": "state", "event": event}),
        json!({"request": "draw", "event": event}),
        json!({"request": "pixel", "x": event, "y": 5, "until": event}),
        json!({"request": "passes"}),
        json!({"request": "memory", "at": at, "address": 0x0880_0000_u32, "length": 4096}),
        json!({"request": "commands", "event": event, "limit": 100}),
        json!({"request": "events", "run": skipped}),
        json!({"request": "diff", "a": {}, "b": skipped}),
        json!({"request": "model", "width": 64, "height": 48}),
        json!({"request": "export", "what": "png", "at": at}),
        json!({"request": "export", "what": "trim", "at": at}),
        json!({"request": "export", "what": "dump"}),
        json!({"request": "export", "what": "gltf"}),
    ];
    pictures.into_iter().chain(others).collect()
}

/// Sends a request as the page does.
fn ask(inspector: &Inspector, request: &Value, bytes: &[u8]) -> Value {
    let message = Message { json: request.to_string(), bytes: bytes.to_vec() };
    let answer = Message::decode(&inspector.handle(&message.encode())).expect("a message");
    serde_json::from_str(&answer.json).expect("JSON")
}
