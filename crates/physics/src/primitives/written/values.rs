//! The values of the names that a formula's rows use.

use serde::{Deserialize, Serialize};

use crate::primitives::expression::{MAX_NAME, MAX_PARAMETERS, Name, name_of};

/// Names with their values, in the units of their place in the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(String, f32)>", into = "Vec<(String, f32)>")]
pub struct Values {
    names: [Name; MAX_PARAMETERS],
    values: [f32; MAX_PARAMETERS],
    count: u8,
}

impl Values {
    /// These values.
    ///
    /// # Errors
    /// If they are too many, if one name is no name, or stands twice.
    pub fn new(values: &[(String, f32)]) -> Result<Self, String> {
        if values.len() > MAX_PARAMETERS {
            return Err(format!("a formula has at most {MAX_PARAMETERS} parameters"));
        }
        let mut all = Self::default();
        for (index, (text, value)) in values.iter().enumerate() {
            let is_word =
                text.starts_with(char::is_alphabetic) && text.chars().all(|c| c.is_alphanumeric() || c == '_');
            let name = name_of(text).filter(|_| is_word);
            let name = name.ok_or_else(|| {
                format!("`{text}` is no name: a letter, then letters, digits and _, at most {MAX_NAME}")
            })?;
            if all.get(&name).is_some() {
                return Err(format!("`{text}` is given twice"));
            }
            (all.names[index], all.values[index], all.count) = (name, *value, index as u8 + 1);
        }
        Ok(all)
    }

    /// The value of this name.
    #[inline]
    pub fn get(&self, name: &Name) -> Option<f32> {
        let names = &self.names[..usize::from(self.count)];
        names.iter().position(|own| own == name).map(|index| self.values[index])
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names[..usize::from(self.count)]
            .iter()
            .map(|name| std::str::from_utf8(name).unwrap_or_default().trim_end_matches('\0'))
    }

    /// The names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f32)> {
        self.names().zip(self.values)
    }

    /// The values, in the order of the names.
    pub fn numbers(&self) -> &[f32] {
        &self.values[..usize::from(self.count)]
    }

    /// The same, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.values[..usize::from(self.count)]
    }
}

impl TryFrom<Vec<(String, f32)>> for Values {
    type Error = String;

    fn try_from(values: Vec<(String, f32)>) -> Result<Self, String> {
        Self::new(&values)
    }
}

impl From<Values> for Vec<(String, f32)> {
    fn from(values: Values) -> Self {
        values.iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
