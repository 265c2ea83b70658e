//! Texts for settings and stability bounds, for the window, the command line and the reference. The physics defines
//! names, units, ranges, defaults and numbers. A setting or alternative without texts does not compile.

use std::collections::HashMap;
use std::sync::LazyLock;

use delassus_physics::setting::{Choices, Setting};

/// `1 joint`, `2 joints`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The texts of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingWords {
    /// Group and field, as in `solver.iterations`.
    pub name: &'static str,
    /// The group's title.
    pub group: &'static str,
    pub label: &'static str,
    /// Its effect, and why it exists.
    pub what: &'static str,
    /// The document and section that it comes from.
    pub source: &'static str,
}

/// The texts of one alternative of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceWords {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// Label on screen.
    pub label: &'static str,
    /// Its effect, in one sentence.
    pub what: &'static str,
}

/// Declares the texts of the settings, by group.
macro_rules! setting_words {
    ($($group:ident: $Group:ident, $title:literal {
        $($field:ident: $label:literal, $what:literal, $source:literal;)*
    })*) => {
        pub(super) const LIST: &[SettingWords] = &[$($(SettingWords {
            name: concat!(stringify!($group), ".", stringify!($field)),
            group: $title, label: $label, what: $what, source: $source,
        }),*),*];
        /// Fails to compile if a setting is missing.
        const _: fn(Settings) = |settings| {
            let Settings { $($group: $Group { $($field: _),* }),* } = settings;
        };
    };
}

/// Declares the texts of the choices.
macro_rules! choice_words {
    ($($Name:ident { $($variant:ident = $label:literal, $what:literal;)* })*) => {
        pub(super) const LIST: &[(&str, &[ChoiceWords])] = &[$((stringify!($Name), &[$(ChoiceWords {
            name: stringify!($variant), label: $label, what: $what,
        }),*])),*];
        /// Fails to compile if an alternative is missing.
        const _: ($(fn($Name),)*) = ($(|choice| match choice { $($Name::$variant => {})* },)*);
    };
}

mod choices;
mod device;
mod forms;
mod idle;
mod route;
mod settings;
pub mod stability;

pub use idle::idle;
pub use route::stepped;

/// The texts of something that the physics defines.
pub trait Words {
    type Texts;

    fn words(&self) -> Self::Texts;
}

impl Words for Setting {
    type Texts = &'static SettingWords;

    fn words(&self) -> &'static SettingWords {
        static WORDS: LazyLock<HashMap<&str, &SettingWords>> =
            LazyLock::new(|| settings::LIST.iter().map(|words| (words.name, words)).collect());
        WORDS[self.name]
    }
}

impl Words for Choices {
    type Texts = &'static [ChoiceWords];

    /// The texts of the alternatives, in display order.
    fn words(&self) -> &'static [ChoiceWords] {
        static WORDS: LazyLock<HashMap<&str, &[ChoiceWords]>> =
            LazyLock::new(|| choices::LIST.iter().chain(forms::LIST).copied().collect());
        WORDS[self.of]
    }
}

#[cfg(test)]
mod tests {
    use delassus_physics::setting::Domain;
    use delassus_physics::settings::LIST;

    use super::Words as _;

    #[test]
    fn each_setting_and_alternative_has_its_own_words() {
        for setting in LIST {
            assert_eq!(setting.words().name, setting.name);
            if let Domain::Choice(choices) = setting.domain {
                let names: Vec<&str> = choices.words().iter().map(|choice| choice.name).collect();
                assert_eq!(names, choices.names, "{}", setting.name);
            }
        }
    }
}
