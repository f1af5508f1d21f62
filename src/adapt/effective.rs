//! What a target makes of a schema, written as plain draft 2020-12.

use serde_json::Value;

use super::support::enforces;
use crate::schema::{Document, Schema};
use crate::target::{Absent, OneOf, Target};
use crate::vocabulary::{Keyword, Types};

/// The document as the target enforces it: what it ignores is gone, what it reads differently is written
/// the way it reads it.
pub(crate) fn effective(document: &Document, target: &Target) -> Document {
    document.map(|sent| schema(sent, target))
}

fn schema(sent: &Schema, target: &Target) -> Schema {
    let mut effective = Schema::always(sent.origin);
    for (keyword, part) in sent.keywords() {
        let is_enforced = keyword.constrains() && (sent.is_never() || enforces(target, sent, *keyword));
        let read = match keyword {
            Keyword::OneOf if target.semantics().one_of == OneOf::AnyOf => Keyword::AnyOf,
            _ if !is_enforced => continue,
            keyword => *keyword,
        };
        effective.set(read, part.map(|inner| schema(inner, target)));
    }
    if !target.semantics().enum_casing {
        loosen_casing(&mut effective);
    }
    if is_closed_by_silence(sent, target) {
        effective.set(Keyword::AdditionalProperties, Schema::never(sent.origin));
    }
    effective
}

/// Listed strings come out in any case.
fn loosen_casing(schema: &mut Schema) {
    let is_cased = |text: &str| text.chars().any(|letter| other_cases(letter).next().is_some());
    let listed = schema.literals().unwrap_or_default();
    if !listed.iter().filter_map(|value| value.as_str()).any(is_cased) {
        return;
    }
    let texts: Vec<String> = listed.iter().filter_map(|value| value.as_str()).map(in_any_case).collect();
    let others: Value =
        listed.iter().filter(|value| !value.is_string()).map(|value| (*value).clone()).collect();
    let origin = schema.origin;
    let texts = Schema::of_types(origin, Types::STRING)
        .with(Keyword::Pattern, Value::from(format!("^(?:{})$", texts.join("|"))));
    let mut members = vec![texts];
    if others.as_array().is_some_and(|others| !others.is_empty()) {
        members.push(Schema::always(origin).with(Keyword::Enum, others));
    }
    schema.remove(Keyword::Enum);
    schema.remove(Keyword::Const);
    schema.also(Schema::always(origin).with(Keyword::AnyOf, members));
}

/// A pattern for the text with every letter in either case.
fn in_any_case(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        let mut others = other_cases(letter).peekable();
        if others.peek().is_none() {
            pattern.push_str(&regex_syntax::escape(letter.encode_utf8(&mut [0; 4])));
        } else {
            pattern.push('[');
            pattern.extend(std::iter::once(letter).chain(others));
            pattern.push(']');
        }
    }
    pattern
}

/// The letter in its other cases, where those are one character.
fn other_cases(letter: char) -> impl Iterator<Item = char> {
    fn only(mut letters: impl Iterator<Item = char>) -> Option<char> {
        letters.next().filter(|_| letters.next().is_none())
    }
    let cases = [only(letter.to_lowercase()), only(letter.to_uppercase())];
    cases.into_iter().flatten().filter(move |other| *other != letter)
}

/// Whether the target reads the absence of `additionalProperties` as `false` here.
fn is_closed_by_silence(sent: &Schema, target: &Target) -> bool {
    let object = sent.has(Keyword::Type) && sent.types().contains(Types::OBJECT);
    let declared = sent.has(Keyword::Properties);
    !sent.has(Keyword::AdditionalProperties)
        && match target.semantics().absent_additional_properties {
            Absent::Open | Absent::Unstated => false,
            Absent::Closed => object || declared,
            Absent::ClosedBesideProperties => declared,
        }
}
