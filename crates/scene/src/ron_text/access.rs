//! Fields, elements and variants, as a value's own code sees them.

use serde::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::fault::Fault;
use super::reader::{Reader, Taking, done, map, seq};
use super::source::{Elements, Fields, Reads, Source, Variant};

/// A value to be read, and then the value.
pub(super) struct Reading<S, T> {
    seed: Option<S>,
    pub(super) value: Option<T>,
}

impl<'de, S: DeserializeSeed<'de>> Reading<S, S::Value> {
    pub(super) fn of(seed: S) -> Self {
        Self { seed: Some(seed), value: None }
    }
}

impl<'de, S: DeserializeSeed<'de>> Reads<'de> for Reading<S, S::Value> {
    fn read(&mut self, source: &mut dyn Source<'de>) -> Result<(), Fault> {
        let Some(seed) = self.seed.take() else { return Err(Fault::Kept) };
        match seed.deserialize(Reader(source)) {
            Ok(value) => {
                self.value = Some(value);
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }
}

pub(super) struct Mapping<'a, 'de>(pub(super) &'a mut dyn Fields<'de>);

impl<'de> MapAccess<'de> for Mapping<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let mut reading = Reading::of(seed);
        self.0.key(&mut reading)?;
        Ok(reading.value)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let mut reading = Reading::of(seed);
        done(self.0.value(&mut reading), reading.value)
    }
}

pub(super) struct Sequence<'a, 'de>(pub(super) &'a mut dyn Elements<'de>);

impl<'de> SeqAccess<'de> for Sequence<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let mut reading = Reading::of(seed);
        self.0.element(&mut reading)?;
        Ok(reading.value)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.count()
    }
}

pub(super) struct Choice<'a, 'de>(pub(super) &'a mut dyn Variant<'de>);

impl<'a, 'de> EnumAccess<'de> for Choice<'a, 'de> {
    type Error = Fault;
    type Variant = Content<'a, 'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Content<'a, 'de>), Fault> {
        let mut reading = Reading::of(seed);
        match done(self.0.name(&mut reading), reading.value) {
            Ok(name) => Ok((name, Content(self.0))),
            Err(fault) => Err(fault),
        }
    }
}

pub(super) struct Content<'a, 'de>(&'a mut dyn Variant<'de>);

impl<'de> VariantAccess<'de> for Content<'_, 'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        self.0.unit()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        let mut reading = Reading::of(seed);
        done(self.0.newtype(&mut reading), reading.value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        let mut taking = Taking::new(visitor, seq);
        done(self.0.tuple(len, &mut taking), taking.value)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        let mut taking = Taking::new(visitor, map);
        done(self.0.fields(fields, &mut taking), taking.value)
    }
}
