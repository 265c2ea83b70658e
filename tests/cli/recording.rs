//! `run --record` and `replay`.

use super::*;

#[test]
fn a_recorded_run_is_replayed_and_a_changed_one_is_told_by_its_step() {
    let folder = Folder::new();
    let run = folder.run(&["run", "scene.ron", "--steps", "40", "--record", "run.ron"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let replay = folder.run(&["replay", "run.ron"]);
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stderr));
    let words = String::from_utf8_lossy(&replay.stdout).into_owned();
    assert!(words.contains("40 steps, the same state at all 40 checks"), "{words}");
    // The mass of the bob does not affect the motion of this pendulum except by rounding, so another start is used.
    let text = folder.read("run.ron").replacen("at: (1, 0, 4), mass", "at: (1, 0, 4.01), mass", 1);
    assert_ne!(text, folder.read("run.ron"), "the scene has its folder");
    folder.write("other.ron", &text);
    let replay = folder.run(&["replay", "run.ron", "other.ron"]);
    assert_eq!(replay.status.code(), Some(1));
    let words = String::from_utf8_lossy(&replay.stdout).into_owned();
    assert!(words.contains("other.ron: step 1 is the first that differs"), "{words}");
    let replay = folder.run(&["replay", "scene.ron"]);
    assert_eq!(replay.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&replay.stderr).contains("no recording"));
}
