//! The one reader that a value's own code sees. What is generic here is kept small: it is compiled for each type.

use std::fmt;

use serde::de::{Deserializer, Expected, Visitor};

use super::access::{Choice, Mapping, Sequence};
use super::answer::{Found, Receiver};
use super::fault::Fault;
use super::source::{Request, Source};

/// A visitor until something was found, and then the value that it made of it.
pub(super) struct Taking<V, T, F> {
    visitor: Option<V>,
    pub(super) value: Option<T>,
    take: F,
}

impl<V, T, F> Taking<V, T, F> {
    pub(super) fn new(visitor: V, take: F) -> Self {
        Self { visitor: Some(visitor), value: None, take }
    }
}

impl<'de, V, F> Receiver<'de> for Taking<V, V::Value, F>
where
    V: Visitor<'de>,
    F: Fn(V, Found<'_, 'de>) -> Result<V::Value, Fault>,
{
    fn receive(&mut self, found: Found<'_, 'de>) -> Result<(), Fault> {
        let Some(visitor) = self.visitor.take() else { return Err(Fault::Kept) };
        match (self.take)(visitor, found) {
            Ok(value) => {
                self.value = Some(value);
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.visitor {
            Some(visitor) => visitor.expecting(f),
            None => Ok(()),
        }
    }
}

/// The reader.
pub(super) struct Reader<'a, 'de>(pub(super) &'a mut dyn Source<'de>);

impl<'de> Reader<'_, 'de> {
    fn ask<V, F>(self, request: Request, visitor: V, take: F) -> Result<V::Value, Fault>
    where
        V: Visitor<'de>,
        F: Fn(V, Found<'_, 'de>) -> Result<V::Value, Fault>,
    {
        let mut taking = Taking::new(visitor, take);
        done(self.0.deserialize(request, &mut taking), taking.value)
    }

    /// A text, which needs no trait object to hand it over.
    fn words<V: Visitor<'de>>(self, request: Request, visitor: V) -> Result<V::Value, Fault> {
        match words(self.0, request, &visitor) {
            Ok(Words::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Ok(Words::Owned(text)) => visitor.visit_string(text),
            Err(fault) => Err(fault),
        }
    }
}

/// What was read, if reading did not fail.
pub(super) fn done<T>(result: Result<(), Fault>, value: Option<T>) -> Result<T, Fault> {
    match (result, value) {
        (Ok(()), Some(value)) => Ok(value),
        (Ok(()), None) => Err(Fault::Kept),
        (Err(fault), _) => Err(fault),
    }
}

/// A text that was read.
enum Words<'de> {
    Borrowed(&'de str),
    Owned(String),
}

/// A text, and what is expected instead of anything else.
struct Wanted<'v, 'de> {
    text: Option<Words<'de>>,
    expected: &'v dyn Expected,
}

impl<'de> Receiver<'de> for Wanted<'_, 'de> {
    fn receive(&mut self, found: Found<'_, 'de>) -> Result<(), Fault> {
        self.text = Some(match found {
            Found::Borrowed(text) => Words::Borrowed(text),
            Found::Str(text) => Words::Owned(text.to_owned()),
            Found::String(text) => Words::Owned(text),
            other => return Err(other.unfit(self.expected)),
        });
        Ok(())
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }
}

fn words<'de>(source: &mut dyn Source<'de>, request: Request, expected: &dyn Expected) -> Result<Words<'de>, Fault> {
    let mut wanted = Wanted { text: None, expected };
    done(source.deserialize(request, &mut wanted), wanted.text)
}

// A visitor is offered only what ron can find for a request. All else is an error that ron's own reader makes, too.

