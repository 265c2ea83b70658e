//! Reasons why the processor makes the steps although a graphics device was requested.

use delassus_physics::device::DeviceRefusal;

use super::Words;

impl Words for DeviceRefusal {
    type Texts = String;

    /// The reason as a sentence without initial capital and final stop.
    fn words(&self) -> String {
        match self {
            Self::NoDevice => "there is none".to_owned(),
            Self::Traced => "the step is being inspected".to_owned(),
            Self::MotorTargets => {
                "the processor corrects drives with a motor target together with their joints".to_owned()
            }
            Self::DeferredWarmStart => "it applies old impulses before the first sweep, not after it".to_owned(),
            Self::Work => "the sweeps of a step would take the device too long: lower solver.iterations or \
                step.substeps"
                .to_owned(),
            Self::Device(error) => uncapitalized(&error.to_string()),
        }
    }
}

/// The sentence without its initial capital.
fn uncapitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
