//! Processes with unsaved work that really end: killed, by a signal, by a panic, by a library that calls `exit`. Each
//! leaves a whole copy, and the next one recovers it and ends in turn.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::recovery::{Orders, Recovery, last_words};
use delassus_scene::Scene;
use delassus_session::UnsavedWork;

/// The folder next to which the child process writes its copies, and what it does.
const FOLDER: &str = "DELASSUS_ATTACK_FOLDER";
const TASK: &str = "DELASSUS_ATTACK_TASK";

/// Unsaved work with this title and a text that takes some time to write.
fn work(title: &str, length: usize) -> UnsavedWork {
    let scene = Scene { title: title.into(), about: title.repeat(length), ..Scene::default() };
    UnsavedWork { scene: Arc::new(scene), file: None, base: "".into() }
}

/// The three versions that the child writes in turn.
fn versions() -> [UnsavedWork; 3] {
    [0, 1, 2].map(|turn| work(["a", "b", "c"][turn], 200_000 + 20_000 * turn))
}

/// The child process: it does its task until it is killed.
#[test]
#[ignore = "run by the tests below"]
fn child() {
    let (Some(folder), Ok(task)) = (std::env::var_os(FOLDER), std::env::var(TASK)) else { return };
    let recovery = Recovery::new(Some(Path::new(&folder)));
    let orders = recovery.orders().expect("there is a folder");
    match task.as_str() {
        "writes" => write_on(&orders),
        end => lose(&recovery, &orders, end),
    }
}

/// Writes version after version, for a limited time in case it is not killed.
fn write_on(orders: &Orders) {
    let (versions, begin) = (versions(), Instant::now());
    for version in versions.iter().cycle().take_while(|_| begin.elapsed() < Duration::from_secs(20)) {
        orders.note(Some(version.clone()));
        orders.flush();
    }
}

/// Recovers the newest work, if there is any, goes on with it, and ends as it is told. Only the first version is
/// written in time; the second waits for the interval, which is an hour.
fn lose(recovery: &Recovery, orders: &Arc<Orders>, end: &str) {
    last_words::install(orders.clone()).expect("signals can be received");
    last_words::at_exit();
    let before = recovery.found().into_iter().next();
    let title = before.as_ref().map_or_else(|| "work".to_owned(), |found| found.title.clone());
    match before {
        Some(found) => {
            let (slot, _) = recovery.claim(&found.copy).expect("nobody else has it");
            orders.adopt(slot, Some(work(&title, 1)));
        }
        None => orders.note(Some(work(&title, 1))),
    }
    orders.flush();
    orders.note(Some(work(&format!("{title}+"), 1)));
    match end {
        "panics" => panic!("as it was told"),
        "exits" => std::process::exit(1),
        _ => {
            println!("ready");
            std::io::stdout().flush().expect("the test listens");
            std::thread::sleep(Duration::from_secs(60));
        }
    }
}

fn start(folder: &Path, task: &str, every: &str) -> Child {
    Process::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "kill_tests::child", "--ignored", "--nocapture"])
        .envs([(TASK, task), ("DELASSUS_KEEP_EVERY", every)])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this test can be run")
}

/// The titles of the lost work, newest first.
fn titles(folder: &Path) -> Vec<String> {
    Recovery::new(Some(folder)).found().into_iter().map(|found| found.title).collect()
}

/// Whether this title has what each end keeps. On a busy machine a killed process may have written its last edit, too.
fn left(title: &str, kept: &[&str]) -> bool {
    let (least, most) = (kept.concat().len(), kept.len());
    title
        .strip_prefix("work")
        .is_some_and(|marks| (least..=most).contains(&marks.len()) && marks.chars().all(|c| c == '+'))
}

/// Runs a process that loses work in this way.
fn run(folder: &Path, end: &str) {
    let mut child = start(folder, end, "3600");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    if end.starts_with("SIG") {
        assert!(lines.map_while(Result::ok).any(|line| line.contains("ready")), "{end}");
        let signal = end.trim_start_matches("SIG");
        let sent = Process::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(sent.expect("the system has kill").success());
    } else {
        lines.map_while(Result::ok).for_each(drop);
    }
    assert!(!child.wait().expect("it ends").success(), "{end}");
}

/// Only a process that is killed without notice loses what the interval had not written yet.
#[cfg(unix)]
#[test]
fn every_pair_of_ends_of_a_process_leaves_the_work() {
    const ENDS: [(&str, &str); 5] =
        [("SIGTERM", "+"), ("SIGKILL", ""), ("SIGHUP", "+"), ("panics", "+"), ("exits", "+")];
    for (first, kept) in ENDS {
        for (second, kept_then) in ENDS {
            let folder = tempfile::tempdir().expect("a folder");
            run(folder.path(), first);
            let found = titles(folder.path());
            assert!(found.len() == 1 && left(&found[0], &[kept]), "{first}: {found:?}");
            run(folder.path(), second);
            let found = titles(folder.path());
            assert!(found.len() == 1 && left(&found[0], &[kept, kept_then]), "{first}, then {second}: {found:?}");
        }
    }
}

#[test]
fn a_program_killed_while_it_keeps_unsaved_work_leaves_a_whole_copy() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let kills = number("DELASSUS_ATTACK").map_or(10, |count| count.div_ceil(100).min(2000));
    let mut dice = super::random_tests::Dice::new(number("DELASSUS_SEED").unwrap_or(1));
    let folder = tempfile::tempdir().expect("a folder");
    // The complete copies.
    let whole = versions().map(|version| delassus_scene::write(&version.scene));
    let is_written = || {
        let entries = std::fs::read_dir(folder.path().join("recovery")).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().extension().is_some_and(|ending| ending == "work"))
    };
    let mut seen = [0_u64; 3];
    for kill in 0..kills {
        let mut child = start(folder.path(), "writes", "0");
        // At any moment of its work, mostly after the first copy exists.
        let begin = Instant::now();
        while !(kill % 8 == 0 || is_written()) && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        // On a slow machine a copy takes longer, too.
        let most = begin.elapsed().as_micros() as u64 / 2 + 40_000;
        std::thread::sleep(Duration::from_micros(dice.next() % most));
        // On Unix this is SIGKILL: the child executes nothing after it.
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        let recovery = Recovery::new(Some(folder.path()));
        // The next start lists it, and it can be opened and discarded.
        for found in recovery.found() {
            let (slot, kept) = recovery.claim(&found.copy).expect("a whole copy");
            let turn = whole.iter().position(|whole| *whole == kept.text).expect("one of the three");
            seen[turn] += 1;
            slot.discard().expect("it is there");
        }
        assert!(!is_written(), "a copy is not listed");
    }
    assert!(seen.iter().sum::<u64>() > kills / 2, "hardly ever at work: {seen:?}");
}
