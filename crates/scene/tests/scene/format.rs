//! The reference of the scene format matches the types: it has every field and form that serde knows, and no other.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use delassus_physics::settings::LIST;
use delassus_scene::{self as scene, RENAMED, Rule, Scene, assign, format};
use serde::de::value::Error;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

/// What the types have requested: the fields of structs, the forms of enums and their fields.
#[derive(Default)]
struct Known {
    structs: BTreeMap<&'static str, BTreeSet<&'static str>>,
    enums: BTreeMap<&'static str, BTreeSet<&'static str>>,
    forms: BTreeMap<(&'static str, &'static str), BTreeSet<&'static str>>,
    /// The forms that have been explored.
    visited: BTreeSet<(&'static str, &'static str)>,
}

/// Whether this is an old name of a field or a rule: it is read, but not described.
fn is_older(field: &str) -> bool {
    RENAMED.iter().any(|(old, _)| *old == field) || Rule::OLDER_NAMES.contains(&field)
}

/// Fields or forms under their current names.
fn present(fields: &[&'static str]) -> BTreeSet<&'static str> {
    fields.iter().copied().filter(|field| !is_older(field)).collect()
}

/// A deserializer that supplies whatever is requested and records it; `field` is the current field, `of` the enum and
/// its form.
#[derive(Clone, Copy)]
struct Asked<'a> {
    known: &'a RefCell<Known>,
    field: &'static str,
    of: (&'static str, &'static str),
}

/// The fields of a struct one after the other, or a number of elements.
struct Items<'a> {
    asked: Asked<'a>,
    fields: std::slice::Iter<'static, &'static str>,
    left: usize,
}

impl<'de> MapAccess<'de> for Items<'_> {
    type Error = Error;
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(field) = self.fields.find(|field| !is_older(field)) else { return Ok(None) };
        self.asked.field = field;
        seed.deserialize((*field).into_deserializer()).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.asked)
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.asked).map(Some)
    }
}

impl<'a> Asked<'a> {
    fn items(self, fields: &'static [&'static str], left: usize) -> Items<'a> {
        Items { asked: self, fields: fields.iter(), left }
    }
}

impl<'de> EnumAccess<'de> for Asked<'_> {
    type Error = Error;
    type Variant = Self;
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: Result<_, Error> = seed.deserialize(self.of.1.into_deserializer());
        name.map(|name| (name, self))
    }
}

impl<'de> VariantAccess<'de> for Asked<'_> {
    type Error = Error;
    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self.items(&[], len))
    }
    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.known.borrow_mut().forms.insert(self.of, present(fields));
        visitor.visit_map(self.items(fields, 0))
    }
}

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        panic!("`{}` takes anything: the reference cannot say what", self.field)
    }
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(true)
    }
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32(1)
    }
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f32(1.0)
    }
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(1.0)
    }
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str("x")
    }
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // A formula of time, and one of poses.
        visitor.visit_str(match self.field {
            "factor" => "t",
            "rows" => "angle",
            _ => "x",
        })
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // A spring takes these in place of `hertz` and `damping_ratio`.
        if matches!(self.field, "stiffness" | "damping") { visitor.visit_none() } else { visitor.visit_some(self) }
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        // Text in ron's own syntax, from which rotations and angles are read; their forms are tested below.
        visitor.visit_str(if self.field == "rotation" { "(0, 0, 0, 1)" } else { "0.5" })
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // The fewest radii of a profile.
        visitor.visit_seq(self.items(&[], if self.field == "radii" { 4 } else { 1 }))
    }
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self.items(&[], len))
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, len: usize, v: V) -> Result<V::Value, Error> {
        v.visit_seq(self.items(&[], len))
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.known.borrow_mut().structs.insert(name, present(fields));
        visitor.visit_map(self.items(fields, 0))
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        forms: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        // The first form that has not been explored yet.
        let mut known = self.known.borrow_mut();
        known.enums.insert(name, present(forms));
        let next = forms.iter().find(|form| !known.visited.contains(&(name, **form))).unwrap_or(&forms[0]);
        known.visited.insert((name, *next));
        drop(known);
        visitor.visit_enum(Self { of: (name, next), ..self })
    }
    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 char bytes byte_buf unit unit_struct map identifier ignored_any
    }
}

