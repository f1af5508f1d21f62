//! Deriving what is left to check of a source schema, given what a converted schema guarantees.
//!
//! For a source schema `s` and a view `c` (see [`super::view`]) the plan `r` made here satisfies
//!
//! 1. every instance that `s` accepts, `r` accepts;
//! 2. every instance that `c` allows and `r` accepts, `s` accepts.
//!
//! The argument goes by keyword group, since a schema object is the conjunction of its groups. A group that
//! `c` implies is left out: (1) and (2) hold. A group that is kept whole, with its references pointing at
//! untouched definitions: (1) and (2) hold. For an applicator over parts of the instance (`properties`,
//! `items`, …) the view of the part is implied by `c`, and each part is handled by induction. For `anyOf`
//! with branches `sᵢ`, let `tᵢ` be a necessary condition of `sᵢ` and `rᵢ` be derived from `sᵢ` and the view
//! `c ∧ tᵢ`. Then `r` is *any* of `tᵢ ∧ rᵢ`. (1): `sᵢ` implies `tᵢ` and `rᵢ`. (2): where `c`, `tᵢ` and `rᵢ`
//! hold, `sᵢ` holds by induction, hence `s`. Note that each `rᵢ` is derived from the *whole* view: nothing
//! is assumed about which branch of the converted schema accepted the instance. Values of different types are
//! told apart first, since the argument holds for each value by itself: what surely satisfies a branch is left
//! out of the view. A `oneOf` whose `tᵢ` exclude each other is an `anyOf`; any other is kept whole. `unevaluated*` depends on everything beside
//! it, so its schema object is kept whole. References: pairs of a definition and a view are derived once,
//! from a queue, so that recursion in the source becomes recursion in the residual.
//!
//! A group may also be left out for others that hold wherever `r` and `c` hold, as long as those are not left out
//! for it in turn. Three steps, each resting on the ones before: the lists of values (`enum`, `const`) of an
//! object are left out only for the view. Its `type` is left out for the view and for its own list. All that is
//! left, and all parts, are derived from the view narrowed to the types of the list and of `type`; they are left
//! out for that, for neighbours ([`super::beside`]) and for a list of values ([`super::listed`]), which may here
//! also be that of a member of `allOf`: it rests on the types of the objects around it, and on nothing that is
//! left out for it. Likewise a closed object excludes alternatives that require other names, and `required` those
//! that forbid one of its names: `additionalProperties` comes first, `required` rests on it, and the rest on both
//! (but for `allOf`, whose members' lists both may be left out for).

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::beside;
use super::converted::Converted;
use super::implied;
use super::left::plan_left;
use super::listed::{Listed, Lists};
use super::plan::{DefinitionId, Items, Plan, Properties, Step};
use super::same::{Compared, Same};
use super::view::{View, ViewKey};
use crate::schema::{Document, Schema};
use crate::vocabulary::{Group, Holds, Keyword, Role, Types};

/// More pairs of a definition and a view are not told apart; the definition is then kept as it is.
const MAX_DEFINITIONS: usize = 4_096;

/// A planned definition.
pub(crate) struct Definition<'s> {
    pub(crate) name: Arc<str>,
    pub(crate) plan: Plan<'s>,
}

/// The whole plan.
pub(crate) struct Derivation<'s> {
    pub(crate) root: Plan<'s>,
    pub(crate) definitions: Vec<Definition<'s>>,
}

/// Derives what is left to check of `source` where `converted` is enforced.
pub(crate) fn derive<'s>(source: &'s Document, converted: &Document) -> Derivation<'s> {
    let converted = Converted::new(converted);
    let mut derive = Derive {
        source,
        converted: &converted,
        compared: Compared::default(),
        known: HashMap::new(),
        waiting: Vec::new(),
        begun: 0,
        refinements: 0,
        listed: Lists::default(),
    };
    let root = derive.schema(&source.root, &converted.root());
    let mut definitions = Vec::new();
    while derive.begun < derive.waiting.len() {
        let Some((name, schema, view)) = derive.waiting.get(derive.begun).cloned() else { break };
        derive.begun += 1;
        definitions.push(Definition { name, plan: derive.schema(schema, &view) });
    }
    Derivation { root, definitions }
}

/// A derivation under way.
pub(super) struct Derive<'s, 'c, 'd> {
    pub(super) source: &'s Document,
    converted: &'d Converted<'c>,
    compared: Compared,
    known: HashMap<(Arc<str>, ViewKey), DefinitionId>,
    waiting: Vec<(Arc<str>, &'s Schema, View<'c>)>,
    begun: usize,
    /// Branches that have been derived for one alternative alone.
    pub(super) refinements: usize,
    listed: Lists,
}

