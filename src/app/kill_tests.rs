//! If the program is killed while it writes its recovery copy, the copy is complete: either the old one or the new
//! one.

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use super::recovery::Recovery;
use crate::session::{Command, Edit, Session};

/// The folder next to which the child process writes its copies.
const FOLDER: &str = "DELASSUS_ATTACK_FOLDER";

/// Unsaved work, long enough to take some time to write; each has different text.
fn work(turn: usize) -> Session {
    let about = ["a", "b", "c"][turn].repeat(200_000 + 20_000 * turn);
    let text = format!(
        "(version: 1, title: \"{turn}\", about: \"{about}\", bodies: [(name: \"x\", shape: Sphere(radius: 1)), (name: \
         \"y\", shape: Sphere(radius: 1), at: (3, 0, 0))])"
    );
    let mut session = Session::from_text(&text, "work.ron").expect("a scene");
    let edit = Edit::Remove { bodies: vec!["x".into()], joints: vec![] };
    session.dispatch(Command::Edit { edit, gesture: None }).expect("it is there");
    session
}

/// The recovery copy of the process with this id.
fn copy(folder: &Path, process: u32) -> Option<String> {
    std::fs::read_to_string(folder.join(format!("recovery/{process}.ron"))).ok()
}

/// The child process, until it is killed. The interval of writing is set to zero through the environment.
#[test]
#[ignore = "run by the test below"]
fn child_keeps_its_work_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut recovery = Recovery::new(Some(Path::new(&folder)));
    let work = [0, 1, 2].map(work);
    let begin = Instant::now();
    // Limited, in case it is not killed.
    for session in work.iter().cycle().take_while(|_| begin.elapsed() < Duration::from_secs(20)) {
        recovery.keep(session).expect("it can be written");
    }
}

#[test]
fn a_program_killed_while_it_keeps_unsaved_work_leaves_a_whole_copy() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let kills = number("DELASSUS_ATTACK").map_or(10, |count| count.div_ceil(100).min(2000));
    let mut dice = super::random_tests::Dice::new(number("DELASSUS_SEED").unwrap_or(1));
    let folder = tempfile::tempdir().expect("a folder");
    // The complete copies.
    let whole = [0, 1, 2].map(|turn| crate::scene::write(work(turn).scene().expect("a scene")));
    let mut seen = [0_u64; 3];
    for kill in 0..kills {
        let mut child = Process::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "app::kill_tests::child_keeps_its_work_until_it_is_killed", "--ignored"])
            .env(FOLDER, folder.path())
            .env("DELASSUS_KEEP_EVERY", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("this test can be run");
        // At any moment of its work, mostly after the first copy exists.
        let begin = Instant::now();
        let at_work = |now: u32| kill % 8 == 0 || copy(folder.path(), now).is_some();
        while !at_work(child.id()) && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        // On a slow machine a copy takes longer, too.
        let most = begin.elapsed().as_micros() as u64 / 2 + 40_000;
        std::thread::sleep(Duration::from_micros(dice.next() % most));
        // On Unix this is SIGKILL: the child executes nothing after it.
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        let Some(left) = copy(folder.path(), child.id()) else { continue };
        let (head, text) = left.split_once('\n').unwrap_or_default();
        match whole.iter().position(|whole| whole == text) {
            Some(turn) => seen[turn] += 1,
            None => {
                panic!("{} bytes, which are none of the three: {head:?} {:?}", left.len(), &text[..text.len().min(60)])
            }
        }
        // The next start offers it, and it can be opened.
        let found = Recovery::new(Some(folder.path())).found();
        let mine = found.iter().find(|found| found.text == left).expect("it is offered");
        let mut next = Session::new();
        next.dispatch(Command::Recover { text: mine.text.clone(), file: None }).expect("a good scene");
        assert!(next.is_dirty());
        std::fs::remove_file(&mine.copy).expect("it is there");
    }
    assert!(seen.iter().sum::<u64>() > kills / 2, "hardly ever at work: {seen:?}");
}
