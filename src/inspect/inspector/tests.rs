//! Requests as a page sends them, and their answers.

use serde_json::{Value, json};

use super::*;

/// Two rectangles, with the second behind the first, and then a block transfer to copy them.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x88000 | ZBUFWIDTH width=512
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535 | ZTESTENABLE 1 | BASE hi(squares)
    VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(squares)
    ZTEST ALWAYS | PRIM primitive=RECTANGLES count=2
    ZTEST GREATER_EQUAL | PRIM primitive=RECTANGLES count=2
    TRANSFERSRC 0 | TRANSFERSRCW width=512 high=4 | TRANSFERDST 0x100000 | TRANSFERDSTW width=512 high=4
    TRANSFERSIZE x=31 y=15 | TRANSFERSTART 1
    FINISH | END
    .align 4
    squares: .rgba #c02020ff | .s16 4 2 0x2000 | .align 4 | .rgba #c02020ff | .s16 20 10 0x2000 | .align 4
             .rgba #2040c0ff | .s16 10 4 0x1000 | .align 4 | .rgba #2040c0ff | .s16 30 12 0x1000 | .align 4";

fn inspector() -> Inspector {
    let inspector = Inspector::new(Limits::default());
    let (answer, _) = ask_with(&inspector, json!({"request": "open", "name": "a.ge"}), LIST.as_bytes());
    assert_eq!(answer["kind"], "list", "{answer}");
    inspector
}

fn ask(inspector: &Inspector, request: Value) -> (Value, Vec<u8>) {
    ask_with(inspector, request, &[])
}

/// Sends a request as a page does.
fn ask_with(inspector: &Inspector, request: Value, bytes: &[u8]) -> (Value, Vec<u8>) {
    let message = Message { json: request.to_string(), bytes: bytes.to_vec() };
    let answer = Message::decode(&inspector.handle(&message.encode())).expect("a message");
    (serde_json::from_str(&answer.json).expect("JSON"), answer.bytes)
}

/// Returns a pixel's colour in the picture at a moment.
fn pixel(inspector: &Inspector, run: Value, at: Value, [x, y]: [usize; 2]) -> [u8; 4] {
    let request = json!({"request": "picture", "run": run, "at": at, "source": {"kind": "color"}});
    let (answer, bytes) = ask(inspector, request);
    assert_eq!(answer["pixels"], "rgba8", "{answer}");
    let width = usize::try_from(answer["width"].as_u64().expect("a width")).expect("small");
    let start = (y * width + x) * 4;
    bytes[start..start + 4].try_into().expect("four bytes")
}

#[test]
fn pictures_show_every_moment() {
    let inspector = inspector();
    let at = |event: u32, after: bool| json!({"event": event, "after": after});
    let seen = |event, after, x| pixel(&inspector, json!({}), at(event, after), [x, 5]);
    assert_eq!(seen(0, false, 12), [0; 4], "before the first draw");
    assert_eq!(seen(0, true, 12), [0xC0, 0x20, 0x20, 0], "after it; alpha is stencil");
    assert_eq!(seen(1, true, 12), [0xC0, 0x20, 0x20, 0], "the depth test keeps it");
    assert_eq!(seen(1, true, 25), [0x20, 0x40, 0xC0, 0], "beside it");
    assert_eq!(seen(3, false, 25), [0x20, 0x40, 0xC0, 0], "the end");
    let (screen, _) = ask(&inspector, json!({"request": "picture", "source": {"kind": "screen"}}));
    assert_eq!((&screen["width"], &screen["format"]), (&json!(480), &json!("ABGR8888")), "the end: {screen}");
    let depth = json!({"request": "picture", "at": at(1, true), "source": {"kind": "depth"}});
    let (answer, bytes) = ask(&inspector, depth);
    assert_eq!((&answer["pixels"], &answer["format"]), (&json!("depth16"), &json!("DEPTH16")), "{answer}");
    let width = usize::try_from(answer["width"].as_u64().expect("a width")).expect("small");
    let place = (5 * width + 12) * 2;
    assert_eq!(bytes[place..place + 2], [0x00, 0x20], "0x2000");
}

