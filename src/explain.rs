//! A report as text for a person: what `schema-residual adapt` prints.

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use crate::adapt::{Change, Differential, Divergence, Evidence, Report, Verdict};

/// Of a witness that is longer than this many characters only the beginning is shown.
const LONGEST_WITNESS: usize = 240;

/// The report as text for a person. [`Report`] implements `Display` with the same text.
///
/// ```
/// use schema_residual::{AdaptOptions, adapt, explain, target};
/// use serde_json::json;
///
/// let source = json!({"type": "string", "minLength": 2});
/// let adapted = adapt(&source, target("openai.strict.legacy")?, &AdaptOptions::reporting())?;
/// let text = explain(adapted.report());
/// assert!(text.contains("1. widen: minLength at #\n"));
/// # Ok::<(), schema_residual::Error>(())
/// ```
#[must_use]
pub fn explain(report: &Report) -> String {
    report.to_string()
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "target: {}", self.target)?;
        writeln!(f, "  source: {}", self.source_url)?;
        writeln!(f, "  version: {}; last seen {}", self.source_version, self.captured_at)?;
        writeln!(f, "verdict: {}", verdict(self.verdict, &self.differential))?;
        if !self.divergences.is_empty() {
            writeln!(f, "\ndivergences: {}", self.divergences.len())?;
            for (index, divergence) in self.divergences.iter().enumerate() {
                write_divergence(f, index + 1, divergence, &self.source_url)?;
            }
        }
        let told = |change: &&Change| {
            let same = |told: &Divergence| told.pointer == change.pointer && told.keyword == change.keyword;
            self.divergences.iter().any(same)
                || self
                    .redundant
                    .iter()
                    .any(|told| (&told.pointer, &told.keyword) == (&change.pointer, &change.keyword))
        };
        // What is told above is not told again.
        write_changes(f, "removed as well", self.removed.iter().filter(|change| !told(change)))?;
        write_changes(f, "rewritten", self.rewritten.iter().filter(|change| !told(change)))?;
        write_changes(f, "removed, and implied by the rest", self.redundant.iter())?;
        if !self.warnings.is_empty() {
            writeln!(f, "\nwarnings: {}", self.warnings.len())?;
            for warning in &self.warnings {
                writeln!(f, "  {warning}")?;
            }
        }
        let Differential { checked, agreed, widened, narrowed, .. } = self.differential;
        writeln!(
            f,
            "\ndifferential: {checked} checked, {agreed} agreed, {widened} widened, {narrowed} narrowed"
        )
    }
}

fn verdict(verdict: Verdict, differential: &Differential) -> String {
    match verdict {
        Verdict::Proved => "equivalent: proved".to_owned(),
        Verdict::NoneFound => format!("no difference found ({})", instances(differential.checked)),
        Verdict::Widened => "widened: instances are accepted that the source rejects".to_owned(),
        Verdict::Narrowed => "narrowed: instances are rejected that the source accepts".to_owned(),
        Verdict::Both => "both widened and narrowed".to_owned(),
    }
}

fn instances(count: usize) -> String {
    if count == 1 { "1 instance checked".to_owned() } else { format!("{count} instances checked") }
}

/// The source is named where it is another than the one at the top of the report.
fn write_divergence(
    f: &mut Formatter<'_>,
    number: usize,
    divergence: &Divergence,
    main_source: &str,
) -> fmt::Result {
    let Divergence { pointer, keyword, effect, reason, .. } = divergence;
    let documented =
        if divergence.documented { "the vendor's text says so" } else { "not in the vendor's text" };
    let undone = if divergence.undone_by_guard { "the guard undoes it" } else { "the guard cannot undo it" };
    writeln!(f, "  {number}. {effect}: {keyword} at {pointer}")?;
    writeln!(f, "     {reason}")?;
    writeln!(f, "     {documented}; {undone}")?;
    if !divergence.source.starts_with(main_source) {
        writeln!(f, "     source: {}", divergence.source)?;
    }
    match (&divergence.witness, divergence.evidence) {
        (Some(witness), _) => writeln!(f, "     witness: {}", cut(witness)),
        (None, Evidence::Proof) => writeln!(
            f,
            "     no value violates it alone; one that violates other lost keywords too is accepted"
        ),
        (None, _) => {
            writeln!(f, "     no witness: none was found among the candidates, and none is excluded")
        }
    }
}

/// The witness as compact JSON. Cut, it is no JSON any more, so the mark says that it is.
fn cut(witness: &Value) -> String {
    let text = witness.to_string();
    match text.char_indices().nth(LONGEST_WITNESS) {
        None => text,
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{start} … (cut; {} characters in all)", text.chars().count())
        }
    }
}

