//! A window on a virtual screen: the program, an X server without a display, and simulated user input and
//! observation.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::sleep,
    time::{Duration, Instant, SystemTime},
};

use delassus::render::camera::Camera;
use glam::{Vec2, Vec3};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

pub const SIZE: (u32, u32) = (1280, 800);
/// A slow machine that builds something else at the same time needs patience.
pub const PATIENCE: Duration = Duration::from_secs(90);
/// The time between two writes of unsaved work, s.
const KEEP_EVERY: &str = "0.3";
/// Two frames never take longer, even on the slowest machine; a window that has been closed draws none.
const LONGEST_FRAMES: Duration = Duration::from_secs(3);

/// A process that ends with the test.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual display and the program on it.
pub struct Desk {
    program: Running,
    server: Running,
    display: String,
    folder: tempfile::TempDir,
}

/// The position of a control in pixels of the window (and of the display, because the window is in its corner).
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Place {
    pub fn middle(self) -> (i32, i32) {
        (self.x + self.width / 2, self.y + self.height / 2)
    }
}

/// Maps points of the world to pixels.
pub struct Sight {
    pub camera: Camera,
    /// The 3-D view.
    pub view: Place,
}

impl Sight {
    /// The pixel of a point of the world, m.
    pub fn at(&self, x: f32, y: f32, z: f32) -> (i32, i32) {
        let size = Vec2::new(self.view.width as f32, self.view.height as f32);
        let p = self.camera.project(Vec3::new(x, y, z), size).expect("in front of the camera");
        (self.view.x + p.x.round() as i32, self.view.y + p.y.round() as i32)
    }
}