#[test]
fn edits_change_runs_and_are_kept_apart() {
    let inspector = inspector();
    let edited = json!({"edits": ["--set ZTEST=ALWAYS@1"]});
    let end = json!({"event": 3});
    assert_eq!(pixel(&inspector, edited.clone(), end.clone(), [12, 5])[0], 0x20, "the second is in front");
    assert_eq!(pixel(&inspector, json!({}), end.clone(), [12, 5])[0], 0xC0, "without the edit");
    assert_eq!(pixel(&inspector, json!({"edits": ["--skip 0"]}), end.clone(), [6, 5])[0], 0, "left out");
    let (diff, _) = ask(&inspector, json!({"request": "diff", "a": {}, "b": edited}));
    assert_eq!(diff["document"]["draw"], 1, "{}", diff["document"]["text"]);
    let wrong = json!({"request": "events", "run": {"edits": ["--set ZTEST=SOMETIMES"]}});
    let (answer, _) = ask(&inspector, wrong);
    assert_eq!((&answer["answer"], &answer["error"]["code"]), (&json!("error"), &json!("edit")), "{answer}");
}

#[test]
fn events_have_their_facts() {
    let inspector = inspector();
    let (answer, _) = ask(&inspector, json!({"request": "events", "run": {"edits": ["--skip event:2"]}}));
    assert_eq!((&answer["count"], &answer["is_complete"]), (&json!(3), &json!(true)), "{answer}");
    let rows = answer["events"].as_array().expect("rows");
    assert_eq!(rows[0]["box"], json!({"left": 4, "top": 2, "right": 19, "bottom": 9}), "16 by 8 pixels");
    assert_eq!((&rows[0]["covered"], &rows[1]["covered"]), (&json!(128), &json!(160)), "fragments");
    assert_eq!(
        (&rows[0]["passed"], &rows[1]["passed"]),
        (&json!(128), &json!(100)),
        "the first hides 60 of the second"
    );
    assert_eq!(rows[0]["primitives"], json!({"all": 1, "drawn": 1, "culled": 0, "flat": 0}), "one rectangle");
    assert_eq!((&rows[2]["passed"], &rows[2]["primitives"]), (&json!(0), &Value::Null), "it is left out");
    assert_eq!(rows[1]["state"], json!(["depth GREATER_EQUAL"]), "in the words of a trace");
    assert_eq!(rows[1]["registers"], json!(["ZTEST"]), "written between the draws");
    assert_eq!((&rows[0]["pass"], &rows[2]["pass"]), (&json!(0), &Value::Null), "a transfer has no pass");
    let left_out: Vec<bool> = rows.iter().map(|row| row["is_left_out"] == json!(true)).collect();
    assert_eq!(left_out, [false, false, true], "the transfer");
    assert_eq!(answer["buffers"][0]["width"], 480, "as far as the scissor");
}

#[test]
fn each_page_keeps_its_file() {
    let inspector = inspector();
    let (first, _) = ask(&inspector, json!({"request": "input"}));
    let at = json!({"event": 1});
    let run = json!({"file": first["file"]});
    // Another page opens another file.
    let open = |list: &str| {
        let request = json!({"request": "open", "name": "b.ge"});
        let (answer, _) = ask_with(&inspector, request, list.as_bytes());
        assert_ne!(answer["file"], first["file"], "{answer}");
    };
    open(&LIST.replace("#c02020ff", "#20c020ff"));
    assert_eq!(pixel(&inspector, json!({}), at.clone(), [12, 5])[0], 0x20, "the newest");
    assert_eq!(pixel(&inspector, run.clone(), at.clone(), [12, 5])[0], 0xC0, "that of the first page");
    for _ in 0..KEPT_FILES {
        open(LIST);
    }
    let (answer, _) = ask(&inspector, json!({"request": "events", "run": run}));
    assert_eq!(answer["error"]["code"], "file-gone", "never another file: {answer}");
}

