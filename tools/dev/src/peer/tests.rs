//! Runs the task with shell programs that write down how they are called.

use std::sync::Mutex;

use super::*;

/// Held by tests that start programs, because a program cannot start while another thread's child has it open for
/// writing.
static STARTS: Mutex<()> = Mutex::new(());

fn args(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(str::to_owned)
}

fn problem<T: std::fmt::Debug>(result: io::Result<T>) -> String {
    result.expect_err("the task has to fail").to_string()
}

#[test]
fn arguments_are_parsed() {
    let parsed =
        parse(args("headless a.ppdmp --runs 3 b.ppdmp --pspge target/pspge")).expect("valid arguments");
    assert_eq!(parsed.peer, Path::new("headless"));
    assert_eq!(parsed.dumps, [Path::new("a.ppdmp"), Path::new("b.ppdmp")]);
    assert_eq!((parsed.runs, parsed.pspge), (3, Some("target/pspge".into())));
    let parsed = parse(args("headless a.ppdmp")).expect("valid arguments");
    assert_eq!((parsed.runs, parsed.pspge), (25, None));
    for wrong in
        ["", "headless", "headless a --runs 0", "headless a --runs", "headless a --pspge", "headless a --cpu"]
    {
        assert!(problem(parse(args(wrong))).contains(USAGE), "{wrong}");
    }
}

#[test]
fn missing_files_are_named() {
    let _starts = STARTS.lock();
    let never = || -> io::Result<Option<PathBuf>> { panic!("there is nothing to build for") };
    let missing = problem(run(args("/no/headless /no/frame.ppdmp"), never));
    assert!(missing.starts_with("/no/headless: "), "{missing}");
    let program = std::env::current_exe().expect("this test is a program");
    let missing =
        problem(run([program.display().to_string(), "/no/frame.ppdmp".to_owned()].into_iter(), never));
    assert!(missing.starts_with("/no/frame.ppdmp: "), "{missing}");
}

#[cfg(target_os = "linux")]
mod programs {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Makes a shell program. It logs its name, its option `--threads`, and how many processors it may use.
    fn program(folder: &Path, name: &str, picture: &str, rest: &str) -> PathBuf {
        let path = folder.join(name);
        let log = folder.join("log");
        let log = log.display();
        let text = format!(
            "#!/bin/sh\n\
             [ \"$1\" = --version ] && echo {name} 1.2 && exit\n\
             threads=-\n\
             for option; do\n\
                 case $last in --threads) threads=$option ;; --output) picture=$option ;; esac\n\
                 case $option in --screenshot-save=*) picture=${{option#*=}} ;; esac\n\
                 last=$option\n\
             done\n\
             entry=\"{name} $threads $(nproc)\"\n\
             before=$(grep -c \"$entry\" {log})\n\
             echo \"$entry\" >> {log}\n\
             {rest}\n\
             {picture}\n"
        );
        fs::write(&path, text).expect("the folder is writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is new");
        path
    }

    #[test]
    fn runs_are_taken_in_turn() {
        let _starts = STARTS.lock();
        let folder = std::env::temp_dir().join(format!("pspge-peer-test-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
        let draw = "echo BM > \"$picture\"";
        let pspge = program(&folder, "pspge", draw, "");
        // After two warm-ups, the runs take 500, 0 and 200 ms longer than a start.
        let peer = program(&folder, "peer", draw, "case $before in 2) sleep 0.5 ;; 4) sleep 0.2 ;; esac");
        let args = Args { peer, dumps: vec![folder.join("nova.ppdmp")], runs: 3, pspge: None };
        let limits = Machine::read().limits();
        let run = |args: &Args, pspge: &Path| {
            let mut out = Vec::new();
            measure(args, pspge, &limits, &folder, &mut out)
                .map(|()| String::from_utf8(out).expect("the table is text"))
        };

        let text = run(&args, &pspge).expect("both programs draw");
        let turn = |limit: &Limit| format!("pspge {0} {0}\npeer - {0}\n", limit.threads);
        let expected = limits.iter().map(turn).collect::<String>().repeat(WARM_UPS + 3);
        assert_eq!(fs::read_to_string(folder.join("log")).expect("the programs write it"), expected);
        let line = text.lines().nth(2).expect("a line for the frame");
        let numbers: Vec<f64> =
            line.split_whitespace().skip(1).filter_map(|text| text.parse().ok()).collect();
        assert!(line.starts_with("nova "), "{text}");
        assert_eq!(numbers.len(), 6 * limits.len(), "{text}");
        for numbers in numbers.chunks(6) {
            assert!((200.0..500.0).contains(&numbers[2]), "the median of the peer: {text}");
            assert!((0.1..200.0).contains(&numbers[3]), "the least time of the peer: {text}");
            assert!(numbers[0] >= numbers[1] && numbers[1] > 0.1, "the times of pspge: {text}");
        }

        let failing = program(&folder, "failing", draw, "seq 9; echo no memory >&2; exit 7");
        let failure = problem(run(&Args { peer: failing.clone(), ..args }, &pspge));
        assert_eq!(
            failure,
            format!("{}: exit status: 7\n  6\n  7\n  8\n  9\n  no memory", failing.display())
        );
        let idle = program(&folder, "idle", "echo File not found", "");
        let failure =
            problem(run(&Args { peer: failing, dumps: vec!["a".into()], runs: 1, pspge: None }, &idle));
        assert_eq!(failure, format!("{}: wrote no picture\n  File not found", idle.display()));
        fs::remove_dir_all(&folder).expect("the folder is this test's");
    }
}
