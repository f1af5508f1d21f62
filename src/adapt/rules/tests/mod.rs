//! Every rule keeps its word: what it declares to do to the set of accepted instances is what it does.
//!
//! Every schema of [`material`] is projected onto every target, and each application of a rule is compared:
//! the schema object as the rule found it with the schema object as the rule left it, compiled separately and
//! both read with the *source's* definitions. So nothing but this one rewrite can make a difference; what the
//! definitions become is the effect of other applications, each compared by itself.
//!
//! The table of rules is the list of what is tested: a rule without schemas of its own fails, and so does one
//! that was compared on no instance on which it could have broken its word, or that never did what it declares.
//! No rule encodes: the encodings are applied to the whole projection afterwards (see [`crate::adapt::encode`]),
//! and that they lose nothing is a guarantee with tests of its own.

mod instances;
mod material;
mod schemas;

use std::collections::{BTreeMap, HashSet};

use serde_json::json;

use self::instances::instances;
use self::material::{Case, cases, targets};
use super::{RULES, Rule};
use crate::adapt::context::Kind;
use crate::adapt::project::recorded;
use crate::adapt::report::RuleEffect;
use crate::differential::compile;
use crate::error::Error;
use crate::schema::{Document, Rooted};
use crate::source::{Budget, lift};
use crate::target::Target;
use crate::test_material::every;
use crate::test_parallel::on_all_cores;

/// Pairs of one schema that are compared, for each rule.
const MAX_PAIRS: usize = 2;

/// The same for a schema that was written for a rule.
const MAX_PAIRS_WRITTEN: usize = 6;

/// What was seen of one rule.
#[derive(Debug, Default, Clone)]
struct Seen {
    applications: usize,
    /// Different pairs that were compared.
    pairs: usize,
    instances: usize,
    /// Instances that were accepted before: a rule that narrows could have lost them.
    accepted: usize,
    /// Instances that were rejected before: a rule that widens could have let them through.
    rejected: usize,
    widened: usize,
    narrowed: usize,
    /// Pairs that could have been narrowed, or widened, as they stand.
    narrowable: usize,
    widenable: usize,
    /// The schemas written for the rule on which it fired.
    fired_on: HashSet<String>,
}

#[derive(Debug, Default)]
struct Tally {
    rules: BTreeMap<&'static str, Seen>,
    violations: Vec<String>,
    /// By reason.
    left_out: BTreeMap<&'static str, usize>,
}

/// Whether a rule with this declaration may widen, and whether it may narrow.
fn allows(declared: RuleEffect) -> (bool, bool) {
    match declared {
        RuleEffect::Exact => (false, false),
        RuleEffect::Widens => (true, false),
        RuleEffect::Narrows => (false, true),
    }
}

/// One schema for every target.
fn check_case(case: &Case, targets: &[Target]) -> Tally {
    let mut tally = Tally::default();
    let Ok(lifted) = lift(&case.schema, &Budget::default()) else {
        return tally.without("schemas: not lifted");
    };
    if compile::document(&lifted.document).is_err() {
        return tally.without("schemas: not compiled");
    }
    if material::has_no_meaning(&lifted.document) {
        return tally.without("schemas: `a` is `not a`, to which the specification gives no meaning");
    }
    let mut done = HashSet::new();
    let mut pairs: BTreeMap<&'static str, Vec<Pair>> = BTreeMap::new();
    for target in targets {
        let recorded = match recorded(&lifted.document, target) {
            Ok(recorded) => recorded,
            Err(Error::Budget { .. }) => {
                tally = tally.without("projections: over budget");
                continue;
            }
            Err(error) => panic!("{} @ {}: {error}", case.name, target.id()),
        };
        let mut definitions = lifted.document.clone();
        let any_value = recorded.any_value.as_ref().map(|(_, definition)| definition.to_value());
        if let Some((name, definition)) = recorded.any_value {
            definitions.define(name, definition);
        }
        tally
            .leave_out("applications: too large, or too many of one projection", recorded.recording.left_out);
        for application in recorded.recording.applications {
            let rule = application.rule.name;
            let seen = tally.rules.entry(rule).or_default();
            seen.applications += 1;
            if case.written_for == Some(rule) {
                seen.fired_on.insert(case.name.clone());
            }
            let sides = [&application.before, &application.after].map(|schema| schema.to_value().to_string());
            if !done.insert((rule, sides, any_value.clone())) {
                continue;
            }
            let [before, after] = [&application.before, &application.after]
                .map(|schema| Rooted { document: &definitions, root: schema }.alone());
            let noted = recorded
                .steps
                .iter()
                .any(|step| step.origin == application.before.origin && matches!(step.kind, Kind::Lost(_)));
            let place = format!("{} @ {}", case.name, target.id());
            pairs.entry(rule).or_default().push(Pair { rule: application.rule, before, after, noted, place });
        }
    }
    let most = if case.written_for.is_some() { MAX_PAIRS_WRITTEN } else { MAX_PAIRS };
    for (rule, pairs) in pairs {
        // Evenly, so that no target is favoured.
        let every = every(pairs.len().div_ceil(most));
        tally.leave_out("pairs: beyond the sample", pairs.len() - pairs.iter().step_by(every).count());
        let seen = tally.rules.entry(rule).or_default();
        let mut undecided = 0;
        for pair in pairs.iter().step_by(every) {
            tally.violations.extend(compare(pair, seen, &mut undecided).err());
        }
        tally.leave_out("instances: a pattern gave up", undecided);
    }
    tally
}