impl Desk {
    /// Starts the program with this scene under this name in a new folder.
    pub fn open(name: &str, scene: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(name), scene).expect("the scene can be written");
        Self::in_folder(folder, name)
    }

    /// As [`Self::open`], but unsaved work is written only every so many seconds.
    pub fn open_keeping(name: &str, scene: &str, every: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(name), scene).expect("the scene can be written");
        Self::keeping(folder, name, every)
    }

    /// Starts the program with the scene of this name in an existing folder.
    pub fn in_folder(folder: tempfile::TempDir, name: &str) -> Self {
        Self::keeping(folder, name, KEEP_EVERY)
    }

    fn keeping(folder: tempfile::TempDir, name: &str, every: &str) -> Self {
        let scene = folder.path().join(name);
        fs::write(folder.path().join("window.ron"), format!("(width: {}, height: {}, welcomed: true)", SIZE.0, SIZE.1))
            .expect("the configuration can be written");
        let (server, display) = virtual_display(folder.path());
        let program = program(folder.path(), &display, Some(&scene), every);
        Self { program, server, display, folder }
    }

    /// Kills the program as a crash would, and starts it again as a user would.
    pub fn crash_and_start_again(&mut self) {
        self.program.0.kill().expect("the program can be killed");
        self.program.0.wait().expect("it has ended");
        let _ = fs::remove_file(self.path("layout"));
        self.program = program(self.folder.path(), &self.display, None, KEEP_EVERY);
    }

    /// Takes the display away, as when its server crashes.
    pub fn lose_the_display(&mut self) {
        self.server.0.kill().expect("the server can be killed");
        self.server.0.wait().expect("it has ended");
    }

    /// Sends the program a signal, by its name without `SIG`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.program.0.id().to_string()]).status();
        assert!(sent.expect("the system has kill").success());
    }

    pub fn display(&self) -> &str {
        &self.display
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until `what` returns something, or fails with a sentence.
    pub fn wait<T>(&mut self, sentence: &str, mut what: impl FnMut(&Self) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = what(self) {
                return found;
            }
            if let Ok(Some(status)) = self.program.0.try_wait() {
                panic!("the program ended with {status} while waiting: {sentence}\n{}", self.log());
            }
            if start.elapsed() > PATIENCE {
                let seen = std::env::temp_dir().join("delassus-window-test.png");
                self.picture(&seen);
                panic!("waited in vain: {sentence}\n{}\n{}\nseen: {}", self.log(), self.layout(), seen.display());
            }
            sleep(Duration::from_millis(60));
        }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    pub fn layout(&self) -> String {
        fs::read_to_string(self.path("layout")).unwrap_or_default()
    }

    /// The topmost control with this role and name.
    pub fn find(&self, role: &str, name: &str) -> Option<Place> {
        self.all(role, name).into_iter().next()
    }

    /// All controls with this role and name, from top to bottom.
    pub fn all(&self, role: &str, name: &str) -> Vec<Place> {
        let place = |line: &str| {
            let mut words = line.splitn(6, ' ');
            let mut number = || words.next()?.parse().ok();
            let place = Place { x: number()?, y: number()?, width: number()?, height: number()? };
            (words.next()? == role && words.next()? == name).then_some(place)
        };
        self.layout().lines().filter_map(place).collect()
    }

    /// Opens a drop-down list and chooses an entry; other controls may have the same name.
    pub fn choose(&mut self, list: &str, choice: &str) {
        let head = self.control("ComboBox", list);
        self.click_at(head.middle());
        let under =
            |desk: &Self| desk.all("Button", choice).into_iter().find(|p| (p.x - head.x).abs() < 40 && p.y > head.y);
        let place = self.wait(&format!("{list} offers {choice}"), under);
        self.click_at(place.middle());
    }

    pub fn control(&mut self, role: &str, name: &str) -> Place {
        self.wait(&format!("there is a {role} called {name:?}"), |desk| desk.find(role, name))
    }

    /// Moves the pointer and presses keys: see xdotool. Returns when the program has processed it: a press and the
    /// next movement of the pointer within one frame, which may be long on a busy machine, would be a click on
    /// nothing.
    pub fn input(&self, words: &[&str]) {
        let done = Command::new("xdotool").args(words).env("DISPLAY", &self.display).status();
        let done = done.expect("xdotool runs: install the package xdotool");
        assert!(done.success(), "xdotool {words:?}");
        // The frame being drawn may have begun before the input, the next one has not.
        let (start, mut seen) = (Instant::now(), self.frame());
        for _ in 0..2 {
            while self.frame() == seen && start.elapsed() < LONGEST_FRAMES {
                sleep(Duration::from_millis(5));
            }
            seen = self.frame();
        }
    }

    /// A value that changes after every frame.
    fn frame(&self) -> Option<(u64, SystemTime)> {
        let file = fs::metadata(self.path("layout")).ok()?;
        Some((file.ino(), file.modified().ok()?))
    }

    pub fn click(&mut self, role: &str, name: &str) {
        // A control that has just appeared may move in its second frame, once its size is known.
        let mut at = (i32::MIN, i32::MIN);
        loop {
            let place = self.control(role, name).middle();
            if place == at {
                break;
            }
            at = place;
            self.input(&["mousemove", &at.0.to_string(), &at.1.to_string()]);
        }
        self.input(&["click", "1"]);
    }

    /// Turns the mouse wheel over a panel until the control is visible.
    pub fn scroll_to(&mut self, role: &str, name: &str) {
        for _ in 0..60 {
            let (x, y) = self.control(role, name).middle();
            if y < SIZE.1 as i32 - 60 {
                return;
            }
            self.input(&["mousemove", &x.to_string(), &(SIZE.1 / 2).to_string()]);
            self.input(&["click", "5"]);
        }
    }

    /// Presses keys one after another, with xdotool's names.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            self.input(&["key", key]);
        }
    }

    pub fn click_at(&mut self, (x, y): (i32, i32)) {
        self.input(&["mousemove", &x.to_string(), &y.to_string()]);
        self.input(&["click", "1"]);
    }

    /// Drags with the left button from one place to another, through the midpoint.
    pub fn drag(&mut self, from: (i32, i32), to: (i32, i32)) {
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let at = |(x, y): (i32, i32)| [x.to_string(), y.to_string()];
        let moved = |desk: &Self, place: [String; 2]| desk.input(&["mousemove", &place[0], &place[1]]);
        moved(self, at(from));
        self.input(&["mousedown", "1"]);
        moved(self, at(middle));
        moved(self, at(to));
        self.input(&["mouseup", "1"]);
    }

    /// The text of the first label for which `which` is true.
    pub fn label(&self, which: impl Fn(&str) -> bool) -> Option<String> {
        let layout = self.layout();
        let mut labels = layout.lines().filter_map(|line| line.splitn(6, ' ').nth(5));
        labels.find(|words| which(words)).map(str::to_owned)
    }

    pub fn window_title(&self) -> Option<String> {
        let found = self.ask(&["search", "--onlyvisible", "--name", "Delassus"])?;
        self.ask(&["getwindowname", found.lines().last()?])
    }

    pub fn ask(&self, words: &[&str]) -> Option<String> {
        let output = Command::new("xdotool").args(words).env("DISPLAY", &self.display).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// Gives the window the keyboard focus, because there is no window manager to do so.
    pub fn focus(&mut self) {
        let window = self.wait("the window is on the display", |desk| {
            let found = desk.ask(&["search", "--onlyvisible", "--name", "Delassus"])?;
            found.lines().last().map(str::to_owned)
        });
        self.input(&["windowfocus", &window]);
    }

    /// The colour at a place on the screen: red, green, blue.
    pub fn pixel(&self, at: (i32, i32)) -> Option<[u8; 3]> {
        color(&fs::read(self.path("Xvfb_screen0")).ok()?, at)
    }

    /// Saves the whole screen as a picture file.
    pub fn picture(&self, file: &Path) {
        let dump = fs::read(self.path("Xvfb_screen0")).expect("the server keeps its frame buffer there");
        let seen = |x: u32, y: u32| image::Rgb(color(&dump, (x as i32, y as i32)).unwrap_or_default());
        let pixels = image::RgbImage::from_fn(SIZE.0, SIZE.1, seen);
        let out = fs::File::create(file).expect("the picture can be written");
        let encoder = PngEncoder::new_with_quality(out, CompressionType::Best, FilterType::Adaptive);
        pixels.write_with_encoder(encoder).expect("the picture can be written");
    }
    /// Waits for the program to end: its status, the configuration that it saved, and the folder.
    pub fn leave(mut self) -> (ExitStatus, String, tempfile::TempDir) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().expect("the program can be asked") {
                let kept = fs::read_to_string(self.path("window.ron")).unwrap_or_default();
                return (status, kept, self.folder);
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end\n{}", self.layout());
            sleep(Duration::from_millis(60));
        }
    }
}

