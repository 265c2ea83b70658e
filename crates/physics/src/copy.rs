//! Copies into existing values, which reuse the allocations of their lists.
//!
//! A large world is copied for each step that is made ahead (`session/run/ahead.rs`). Allocating and freeing memory
//! takes most of the time of such a copy.

/// Implements `Clone` field by field, with a `clone_from` that reuses allocations. Every field has to be named.
macro_rules! copied_by_fields {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),* }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)*
            }
        }
    };
}

/// The same, and a default with every field at its type's default.
macro_rules! default_and_copied_by_fields {
    ($type:ty { $($field:ident),* $(,)? }) => {
        $crate::copy::copied_by_fields!($type { $($field),* });
        impl Default for $type {
            fn default() -> Self {
                Self { $($field: Default::default()),* }
            }
        }
    };
}

pub(super) use {copied_by_fields, default_and_copied_by_fields};
