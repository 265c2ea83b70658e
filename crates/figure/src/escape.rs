//! Text in XML and HTML.

/// Text as it is written into XML and HTML: characters with a meaning there are replaced, control characters are left
/// out.
pub fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            c => all.push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("a < b & \"c\" > d\u{7}"), "a &lt; b &amp; &quot;c&quot; &gt; d");
        assert_eq!(escaped("rocker pin, 30°"), "rocker pin, 30°");
    }
}
