//! The little of the Protobuf encoding that the log of the sensors needs: messages, and the description of their types
//! that stands in the file, so that a program that opens it knows the fields
//! (<https://protobuf.dev/programming-guides/encoding/>).

/// A message that is being written.
#[derive(Debug, Clone, Default)]
pub struct Message(Vec<u8>);

/// How a field's value is written.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;

impl Message {
    /// The encoded message.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn raw(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// An integer or a truth value.
    pub fn integer(mut self, field: u64, value: u64) -> Self {
        self.raw(field << 3 | VARINT);
        self.raw(value);
        self
    }

    /// A `double`.
    pub fn double(mut self, field: u64, value: f64) -> Self {
        self.raw(field << 3 | EIGHT_BYTES);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A text.
    pub fn text(self, field: u64, value: &str) -> Self {
        self.part(field, value.as_bytes())
    }

    /// A message within the message.
    pub fn message(self, field: u64, value: &Self) -> Self {
        self.part(field, &value.0)
    }

    fn part(mut self, field: u64, bytes: &[u8]) -> Self {
        self.raw(field << 3 | LENGTH);
        self.raw(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }
}

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldType {
    Double,
    Int64,
    Int32,
    Bool,
    Text,
    /// A message of this type, by its full name.
    Message(&'static str),
    /// Any number of them.
    Messages(&'static str),
}

/// A message type in a file of its own: the file that it is described in, the package, its name and its fields, which
/// are numbered from 1.
#[derive(Debug, Clone, Copy)]
pub struct MessageType {
    pub file: &'static str,
    pub package: &'static str,
    pub name: &'static str,
    /// The files of the types of its fields.
    pub imports: &'static [&'static str],
    pub fields: &'static [(&'static str, FieldType)],
}

impl MessageType {
    /// A `FileDescriptorProto`.
    fn descriptor(&self) -> Message {
        let mut of = Message::default().text(1, self.name);
        for (number, (name, kind)) in (1..).zip(self.fields) {
            of = of.message(2, &field(number, name, *kind));
        }
        let mut file = Message::default().text(1, self.file).text(2, self.package);
        for import in self.imports {
            file = file.text(3, import);
        }
        file.message(4, &of).text(12, "proto3")
    }
}

/// A `FieldDescriptorProto`.
fn field(number: u64, name: &str, kind: FieldType) -> Message {
    let (label, code, type_name) = match kind {
        FieldType::Double => (1, 1, None),
        FieldType::Int64 => (1, 3, None),
        FieldType::Int32 => (1, 5, None),
        FieldType::Bool => (1, 8, None),
        FieldType::Text => (1, 9, None),
        FieldType::Message(name) => (1, 11, Some(name)),
        FieldType::Messages(name) => (3, 11, Some(name)),
    };
    let of = Message::default().text(1, name).integer(3, number).integer(4, label).integer(5, code);
    type_name.map_or_else(|| of.clone(), |name| of.clone().text(6, name))
}

/// A `FileDescriptorSet` of these types, each behind those that it imports.
pub fn descriptors(types: &[MessageType]) -> Message {
    types.iter().fold(Message::default(), |set, of| set.message(1, &of.descriptor()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the encoding's own description: `a: 150`, the text `testing`, and a message within a message.
    #[test]
    fn values_are_encoded_as_the_encoding_s_description_shows() {
        let inner = Message::default().integer(1, 150);
        assert_eq!(inner.bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::default().text(2, "testing").bytes(), b"\x12\x07testing");
        assert_eq!(Message::default().message(3, &inner).bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(Message::default().double(1, 1.0).bytes(), [0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    }
}
