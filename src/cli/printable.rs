//! What is printed for people. Titles and names come from files of others, and a terminal obeys the control characters
//! in them: it would move the cursor, change its title or hide lines. So they are printed as `\u{1b}`.

use std::io::{self, IsTerminal, Result, StderrLock, StdoutLock, Write};

/// Passes text on with its control characters escaped, except line breaks and tabs, and with the marks that reverse
/// what follows or hide.
pub struct Printable<W> {
    out: W,
    /// The bytes of a character that is not complete, at the end of the last write.
    begun: Vec<u8>,
}

/// Whether a terminal would obey this character, or show others elsewhere because of it.
fn commands(c: char) -> bool {
    let hides = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    hides || c.is_control() && !matches!(c, '\n' | '\t')
}

impl<W: Write> Printable<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }

    fn pass(&mut self, text: &str) -> Result<()> {
        let mut passed = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| commands(*c)) {
            self.out.write_all(&text.as_bytes()[passed..at])?;
            write!(self.out, "{}", c.escape_unicode())?;
            passed = at + c.len_utf8();
        }
        self.out.write_all(&text.as_bytes()[passed..])
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut whole = std::mem::take(&mut self.begun);
        whole.extend(bytes);
        let mut chunks = whole.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.pass(chunk.valid())?;
            // An incomplete character at the end may be completed by the next write.
            let ends_early = |bytes: &[u8]| std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
            if chunks.peek().is_none() && ends_early(chunk.invalid()) {
                self.begun = chunk.invalid().into();
            } else {
                self.out.write_all(chunk.invalid())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.out.write_all(&begun)?;
        self.out.flush()
    }
}

/// A title or a name for a place within a line: it cannot begin another line, which would look like one of the program.
pub fn within_line(text: &str) -> String {
    text.chars()
        .map(|c| if matches!(c, '\n' | '\t') { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Standard output for people.
pub fn stdout() -> Printable<StdoutLock<'static>> {
    Printable::new(io::stdout().lock())
}

/// Standard error.
pub fn stderr() -> Printable<StderrLock<'static>> {
    Printable::new(io::stderr().lock())
}

/// Standard output for tables: programs get them as they are, a terminal does not obey them.
pub fn table() -> Box<dyn Write> {
    let out = io::stdout();
    let buffered = io::BufWriter::new(io::stdout());
    if out.is_terminal() { Box::new(Printable::new(buffered)) } else { Box::new(buffered) }
}

/// JSON with the control characters escaped that the format would allow.
pub fn json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if commands(c) {
            escaped += &format!("\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_wherever_the_text_is_cut() {
        let text = "a\u{1b}[31mé\u{9b}2J\u{7f}\u{a0}\r\tΩ\n\u{202e}–\u{2066}🦀\u{0}";
        let expected = "a\\u{1b}[31mé\\u{9b}2J\\u{7f}\u{a0}\\u{d}\tΩ\n\\u{202e}–\\u{2066}🦀\\u{0}";
        for cut in 0..=text.len() {
            let mut out = Printable::new(Vec::new());
            out.write_all(&text.as_bytes()[..cut]).unwrap();
            out.write_all(&text.as_bytes()[cut..]).unwrap();
            out.flush().unwrap();
            assert_eq!(String::from_utf8(out.out).unwrap(), expected, "cut at {cut}");
        }
    }

    /// Bytes that are no text, as of a file's name, are passed on.
    #[test]
    fn what_is_no_text_is_passed_on() {
        let mut out = Printable::new(Vec::new());
        for part in [&b"a\xff\x1b"[..], b"\xe2", b"\x80", b"x\xc2"] {
            out.write_all(part).unwrap();
        }
        out.flush().unwrap();
        assert_eq!(out.out, b"a\xff\\u{1b}\xe2\x80x\xc2");
    }

    #[test]
    fn json_is_still_json() {
        let title = "T\u{1b}\u{9b}2J\u{7f}\u{202e}\n";
        let text = json(&serde_json::to_string(title).unwrap());
        assert!(!text.chars().any(commands), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), title);
    }
}
