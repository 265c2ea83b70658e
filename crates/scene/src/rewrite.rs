//! Writes a changed scene into the text that it was read from: unchanged text is kept byte for byte, in its place,
//! with all comments.
//!
//! Three texts are processed in parallel: the author's text, and the serialised scene before and after the change.
//! Where the two serialised texts agree, the author's text is kept. Where they differ, the smallest value that
//! contains the difference is replaced. A removed element takes the comment directly above it along, but not one
//! separated from it by a blank line.

use std::collections::{HashMap, VecDeque};

use super::outline::{self, Member, Span};
use super::trivia::{has_comma, tail};
use super::types::Scene;
use super::write::write;

/// The text of `scene`, based on the text of `saved`. Reading the result gives `scene`.
pub fn rewrite(text: &str, saved: &Scene, scene: &Scene) -> String {
    let (old, new) = (write(saved), write(scene));
    if text.is_empty() || text == old {
        return new;
    }
    if old == new {
        return text.into();
    }
    merged(text, &old, &new).filter(|text| reads_as(text, scene)).unwrap_or(new)
}

/// Whether reading the text gives the scene: a safeguard, so that no unusual text can lose any of it.
fn reads_as(text: &str, scene: &Scene) -> bool {
    super::read::scene_of(text).is_some_and(|read| read == *scene)
}

fn merged(text: &str, old: &str, new: &str) -> Option<String> {
    let spans = [text, old, new].map(outline::document);
    let [Ok(at), Ok(was), Ok(is)] = spans else { return None };
    let weaver = Weaver { text, old, new, newline: if text.contains("\r\n") { "\r\n" } else { "\n" } };
    let mut out = String::with_capacity(text.len() + new.len() / 8);
    out.push_str(&text[..at.start]);
    weaver.value(&at, &was, &is, &mut out);
    out.push_str(&text[at.end..]);
    Some(out)
}

struct Weaver<'a> {
    /// The author's text.
    text: &'a str,
    old: &'a str,
    new: &'a str,
    newline: &'static str,
}

/// A member of a bracket with the text around it.
struct Piece<'a> {
    /// Blanks and comments before it, after the previous member's comma.
    lead: &'a str,
    member: Member,
    /// The text after it: the comma, and a comment on the rest of the line.
    tail: &'a str,
}

impl Weaver<'_> {
    /// Writes a value: `at` is its span in the author's text, `was` in the old serialised text, `is` in the new one.
    fn value(&self, at: &Span, was: &Span, is: &Span, out: &mut String) {
        if self.old[was.clone()] == self.new[is.clone()] {
            out.push_str(&self.text[at.clone()]);
            return;
        }
        let (was_in, is_in) = (outline::members(self.old, was), outline::members(self.new, is));
        let bracket =
            |text: &str, span: &Span| text[span.start + outline::name(text, span).len()..span.end].chars().next();
        let alike = outline::name(self.old, was) == outline::name(self.new, is)
            && bracket(self.old, was) == bracket(self.new, is)
            && bracket(self.text, at) == bracket(self.old, was);
        let keyed = |members: &[Member]| !members.is_empty() && members.iter().all(|m| m.key.is_some());
        match bracket(self.old, was) {
            Some('(') if alike && keyed(&was_in) && keyed(&is_in) => self.fields(at, &was_in, &is_in, out),
            Some('[') if alike && !was_in.is_empty() && !is_in.is_empty() => self.list(at, &was_in, &is_in, out),
            _ => self.put(&self.new[is.clone()], out),
        }
    }

    /// Writes serialised text, with the author's line ends.
    fn put(&self, words: &str, out: &mut String) {
        if self.newline == "\n" { out.push_str(words) } else { out.push_str(&words.replace('\n', self.newline)) }
    }

    fn fields(&self, at: &Span, was: &[Member], is: &[Member], out: &mut String) {
        let (head, pieces, foot) = self.pieces(at);
        let find = |text: &str, list: &[Member], name: &str| list.iter().position(|m| m.name(text) == name);
        let name_of = |piece: &Piece| piece.member.name(self.text);
        out.push_str(head);
        let mut row = Row { out, newline: self.newline, indent: indent(&pieces), open: None, comment: false };
        let mut written = 0;
        for piece in &pieces {
            let name = name_of(piece);
            let (before, now) = (find(self.old, was, name), find(self.new, is, name));
            let Some(now) = now else {
                // The field has its default value now. If it had it before as well, the author wrote it explicitly.
                if before.is_none() {
                    row.verbatim(piece, self.text)
                } else {
                    row.without(piece)
                }
                continue;
            };
            // New fields that come before this one.
            for member in is.iter().take(now).skip(written) {
                let known = pieces.iter().any(|p| name_of(p) == member.name(self.new));
                if !known {
                    row.added(|out| self.put(&self.new[member.span()], out));
                }
            }
            written = written.max(now + 1);
            row.write_member(piece, |out| {
                out.push_str(&self.text[piece.member.span().start..piece.member.value.start]);
                match before {
                    Some(before) => self.value(&piece.member.value, &was[before].value, &is[now].value, out),
                    None => self.put(&self.new[is[now].value.clone()], out),
                }
            });
        }
        for member in is.iter().skip(written) {
            row.added(|out| self.put(&self.new[member.span()], out));
        }
        row.line(foot);
        out.push_str(foot);
    }

    fn list(&self, at: &Span, was: &[Member], is: &[Member], out: &mut String) {
        let (head, pieces, foot) = self.pieces(at);
        let names: Vec<String> = was.iter().map(|m| name(self.old, &m.value)).collect();
        if pieces.len() != was.len() || names.iter().any(String::is_empty) {
            // Numbers, points, or a list that differs from what ron reads.
            let whole = is.first().map_or(0, |m| m.value.start)..is.last().map_or(0, |m| m.value.end);
            out.push_str(head);
            out.push_str(pieces.first().map_or("", |piece| piece.lead));
            self.put(&self.new[whole], out);
            out.push_str(if pieces.iter().any(|piece| piece.lead.contains('\n')) { "," } else { "" });
            out.push_str(foot);
            return;
        }
        // Several joints may have the same name: they are matched in order.
        let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (i, name) in names.iter().enumerate() {
            places.entry(name).or_default().push_back(i);
        }
        let mut taken = vec![false; was.len()];
        let is: Vec<(&Member, Option<usize>)> = (is.iter())
            .map(|member| {
                let same = places.get_mut(name(self.new, &member.value).as_str()).and_then(VecDeque::pop_front);
                same.into_iter().for_each(|i| taken[i] = true);
                (member, same)
            })
            .collect();
        out.push_str(head);
        let mut row = Row { out, newline: self.newline, indent: indent(&pieces), open: None, comment: false };
        let mut passed = 0;
        for (member, same) in is {
            let Some(i) = same else {
                row.added(|out| self.put(&self.new[member.value.clone()], out));
                continue;
            };
            // Removed elements before this one.
            while passed < i {
                if !taken[passed] {
                    row.without(&pieces[passed]);
                }
                passed += 1;
            }
            passed = passed.max(i + 1);
            row.write_member(&pieces[i], |out| self.value(&pieces[i].member.value, &was[i].value, &member.value, out));
        }
        (passed..pieces.len()).filter(|i| !taken[*i]).for_each(|i| row.without(&pieces[i]));
        row.line(foot);
        out.push_str(foot);
    }

    /// Splits a bracket in the author's text into its opening, its members and the rest up to its end.
    fn pieces(&self, at: &Span) -> (&str, Vec<Piece<'_>>, &str) {
        let text = self.text;
        let open = at.start + text[at.clone()].find(['(', '[']).map_or(0, |i| i + 1);
        let mut from = open;
        let pieces: Vec<Piece> = (outline::members(text, at).into_iter())
            .map(|member| {
                let (start, value_end) = (member.span().start, member.value.end);
                let lead = &text[from..start];
                from = value_end + tail(&text[value_end..at.end - 1]);
                Piece { lead, member, tail: &text[value_end..from] }
            })
            .collect();
        (&text[at.start..open], pieces, &text[from..at.end])
    }
}

