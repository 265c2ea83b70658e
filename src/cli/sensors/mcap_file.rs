//! The log of the sensors as an MCAP file, for Foxglove and rerun: a channel `/sensors/NAME` for each sensor, and
//! `/tf` with the poses of the bodies. Times are simulated time. Messages are Protobuf, whose types stand in the file:
//! Foxglove reads JSON, too, but rerun decodes only types that it finds described.

use std::collections::BTreeMap;
use std::path::Path;

use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{McapError, WriteOptions, Writer};

use super::super::common::Failure;
use super::super::tables;
use super::protobuf::{Message, descriptors};
use super::schemas::{SENSOR, TRANSFORMS};
use delassus_scene::WORLD;
use delassus_session::sensors::SensorReader;
use delassus_session::{BodyView, Snapshot};

/// The size of a chunk, bytes. What is written after the last whole chunk is lost if the program is killed.
const CHUNK: u64 = 1 << 18;
/// The topic of the poses.
const POSES: &str = "/tf";
/// In a scene with more bodies the poses are left out: they would be nearly all of the file.
const MAX_BODIES: usize = 1000;

/// An MCAP file that is being written.
pub struct McapLog {
    writer: Writer<NoSeek<Box<dyn std::io::Write>>>,
    /// The channels of the sensors, in their order, and that of the poses.
    sensors: Vec<u16>,
    poses: Option<u16>,
}

fn failure(error: McapError) -> Failure {
    match error {
        McapError::Io(error) => error.into(),
        other => Failure::Error(format!("cannot write the sensors: {other}")),
    }
}

impl McapLog {
    /// Creates the file, with a channel for each sensor: name, quantity as written, and how it is read.
    pub fn create(file: &Path, list: &[(&str, &str, &SensorReader)], bodies: &[BodyView]) -> Result<Self, Failure> {
        let options = WriteOptions::new()
            .compression(None)
            .chunk_size(Some(CHUNK))
            .profile("")
            .library(concat!("delassus ", env!("CARGO_PKG_VERSION")))
            // A pipe cannot be gone back in.
            .disable_seeking(true);
        let mut writer = options.create(NoSeek::new(tables::out(file)?)).map_err(failure)?;
        let schema =
            writer.add_schema("delassus.Sensor", "protobuf", descriptors(&[SENSOR]).bytes()).map_err(failure)?;
        let mut sensors = Vec::new();
        for (name, of, reader) in list {
            let limit = |limit: Option<f64>| limit.map_or_else(String::new, |limit| limit.to_string());
            let metadata = BTreeMap::from([
                ("of".to_owned(), (*of).to_owned()),
                ("unit".to_owned(), reader.unit.clone()),
                ("low".to_owned(), limit(reader.low)),
                ("high".to_owned(), limit(reader.high)),
            ]);
            let topic = format!("/sensors/{name}");
            sensors.push(writer.add_channel(schema, &topic, "protobuf", &metadata).map_err(failure)?);
        }
        let mut poses = None;
        if bodies.len() <= MAX_BODIES {
            let types = descriptors(&TRANSFORMS);
            let schema = writer.add_schema("foxglove.FrameTransforms", "protobuf", types.bytes()).map_err(failure)?;
            poses = Some(writer.add_channel(schema, POSES, "protobuf", &BTreeMap::new()).map_err(failure)?);
        }
        Ok(Self { writer, sensors, poses })
    }

    /// Adds the values after a step, each with whether it is in alarm, and the poses of the bodies.
    pub fn write(
        &mut self,
        step: u64,
        time: f64,
        values: impl Iterator<Item = (f64, bool)>,
        snapshot: &Snapshot,
    ) -> Result<(), Failure> {
        // Simulated time, ns.
        let nanoseconds = (time * 1e9).round() as u64;
        let header = |channel_id: u16| MessageHeader {
            channel_id,
            sequence: step as u32,
            log_time: nanoseconds,
            publish_time: nanoseconds,
        };
        for (channel, (value, alarm)) in self.sensors.iter().zip(values) {
            let message = Message::default().double(1, value).integer(2, alarm.into());
            self.writer.write_to_known_channel(&header(*channel), message.bytes()).map_err(failure)?;
        }
        if let Some(channel) = self.poses {
            let all = transforms(nanoseconds, &snapshot.bodies);
            self.writer.write_to_known_channel(&header(channel), all.bytes()).map_err(failure)?;
        }
        Ok(())
    }

    /// Writes the index.
    pub fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        self.writer.finish().map_err(failure)?;
        let mut out = self.writer.into_inner().into_inner();
        Ok(out.flush()?)
    }
}

/// A `foxglove.FrameTransforms`: each body's frame in the world's.
fn transforms(nanoseconds: u64, bodies: &[BodyView]) -> Message {
    let time = Message::default().integer(1, nanoseconds / 1_000_000_000).integer(2, nanoseconds % 1_000_000_000);
    let components = |values: &[f32]| {
        (1..).zip(values).fold(Message::default(), |of, (field, value)| of.double(field, (*value).into()))
    };
    bodies.iter().fold(Message::default(), |all, body| {
        let (position, rotation) = (body.pose.position.to_array(), body.pose.rotation.to_array());
        let transform = Message::default()
            .message(1, &time)
            .text(2, WORLD)
            .text(3, &body.name)
            .message(4, &components(&position))
            .message(5, &components(&rotation));
        all.message(1, &transform)
    })
}