#[test]
fn clears_name_their_planes() {
    let inspector = inspector();
    let list = LIST.replacen("ZTEST ALWAYS", "CLEARMODE enabled=1 depth=1 | FOGENABLE 1 | ZTEST ALWAYS", 1);
    ask_with(&inspector, json!({"request": "open", "name": "b.ge"}), list.as_bytes());
    let (answer, _) = ask(&inspector, json!({"request": "events"}));
    let planes = json!({"enabled": true, "color": false, "stencil": false, "depth": true});
    assert_eq!(answer["events"][0]["clears"], planes, "depth alone");
    assert_eq!(answer["events"][0]["switches"], json!(["FOGENABLE", "ZTESTENABLE"]), "what is on");
    assert_eq!(answer["events"][0]["state"], json!([]), "a clear has no tests");
    assert_eq!(answer["events"][2]["switches"], json!([]), "a transfer has none");
}

#[test]
fn coverage_and_heat_count_fragments() {
    let inspector = inspector();
    let (answer, bytes) = ask(&inspector, json!({"request": "coverage", "event": 1}));
    assert_eq!((&answer["left"], &answer["width"], &answer["pixels"]), (&json!(10), &json!(20), &json!(160)));
    assert!(bytes.len() == 160 && bytes.iter().all(|count| *count == 1), "each once");
    let buffer =
        json!({"address": 0x0400_0000, "stride": 512, "format": "ABGR8888", "width": 40, "height": 20});
    let heat = |kind: &str, event: u32| {
        let at = json!({"event": event});
        ask(&inspector, json!({"request": "heat", "kind": kind, "at": at, "buffer": buffer.clone()}))
    };
    assert_eq!(heat("overdraw", 1).0["total"], 128, "the first alone");
    let (answer, bytes) = heat("overdraw", 3);
    assert_eq!((&answer["largest"], &answer["total"]), (&json!(1), &json!(128 + 100)), "behind it: 60 fail");
    assert_eq!(bytes.len(), 40 * 20 * 4, "a value for each pixel");
    let (answer, _) = heat("cost", 3);
    assert!(answer["total"].as_u64() > Some(288_000), "at least a plain fragment each: {answer}");
    let (answer, _) = ask(&inspector, json!({"request": "coverage", "event": 2}));
    assert_eq!(answer["error"]["code"], "inapplicable", "a transfer");
}

#[test]
fn state_names_writers_and_commands_explain_them() {
    let inspector = inspector();
    let (answer, _) = ask(&inspector, json!({"request": "state", "event": 1}));
    let groups = answer["groups"].as_array().expect("groups");
    let rows = groups.iter().flat_map(|group| group["registers"].as_array().expect("registers"));
    let ztest = rows.clone().find(|row| row["name"] == "ZTEST").expect("a row");
    assert_eq!((&ztest["text"], &ztest["before_text"]), (&json!("GREATER_EQUAL"), &json!("ALWAYS")));
    assert_eq!(ztest["fields"][0]["text"], "GREATER_EQUAL", "as an edit takes it");
    let command = ztest["writer"]["command"].as_u64().expect("a command");
    let (answer, _) = ask(&inspector, json!({"request": "commands", "event": 1}));
    let commands = answer["commands"].as_array().expect("commands");
    assert_eq!(commands[0]["command"].as_u64(), Some(command), "the first after the draw before");
    assert_eq!(commands.last().expect("some")["command"], answer["event_command"], "up to the draw");
    assert_eq!(commands.len(), 2, "ZTEST and PRIM");
    let (answer, _) = ask(&inspector, json!({"request": "commands", "event": 0}));
    let commands = answer["commands"].as_array().expect("commands");
    assert_eq!(commands[0]["command"], 0, "those before the first event, too");
    assert_eq!(commands.last().expect("some")["command"], answer["event_command"], "up to the first draw");
    let (answer, _) = ask(&inspector, json!({"request": "commands", "event": 3, "limit": 1}));
    assert_eq!((&answer["commands"][0]["name"], &answer["left_out"]), (&json!("END"), &json!(1)), "the end");
    let (answer, _) = ask(&inspector, json!({"request": "reference", "name": "ztest"}));
    assert_eq!(answer["document"]["name"], "ZTEST", "any case");
}

