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

pub(super) use copied_by_fields;