/// Each change is one line; the same change at several places is one line too.
fn write_changes<'a>(
    f: &mut Formatter<'_>,
    heading: &str,
    changes: impl Iterator<Item = &'a Change>,
) -> fmt::Result {
    let mut groups: Vec<(&Change, Vec<&str>)> = Vec::new();
    for change in changes {
        let same = |first: &Change| first.keyword == change.keyword && first.reason == change.reason;
        match groups.iter_mut().find(|(first, _)| same(first)) {
            Some((_, pointers)) => pointers.push(&change.pointer),
            None => groups.push((change, vec![&change.pointer])),
        }
    }
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{heading}: {}", groups.iter().map(|(_, pointers)| pointers.len()).sum::<usize>())?;
    for (Change { keyword, reason, .. }, pointers) in groups {
        let first = pointers.first().copied().unwrap_or_default();
        match pointers.len() - 1 {
            0 => writeln!(f, "  {keyword} at {first}: {reason}")?,
            1 => writeln!(f, "  {keyword} at {first} and 1 other place: {reason}")?,
            more => writeln!(f, "  {keyword} at {first} and {more} other places: {reason}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::adapt::Effect;

    const MAIN_SOURCE: &str = "https://example.com/guide (2026-01-02)";

    fn divergence(keyword: &str, effect: Effect, evidence: Evidence, witness: Option<Value>) -> Divergence {
        Divergence {
            pointer: "#/properties/a".to_owned(),
            keyword: keyword.to_owned(),
            effect,
            evidence,
            documented: effect == Effect::Widen,
            source: if effect == Effect::Widen {
                MAIN_SOURCE
            } else {
                "https://example.com/report (2026-01)"
            }
            .to_owned(),
            undone_by_guard: effect == Effect::Widen,
            reason: format!("`{keyword}` is rejected"),
            witness,
        }
    }

    fn change(pointer: &str, keyword: &str) -> Change {
        Change {
            pointer: pointer.to_owned(),
            keyword: keyword.to_owned(),
            rule: "drop",
            effect: crate::adapt::RuleEffect::Exact,
            reason: "the target rejects it".to_owned(),
            documented: true,
            source: MAIN_SOURCE.to_owned(),
        }
    }

    fn report() -> Report {
        Report {
            target: "example.strict".to_owned(),
            source_url: "https://example.com/guide".to_owned(),
            source_version: "v1".to_owned(),
            captured_at: "2026-01-02".to_owned(),
            removed: vec![
                change("#/properties/a", "pattern"),
                change("#/properties/b", "pattern"),
                change("#/properties/c", "pattern"),
                change("#", "title"),
            ],
            rewritten: vec![change("#", "oneOf")],
            redundant: vec![change("#/properties/d", "minLength")],
            warnings: vec!["101 properties; the target takes 100".to_owned()],
            divergences: vec![
                divergence("pattern", Effect::Widen, Evidence::Witness, Some(json!({"a": "é"}))),
                divergence("enum", Effect::Narrow, Evidence::Proof, None),
                divergence("not", Effect::Unrepresentable, Evidence::Keyword, None),
            ],
            differential: Differential {
                checked: 3,
                agreed: 1,
                widened: 1,
                narrowed: 1,
                widened_witnesses: Vec::new(),
                narrowed_witnesses: Vec::new(),
                ..Differential::default()
            },
            equivalent: false,
            verdict: Verdict::Both,
        }
    }

    #[test]
    fn a_whole_report() {
        let expected = "\
target: example.strict
  source: https://example.com/guide
  version: v1; last seen 2026-01-02
verdict: both widened and narrowed

divergences: 3
  1. widen: pattern at #/properties/a
     `pattern` is rejected
     the vendor's text says so; the guard undoes it
     witness: {\"a\":\"é\"}
  2. narrow: enum at #/properties/a
     `enum` is rejected
     not in the vendor's text; the guard cannot undo it
     source: https://example.com/report (2026-01)
     no value violates it alone; one that violates other lost keywords too is accepted
  3. unrepresentable: not at #/properties/a
     `not` is rejected
     not in the vendor's text; the guard cannot undo it
     source: https://example.com/report (2026-01)
     no witness: none was found among the candidates, and none is excluded

removed as well: 3
  pattern at #/properties/b and 1 other place: the target rejects it
  title at #: the target rejects it

rewritten: 1
  oneOf at #: the target rejects it

removed, and implied by the rest: 1
  minLength at #/properties/d: the target rejects it

warnings: 1
  101 properties; the target takes 100

differential: 3 checked, 1 agreed, 1 widened, 1 narrowed
";
        assert_eq!(explain(&report()), expected);
    }

    #[test]
    fn verdicts_say_what_kind_they_are() {
        let differential = Differential { checked: 1, ..Differential::default() };
        assert_eq!(verdict(Verdict::Proved, &differential), "equivalent: proved");
        assert_eq!(verdict(Verdict::NoneFound, &differential), "no difference found (1 instance checked)");
    }

    #[test]
    fn a_long_witness_is_cut_between_characters() {
        let text = cut(&json!("é".repeat(500)));
        assert_eq!(text, format!("\"{} … (cut; 502 characters in all)", "é".repeat(239)));
        assert_eq!(cut(&json!(["short"])), "[\"short\"]");
    }

    #[test]
    fn field_names_are_stable() {
        let json = serde_json::to_value(report()).unwrap();
        let names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "target",
                "source_url",
                "source_version",
                "captured_at",
                "removed",
                "rewritten",
                "redundant",
                "warnings",
                "divergences",
                "differential",
                "equivalent",
                "verdict"
            ]
        );
        assert_eq!(
            json["divergences"][0],
            json!({
                "pointer": "#/properties/a",
                "keyword": "pattern",
                "effect": "widen",
                "evidence": "witness",
                "documented": true,
                "source": "https://example.com/guide (2026-01-02)",
                "undone_by_guard": true,
                "reason": "`pattern` is rejected",
                "witness": {"a": "é"}
            })
        );
        assert_eq!(json["verdict"], "both");
        assert_eq!(json["rewritten"][0]["keyword"], "oneOf");
    }
}
