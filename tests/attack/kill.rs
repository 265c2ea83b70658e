//! If the program is killed while it saves, the file is complete: either the old one or the new one.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use delassus::scene;

use crate::count;
use crate::dice::Dice;

/// The file that the child process saves repeatedly.
const FILE: &str = "DELASSUS_ATTACK_FILE";

/// The texts that are saved in turn: long enough to take some time to write, with different first letters.
fn text(turn: u64) -> String {
    let letter = ["a", "b", "c"][(turn % 3) as usize];
    format!("(version: 1, title: \"{letter}\")\n// {}\n", letter.repeat(2_000_000 + 100_000 * (turn % 3) as usize))
}

/// The child process, until it is killed.
#[test]
#[ignore = "run by the test below"]
fn child_saves_until_it_is_killed() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let begin = Instant::now();
    for turn in 1.. {
        scene::save(Path::new(&file), &text(turn)).unwrap();
        // In case it is not killed.
        if begin.elapsed() > Duration::from_secs(20) {
            return;
        }
    }
}

#[test]
fn a_program_killed_while_saving_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.ron");
    let texts: Vec<_> = (0..3).map(text).collect();
    let mut dice = Dice::new(crate::seed());
    let mut seen = [0_u32; 3];
    for _ in 0..count(100).min(2000) {
        scene::save(&file, &texts[0]).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::child_saves_until_it_is_killed", "--ignored"])
            .env(FILE, &file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // At any moment after its first save.
        let begin = Instant::now();
        while std::fs::read_to_string(&file).unwrap() == texts[0] && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(dice.next() % 40_000));
        // On Unix this is SIGKILL: the child executes nothing after it.
        child.kill().unwrap();
        child.wait().unwrap();
        let left = std::fs::read_to_string(&file).unwrap();
        match texts.iter().position(|text| *text == left) {
            Some(which) => seen[which] += 1,
            None => panic!("{} bytes, which is none of the texts: {:?}", left.len(), &left[..left.len().min(60)]),
        }
    }
    assert!(seen.iter().filter(|n| **n > 0).count() > 1, "the child was never caught at work: {seen:?}");
}