fn anything<'de, V: Visitor<'de>>(visitor: V, found: Found<'_, 'de>) -> Result<V::Value, Fault> {
    match found {
        Found::Bool(value) => visitor.visit_bool(value),
        Found::I64(value) => visitor.visit_i64(value),
        Found::U64(value) => visitor.visit_u64(value),
        Found::F32(value) => visitor.visit_f32(value),
        Found::F64(value) => visitor.visit_f64(value),
        Found::Char(value) => visitor.visit_char(value),
        Found::Str(text) => visitor.visit_str(text),
        Found::Borrowed(text) => visitor.visit_borrowed_str(text),
        Found::String(text) => visitor.visit_string(text),
        Found::Bytes(bytes) => visitor.visit_bytes(bytes),
        Found::ByteBuf(bytes) => visitor.visit_byte_buf(bytes),
        Found::None => visitor.visit_none(),
        Found::Some(source) => visitor.visit_some(Reader(source)),
        Found::Unit => visitor.visit_unit(),
        Found::Newtype(source) => visitor.visit_newtype_struct(Reader(source)),
        Found::Seq(elements) => visitor.visit_seq(Sequence(elements)),
        Found::Map(fields) => visitor.visit_map(Mapping(fields)),
        Found::Enum(variant) => visitor.visit_enum(Choice(variant)),
    }
}

fn number<'de, V: Visitor<'de>>(visitor: V, found: Found<'_, 'de>) -> Result<V::Value, Fault> {
    match found {
        Found::I64(value) => visitor.visit_i64(value),
        Found::U64(value) => visitor.visit_u64(value),
        Found::F32(value) => visitor.visit_f32(value),
        Found::F64(value) => visitor.visit_f64(value),
        other => Err(other.unfit(&visitor)),
    }
}

fn option<'de, V: Visitor<'de>>(visitor: V, found: Found<'_, 'de>) -> Result<V::Value, Fault> {
    match found {
        Found::None => visitor.visit_none(),
        Found::Some(source) => visitor.visit_some(Reader(source)),
        other => Err(other.unfit(&visitor)),
    }
}

pub(super) fn seq<'de, V: Visitor<'de>>(visitor: V, found: Found<'_, 'de>) -> Result<V::Value, Fault> {
    match found {
        Found::Seq(elements) => visitor.visit_seq(Sequence(elements)),
        other => Err(other.unfit(&visitor)),
    }
}

pub(super) fn map<'de, V: Visitor<'de>>(visitor: V, found: Found<'_, 'de>) -> Result<V::Value, Fault> {
    match found {
        Found::Map(fields) => visitor.visit_map(Mapping(fields)),
        other => Err(other.unfit(&visitor)),
    }
}

fn variant<'de, V: Visitor<'de>>(visitor: V, found: Found<'_, 'de>) -> Result<V::Value, Fault> {
    match found {
        Found::Enum(variant) => visitor.visit_enum(Choice(variant)),
        other => Err(other.unfit(&visitor)),
    }
}

/// The functions of the reader that take only a visitor: what each asks for, and what may be found.
macro_rules! requests {
    ($($name:ident: $request:ident, $take:ident;)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.ask(Request::$request, visitor, $take)
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'_, 'de> {
    type Error = Fault;

    requests! {
        deserialize_any: Any, anything;
        deserialize_ignored_any: Ignored, anything;
        deserialize_bool: Bool, anything;
        deserialize_i8: I8, number;
        deserialize_i16: I16, number;
        deserialize_i32: I32, number;
        deserialize_i64: I64, number;
        deserialize_u8: U8, number;
        deserialize_u16: U16, number;
        deserialize_u32: U32, number;
        deserialize_u64: U64, number;
        deserialize_f32: F32, number;
        deserialize_f64: F64, number;
        deserialize_char: Char, anything;
        deserialize_bytes: Bytes, anything;
        deserialize_byte_buf: ByteBuf, anything;
        deserialize_option: Option, option;
        deserialize_unit: Unit, anything;
        deserialize_seq: Seq, seq;
        deserialize_map: Map, map;
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.words(Request::Str, visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.words(Request::String, visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.words(Request::Identifier, visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.ask(Request::UnitStruct(name), visitor, anything)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        // ron hands a value that is to be kept as text over as text.
        self.ask(Request::NewtypeStruct(name), visitor, |visitor, found| match found {
            Found::Newtype(source) => visitor.visit_newtype_struct(Reader(source)),
            other => anything(visitor, other),
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.ask(Request::Tuple(len), visitor, seq)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.ask(Request::TupleStruct(name, len), visitor, seq)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.ask(Request::Struct(name, fields), visitor, map)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.ask(Request::Enum(name, variants), visitor, variant)
    }
}