/// A list whose draws are two calls deep.
const CALLS: &str = "
    BASE hi(outer) | NOP | CALL lo(outer) | NOP | FINISH | END
    outer: VADDR lo(point) | CALL lo(inner) | RET
    inner: VTYPE position=BITS16 through=1 | PRIM primitive=POINTS count=1 | PRIM primitive=POINTS count=1 | RET
    point: .s16 1 1 0 | .align 4";

#[test]
fn commands_are_listed_from_any_on_with_their_callers() {
    let inspector = Inspector::new(Limits::default());
    ask_with(&inspector, json!({"request": "open", "name": "calls.ge"}), CALLS.as_bytes());
    let listed = |request: Value| {
        let (answer, _) = ask(&inspector, request);
        let numbers = answer["commands"].as_array().expect("commands").iter();
        let numbers: Vec<u64> = numbers.filter_map(|command| command["command"].as_u64()).collect();
        (numbers, answer["callers"].clone(), answer["total"].clone())
    };
    let call = |command: u64| {
        let (answer, _) =
            ask(&inspector, json!({"request": "commands", "event": 0, "first": command, "limit": 1}));
        answer["commands"][0]["address"].clone()
    };
    let (outer, inner) = (call(2), call(4));
    for (first, limit, numbers, callers) in [
        (0, 3, vec![0, 1, 2], json!([])),
        (3, 2, vec![3, 4], json!([outer])),
        (6, 2, vec![6, 7], json!([outer, inner])),
        (9, 1, vec![9], json!([outer])),
        (10, 100, vec![10, 11, 12], json!([])),
        (1000, 5, vec![], json!([])),
    ] {
        let request = json!({"request": "commands", "event": 0, "first": first, "limit": limit});
        assert_eq!(listed(request), (numbers, callers, json!(13)), "{limit} from {first} on");
    }
    let of_event = listed(json!({"request": "commands", "event": 1}));
    assert_eq!(of_event, (vec![7], json!([outer, inner]), json!(13)), "those of an event");
    for (from, backwards, text, found) in [
        (0, false, "PRIM", json!([6, 2])),
        (6, false, "prim", json!([7, 2])),
        (7, false, "prim", json!([null, 2])),
        (7, true, "prim", json!([6, 2])),
        (0, false, "no such text", json!([null, 0])),
    ] {
        let request = json!({"request": "find-command", "text": text, "from": from, "backwards": backwards});
        let (answer, _) = ask(&inspector, request);
        assert_eq!(json!([answer["command"], answer["count"]]), found, "{text} from {from}, {backwards}");
    }
}

#[test]
fn two_events_of_a_run_are_compared() {
    let inspector = inspector();
    let request = json!({"request": "diff", "a": {}, "b": {}, "events": [0, 1]});
    let (answer, _) = ask(&inspector, request);
    let document = &answer["document"];
    assert_eq!(document["is_different"], true, "{document}");
    let registers = document["registers"].as_array().expect("registers").iter();
    let names: Vec<&Value> = registers.map(|register| &register["register"]).collect();
    assert_eq!(names, ["ZTEST"], "{document}");
    let (answer, _) = ask(&inspector, json!({"request": "diff", "a": {}, "b": {}, "events": [0, 9]}));
    assert_eq!(answer["error"]["code"], "no-such-event", "{answer}");
}

#[test]
fn memory_names_the_events_that_use_it() {
    let inspector = inspector();
    let request = |address: u32| {
        let at = json!({"event": 3});
        let (answer, _) = ask(
            &inspector,
            json!({"request": "memory", "at": at, "address": address, "length": 4, "uses": true}),
        );
        let uses = answer["document"]["uses"].as_array().expect("uses").iter();
        uses.map(|found| json!([found["event"], found["kind"], found["is_write"]])).collect::<Vec<_>>()
    };
    // Pixel 12,5 is in both rectangles, and in the part copied by the transfer.
    let (pixel, copied) = ((5 * 512 + 12) * 4, 0x10_0000 + (5 * 512 + 12) * 4);
    let expected = [json!([0, "color", true]), json!([1, "color", true]), json!([2, "copy", false])];
    assert_eq!(request(pixel)[..3], expected);
    assert_eq!(request(copied), [json!([2, "copy", true])], "only the transfer");
    assert!(request(0x08A0_0000).is_empty(), "nothing there");
}

