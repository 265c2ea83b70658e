//! How an angle is written: a plain number of radians, or `Degrees(45)`.

use ron::value::RawValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::physics::angle::Angle;

/// The form with a name. The plain number has none, so an ordinary enum cannot say both.
#[derive(Serialize, Deserialize)]
enum Named {
    Degrees(f32),
}

impl Serialize for Angle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Radians(v) => serializer.serialize_f32(*v),
            Self::Degrees(v) => Named::Degrees(*v).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.trim().get_ron();
        if let Ok(v) = ron::from_str::<f32>(text) {
            Ok(Self::Radians(v))
        } else if let Ok(Named::Degrees(v)) = ron::from_str(text) {
            Ok(Self::Degrees(v))
        } else {
            Err(de::Error::custom(format!("expected an angle in radians such as 0.785, or Degrees(45), not `{text}`")))
        }
    }
}
