//! The field of a cam's profile.

use egui::Ui;

use crate::editor::form::Form;
use crate::editor::form::drafted::{DraftNames, drafted};
use delassus_physics::joints::{Cam, JointKind};
use delassus_physics::primitives::profile::Profile;
use delassus_physics::refuse;

/// Draws the field of the radii of a profile, numbers with spaces between them, m.
pub fn radii(ui: &mut Ui, form: &mut Form<'_>, path: &str, profile: &mut Profile) {
    let tip = "Radii at equal angles, m, in the positive sense about A's axis. The first one points at the follower.";
    let names = DraftNames { label: "Radii", name: "Radii", path, tip };
    drafted(ui, form, profile, &names, written, read);
}

fn written(profile: &Profile) -> String {
    profile.radii().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The profile with these radii, or what is wrong with it.
fn read(text: &str) -> Result<Profile, String> {
    let words = text.split([' ', ';']).map(|word| word.trim_end_matches(',')).filter(|word| !word.is_empty());
    let number = |word: &str| word.parse::<f32>().map_err(|_| format!("`{word}` is not a number"));
    let profile = Profile::new(&words.map(number).collect::<Result<Vec<_>, _>>()?)?;
    let cam = JointKind::Cam(Cam { radii: profile, ..Cam::default() });
    refuse::kind(&cam).map_or(Ok(profile), |(_, what)| Err(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_are_written_as_they_are_read() {
        let profile = read("0.3, 0.35 0.4;0.35").expect("four radii");
        assert_eq!(profile.radii(), [0.3, 0.35, 0.4, 0.35]);
        assert_eq!(read(&written(&profile)), Ok(profile));
        for (text, what) in [
            ("0.3 0.4 0.5", "a profile needs 4 to 72 radii, not 3"),
            ("0.3 0.4 0.5 x", "`x` is not a number"),
            ("0.3 0.4 0.5 0", "radii must be above 0"),
            ("0.01 0.01 2 0.01 0.01 2", "goes through its axis"),
        ] {
            assert!(read(text).expect_err(text).contains(what), "{text}: {:?}", read(text));
        }
    }
}
