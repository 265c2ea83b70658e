//! The texts of a formula's rows, read once.
//!
//! A joint kind is copied freely: by undo, by comparisons, for every list of its parameters. So the rows are a reference
//! into a table that the program keeps to its end, with one entry for each list of texts, whichever joint has them. Two
//! lists are equal if they are the same entry. The table grows by what is written, not by what is copied or stepped.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::force::formula::FormulaError;
use crate::primitives::expression::{Expression, Leaf};

/// The largest number of rows: two bodies have no more that are independent.
pub const MAX_ROWS: usize = 6;

/// The rows of a formula.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Vec<Row>", into = "Vec<String>")]
pub struct Rows(&'static [Expression]);

/// The text of a row as it is read from a file, so that a mistake has the place of that text.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Row(Expression);

impl TryFrom<String> for Row {
    type Error = FormulaError;

    fn try_from(text: String) -> Result<Self, FormulaError> {
        Expression::read(&text).map(Self)
    }
}

type Table = BTreeMap<Vec<String>, &'static [Expression]>;
static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

impl Rows {
    /// Reads the texts of rows.
    ///
    /// # Errors
    /// If they are too many or none, or if one is no formula of poses.
    pub fn read(texts: &[&str]) -> Result<Self, String> {
        let rows = texts.iter().zip(1..).map(|(text, number)| {
            Expression::read(text)
                .map_err(|error| if texts.len() > 1 { format!("row {number}: {error}") } else { error.to_string() })
        });
        Self::of(rows.collect::<Result<_, _>>()?)
    }

    fn of(rows: Vec<Expression>) -> Result<Self, String> {
        if !(1..=MAX_ROWS).contains(&rows.len()) {
            return Err(format!("a formula has 1 to {MAX_ROWS} rows, not {}", rows.len()));
        }
        let texts = rows.iter().map(|row| row.text().to_owned()).collect();
        let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Self(table.entry(texts).or_insert_with(|| rows.leak())))
    }

    /// The rows in their order.
    pub fn iter(self) -> std::slice::Iter<'static, Expression> {
        self.0.iter()
    }

    /// Their texts.
    pub fn texts(self) -> impl ExactSizeIterator<Item = &'static str> {
        self.0.iter().map(Expression::text)
    }

    /// The same rows of the mirror image: `normal` is the number of the world's axis across the mirror, along which the
    /// axes of the world and of the bodies change their sign. None where a row names a component, or a place of the world,
    /// so that its image is not made of the same words.
    pub fn mirrored(self, normal: usize) -> Option<Self> {
        let images = self.0.iter().map(|row| row.mirrored(normal)).collect::<Option<Vec<_>>>()?;
        Self::read(&images.iter().map(String::as_str).collect::<Vec<_>>()).ok()
    }

    /// Whether one of them depends on such a value.
    pub fn uses(self, which: impl Fn(Leaf) -> bool) -> bool {
        self.0.iter().any(|row| row.leaves().any(&which))
    }
}

impl Default for Rows {
    /// A rod.
    fn default() -> Self {
        Self::read(&["distance - rest"]).unwrap_or(Self(&[]))
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.texts()).finish()
    }
}

impl TryFrom<Vec<Row>> for Rows {
    type Error = String;

    fn try_from(rows: Vec<Row>) -> Result<Self, String> {
        Self::of(rows.into_iter().map(|row| row.0).collect())
    }
}

impl From<Rows> for Vec<String> {
    fn from(rows: Rows) -> Self {
        rows.texts().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same texts are the same entry, so that a copy costs nothing and equal rows are found equal.
    #[test]
    fn one_entry_for_each_list_of_texts() {
        let read = |text: &str| Rows::read(&[text]).expect("a row");
        assert_eq!(read("distance - 1"), read("distance - 1"));
        assert_ne!(read("distance - 1"), read("distance - 1 "));
        assert!(Rows::read(&[]).expect_err("none").contains("1 to 6 rows, not 0"));
        assert!(Rows::read(&["distance"; 7]).expect_err("too many").contains("not 7"));
        assert!(Rows::read(&["distance", "2*"]).expect_err("no value").contains("row 2: formula: a value is missing"));
    }
}
