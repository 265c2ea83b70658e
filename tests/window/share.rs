//! Sharing goes through the clipboard of the real display, and a copied line opens the same scene again.

use std::process::Command;

use super::SCENE;
use super::desk::Desk;

/// Another program that reads the clipboard: this test's own executable, in a separate process.
#[test]
#[ignore = "run by `the_picture_and_a_line_are_on_the_clipboard`"]
fn a_reader_of_the_clipboard() {
    let mut clipboard = arboard::Clipboard::new().expect("there is one");
    if let Ok(text) = clipboard.get_text() {
        println!("text {text}");
    }
    if let Ok(picture) = clipboard.get_image() {
        let middle = 4 * (picture.height / 2 * picture.width + picture.width / 2);
        println!("picture {} {} {:?}", picture.width, picture.height, &picture.bytes[middle..middle + 3]);
    }
}

/// What another program finds on the clipboard that begins with this word.
fn found(desk: &Desk, kind: &str) -> Option<String> {
    let reader = Command::new(std::env::current_exe().expect("the test's own program"))
        .args(["--ignored", "--exact", "share::a_reader_of_the_clipboard", "--nocapture"])
        .env("DISPLAY", desk.display())
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&reader.stdout).into_owned();
    said.lines().find_map(|line| line.strip_prefix(kind)).map(str::to_owned)
}

fn command(desk: &mut Desk, words: &str) {
    desk.press(&["ctrl+p"]);
    desk.wait("the finder is open", |desk| desk.layout().contains("Find a scene or a command").then_some(()));
    desk.input(&["type", "--delay", "30", words]);
    desk.press(&["Return"]);
}

#[test]
fn the_picture_and_a_line_are_on_the_clipboard() {
    let mut desk = Desk::open("ball.ron", SCENE);
    let view = desk.control("Canvas", "3-D view");
    desk.focus();
    command(&mut desk, "copy the picture");
    desk.wait("it is told", |desk| desk.label(|words| words.contains("is on the clipboard")));
    let picture = desk.wait("another program finds the picture", |desk| found(desk, "picture "));
    // As large as the view within its frame, with the ball, which is not grey, in the middle.
    let numbers: Vec<i32> = picture.split(['[', ',', ']', ' ']).filter_map(|word| word.parse().ok()).collect();
    let (size, color) = numbers.split_at(2);
    let frame = [view.width - size[0], view.height - size[1]];
    assert!(frame.iter().all(|points| (0..=8).contains(points)), "{picture} {view:?}");
    let (most, least) = (color.iter().max().expect("three"), color.iter().min().expect("three"));
    assert!(most - least > 30, "{picture}");

    desk.click("Switch", "Warm starting");
    desk.control("Button", "Reset warm_start.enabled");
    command(&mut desk, "copy a line");
    let line = desk.wait("another program finds the line", |desk| found(desk, "text "));
    let file = desk.path("ball.ron");
    let begin = format!("delassus {} --set warm_start.enabled=false --eye ", file.display());
    assert!(line.starts_with(&begin), "{line}");

    // Back to the state of the file, and through the line back to the previous state.
    desk.click("Button", "Reset warm_start.enabled");
    desk.wait("it is as in the file", |desk| desk.find("Button", "Reset warm_start.enabled").is_none().then_some(()));
    desk.press(&["ctrl+p"]);
    desk.wait("the finder is open", |desk| desk.layout().contains("Find a scene or a command").then_some(()));
    desk.press(&["ctrl+v", "Return"]);
    desk.control("Button", "Reset warm_start.enabled");
}
