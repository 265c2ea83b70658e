//! Springs as they stand in files: one of `hertz` and `stiffness`, one of `damping_ratio` and `damping`, and where they
//! rest.

use serde::{Deserialize, Serialize};

use crate::angle::Angle;
use crate::row::SpringFields;

macro_rules! spring_fields {
    ($name:ident, $rest:ident: $Rest:ty) => {
        #[derive(Clone, Copy, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(super) struct $name {
            #[serde(skip_serializing_if = "Option::is_none")]
            hertz: Option<f32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            stiffness: Option<f32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            damping_ratio: Option<f32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            damping: Option<f32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            $rest: Option<$Rest>,
        }

        impl TryFrom<$name> for super::$name {
            type Error = String;

            fn try_from(fields: $name) -> Result<Self, String> {
                let $name { hertz, stiffness, damping_ratio, damping, $rest } = fields;
                let softness = SpringFields { hertz, stiffness, damping_ratio, damping }.try_into()?;
                Ok(Self { softness, $rest: $rest.unwrap_or_default() })
            }
        }

        impl From<super::$name> for $name {
            fn from(spring: super::$name) -> Self {
                let SpringFields { hertz, stiffness, damping_ratio, damping } = spring.softness.into();
                let $rest = Some(spring.$rest).filter(|rest| *rest != <$Rest>::default());
                Self { hertz, stiffness, damping_ratio, damping, $rest }
            }
        }
    };
}

spring_fields!(AngularSpring, angle: Angle);
spring_fields!(LinearSpring, slide: f32);

/// The fields of a [`super::Spring`]. What is left out is as in the default one.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Spring {
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hertz: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stiffness: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damping_ratio: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damping: Option<f32>,
}

impl TryFrom<Spring> for super::Spring {
    type Error = String;

    fn try_from(fields: Spring) -> Result<Self, String> {
        let Spring { length, hertz, stiffness, damping_ratio, damping } = fields;
        let mut spring = SpringFields { hertz, stiffness, damping_ratio, damping };
        let usual = SpringFields::from(Self::default().softness);
        if hertz.is_none() && stiffness.is_none() {
            (spring.hertz, spring.stiffness) = (usual.hertz, usual.stiffness);
        }
        if damping_ratio.is_none() && damping.is_none() {
            (spring.damping_ratio, spring.damping) = (usual.damping_ratio, usual.damping);
        }
        Ok(Self { length, softness: spring.try_into()? })
    }
}

impl From<super::Spring> for Spring {
    fn from(spring: super::Spring) -> Self {
        let SpringFields { hertz, stiffness, damping_ratio, damping } = spring.softness.into();
        Self { length: spring.length, hertz, stiffness, damping_ratio, damping }
    }
}
