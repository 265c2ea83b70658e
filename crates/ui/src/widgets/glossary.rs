//! The terms of `docs/glossary.md` in running text: each is underlined where it first occurs in a paragraph, and the
//! pointer on it shows its sentence, and a sketch if there is one.

use std::ops::Range;
use std::sync::LazyLock;

use egui::{
    Color32, Label, Response, RichText, Stroke, Ui,
    text::{ByteIndex, LayoutJob},
    vec2,
};

use super::{glossary_sketch, theme};

/// A term and what it is.
#[derive(Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    pub what: &'static str,
}

/// The terms, the longest first, so that "effective mass" is found before a shorter term within it.
pub static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let text = include_str!("../../../../docs/glossary.md");
    let rows = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let mut terms: Vec<Term> = rows.filter_map(term).collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.name.len()));
    terms
});

/// The term in a row of the table.
fn term(row: &'static str) -> Option<Term> {
    let mut cells = row.trim_matches('|').split('|').map(str::trim);
    let (name, what) = (cells.next()?, cells.next()?);
    (!name.is_empty() && !what.is_empty()).then_some(Term { name, what })
}

/// The words by which a term may occur: "spectral radius ρ" is also "spectral radius", and "limit, stop" is two words.
fn words(name: &'static str) -> impl Iterator<Item = &'static str> {
    name.split(", ").map(|word| match word.rsplit_once(' ') {
        Some((words, symbol)) if symbol.chars().count() == 1 => words,
        _ => word,
    })
}

/// Terms that are also everyday words, as in "they pass through each other" and "the box stops": they are not marked.
const EVERYDAY: [&str; 11] =
    ["block", "bound", "colour", "drive", "impact", "lane", "limit, stop", "linearize", "pass", "prepare", "sleep"];

/// Where terms first occur in a text: byte ranges in order, without overlaps. A plural counts as its singular.
fn find(text: &str) -> Vec<(Range<usize>, &'static Term)> {
    let lower = text.to_lowercase();
    // Lower case may have other lengths in some scripts; then nothing is marked.
    if lower.len() != text.len() {
        return Vec::new();
    }
    let mut found: Vec<(Range<usize>, &'static Term)> = Vec::new();
    for term in TERMS.iter().filter(|term| !EVERYDAY.contains(&term.name)) {
        let places = words(term.name).filter_map(|word| {
            let word = word.to_lowercase();
            let all = lower.match_indices(&word).map(|(at, _)| at..whole(&lower, at, word.len()));
            all.filter(|range| !range.is_empty()).find(|range| found.iter().all(|(other, _)| !meet(range, other)))
        });
        if let Some(first) = places.min_by_key(|range| range.start) {
            found.push((first, term));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The end of a word of this length if it stands alone, perhaps in the plural; else its start.
fn whole(text: &str, at: usize, length: usize) -> usize {
    let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '–' | '_'));
    if joined(text[..at].chars().next_back()) {
        return at;
    }
    for plural in ["", "s", "es"] {
        if text[at + length..].starts_with(plural) {
            let end = at + length + plural.len();
            if !joined(text[end..].chars().next()) {
                return end;
            }
        }
    }
    at
}

/// Underlines these ranges.
fn underlined(job: &mut LayoutJob, ranges: &[(Range<usize>, &'static Term)], color: Color32) {
    let sections = std::mem::take(&mut job.sections);
    for section in sections {
        let range: Range<usize> = section.byte_range.start.0..section.byte_range.end.0;
        let inside = ranges.iter().map(|(range, _)| range);
        let cuts = inside.flat_map(|range| [range.start, range.end]).filter(|cut| range.contains(cut));
        let mut ends: Vec<usize> = cuts.chain([range.start, range.end]).collect();
        ends.sort_unstable();
        ends.dedup();
        for part in ends.windows(2) {
            let mut piece = section.clone();
            piece.byte_range = ByteIndex(part[0])..ByteIndex(part[1]);
            piece.leading_space = if part[0] == range.start { section.leading_space } else { 0.0 };
            if ranges.iter().any(|(range, _)| range.contains(&part[0])) {
                piece.format.underline = Stroke::new(1.0, color);
            }
            job.sections.push(piece);
        }
    }
}

/// Adds a wrapped text whose terms are explained under the pointer.
pub fn text(ui: &mut Ui, mut job: LayoutJob) -> Response {
    let terms = find(&job.text);
    let colors = theme::colors(ui.visuals());
    underlined(&mut job, &terms, colors.weak.gamma_multiply(0.7));
    let chars: Vec<Range<usize>> = (terms.iter())
        .map(|(range, _)| [range.start, range.end].map(|end| job.text[..end].chars().count()))
        .map(|[start, end]| start..end)
        .collect();
    let (at, galley, response) = Label::new(job).wrap().layout_in_ui(ui);
    ui.painter().galley(at, galley.clone(), colors.text);
    let pointed = response.hover_pos().and_then(|pointer| {
        let cursor = galley.cursor_from_pos(pointer - at);
        let index = chars.iter().position(|range| range.contains(&cursor.index.0))?;
        // Beyond the end of a line, the nearest letter is far away.
        let letter = galley.pos_from_cursor(cursor).translate(at.to_vec2());
        letter.expand2(vec2(12.0, 2.0)).contains(pointer).then_some(terms[index].1)
    });
    match pointed {
        Some(term) => response.on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(300.0);
            ui.label(RichText::new(term.name).color(colors.strong));
            ui.label(term.what);
            glossary_sketch::show(ui, term.name);
        }),
        None => response,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> Vec<(&str, &str)> {
        find(text).into_iter().map(|(range, term)| (&text[range], term.name)).collect()
    }

    #[test]
    fn the_words_that_a_learner_meets_are_explained_in_one_sentence() {
        for name in ["sweep", "row", "residual", "bias", "slop", "effective mass", "warm start", "island"] {
            assert!(TERMS.iter().any(|term| term.name == name), "{name}");
        }
        for symbol in ['ρ', 'κ', 'γ'] {
            assert!(TERMS.iter().any(|term| term.name.ends_with(symbol)), "{symbol}");
        }
        for term in TERMS.iter() {
            assert!(term.what.ends_with('.') && term.what.len() < 220, "{term:?}");
        }
    }

    #[test]
    fn a_term_is_marked_once_as_a_whole_word_and_in_the_plural() {
        assert_eq!(
            marked("Each sweep solves the rows. Two sweeps leave a residual."),
            [("sweep", "sweep"), ("rows", "row"), ("residual", "residual")]
        );
        assert_eq!(marked("The effective mass of a row"), [("effective mass", "effective mass"), ("row", "row")]);
        assert_eq!(marked("Nothing grows in a browser, and two-row tables are no rows at all"), [("rows", "row")]);
        assert_eq!(marked("ΑΒΓ sweeps"), [("sweeps", "sweep")]);
        // Everyday words are not terms of the field.
        assert_eq!(marked("They pass through each other, and the program stops"), []);
        // Its lower case is longer.
        assert_eq!(marked("İ sweeps"), []);
    }

    #[test]
    fn underlines_change_no_letter() {
        let words = "the share ρ^N of each sweep's residual, and slop";
        let font = egui::FontId::proportional(13.0);
        let plain = super::super::words::indexed(words, &font, Color32::WHITE);
        let mut job = plain.clone();
        let terms = find(&job.text);
        underlined(&mut job, &terms, Color32::GRAY);
        assert_eq!(job.text, plain.text);
        let covered: usize = job.sections.iter().map(|s| s.byte_range.end.0 - s.byte_range.start.0).sum();
        assert_eq!(covered, job.text.len());
        let lines = job.sections.iter().filter(|section| section.format.underline.width > 0.0).count();
        assert_eq!(lines, terms.len());
    }
}