/// One application, each side with the definitions that it leads to.
struct Pair {
    rule: &'static Rule,
    before: Document,
    after: Document,
    /// Whether a divergence was noted for instances that are lost at the place.
    noted: bool,
    place: String,
}

/// Compares one application with its declaration.
fn compare(pair: &Pair, seen: &mut Seen, undecided: &mut usize) -> Result<(), String> {
    let Pair { rule, before, after, noted, place } = pair;
    let violation = |what: &str| {
        format!(
            "{place}: {}, declared {:?}: {what}\n     before {}\n     after  {}",
            rule.name,
            rule.declared,
            before.to_value(),
            after.to_value()
        )
    };
    let compiled = |document: &Document| {
        compile::document(document).map_err(|error| violation(&format!("does not compile: {error}")))
    };
    let (old, new) = (compiled(before)?, compiled(after)?);
    seen.pairs += 1;
    seen.widenable += usize::from(!before.root.is_always());
    seen.narrowable += usize::from(!before.root.is_never() && !after.root.is_never());
    let (may_widen, may_narrow) = allows(rule.declared);
    for instance in instances(before, after) {
        let verdicts = (compile::verdict(&old, &instance), compile::verdict(&new, &instance));
        let (Ok(was), Ok(is)) = verdicts else {
            *undecided += 1;
            continue;
        };
        seen.instances += 1;
        *(if was { &mut seen.accepted } else { &mut seen.rejected }) += 1;
        seen.widened += usize::from(!was && is);
        seen.narrowed += usize::from(was && !is);
        if !was && is && !may_widen {
            return Err(violation(&format!("accepts {instance} now")));
        }
        if was && !is && !may_narrow {
            return Err(violation(&format!("rejects {instance} now")));
        }
        if was && !is && !noted {
            return Err(violation(&format!("no divergence is noted for {instance}")));
        }
    }
    Ok(())
}

/// Everything.
fn run() -> Tally {
    let targets = targets();
    let mut sum = Tally::default();
    for tally in on_all_cores(&cases(), |case| check_case(case, &targets)) {
        sum.add(tally);
    }
    sum
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (rule, seen) in other.rules {
            let sum = self.rules.entry(rule).or_default();
            sum.applications += seen.applications;
            sum.pairs += seen.pairs;
            sum.instances += seen.instances;
            sum.accepted += seen.accepted;
            sum.rejected += seen.rejected;
            sum.widened += seen.widened;
            sum.narrowed += seen.narrowed;
            sum.narrowable += seen.narrowable;
            sum.widenable += seen.widenable;
            sum.fired_on.extend(seen.fired_on);
        }
        self.violations.extend(other.violations);
        for (reason, count) in other.left_out {
            self.leave_out(reason, count);
        }
    }

    fn leave_out(&mut self, reason: &'static str, count: usize) {
        *self.left_out.entry(reason).or_default() += count;
    }

    fn without(mut self, reason: &'static str) -> Tally {
        self.leave_out(reason, 1);
        self
    }
}