/// Writes the members of a bracket.
struct Row<'o> {
    out: &'o mut String,
    newline: &'static str,
    /// Indentation before a new member; `None` if all are on one line.
    indent: Option<String>,
    /// Where to insert the previous member's missing comma.
    open: Option<usize>,
    /// Whether a kept comment extends to the end of its line.
    comment: bool,
}

impl Row<'_> {
    fn comma(&mut self) {
        if let Some(at) = self.open.take() {
            self.out.insert(at, ',');
        }
    }

    /// Starts a new line after a kept comment, unless the next text does.
    fn line(&mut self, next: &str) {
        let ends = next.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if std::mem::take(&mut self.comment) && !ends {
            self.out.push_str(self.newline);
            self.out.push_str(self.indent.as_deref().unwrap_or_default());
        }
    }

    fn verbatim(&mut self, piece: &Piece, text: &str) {
        self.write_member(piece, |out| out.push_str(&text[piece.member.span()]));
    }

    /// Writes a member with the text around it.
    fn write_member(&mut self, piece: &Piece, words: impl FnOnce(&mut String)) {
        self.comma();
        self.line(piece.lead);
        self.out.push_str(piece.lead);
        words(self.out);
        self.open = (!has_comma(piece.tail)).then_some(self.out.len());
        self.out.push_str(piece.tail);
    }

    fn added(&mut self, words: impl FnOnce(&mut String)) {
        self.comma();
        self.line(if self.indent.is_some() { "\n" } else { "" });
        match &self.indent {
            Some(indent) => {
                self.out.push_str(self.newline);
                self.out.push_str(indent);
            }
            None if self.out.ends_with(['(', '[']) => {}
            None => self.out.push(' '),
        }
        words(self.out);
        if self.indent.is_some() {
            self.out.push(',');
        } else {
            self.open = Some(self.out.len());
        }
    }

    /// Omits a member. A comment separated from it by a blank line, or at the end of the line above, is kept.
    fn without(&mut self, piece: &Piece) {
        let lines: Vec<&str> = piece.lead.split('\n').collect();
        let blank = lines.iter().enumerate().skip(1).rev().skip(1).find(|(_, line)| line.trim().is_empty());
        let kept = lines[..blank.map_or(usize::from(lines.len() > 1), |(i, _)| i)].join("\n");
        if !kept.trim().is_empty() {
            self.comma();
            self.out.push_str(kept.trim_end());
            self.comment = true;
        }
    }
}

/// The indentation of the members' lines; `None` if all are on one line.
fn indent(pieces: &[Piece]) -> Option<String> {
    let line = pieces.iter().find_map(|piece| piece.lead.rsplit_once('\n')).map(|(_, line)| line)?;
    Some(line.chars().take_while(|c| c.is_whitespace()).collect())
}

/// The identity of a list element: its name and ends as written; empty if it has none.
fn name(text: &str, element: &Span) -> String {
    let mut words = String::new();
    for member in outline::members(text, element) {
        if let Some(key) = member.key.filter(|key| matches!(&text[key.clone()], "name" | "a" | "b" | "file")) {
            words.extend([&text[key], ":", &text[member.value], " "]);
        }
    }
    words
}

#[cfg(test)]
#[path = "rewrite_tests.rs"]
mod tests;
