//! Robot descriptions that are opened or dropped: each becomes a scene that is not saved yet.

use std::path::Path;

use delassus_import::{Imported, Options, disk};
use delassus_session::{Command, SessionError};
use delassus_ui::notices::Topic;

use super::window::App;

/// Most notes of an import that a notice has; the scene's text has all.
const SHOWN: usize = 6;

impl App {
    /// Opens a robot description as a scene without a file: saving asks where.
    pub(super) fn open_model(&mut self, path: &Path) {
        let imported = match disk::read(path, &Options::default()) {
            Ok(imported) => imported,
            Err(mistake) => return self.show_error(&SessionError::Mistakes(vec![mistake])),
        };
        // The text has the notes as comments. What it was made from lacks a field, so that it counts as unsaved.
        let mut base = imported.clone();
        base.scene.about.clear();
        let command = Command::Recover { text: imported.text(), file: None, base: Some(base.text()) };
        if self.open_scene(command) {
            // It stays until it is read, or another scene is opened.
            self.state.notices.ask(Topic::Imported, summary(path, &imported), Vec::new());
        }
    }
}

/// What was changed or left out, in a few lines.
fn summary(path: &Path, imported: &Imported) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let count = imported.notes.len();
    let mut text = format!("{name} is a scene now, not saved yet.");
    if count > 0 {
        text += &format!(" {count} notes on what was changed or left out stand at the top of its text:");
    }
    for note in imported.notes.iter().take(SHOWN) {
        text += &format!("\n• {note}");
    }
    if count > SHOWN {
        text += &format!("\n… and {} more", count - SHOWN);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::App;
    use crate::{config::Config, recovery::Recovery};
    use delassus_ui::request::Request;

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
        assert!(app.state.notices.iter().any(|notice| notice.text.contains("gazebo")));
        app.carry_out(Request::SaveAs(scene.clone()));
        let saved = std::fs::read_to_string(&scene).expect("it is saved");
        assert!(saved.starts_with("// Imported from arm.urdf.") && saved.contains("<gazebo>"), "{saved}");
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
