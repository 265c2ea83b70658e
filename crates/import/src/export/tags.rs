//! XML that is written: tags with attributes, and numbers with the digits that a scene has.

use std::fmt::Write;

use glam::{DQuat, DVec3};

/// An element with its attributes and what is within it.
#[derive(Debug, Clone)]
pub struct Tag {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    pub children: Vec<Self>,
}

impl Tag {
    pub fn new(name: &'static str) -> Self {
        Self::around(name, Vec::new())
    }

    /// An element around others.
    pub fn around(name: &'static str, children: Vec<Self>) -> Self {
        Self { name, attributes: Vec::new(), children }
    }

    /// The same with an attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    /// The same with an attribute, unless it has the value that it has where it is left out.
    #[must_use]
    pub fn unless(self, usual: f64, name: &'static str, value: f64) -> Self {
        if value == usual { self } else { self.with(name, number(value)) }
    }

    /// The text of the element, indented by `depth` levels.
    pub fn write(&self, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        out.push_str(&indent);
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            // Writing into a string cannot fail.
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
        if self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        self.children.iter().for_each(|child| child.write(depth + 1, out));
        let _ = writeln!(out, "{indent}</{}>", self.name);
    }
}

/// A text as the value of an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no other control characters, and reads a line's end in a value as a blank.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A text as a comment, in which two hyphens must not stand side by side.
pub fn comment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '-' && out.ends_with('-') {
            out.push(' ');
        }
        out.push(if c.is_control() && c != '\n' { ' ' } else { c });
    }
    out
}

/// A number: one of 32 bits, as the most of a scene are, with the digits that tell it from others of 32 bits, so that 0.1
/// is written as that; any other with nine digits.
pub fn number(x: f64) -> String {
    let single = x as f32;
    let digits = if f64::from(single) == x { format!("{single:e}") } else { format!("{x:.8e}") };
    let rounded: f64 = digits.parse().unwrap_or(x);
    match rounded.abs() {
        0.0 => "0".into(),
        small if !(1e-4..1e9).contains(&small) => format!("{rounded:e}"),
        _ => rounded.to_string(),
    }
}

/// Numbers with blanks between them.
pub fn numbers(list: impl IntoIterator<Item = f64>) -> String {
    list.into_iter().map(number).collect::<Vec<_>>().join(" ")
}

/// A vector. What is below the rounding of its largest component is zero.
pub fn vector(v: DVec3) -> String {
    let rounding = 2e-8 * v.abs().max_element();
    numbers(v.to_array().map(|x| if x.abs() <= rounding { 0.0 } else { x }))
}

/// A quaternion in MuJoCo's order, real part first and not negative.
pub fn quaternion(q: DQuat) -> String {
    let q = if q.w < 0.0 { -q } else { q };
    numbers([q.w, q.x, q.y, q.z].map(|x| if x.abs() <= 2e-8 { 0.0 } else { x }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact_to_single_precision() {
        assert_eq!(number(f64::from(0.1f32)), "0.1");
        assert_eq!(number(-2.0), "-2");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1.5e-7), "1.5e-7");
        for x in [std::f32::consts::PI, 1.0 / 3.0, 6.02e23, -7.3e-12, 123_456.79] {
            assert_eq!(number(f64::from(x)).parse::<f64>().map(|x| x as f32), Ok(x));
        }
    }

    #[test]
    fn texts_are_escaped() {
        let mut out = String::new();
        Tag::new("body").with("name", "a \"b\" <c> & d\n").write(1, &mut out);
        assert_eq!(out, "  <body name=\"a &quot;b&quot; &lt;c&gt; &amp; d \"/>\n");
        assert_eq!(comment("a --- b"), "a - - - b");
    }
}
