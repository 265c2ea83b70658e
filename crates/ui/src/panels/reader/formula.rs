//! Converts the plain-text formulas of the derivations, such as `K = 1/mA + (rB × t)ᵀ I_B⁻¹ (rB × t)`, to LaTeX.
//!
//! ```text
//! vA wB rA …    a symbol of a body             →  v_{A}          q_ref, s1, λn   an index
//! C-dot         a time derivative              →  \dot{C}        ⁻¹ ᵀ ² ½ β ×    their commands
//! two spaces    a gap between two formulas     →  \quad          other words     \text
//! ```

/// LaTeX commands of single characters.
const SIGNS: [(char, &str); 53] = [
    ('·', r"\cdot "),
    ('×', r"\times "),
    ('−', "-"),
    ('–', "-"),
    ('‖', r"\| "),
    ('≤', r"\le "),
    ('≥', r"\ge "),
    ('⇒', r"\Rightarrow "),
    ('→', r"\to "),
    ('←', r"\leftarrow "),
    ('∘', r"\circ "),
    ('⊗', r"\otimes "),
    ('⊥', r"\perp "),
    ('∞', r"\infty "),
    ('∫', r"\int "),
    ('Σ', r"\sum "),
    ('≈', r"\approx "),
    ('±', r"\pm "),
    ('√', r"\surd "),
    ('…', r"\dots "),
    ('½', r"\tfrac{1}{2}"),
    ('⅔', r"\tfrac{2}{3}"),
    ('¼', r"\tfrac{1}{4}"),
    ('⁻', "^{-"),
    ('ᵀ', r"^{\mathsf{T}}"),
    ('²', "^{2}"),
    ('³', "^{3}"),
    ('ᴺ', "^{N}"),
    ('ⁿ', "^{n}"),
    ('α', r"\alpha "),
    ('β', r"\beta "),
    ('γ', r"\gamma "),
    ('δ', r"\delta "),
    ('ε', r"\varepsilon "),
    ('ζ', r"\zeta "),
    ('θ', r"\theta "),
    ('λ', r"\lambda "),
    ('μ', r"\mu "),
    ('µ', r"\mu "),
    ('π', r"\pi "),
    ('ρ', r"\rho "),
    ('σ', r"\sigma "),
    ('τ', r"\tau "),
    ('φ', r"\varphi "),
    ('ψ', r"\psi "),
    ('ω', r"\omega "),
    ('Γ', r"\Gamma "),
    ('Δ', r"\Delta "),
    ('Λ', r"\Lambda "),
    ('Ω', r"\Omega "),
    ('∂', r"\partial "),
    ('%', r"\%"),
    ('✓', r"\checkmark "),
];

/// Functions and abbreviations that are set upright.
const UPRIGHT: [&str; 13] =
    ["sin", "cos", "tan", "exp", "ln", "min", "max", "sgn", "clamp", "Im", "atan", "tr", "diag"];

/// The line in LaTeX; `None` if it contains an unknown character.
pub fn tex(line: &str) -> Option<String> {
    let chars: Vec<char> = line.trim().chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while let Some(&c) = chars.get(at) {
        let rest = &chars[at..];
        let run = |is: fn(char) -> bool| rest.iter().take_while(|c| is(**c)).count();
        at += match c {
            ' ' => {
                let count = run(|c| c == ' ');
                out.push_str(if count > 1 { r"\quad " } else { " " });
                count
            }
            'A'..='Z' | 'a'..='z' => {
                let count = run(|c| c.is_ascii_alphabetic());
                let word: String = rest[..count].iter().collect();
                let dotted = rest[count..].starts_with(&['-', 'd', 'o', 't']);
                let letter = letter(&word);
                out.push_str(&if dotted { format!(r"\dot{{{letter}}}") } else { letter });
                let taken = count + if dotted { 4 } else { 0 };
                let single = count == 1 || !dotted && is_body(&word);
                taken + index(&chars[at + taken..], single, &mut out)?
            }
            '0'..='9' => {
                let count = run(|c| c.is_ascii_digit());
                out.extend(&rest[..count]);
                count
            }
            '⁻' => {
                // ⁻¹ is one exponent.
                (rest.get(1) == Some(&'¹')).then_some(())?;
                out.push_str("^{-1}");
                2
            }
            '\u{302}' => {
                // The combining hat comes after its letter.
                let letter = out.pop()?;
                out.push_str(&format!(r"\hat{{{letter}}}"));
                1 + index(&rest[1..], true, &mut out)?
            }
            '+' | '-' | '=' | '/' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '.' | '<' | '>' | '|' | '!' | '*'
            | '\'' => {
                out.push(c);
                1
            }
            c => {
                let (_, command) = SIGNS.iter().find(|(sign, _)| *sign == c)?;
                let dotted = rest[1..].starts_with(&['-', 'd', 'o', 't']);
                out.push_str(&if dotted { format!(r"\dot{{{}}}", command.trim()) } else { (*command).to_owned() });
                let taken = 1 + if dotted { 4 } else { 0 };
                let greek = c.is_alphabetic();
                taken + if greek { index(&chars[at + taken..], true, &mut out)? } else { 0 }
            }
        };
    }
    Some(out)
}

