//! Reading JSON that is exactly what it says: no repeated keys, of which all but the last would be lost in
//! silence, and nothing after the value.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::outcome::Failure;

/// Text with the name to be used for it in messages.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Whether this stands for standard input.
fn is_standard_input(path: Option<&Path>) -> bool {
    path.is_none_or(|path| path.as_os_str() == "-")
}

/// Refuses to read standard input twice.
pub(crate) fn at_most_one_from_standard_input(paths: &[Option<&Path>]) -> Result<(), Failure> {
    if paths.iter().filter(|path| is_standard_input(**path)).count() > 1 {
        return Err(Failure::Input("only one input can come from standard input".to_owned()));
    }
    Ok(())
}

/// The text of a file, or of standard input for `-` or no file.
pub(crate) fn read(path: Option<&Path>) -> Result<Input, Failure> {
    let (name, bytes) = match path.filter(|_| !is_standard_input(path)) {
        Some(path) => (path.display().to_string(), fs::read(path)),
        None => {
            let mut bytes = Vec::new();
            ("standard input".to_owned(), io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        }
    };
    let text = bytes.and_then(|bytes| {
        String::from_utf8(bytes)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
    });
    match text {
        Ok(text) => Ok(Input { name, text }),
        Err(error) => Err(Failure::Input(format!("{name}: cannot be read: {error}"))),
    }
}

/// The JSON in a file, with the name to be used for it in messages.
pub(crate) fn read_json(path: Option<&Path>) -> Result<(String, Value), Failure> {
    let Input { name, text } = read(path)?;
    let value = parse(&text).map_err(|error| not_json(&name, &error))?;
    Ok((name, value))
}

/// A list of instances: one JSON array, or else one instance a line.
pub(crate) fn read_corpus(path: &Path) -> Result<Vec<Value>, Failure> {
    let Input { name, text } = read(Some(path))?;
    let whole = match parse(&text) {
        Ok(Value::Array(instances)) => return Ok(instances),
        Ok(instance) => return Ok(vec![instance]),
        Err(error) => error,
    };
    let mut instances = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match parse(line) {
            Ok(instance) => instances.push(instance),
            // Not one instance a line at all.
            Err(_) if instances.is_empty() => return Err(not_json(&name, &whole)),
            Err(error) => return Err(not_json(&format!("{name}, text of line {}", index + 1), &error)),
        }
    }
    Ok(instances)
}

fn not_json(name: &str, error: &serde_json::Error) -> Failure {
    Failure::Input(format!("{name}: not JSON: {error}"))
}

fn parse(text: &str) -> Result<Value, serde_json::Error> {
    // A file may begin with a byte order mark.
    serde_json::from_str::<Exact>(text.trim_start_matches('\u{feff}')).map(|exact| exact.0)
}

/// A value whose objects have no repeated keys.
struct Exact(Value);

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Exact, D::Error> {
        deserializer.deserialize_any(ExactVisitor).map(Exact)
    }
}

struct ExactVisitor;

impl<'de> Visitor<'de> for ExactVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Exact(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        let mut seen = HashSet::new();
        while let Some(key) = access.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key {key:?} is there twice")));
            }
            let Exact(value) = access.next_value()?;
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }
}
