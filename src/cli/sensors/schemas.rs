//! The message types of the log: a sensor's value, and the poses of bodies in the form that Foxglove and rerun draw.
//!
//! `foxglove.FrameTransforms` and the types that it is made of are those of Foxglove's message schemas
//! (<https://docs.foxglove.dev/docs/sdk/schemas>); programs know them by these names.

use super::protobuf::FieldType::{Bool, Double, Int32, Int64, Message, Messages, Text};
use super::protobuf::MessageType;

/// A sensor after a step: its value in its own unit, and whether it is beyond its limits.
pub const SENSOR: MessageType = MessageType {
    file: "delassus/Sensor.proto",
    package: "delassus",
    name: "Sensor",
    imports: &[],
    fields: &[("value", Double), ("alarm", Bool)],
};

const TIMESTAMP: MessageType = MessageType {
    file: "google/protobuf/timestamp.proto",
    package: "google.protobuf",
    name: "Timestamp",
    imports: &[],
    fields: &[("seconds", Int64), ("nanos", Int32)],
};

const VECTOR: MessageType = MessageType {
    file: "foxglove/Vector3.proto",
    package: "foxglove",
    name: "Vector3",
    imports: &[],
    fields: &[("x", Double), ("y", Double), ("z", Double)],
};

const QUATERNION: MessageType = MessageType {
    file: "foxglove/Quaternion.proto",
    package: "foxglove",
    name: "Quaternion",
    imports: &[],
    fields: &[("x", Double), ("y", Double), ("z", Double), ("w", Double)],
};

const TRANSFORM: MessageType = MessageType {
    file: "foxglove/FrameTransform.proto",
    package: "foxglove",
    name: "FrameTransform",
    imports: &[QUATERNION.file, VECTOR.file, TIMESTAMP.file],
    fields: &[
        ("timestamp", Message(".google.protobuf.Timestamp")),
        ("parent_frame_id", Text),
        ("child_frame_id", Text),
        ("translation", Message(".foxglove.Vector3")),
        ("rotation", Message(".foxglove.Quaternion")),
    ],
};

const TRANSFORM_LIST: MessageType = MessageType {
    file: "foxglove/FrameTransforms.proto",
    package: "foxglove",
    name: "FrameTransforms",
    imports: &[TRANSFORM.file],
    fields: &[("transforms", Messages(".foxglove.FrameTransform"))],
};

/// `foxglove.FrameTransforms` behind all that it is made of.
pub const TRANSFORMS: [MessageType; 5] = [TIMESTAMP, VECTOR, QUATERNION, TRANSFORM, TRANSFORM_LIST];
