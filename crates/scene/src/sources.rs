//! The documents that scenes and settings refer to by number: `004 ch. 9` is the ninth chapter of the book.

/// Number and title of each document.
pub const DOCUMENTS: [(&str, &str); 5] = [
    ("000", "Constraint derivations for an iterative PGS/SI solver (R. Gaul)"),
    ("001", "GPU Constraint Solver, Part 1"),
    ("002", "Contact constraint resolution"),
    ("003", "ADMC Theory 04, Constraint Rows"),
    ("004", "Game Physics: The Rest of Your Life (G. Hodges)"),
];

/// The titles of the documents that a source refers to, ordered by number.
pub fn titles(source: &str) -> impl Iterator<Item = &'static str> {
    let names = |number: &str| source.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == number);
    DOCUMENTS.into_iter().filter(move |(number, _)| names(number)).map(|(_, title)| title)
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENTS, titles};

    #[test]
    fn sources_are_spelled_out() {
        assert_eq!(titles("000 Friction (patch), 003").collect::<Vec<_>>(), [DOCUMENTS[0].1, DOCUMENTS[3].1]);
        assert_eq!(titles("004 ch. 9–11").collect::<Vec<_>>(), [DOCUMENTS[4].1]);
        assert_eq!(titles("lab").count(), 0);
        assert_eq!(titles("1000 boxes").count(), 0);
    }
}
