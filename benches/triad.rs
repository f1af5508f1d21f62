//! How long the parts of the triad take: each on a tool schema of ordinary size, and the conversion on
//! schemas that grow tenfold, where the time per node shows whether it is linear.
//!
//! `cargo bench --bench triad`
// A measurement that cannot go on has failed.
#![allow(clippy::indexing_slicing, clippy::expect_used)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use schema_residual::{
    AdaptOptions, ConvertOptions, Target, adapt, candidates, convert, differential, residual, target, targets,
};
use serde_json::{Map, Value, json};

/// The parameters of a tool that opens a ticket: 22 schemas with the keywords that such schemas have.
fn tool() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 120},
            "body": {"type": "string", "description": "Markdown."},
            "priority": {"type": "string", "enum": ["low", "normal", "high"]},
            "labels": {"type": "array", "items": {"type": "string", "pattern": "^[a-z-]+$"}, "maxItems": 10},
            "due": {"type": "string", "format": "date"},
            "estimate": {"type": "number", "minimum": 0, "maximum": 100},
            "assignee": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {"id": {"type": "integer", "minimum": 1}},
                        "required": ["id"]
                    },
                    {
                        "type": "object",
                        "properties": {"email": {"type": "string", "format": "email"}},
                        "required": ["email"]
                    }
                ]
            },
            "subtasks": {"type": "array", "items": {"$ref": "#/$defs/subtask"}},
            "watchers": {"type": "array", "items": {"type": "string", "format": "email"}, "uniqueItems": true}
        },
        "required": ["title", "body", "priority"],
        "additionalProperties": false,
        "$defs": {
            "subtask": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "minLength": 1},
                    "done": {"type": "boolean"},
                    "subtasks": {"type": "array", "items": {"$ref": "#/$defs/subtask"}}
                },
                "required": ["title"],
                "additionalProperties": false
            }
        }
    })
}

/// A schema of about so many nodes: records of ten nodes each in an array of one shape.
fn grown(nodes: usize) -> Value {
    let record = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "size": {"type": "integer", "minimum": 0},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            "when": {"type": "string", "format": "date"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}
        },
        "required": ["name", "kind"],
        "additionalProperties": false
    });
    let properties: Map<String, Value> =
        (0..nodes / 10).map(|index| (format!("record{index}"), record.clone())).collect();
    json!({"type": "object", "properties": properties, "required": [], "additionalProperties": false})
}

/// The target on which the most is lost, so that there is the most to do.
fn strictest() -> Option<&'static Target> {
    target("openai.strict.legacy").ok()
}

fn the_triad(criterion: &mut Criterion) {
    let (source, Some(legacy)) = (tool(), strictest()) else { return };
    let reporting = AdaptOptions::reporting();
    let mut group = criterion.benchmark_group("tool");
    for target in targets() {
        group.bench_function(BenchmarkId::new("convert", target.id()), |bencher| {
            bencher.iter(|| convert(black_box(&source), target, &ConvertOptions::default()));
        });
        group.bench_function(BenchmarkId::new("adapt", target.id()), |bencher| {
            bencher.iter(|| adapt(black_box(&source), target, &reporting));
        });
    }
    group.bench_function("residual", |bencher| bencher.iter(|| residual(black_box(&source), legacy)));
    let Ok(adapted) = adapt(&source, legacy, &reporting) else { return };
    let converted = adapted.effective_projection();
    if let Ok(corpus) = candidates(&source, &converted) {
        group.throughput(Throughput::Elements(u64::try_from(corpus.len()).unwrap_or(u64::MAX)));
        group.bench_function("differential", |bencher| {
            bencher.iter(|| differential(black_box(&source), &converted, &corpus));
        });
    }
    group.finish();
}

fn the_guard(criterion: &mut Criterion) {
    let (source, Some(legacy)) = (tool(), strictest()) else { return };
    let guard =
        convert(&source, legacy, &ConvertOptions::default()).and_then(|conversion| conversion.guard());
    let Ok(guard) = guard else { return };
    let good = json!({
        "title": "Broken link",
        "body": "On the front page.",
        "priority": "high",
        "labels": ["web", "front-page"],
        "estimate": 2.5,
        "subtasks": [{"title": "Find it"}, {"title": "Mend it", "done": false}]
    });
    let mut bad = good.clone();
    bad["estimate"] = json!(-1);
    let (good, bad) = (guard.encode(&good).to_string(), guard.encode(&bad).to_string());
    criterion.bench_function("guard/accepts", |bencher| bencher.iter(|| guard.check_str(black_box(&good))));
    criterion.bench_function("guard/rejects", |bencher| bencher.iter(|| guard.check_str(black_box(&bad))));
}

fn growing(criterion: &mut Criterion) {
    let Some(legacy) = strictest() else { return };
    let mut group = criterion.benchmark_group("convert");
    group.sample_size(20);
    for nodes in [100_usize, 1_000, 10_000] {
        let source = grown(nodes);
        group.throughput(Throughput::Elements(u64::try_from(nodes).unwrap_or(u64::MAX)));
        group.bench_with_input(BenchmarkId::from_parameter(nodes), &source, |bencher, source| {
            bencher.iter(|| convert(black_box(source), legacy, &ConvertOptions::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, the_triad, the_guard, growing);
criterion_main!(benches);
