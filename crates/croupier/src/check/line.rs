//! A line of a vector file: read strictly, compared field by field.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::{Code, Fault, LINE_FINDINGS_MAX};

/// Reads a line: one JSON object in which no name stands twice.
pub(super) fn parse(text: &str) -> Result<Value, Fault> {
    let mut twice = None;
    let mut json = serde_json::Deserializer::from_str(text);
    let value = Strict { twice: &mut twice }.deserialize(&mut json);
    let value = value.and_then(|value| json.end().map(|()| value));
    if let Some(name) = twice {
        let once = json!("every name once");
        return Err(Fault::new(Code::DuplicateKey, "", once, Value::String(name)));
    }
    match value {
        Ok(value) if value.is_object() => Ok(value),
        Ok(value) => Err(Fault::new(Code::NotAnObject, "", json!("an object"), value)),
        Err(why) => {
            let why = json!(why.to_string());
            Err(Fault::new(Code::NotJson, "", json!("a JSON object"), why))
        }
    }
}

/// Reads a value and remembers the first name that an object has twice.
struct Strict<'a> {
    twice: &'a mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Strict { twice: &mut *self.twice })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(Strict { twice: &mut *self.twice })?;
            if map.contains_key(&name) {
                self.twice.get_or_insert(name);
                return Err(A::Error::custom("a name used twice"));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

/// One step further on the path to a field.
pub(super) fn step(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A field of an object.
pub(super) fn field<'a>(line: &'a Value, path: &str, name: &str) -> Result<&'a Value, Fault> {
    line.get(name).ok_or_else(|| {
        Fault::new(Code::MissingField, step(path, name), json!("a value"), Value::Null)
    })
}

/// A field that holds a text.
pub(super) fn text<'a>(line: &'a Value, path: &str, name: &str) -> Result<&'a str, Fault> {
    let value = field(line, path, name)?;
    value.as_str().ok_or_else(|| wrong_type(step(path, name), "a text", value))
}

/// A field that holds a list.
pub(super) fn list<'a>(line: &'a Value, path: &str, name: &str) -> Result<&'a [Value], Fault> {
    let value = field(line, path, name)?;
    let list = value.as_array().map(Vec::as_slice);
    list.ok_or_else(|| wrong_type(step(path, name), "a list", value))
}

/// The fault of a value of another type.
pub(super) fn wrong_type(field: String, expected: &str, got: &Value) -> Fault {
    Fault::new(Code::WrongType, field, json!(expected), got.clone())
}

/// Every difference between what a line says at `path` and what was computed, down to single
/// values; [`LINE_FINDINGS_MAX`] at most.
pub(super) fn differences(path: &str, said: &Value, computed: &Value) -> Vec<Fault> {
    let mut found = Vec::new();
    compare(path, said, computed, &mut found);
    found
}

fn compare(path: &str, said: &Value, computed: &Value, found: &mut Vec<Fault>) {
    if found.len() >= LINE_FINDINGS_MAX || said == computed {
        return;
    }
    let found_here = |code: Code| Fault::new(code, path.to_owned(), said.clone(), computed.clone());
    match (said, computed) {
        (Value::Object(left), Value::Object(right)) => {
            compare_objects(path, left, right, found);
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (place, (left, right)) in left.iter().zip(right).enumerate() {
                compare(&format!("{path}/{place}"), left, right, found);
            }
        }
        (left, right) if is_same_type(left, right) => found.push(found_here(Code::Mismatch)),
        _ => found.push(found_here(Code::WrongType)),
    }
}

fn compare_objects(
    path: &str,
    left: &Map<String, Value>,
    right: &Map<String, Value>,
    found: &mut Vec<Fault>,
) {
    let more = right.keys().filter(|name| !left.contains_key(*name));
    for name in left.keys().chain(more) {
        if found.len() >= LINE_FINDINGS_MAX {
            return;
        }
        let path = step(path, name);
        match (left.get(name), right.get(name)) {
            (Some(left), Some(right)) => compare(&path, left, right, found),
            (Some(left), None) => {
                found.push(Fault::new(Code::UnknownField, path, left.clone(), Value::Null));
            }
            (None, right) => {
                let right = right.cloned().unwrap_or_default();
                found.push(Fault::new(Code::MissingField, path, Value::Null, right));
            }
        }
    }
}

/// True if two values differ in their value only; null stands for a value of any type.
fn is_same_type(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => true,
        (Value::Number(left), Value::Number(right)) => left.is_f64() == right.is_f64(),
        (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}
