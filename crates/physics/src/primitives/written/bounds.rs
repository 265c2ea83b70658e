//! What a row of a formula may be.

use serde::{Deserialize, Serialize};

use super::rows::MAX_ROWS;

/// The allowed values of a row's error C, in its unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub enum Bound {
    /// C = 0.
    #[default]
    Equal,
    /// C ≥ 0.
    AtLeast,
    /// C ≤ 0.
    AtMost,
    /// From the first to the second value.
    Between(f32, f32),
}

/// The bounds of all rows of a formula. Rows without one are equal to zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Bound>", into = "Vec<Bound>")]
pub struct Bounds {
    all: [Bound; MAX_ROWS],
    count: u8,
}

impl Bounds {
    /// These bounds.
    ///
    /// # Errors
    /// If they are more than the rows that a formula may have.
    pub fn new(bounds: &[Bound]) -> Result<Self, String> {
        let mut all = [Bound::Equal; MAX_ROWS];
        let room = all.get_mut(..bounds.len()).ok_or_else(|| format!("a formula has at most {MAX_ROWS} rows"))?;
        room.copy_from_slice(bounds);
        Ok(Self { all, count: bounds.len() as u8 })
    }

    /// How many were given.
    pub fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// The bounds of all rows that a formula may have.
    pub fn iter(&self) -> impl Iterator<Item = Bound> {
        self.all.into_iter()
    }

    /// Those that were given.
    pub fn given(&self) -> &[Bound] {
        &self.all[..self.count()]
    }
}

impl TryFrom<Vec<Bound>> for Bounds {
    type Error = String;

    fn try_from(bounds: Vec<Bound>) -> Result<Self, String> {
        Self::new(&bounds)
    }
}

impl From<Bounds> for Vec<Bound> {
    fn from(bounds: Bounds) -> Self {
        bounds.given().to_vec()
    }
}
