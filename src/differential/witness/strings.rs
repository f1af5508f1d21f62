//! Strings that meet lengths, patterns and formats together.
//!
//! Generate and test: candidates come from whatever is hardest to meet (a format's table, a pattern's syntax tree),
//! and every one is checked against everything.

use serde_json::Value;

use super::facts::{Facts, StringFacts};
use super::formats;
use super::pattern::near_misses;
use super::solve::Solver;
use super::words;

/// Strings that are made one by one.
type Texts<'t> = Box<dyn Iterator<Item = String> + 't>;

/// Longer strings are not made.
const MAX_LENGTH: u64 = 66_000;

impl<'a> Solver<'_, 'a> {
    /// Strings that meet the facts, the plainest first.
    pub(super) fn strings(&self, facts: &Facts<'a>, name: &str, limit: usize) -> Vec<Value> {
        let strings = &facts.strings;
        if strings.min > MAX_LENGTH || strings.max.is_some_and(|max| max < strings.min) {
            return Vec::new();
        }
        let mut found: Vec<Value> = Vec::new();
        let is_plain =
            strings.patterns.is_empty() && strings.formats.is_empty() && strings.not_formats.is_empty();
        let first = if is_plain { usize::MAX } else { 0 };
        let sources: [Texts<'_>; 6] = [
            Box::new(plain(strings, name).take(first)),
            Box::new(std::iter::once_with(|| self.of_formats(strings)).flatten()),
            self.of_patterns(strings),
            Box::new(std::iter::once_with(|| self.misses(strings)).flatten()),
            Box::new(plain(strings, name)),
            Box::new((0..limit.min(1_000)).map(|count| pad(&format!("a{count}"), strings))),
        ];
        for source in sources {
            for text in source {
                if found.len() >= limit || !self.spend(2) {
                    return found;
                }
                if self.string_fits(strings, &text) {
                    let value = Value::String(text);
                    if !found.contains(&value) && facts.admits(&value) {
                        found.push(value);
                    }
                }
            }
            if found.len() >= limit {
                break;
            }
        }
        found
    }

    pub(super) fn string_fits(&self, facts: &StringFacts<'a>, text: &str) -> bool {
        let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        length >= facts.min
            && facts.max.is_none_or(|max| length <= max)
            && facts.patterns.iter().all(|pattern| self.leaves.matches(pattern, text) == Some(true))
            && facts.not_patterns.iter().all(|pattern| self.leaves.matches(pattern, text) == Some(false))
            && facts.formats.iter().all(|format| self.leaves.conforms(format, text))
            && !facts.not_formats.iter().any(|format| self.leaves.conforms(format, text))
    }

    fn of_formats(&self, facts: &StringFacts<'a>) -> Vec<String> {
        let length = usize::try_from(facts.min).unwrap_or(usize::MAX);
        let mut texts: Vec<String> = Vec::new();
        for format in &facts.formats {
            texts.extend(formats::good(format).iter().map(|text| (*text).to_owned()));
            if length > 0 {
                texts.extend(formats::long(format, length));
            }
        }
        texts
    }

    fn of_patterns<'t>(&'t self, facts: &'t StringFacts<'a>) -> Texts<'t> {
        let min = usize::try_from(facts.min).unwrap_or(usize::MAX);
        let max = facts.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        let samplers = || facts.patterns.iter().filter_map(|pattern| self.leaves.sampler(pattern));
        // Unanchored patterns are met together by writing a sample of each.
        let together = move |variant: usize| {
            let parts: Vec<String> =
                samplers().filter_map(|sampler| sampler.samples(0, max, 3).nth(variant)).collect();
            ["", "-"].map(|between| pad(&parts.join(between), facts))
        };
        let variants = if facts.patterns.len() > 1 { 0..3 } else { 0..0 };
        let each = samplers().flat_map(move |sampler| {
            // An unanchored pattern matches within longer strings.
            let short = sampler.samples(min, max, 8).filter(move |text| text.chars().count() < min).take(4);
            sampler.samples(min, max, 8).chain(short.map(|text| pad(&text, facts)))
        });
        Box::new(variants.flat_map(together).chain(each))
    }

    /// Strings that are nearly right, for what must not match.
    fn misses(&self, facts: &StringFacts<'a>) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for format in &facts.not_formats {
            texts.extend(formats::bad(format).iter().map(|text| (*text).to_owned()));
            texts.extend(formats::bad(format).iter().map(|text| pad(text, facts)));
            texts.extend(formats::good(format).iter().take(2).flat_map(|text| near_misses(text)));
        }
        let min = usize::try_from(facts.min).unwrap_or(usize::MAX);
        let max = facts.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        if facts.not_patterns.is_empty() {
            return texts;
        }
        texts.extend(words::PLAIN.iter().take(2).map(|word| pad(word, facts)));
        texts.extend(self.of_formats(facts).iter().flat_map(|text| near_misses(text)));
        for pattern in facts.not_patterns.iter().chain(&facts.patterns) {
            let Some(sampler) = self.leaves.sampler(pattern) else { continue };
            for sample in sampler.samples(min, max, 2).take(3) {
                texts.extend(near_misses(&sample));
            }
        }
        texts
    }
}

/// Words, the plausible ones for this name first.
fn plain<'t>(facts: &'t StringFacts<'_>, name: &str) -> impl Iterator<Item = String> + use<'t> {
    let words = words::for_name(name).iter().chain(words::PLAIN);
    let odd: &[&str] =
        if facts.not_patterns.is_empty() && facts.not_formats.is_empty() { &[] } else { words::ODD };
    words.chain(odd).chain(&["A", "B", ""]).map(|word| pad(word, facts))
}

/// The text repeated or filled up to the least length and cut to the greatest.
fn pad(text: &str, facts: &StringFacts<'_>) -> String {
    let min = usize::try_from(facts.min).unwrap_or(usize::MAX).min(66_000);
    let max = facts.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
    let count = text.chars().count();
    let padded = match text.chars().last() {
        Some(last) if count < min => text.chars().chain(std::iter::repeat_n(last, min - count)).collect(),
        None if min > 0 => "a".repeat(min),
        _ => text.to_owned(),
    };
    if count > max { padded.chars().take(max).collect() } else { padded }
}
