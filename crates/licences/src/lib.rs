//! The licences of the program, and of what others wrote and it contains.

/// Its own.
pub const OWN: &str = concat!(
    "Delassus ",
    env!("CARGO_PKG_VERSION"),
    " may be used under the MIT licence or the Apache licence 2.0, at your choice: LICENSE-MIT, LICENSE-APACHE."
);

/// Fonts and crates: who wrote them, and their licences. Written by `tests/cli/licences.rs`.
pub const THIRD_PARTY: &str = include_str!("../../../assets/licences.txt");

/// The fonts of the window: name, author, licence.
pub const FONTS: [(&str, &str, &str); 6] = [
    ("Ubuntu Light", "Canonical Ltd.", "Ubuntu Font Licence 1.0"),
    ("Hack", "Source Foundry Authors; Bitstream, Inc.", "MIT; Bitstream Vera"),
    ("Noto Emoji", "Google Inc.", "SIL Open Font License 1.1"),
    ("emoji-icon-font", "John Slegers", "MIT"),
    ("Lucide", "Lucide Contributors; Cole Bemis", "ISC; MIT"),
    ("STIX Two Math", "The STIX Fonts Project Authors", "SIL Open Font License 1.1"),
];