/// Everything that a scene can contain.
fn known() -> Known {
    let known = RefCell::new(Known::default());
    let mut before = usize::MAX;
    // Each pass explores another form, until none is left.
    while known.borrow().visited.len() != before {
        before = known.borrow().visited.len();
        for _ in 0..20 {
            let asked = Asked { known: &known, field: "", of: ("", "") };
            Scene::deserialize(asked).unwrap();
        }
    }
    known.into_inner()
}

#[test]
fn every_field_and_form_that_is_read_is_described_and_no_other() {
    let known = known();
    let types = format::types();
    let names = |fields: &[format::Field]| fields.iter().map(|f| f.name).collect::<BTreeSet<_>>();
    // The kinds of joints are structs of their own, described as forms; settings and their choices are in the list of
    // settings.
    let kinds: BTreeMap<_, _> = (types.iter().find(|t| t.name == "JointKind").unwrap().forms.iter())
        .map(|form| (form.name, names(&form.fields)))
        .collect();
    let settings: BTreeSet<_> = LIST.iter().filter_map(|s| s.name.split('.').next()).collect();
    assert!(known.structs.len() > 30 && known.enums.len() > 8, "the types were gone through");
    for (name, fields) in &known.structs {
        if let Some(described) = kinds.get(name) {
            assert_eq!(fields, described, "JointKind::{name}");
        } else if *name == "SettingsPatch" {
            // `preset` is described beside the groups.
            let groups: BTreeSet<_> = fields.iter().copied().filter(|field| *field != "preset").collect();
            assert_eq!(groups, settings);
        } else if let Some(group) = name.strip_suffix("Patch") {
            let prefix = |s: &&str| s.replace('_', "").eq_ignore_ascii_case(group);
            let group = settings.iter().find(|s| prefix(s)).unwrap_or_else(|| panic!("no group of settings is {name}"));
            let listed = LIST.iter().filter_map(|s| s.name.strip_prefix(group)?.strip_prefix('.'));
            assert_eq!(*fields, listed.collect::<BTreeSet<_>>(), "{name}");
        } else {
            let described = types.iter().find(|t| t.name == *name).unwrap_or_else(|| panic!("{name} is not described"));
            assert_eq!(*fields, names(&described.fields), "{name}");
        }
    }
    for (name, forms) in &known.enums {
        let Some(described) = types.iter().find(|t| t.name == *name) else {
            // One of a setting's choices.
            let choices = LIST.iter().any(|s| {
                matches!(s.domain, delassus_physics::setting::Domain::Choice(list)
                if list.names.iter().copied().collect::<BTreeSet<_>>() == *forms)
            });
            assert!(choices, "{name} is not described");
            continue;
        };
        assert_eq!(*forms, described.forms.iter().map(|f| f.name).collect(), "{name}");
        for form in &described.forms {
            if let Some(fields) = known.forms.get(&(name, form.name)) {
                assert_eq!(*fields, names(&form.fields), "{name}::{}", form.name);
            }
        }
    }
    // Nothing is described that is not read; rotations and angles are read from their own text.
    for described in types.iter().filter(|t| !matches!(t.name, "Rotation" | "Angle")) {
        let is = known.structs.contains_key(described.name) || known.enums.contains_key(described.name);
        assert!(is, "{} is described, but nothing reads it", described.name);
    }
    for text in ["0.5", "Degrees(45)"] {
        assert!(
            scene("angular_velocity: (0, 0, 0)", &format!("rotation: AxisAngle(axis: (0, 0, 1), angle: {text})"))
                .is_ok()
        );
        assert!(
            scene("angular_velocity: (0, 0, 0)", &format!("rotation: Euler(x: {text}, y: {text}, z: {text})")).is_ok()
        );
    }
}

