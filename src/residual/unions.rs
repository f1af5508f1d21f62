//! What is left of `anyOf` and `oneOf`. The argument is that of [`super::derive`].

use super::derive::Derive;
use super::left::plan_left;
use super::plan::{Plan, Step, Union};
use super::view::{Alternative, View, passes};
use crate::adapt::branches::{Test, exclude_each_other, tests};
use crate::schema::Schema;
use crate::vocabulary::Keyword;

/// Branches that are derived for one alternative alone, in all: nested unions would multiply.
const MAX_REFINEMENTS: usize = 4_096;

impl<'s, 'c> Derive<'s, 'c, '_> {
    pub(super) fn union(
        &mut self,
        source: &'s Schema,
        keyword: Keyword,
        view: &View<'c>,
    ) -> Option<Step<'s>> {
        if self.same(source, &[keyword], view) {
            return None;
        }
        let branches = source.schemas(keyword);
        let tests = tests(self.source, branches);
        if keyword == Keyword::OneOf && !exclude_each_other(&tests) {
            return Some(Step::Keep(vec![keyword]));
        }
        let view = &view.apart(&tests);
        let pass = |alternative: &Alternative<'c>| {
            let passed = tests.iter().enumerate().filter(|(_, test)| passes(test, alternative));
            passed.map(|(index, _)| index).collect()
        };
        let passed = view.alternatives.iter().map(pass).collect();
        let by_alternative: Vec<Vec<Plan<'s>>> = view
            .alternatives
            .iter()
            .map(|alternative| self.each_branch(branches, &tests, alternative))
            .collect();
        // What surely satisfies a branch needs no checking: the branches are derived for the rest.
        let unsettled = view
            .alternatives
            .iter()
            .zip(&by_alternative)
            .filter(|(_, plans)| !plans.iter().any(|plan| !plan_left(plan, &[])));
        let unsettled =
            View { alternatives: unsettled.map(|(alternative, _)| alternative.clone()).collect() };
        if unsettled.is_empty() {
            return None;
        }
        let branches = branches.iter().zip(tests).map(|(branch, test)| {
            let plan = self.schema(branch, &unsettled.given(&test));
            (test, plan)
        });
        Some(Step::AnyOf(Union { keyword, branches: branches.collect(), passed, by_alternative }))
    }

    /// What is left of each branch for the values of one alternative alone.
    fn each_branch(
        &mut self,
        branches: &'s [Schema],
        tests: &[Test],
        alternative: &Alternative<'c>,
    ) -> Vec<Plan<'s>> {
        if self.refinements + branches.len() > MAX_REFINEMENTS {
            return Vec::new();
        }
        self.refinements += branches.len();
        let alone = View { alternatives: vec![alternative.clone()] };
        let possible = branches.iter().zip(tests).filter(|(_, test)| !alone.given(test).is_empty());
        let possible: Vec<&'s Schema> = possible.map(|(branch, _)| branch).collect();
        possible.into_iter().map(|branch| self.schema(branch, &alone)).collect()
    }
}
