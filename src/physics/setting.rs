//! What a setting is: a name, a label, a unit, a domain, a reason and a source, with typed access by name. The two
//! macros turn the list in `settings.rs` into plain structs, their patches (every field optional, for files and
//! experiments) and the table [`LIST`].

use glam::Vec3;

use super::settings::{LIST, Settings, SettingsPatch};

/// One alternative of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The name in files and on the command line.
    pub name: &'static str,
    /// The words on screen.
    pub label: &'static str,
    /// What it does, in one sentence.
    pub what: &'static str,
}

/// The values that a setting may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    Switch,
    Integer {
        min: u32,
        max: u32,
    },
    Real {
        min: f32,
        max: f32,
    },
    Choice(&'static [Choice]),
    /// Each component within ±max.
    Vector {
        max: f32,
    },
}

impl Domain {
    pub const fn integer(min: u32, max: u32) -> Self {
        Self::Integer { min, max }
    }
    pub const fn real(min: f32, max: f32) -> Self {
        Self::Real { min, max }
    }
    pub const fn choice(choices: &'static [Choice]) -> Self {
        Self::Choice(choices)
    }
    pub const fn vector(max: f32) -> Self {
        Self::Vector { max }
    }

    /// The range in words: `0 to 1`, `true or false`, `GaussSeidel or Jacobi`.
    pub fn describe(&self) -> String {
        match self {
            Self::Switch => "true or false".into(),
            Self::Integer { min, max } => format!("{min} to {max}"),
            Self::Real { min, max } => format!("{min} to {max}"),
            Self::Choice(choices) => choices.iter().map(|c| c.name).collect::<Vec<_>>().join(" or "),
            Self::Vector { max } => format!("(x, y, z), each within ±{max}"),
        }
    }
}

/// A setting's value, whatever its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(u32),
    Real(f32),
    /// The name of one of the domain's choices.
    Choice(&'static str),
    Vector(Vec3),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(v) => write!(f, "{v}"),
            Self::Int(v) => write!(f, "{v}"),
            Self::Real(v) => write!(f, "{v}"),
            Self::Choice(v) => write!(f, "{v}"),
            Self::Vector(v) => write!(f, "({}, {}, {})", v.x, v.y, v.z),
        }
    }
}

/// Why a setting could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingError {
    #[error("unknown setting `{name}`{}", nearest.map_or_else(String::new, |n| format!(", did you mean `{n}`?")))]
    Unknown { name: String, nearest: Option<&'static str> },
    #[error("`{name}` takes {expected}, not `{found}`")]
    Value { name: &'static str, expected: String, found: String },
}

/// One line of the settings list.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Group and field, as in `solver.iterations`.
    pub name: &'static str,
    /// The group's title.
    pub group: &'static str,
    pub label: &'static str,
    /// SI unit, empty for pure numbers.
    pub unit: &'static str,
    pub domain: Domain,
    /// What it does and why it is there.
    pub what: &'static str,
    /// The document and section that it comes from.
    pub source: &'static str,
    pub get: fn(&Settings) -> Value,
    /// Stores without checking the range ([`Settings::set`] checks); false if the type is wrong.
    pub put: fn(&mut Settings, Value) -> bool,
}

impl Setting {
    /// Whether `value` has this setting's type and lies in its range (so it is finite, too).
    pub fn accepts(&self, value: Value) -> bool {
        match (self.domain, value) {
            (Domain::Switch, Value::Bool(_)) => true,
            (Domain::Integer { min, max }, Value::Int(v)) => (min..=max).contains(&v),
            (Domain::Real { min, max }, Value::Real(v)) => v >= min && v <= max,
            (Domain::Choice(choices), Value::Choice(v)) => choices.iter().any(|c| c.name == v),
            (Domain::Vector { max }, Value::Vector(v)) => v.is_finite() && v.abs().max_element() <= max,
            _ => false,
        }
    }

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
                choices.iter().find(|c| c.name.eq_ignore_ascii_case(text)).map(|c| Value::Choice(c.name))
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

    /// The error that says what this setting takes.
    pub fn mistake(&self, found: &str) -> SettingError {
        SettingError::Value { name: self.name, expected: self.domain.describe(), found: found.into() }
    }
}

