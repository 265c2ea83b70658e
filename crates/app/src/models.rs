//! Robot descriptions that are opened or dropped: each becomes a scene that is not saved yet.

use std::path::Path;

use delassus_import::{Imported, Options, disk};
use delassus_launch::OpeningError;
use delassus_session::{Command, SessionError};
use delassus_ui::notices::{Remedy, Topic};

use super::window::App;

impl App {
    /// Opens a robot description as a scene without a file: saving asks where.
    pub(super) fn open_model(&mut self, path: &Path) {
        self.open_model_with(path, |text, _| Ok(text));
    }

    /// The same with a change of the scene's text, for which `change` gets the file's name, too. Returns whether it is open.
    pub(super) fn open_model_with(
        &mut self,
        path: &Path,
        change: impl FnOnce(String, &str) -> Result<String, OpeningError>,
    ) -> bool {
        let imported = match disk::read(path, &Options::default()) {
            Ok(imported) => imported,
            Err(mistake) => {
                self.show_error(&SessionError::Mistakes(vec![mistake]));
                return false;
            }
        };
        // The text has the notes as comments.
        let text = match change(imported.text(), &path.display().to_string()) {
            Ok(text) => text,
            Err(error) => {
                self.state.notices.refused(error.to_string(), None);
                return false;
            }
        };
        // The base differs from the scene in one field, so that the scene counts as unsaved.
        let mut base = imported.clone();
        base.scene.about.clear();
        let done = self.open_scene(Command::Recover { text, file: None, base: Some(base.text()) });
        if done {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // The notice stays until the user closes it, or another scene is opened.
            self.state.notices.ask(Topic::Imported, summary(&name, &imported), notes(&name, &imported));
        }
        done
    }
}

/// What was read, and how much of it was changed or left out.
fn summary(name: &str, imported: &Imported) -> String {
    let changed = match imported.notes.len() {
        0 => "Nothing was left out.",
        1 => "One thing in it was changed or left out.",
        count => &format!("{count} things in it were changed or left out."),
    };
    format!("{name} is a scene now, not saved yet. {changed}")
}

/// The button that lists what was changed or left out.
fn notes(name: &str, imported: &Imported) -> Vec<Remedy> {
    if imported.notes.is_empty() {
        return Vec::new();
    }
    let lines = imported.notes.iter().map(|note| format!("• {note}")).collect();
    vec![Remedy::ShowText {
        label: "Show the list".into(),
        title: format!("What was changed or left out of {name}"),
        lines,
    }]
}

#[cfg(test)]
mod tests {
    use super::App;
    use crate::{config::Config, recovery::Recovery};
    use delassus_ui::{notices::Remedy, request::Request};

    const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="rod"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
  <gazebo/>
</robot>"#;

    #[test]
    fn a_dropped_model_is_an_unsaved_scene_with_its_notes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (model, scene) = (folder.path().join("arm.urdf"), folder.path().join("arm.ron"));
        std::fs::write(&model, ARM).expect("a file");
        let mut app = App::with(None, Config::default(), Recovery::new(None), folder.path().into());
        app.carry_out(Request::Open(model));
        assert_eq!(app.session.title(), "arm");
        assert!(app.session.is_dirty() && app.session.file().is_none());
        let remedies = app.state.notices.iter().flat_map(|notice| &notice.remedies);
        let lists = remedies.filter_map(|remedy| match remedy {
            Remedy::ShowText { lines, .. } => Some(lines.concat()),
            _ => None,
        });
        assert!(lists.collect::<String>().contains("gazebo"));
        app.carry_out(Request::SaveAs(scene.clone()));
        let saved = std::fs::read_to_string(&scene).expect("it is saved");
        assert!(saved.starts_with("// Imported from arm.urdf.") && saved.contains("<gazebo>"), "{saved}");
    }

    #[test]
    fn a_model_named_on_the_command_line_is_opened_with_its_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let model = folder.path().join("arm.urdf");
        std::fs::write(&model, ARM).expect("a file");
        let mut app = App::with(None, Config::default(), Recovery::new(None), folder.path().into());
        let words = [model.display().to_string(), "--set".into(), "bodies.rod.mass=2".into()];
        let more = ["--set".to_owned(), "solver.iterations=7".into()];
        let options = delassus_launch::line::of_words(words.into_iter().chain(more)).expect("a request");
        app.open_launch(&options);
        assert_eq!(app.session.title(), "arm");
        let scene = app.session.scene().expect("it is open");
        let rod = scene.bodies.iter().find(|body| body.name == "rod").expect("the rod");
        assert_eq!(rod.mass, Some(2.0));
        assert_eq!(app.session.settings().solver.iterations, 7);
    }

    #[test]
    fn a_broken_model_leaves_the_open_scene() {
        let folder = tempfile::tempdir().expect("a folder");
        let model = folder.path().join("arm.urdf");
        std::fs::write(&model, ARM.replace("</robot>", "")).expect("a file");
        let mut app = App::with(None, Config::default(), Recovery::new(None), folder.path().into());
        app.carry_out(Request::Open(model));
        assert!(app.session.scene().is_none());
        assert!(app.state.notices.iter().any(|notice| notice.text.contains("this is not XML")));
    }
}
