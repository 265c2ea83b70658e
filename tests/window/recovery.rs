//! A crash during work, and a text editor that changes the file while the window is open.

use std::fs;

use super::{SCENE, desk::Desk};

#[test]
fn what_a_killed_program_had_not_saved_is_offered_and_a_file_changed_by_others_is_noticed() {
    let mut desk = Desk::open("ball.ron", SCENE);
    let (x, y) = desk.control("Canvas", "3-D view").middle();
    desk.focus();
    desk.click("Switch", "Warm starting");
    // Killed in the middle of a drag, with work that was never saved.
    desk.input(&["mousemove", &x.to_string(), &y.to_string(), "keydown", "ctrl", "mousedown", "1"]);
    desk.input(&["mousemove_relative", "40", "0"]);
    desk.wait("the work is kept beside the configuration", |desk| {
        let copies = fs::read_dir(desk.path("recovery")).ok()?.flatten();
        let texts = copies.filter_map(|copy| fs::read_to_string(copy.path()).ok());
        texts.into_iter().find(|text| text.contains("enabled: false"))
    });
    desk.crash_and_start_again();
    desk.input(&["mouseup", "1", "keyup", "ctrl"]);
    assert_eq!(fs::read_to_string(desk.path("ball.ron")).expect("the scene"), SCENE, "the file itself is untouched");
    desk.click("Button", "Recover");
    desk.wait("the work is back, and unsaved", |desk| {
        desk.window_title().filter(|title| title.starts_with("A ball to pull*"))
    });
    desk.control("Button", "Reset warm_start.enabled");

    // A text editor writes the file while the window is open.
    fs::write(desk.path("ball.ron"), SCENE.replace("A ball to pull", "A ball from elsewhere"))
        .expect("it can be written");
    desk.control("Button", "Keep mine");
    desk.control("Button", "Show differences");
    desk.click("Button", "Take theirs");
    desk.wait("the other text is open", |desk| {
        desk.window_title().filter(|title| title.starts_with("A ball from elsewhere") && !title.contains('*'))
    });
}

/// The first edit is written at once. The second one would be written after an hour.
#[test]
fn the_last_edit_is_kept_when_the_display_goes_or_a_signal_comes() {
    for end in ["display", "TERM", "INT"] {
        let mut desk = Desk::open_keeping("ball.ron", SCENE, "3600");
        desk.focus();
        let copy = |desk: &Desk, text: &str| {
            let copies = fs::read_dir(desk.path("recovery")).ok()?.flatten();
            let texts = copies.filter_map(|copy| fs::read_to_string(copy.path()).ok());
            texts.into_iter().find(|kept| kept.contains(text))
        };
        desk.click("Switch", "Warm starting");
        desk.wait("the first edit is kept", |desk| copy(desk, "enabled: false"));
        desk.press(&["ctrl+a", "Delete"]);
        assert!(copy(&desk, "Sphere").is_some(), "the second edit is not kept yet");
        if end == "display" {
            desk.lose_the_display()
        } else {
            desk.signal(end)
        }
        let (status, _, folder) = desk.leave();
        assert!(!status.success(), "{end}: {status}");
        let copies = fs::read_dir(folder.path().join("recovery")).expect("the folder").flatten();
        let texts: Vec<_> = copies.filter_map(|copy| fs::read_to_string(copy.path()).ok()).collect();
        let last = texts.iter().filter_map(|text| text.lines().nth(2)).collect::<Vec<_>>();
        assert!(matches!(last.as_slice(), [text] if !text.contains("Sphere")), "{end}: {texts:?}");
    }
}