#[test]
fn memory_names_the_writers_of_its_bytes() {
    let inspector = inspector();
    let address = 0x0400_0000 + (5 * 512 + 12) * 4;
    let request =
        |event: u32| json!({"request": "memory", "at": {"event": event}, "address": address, "length": 4});
    let (answer, bytes) = ask(&inspector, request(3));
    assert_eq!(bytes, [0xC0, 0x20, 0x20, 0], "red");
    assert_eq!(answer["document"]["writers"][0]["event"], 0, "the first draw");
    let (answer, bytes) = ask(&inspector, request(0));
    assert_eq!((bytes, &answer["document"]["writers"]), (vec![0; 4], &json!([])), "before it");
    let (answer, _) = ask(&inspector, json!({"request": "pixel", "x": 12, "y": 5, "until": 0}));
    assert_eq!(answer["document"]["entries"].as_array().map(Vec::len), Some(1), "up to the first draw");
}

#[test]
fn models_turn_and_are_saved() {
    let inspector = Inspector::new(Limits::default());
    let bytes = include_bytes!("../../../tools/sample/anemone.pmdl");
    let (answer, _) = ask_with(&inspector, json!({"request": "open", "name": "x/anemone.pmdl"}), bytes);
    assert_eq!((&answer["kind"], &answer["is_runnable"]), (&json!("model"), &json!(true)), "{answer}");
    let turned = |yaw: f64| {
        let run = json!({"camera": {"yaw": yaw, "pitch": 10}});
        ask(&inspector, json!({"request": "model", "run": run, "width": 96, "height": 64})).1
    };
    assert_eq!(turned(0.0).len(), 96 * 64 * 4, "a picture");
    assert_ne!(turned(0.0), turned(90.0), "another side");
    for (what, name) in [("gltf", "anemone.glb"), ("png", "anemone.png"), ("dump", "anemone.ppdmp")] {
        let (answer, bytes) = ask(&inspector, json!({"request": "export", "what": what}));
        assert_eq!(answer["name"], name, "{answer}");
        assert!(bytes.len() > 100, "{what}: {} bytes", bytes.len());
    }
    let pose = json!({"pose": {"animation": 7, "frame": 0}});
    let (answer, _) = ask(&inspector, json!({"request": "events", "run": pose}));
    assert_eq!(answer["error"]["code"], "inapplicable", "no such animation");
}

#[test]
fn wrong_requests_are_answered() {
    let inspector = inspector();
    let code = |inspector: &Inspector, request: Value| ask(inspector, request).0["error"]["code"].clone();
    for (request, expected) in [
        (json!({"request": "dance"}), "request"),
        (json!({"request": "events", "mood": 1}), "request"),
        (json!({"request": "input", "input": 1}), "no-file"),
        (json!({"request": "input", "input": 9}), "no-file"),
        (json!({"request": "state", "event": 99}), "no-such-event"),
        (json!({"request": "picture", "at": {"event": 4}, "source": {"kind": "color"}}), "no-such-event"),
        (
            json!({"request": "picture", "at": {"event": 0}, "source": {"kind": "texture", "level": 300}}),
            "inapplicable",
        ),
        (
            json!({"request": "memory", "at": {"event": 0}, "address": 0, "length": 0x8000_0000_u32}),
            "too-large",
        ),
        (json!({"request": "pixel", "x": 5000, "y": 0}), "inapplicable"),
        (json!({"request": "reference", "name": "WINGS"}), "unknown-command"),
        (json!({"request": "model", "width": 64, "height": 64}), "inapplicable"),
    ] {
        assert_eq!(code(&inspector, request.clone()), expected, "{request}");
    }
    assert_eq!(
        Message::decode(&inspector.handle(b"?")).map(|message| message.json.contains("cut off")),
        Ok(true)
    );
    let empty = Inspector::new(Limits::default());
    assert_eq!(code(&empty, json!({"request": "events"})), "no-file", "nothing is open");
    let (answer, _) = ask_with(&empty, json!({"request": "open", "name": "junk.bin"}), &[7; 99]);
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["file"]),
        (&json!("unknown-format"), &json!("junk.bin"))
    );
}