/// What is missing before a rule counts as tested.
fn gaps(rule: &Rule, seen: &Seen) -> Vec<String> {
    let mut gaps = Vec::new();
    let written = schemas::written_for(rule.name).len();
    if written < 2 {
        gaps.push(format!("{}: needs at least two schemas of its own", rule.name));
    }
    if seen.fired_on.len() < written {
        gaps.push(format!("{}: fired on {:?} only, of {written} written for it", rule.name, seen.fired_on));
    }
    let (may_widen, may_narrow) = allows(rule.declared);
    let could_widen = seen.rejected > 0 || seen.widenable == 0;
    let could_narrow = seen.accepted > 0 || seen.narrowable == 0;
    if seen.instances == 0 || (!may_widen && !could_widen) || (!may_narrow && !could_narrow) {
        gaps.push(format!("{}: no instance could have shown that it breaks its word", rule.name));
    }
    // A rule that never does what it may do should declare less.
    if (may_widen && seen.widened == 0) || (may_narrow && seen.narrowed == 0) {
        gaps.push(format!("{}: declared {:?}, and never did that", rule.name, rule.declared));
    }
    gaps
}

#[test]
fn every_rule_does_what_it_declares() {
    let start = std::time::Instant::now();
    let tally = run();
    let mut gaps = Vec::new();
    println!(
        "{:28}{:>10}{:>9}{:>7}{:>11}{:>9}{:>9}",
        "rule", "declared", "applied", "pairs", "instances", "widened", "narrowed"
    );
    for rule in RULES {
        let seen = tally.rules.get(rule.name).cloned().unwrap_or_default();
        println!(
            "{:28}{:>10}{:>9}{:>7}{:>11}{:>9}{:>9}",
            rule.name,
            format!("{:?}", rule.declared),
            seen.applications,
            seen.pairs,
            seen.instances,
            seen.widened,
            seen.narrowed
        );
        gaps.extend(self::gaps(rule, &seen));
    }
    for (reason, count) in &tally.left_out {
        println!("left out: {count} {reason}");
    }
    println!("{:?}", start.elapsed());
    for violation in tally.violations.iter().take(20) {
        println!("{violation}");
    }
    assert!(tally.violations.is_empty(), "{} violations", tally.violations.len());
    assert!(gaps.is_empty(), "{gaps:#?}");
}

/// A rule of which only the declaration counts.
const fn declaring(declared: RuleEffect) -> Rule {
    Rule { name: "imagined", declared, apply: |_, _| Ok(false) }
}

static EXACT: Rule = declaring(RuleEffect::Exact);
static WIDENS: Rule = declaring(RuleEffect::Widens);
static NARROWS: Rule = declaring(RuleEffect::Narrows);

#[test]
fn a_rule_that_breaks_its_word_is_found() {
    let document = |schema| lift(&schema, &Budget::default()).unwrap().document;
    let long = document(json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}}));
    let any = document(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    let keeps = |rule, before: &Document, after: &Document, noted| {
        let (before, after) = (before.clone(), after.clone());
        compare(&Pair { rule, before, after, noted, place: String::new() }, &mut Seen::default(), &mut 0)
            .is_ok()
    };
    let loosened = [&EXACT, &WIDENS, &NARROWS].map(|rule| keeps(rule, &long, &any, true));
    assert_eq!(loosened, [false, true, false]);
    let tightened = [&EXACT, &WIDENS, &NARROWS].map(|rule| keeps(rule, &any, &long, true));
    assert_eq!(tightened, [false, false, true]);
    assert!(!keeps(&NARROWS, &any, &long, false), "a loss must be noted");
    assert!([&EXACT, &WIDENS, &NARROWS].iter().all(|rule| keeps(rule, &long, &long, false)));
}

#[test]
fn a_rule_without_a_test_is_found() {
    let missing = gaps(&EXACT, &Seen::default());
    assert_eq!(missing.len(), 2, "no schemas of its own, and no instance compared: {missing:?}");
    let idle = Seen {
        pairs: 1,
        instances: 9,
        accepted: 4,
        rejected: 5,
        widenable: 1,
        narrowable: 1,
        ..Seen::default()
    };
    assert_eq!(gaps(&EXACT, &idle).len(), 1);
    assert_eq!(gaps(&WIDENS, &idle).len(), 2, "it never widened");
}
