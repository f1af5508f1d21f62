//! Following a route: at every schema on it the step is taken, and everything beside the step holds.

use super::choose::Chooser;
use super::facts::{Contained, Dead, Demand, Instead, Naming, Want, contain_counts};
use super::goal::{Choice, Finale, Goal};
use super::negate;
use super::sites::Select;
use crate::schema::Schema;
use crate::vocabulary::{Keyword, Types};

/// Branches of one `oneOf` that are tried as the one that holds beside the one on the route.
const MAX_BESIDE: usize = 4;

impl<'a> Goal<'_, 'a> {
    /// The route's schema at this step, with its step taken.
    pub(super) fn reach(&mut self, index: usize) -> Result<(), Dead> {
        let (route, finale) = self.route.ok_or(Dead)?;
        let Some(step) = route.steps.get(index) else {
            let skipped = match finale {
                Finale::Violate(keyword) | Finale::Reverse(keyword) => negate::skipped(keyword),
                Finale::Exercise(_) | Finale::ExerciseAmong(_) | Finale::Visit => &[],
            };
            for (keyword, _) in route.end.keywords() {
                if !skipped.contains(keyword) {
                    self.assert(route.end, *keyword)?;
                }
            }
            self.pending.push_front(Choice::End(route.end));
            return Ok(());
        };
        let schema = step.schema;
        let conditional = [Keyword::If, Keyword::Then, Keyword::Else];
        for (keyword, _) in schema.keywords() {
            let taken = *keyword == step.keyword && !keeps_its_own(step.keyword)
                || conditional.contains(keyword) && conditional.contains(&step.keyword);
            if !taken {
                self.assert(schema, *keyword)?;
            }
        }
        let next = Want::Reach(index + 1);
        let instead = Instead { want: next, replaces: Some(step.child) };
        match (step.keyword, step.select) {
            (Keyword::AllOf, Select::At(branch)) => {
                self.siblings(schema.schemas(Keyword::AllOf), branch, Want::Holds);
                self.push(next);
            }
            (Keyword::AnyOf, _) if matches!(finale, Finale::ExerciseAmong(_)) => self.push(next),
            (Keyword::AnyOf, Select::At(branch)) => {
                self.siblings(schema.schemas(step.keyword), branch, Want::Fails);
                self.push(next);
            }
            (Keyword::OneOf, Select::At(branch)) => {
                self.pending.push_back(Choice::Beside(schema.schemas(step.keyword), branch));
                self.push(next);
            }
            (Keyword::If, _) => {
                self.pending.push_back(Choice::AroundIf(schema));
                self.push(next);
            }
            (Keyword::Then, _) => {
                self.agenda.extend(schema.schema(Keyword::If).map(Want::Holds));
                self.push(next);
            }
            (Keyword::Else, _) => {
                self.agenda.extend(schema.schema(Keyword::If).map(Want::Fails));
                self.push(next);
            }
            (Keyword::DependentSchemas, Select::Name(name)) => {
                let others = schema.named(step.keyword).iter().filter(|(known, _)| known != name);
                self.pending.extend(others.map(|(name, child)| Choice::Dependent(name, child)));
                self.facts.restrict(Types::OBJECT)?;
                self.facts.require(name)?;
                self.push(next);
            }
            (Keyword::Ref | Keyword::Not, _) => self.push(next),
            (Keyword::Contains, _) => {
                self.facts.restrict(Types::ARRAY)?;
                let (least, _) = contain_counts(schema);
                let count = least.max(1);
                let contained =
                    Contained { schema: step.child, least: count, most: count, first: Some(next) };
                self.facts.arrays.contains.push(contained);
            }
            (keyword, select) => self.enter(schema, keyword, select, instead)?,
        }
        Ok(())
    }

    /// A step into a part of the value.
    fn enter(
        &mut self,
        schema: &'a Schema,
        keyword: Keyword,
        select: Select<'a>,
        instead: Instead<'a>,
    ) -> Result<(), Dead> {
        self.facts.restrict(keyword.applies_to())?;
        let demand = |naming| Demand { naming, instead: Some(instead) };
        match (keyword, select) {
            (Keyword::Properties, Select::Name(name)) => {
                self.facts.objects.demands.push(demand(Naming::Named(name)))
            }
            (Keyword::PatternProperties, Select::Name(pattern)) => {
                self.facts.objects.demands.push(demand(Naming::Matching(pattern)));
            }
            (Keyword::AdditionalProperties, _) => {
                self.facts.objects.demands.push(demand(Naming::Undeclared(schema)));
            }
            (Keyword::UnevaluatedProperties, _) => {
                self.facts.objects.demands.push(demand(Naming::Unevaluated))
            }
            (Keyword::PropertyNames, _) => self.facts.objects.named.push(instead),
            (Keyword::PrefixItems, Select::At(index)) => self.facts.arrays.at.push((index, instead)),
            (Keyword::Items, _) => {
                self.facts.arrays.at.push((schema.schemas(Keyword::PrefixItems).len(), instead));
            }
            (Keyword::UnevaluatedItems, _) => {
                let declared =
                    self.facts.arrays.shapes.iter().map(|shape| shape.schemas(Keyword::PrefixItems).len());
                let index = declared.chain([schema.schemas(Keyword::PrefixItems).len()]).max().unwrap_or(0);
                self.facts.arrays.at.push((index, instead));
            }
            _ => return Err(Dead),
        }
        Ok(())
    }

    pub(super) fn beside(
        &mut self,
        branches: &'a [Schema],
        taken: usize,
        chooser: &mut Chooser,
    ) -> Result<(), Dead> {
        let others: Vec<&'a Schema> = branches
            .iter()
            .enumerate()
            .filter(|(index, branch)| *index != taken && self.possible(branch))
            .map(|(_, branch)| branch)
            .collect();
        let reversed = self.route.is_some_and(|(_, finale)| matches!(finale, Finale::Reverse(_)));
        let chosen = if reversed { Some(chooser.choose(others.len().min(MAX_BESIDE))?) } else { None };
        for (index, branch) in others.into_iter().enumerate() {
            self.push(if chosen == Some(index) { Want::Holds(branch) } else { Want::Fails(branch) });
        }
        Ok(())
    }

    /// With the condition violated at the route's end: `then` would have held and `else` does not, or the reverse.
    pub(super) fn around_if(&mut self, schema: &'a Schema, chooser: &mut Chooser) -> Result<(), Dead> {
        let (then, other) = (schema.schema(Keyword::Then), schema.schema(Keyword::Else));
        let (holding, failing) = match (then, other) {
            (Some(then), Some(other)) if chooser.choose(2)? == 0 => (Some(other), then),
            (then, Some(other)) => (then, other),
            (Some(then), None) => (None, then),
            (None, None) => return Ok(()),
        };
        self.agenda.extend(holding.map(Want::Holds));
        self.push(Want::Fails(failing));
        Ok(())
    }
}

/// Whether a step through this keyword leaves the keyword itself to be merged: its other children still hold.
fn keeps_its_own(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Properties
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
            | Keyword::Items
            | Keyword::PrefixItems
    )
}
