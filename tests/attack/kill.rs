//! A program that is killed while it saves leaves the old file or the new one, whole.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use delassus::scene;

use crate::count;
use crate::dice::Dice;

/// Which file the child saves, over and over.
const FILE: &str = "DELASSUS_ATTACK_FILE";

/// The texts that are saved in turn: long enough that writing one takes its time, and told apart by their first
/// letters.
fn text(turn: u64) -> String {
    let letter = ["a", "b", "c"][(turn % 3) as usize];
    format!("(version: 1, title: \"{letter}\")\n// {}\n", letter.repeat(2_000_000 + 100_000 * (turn % 3) as usize))
}

/// What the child does, until it is killed.
#[test]
#[ignore = "run by the test below"]
fn child_saves_until_it_is_killed() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let begin = Instant::now();
    for turn in 1.. {
        scene::save(Path::new(&file), &text(turn)).unwrap();
        // In case nobody kills it.
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
        // Once it is at work, at any moment of it.
        let begin = Instant::now();
        while std::fs::read_to_string(&file).unwrap() == texts[0] && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(dice.next() % 40_000));
        // On Unix this is SIGKILL: nothing of the child runs after it.
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