/// A list that samples a texture with 8 by 8 texels, and the texture's address as an edit writes it.
fn textured() -> (String, String) {
    let list = LIST.replacen(
        "ZTEST ALWAYS",
        "TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=3 height_log2=3 | TEXADDR0 lo(clear)
         TEXBUFWIDTH0 width=8 high=hi(clear) | TEXFLUSH | ZTEST ALWAYS",
        1,
    ) + "\n .align 16 | clear: .fill 256 0x40";
    let assembled = crate::asm::assemble(&list).expect("a list");
    (list, assembled.symbols["clear"].to_string())
}

#[test]
fn pictures_replace_textures() {
    let inspector = inspector();
    let (list, address) = textured();
    ask_with(&inspector, json!({"request": "open", "name": "b.ge"}), list.as_bytes());
    // A picture in one colour, as PAM text.
    let picture = |side: u8, color: [u8; 4]| {
        let header =
            format!("P7\nWIDTH {side}\nHEIGHT {side}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n");
        [header.as_bytes(), &color.repeat(usize::from(side).pow(2))].concat()
    };
    let keep = |name: &str, bytes: &[u8]| {
        ask_with(&inspector, json!({"request": "keep-picture", "name": name}), bytes).0
    };
    let (green, blue) = ([0, 255, 0, 255], [0, 0, 255, 255]);
    assert_eq!(keep("new.pam", &picture(8, green))["name"], "new.pam");
    assert_eq!(keep("new.pam", &picture(8, blue))["name"], "2-new.pam", "another picture with this name");
    assert_eq!(keep("new.pam", &picture(8, green))["name"], "new.pam", "the same one again");
    let texel = |name: &str| {
        let run = json!({"edits": [format!("--replace-texture {address}={name}")]});
        let request =
            json!({"request": "picture", "run": run, "at": {"event": 0}, "source": {"kind": "texture"}});
        let (answer, bytes) = ask(&inspector, request);
        bytes.first_chunk().copied().ok_or(answer)
    };
    assert_eq!((texel("new.pam"), texel("2-new.pam")), (Ok(green), Ok(blue)), "what the draw samples");
    let missing = texel("other.png").expect_err("no picture");
    let message = missing["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("no picture named other.png"), "{missing}");
    for (bytes, part) in [(b"text".to_vec(), "new.pam"), (picture(255, green), "255x255")] {
        let answer = keep("new.pam", &bytes);
        let refused = answer["error"]["message"].as_str().unwrap_or_default();
        let later = texel("3-new.pam").err();
        let found = format!("{refused}{}", later.map_or(String::new(), |answer| answer.to_string()));
        assert!(found.contains(part), "{found}");
    }
    for number in 0..65 {
        keep(&format!("{number}.pam"), &picture(1, [number; 4]));
    }
    assert!(texel("new.pam").is_err(), "the oldest is forgotten");
}

#[test]
fn previews_of_textures_keep_their_alpha() {
    let inspector = inspector();
    let (list, _) = textured();
    ask_with(&inspector, json!({"request": "open", "name": "b.ge"}), list.as_bytes());
    let alpha = |source: Value| {
        let request = json!({"request": "picture", "at": {"event": 0}, "source": source, "max": 4});
        let (answer, bytes) = ask(&inspector, request);
        assert_eq!(answer["width"], 4, "{answer}");
        bytes[3]
    };
    assert_eq!(alpha(json!({"kind": "texture"})), 0x40, "of the texels");
    assert_eq!(alpha(json!({"kind": "color"})), 255, "a buffer's is stencil");
}
