//! Tests runs that the window's own graphics device steps. The window shows the same pixels as if the poses were read
//! back, the same numbers one readback later, and goes on if the device is lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use image::RgbaImage;

use super::poses;
use crate::frame::show;
use delassus_physics::setting::Value;
use delassus_render::{
    camera::Camera, gpu::Gpu, offscreen::Offscreen, orbit_view::OrbitView, picture::Theme, quality::Quality,
};
use delassus_session::{BodyNeeds, Command, Session, SnapshotNeeds};
use delassus_ui::{UiState, view3d::picture_builder};

/// Beads on strings, and a few larger bodies; what moves also rotates.
const SCENE: &str = r#"(
    version: 1,
    title: "Aboard",
    settings: (
        step: (rate: 240),
        solver: (method: Jacobi, iterations: 20, rows: Block, jacobi: Manual, relaxation: 0.5, device: Gpu),
        warm_start: (enabled: false),
        stabilization: (method: Baumgarte),
        contact: (enabled: false),
    ),
    bodies: [(name: "floor", shape: Box(half: (7, 7, 0.1)), at: (0, 0, -0.1), motion: Static)],
    patterns: [
        Grid(
            name: "strings",
            count: (5, 8, 1),
            spacing: (1.1, 0.8, 0),
            of: Chain(
                body: (shape: Sphere(radius: 0.11), at: (-2, -3, 3), mass: 1, collide: false),
                count: 9,
                spacing: (0.25, 0, 0),
                joint: (kind: BallSocket),
                first: Static,
            ),
        ),
    ],
)"#;

const SIZE: (u32, u32) = (640, 400);

/// A device that can draw crowds, if there is one.
fn gpu() -> Option<Gpu> {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    if gpu.draws_crowds() {
        return Some(gpu);
    }
    eprintln!("skipped: {} draws no crowds", gpu.describe());
    None
}

fn open(gpu: &Gpu) -> Session {
    let mut session = Session::from_text(SCENE, "on_device.ron").expect("a scene");
    session.use_device(Some(Arc::new(gpu.stepper())));
    session
}

/// Plays `frames` steps, one per frame, with late readback.
fn play(session: &mut Session, frames: u32) {
    session.set_needs(SnapshotNeeds { bodies: BodyNeeds::Late, ..SnapshotNeeds::ALL });
    session.dispatch(Command::Play).expect("it plays");
    for _ in 0..frames {
        session.advance(Duration::from_secs_f64(1.0 / 240.0), Duration::from_secs(10));
    }
}

/// Draws sessions off screen.
struct Artist<'a> {
    offscreen: Offscreen<'a>,
    picture_builder: picture_builder::PictureBuilder,
    state: UiState,
    camera: Camera,
}

impl<'a> Artist<'a> {
    fn new(gpu: &'a Gpu) -> Self {
        let offscreen = Offscreen::new(gpu, SIZE.0, SIZE.1, Quality::SOFTWARE).unwrap_or_else(|e| panic!("{e}"));
        let camera = Camera::new(OrbitView::between(glam::Vec3::new(6.0, -9.0, 6.0), glam::Vec3::new(0.5, 0.0, 2.0)));
        let mut state = UiState::default();
        state.selection.bodies = vec![30, 100];
        state.selection.hovered = Some(60);
        Self { offscreen, picture_builder: picture_builder::PictureBuilder::default(), state, camera }
    }

