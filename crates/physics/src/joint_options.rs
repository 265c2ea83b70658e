//! Options that any kind of joint may have. Nearly all joints have none, so they are kept behind a pointer.

use std::ops::{Deref, DerefMut};

use super::breaking::limits::Breaks;
use super::copy::copied_by_fields;
use super::force::ByTime;
use super::settings::StabilizationPatch;
use super::softness::SoftRows;

/// Options of a joint, readable and writable as [`OwnOptions`]. No memory is allocated while all are left out.
#[derive(Debug, Default)]
pub struct JointOptions(Option<Box<OwnOptions>>);

impl Clone for JointOptions {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Reuses the existing allocation.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

/// Options that a joint of any kind can have; none by default.
#[derive(Debug, Default, PartialEq)]
pub struct OwnOptions {
    /// Loads above these break it.
    pub breaks: Option<Breaks>,
    /// Stabilisation settings for this joint alone; the world's are used for those it does not name.
    pub stabilization: Option<StabilizationPatch>,
    /// Rows that are springs with dampers.
    pub soft: Option<SoftRows>,
    /// Factor of its motor's speed and its servo's target as a function of time.
    pub by_time: ByTime,
}

copied_by_fields!(OwnOptions { breaks, stabilization, soft, by_time });

/// The options of a joint that has none.
static NO_OPTIONS: OwnOptions = OwnOptions { breaks: None, stabilization: None, soft: None, by_time: ByTime::Constant };

impl From<OwnOptions> for JointOptions {
    fn from(options: OwnOptions) -> Self {
        Self((options != NO_OPTIONS).then(|| Box::new(options)))
    }
}

impl Deref for JointOptions {
    type Target = OwnOptions;

    #[inline(always)]
    fn deref(&self) -> &OwnOptions {
        self.0.as_deref().unwrap_or(&NO_OPTIONS)
    }
}

impl DerefMut for JointOptions {
    fn deref_mut(&mut self) -> &mut OwnOptions {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for JointOptions {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A joint without options of its own holds no more than a pointer for them.
    #[test]
    fn nothing_takes_no_room() {
        assert_eq!(size_of::<JointOptions>(), size_of::<usize>());
        let mut options = JointOptions::from(OwnOptions::default());
        assert!(options.0.is_none() && options.breaks.is_none());
        options.breaks = Some(Breaks { force: Some(1.0), torque: None });
        assert_eq!(options.breaks.and_then(|breaks| breaks.force), Some(1.0));
        options.breaks = None;
        assert_eq!(options, JointOptions::default(), "given nothing, whether it was once given something or not");
    }
}
