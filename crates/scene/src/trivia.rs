//! The text between the members of a bracket: blanks, comments and commas.

/// Length of the text after a member that belongs to it: its comma, and comments on the rest of the line.
pub(super) fn tail(rest: &str) -> usize {
    // End of the last comment on the member's own line, used if there is no comma.
    let mut end_of_comment = 0;
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
                end_of_comment = if first_line { at } else { end_of_comment };
            }
            _ => return end_of_comment,
        }
    }
}

/// Length of the comments on the rest of a line, if nothing else follows on it.
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

/// Length of the blanks at the beginning of the text, within one line.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\r']).len()
}

/// Length of the comment at the beginning of the text, without the line end.
fn comment(text: &str) -> usize {
    if text.starts_with("/*") {
        return block(text);
    }
    let line = text.find('\n').map_or(text, |i| &text[..i]);
    line.trim_end_matches('\r').len().max(1)
}

/// Length of the block comment at the beginning of the text.
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

/// Whether a member's tail contains its comma, outside of comments.
pub(super) fn has_comma(tail: &str) -> bool {
    let mut rest = tail.trim_start();
    while rest.starts_with('/') {
        rest = rest[comment(rest)..].trim_start();
    }
    rest.starts_with(',')
}
