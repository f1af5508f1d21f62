//! A profile as text for a person: what `targets ID` prints.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;
use serde_json::Value;

use super::{State, Support, Target};
use crate::vocabulary::Keyword;

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\n", self.id, self.label)?;
        writeln!(f, "  sent as   {}", self.field)?;
        writeln!(f, "  version   {}, last seen {}", self.version, self.captured_at)?;
        for source in &self.sources {
            writeln!(f, "  source    {} ({})", source.url, source.read)?;
        }
        for note in &self.notes {
            writeln!(f, "  note      {note}")?;
        }
        for (state, heading) in [
            (State::Enforced, "Enforced: the output is constrained by these"),
            (State::Ignored, "Ignored: accepted, without effect on the output"),
            (State::Rejected, "Rejected: the request fails, or the vendor names these as not supported"),
            (State::Unmentioned, "Unmentioned: the sources are silent or contradict each other"),
        ] {
            write_keywords(f, self, state, heading)?;
        }
        write_section(f, "Structure", &self.structure)?;
        write_section(f, "Semantics", &self.semantics)?;
        write_section(f, "Limits", &self.limits)?;
        write_section(f, "Names", &self.names)
    }
}

/// Keywords with the same answer stand in one line, as they do in the vendors' own lists.
fn write_keywords(f: &mut Formatter<'_>, target: &Target, state: State, heading: &str) -> fmt::Result {
    let vocabulary = Keyword::ALL.iter().filter(|keyword| **keyword != Keyword::IntegerLiteral);
    let others = target.keywords.stated().iter().map(String::as_str);
    let names = vocabulary
        .map(|keyword| keyword.name())
        .chain(others.filter(|name| Keyword::from_name(name).is_none()));
    let mut lines: Vec<(&Support, Vec<&str>)> = Vec::new();
    for name in names {
        let support = target.support_name(name);
        match lines.iter_mut().find(|(same, _)| *same == support) {
            Some((_, line)) => line.push(name),
            None if support.state == state => lines.push((support, vec![name])),
            None => {}
        }
    }
    let by_default = target.keywords.default_support().state == state;
    if lines.is_empty() && !by_default {
        return Ok(());
    }
    writeln!(f, "\n{heading}")?;
    for (support, names) in lines {
        writeln!(f, "  {}{}", names.join(", "), marks(support))?;
        write_details(f, support)?;
    }
    if by_default {
        writeln!(f, "  and every keyword that is not listed here")?;
    }
    Ok(())
}

/// What is worth saying because it is not what the heading lets one expect.
fn marks(support: &Support) -> &'static str {
    match (support.state, support.documented, support.sent) {
        (State::Unmentioned, _, false) | (State::Enforced, true, _) | (_, true, false) => "",
        (_, true, true) => " [sent]",
        (State::Ignored | State::Unmentioned, false, true) => " [sent, not in the vendor's text]",
        (_, false, _) => " [not in the vendor's text]",
    }
}

fn write_details(f: &mut Formatter<'_>, support: &Support) -> fmt::Result {
    if !support.restriction.is_empty() {
        for (field, value) in fields(&support.restriction) {
            if value != "no" {
                writeln!(f, "      {}", sentence(&field, &value))?;
            }
        }
    }
    if let Some(note) = &support.note {
        writeln!(f, "      {note}")?;
    }
    if let Some(source) = &support.source {
        writeln!(f, "      source: {source}")?;
    }
    Ok(())
}

fn write_section(f: &mut Formatter<'_>, heading: &str, section: &impl Serialize) -> fmt::Result {
    let fields = fields(section);
    if fields.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{heading}")?;
    for (field, value) in fields {
        writeln!(f, "  {}", sentence(&field, &value))?;
    }
    Ok(())
}

/// A field and its value. Where the field's name could be taken for its opposite, other words are used.
fn sentence(field: &str, value: &str) -> String {
    let words = match field {
        "regex" => "refused in a pattern".to_owned(),
        "regex_ignored" => "skipped in a pattern".to_owned(),
        "beside" => "not beside".to_owned(),
        "not_inside" => "not enforced inside it".to_owned(),
        "outside" => "otherwise".to_owned(),
        _ => field.replace('_', " "),
    };
    format!("{words}: {value}")
}

/// The fields of a section that say something, as text; each note by itself.
fn fields(section: &impl Serialize) -> Vec<(String, String)> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(section) else { return Vec::new() };
    if fields.get("depth").is_some_and(Value::is_null) {
        // How levels are counted is of no interest where they are not limited.
        fields.shift_remove("depth_counts");
    }
    let notes = match fields.shift_remove("notes") {
        Some(Value::Array(notes)) => notes,
        _ => Vec::new(),
    };
    let notes = notes.into_iter().map(|note| ("note".to_owned(), text(&note)));
    let said = fields.into_iter().map(|(field, value)| (field, text(&value)));
    said.filter(|(_, value)| !value.is_empty()).chain(notes).collect()
}

fn text(value: &Value) -> String {
    let join = |parts: Vec<String>, separator: &str| {
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
    };
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            // Objects have commas of their own.
            let separator = if items.iter().any(Value::is_object) { "; " } else { ", " };
            join(items.iter().map(text).collect(), separator)
        }
        Value::Object(fields) => {
            let said = fields.iter().filter(|(_, value)| !text(value).is_empty());
            join(said.map(|(field, value)| sentence(field, &text(value))).collect(), ", ")
        }
    }
}
