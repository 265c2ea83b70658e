//! Renames a body or joint and updates all references to it by name: joints, plots, sensors,
//! claims and the window's labels.

use crate::quantity::MINUS;
use delassus_scene::{Experiment, Joint, Scene};

/// Updates the references to a renamed body.
pub(super) fn body(scene: &mut Scene, old: &str, new: &str) {
    // Fields are listed by name so that a new field must be checked for body names here.
    let Scene {
        joints: _,
        plots: _,
        sensors: _,
        claims: _,
        experiments: _,
        opens: _,
        // These contain no references to bodies.
        version: _,
        title: _,
        source: _,
        about: _,
        look_for: _,
        expects: _,
        settings: _,
        camera: _,
        materials: _,
        bodies: _,
        patterns: _,
        parts: _,
    } = scene;
    let labels: Vec<String> = scene.joints.iter().map(Joint::label).collect();
    ends(scene, |end| (end == old).then(|| new.to_owned()));
    // The names of unnamed joints contain those of their bodies.
    let now: Vec<String> = scene.joints.iter().map(Joint::label).collect();
    for (old, new) in labels.iter().zip(&now).filter(|(old, new)| old != new) {
        joint(scene, old, new);
    }
    quantities(scene, &["bodies.", "contacts."], old, new);
    contacts(scene, old, new);
    scene.opens.rename(old, new);
}

/// Updates the references to a renamed joint.
pub(super) fn joint(scene: &mut Scene, old: &str, new: &str) {
    quantities(scene, &["joints.", "rows."], old, new);
}

/// Renames the ends of joints for which `name` returns a new name.
pub(super) fn ends(scene: &mut Scene, name: impl Fn(&str) -> Option<String>) {
    scene.joints.update(|joint| match (name(&joint.a), name(&joint.b)) {
        (None, None) => None,
        (a, b) => Some(Joint {
            a: a.unwrap_or_else(|| joint.a.clone()),
            b: b.unwrap_or_else(|| joint.b.clone()),
            ..joint.clone()
        }),
    });
}

/// Updates the quantities of a renamed body or joint in plots, sensors and claims.
fn quantities(scene: &mut Scene, lists: &[&str], old: &str, new: &str) {
    let renamed = |text: &str| {
        let list = lists.iter().find(|list| text.starts_with(**list))?;
        let column = text[list.len()..].strip_prefix(old)?.strip_prefix('.')?;
        // The rest must be exactly a column (for rows: a number and a column); otherwise the name only begins alike.
        let more = column.matches('.').count();
        (more == usize::from(*list == "rows.")).then(|| format!("{list}{new}.{column}"))
    };
    let claim = |claim: &str| {
        let mut words = claim.to_owned();
        for list in lists {
            words = renamed_in(&words, &format!("{list}{old}."), &format!("{list}{new}."), *list == "rows.");
        }
        words
    };
    update_claims(scene, claim);
    update_curves(scene, renamed);
}

/// Updates quantities of two bodies, `contacts.a+b.force`.
fn contacts(scene: &mut Scene, old: &str, new: &str) {
    update_claims(scene, |claim| {
        let first = claim.replace(&format!("contacts.{old}+"), &format!("contacts.{new}+"));
        if first.contains("contacts.") { first.replace(&format!("+{old}."), &format!("+{new}.")) } else { first }
    });
    update_curves(scene, |text| {
        let (pair, column) = text.strip_prefix("contacts.")?.rsplit_once('.')?;
        let name = |text: &str| if text == old { new.to_owned() } else { text.to_owned() };
        let (a, b) = match pair.strip_prefix(old).and_then(|rest| rest.strip_prefix('+')) {
            Some(b) => (new.to_owned(), name(b)),
            None => (pair.strip_suffix(old)?.strip_suffix('+')?.to_owned(), new.to_owned()),
        };
        Some(format!("contacts.{a}+{b}.{column}"))
    });
}

/// Replaces all claims of the scene and its experiments by `renamed` of them.
fn update_claims(scene: &mut Scene, renamed: impl Fn(&str) -> String) {
    let claims = |texts: &[String]| texts.iter().map(|text| renamed(text)).collect::<Vec<_>>();
    scene.claims = claims(&scene.claims);
    scene.experiments.update(|experiment| {
        let new = Experiment { claims: claims(&experiment.claims), ..experiment.clone() };
        (new != *experiment).then_some(new)
    });
}

/// Renames the quantities of plots and sensors for which `renamed` returns a new name.
fn update_curves(scene: &mut Scene, renamed: impl Fn(&str) -> Option<String>) {
    let update = |text: &mut String| {
        // Of a difference each side.
        let sides: Vec<String> =
            text.split(MINUS).map(|side| renamed(side).unwrap_or_else(|| side.to_owned())).collect();
        *text = renamed(text).unwrap_or_else(|| sides.join(MINUS));
    };
    scene.plots.update(|plot| {
        let mut new = plot.clone();
        new.curves.iter_mut().chain([&mut new.against]).for_each(&update);
        (new != *plot).then_some(new)
    });
    scene.sensors.update(|sensor| {
        let mut new = sensor.clone();
        update(&mut new.of);
        (new != *sensor).then_some(new)
    });
}

/// Replaces the prefix `old` by `new` in a claim where only a column follows (for rows: a number and a column).
fn renamed_in(claim: &str, old: &str, new: &str, rows: bool) -> String {
    let (mut words, mut rest) = (String::new(), claim);
    while let Some(at) = rest.find(old) {
        let (before, behind) = (&rest[..at], &rest[at + old.len()..]);
        let column = behind.split(|c: char| c.is_whitespace() || "<>=!±".contains(c)).next().unwrap_or_default();
        let whole = column.matches('.').count() == usize::from(rows);
        words.extend([before, if whole { new } else { old }]);
        rest = behind;
    }
    words + rest
}
