//! The text between the members of a bracket: blanks, comments, the comma.

/// How far what belongs to a member goes behind it: its comma, and comments on the rest of the line.
pub(super) fn tail(rest: &str) -> usize {
    // Where the last comment on the member's own line ends, for one without a comma.
    let mut own = 0;
    let mut first_line = true;
    let mut at = 0;
    loop {
        at += blanks(&rest[at..]);
        let next = &rest[at..];
        match next.chars().next() {
            Some(',') => return at + 1 + line_end(&next[1..]),
            Some('\n') => (first_line, at) = (false, at + 1),
            Some('/') => {
                at += comment(next);
                own = if first_line { at } else { own };
            }
            _ => return own,
        }
    }
}

/// How far the comments on the rest of a line go, if nothing else stands on it.
fn line_end(rest: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    loop {
        at += blanks(&rest[at..]);
        match rest[at..].chars().next() {
            Some('/') => {
                at += comment(&rest[at..]);
                end = at;
            }
            Some('\n') | None => return end,
            Some(_) => return 0,
        }
    }
}

/// The length of the blanks with which the text begins, on one line.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\r']).len()
}

/// The length of the comment with which the text begins, without the end of its line.
fn comment(text: &str) -> usize {
    if text.starts_with("/*") {
        return block(text);
    }
    let line = text.find('\n').map_or(text, |i| &text[..i]);
    line.trim_end_matches('\r').len().max(1)
}

/// The length of the block comment with which the text begins.
fn block(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth.saturating_sub(1), at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Whether a member's tail has its comma, outside of comments.
pub(super) fn has_comma(tail: &str) -> bool {
    let mut rest = tail.trim_start();
    while rest.starts_with('/') {
        rest = rest[comment(rest)..].trim_start();
    }
    rest.starts_with(',')
}
