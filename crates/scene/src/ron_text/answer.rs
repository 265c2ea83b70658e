//! What ron finds in the text, for the value that is being read.

use std::fmt;

use serde::de::{Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor};

use super::fault::Fault;
use super::source::{Elements, ErasedAccess, Fields, Source, Stage, Variant};

/// What was found.
pub(super) enum Found<'a, 'de> {
    Bool(bool),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    Char(char),
    Str(&'a str),
    Borrowed(&'de str),
    String(String),
    Bytes(&'a [u8]),
    ByteBuf(Vec<u8>),
    None,
    Some(&'a mut dyn Source<'de>),
    Unit,
    Newtype(&'a mut dyn Source<'de>),
    Seq(&'a mut dyn Elements<'de>),
    Map(&'a mut dyn Fields<'de>),
    Enum(&'a mut dyn Variant<'de>),
}

impl Found<'_, '_> {
    /// The error that this is not what was expected.
    #[cold]
    pub(super) fn unfit(&self, expected: &dyn Expected) -> Fault {
        let found = match self {
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::I64(value) => Unexpected::Signed(*value),
            Self::U64(value) => Unexpected::Unsigned(*value),
            Self::F32(value) => Unexpected::Float(f64::from(*value)),
            Self::F64(value) => Unexpected::Float(*value),
            Self::Char(value) => Unexpected::Char(*value),
            Self::Str(text) => Unexpected::Str(text),
            Self::Borrowed(text) => Unexpected::Str(text),
            Self::String(text) => Unexpected::Str(text),
            Self::Bytes(bytes) => Unexpected::Bytes(bytes),
            Self::ByteBuf(bytes) => Unexpected::Bytes(bytes),
            Self::None | Self::Some(_) => Unexpected::Option,
            Self::Unit => Unexpected::Unit,
            Self::Newtype(_) => Unexpected::NewtypeStruct,
            Self::Seq(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
            Self::Enum(_) => Unexpected::Enum,
        };
        Fault::invalid_type(found, expected)
    }
}

/// Takes what was found.
pub(super) trait Receiver<'de> {
    fn receive(&mut self, found: Found<'_, 'de>) -> Result<(), Fault>;
    /// Says what is expected.
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// The visitor that ron sees.
pub(super) struct Answer<'a, 'de>(pub(super) &'a mut dyn Receiver<'de>);

impl Answer<'_, '_> {
    fn error<E: Error>(fault: Fault) -> E {
        fault.into_error(None)
    }
}

impl<'de> Visitor<'de> for Answer<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.receive(Found::Bool(value)).map_err(Self::error)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.receive(Found::I64(value)).map_err(Self::error)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.receive(Found::U64(value)).map_err(Self::error)
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<(), E> {
        self.0.receive(Found::F32(value)).map_err(Self::error)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.receive(Found::F64(value)).map_err(Self::error)
    }

    fn visit_char<E: Error>(self, value: char) -> Result<(), E> {
        self.0.receive(Found::Char(value)).map_err(Self::error)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.receive(Found::Str(text)).map_err(Self::error)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        self.0.receive(Found::Borrowed(text)).map_err(Self::error)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<(), E> {
        self.0.receive(Found::String(text)).map_err(Self::error)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.0.receive(Found::Bytes(bytes)).map_err(Self::error)
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<(), E> {
        self.0.receive(Found::ByteBuf(bytes)).map_err(Self::error)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.0.receive(Found::None).map_err(Self::error)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.receive(Found::Unit).map_err(Self::error)
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        let mut access = ErasedAccess::new(source);
        self.0.receive(Found::Some(&mut access)).map_err(|fault| access.error(fault))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        let mut access = ErasedAccess::new(source);
        self.0.receive(Found::Newtype(&mut access)).map_err(|fault| access.error(fault))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<(), A::Error> {
        let mut access = ErasedAccess::new(elements);
        self.0.receive(Found::Seq(&mut access)).map_err(|fault| access.error(fault))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<(), A::Error> {
        let mut access = ErasedAccess::new(fields);
        self.0.receive(Found::Map(&mut access)).map_err(|fault| access.error(fault))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<(), A::Error> {
        let mut access = ErasedAccess::<_, A::Error>::new(Stage::<A, A::Variant>::Name(variant));
        self.0.receive(Found::Enum(&mut access)).map_err(|fault| access.error(fault))
    }
}