    /// Draws from the device's buffers, or from the snapshot. `alpha` interpolates between the last two steps.
    fn draw(&mut self, session: &Session, gpu: &Gpu, on_device: bool, alpha: f32) -> RgbaImage {
        let poses = poses(session, gpu).filter(|_| on_device);
        assert_eq!(poses.is_some(), on_device, "the device steps the scene");
        let show = picture_builder::Show {
            on_device: poses.as_ref().map(|_| session.generation()),
            alpha,
            camera: &self.camera,
            viewport: glam::Vec2::new(SIZE.0 as f32, SIZE.1 as f32),
            ..show(&self.state, session, Theme::Light, 1.0, &[])
        };
        let picture = self.picture_builder.set(session.snapshot(), &show);
        assert_eq!(picture.bodies.is_empty(), on_device, "no body is handed over one by one");
        self.offscreen.poses = poses;
        // The crowd's extent, to which the shadow map is fitted, is known some frames later.
        for _ in 0..3 {
            self.offscreen.draw(picture, &self.camera).unwrap_or_else(|error| panic!("{error}"));
        }
        self.offscreen.draw(picture, &self.camera).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The share of pixels that differ by more than 6 of 255 in a colour channel.
fn differ(a: &RgbaImage, b: &RgbaImage) -> f32 {
    let far = |(p, q): &(&image::Rgba<u8>, &image::Rgba<u8>)| (0..3).any(|i| p.0[i].abs_diff(q.0[i]) > 6);
    a.pixels().zip(b.pixels()).filter(far).count() as f32 / (a.width() * a.height()) as f32
}

#[test]
fn the_window_draws_out_of_the_devices_buffers() {
    let Some(gpu) = gpu() else { return };
    let mut session = open(&gpu);
    let mut artist = Artist::new(&gpu);
    for _ in 0..60 {
        session.dispatch(Command::Step).expect("a step");
    }
    assert_eq!(session.take_device_notice(), None);
    let (read, on_device) = (artist.draw(&session, &gpu, false, 1.0), artist.draw(&session, &gpu, true, 1.0));
    // Rounding moves an edge by a pixel here and there.
    assert!(differ(&read, &on_device) < 5e-4, "{} of the picture differs", differ(&read, &on_device));
    // Another step changes the picture.
    for _ in 0..30 {
        session.dispatch(Command::Step).expect("a step");
    }
    let later = artist.draw(&session, &gpu, true, 1.0);
    assert!(differ(&on_device, &later) > 0.01, "{}", differ(&on_device, &later));
    assert!(differ(&artist.draw(&session, &gpu, false, 1.0), &later) < 5e-4);
}

/// Between two steps the poses are interpolated as with the processor.
#[test]
fn between_two_steps_the_device_draws_what_the_processor_does() {
    let Some(gpu) = gpu() else { return };
    let mut session = open(&gpu);
    let mut artist = Artist::new(&gpu);
    play(&mut session, 60);
    // The processor reads both the state before the last step and the state after it.
    session.set_needs(SnapshotNeeds::ALL);
    session.advance(Duration::from_secs_f64(1.0 / 240.0), Duration::from_secs(10));
    let read = artist.draw(&session, &gpu, false, 0.3);
    // The same run again, with the interpolation on the device.
    let mut again = open(&gpu);
    play(&mut again, session.snapshot().step as u32);
    again.advance(Duration::ZERO, Duration::ZERO);
    let world = |session: &Session| session.world().expect("a scene").hash();
    assert_eq!(world(&again), world(&session), "the same run");
    let on_device = artist.draw(&again, &gpu, true, 0.3);
    // Markers on joints belong to an earlier step: 4 ms at some metres per second are some pixels of a few markers.
    assert!(differ(&read, &on_device) < 0.02, "{} of the picture differs", differ(&read, &on_device));
    let mut plain = |session: &Session, on_device| {
        artist.state.view3d.overlays.joints = false;
        artist.state.view3d.overlays.joint_error = false;
        artist.draw(session, &gpu, on_device, 0.3)
    };
    let (read, on_device) = (plain(&session, false), plain(&again, true));
    assert!(differ(&read, &on_device) < 5e-4, "{} of the picture differs", differ(&read, &on_device));
}

/// With late readback, each snapshot is the complete state after one step. Pausing gives the last step. The run is the
/// same bit by bit as without late readback.
#[test]
fn what_is_read_late_is_an_earlier_step_and_pausing_has_the_last() {
    let Some(gpu) = gpu() else { return };
    let (mut session, mut exact) = (open(&gpu), open(&gpu));
    session.dispatch(Command::Record).expect("a recording");
    let mut hashes = vec![exact.snapshot().hash];
    for _ in 0..40 {
        exact.dispatch(Command::Step).expect("a step");
        hashes.push(exact.snapshot().hash);
    }
    session.set_needs(SnapshotNeeds { bodies: BodyNeeds::Late, ..SnapshotNeeds::ALL });
    session.dispatch(Command::Play).expect("it plays");
    let (mut late, mut at) = (0, 0);
    for frame in 0..40u64 {
        assert_eq!(session.advance(Duration::from_secs_f64(1.0 / 240.0), Duration::from_secs(10)), 1);
        let snapshot = session.snapshot();
        assert_eq!(snapshot.hash, hashes[snapshot.step as usize], "a state that was, at step {}", snapshot.step);
        assert!(snapshot.step >= at && snapshot.step <= frame + 1, "{} in frame {frame}", snapshot.step);
        at = snapshot.step;
        late += u32::from(snapshot.step <= frame);
        // Picking uses the same snapshot as the readouts.
        let bead = &snapshot.bodies[50];
        let hit = session.pick(bead.centre + glam::Vec3::Z * 5.0, glam::Vec3::NEG_Z).expect("it is met from above");
        let met = snapshot.body(hit.body).expect("a body that is shown");
        assert!((hit.point - met.centre).length() < 0.12, "{hit:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(late > 20, "only {} of 40 frames were shown without waiting", late);
    assert!(at > 30, "it is told of the step {at} of 40 at last");
    // Samples are of steps that were made, in order.
    let steps: Vec<u64> = session.samples().samples.iter().map(|sample| sample.step).collect();
    assert!(steps.len() > 10 && steps.is_sorted(), "{steps:?}");
    session.dispatch(Command::Pause).expect("it stands");
    assert_eq!((session.snapshot().step, session.snapshot().hash), (40, hashes[40]));
    assert_eq!(session.replayed_hash(), Some(hashes[40]));
    // The recording can be replayed.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.ron");
    session.dispatch(Command::SaveRecording(file.clone())).expect("a file");
    let found = delassus_session::recording::replay(&file, Some(Arc::new(gpu.stepper()))).expect("a recording");
    assert_eq!(found.differs, None);
    // Undo and seek give the recorded state.
    session.dispatch(Command::Seek(17)).expect("an earlier step");
    assert_eq!((session.snapshot().step, session.snapshot().hash), (17, hashes[17]));
}

/// If the device is lost while it steps and draws, the processor continues from the last state that was read, with
/// one notice.
#[test]
fn a_lost_device_leaves_the_run_to_the_processor() {
    let Some(gpu) = gpu() else { return };
    let mut session = open(&gpu);
    play(&mut session, 30);
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("it is done");
    session.advance(Duration::from_secs_f64(1.0 / 240.0), Duration::from_secs(10));
    let step = session.snapshot().step;
    assert!(step > 0);
    gpu.device.destroy();
    let mut notices = Vec::new();
    let begin = Instant::now();
    for _ in 0..10 {
        session.advance(Duration::from_secs_f64(1.0 / 240.0), Duration::from_secs(10));
        notices.extend(session.take_device_notice());
    }
    assert!(begin.elapsed() < Duration::from_secs(60), "nothing hangs");
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].starts_with("The processor makes the steps, not the graphics device:"), "{notices:?}");
    assert!(poses(&session, &gpu).is_none(), "nothing is drawn out of what is gone");
    session.dispatch(Command::Pause).expect("it stands");
    // The whole run exists: the processor has repeated the steps that were lost.
    assert_eq!(session.snapshot().step, 41);
    let mut other = Session::from_text(SCENE, "on_device.ron").expect("a scene");
    let cpu = Command::Set { name: "solver.device", value: Value::Choice("Cpu") };
    other.dispatch(cpu).expect("a setting");
    for _ in 0..41 {
        other.dispatch(Command::Step).expect("a step");
    }
    for (a, b) in session.snapshot().bodies.iter().zip(&other.snapshot().bodies) {
        assert!(a.centre.distance(b.centre) <= 1e-4, "{}: {} and {}", a.name, a.centre, b.centre);
    }
}
