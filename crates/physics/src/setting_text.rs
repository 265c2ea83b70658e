//! Reads settings by name and value, for `--set`, files and input fields, and words the errors.

use glam::Vec3;

use crate::preset::Preset;
use crate::setting::{Domain, Setting, Value};
use crate::settings::{LIST, Settings, SettingsPatch};

/// Why a setting could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingError {
    #[error("unknown setting `{name}`{}", nearest.map_or_else(String::new, |n| format!(", did you mean `{n}`?")))]
    Unknown { name: String, nearest: Option<&'static str> },
    #[error("`{name}` takes {expected}, not `{found}`")]
    Value { name: &'static str, expected: String, found: String },
}

impl Domain {
    /// The range in words: `0 to 1`, `true or false`, `GaussSeidel or Jacobi`.
    pub fn describe(&self) -> String {
        match self {
            Self::Switch => "true or false".into(),
            Self::Integer { min, max } => format!("{min} to {max}"),
            Self::Real { min, max } => format!("{min} to {max}"),
            Self::Choice(choices) => choices.names.join(" or "),
            Self::Vector { max } => format!("(x, y, z), each within ±{max}"),
        }
    }
}

impl Setting {
    /// Reads a value from the text of a `--set` argument.
    ///
    /// # Errors
    /// The text is not of this setting's type, or out of its range.
    pub fn parse(&self, text: &str) -> Result<Value, SettingError> {
        let value = match self.domain {
            Domain::Switch => match text {
                "true" | "on" | "yes" => Some(Value::Bool(true)),
                "false" | "off" | "no" => Some(Value::Bool(false)),
                _ => None,
            },
            Domain::Integer { .. } => text.parse().ok().map(Value::Int),
            Domain::Real { .. } => text.parse().ok().map(Value::Real),
            Domain::Choice(choices) => {
                choices.names.iter().find(|name| name.eq_ignore_ascii_case(text)).map(|name| Value::Choice(name))
            }
            Domain::Vector { .. } => {
                let mut parts = text.trim_matches(['(', ')']).split(',').map(|p| p.trim().parse::<f32>());
                match (parts.next(), parts.next(), parts.next(), parts.next()) {
                    (Some(Ok(x)), Some(Ok(y)), Some(Ok(z)), None) => Some(Value::Vector(Vec3::new(x, y, z))),
                    _ => None,
                }
            }
        };
        value.filter(|v| self.accepts(*v)).ok_or_else(|| self.mistake(text))
    }

    /// The error that states which values this setting takes.
    pub fn mistake(&self, found: &str) -> SettingError {
        SettingError::Value { name: self.name, expected: self.domain.describe(), found: found.into() }
    }
}

impl SettingsPatch {
    /// An error for each value that is out of range.
    pub fn mistakes(&self) -> Vec<SettingError> {
        let settings = self.settings();
        (LIST.iter())
            .map(|s| (s, (s.get)(&settings)))
            .filter(|(s, value)| !s.accepts(*value))
            .map(|(s, value)| s.mistake(&value.to_string()))
            .collect()
    }
}

impl Settings {
    /// The setting of this name.
    ///
    /// # Errors
    /// No setting has this name; the most similar one is suggested.
    pub fn find(name: &str) -> Result<&'static Setting, SettingError> {
        LIST.iter().find(|s| s.name == name).ok_or_else(|| SettingError::Unknown {
            name: name.into(),
            nearest: (LIST.iter().map(|s| (strsim::jaro_winkler(s.name, name), s.name)))
                .filter(|(score, _)| *score > 0.7)
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, n)| n),
        })
    }

    /// Sets one setting by name.
    ///
    /// # Errors
    /// Unknown name, wrong type or value out of range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), SettingError> {
        let setting = Self::find(name)?;
        if setting.accepts(value) && (setting.put)(self, value) {
            Ok(())
        } else {
            Err(setting.mistake(&value.to_string()))
        }
    }

    /// Applies an assignment such as `solver.iterations=50`, or `preset=SingleStep`.
    ///
    /// # Errors
    /// No `=`, unknown name, wrong type or value out of range; nothing is changed then.
    pub fn assign(&mut self, assignment: &str) -> Result<(), SettingError> {
        let (name, text) = assignment
            .split_once('=')
            .ok_or_else(|| SettingError::Unknown { name: assignment.into(), nearest: None })?;
        if name.trim() == "preset" {
            let text = text.trim();
            let wrong =
                || SettingError::Value { name: "preset", expected: Preset::DOMAIN.describe(), found: text.into() };
            Preset::named(text).ok_or_else(wrong)?.patch().apply(self);
            return Ok(());
        }
        let setting = Self::find(name.trim())?;
        self.set(setting.name, setting.parse(text.trim())?)
    }
}
