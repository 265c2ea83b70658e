//! The scene format: what is read, what is refused and in which words, and how scenes are laid out.

mod expand;
mod forces;
mod format;
mod mass_properties;
mod mistakes;
mod mistakes_of_bodies;
mod mistakes_of_joints;
mod never_panics;
mod options;
mod ron_text;
mod servos;
mod springs;