/// A pixel of an X window dump: a header of big-endian numbers, a colour map, then the pixels.
fn color(dump: &[u8], (x, y): (i32, i32)) -> Option<[u8; 3]> {
    let number = |index: usize| {
        let bytes = dump.get(4 * index..4 * index + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize)
    };
    let (header, bits, line, colors) = (number(0)?, number(11)?, number(12)?, number(19)?);
    let at = header + 12 * colors + y as usize * line + x as usize * bits / 8;
    let [blue, green, red] = dump.get(at..at + 3)?.try_into().ok()?;
    Some([red, green, blue])
}

/// Starts the program with its configuration in `folder`.
fn program(folder: &Path, display: &str, scene: Option<&Path>, every: &str) -> Running {
    let log = fs::File::create(folder.join("log")).expect("a log");
    let program = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args(scene)
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("DELASSUS_CONFIG", folder)
        .env("DELASSUS_LAYOUT", folder.join("layout"))
        .env("DELASSUS_KEEP_EVERY", every)
        // Always the software driver, even where there is a better one: it draws the same everywhere.
        .env("VK_LOADER_DRIVERS_SELECT", "*lvp*")
        .stderr(log)
        .spawn();
    Running(program.expect("the program starts"))
}

/// Starts an X server without a display on a free display number.
pub fn virtual_display(folder: &Path) -> (Running, String) {
    let server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            &format!("{}x{}x24", SIZE.0, SIZE.1),
            "-nolisten",
            "tcp",
            "-noreset",
            "-fbdir",
        ])
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

/// How far a colour is from grey: movable bodies are coloured, the ground and the background are not.
pub fn colorfulness([r, g, b]: [u8; 3]) -> u8 {
    r.max(g).max(b) - r.min(g).min(b)
}
