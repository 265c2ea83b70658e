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

/// The same, and adds `blank`, which makes a value with every field at its type's default.
macro_rules! blank_and_copied_by_fields {
    ($type:ty { $($field:ident),* $(,)? }) => {
        copied_by_fields!($type { $($field),* });
        impl $type {
            pub(super) fn blank() -> Self {
                Self { $($field: Default::default()),* }
            }
        }
    };
}

pub(super) use {blank_and_copied_by_fields, copied_by_fields};