impl<'s, 'c> Derive<'s, 'c, '_> {
    pub(super) fn schema(&mut self, source: &'s Schema, view: &View<'c>) -> Plan<'s> {
        self.beside(source, view, None)
    }

    /// What is left of a schema where the value is known to be one of a list.
    fn beside(&mut self, source: &'s Schema, view: &View<'c>, known: Option<&Listed<'s>>) -> Plan<'s> {
        let mut plan = Plan { source, steps: Vec::new() };
        if view.is_empty() {
            return plan;
        }
        for keyword in [Keyword::UnevaluatedProperties, Keyword::UnevaluatedItems] {
            if source.has(keyword) && !self.unevaluated_implied(source, keyword, view) {
                plan.steps.push(Step::KeepWhole(keyword));
            }
        }
        let own = Listed::of(source);
        let by_list = view.of_types(own.as_ref().map_or(Types::ANY, Listed::types));
        let by_type = by_list.of_types(source.types());
        let by_closed = self.converted.closed_by(&by_type, source);
        let by_names = self.converted.required_by(&by_closed, source);
        let members = || source.schemas(Keyword::AllOf).iter().find_map(Listed::of);
        let listed = own.clone().or_else(members).or_else(|| known.cloned());
        let mut groups: Vec<Group> = Vec::new();
        for (keyword, _) in source.keywords() {
            if keyword.constrains() && !groups.contains(&keyword.group()) {
                groups.push(keyword.group());
            }
        }
        for group in groups {
            let (view, listed) = match group {
                Group::Alone(Keyword::Enum | Keyword::Const) => (view, None),
                Group::Alone(Keyword::Type) => (&by_list, own.as_ref().or(known)),
                // What is open beside what is declared is decided first, in `properties`.
                Group::Alone(Keyword::AllOf) | Group::Properties => (&by_type, listed.as_ref()),
                Group::Alone(Keyword::Required) => (&by_closed, listed.as_ref()),
                _ => (&by_names, listed.as_ref()),
            };
            let satisfied = |listed: &Listed<'s>| self.listed.satisfy(self.source, source, group, listed);
            if view.is_empty() || listed.is_some_and(satisfied) {
                continue;
            }
            plan.steps.extend(match group {
                Group::Properties => self.properties(source, view, &by_names),
                _ => self.group(source, group, view, listed),
            });
        }
        plan
    }

    fn group(
        &mut self,
        source: &'s Schema,
        group: Group,
        view: &View<'c>,
        listed: Option<&Listed<'s>>,
    ) -> Option<Step<'s>> {
        match group {
            Group::Properties => self.properties(source, view, view),
            Group::Items => Some(self.items(source, view)),
            Group::Contains => self.contains(source, view),
            Group::Conditional => self.conditional(source, view),
            Group::Alone(Keyword::AllOf) => {
                let branches = source.schemas(Keyword::AllOf);
                Some(Step::AllOf(branches.iter().map(|branch| self.beside(branch, view, listed)).collect()))
            }
            Group::Alone(keyword) => self.alone(source, keyword, view),
        }
    }

    fn alone(&mut self, source: &'s Schema, keyword: Keyword, view: &View<'c>) -> Option<Step<'s>> {
        match keyword {
            Keyword::UnevaluatedProperties | Keyword::UnevaluatedItems => None,
            Keyword::Ref => self.reference(source, view),
            Keyword::AllOf => None,
            Keyword::AnyOf | Keyword::OneOf => self.union(source, keyword, view),
            Keyword::DependentSchemas if self.same(source, &[keyword], view) => None,
            Keyword::DependentSchemas => {
                let possible = |name: &str| !self.converted.property(view, name).is_empty();
                let named: Vec<_> = source.named(keyword).iter().filter(|(name, _)| possible(name)).collect();
                let plans =
                    named.into_iter().map(|(name, schema)| (name.as_str(), self.schema(schema, view)));
                Some(Step::DependentSchemas(plans.collect()))
            }
            Keyword::Required => self.required(source, view),
            Keyword::DependentRequired => {
                (!self.dependent_required(source, view)).then(|| Step::Keep(vec![keyword]))
            }
            Keyword::PropertyNames => (!self.property_names(source, view)).then(|| Step::Keep(vec![keyword])),
            Keyword::Not if source.schema(keyword).is_some_and(Schema::is_never) => None,
            Keyword::Not => (!self.same(source, &[keyword], view)).then(|| Step::Keep(vec![keyword])),
            assertion if beside::follows(source, assertion) => None,
            assertion => (!implied::assertion(self.converted, source, assertion, view))
                .then(|| Step::Keep(vec![assertion])),
        }
    }

    /// Whether every alternative has a fact with the same values of these keywords.
    pub(super) fn same(&self, source: &'s Schema, keywords: &[Keyword], view: &View<'c>) -> bool {
        view.alternatives.iter().all(|alternative| {
            alternative.facts.iter().any(|fact| {
                let mut same = Same::new(self.source, self.converted.document, &self.compared);
                keywords.iter().all(|keyword| match (source.get(*keyword), fact.get(*keyword)) {
                    (None, None) => true,
                    (Some(left), Some(right)) => same.parts(*keyword, left, right),
                    _ => false,
                })
            })
        })
    }

    fn unevaluated_implied(&mut self, source: &'s Schema, keyword: Keyword, view: &View<'c>) -> bool {
        source.schema(keyword).is_some_and(Schema::is_always)
            || self.direct_implied(source, keyword, view)
            || view.alternatives.iter().all(|alternative| {
                keyword.applies_to().and(alternative.types).is_empty()
                    || alternative.facts.iter().any(|fact| {
                        Same::new(self.source, self.converted.document, &self.compared).schemas(source, fact)
                    })
            })
    }

    /// Whether `unevaluated*` means what `additionalProperties` or `items` means, and nothing of that is left.
    fn direct_implied(&mut self, source: &'s Schema, keyword: Keyword, view: &View<'c>) -> bool {
        if source.evaluates_elsewhere() {
            return false;
        }
        let converted = self.converted;
        let (direct, view) = match keyword {
            Keyword::UnevaluatedProperties => {
                (Keyword::AdditionalProperties, converted.additional(view, source))
            }
            _ => {
                let count = source.schemas(Keyword::PrefixItems).len();
                (Keyword::Items, converted.items_from(view, count))
            }
        };
        // Beside the direct keyword nothing is unevaluated.
        source.has(direct)
            || source.schema(keyword).is_some_and(|schema| !plan_left(&self.schema(schema, &view), &[]))
    }

    /// Whether every alternative has a fact that says the same as the schema. Asked at references only: there
    /// a view that grows with every turn of a recursion would be derived again for each turn.
    fn is_known(&self, schema: &'s Schema, view: &View<'c>) -> bool {
        view.alternatives.iter().all(|alternative| {
            let mut facts = alternative.facts.iter();
            facts.any(|fact| {
                Same::new(self.source, self.converted.document, &self.compared).schemas(schema, fact)
            })
        })
    }

    fn reference(&mut self, source: &'s Schema, view: &View<'c>) -> Option<Step<'s>> {
        let name = source.target()?;
        let Some(schema) = self.source.definition(name) else { return Some(Step::KeepReference) };
        if self.is_known(schema, view) {
            return None;
        }
        let key = (Arc::clone(name), view.key(self.converted.alike()));
        // A root that is referred to is written once: what is lost there is lost in the definition.
        let says_nothing = says_nothing(view, schema) && schema.origin != source.origin;
        if let Some(id) = self.known.get(&key) {
            return Some(Step::Reference { id: *id, says_nothing });
        }
        if self.waiting.len() >= MAX_DEFINITIONS {
            return Some(Step::KeepReference);
        }
        let id = DefinitionId(self.waiting.len());
        self.waiting.push((Arc::clone(name), schema, view.clone()));
        self.known.insert(key, id);
        Some(Step::Reference { id, says_nothing })
    }

    /// What is declared is derived from what is left where nothing else is there and everything required is.
    fn properties(&mut self, source: &'s Schema, view: &View<'c>, by_names: &View<'c>) -> Option<Step<'s>> {
        let converted = self.converted;
        let named = source.named(Keyword::Properties).iter().map(|(name, schema)| {
            let view = converted.property(by_names, name);
            (name.as_str(), self.schema(schema, &view))
        });
        let named = named.collect();
        let patterns = source.named(Keyword::PatternProperties).iter().map(|(pattern, schema)| {
            let view = converted.matching(by_names, pattern);
            (pattern.as_str(), self.schema(schema, &view))
        });
        let patterns = patterns.collect();
        let additional = source.schema(Keyword::AdditionalProperties).map(|schema| {
            let view = converted.additional(view, source);
            self.schema(schema, &view)
        });
        Some(Step::Properties(Properties { named, patterns, additional }))
    }

    fn items(&mut self, source: &'s Schema, view: &View<'c>) -> Step<'s> {
        let converted = self.converted;
        let prefix = source.schemas(Keyword::PrefixItems);
        let items = prefix.iter().enumerate().map(|(index, schema)| {
            let view = converted.item(view, index);
            self.schema(schema, &view)
        });
        let items = items.collect();
        let rest = source.schema(Keyword::Items).map(|schema| {
            let view = converted.items_from(view, prefix.len());
            self.schema(schema, &view)
        });
        Step::Items(Items { prefix: items, rest })
    }

    fn contains(&mut self, source: &'s Schema, view: &View<'c>) -> Option<Step<'s>> {
        // Without `contains` beside them the counts say nothing.
        source.schema(Keyword::Contains)?;
        let group = [Keyword::Contains, Keyword::MinContains, Keyword::MaxContains];
        let reached = view.alternatives.iter().any(|alternative| alternative.types.contains(Types::ARRAY));
        (reached && !self.same(source, &group, view)).then(|| Step::Keep(group.to_vec()))
    }

    fn conditional(&mut self, source: &'s Schema, view: &View<'c>) -> Option<Step<'s>> {
        source.schema(Keyword::If)?;
        if self.same(source, &[Keyword::If, Keyword::Then, Keyword::Else], view) {
            return None;
        }
        let branches =
            [Keyword::Then, Keyword::Else].into_iter().filter_map(|keyword| source.schema(keyword));
        Some(Step::Conditional(branches.map(|branch| self.schema(branch, view)).collect()))
    }

    fn required(&self, source: &'s Schema, view: &View<'c>) -> Option<Step<'s>> {
        let can_lack = |name: &&str| {
            view.alternatives.iter().any(|alternative| {
                !alternative.types.and(Types::OBJECT).is_empty()
                    && !alternative.requires(name)
                    && !alternative.literals().is_some_and(|values| {
                        values
                            .iter()
                            .all(|value| value.as_object().is_none_or(|object| object.contains_key(*name)))
                    })
            })
        };
        let names: Vec<&str> = source.required().filter(can_lack).collect();
        (!names.is_empty()).then_some(Step::Required(names))
    }

    fn dependent_required(&self, source: &'s Schema, view: &View<'c>) -> bool {
        let Some(Value::Object(dependent)) = source.data(Keyword::DependentRequired) else { return true };
        self.same(source, &[Keyword::DependentRequired], view)
            || dependent.iter().all(|(name, names)| {
                let names = names.as_array().map(Vec::as_slice).unwrap_or_default();
                self.converted.property(view, name).is_empty()
                    || view.alternatives.iter().all(|alternative| {
                        alternative.types.and(Types::OBJECT).is_empty()
                            || names.iter().filter_map(Value::as_str).all(|name| alternative.requires(name))
                    })
            })
    }

    /// Whether all names that are possible satisfy `propertyNames`: the same keyword, or no names at all.
    fn property_names(&self, source: &'s Schema, view: &View<'c>) -> bool {
        source.schema(Keyword::PropertyNames).is_some_and(says_nothing_about_strings)
            || self.same(source, &[Keyword::PropertyNames], view)
            || view.alternatives.iter().all(|alternative| {
                alternative.types.and(Types::OBJECT).is_empty()
                    || alternative.facts.iter().any(|fact| self.names_satisfy(source, fact))
            })
    }

    fn names_satisfy(&self, source: &'s Schema, fact: &Schema) -> bool {
        let Some(names) = source.schema(Keyword::PropertyNames) else { return true };
        implied::most_properties(fact).is_some()
            && names.keywords().iter().all(|(keyword, part)| match (keyword.holds(), keyword.role()) {
                (_, Role::Annotation) => true,
                (Holds::Data, _) => fact.named(Keyword::Properties).iter().all(|(name, _)| {
                    let (Some(value), name) = (names.data(*keyword), Value::String(name.clone())) else {
                        return false;
                    };
                    self.converted.accepts(*keyword, value, &name) == Some(true)
                }),
                _ => part.schemas().next().is_none() && *keyword != Keyword::Ref,
            })
    }
}

/// Whether every string satisfies the schema, as its keywords show.
fn says_nothing_about_strings(schema: &Schema) -> bool {
    schema.keywords().iter().all(|(keyword, _)| match keyword {
        Keyword::Type => schema.types().contains(Types::STRING),
        keyword => !keyword.constrains() || !keyword.applies_to().contains(Types::STRING),
    })
}

/// Whether nothing is known about a value but a type, and the schema is about more than that: its parts.
fn says_nothing(view: &View<'_>, schema: &Schema) -> bool {
    let only_type = |fact: &&Schema| {
        fact.keywords().iter().all(|(keyword, _)| *keyword == Keyword::Type || !keyword.constrains())
    };
    let has_parts = schema.children().next().is_some();
    view.alternatives.iter().all(|alternative| {
        alternative.facts.is_empty() || (has_parts && alternative.facts.iter().all(only_type))
    })
}