/// Whether a value says nothing, so that files can leave it out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A Rust type that a setting may have.
pub trait SettingValue: Sized + Copy {
    fn to_value(self) -> Value;
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! setting_value {
    ($($ty:ty => $variant:ident),*) => {$(
        impl SettingValue for $ty {
            fn to_value(self) -> Value {
                Value::$variant(self)
            }
            fn from_value(value: Value) -> Option<Self> {
                if let Value::$variant(v) = value { Some(v) } else { None }
            }
        }
    )*};
}
setting_value!(bool => Bool, u32 => Int, f32 => Real, Vec3 => Vector);

/// Declares an enum whose alternatives carry a label and a sentence.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $label:literal, $what:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name { $(#[doc = $what] $variant),* }
        impl $name {
            /// The alternatives, as shown.
            pub const INFO: &'static [Choice] =
                &[$(Choice { name: stringify!($variant), label: $label, what: $what }),*];
        }
        impl SettingValue for $name {
            fn to_value(self) -> Value {
                match self { $(Self::$variant => Value::Choice(stringify!($variant))),* }
            }
            fn from_value(value: Value) -> Option<Self> {
                match value { $(Value::Choice(stringify!($variant)) => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

/// Declares the groups of settings, their patches and the list.
macro_rules! settings {
    ($($group:ident: $Group:ident, $Patch:ident, $title:literal {
        $($field:ident: $ty:ty = $default:expr, $label:literal, $unit:literal, $domain:expr, $what:literal, $source:literal;)*
    })*) => {
        $(
            #[doc = concat!("Settings of the group “", $title, "”.")]
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub struct $Group { $(#[doc = $what] pub $field: $ty),* }
            impl Default for $Group {
                fn default() -> Self { Self { $($field: $default),* } }
            }
            impl $Patch {
                /// Overwrites in `settings` what this patch names.
                pub fn apply(&self, settings: &mut $Group) {
                    $(if let Some(v) = self.$field { settings.$field = v; })*
                }
            }
            #[doc = concat!("The settings of “", $title, "” that a scene or an experiment names.")]
            #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            pub struct $Patch {
                $(#[doc = $what] #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$ty>),*
            }
        )*
        /// All settings of a run.
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct Settings { $(#[doc = $title] pub $group: $Group),* }
        /// The settings that a scene or an experiment names; the others keep their value.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct SettingsPatch {
            $(#[doc = $title] #[serde(skip_serializing_if = "crate::physics::setting::is_default")] pub $group: $Patch),*
        }
        /// Every setting, in the order in which they are shown.
        pub const LIST: &[Setting] = &[$($(Setting {
            name: concat!(stringify!($group), ".", stringify!($field)),
            group: $title, label: $label, unit: $unit, domain: $domain, what: $what, source: $source,
            get: |s| s.$group.$field.to_value(),
            put: |s, v| SettingValue::from_value(v).map(|v| s.$group.$field = v).is_some(),
        }),*),*];
        impl SettingsPatch {
            /// Whether nothing is named.
            pub fn is_empty(&self) -> bool { *self == Self::default() }
            /// Overwrites in `settings` what this patch names.
            pub fn apply(&self, settings: &mut Settings) {
                $(self.$group.apply(&mut settings.$group);)*
            }
            /// Takes over what `other` names.
            pub fn merge(&mut self, other: &Self) {
                $($(self.$group.$field = other.$group.$field.or(self.$group.$field);)*)*
            }
            /// What has to be named to turn `base` into `settings`.
            pub fn between(base: &Settings, settings: &Settings) -> Self {
                let mut patch = Self::default();
                $($(if base.$group.$field != settings.$group.$field {
                    patch.$group.$field = Some(settings.$group.$field);
                })*)*
                patch
            }
        }
    };
}

impl SettingsPatch {
    /// The defaults with this patch applied.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        self.apply(&mut settings);
        settings
    }

    /// What is out of range, with the reason.
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
    /// No setting has this name; the nearest one is suggested.
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

    /// Applies an assignment such as `solver.iterations=50`.
    ///
    /// # Errors
    /// No `=`, unknown name, wrong type or value out of range; nothing is changed then.
    pub fn assign(&mut self, assignment: &str) -> Result<(), SettingError> {
        let (name, text) = assignment
            .split_once('=')
            .ok_or_else(|| SettingError::Unknown { name: assignment.into(), nearest: None })?;
        let setting = Self::find(name.trim())?;
        self.set(setting.name, setting.parse(text.trim())?)
    }
}
