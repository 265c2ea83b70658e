//! The running text of the documents as it is shown: symbols are typeset, and names of source files are left out.
//!
//! A line is cut into words at its spaces. Words that belong to a formula, such as `vA`, `I_B⁻¹` or `Jᵀ`, are typeset
//! together with the letters, numbers and operators beside them.

use super::formula;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It can only be part of a formula.
    Formula,
    /// A letter or number, which is part of a formula beside one.
    Letter,
    Operator,
    Text,
}

/// Operators that stand between spaces.
const OPERATORS: [&str; 12] = ["=", "+", "−", "×", "·", "/", "±", "≤", "≥", "<", ">", "⊗"];
/// Single letters that are mostly words or names.
const NAMES: [&str; 4] = ["a", "A", "B", "I"];
/// What may stand before and after a formula without being part of it.
const OPENING: [char; 2] = ['(', '['];
const CLOSING: [char; 6] = [')', ']', ',', '.', ';', ':'];

/// The line with typeset formulas, as Markdown.
pub fn set(line: &str) -> String {
    let line = without_files(line).replace('ṫ', "t-dot").replace('ṗ', "p-dot").replace("q\u{307}", "q-dot");
    let words: Vec<&str> = line.split(' ').collect();
    let (mut out, mut at, mut in_code) = (String::with_capacity(line.len()), 0, false);
    while at < words.len() {
        if at > 0 {
            out.push(' ');
        }
        let ticks = words[at].matches('`').count();
        if in_code || ticks > 0 {
            in_code ^= ticks % 2 == 1;
            out.push_str(words[at]);
            at += 1;
            continue;
        }
        let count = length(&words[at..]);
        match typeset(&words[at..at + count]) {
            Some(formula) => out.push_str(&formula),
            None => out.push_str(&words[at..at + count].join(" ")),
        }
        at += count;
    }
    with_glyphs(&out)
}

/// The number of words from the first one on that belong together: one, unless they are a formula.
fn length(words: &[&str]) -> usize {
    let mut count = 0;
    for word in words {
        if kind(word) == Kind::Text {
            break;
        }
        count += 1;
        // A comma or full stop ends a formula.
        if word.ends_with([',', '.', ';', ':']) {
            break;
        }
    }
    let trailing = words[..count].iter().rev().take_while(|word| kind(word) == Kind::Operator).count();
    (count - trailing).max(1)
}

/// The words typeset as one formula; `None` if none of them needs it, or if a sign is unknown.
fn typeset(words: &[&str]) -> Option<String> {
    if !words.iter().any(|word| kind(word) == Kind::Formula) {
        return None;
    }
    let text = words.join(" ");
    let (mut formula, mut before, mut after) = (text.as_str(), String::new(), String::new());
    let surplus =
        |text: &str, open: char, close: char| text.matches(open).count() as i64 - text.matches(close).count() as i64;
    while let Some(first) = formula.chars().next().filter(|c| OPENING.contains(c)) {
        let close = if first == '(' { ')' } else { ']' };
        if surplus(formula.trim_end_matches(['.', ',', ';', ':']), first, close) <= 0 {
            break;
        }
        before.push(first);
        formula = &formula[1..];
    }
    while let Some(last) = formula.chars().last().filter(|c| CLOSING.contains(c)) {
        let open = match last {
            ')' => '(',
            ']' => '[',
            _ => ' ',
        };
        if open != ' ' && surplus(formula, open, last) >= 0 {
            break;
        }
        after.insert(0, last);
        formula = &formula[..formula.len() - 1];
    }
    let set = formula::tex(formula)?;
    Some(format!("{before}${}${after}", set.trim()))
}

fn kind(word: &str) -> Kind {
    if OPERATORS.contains(&word) {
        return Kind::Operator;
    }
    let core = word.trim_matches(|c| OPENING.contains(&c) || CLOSING.contains(&c));
    let marked = |c: char| matches!(c, '*' | '`' | '|' | '"' | '\'' | '#' | '[' | ']');
    if core.is_empty() || core.contains(marked) {
        return Kind::Text;
    }
    let pieces = || core.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    let short = |piece: &str| piece.chars().count() <= 2 || piece == "dot" || piece == "ref";
    if !pieces().all(short) {
        return Kind::Text;
    }
    let raised = core.contains(['ᵀ', '⁻', 'ᴺ']) || core.ends_with("-dot");
    let indexed = core.split_once('_').is_some_and(|(letter, _)| letter.chars().count() <= 2);
    if raised || indexed || pieces().any(formula::is_body) {
        return Kind::Formula;
    }
    let single = core.chars().count() == 1 && core.chars().all(char::is_alphabetic) && !NAMES.contains(&core);
    if single || core.parse::<f64>().is_ok() { Kind::Letter } else { Kind::Text }
}

/// The line without source files that are a sentence of their own, as at the end of a paragraph.
fn without_files(line: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        let path = word.trim_end_matches(['.', ',']);
        let is_file = path.len() > 2 && path.starts_with('`') && path.ends_with(".rs`");
        let begins = out.last().is_none_or(|last| last.is_empty() || last.ends_with(['.', ':']));
        if !(is_file && begins) {
            out.push(word);
        }
    }
    out.join(" ")
}

/// Replaces characters that the window's fonts lack: few have superscript letters.
fn with_glyphs(line: &str) -> String {
    [('ᵀ', "^T"), ('ᴺ', "^N"), ('ᵏ', "^k")].iter().fold(line.to_owned(), |line, (from, to)| line.replace(*from, to))
}

#[cfg(test)]
mod tests {
    use super::set;

    #[test]
    fn symbols_are_typeset_and_words_stay() {
        let cases = [
            ("p = vA + ωA × rA, a word", r"$p = v_{A} + \omega _{A} \times  r_{A}$, a word"),
            ("K is J M⁻¹ Jᵀ; 1/K is", r"K is $J M^{-1} J^{\mathsf{T}}$; 1/K is"),
            ("carried by A, with ṫ = ωA × t and", r"carried by A, with $\dot{t} = \omega _{A} \times  t$ and"),
            ("(rA and rB)", r"($r_{A}$ and $r_{B}$)"),
            ("A force on a body of B.", "A force on a body of B."),
            ("in place of sA it leaks. `primitives/plane.rs`.", r"in place of $s_{A}$ it leaks."),
            ("see `shake.rs` and `vA`", "see `shake.rs` and `vA`"),
            ("| rA, rB | anchors |", r"| $r_{A}$, $r_{B}$ | anchors |"),
        ];
        for (plain, expected) in cases {
            assert_eq!(set(plain), expected, "{plain}");
        }
    }
}
