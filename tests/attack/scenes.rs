//! Mutated scenes and settings: rejected by a message with a position, or laid out, written, read again, and run.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use delassus::physics::settings::Method;
use delassus::scene;

use crate::dice::Dice;
use crate::{attack, count, mutate, run};

/// Scenes with more bodies are read but not run; seeds with more are not mutated.
const MOST: usize = 300;
/// The longest text of a seed, bytes.
const LONGEST: usize = 12_000;
/// The longest line of a message, characters, without its file.
const WIDTH: usize = 400;

/// The texts of the library's smaller scenes and parts.
fn seeds() -> &'static [String] {
    static SEEDS: OnceLock<Vec<String>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let paths =
            scene::library::ordinary(&folder).into_iter().chain(scene::library::parts(&folder)).map(|entry| entry.path);
        let texts = paths.filter_map(|path| {
            let loaded = scene::read(&path).ok()?;
            (loaded.text.len() <= LONGEST && loaded.flat.bodies.len() <= 60).then_some(loaded.text)
        });
        let texts: Vec<_> = texts.collect();
        assert!(texts.len() > 40, "{} seeds", texts.len());
        texts
    })
}

#[test]
fn mutated_scenes_are_refused_or_run() {
    let run = AtomicU64::new(0);
    attack("scene", count(1), |dice| {
        let text = mutate::mutated(dice.one::<String>(seeds()), seeds(), dice);
        let done = one(&text, dice).map_err(|what| {
            let kept = keep(&text);
            format!("{what}\n  {kept}")
        })?;
        run.fetch_add(u64::from(done), Ordering::Relaxed);
        Ok(())
    });
    let run = run.into_inner();
    println!("{run} of {} scenes ran, the others were refused", count(1));
    assert!(run > count(1) / 10, "mutated so much that hardly one runs: {run} of {}", count(1));
}

/// Writes a failing text to the target folder for inspection; returns its path.
fn keep(text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attack");
    let mut hash = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(text, &mut hash);
    let path = folder.join(format!("{:016x}.ron", std::hash::Hasher::finish(&hash)));
    match std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("{error}\n{text}"),
    }
}

/// Tries a text; returns whether it ran.
fn one(text: &str, dice: &mut Dice) -> Result<bool, String> {
    // Parts are found relative to this path.
    let origin = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/lab/attack.ron");
    // A panic is reported with the text, too.
    let read = std::panic::catch_unwind(|| scene::read_str(text, origin)).map_err(|_| "reading panicked".to_owned())?;
    let loaded = match read {
        Ok(loaded) => loaded,
        Err(mistakes) => return mistakes.iter().try_for_each(placed).map(|()| false),
    };
    if loaded.flat.bodies.len() > MOST {
        return Ok(false);
    }
    let written = scene::write(&loaded.scene);
    match scene::read_str(&written, origin) {
        Err(mistakes) => return Err(format!("cannot be read again: {}", mistakes[0])),
        Ok(again) if again.scene != loaded.scene => return Err("is another scene when it is read again".into()),
        Ok(_) => {}
    }
    let work = std::panic::AssertUnwindSafe(|| {
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        // Slow settings are reduced: speed is not tested here.
        let settings = &mut world.settings;
        settings.step.substeps = settings.step.substeps.min(3);
        settings.solver.iterations = settings.solver.iterations.min(20);
        if world.state.bodies.len() > 30 && settings.solver.method == Method::Direct {
            settings.solver.method = Method::GaussSeidel;
        }
        run(&mut world, 4 + dice.below(8) as u32).map(|()| true)
    });
    std::panic::catch_unwind(work).unwrap_or_else(|_| Err("running panicked".into()))
}

/// A message has a place and fits on a line.
fn placed(mistake: &scene::Mistake) -> Result<(), String> {
    let line = &mistake.what;
    if mistake.line == 0 || mistake.column == 0 {
        Err(format!("no place: {mistake}"))
    } else if line.chars().any(char::is_control) || line.trim().is_empty() {
        Err(format!("not one line: {line:?}"))
    } else if line.chars().count() > WIDTH {
        Err(format!("{} characters: {line}", line.chars().count()))
    } else {
        Ok(())
    }
}
