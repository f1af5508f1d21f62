//! Two schemas that nobody converted: is the one contained in the other? Definite answers are right, and
//! there are enough of them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use schema_residual::{Finding, candidates, differential};
use serde_json::{Value, json};

use crate::containment::in_one_dialect;
use crate::support::{data, oracle, read_lines};

#[derive(Default)]
struct Counted {
    rows: usize,
    decided: usize,
    open: Vec<String>,
}

#[derive(Default)]
struct Totals {
    /// By kind of row.
    counted: BTreeMap<String, Counted>,
    left_out: Vec<String>,
    wrong: Vec<String>,
}

/// Rows of the kind `general` that were not written for the prover that this library asks are the measure;
/// the others are held to the same correctness.
#[test]
fn definite_verdicts_on_containment_are_right_and_most_are_definite() {
    let Some(data) = data() else { return };
    let rows = read_lines(&data.join("containment.jsonl"));
    let totals = on_two_threads(&rows);
    for (kind, counted) in &totals.counted {
        println!("{kind}: {} of {} decided", counted.decided, counted.rows);
        for open in &counted.open {
            println!("  open: {open}");
        }
    }
    println!("left out: {}", totals.left_out.join(", "));
    for wrong in &totals.wrong {
        println!("WRONG: {wrong}");
    }
    assert!(totals.wrong.is_empty(), "{} wrong verdicts", totals.wrong.len());
    let measure = &totals.counted["general"];
    assert!(measure.rows > 100, "{} rows are too few", measure.rows);
    assert!(measure.decided * 100 >= measure.rows * 96, "{} of {} decided", measure.decided, measure.rows);
}

fn on_two_threads(rows: &[Value]) -> Totals {
    let totals = Mutex::new(Totals::default());
    std::thread::scope(|scope| {
        for start in 0..2 {
            let totals = &totals;
            scope.spawn(move || {
                for row in rows.iter().skip(start).step_by(2) {
                    check(row, totals);
                }
            });
        }
    });
    let mut totals = totals.into_inner().expect("no panic");
    totals.wrong.sort();
    totals.left_out.sort();
    totals.counted.values_mut().for_each(|counted| counted.open.sort());
    totals
}

fn check(row: &Value, totals: &Mutex<Totals>) {
    let name = row["id"].as_str().expect("a name").to_owned();
    let (sub, sup) = (in_one_dialect(&row["sub"], &row["sup"]), in_one_dialect(&row["sup"], &row["sub"]));
    let leave_out = || totals.lock().expect("no panic").left_out.push(name.clone());
    let (Some(sub_oracle), Some(sup_oracle)) = (oracle(&sub), oracle(&sup)) else { return leave_out() };
    let published = row["sub_in_sup"].as_bool().expect("a verdict");
    let corpus: Vec<Value> = vec![json!(null), json!({}), json!([]), json!("")];
    let Ok(result) = differential(&sup, &sub, &corpus) else { return leave_out() };
    let (decided, wrong) = match &result.widening {
        // The instance is the proof, whatever was published: some rows take `format` as an annotation.
        Finding::Instance(instance) => {
            (true, !sub_oracle.is_valid(instance) || sup_oracle.is_valid(instance))
        }
        Finding::Excluded => {
            // A published counterexample counts as far as the validators agree that it is one.
            let shown = |witness: &Value| sub_oracle.is_valid(witness) && !sup_oracle.is_valid(witness);
            let unsupported = !published && row.get("witness").is_none();
            let made = candidates(&sup, &sub).expect("candidates");
            (true, unsupported || row.get("witness").is_some_and(shown) || made.iter().any(shown))
        }
        _ => (false, false),
    };
    let own = row["source"].as_str().expect("a source").starts_with("Stranger6667/jsonschema");
    let kind = row["kind"].as_str().expect("a kind");
    let kind = if own { format!("{kind} (of the prover itself)") } else { kind.to_owned() };
    let mut totals = totals.lock().expect("no panic");
    if wrong {
        totals.wrong.push(format!("{name}: published {published}, found {:?}", result.widening));
    }
    let counted = totals.counted.entry(kind).or_default();
    counted.rows += 1;
    counted.decided += usize::from(decided);
    if !decided {
        counted.open.push(format!("{name}, published {published}"));
    }
}
