//! Which of a lesson's symbols a formula contains.

use delassus_scene::letter::Live;

/// The indices in `live.letters` of the symbols that a formula contains.
pub fn letters_of(formula: &str, live: &Live) -> Vec<usize> {
    let found = live.letters.iter().enumerate().filter(|(_, (text, _))| has(formula, text));
    found.map(|(index, _)| index).collect()
}

/// Whether a symbol occurs in a formula on its own, not as a part of a command, of a word, or of a symbol with an
/// index.
fn has(formula: &str, letter: &str) -> bool {
    let joined = |c: Option<char>, also: &[char]| c.is_some_and(|c| c.is_ascii_alphabetic() || also.contains(&c));
    formula.match_indices(letter).any(|(at, _)| {
        let before = &formula[..at];
        // A backslash ends whatever comes before it.
        (letter.starts_with('\\') || !joined(before.chars().next_back(), &['\\', '_']))
            && !OPEN.iter().any(|open| before.ends_with(open))
            && !joined(formula[at + letter.len()..].chars().next(), &['_'])
    })
}

/// Commands that open a word or an index, whose letters are not symbols.
const OPEN: [&str; 6] = ["_{", r"\mathrm{", r"\text{", r"\operatorname{", r"\begin{", r"\mathsf{"];

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn letters_are_found_where_they_stand_by_themselves() {
        assert!(has(r"K = J M^{-1}", "K") && has(r"\frac{J u}{K}", "K") && has(r"-K^{-1} J u", "J"));
        assert!(has(r"\lambda' = \max", r"\lambda") && has(r"r_A \times n", "r_A") && has(r"r_A \times n", "n"));
        // Not within a command, a word, or another symbol's index.
        assert!(!has(r"\Delta\lambda", "a") && !has(r"\mathrm{cold}", "cold") && !has(r"C_n + C_{n+1}", "n"));
        assert!(!has(r"\lambda_{\max}", r"\lambda") && !has(r"r_A", "r") && !has(r"\beta", "b"));
    }
}
