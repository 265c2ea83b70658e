//! ron's deserializers, and their access to fields, elements and variants, as trait objects, so that the code that
//! reads values is compiled once and not for each of ron's generic types.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess};

use super::answer::{Answer, Receiver};
use super::fault::Fault;

/// A kind of value that is asked for.
#[derive(Clone, Copy)]
pub(super) enum Request {
    Any,
    Ignored,
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    Char,
    Str,
    String,
    Bytes,
    ByteBuf,
    Option,
    Unit,
    UnitStruct(&'static str),
    NewtypeStruct(&'static str),
    Seq,
    Tuple(usize),
    TupleStruct(&'static str, usize),
    Map,
    Struct(&'static str, &'static [&'static str]),
    Enum(&'static str, &'static [&'static str]),
    Identifier,
}

/// A place in the text where a value stands.
pub(super) trait Source<'de> {
    /// Reads the value that stands there and passes it to `receiver`. To be called once.
    fn deserialize(&mut self, request: Request, receiver: &mut dyn Receiver<'de>) -> Result<(), Fault>;
}

/// Something that reads a value.
pub(super) trait Reads<'de> {
    fn read(&mut self, source: &mut dyn Source<'de>) -> Result<(), Fault>;
}

pub(super) trait Fields<'de> {
    /// Reads the name of the next field, if there is one.
    fn key(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault>;
    fn value(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault>;
}

pub(super) trait Elements<'de> {
    /// Reads the next element, if there is one.
    fn element(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault>;
    fn count(&self) -> Option<usize>;
}

/// A variant: first its name is read, then its content.
pub(super) trait Variant<'de> {
    fn name(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault>;
    fn unit(&mut self) -> Result<(), Fault>;
    fn newtype(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault>;
    fn tuple(&mut self, len: usize, receiver: &mut dyn Receiver<'de>) -> Result<(), Fault>;
    fn fields(&mut self, fields: &'static [&'static str], receiver: &mut dyn Receiver<'de>) -> Result<(), Fault>;
}

/// A deserializer or an access of ron, and the error that using it gave, if any. The error has ron's own type, so it
/// stays here while a [`Fault`] is returned in its place.
pub(super) struct ErasedAccess<A, E> {
    access: Option<A>,
    error: Option<E>,
}

impl<A, E> ErasedAccess<A, E> {
    pub(super) fn new(access: A) -> Self {
        Self { access: Some(access), error: None }
    }

    /// The error to return to ron: the one that was kept here, or one from the code that reads a value.
    pub(super) fn error(self, fault: Fault) -> E
    where
        E: serde::de::Error,
    {
        fault.into_error(self.error)
    }

    fn keep<T>(&mut self, result: Result<T, E>) -> Result<T, Fault> {
        result.map_err(|error| {
            self.error = Some(error);
            Fault::Kept
        })
    }

    fn take(&mut self) -> Result<A, Fault> {
        self.access.take().ok_or(Fault::Kept)
    }

    fn get(&mut self) -> Result<&mut A, Fault> {
        self.access.as_mut().ok_or(Fault::Kept)
    }
}

impl<'de, D: Deserializer<'de>> Source<'de> for ErasedAccess<D, D::Error> {
    fn deserialize(&mut self, request: Request, receiver: &mut dyn Receiver<'de>) -> Result<(), Fault> {
        let (source, answer) = (self.take()?, Answer(receiver));
        let result = match request {
            Request::Any => source.deserialize_any(answer),
            Request::Ignored => source.deserialize_ignored_any(answer),
            Request::Bool => source.deserialize_bool(answer),
            Request::I8 => source.deserialize_i8(answer),
            Request::I16 => source.deserialize_i16(answer),
            Request::I32 => source.deserialize_i32(answer),
            Request::I64 => source.deserialize_i64(answer),
            Request::U8 => source.deserialize_u8(answer),
            Request::U16 => source.deserialize_u16(answer),
            Request::U32 => source.deserialize_u32(answer),
            Request::U64 => source.deserialize_u64(answer),
            Request::F32 => source.deserialize_f32(answer),
            Request::F64 => source.deserialize_f64(answer),
            Request::Char => source.deserialize_char(answer),
            Request::Str => source.deserialize_str(answer),
            Request::String => source.deserialize_string(answer),
            Request::Bytes => source.deserialize_bytes(answer),
            Request::ByteBuf => source.deserialize_byte_buf(answer),
            Request::Option => source.deserialize_option(answer),
            Request::Unit => source.deserialize_unit(answer),
            Request::UnitStruct(name) => source.deserialize_unit_struct(name, answer),
            Request::NewtypeStruct(name) => source.deserialize_newtype_struct(name, answer),
            Request::Seq => source.deserialize_seq(answer),
            Request::Tuple(len) => source.deserialize_tuple(len, answer),
            Request::TupleStruct(name, len) => source.deserialize_tuple_struct(name, len, answer),
            Request::Map => source.deserialize_map(answer),
            Request::Struct(name, fields) => source.deserialize_struct(name, fields, answer),
            Request::Enum(name, variants) => source.deserialize_enum(name, variants, answer),
            Request::Identifier => source.deserialize_identifier(answer),
        };
        self.keep(result)
    }
}

/// Reads a value when ron asks for it.
pub(super) struct Seed<'s, 'de>(pub(super) &'s mut dyn Reads<'de>);

impl<'de> DeserializeSeed<'de> for Seed<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        let mut access = ErasedAccess::new(source);
        self.0.read(&mut access).map_err(|fault| access.error(fault))
    }
}

impl<'de, A: MapAccess<'de>> Fields<'de> for ErasedAccess<A, A::Error> {
    fn key(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault> {
        let key = self.get()?.next_key_seed(Seed(reads));
        self.keep(key).map(|_| ())
    }

    fn value(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault> {
        let value = self.get()?.next_value_seed(Seed(reads));
        self.keep(value)
    }
}

impl<'de, A: SeqAccess<'de>> Elements<'de> for ErasedAccess<A, A::Error> {
    fn element(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault> {
        let element = self.get()?.next_element_seed(Seed(reads));
        self.keep(element).map(|_| ())
    }

    fn count(&self) -> Option<usize> {
        self.access.as_ref()?.size_hint()
    }
}

/// A variant before and after its name was read.
pub(super) enum Stage<A, V> {
    Name(A),
    Content(V),
}

impl<'de, A: EnumAccess<'de>> ErasedAccess<Stage<A, A::Variant>, A::Error> {
    fn content(&mut self) -> Result<A::Variant, Fault> {
        match self.take()? {
            Stage::Content(content) => Ok(content),
            Stage::Name(_) => Err(Fault::Kept),
        }
    }
}

impl<'de, A: EnumAccess<'de>> Variant<'de> for ErasedAccess<Stage<A, A::Variant>, A::Error> {
    fn name(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault> {
        let Stage::Name(access) = self.take()? else { return Err(Fault::Kept) };
        let named = access.variant_seed(Seed(reads));
        let ((), content) = self.keep(named)?;
        self.access = Some(Stage::Content(content));
        Ok(())
    }

    fn unit(&mut self) -> Result<(), Fault> {
        let unit = self.content()?.unit_variant();
        self.keep(unit)
    }

    fn newtype(&mut self, reads: &mut dyn Reads<'de>) -> Result<(), Fault> {
        let read = self.content()?.newtype_variant_seed(Seed(reads));
        self.keep(read)
    }

    fn tuple(&mut self, len: usize, receiver: &mut dyn Receiver<'de>) -> Result<(), Fault> {
        let read = self.content()?.tuple_variant(len, Answer(receiver));
        self.keep(read)
    }

    fn fields(&mut self, fields: &'static [&'static str], receiver: &mut dyn Receiver<'de>) -> Result<(), Fault> {
        let read = self.content()?.struct_variant(fields, Answer(receiver));
        self.keep(read)
    }
}
