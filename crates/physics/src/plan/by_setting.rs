//! A table with a value for every setting.

/// Calls `visit` with the name of each setting and a value for it. All settings are destructured, so that a new one
/// that is forgotten does not compile.
///
/// ```text
/// by_setting! { settings, visit =>
///     step: StepSettings { rate => ..., substeps => ..., }
///     solver: SolverSettings { ... }
/// }
/// ```
#[macro_export]
macro_rules! by_setting {
    ($settings:expr, $visit:ident => $($group:ident: $Group:ident { $($field:ident => $value:expr,)* })*) => {{
        let Settings { $($group: $Group { $($field: _),* }),* } = $settings;
        $($($visit(concat!(stringify!($group), ".", stringify!($field)), $value);)*)*
    }};
}
