//! Checks what in lessons only the interface can resolve: formulas, their symbols, linear systems, sections to read,
//! claims of exercises.

use super::formula::letters_of;
use crate::{panels::reader::sections, widgets::tex};
use delassus_lab::linear::examples;
use delassus_scene::lesson::LinkTarget;
use delassus_scene::nearest;
use delassus_session::claims;

/// What is wrong with a name in a lesson; `None` if it is valid.
pub fn knows(asked: LinkTarget<'_>) -> Option<String> {
    match asked {
        LinkTarget::Formula(formula) => no_latex(formula),
        LinkTarget::Letter(letter, live, formulas) => no_latex(letter).or_else(|| {
            let index = live.letters.iter().position(|(known, _)| known == letter)?;
            let named = formulas.iter().any(|formula| letters_of(formula, live).contains(&index));
            (!named).then(|| format!("no formula has the letter `{letter}`"))
        }),
        LinkTarget::System(name) => {
            let systems = examples();
            let names = || systems.iter().map(|(name, ..)| *name);
            let known = names().any(|known| known == name);
            (!known).then(|| format!("no system is called `{name}`{}", nearest(name, names())))
        }
        LinkTarget::Claim(text, scene) => claims::mistake(text, scene),
        LinkTarget::Reference(text) => sections::find(text).is_none().then(|| {
            format!("no section is called `{text}`, expected `math: ` or `errata: ` and the beginning of a title")
        }),
    }
}

fn no_latex(formula: &str) -> Option<String> {
    (!tex::can_be_set(formula)).then(|| format!("this LaTeX cannot be set: `{formula}`"))
}
