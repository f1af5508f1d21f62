//! `diff`: two schemas, whoever made them, and the instances on which they disagree.

use std::fmt::Write as _;
use std::path::PathBuf;

use schema_residual::{Differential, Finding, Verdict, candidates, differential, residual_between};
use serde_json::Value;

use super::input::{at_most_one_from_standard_input, read_corpus, read_json};
use super::outcome::{Answer, Failure, print};

/// Compare two schemas, whoever made the second one, over a corpus of instances.
///
/// Without a corpus the instances are made from the two schemas: ones that each accepts, and ones that
/// violate what the other does not enforce.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  schema-residual diff source.json converted.json --corpus instances.json

What the corpus does not show is looked for beyond it, and proved to be the same where it can be.

Exit code 0: no difference found. 1: there are instances on which the schemas disagree.")]
pub(crate) struct Arguments {
    /// The schema that is meant; `-` for standard input.
    source: PathBuf,
    /// The schema that was made of it; `-` for standard input.
    converted: PathBuf,
    /// Instances: one JSON array of them, or one a line.
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let Arguments { source, converted, corpus } = arguments;
    at_most_one_from_standard_input(&[Some(source), Some(converted)])?;
    let (source_name, source) = read_json(Some(source))?;
    let (converted_name, converted) = read_json(Some(converted))?;
    // One at a time, so that a message can say which one it is about.
    for (name, schema) in [(&source_name, &source), (&converted_name, &converted)] {
        residual_between(schema, &Value::Bool(true)).map_err(|error| Failure::of(name, &error))?;
    }
    let corpus = match corpus {
        Some(path) => read_corpus(path)?,
        None => candidates(&source, &converted)?,
    };
    let result = differential(&source, &converted, &corpus)?;
    let verdict = result.verdict();
    print(text(&result, verdict))?;
    Ok(Answer::from_bool(matches!(verdict, Verdict::Proved | Verdict::NoneFound)))
}

fn text(result: &Differential, verdict: Verdict) -> String {
    let Differential { checked, agreed, widened, narrowed, .. } = *result;
    let verdict = match verdict {
        Verdict::Both => "both widened and narrowed",
        Verdict::Widened => "widened: instances are accepted that the source rejects",
        Verdict::Narrowed => "narrowed: instances are rejected that the source accepts",
        Verdict::Proved => "equivalent: proved",
        _ => "no difference found",
    };
    let mut text = format!("verdict: {verdict}\n");
    let lists = [
        ("only the converted schema accepts", widened, &result.widened_witnesses),
        ("only the source accepts", narrowed, &result.narrowed_witnesses),
    ];
    for (heading, count, witnesses) in lists.into_iter().filter(|(_, count, _)| *count > 0) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{heading}: {count}");
        for witness in witnesses {
            let _ = writeln!(text, "  {witness}");
        }
        if witnesses.len() < count {
            let _ = writeln!(text, "  and {} more", count - witnesses.len());
        }
    }
    let beyond = [
        ("only the converted schema accepts, beyond the corpus", widened, &result.widening),
        ("only the source accepts, beyond the corpus", narrowed, &result.narrowing),
    ];
    for (heading, count, finding) in beyond {
        if let (0, Finding::Instance(instance)) = (count, finding) {
            let _ = writeln!(text, "\n{heading}:\n  {instance}");
        }
    }
    let _ = writeln!(
        text,
        "\ndifferential: {checked} checked, {agreed} agreed, {widened} widened, {narrowed} narrowed"
    );
    text
}
