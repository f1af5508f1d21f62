//! Of which planned definitions, and of which steps, anything is left.
//!
//! The least solution: nothing is left of a recursion in which nothing but the recursion is left.

use super::derive::Derivation;
use super::plan::{DefinitionId, Items, Plan, Properties, Step, Union};

/// For each definition whether anything is left of it.
pub(super) fn left(derivation: &Derivation<'_>) -> Vec<bool> {
    let definitions = &derivation.definitions;
    let mut referring: Vec<Vec<usize>> = vec![Vec::new(); definitions.len()];
    for (index, definition) in definitions.iter().enumerate() {
        for id in references(&definition.plan) {
            if let Some(referring) = referring.get_mut(id.0).filter(|known| known.last() != Some(&index)) {
                referring.push(index);
            }
        }
    }
    let mut left = vec![false; definitions.len()];
    // Looked at again only when something that it refers to has turned out to be left.
    let mut pending: Vec<usize> = (0..definitions.len()).collect();
    while let Some(index) = pending.pop() {
        let now = definitions.get(index).is_some_and(|definition| plan_left(&definition.plan, &left));
        if let Some(before) = left.get_mut(index).filter(|before| now && !**before) {
            *before = true;
            pending.extend(referring.get(index).into_iter().flatten());
        }
    }
    left
}

/// The definitions that a plan refers to.
fn references(plan: &Plan<'_>) -> Vec<DefinitionId> {
    let mut found = Vec::new();
    let mut pending = vec![plan];
    while let Some(plan) = pending.pop() {
        for step in &plan.steps {
            match step {
                Step::Keep(_) | Step::KeepWhole(_) | Step::KeepReference | Step::Required(_) => {}
                Step::Reference { id, .. } => found.push(*id),
                Step::AllOf(plans) | Step::Conditional(plans) => pending.extend(plans),
                Step::DependentSchemas(named) => pending.extend(named.iter().map(|(_, plan)| plan)),
                Step::Properties(Properties { named, patterns, additional }) => {
                    pending.extend(named.iter().chain(patterns).map(|(_, plan)| plan).chain(additional));
                }
                Step::Items(Items { prefix, rest }) => pending.extend(prefix.iter().chain(rest)),
                Step::AnyOf(union) => {
                    pending.extend(union.branches.iter().map(|(_, plan)| plan));
                    pending.extend(union.by_alternative.iter().flatten());
                }
            }
        }
    }
    found
}

pub(super) fn plan_left(plan: &Plan<'_>, left: &[bool]) -> bool {
    plan.steps.iter().any(|step| step_left(step, left))
}

pub(super) fn step_left(step: &Step<'_>, left: &[bool]) -> bool {
    let any = |plans: &[Plan<'_>]| plans.iter().any(|plan| plan_left(plan, left));
    let any_named = |plans: &[(&str, Plan<'_>)]| plans.iter().any(|(_, plan)| plan_left(plan, left));
    match step {
        Step::Keep(_) | Step::KeepWhole(_) | Step::KeepReference | Step::Required(_) => true,
        Step::Reference { id, .. } => left.get(id.0).copied().unwrap_or(true),
        Step::AllOf(plans) | Step::Conditional(plans) => any(plans),
        Step::DependentSchemas(named) => any_named(named),
        Step::Properties(Properties { named, patterns, additional }) => {
            any_named(named)
                || any_named(patterns)
                || additional.as_ref().is_some_and(|plan| plan_left(plan, left))
        }
        Step::Items(Items { prefix, rest }) => {
            any(prefix) || rest.as_ref().is_some_and(|plan| plan_left(plan, left))
        }
        Step::AnyOf(union) => union_left(union, left),
    }
}

/// Nothing is left of a union when every alternative surely passes the test of a branch with nothing left,
/// or has a branch of which nothing is left for the values of that alternative.
fn union_left(union: &Union<'_>, left: &[bool]) -> bool {
    let settled = |index: &usize| union.branches.get(*index).is_some_and(|(_, plan)| !plan_left(plan, left));
    let alone = |plans: &Vec<Plan<'_>>| plans.iter().any(|plan| !plan_left(plan, left));
    !union
        .passed
        .iter()
        .zip(&union.by_alternative)
        .all(|(passed, plans)| passed.iter().any(settled) || alone(plans))
}
