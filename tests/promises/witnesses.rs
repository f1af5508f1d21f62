//! Every witness is genuine, and isolates the keyword that it is given for.

use jsonschema::Validator;
use schema_residual::{AdaptOptions, Divergence, Effect, Evidence, Finding, Report, Verdict, adapt};
use serde_json::Value;

use crate::material::{Case, data, every, maskbench, mcp_tools, suite};
use crate::support::{made, oracle, targets_for};

#[derive(Default)]
struct Counted {
    divergences: usize,
    witnesses: usize,
    isolated_in_the_source: usize,
    put_back: usize,
    reports: usize,
    /// Reports whose verdict is a proof or has an instance that shows it.
    definite: usize,
    excluded: usize,
    failures: Vec<String>,
}

#[test]
fn witnesses_are_genuine_and_isolate_their_keyword() {
    let Some(data) = data() else { return };
    let mut cases = suite(&data);
    cases.extend(mcp_tools(&data));
    // Each twelfth keeps the test short; the guarantees look at all of them.
    cases.extend(maskbench(&data).into_iter().step_by(every(12)));
    let mut counted = Counted::default();
    for (index, case) in cases.iter().enumerate() {
        check(case, index, &mut counted);
    }
    println!(
        "{} divergences, {} witnesses, {} isolated in the source, {} put back into the conversion, {} failures",
        counted.divergences,
        counted.witnesses,
        counted.isolated_in_the_source,
        counted.put_back,
        counted.failures.len()
    );
    println!(
        "{} of {} verdicts are definite, {} directions excluded",
        counted.definite, counted.reports, counted.excluded
    );
    for failure in counted.failures.iter().take(20) {
        println!("  {failure}");
    }
    assert!(counted.failures.is_empty(), "{} failures", counted.failures.len());
    assert!(counted.put_back > 0 && counted.isolated_in_the_source > 0, "nothing was checked");
    assert!(counted.excluded > 0 && counted.definite * 100 >= counted.reports * 99, "too many open verdicts");
}

fn check(case: &Case, index: usize, counted: &mut Counted) {
    let Some(source) = oracle(&case.schema) else { return };
    for target in targets_for(index) {
        let Ok(adapted) = adapt(&case.schema, target, &AdaptOptions::reporting()) else { continue };
        let projection_schema = adapted.effective_projection();
        let projection = made(&projection_schema);
        excluded(case, adapted.report(), &source, &projection, counted);
        for divergence in &adapted.report().divergences {
            counted.divergences += 1;
            assert_eq!(divergence.witness.is_some(), divergence.evidence == Evidence::Witness);
            let Some(witness) = &divergence.witness else { continue };
            counted.witnesses += 1;
            let widens = divergence.effect == Effect::Widen;
            if source.is_valid(witness) == widens || projection.is_valid(witness) != widens {
                counted.failures.push(format!(
                    "not genuine: {} @ {}: {divergence:?}",
                    case.name,
                    target.id()
                ));
            }
            if widens {
                isolates(case, adapted.report(), divergence, witness, counted);
                if !is_in_a_lost_union(adapted.report(), divergence) {
                    put_back(case, divergence, witness, &projection_schema, counted);
                }
            }
        }
    }
}

/// What a report excludes does not happen on any instance that there is for the schema.
fn excluded(case: &Case, report: &Report, source: &Validator, projection: &Validator, counted: &mut Counted) {
    counted.reports += 1;
    counted.definite += usize::from(report.verdict != Verdict::NoneFound);
    let seen = report.divergences.iter().filter_map(|divergence| divergence.witness.as_ref());
    let differential = &report.differential;
    let instances = case.instances.iter().chain(seen);
    let sorted =
        instances.map(|instance| (instance, source.is_valid(instance), projection.is_valid(instance)));
    for (instance, in_source, in_projection) in sorted {
        let widens = differential.widening == Finding::Excluded && in_projection && !in_source;
        let narrows = differential.narrowing == Finding::Excluded && in_source && !in_projection;
        if widens || narrows {
            counted
                .failures
                .push(format!("excluded, and yet: {} @ {}: {instance}", case.name, report.target));
        }
    }
    let findings = [&differential.widening, &differential.narrowing];
    counted.excluded += findings.into_iter().filter(|finding| **finding == Finding::Excluded).count();
}

/// Without the keyword, and without what the rest of the source implies, the source accepts the witness.
fn isolates(case: &Case, report: &Report, divergence: &Divergence, witness: &Value, counted: &mut Counted) {
    let mut without = case.schema.clone();
    if !remove(&mut without, &divergence.pointer, &divergence.keyword) {
        return;
    }
    for redundant in &report.redundant {
        remove(&mut without, &redundant.pointer, &redundant.keyword);
    }
    // Taking away a place that something refers to leaves no schema to ask.
    let Some(without) = oracle(&without) else { return };
    counted.isolated_in_the_source += 1;
    if !without.is_valid(witness) {
        counted.failures.push(format!("not isolated: {}: {divergence:?}", case.name));
    }
}

fn remove(schema: &mut Value, pointer: &str, keyword: &str) -> bool {
    let Some(Value::Object(object)) = schema.pointer_mut(pointer.trim_start_matches('#')) else {
        return false;
    };
    let along: &[&str] = match keyword {
        "contains" => &["minContains", "maxContains"],
        "if" => &["then", "else"],
        // The bound and the flag that draft 04 makes exclusive are one constraint.
        "minimum" => &["exclusiveMinimum"],
        "maximum" => &["exclusiveMaximum"],
        _ => &[],
    };
    let flag = |name: &str, object: &serde_json::Map<String, Value>| {
        !name.starts_with("exclusive") || object.get(name).is_some_and(Value::is_boolean)
    };
    for name in along {
        if flag(name, object) {
            object.shift_remove(*name);
        }
    }
    object.shift_remove(keyword).is_some()
}

/// Whether the report has a loss of a union around the keyword: then another branch lets the witness pass, as long as
/// only this keyword is put back.
fn is_in_a_lost_union(report: &Report, divergence: &Divergence) -> bool {
    let unions = report.divergences.iter().filter(|other| other.effect == Effect::Widen);
    let mut around = unions.map(|union| format!("{}/{}/", union.pointer, union.keyword));
    around.any(|around| format!("{}/", divergence.pointer).starts_with(&around))
}

/// With just the keyword put back, where the conversion has the same place, it rejects the witness.
fn put_back(
    case: &Case,
    divergence: &Divergence,
    witness: &Value,
    projection: &Value,
    counted: &mut Counted,
) {
    let pointer = divergence.pointer.trim_start_matches('#');
    let Some(part) = case.schema.pointer(pointer).and_then(|schema| schema.get(&divergence.keyword)) else {
        return;
    };
    let plain = matches!(
        divergence.keyword.as_str(),
        "minLength"
            | "maxLength"
            | "pattern"
            | "format"
            | "multipleOf"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
    );
    // A place that references lead to again is several places where they are written out.
    let refers = |schema: &Value| schema.to_string().contains("\"$ref\"");
    if refers(&case.schema) && !refers(projection) {
        return;
    }
    let mut with = projection.clone();
    match with.pointer_mut(pointer) {
        Some(Value::Object(object)) if plain && !object.contains_key("$ref") => {
            object.insert(divergence.keyword.clone(), part.clone());
        }
        _ => return,
    }
    counted.put_back += 1;
    if made(&with).is_valid(witness) {
        counted.failures.push(format!("putting it back changes nothing: {}: {divergence:?}", case.name));
    }
}
