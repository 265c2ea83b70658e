//! Settings: name, unit and domain, with typed access by name. The two macros turn the list in `settings.rs` into
//! plain structs, their patches (every field optional, for files and experiments) and the table `LIST`. Labels and
//! explanations are in `scene/words`.

use glam::Vec3;

use super::settings::{Settings, SettingsPatch};

/// The alternatives of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// Name of the enum that has them as variants.
    pub of: &'static str,
    /// Names of the variants in files and on the command line.
    pub names: &'static [&'static str],
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
    Choice(Choices),
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
    pub const fn choice(choices: Choices) -> Self {
        Self::Choice(choices)
    }
    pub const fn vector(max: f32) -> Self {
        Self::Vector { max }
    }
}

/// The value of a setting of any type.
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

/// An entry of the list of settings.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Group and field, such as `solver.iterations`.
    pub name: &'static str,
    /// SI unit, empty for pure numbers.
    pub unit: &'static str,
    pub domain: Domain,
    pub get: fn(&Settings) -> Value,
    /// Stores without checking the range ([`Settings::set`] checks); false if the type is wrong.
    pub put: fn(&mut Settings, Value) -> bool,
}

impl Setting {
    /// Whether `value` has the setting's type and lies in its range. Such a value is finite.
    pub fn accepts(&self, value: Value) -> bool {
        match (self.domain, value) {
            (Domain::Switch, Value::Bool(_)) => true,
            (Domain::Integer { min, max }, Value::Int(v)) => (min..=max).contains(&v),
            (Domain::Real { min, max }, Value::Real(v)) => v >= min && v <= max,
            (Domain::Choice(choices), Value::Choice(v)) => choices.names.contains(&v),
            (Domain::Vector { max }, Value::Vector(v)) => v.is_finite() && v.abs().max_element() <= max,
            _ => false,
        }
    }
}

/// Whether a value is its type's default, so that files can leave it out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A Rust type that a setting can have.
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

/// Declares an enum that can be the type of a setting.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name { $($variant),* }
        impl $name {
            /// The alternatives, in the order in which they are shown.
            pub const CHOICES: Choices = Choices { of: stringify!($name), names: &[$(stringify!($variant)),*] };
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
    ($($group:ident: $Group:ident, $Patch:ident {
        $($field:ident: $ty:ty = $default:expr, $unit:literal, $domain:expr;)*
    })*) => {
        $(
            #[doc = concat!("The settings `", stringify!($group), "`, in the units of [`LIST`]; see `scene::words`.")]
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub struct $Group { $(pub $field: $ty),* }
            impl Default for $Group {
                fn default() -> Self { Self { $($field: $default),* } }
            }
            impl $Patch {
                /// Overwrites in `settings` the fields that this patch has.
                pub fn apply(&self, settings: &mut $Group) {
                    $(if let Some(v) = self.$field { settings.$field = v; })*
                }
            }
            #[doc = concat!("The settings `", stringify!($group), "` that a scene or an experiment names.")]
            #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            pub struct $Patch {
                $(#[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$ty>),*
            }
        )*
        /// All settings of a world.
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct Settings { $(pub $group: $Group),* }
        /// The settings that a scene or an experiment names. The others keep their values.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct SettingsPatch {
            /// Settings that belong together, applied before the others.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub preset: Option<crate::preset::Preset>,
            $(#[serde(skip_serializing_if = "crate::setting::is_default")] pub $group: $Patch),*
        }
        /// Every setting, in the order in which they are shown.
        pub const LIST: &[Setting] = &[$($(Setting {
            name: concat!(stringify!($group), ".", stringify!($field)),
            unit: $unit, domain: $domain,
            get: |s| s.$group.$field.to_value(),
            put: |s, v| SettingValue::from_value(v).map(|v| s.$group.$field = v).is_some(),
        }),*),*];
        impl SettingsPatch {
            /// Whether it names no setting.
            pub fn is_empty(&self) -> bool { *self == Self::default() }
            /// Overwrites in `settings` the fields that this patch has.
            pub fn apply(&self, settings: &mut Settings) {
                if let Some(preset) = self.preset {
                    preset.patch().apply(settings);
                }
                $(self.$group.apply(&mut settings.$group);)*
            }
            /// Takes over the settings that `other` names.
            pub fn merge(&mut self, other: &Self) {
                if let Some(preset) = other.preset {
                    self.merge(&preset.patch());
                }
                $($(self.$group.$field = other.$group.$field.or(self.$group.$field);)*)*
            }
            /// The patch that turns `base` into `settings`.
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
}
