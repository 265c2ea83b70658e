//! Where scenes are looked for: the library within the program, and the user's own folders.

use std::process::{Command, Output};

use super::{Folder, SCENE, err};

/// The program without its source tree.
fn alone(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    command.env("DELASSUS_LIBRARY", "").env_remove("DELASSUS_SCENES").env("HOME", folder.path("home"));
    command
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", err(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn out(folder: &Folder, arguments: &[&str]) -> String {
    text(&alone(folder, arguments).output().unwrap())
}

/// The names that a list shows, each with where it comes from.
fn names(list: &str) -> Vec<(&str, &str)> {
    list.lines().map(|line| (line.split("  ").next().unwrap(), line.rsplit("  ").next().unwrap().trim())).collect()
}

fn own(folder: &Folder, name: &str, title: &str) {
    let file = folder.path(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, SCENE.replace("Two boxes", title)).unwrap();
}

#[test]
fn the_library_is_there_without_its_sources() {
    let folder = Folder::new();
    let list = out(&folder, &["list"]);
    let within = names(&list);
    assert!(within.len() > 80 && within.iter().all(|(_, place)| *place == "built-in"), "{list}");
    let tree = text(&folder.command(&["list"]).env_remove("DELASSUS_LIBRARY").output().unwrap());
    let of_tree = names(&tree);
    assert!(of_tree.iter().all(|(_, place)| *place == "source tree"), "{tree}");
    let only = |list: &[(&str, &str)]| list.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(only(&within), only(&of_tree));

    let run = out(&folder, &["run", "lab/01-stack-10", "--steps", "5"]);
    assert!(run.contains("built-in:/lab/01-stack-10.ron"), "{run}");
    // Ragdolls are parts.
    for name in ["book/21-ragdoll", "book/ragdoll", "built-in:book/ragdoll"] {
        assert!(out(&folder, &["check", name]).contains("17 bodies"), "{name}");
    }
    out(&folder, &["doctor", "lab/01-stack-10"]);
    out(&folder, &["stability", "lab/01-stack-10"]);
    out(&folder, &["run", "lab/04-ragdolls-50", "--steps", "3", "--record", "run.ron"]);
    out(&folder, &["replay", "run.ron"]);
}

