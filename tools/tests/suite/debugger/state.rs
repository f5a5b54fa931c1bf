//! Tests `pspge state`: events, the state at each, changes and writers.

use ge_tests::{schema_check, snapshot};

use crate::support::{document, list_and_model, output, pspge_in, text};

/// Two draws with a transfer and a change of state between them.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(points) | VTYPE position=BITS16 through=1 | VADDR lo(points)
    PRIM primitive=POINTS count=2
    TRANSFERSIZE x=7 y=3 | TRANSFERSTART 1
    BLENDENABLE 1 | BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA equation=ADD
    WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1.0 | WORLDMATRIXDATA 2.0
    PRIM primitive=POINTS count=1
    FINISH | END
.align 4
points: .s16 0 0 0 1 1 0 2 2 0
";

#[test]
fn states_as_text() {
    let folder = list_and_model("text", LIST);
    let shown: Vec<String> = ["--events", "--event 1", "--draw 1", "--draw 1 --after"]
        .map(|arguments| {
            format!(
                "$ pspge state list.ge {arguments}\n{}",
                output(&folder, &format!("state list.ge {arguments}"))
            )
        })
        .into();
    snapshot::assert("state_text", &shown.join("\n"));
}

#[test]
fn changes_name_their_writers() {
    let folder = list_and_model("changes", LIST);
    let state = document(&folder, "state list.ge --draw 1 --json");
    assert_eq!(state["event"]["event"], 2, "the event of the draw");
    assert_eq!(state["previous_event"]["kind"], "transfer", "the event before");
    let changes = state["changes"].as_array().expect("a list");
    let names: Vec<&str> = changes.iter().filter_map(|change| change["register"].as_str()).collect();
    assert_eq!(names, ["BLENDENABLE", "BLENDMODE", "TRANSFERSTART"], "since the event before");
    let blend = &changes[1];
    assert_eq!(blend["fields"]["source"]["after"], "SOURCE_ALPHA", "a field");
    assert_eq!(blend["writer"]["command"], 11, "number of the command");
    assert_eq!(blend["writer"], state["writers"]["BLENDMODE"], "the same writer");
    let matrix = &state["matrix_changes"][0];
    assert_eq!((&matrix["matrix"], &matrix["elements"]), (&"world".into(), &vec![0, 1].into()), "a matrix");
    assert_eq!(matrix["writers"][1]["command"], 14, "its writer");
    assert_eq!(state["writers"]["FOGENABLE"]["kind"], "start", "never written");
    assert_eq!(state["state"]["blend"]["enabled"], true, "the typed state");
}

#[test]
fn after_an_event_is_before_the_next() {
    let folder = list_and_model("after", LIST);
    for (first, second) in [
        ("--event 0 --after", "--event 1"),
        ("--draw 0 --after", "--event 1"),
        ("--event 2 --after", ""),
        ("--draw 0", "--event 0"),
    ] {
        let [first, second] = [first, second]
            .map(|arguments| output(&folder, format!("state list.ge --json {arguments}").trim()));
        assert_eq!(first, second, "the same moment");
    }
}

#[test]
fn the_state_of_a_draw_is_that_of_the_trace() {
    let folder = list_and_model("trace", LIST);
    let traced = pspge_in(&folder, "trace lampwing.pac --registers --json").stdout;
    for traced in schema_check::checked(&traced).iter().filter(|document| document["draw"].is_u64()) {
        let draw = &traced["draw"];
        let state = document(&folder, &format!("state lampwing.pac --json --draw {draw}"));
        assert_eq!(state["state"], traced["state"], "draw {draw}");
        assert_eq!(state["draw_text"], traced["text"], "draw {draw}");
    }
}

#[test]
fn missing_events_are_errors() {
    let folder = list_and_model("missing", LIST);
    for (arguments, message) in [
        ("--event 3", "--event cannot apply: event 3 is beyond the end: the run has 3 events, 0 to 2"),
        ("--draw 2", "--draw cannot apply: the run has 2 draws, 0 to 1, but not 2"),
    ] {
        let output = pspge_in(&folder, &format!("state list.ge {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(text(&output.stderr).contains(message), "{arguments}: {}", text(&output.stderr));
    }
}
