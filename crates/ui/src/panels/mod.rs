//! The panels in the docks. A panel reads the [`View`](crate::view::View), keeps its own state, and answers with
//! [`Request`](crate::request::Request)s.

pub mod algebra;
pub mod analyse;
pub mod background_trace;
pub mod claims;
pub mod compare;
pub mod doctor;
pub mod events;
pub mod experiment_cards;
pub mod experiment_list;
pub mod film;
mod finding_cards;
pub mod guide;
pub mod history;
pub mod inspector;
pub mod joint_panel;
pub mod laboratory;
pub mod lesson;
pub mod library;
mod library_headings;
pub mod linear;
pub mod material_list;
pub mod mechanisms;
pub mod next_step;
pub mod outliner;
pub mod plots;
pub mod pose_rows;
mod preset_row;
pub mod probe;
pub mod reader;
pub mod scene_panel;
pub mod sensor_list;
pub mod solver;
pub mod timeline;

#[cfg(test)]
pub mod tests;
