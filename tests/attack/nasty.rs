//! Scenes of the grammar given to the program, under limits of processor time and memory: it refuses them with a
//! message, runs them, or says in words why their run cannot be trusted. It never hangs, never panics, and never
//! writes a value that is not finite without saying so.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use delassus::scene;

use crate::dice::Dice;
use crate::{attack_at_once, count, grammar, seed};

/// Processor time that a run may take, s. Its steps have a limit of work, see `physics/work.rs`.
const SECONDS: u32 = 300;
/// Memory that it may take, KiB.
const MEMORY: u32 = 4_000_000;

#[test]
fn scenes_of_the_grammar_run_or_end_in_words() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nasty-{}-{}", seed(), std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (ran, distrusted) = (AtomicU64::new(0), AtomicU64::new(0));
    let refused = Mutex::new(Vec::new());
    // Half of them take some hundredths of a second, one of twenty several seconds, where the direct solver goes to its
    // limit of work. So the tests make few, and `scripts/attack` makes all.
    let many = if std::env::var_os("DELASSUS_ATTACK").is_some() { count(1) } else { count(40) };
    attack_at_once("nasty", many, |dice| {
        match one(&folder, dice)? {
            (0, _) => {
                ran.fetch_add(1, Ordering::Relaxed);
            }
            (3, _) => {
                distrusted.fetch_add(1, Ordering::Relaxed);
            }
            (_, said) => refused.lock().expect("no panic").push(said),
        }
        Ok(())
    });
    let (ran, distrusted) = (ran.into_inner(), distrusted.into_inner());
    let refused = refused.into_inner().expect("no panic");
    let count = refused.len() as u64;
    println!("{ran} ran, {distrusted} ended in words, {count} were refused");
    let first = &refused[..refused.len().min(10)];
    assert!(count < (ran + distrusted) / 2 + 5, "the grammar makes mistakes:\n{}", first.join("\n"));
    let _ = std::fs::remove_dir(&folder);
}

/// Makes one scene, runs it, and has the doctor examine it; returns the run's exit code and what it said. A scene that
/// fails is kept.
fn one(folder: &Path, dice: &mut Dice) -> Result<(i32, String), String> {
    let (scene, set) = (grammar::scene(dice), grammar::assignments(dice));
    let file = folder.join(format!("{:016x}.ron", dice.next()));
    std::fs::write(&file, scene::write(&scene)).map_err(|error| error.to_string())?;
    let tables: Vec<PathBuf> = ["csv", "bodies", "joints", "contacts"].iter().map(|t| file.with_extension(t)).collect();
    let mut arguments = vec!["run".to_owned(), file.display().to_string(), "--json".into()];
    // A step of the direct solver may take seconds.
    let direct = set.iter().any(|set| set == "solver.method=Direct");
    let steps = *dice.one(if direct { &["2", "3"] } else { &["5", "20"] });
    arguments.extend(["--steps".into(), steps.to_owned()]);
    for (name, table) in ["--csv", "--bodies", "--joints", "--contacts"].iter().zip(&tables) {
        arguments.extend([(*name).to_owned(), table.display().to_string()]);
    }
    arguments.extend(set.iter().flat_map(|set| ["--set".to_owned(), set.clone()]));
    let done = program(&arguments).and_then(|(code, said)| {
        if !matches!(code, 0 | 1 | 3) || code != 0 && said.trim().is_empty() {
            return Err(format!("exit code {code}: {said}"));
        }
        match tables.iter().find_map(|table| not_finite(table)).filter(|_| code == 0) {
            Some(what) => Err(format!("exit code 0 with {what}")),
            None => Ok((code, said)),
        }
    });
    let examined = program(&["doctor".to_owned(), file.display().to_string()]).and_then(|(code, said)| {
        let known = matches!(code, 0 | 1) && !said.trim().is_empty();
        if known { Ok(()) } else { Err(format!("doctor: exit code {code}: {said}")) }
    });
    tables.iter().for_each(|table| drop(std::fs::remove_file(table)));
    match done.and_then(|done| examined.map(|()| done)) {
        Ok(done) => {
            let _ = std::fs::remove_file(&file);
            Ok(done)
        }
        Err(what) => Err(format!("{what}\n  delassus {}", arguments.join(" "))),
    }
}

/// Runs the program within the limits; returns its exit code, and what it said.
fn program(arguments: &[String]) -> Result<(i32, String), String> {
    let limits = format!("ulimit -t {SECONDS} -v {MEMORY}; exec \"$0\" \"$@\"");
    let done = Command::new("sh")
        .args(["-c", &limits, env!("CARGO_BIN_EXE_delassus")])
        .args(arguments)
        .output()
        .map_err(|error| error.to_string())?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().chars().take(2000).collect::<String>();
    match done.status.code() {
        Some(code) => Ok((code, if done.stderr.is_empty() { said(&done.stdout) } else { said(&done.stderr) })),
        None => Err(format!("{}: {}", done.status, said(&done.stderr))),
    }
}

/// The first cell of a table that is not finite.
fn not_finite(table: &Path) -> Option<String> {
    let text = std::fs::read_to_string(table).ok()?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next()?.split(',').collect();
    lines.find_map(|line| {
        let mut cells = line.split(',').zip(&columns);
        let bad = |cell: &str| cell.parse::<f64>().is_ok_and(|value| !value.is_finite());
        cells.find(|(cell, _)| bad(cell)).map(|(cell, column)| format!("{column} = {cell} in {}", table.display()))
    })
}
