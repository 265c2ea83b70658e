//! What is printed for people. Titles and names come from files of others, and a terminal obeys the control characters
//! in them: it would move the cursor, change its title or hide lines. So they are printed as `\u{1b}`.

use std::io::{self, IsTerminal, Result, StderrLock, StdoutLock, Write};

/// Passes text on with its control characters escaped, except line breaks and tabs.
pub struct Printable<W> {
    out: W,
    /// The first byte of a character that may be a control character, at the end of the last write.
    begun: bool,
}

/// The first byte of U+0080 to U+00BF, of which those up to U+009F are control characters.
const TWO_BYTES: u8 = 0xc2;

impl<W: Write> Printable<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, begun: false }
    }

    fn end_begun(&mut self) -> Result<()> {
        if std::mem::take(&mut self.begun) { self.out.write_all(&[TWO_BYTES]) } else { Ok(()) }
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut passed = 0;
        for (at, byte) in bytes.iter().copied().enumerate() {
            let is_control = match byte {
                _ if self.begun => (0x80..0xa0).contains(&byte),
                b'\n' | b'\t' => false,
                TWO_BYTES => {
                    self.out.write_all(&bytes[passed..at])?;
                    passed = at + 1;
                    self.begun = true;
                    continue;
                }
                _ => byte.is_ascii_control(),
            };
            if is_control {
                self.begun = false;
                self.out.write_all(&bytes[passed..at])?;
                write!(self.out, "\\u{{{byte:x}}}")?;
                passed = at + 1;
            } else {
                self.end_begun()?;
            }
        }
        self.out.write_all(&bytes[passed..])?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.end_begun()?;
        self.out.flush()
    }
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
        if matches!(c, '\u{7f}'..='\u{9f}') {
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
        let text = "a\u{1b}[31mé\u{9b}2J\u{7f}\u{a0}\r\tΩ\n\u{0}";
        let expected = "a\\u{1b}[31mé\\u{9b}2J\\u{7f}\u{a0}\\u{d}\tΩ\n\\u{0}";
        for cut in 0..=text.len() {
            let mut out = Printable::new(Vec::new());
            out.write_all(&text.as_bytes()[..cut]).unwrap();
            out.write_all(&text.as_bytes()[cut..]).unwrap();
            out.flush().unwrap();
            assert_eq!(String::from_utf8(out.out).unwrap(), expected, "cut at {cut}");
        }
    }
}