/// Whether a word is a symbol of one of the two bodies, such as `vA`.
pub(super) fn is_body(word: &str) -> bool {
    let mut signs = word.chars();
    let (letter, body) = (signs.next(), signs.next());
    matches!(letter, Some('a'..='z' | 'ω')) && matches!(body, Some('A' | 'B')) && signs.next().is_none()
}

fn letter(word: &str) -> String {
    match word {
        _ if UPRIGHT.contains(&word) => format!(r"\operatorname{{{word}}}"),
        _ if word.len() == 1 || ["dC", "dt", "dA", "dE"].contains(&word) => word.to_owned(),
        _ if is_body(word) => format!("{}_{{{}}}", &word[..1], &word[1..]),
        _ => format!(r"\text{{ {word} }}"),
    }
}

/// Converts the index after a letter: `_ref`, the digit of `s1`, or the n of `λn`. Returns the number of characters
/// read.
fn index(rest: &[char], single: bool, out: &mut String) -> Option<usize> {
    let run = |from: usize, is: fn(char) -> bool| rest[from..].iter().take_while(|c| is(**c)).count();
    let (skip, count) = match rest.first() {
        Some('_') => (1, run(1, |c| c.is_alphanumeric())),
        Some(c) if single && c.is_ascii_digit() => (0, run(0, |c| c.is_ascii_digit())),
        Some('A' | 'B') if single && run(0, char::is_alphanumeric) == 1 => (0, 1),
        Some(c) if single && c.is_ascii_lowercase() && run(0, |c| c.is_ascii_alphabetic()) == 1 => (0, 1),
        _ => return Some(0),
    };
    (count > 0).then_some(())?;
    let word: String = rest[skip..skip + count].iter().collect();
    let inside = match word.chars().count() {
        1 => {
            SIGNS.iter().find(|(sign, _)| word.starts_with(*sign)).map_or(word.as_str(), |(_, command)| command.trim())
        }
        _ => word.as_str(),
    };
    let upright = word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
    if out.ends_with('}') && out.rfind("_{").is_some_and(|at| !out[at..].contains(' ') && out[at..].len() <= 4) {
        // A body's symbol already has an index.
        return None;
    }
    out.push_str(&if upright { format!(r"_{{\mathrm{{{inside}}}}}") } else { format!("_{{{inside}}}") });
    Some(skip + count)
}

#[cfg(test)]
mod tests {
    use super::tex;

    #[test]
    fn letters_indices_rates_and_words_are_told_apart() {
        let cases = [
            ("K = 1/mA + rB × t", r"K = 1/m_{A} + r_{B} \times  t"),
            ("C-dot = J u", r"\dot{C} = J u"),
            ("t · ωA + λn", r"t \cdot  \omega _{A} + \lambda _{n}"),
            ("θ-dot = n · w", r"\dot{\theta} = n \cdot  w"),
            ("q_ref⁻¹", r"q_{\mathrm{ref}}^{-1}"),
            ("b = w² C  while w ≤ ½", r"b = w^{2} C\quad \text{ while } w \le  \tfrac{1}{2}"),
            ("M̂_p", r"\hat{M}_{p}"),
        ];
        for (plain, expected) in cases {
            assert_eq!(tex(plain).as_deref(), Some(expected), "{plain}");
        }
        assert_eq!(tex("☃"), None);
    }
}
