//! The notice about bodies that are moved during a run. The edit changes the running state, and the scene stores the
//! new pose as the body's initial pose: after a save or reset the other bodies are at their initial poses and this
//! one where it was dropped. The notice says so and offers to store the whole current state.

use super::window::App;
use delassus_session::{Command, Edit, Placed, Session};
use delassus_ui::{notices::Remedy, request::Request};

/// A body that has moved farther than this since the start counts as moved, m and quaternion components.
const MOVED: f32 = 1e-3;

/// The bodies that the edit moves and that the run had already moved away from their initial poses.
fn moved_by_run<'e>(edit: &'e Edit, session: &Session) -> Vec<&'e str> {
    let placed = match edit {
        Edit::Place(placed) | Edit::Carry { placed, .. } => placed.as_slice(),
        Edit::Join { moved, .. } => std::slice::from_ref(moved),
        _ => return Vec::new(),
    };
    let snapshot = session.snapshot();
    if snapshot.step == 0 {
        return Vec::new();
    }
    let has_moved = |placed: &&Placed| {
        let now = snapshot.bodies.iter().find(|body| *body.name == *placed.name).map(|body| body.pose);
        let entry = session.body_entry(&placed.name);
        now.zip(entry).is_some_and(|(now, entry)| {
            let turned = entry.rotation.quat().map_or(0.0, |q| 1.0 - q.dot(now.rotation).abs());
            entry.at.distance(now.position) > MOVED || turned > MOVED * MOVED
        })
    };
    placed.iter().filter(has_moved).map(|placed| placed.name.as_str()).collect()
}

impl App {
    /// The notice to show once the edit is made, if any.
    pub(super) fn about_placing(&self, command: &Command) -> Option<String> {
        let Command::Edit { edit, .. } = command else { return None };
        let names = moved_by_run(edit, &self.session);
        let (what, begin) = match names.as_slice() {
            [] => return None,
            [one] => ((*one).to_owned(), "begins"),
            many => (format!("These {} bodies", many.len()), "begin"),
        };
        Some(format!("{what} {begin} here in the scene from now on; the others start where they did before the run."))
    }

    /// Shows the notice, with a button that stores the poses of all bodies.
    pub(super) fn show_placing(&mut self, words: Option<String>) {
        let Some(words) = words else { return };
        let request = Box::new(Request::Session(Command::KeepPose));
        self.state.notices.offer(words, Remedy::Ask { label: "Keep the whole pose".into(), request });
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::{config::Config, recovery::Recovery};

    const SCENE: &str = r#"(
        version: 1,
        title: "Two balls fall",
        settings: (preset: SingleStep, step: (gravity: (0, 0, -10))),
        bodies: [
            (name: "left", shape: Sphere(radius: 0.2), at: (-1, 0, 9)),
            (name: "right", shape: Sphere(radius: 0.2), at: (1, 0, 9)),
            (name: "post", shape: Sphere(radius: 0.2), at: (3, 0, 9), motion: Static),
        ],
    )"#;

    fn app(folder: &std::path::Path) -> App {
        std::fs::write(folder.join("scene.ron"), SCENE).expect("a file");
        let mut app = App::with(None, Config::default(), Recovery::new(None), folder.into());
        app.carry_out(Request::Open(folder.join("scene.ron")));
        app.carry_out(Request::Session(Command::Pause));
        app
    }

    fn place(app: &mut App, name: &str, at: Vec3) {
        let placed = Placed { name: name.into(), at, rotation: Quat::IDENTITY };
        app.carry_out(Request::Session(Command::Edit { edit: Edit::Place(vec![placed]), gesture: None }));
    }

    fn notice(app: &App) -> Option<&delassus_ui::notices::Notice> {
        app.state.notices.iter().find(|toast| toast.text.contains("from now on"))
    }

    /// A body that was moved at t = 5 s was once saved where it was dropped and the others at t = 0, without a
    /// notice.
    #[test]
    fn a_body_that_is_moved_in_mid_run_says_where_it_begins() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut app = app(folder.path());
        place(&mut app, "left", Vec3::new(-1.0, 0.0, 8.0));
        assert!(notice(&app).is_none(), "before the run a place is the beginning");
        (0..60).for_each(|_| app.carry_out(Request::Session(Command::Step)));
        place(&mut app, "post", Vec3::new(3.0, 0.0, 7.0));
        assert!(notice(&app).is_none(), "what has not moved has one place only");
        place(&mut app, "left", Vec3::new(-1.0, 0.0, 5.0));
        let notice = notice(&app).expect("a notice");
        assert!(notice.text.starts_with("left begins here"), "{}", notice.text);
        let Some(Remedy::Ask { request, .. }) = notice.remedies.first() else { panic!("a button") };
        let request = (**request).clone();
        app.carry_out(request);
        let entry = |name: &str| app.session.body_entry(name).expect("the body").at;
        // After 1 s of free fall: ½ g t² lower.
        let fallen = 0.5 * 10.0;
        assert_eq!(entry("left"), Vec3::new(-1.0, 0.0, 5.0));
        assert!((entry("right").z - (9.0 - fallen)).abs() < 1e-3, "{}", entry("right"));
    }
}
