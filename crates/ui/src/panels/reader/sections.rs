//! The documents shown in the window, split into sections.

use std::sync::LazyLock;

use super::{formula, prose};

/// A document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    Math,
    Errata,
    Arena,
}

/// A piece of a document under one heading, as Markdown.
#[derive(Debug)]
pub struct Section {
    pub title: String,
    pub text: String,
}

impl Page {
    pub const ALL: [Self; 3] = [Self::Math, Self::Errata, Self::Arena];

    pub fn title(self) -> &'static str {
        match self {
            Self::Math => "Derivations",
            Self::Errata => "Errata",
            Self::Arena => "Arena",
        }
    }

    /// Its sections, in order.
    pub fn sections(self) -> &'static [Section] {
        static ALL: LazyLock<[Vec<Section>; 3]> = LazyLock::new(|| {
            [
                cut(include_str!("../../../../../docs/math.md"), heading),
                cut(include_str!("../../../../../docs/errata.md"), erratum),
                cut(include_str!("../../../../../docs/arena.md"), heading),
            ]
        });
        &ALL[self as usize]
    }
}

/// The section named in a reference by the beginning of its title: `math: Soft rows`, `errata: 14`.
pub fn find(reference: &str) -> Option<(Page, usize)> {
    let (page, title) = reference.split_once(": ")?;
    let page = match page {
        "math" => Page::Math,
        "errata" => Page::Errata,
        _ => return None,
    };
    let begins = |section: &Section| {
        let rest = section.title.strip_prefix(title);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    page.sections().iter().position(begins).map(|section| (page, section))
}

/// The title of a section that begins in this line.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("## ")
}

/// The title of an erratum that begins in this line: `**14 ★ Friction clamp.** Printed: …`
fn erratum(line: &str) -> Option<&str> {
    let (title, _) = line.strip_prefix("**")?.split_once("**")?;
    title.starts_with(|c: char| c.is_ascii_digit()).then(|| title.trim_end_matches('.'))
}

/// Splits a document into sections, without its pictures. The text before the first has the document's own title.
fn cut(text: &str, begins: fn(&str) -> Option<&str>) -> Vec<Section> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("# ").or_else(|| begins(line)) {
            sections.push((title.replace('`', ""), Vec::new()));
        }
        if let Some((_, lines)) = sections.last_mut().filter(|_| !line.starts_with('#') && !line.starts_with("![")) {
            lines.push(line);
        }
    }
    let section = |(title, lines): (String, Vec<&str>)| Section { title, text: set(&lines) };
    sections.into_iter().map(section).collect()
}

/// Typesets indented lines as formulas if all their signs are known.
fn set(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let formula = line.strip_prefix("    ").filter(|line| !line.trim().is_empty()).and_then(formula::tex);
        match formula {
            Some(formula) => text.push_str(&format!("\n$${formula}$$\n\n")),
            None => {
                text.push_str(&prose::set(line));
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Page, find};
    use crate::widgets::tex;

    #[test]
    fn documents_are_cut_at_their_headings_and_nothing_is_lost() {
        let titles = |page: Page| page.sections().iter().map(|section| section.title.as_str()).collect::<Vec<_>>();
        let math = titles(Page::Math);
        assert_eq!(&math[..3], ["Notation, signs and derivations", "Notation", "Rows along a direction"]);
        let errata = titles(Page::Errata);
        // The list at the head of the errata has a line for each of them.
        let listed = include_str!("../../../../../docs/errata.md").lines();
        let listed =
            listed.filter(|line| line.starts_with("| ") && line[2..].starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(errata.len(), 1 + listed.count(), "{errata:?}");
        assert!(errata[14].starts_with("14 ★ Friction clamp"), "{errata:?}");
        assert_eq!(find("errata: 1"), Some((Page::Errata, 1)));
        assert_eq!(find("errata: 14"), Some((Page::Errata, 14)));
        assert_eq!(find("math: Rows along"), Some((Page::Math, 2)));
        assert_eq!(find("math: Nothing"), None);
        assert_eq!(&titles(Page::Arena)[..3], ["The arena", "The solvers", "Heavy end"]);
    }

    #[test]
    fn every_formula_of_the_documents_can_be_set() {
        let mut count = 0;
        for section in Page::ALL.iter().flat_map(|page| page.sections()) {
            for formula in section.text.split("$$").skip(1).step_by(2) {
                assert!(tex::can_be_set(formula), "{}: {formula}", section.title);
                count += 1;
            }
            for line in section.text.lines().filter(|line| !line.contains("$$")) {
                for formula in line.split('$').skip(1).step_by(2) {
                    assert!(tex::can_be_set(formula), "{}: {formula} in {line}", section.title);
                }
            }
            let left = section.text.lines().find(|line| line.starts_with("    "));
            assert_eq!(left, None, "{}: a formula is not known", section.title);
        }
        assert!(count > 20, "{count}");
    }
}
