//! The real window, end to end: on a virtual display of its own and the software driver a user opens a scene, flips a
//! switch, drags a body, saves, undoes, opens another scene and quits.
//!
//! Controls are found by name through the layout that the program writes on `DELASSUS_LAYOUT`; what is seen is read
//! from the display's frame buffer.
#![cfg(feature = "gui")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

const SIZE: (u32, u32) = (1280, 800);
/// A slow machine that builds something else at the same time needs patience.
const PATIENCE: Duration = Duration::from_secs(90);

/// A ball in the middle of the picture that nothing moves but the mouse.
const SCENE: &str = r#"// Kept: a comment of the author.
(
    version: 1,
    title: "A ball to pull",
    settings: (step: (gravity: (0, 0, 0))),
    camera: (eye: (0, -10, 1), target: (0, 0, 1)),
    bodies: [
        (name: "ball", shape: Sphere(radius: 1), at: (0, 0, 1), mass: Some(1)),
    ],
)
"#;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual display and the program on it.
struct Desk {
    program: Running,
    _server: Running,
    display: String,
    folder: tempfile::TempDir,
}

/// Where a control is, pixels of the window (and of the display: the window stands in its corner).
#[derive(Clone, Copy, Debug)]
struct Place {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

impl Place {
    fn middle(self) -> (i32, i32) {
        (self.x + self.width / 2, self.y + self.height / 2)
    }
}

impl Desk {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let scene = folder.path().join("ball.ron");
        fs::write(&scene, SCENE).expect("the scene can be written");
        fs::write(folder.path().join("window.ron"), format!("(width: {}, height: {})", SIZE.0, SIZE.1))
            .expect("the configuration can be written");
        let (server, display) = virtual_display(folder.path());
        let log = fs::File::create(folder.path().join("log")).expect("a log");
        let program = Command::new(env!("CARGO_BIN_EXE_delassus"))
            .arg(&scene)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env("DELASSUS_CONFIG", folder.path())
            .env("DELASSUS_LAYOUT", folder.path().join("layout"))
            // The software driver also where there is a better one: it draws the same everywhere.
            .env("VK_LOADER_DRIVERS_SELECT", "*lvp*")
            .stderr(log)
            .spawn()
            .expect("the program starts");
        Self { program: Running(program), _server: server, display, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until `what` gives something, or fails with a sentence.
    fn wait<T>(&mut self, sentence: &str, mut what: impl FnMut(&Self) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = what(self) {
                return found;
            }
            if let Ok(Some(status)) = self.program.0.try_wait() {
                panic!("the program ended with {status} while waiting: {sentence}\n{}", self.log());
            }
            assert!(start.elapsed() < PATIENCE, "waited in vain: {sentence}\n{}\n{}", self.log(), self.layout());
            sleep(Duration::from_millis(60));
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    fn layout(&self) -> String {
        fs::read_to_string(self.path("layout")).unwrap_or_default()
    }

    /// The uppermost control of this role and name.
    fn find(&self, role: &str, name: &str) -> Option<Place> {
        self.layout().lines().find_map(|line| {
            let mut words = line.splitn(6, ' ');
            let mut number = || words.next()?.parse().ok();
            let place = Place { x: number()?, y: number()?, width: number()?, height: number()? };
            (words.next()? == role && words.next()? == name).then_some(place)
        })
    }

    fn control(&mut self, role: &str, name: &str) -> Place {
        self.wait(&format!("there is a {role} called {name:?}"), |desk| desk.find(role, name))
    }

    /// Moves the pointer, presses keys: see xdotool.
    fn input(&self, words: &[&str]) {
        let done = Command::new("xdotool").args(words).env("DISPLAY", &self.display).status();
        let done = done.expect("xdotool runs: install the package xdotool");
        assert!(done.success(), "xdotool {words:?}");
        // Time for the frame in which the program sees it.
        sleep(Duration::from_millis(120));
    }

    fn click(&mut self, role: &str, name: &str) {
        let (x, y) = self.control(role, name).middle();
        self.input(&["mousemove", &x.to_string(), &y.to_string()]);
        self.input(&["click", "1"]);
    }

    fn window_title(&self) -> Option<String> {
        let found = self.ask(&["search", "--onlyvisible", "--name", "Delassus"])?;
        self.ask(&["getwindowname", found.lines().last()?])
    }

    fn ask(&self, words: &[&str]) -> Option<String> {
        let output = Command::new("xdotool").args(words).env("DISPLAY", &self.display).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// There is no window manager that would give the window the keyboard.
    fn focus(&mut self) {
        let window = self.wait("the window is on the display", |desk| {
            let found = desk.ask(&["search", "--onlyvisible", "--name", "Delassus"])?;
            found.lines().last().map(str::to_owned)
        });
        self.input(&["windowfocus", &window]);
    }

    /// The colour that is seen at a place: red, green, blue.
    fn pixel(&self, (x, y): (i32, i32)) -> Option<[u8; 3]> {
        // The server's frame buffer is an X window dump: a header of big-endian numbers, a colour map, the pixels.
        let dump = fs::read(self.path("Xvfb_screen0")).ok()?;
        let number = |index: usize| {
            let bytes = dump.get(4 * index..4 * index + 4)?;
            Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize)
        };
        let (header, bits, line, colors) = (number(0)?, number(11)?, number(12)?, number(19)?);
        let at = header + 12 * colors + y as usize * line + x as usize * bits / 8;
        let [blue, green, red] = dump.get(at..at + 3)?.try_into().ok()?;
        Some([red, green, blue])
    }

    /// Waits for the program's end: its status, and the configuration that it leaves behind.
    fn leave(mut self) -> (ExitStatus, String) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().expect("the program can be asked") {
                return (status, fs::read_to_string(self.path("window.ron")).unwrap_or_default());
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end\n{}", self.layout());
            sleep(Duration::from_millis(60));
        }
    }
}

/// Starts an X server without a screen on a display number that is free.
fn virtual_display(folder: &Path) -> (Running, String) {
    let server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", &format!("{}x{}x24", SIZE.0, SIZE.1), "-nolisten", "tcp", "-fbdir"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut server = server.expect("the window test needs Xvfb and xdotool: install the packages xvfb and xdotool");
    let mut number = String::new();
    let output = server.stdout.take().expect("it was asked for");
    let read = BufReader::new(output).read_line(&mut number);
    assert!(read.is_ok() && !number.trim().is_empty(), "Xvfb did not start");
    (Running(server), format!(":{}", number.trim()))
}

/// How far a colour is from grey: bodies that move are coloured, the ground and the background are not.
fn colorfulness([r, g, b]: [u8; 3]) -> u8 {
    r.max(g).max(b) - r.min(g).min(b)
}

#[test]
fn a_user_flips_a_switch_pulls_a_body_saves_and_quits() {
    let mut desk = Desk::open();
    let view = desk.control("Canvas", "3-D view");
    desk.focus();
    desk.wait("the title names the scene", |desk| {
        desk.window_title().filter(|title| title == "A ball to pull – Delassus")
    });

    // The ball is in the middle of the view, the background beside it.
    let (x, y) = view.middle();
    let beside = (x + 170, y);
    desk.wait("the ball is seen in the middle", |desk| {
        (colorfulness(desk.pixel((x, y))?) > 30 && colorfulness(desk.pixel(beside)?) < 25).then_some(())
    });

    // A switch of the solver: it differs from the file then, and the document is unsaved.
    desk.click("Switch", "Warm starting");
    desk.control("Button", "Reset warm_start.enabled");
    desk.wait("the title says that there are changes", |desk| {
        desk.window_title().filter(|title| title.starts_with("A ball to pull*"))
    });

    // Pulled to the side with the mouse, the ball follows the pointer.
    desk.input(&["mousemove", &x.to_string(), &y.to_string()]);
    desk.input(&["keydown", "ctrl"]);
    desk.input(&["mousedown", "1"]);
    for part in 1..=10 {
        desk.input(&["mousemove", &(x + 17 * part).to_string(), &y.to_string()]);
    }
    desk.wait("the ball has followed the pointer", |desk| {
        let (left, right) = (desk.pixel((x - 60, y))?, desk.pixel((x + 170, y + 25))?);
        (colorfulness(left) < 25 && colorfulness(right) > 30).then_some(())
    });
    desk.input(&["mouseup", "1"]);
    desk.input(&["keyup", "ctrl"]);

    // Saved: the switch is in the file, and what the author wrote is still there.
    desk.input(&["key", "ctrl+s"]);
    let saved = desk.wait("the file holds the switch", |desk| {
        fs::read_to_string(desk.path("ball.ron")).ok().filter(|text| text.contains("enabled: false"))
    });
    assert!(saved.contains("A ball to pull") && saved.contains("ball"), "{saved}");
    desk.wait("nothing is unsaved", |desk| desk.window_title().filter(|title| !title.contains('*')));

    // Undone, and left behind by opening a scene of the library: a notice offers it back, nothing asks.
    desk.input(&["key", "ctrl+z"]);
    desk.control("Button", "Reset warm_start.enabled");
    desk.click("Button", "Pendulum");
    desk.wait("the other scene is open", |desk| desk.window_title().filter(|title| title.starts_with("Pendulum")));
    desk.control("Button", "Bring back");

    desk.input(&["key", "ctrl+q"]);
    let (status, kept) = desk.leave();
    assert!(status.success(), "{status}");
    assert!(kept.contains("08-pendulum"), "{kept}");
}

#[test]
fn without_a_display_one_sentence_and_exit_code_1() {
    let output = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("No display was found"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
}

#[test]
fn without_an_adapter_one_sentence_and_exit_code_1() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (_server, display) = virtual_display(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("DELASSUS_CONFIG", folder.path())
        // No Vulkan driver, and no OpenGL looked for.
        .env("VK_LOADER_DRIVERS_DISABLE", "*")
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("WGPU_BACKEND", "vulkan")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("mesa-vulkan-drivers"), "{said}");
}