/// A scene with one body, which has two additional fields.
fn scene(one: &str, two: &str) -> Result<(), String> {
    let text = format!("(version: 1, title: \"t\", bodies: [(name: \"a\", shape: Sphere(radius: 1), {one}, {two})])");
    scene::read_str(&text, "s.ron").map(|_| ()).map_err(|m| m[0].to_string())
}

/// The ranges in the reference are right: a value at the bound is accepted, one beyond it is refused.
#[test]
fn ranges_are_as_described() {
    let text = r#"(version: 1, title: "t", materials: [(name: "m")],
        bodies: [(name: "a", shape: Sphere(radius: 1), mass: 1), (name: "k", shape: Capsule(radius: 1, half_length: 1),
            motion: Kinematic, mover: Sinusoid(rate: 1)), (name: "c", shape: Box(half: (1, 1, 1)))],
        patterns: [Stack(name: "s", body: (shape: Sphere(radius: 1)), count: 2, spacing: (0, 0, 3)),
            Chain(name: "n", body: (shape: Sphere(radius: 1)), count: 2, spacing: (0, 0, 3), joint: (kind: BallSocket))],
        joints: [(name: "spring", b: "a", anchor_a: (0, 0, 9), kind: Spring(length: 1)), (name: "hinge", b: "c",
            anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(motor: (speed: 1), spring: (hertz: 1, damping_ratio: 1)))])"#;
    assert!(scene::read_str(text, "s.ron").is_ok(), "{:?}", scene::read_str(text, "s.ron").err());
    let types = format::types();
    let mut tried = 0;
    for (path, of, name) in [
        ("materials.m", "Material", "friction"),
        ("materials.m", "Material", "restitution"),
        ("materials.m", "Material", "rolling"),
        ("bodies.a", "Body", "at"),
        ("bodies.a", "Body", "mass"),
        ("bodies.a", "Body", "velocity"),
        ("bodies.a", "Body", "angular_velocity"),
        ("bodies.a", "Body", "friction"),
        ("bodies.a", "Body", "restitution"),
        ("bodies.a", "Body", "rolling"),
        ("patterns.s", "Stack", "stagger"),
        ("patterns.n.joint", "Link", "along"),
        ("joints.hinge.motor", "AngularDrive", "max_torque"),
        ("joints.hinge.spring", "AngularSpring", "hertz"),
        ("joints.hinge.spring", "AngularSpring", "damping_ratio"),
        ("joints.hinge", "Joint", "anchor"),
    ] {
        let described = types.iter().find(|t| t.name == of).unwrap();
        let field = described.fields.iter().find(|f| f.name == name).unwrap();
        let (fine, wrong) = bounds(field);
        let shown = |v: f64| if field.takes == "(x, y, z)" { format!("({v}, 0, 0)") } else { v.to_string() };
        let path = format!("{path}.{name}");
        for v in fine {
            let set = assign::assign(text, "s.ron", &path, &shown(v));
            assert!(set.is_ok(), "{path}, {}: {v} is refused: {set:?}", field.range);
        }
        for v in wrong {
            assert!(assign::assign(text, "s.ron", &path, &shown(v)).is_err(), "{path}, {}: {v} is taken", field.range);
        }
        tried += 1;
    }
    assert_eq!(tried, 16);
}

/// Values at the bounds that a range names, and values beyond them.
fn bounds(field: &format::Field) -> (Vec<f64>, Vec<f64>) {
    let range = field.range.as_str();
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{range}: `{text}`"));
    if let Some(most) = range.split("within ±").nth(1) {
        let most = number(most);
        (vec![most, -most, 0.0], vec![most * 1.01, -most * 1.01, f64::INFINITY])
    } else if let Some(rest) = range.strip_prefix("above 0; of a dynamic body ") {
        let (least, most) = rest.split_once(" to ").unwrap();
        (vec![number(least), number(most)], vec![0.0, number(least) * 0.9, number(most) * 1.1])
    } else if range == "0 and more" {
        (vec![0.0, 1e9], vec![-1.0, f64::INFINITY])
    } else {
        let (least, most) = range.split_once(" to ").unwrap();
        (vec![number(least), number(most)], vec![number(least) - 0.01, number(most) * 1.01])
    }
}
