//! Two schemas that nobody converted: is the one contained in the other? Definite answers are right, and
//! there are enough of them.

use std::collections::BTreeMap;

use schema_residual::{Finding, candidates, differential};
use serde_json::{Value, json};

use crate::containment::in_one_dialect;
use crate::material::{data, read_lines};
use crate::parallel::on_all_cores;
use crate::support::oracle;

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
    let mut totals = Totals::default();
    for outcome in on_all_cores(&rows, outcome) {
        totals.add(outcome);
    }
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

/// What came of one row.
struct Outcome {
    name: String,
    kind: String,
    published: bool,
    /// `None` where one of the schemas is refused.
    finding: Option<Finding>,
    /// Whether the finding is definite and does not hold.
    wrong: bool,
}

impl Totals {
    fn add(&mut self, outcome: Outcome) {
        let Outcome { name, kind, published, finding, wrong } = outcome;
        let Some(finding) = finding else { return self.left_out.push(name) };
        let counted = self.counted.entry(kind).or_default();
        counted.rows += 1;
        match finding {
            _ if wrong => self.wrong.push(format!("{name}: published {published}, found {finding:?}")),
            Finding::Instance(_) | Finding::Excluded => {}
            _ => counted.open.push(format!("{name}, published {published}")),
        }
        counted.decided = counted.rows - counted.open.len();
    }
}

fn outcome(row: &Value) -> Outcome {
    let own = row["source"].as_str().expect("a source").starts_with("Stranger6667/jsonschema");
    let kind = row["kind"].as_str().expect("a kind");
    let judged = judged(row);
    Outcome {
        name: row["id"].as_str().expect("a name").to_owned(),
        kind: if own { format!("{kind} (of the prover itself)") } else { kind.to_owned() },
        published: row["sub_in_sup"].as_bool().expect("a verdict"),
        wrong: judged.as_ref().is_some_and(|(_, wrong)| *wrong),
        finding: judged.map(|(finding, _)| finding),
    }
}

/// What is found of the row, and whether that is wrong; `None` where one of the schemas is refused.
fn judged(row: &Value) -> Option<(Finding, bool)> {
    let (sub, sup) = (in_one_dialect(&row["sub"], &row["sup"]), in_one_dialect(&row["sup"], &row["sub"]));
    let (sub_oracle, sup_oracle) = (oracle(&sub)?, oracle(&sup)?);
    let published = row["sub_in_sup"].as_bool().expect("a verdict");
    let corpus: Vec<Value> = vec![json!(null), json!({}), json!([]), json!("")];
    let result = differential(&sup, &sub, &corpus).ok()?;
    let wrong = match &result.widening {
        // The instance is the proof, whatever was published: some rows take `format` as an annotation.
        Finding::Instance(instance) => !sub_oracle.is_valid(instance) || sup_oracle.is_valid(instance),
        Finding::Excluded => {
            // A published counterexample counts as far as the validators agree that it is one.
            let shown = |witness: &Value| sub_oracle.is_valid(witness) && !sup_oracle.is_valid(witness);
            let unsupported = !published && row.get("witness").is_none();
            let made = candidates(&sup, &sub).expect("candidates");
            unsupported || row.get("witness").is_some_and(shown) || made.iter().any(shown)
        }
        _ => false,
    };
    Some((result.widening, wrong))
}