#[cfg(feature = "gui")]
#[test]
fn a_lesson_of_the_users_finds_its_scene_within_the_program() {
    let folder = Folder::new();
    let lesson = "(title: \"Mine\", scene: \"book/09-chain\", question: \"What?\", trials: [(say: \"Look.\")],
        prediction: (ask: \"Does it?\", choices: [\"yes\", \"no\"], right: 0), happened: \"It did.\", why: [])";
    folder.write("mine.ron", lesson);
    assert!(out(&folder, &["lesson", "--check", "mine.ron"]).contains("no mistakes"));
    folder.write("mine.ron", &lesson.replace("09-chain", "09-chian"));
    let said = err(&alone(&folder, &["lesson", "--check", "mine.ron"]).output().unwrap());
    assert!(said.contains("did you mean `book/09-chain`?"), "{said}");
}

#[test]
fn own_folders_add_to_the_library_and_of_two_scenes_of_a_name_the_first_is_opened() {
    let folder = Folder::new();
    own(&folder, "given/book/09-chain.ron", "Given");
    own(&folder, "named/book/09-chain.ron", "Named");
    own(&folder, "named/bridge.ron", "Bridge");
    own(&folder, "other/arch.ron", "Arch");
    own(&folder, "scenes/bridge.ron", "Current");
    let paths = std::env::join_paths([folder.path("named"), folder.path("other")]).unwrap();
    let run = |arguments: &[&str]| text(&alone(&folder, arguments).env("DELASSUS_SCENES", &paths).output().unwrap());
    let list = run(&["list", "--scenes", "given"]);
    let path = |name: &str| folder.path(name).display().to_string();
    let (named, other, hidden) = (path("named"), path("other"), path("named/book/09-chain.ron"));
    let first: Vec<_> = names(&list).into_iter().take(5).collect();
    let expected = [
        ("book/09-chain", "given"),
        (hidden.as_str(), named.as_str()),
        ("bridge", named.as_str()),
        ("arch", other.as_str()),
        ("scenes/bridge.ron", "scenes"),
    ];
    assert_eq!(first, expected, "{list}");
    assert!(names(&list).contains(&("built-in:book/09-chain", "built-in")), "{list}");
    assert!(names(&list).contains(&("lab/01-stack-10", "built-in")), "nothing is hidden: {list}");
    for (name, title) in [
        ("book/09-chain", "Given"),
        ("book/chain", "Given"),
        ("built-in:book/09-chain", "Chain ("),
        ("bridge", "Bridge"),
        ("arch", "Arch"),
        ("scenes/bridge.ron", "Current"),
    ] {
        let said = run(&["run", name, "--scenes", "given", "--steps", "1"]);
        assert!(said.starts_with(title), "{name}: {said}");
    }
    assert!(run(&["run", "book/09-chain", "--steps", "1"]).starts_with("Named"), "without the option");
}

#[test]
fn a_scenes_folder_in_the_current_directory_hides_nothing() {
    let folder = Folder::new();
    own(&folder, "scenes/mine.ron", "Mine");
    let list = out(&folder, &["list"]);
    assert_eq!(names(&list)[0], ("mine", "scenes"));
    assert!(names(&list).contains(&("book/09-chain", "built-in")), "{list}");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new();
    assert!(folder.refused(&["list", "--scenes", "none"], 2).contains("--scenes none: there is no such folder"));
    assert!(folder.refused(&["list", "--scenes", "scene.ron"], 2).contains("--scenes scene.ron: it is not a folder"));
    // The variable is of the whole session: a folder on a disk that is not connected does not stop the program.
    let output = alone(&folder, &["list"]).env("DELASSUS_SCENES", "none").output().unwrap();
    assert!(text(&output).contains("book/09-chain"));
    assert_eq!(err(&output).trim(), "warning: DELASSUS_SCENES: none: there is no such folder");
    if cfg!(feature = "gui") {
        let said = folder.refused(&["--scenes", ".", "list"], 2);
        assert!(said.contains("delassus list --scenes DIR"), "{said}");
    }
}

#[test]
fn the_library_is_written_out_and_what_was_changed_there_is_kept() {
    let folder = Folder::new();
    let said = out(&folder, &["scenes", "export", "mine"]);
    let written = |name: &str| said.lines().any(|line| line.starts_with(&folder_line(name)));
    assert!(written("book") && written("lessons") && written("parts"), "{said}");
    assert!(out(&folder, &["scenes", "export", "mine"]).contains("were there already"));
    let file = folder.path("mine/book/09-chain.ron");
    let changed = std::fs::read_to_string(&file).unwrap().replacen("\"Chain\"", "\"My chain\"", 1);
    std::fs::write(&file, &changed).unwrap();
    let again = alone(&folder, &["scenes", "export", "mine"]).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("09-chain.ron") && err(&again).contains("--force"), "{}", err(&again));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), changed);
    let run = out(&folder, &["run", "book/09-chain", "--scenes", "mine", "--steps", "1"]);
    assert!(run.starts_with("My chain"), "{run}");
    // The parts lie beside the scenes there, too.
    assert!(out(&folder, &["check", "mine/book/21-ragdoll.ron"]).contains("17 bodies"));
    assert!(out(&folder, &["scenes", "export", "mine", "--force"]).contains("1 written"));
    assert_ne!(std::fs::read_to_string(&file).unwrap(), changed);
    let blocked = alone(&folder, &["scenes", "export", "scene.ron"]).output().unwrap();
    assert_eq!(blocked.status.code(), Some(1));
    assert!(err(&blocked).contains("scene.ron") && err(&blocked).contains("cannot be written"), "{}", err(&blocked));
}

fn folder_line(name: &str) -> String {
    format!("{}: ", std::path::Path::new("mine").join(name).display())
}

#[test]
fn a_mistake_made_a_hundred_times_is_reported_three_times() {
    let folder = Folder::new();
    let body = |k: u32| format!(r#"(name: "b{k}", shape: Sphere(radius: 0.1), position: (0, 0, {k})),"#);
    let bodies = (0..60).map(body).collect::<Vec<_>>().join("\n");
    folder.write("many.ron", &format!("(version: 1, title: \"Many\", bodies: [\n{bodies}\n])"));
    for command in ["check", "run"] {
        let said = folder.refused(&[command, "many.ron"], 1);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 3, "{said}");
        assert_eq!(lines[0], "many.ron:2:42: unknown field `position`, did you mean `at`?");
        assert_eq!(lines[2], "many.ron:4:42: unknown field `position`, did you mean `at`? (and 57 more like this)");
    }
}
