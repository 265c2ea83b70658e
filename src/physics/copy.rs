//! Copies that are made into older ones: lists keep the room that they have.
//!
//! A large world is copied for each step that is made ahead (`session/run/ahead.rs`), and most of what that takes is to
//! ask the system for memory and to give it back.

/// Makes a type copy itself field by field, into a new value or into an old one. Every field is to be named.
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

/// The same, and makes one of which every field is its type's default, for whoever begins one.
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
