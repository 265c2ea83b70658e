//! Errors on their way through the trait objects.

use std::fmt;

use ron::Error;
use serde::de::{self, Expected, Unexpected};

/// An error as a value's own code sees it.
#[derive(Debug)]
pub(super) enum Fault {
    /// ron's: it is kept where it came up, since its type is known only there.
    Kept,
    /// The value's own, such as that of an unknown field.
    Own(Error),
}

impl Fault {
    /// The error with its type regained; `kept` holds ron's.
    pub(super) fn into_error<E: de::Error>(self, kept: Option<E>) -> E {
        match (self, kept) {
            (Self::Kept, Some(error)) => error,
            (fault @ Self::Kept, None) => E::custom(fault),
            (Self::Own(error), _) => converted(error),
        }
    }
}

/// The same error, by the constructors that each type of errors has.
fn converted<E: de::Error>(error: Error) -> E {
    match error {
        Error::Message(what) => E::custom(what),
        Error::InvalidValueForType { expected, found } => {
            E::invalid_value(Unexpected::Other(&found), &expected.as_str())
        }
        Error::ExpectedDifferentLength { expected, found } => E::invalid_length(found, &expected.as_str()),
        Error::NoSuchEnumVariant { expected, found, .. } => E::unknown_variant(&found, expected),
        Error::NoSuchStructField { expected, found, .. } => E::unknown_field(&found, expected),
        Error::MissingStructField { field, .. } => E::missing_field(field),
        Error::DuplicateStructField { field, .. } => E::duplicate_field(field),
        other => E::custom(other),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept => f.write_str("this value cannot be read"),
            Self::Own(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self::Own(Error::custom(what))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Own(Error::invalid_type(found, expected))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Own(Error::invalid_value(found, expected))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::Own(Error::invalid_length(length, expected))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::Own(Error::unknown_variant(variant, expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::Own(Error::unknown_field(field, expected))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Own(Error::missing_field(field))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Own(Error::duplicate_field(field))
    }
}
