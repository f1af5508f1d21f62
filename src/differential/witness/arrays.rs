//! Arrays that meet counts, items, `contains` and uniqueness together.

use serde_json::Value;

use super::check::all_different;
use super::facts::{ArrayFacts, Contained, Facts, Want};
use super::solve::Solver;
use crate::schema::same_value;
use crate::vocabulary::Keyword;

/// Longer arrays are not made.
const MAX_ITEMS: usize = 1_100;

/// The wants on every item.
type Slots<'a> = Vec<Vec<Want<'a>>>;

impl<'a> Solver<'_, 'a> {
    /// Arrays that meet the facts, the shortest first.
    pub(super) fn arrays(&self, facts: &Facts<'a>, depth: u32, limit: usize) -> Vec<Value> {
        let arrays = &facts.arrays;
        let max =
            arrays.max.map_or(MAX_ITEMS, |max| usize::try_from(max).unwrap_or(MAX_ITEMS).min(MAX_ITEMS));
        let Some((special, needed)) = self.special(arrays, max) else { return Vec::new() };
        let mut found: Vec<Value> = Vec::new();
        let mut counts = vec![needed];
        if self.full && special.is_empty() && needed == 0 {
            counts.insert(0, 1);
        }
        counts.extend([1, 2, 3].map(|more| needed.saturating_add(more)));
        for (index, count) in counts.into_iter().filter(|count| *count <= max).enumerate() {
            if found.len() >= limit || index > 0 && limit == 1 && !found.is_empty() {
                break;
            }
            // More items than needed only for variety, or where the shortest array cannot be made.
            if index > 0 && !found.is_empty() && !special.is_empty() {
                break;
            }
            let slots = self.slots(arrays, &special, count);
            found.extend(self.fill(arrays, &slots, &special, depth, limit.saturating_sub(found.len())));
        }
        found
    }

    /// The items with wants of their own, and the number of items needed.
    fn special(&self, arrays: &ArrayFacts<'a>, max: usize) -> Option<(Slots<'a>, usize)> {
        let mut special: Slots<'a> = Vec::new();
        for (index, instead) in &arrays.at {
            if *index >= max {
                return None;
            }
            special.resize(special.len().max(index + 1), Vec::new());
            special.get_mut(*index)?.push(instead.want);
        }
        let taken: Vec<usize> = arrays.at.iter().map(|(index, _)| *index).collect();
        let mut free = (0..max).filter(|index| !taken.contains(index));
        let mut first_slot = None;
        for contained in &arrays.contains {
            // No array that is made here has as many.
            let least = usize::try_from(contained.least).ok().filter(|least| *least <= max)?;
            for count in 0..least {
                let slot = free.next().or(first_slot)?;
                first_slot = first_slot.or(Some(slot));
                special.resize(special.len().max(slot + 1), Vec::new());
                let first = contained.first.filter(|_| count == 0);
                special.get_mut(slot)?.push(first.unwrap_or(Want::Holds(contained.schema)));
            }
        }
        let min = usize::try_from(arrays.min).ok().filter(|min| *min <= max)?;
        let needed = special.len().max(min);
        Some((special, needed))
    }

    fn slots(&self, arrays: &ArrayFacts<'a>, special: &Slots<'a>, count: usize) -> Slots<'a> {
        (0..count)
            .map(|index| {
                let mut wants = self.item_wants(arrays, index);
                let own = special.get(index).map_or(&[][..], Vec::as_slice);
                wants.extend(own);
                // What is counted must not be met by the items beyond the count.
                let bounded = |contained: &&Contained<'a>| contained.most < 1_000;
                wants.extend(arrays.contains.iter().filter(bounded).filter_map(|contained| {
                    let counted = own.iter().any(|want| match want {
                        Want::Holds(schema) => std::ptr::eq(*schema, contained.schema),
                        Want::Reach(_) => contained.first.is_some(),
                        Want::Fails(_) | Want::Matches(_) | Want::Is(_) | Want::Nested => false,
                    });
                    (!counted).then_some(Want::Fails(contained.schema))
                }));
                wants
            })
            .collect()
    }

    fn item_wants(&self, arrays: &ArrayFacts<'a>, index: usize) -> Vec<Want<'a>> {
        let mut wants = Vec::new();
        for shape in &arrays.shapes {
            let prefix = shape.schemas(Keyword::PrefixItems);
            let child =
                prefix.get(index).or_else(|| shape.schema(Keyword::Items).filter(|_| index >= prefix.len()));
            let replaced = |child| {
                let here = arrays.at.iter().filter(|(at, _)| *at == index);
                here.filter_map(|(_, instead)| instead.replaces).any(|known| std::ptr::eq(known, child))
            };
            if let Some(child) = child
                && !replaced(child)
            {
                wants.push(Want::Holds(child));
            }
        }
        wants
    }

    /// Arrays with a value for every slot; the slot on the route, or else the first, is varied.
    fn fill(
        &self,
        arrays: &ArrayFacts<'a>,
        slots: &Slots<'a>,
        special: &Slots<'a>,
        depth: u32,
        limit: usize,
    ) -> Vec<Value> {
        if arrays.repeated {
            return self.repeat(slots, depth);
        }
        let is_special = |index: usize| special.get(index).is_some_and(|wants| !wants.is_empty());
        let varied = (0..slots.len()).find(|index| is_special(*index)).unwrap_or(0);
        let mut items: Vec<Value> = Vec::new();
        let mut variants: Vec<Value> = Vec::new();
        // Slots that ask the same share one list of values, and each takes the next one.
        let mut shared: Option<(&Vec<Want<'a>>, Vec<Value>, usize)> = None;
        for (index, wants) in slots.iter().enumerate() {
            let (values, next) = match shared.take() {
                Some((known, values, next)) if index != varied && same_wants(known, wants) => (values, next),
                _ => {
                    let needed = if index == varied { limit } else { 1 };
                    let needed = if arrays.unique { needed.max(slots.len()) } else { needed };
                    (self.solve(wants, "", depth + 1, needed), 0)
                }
            };
            let new = |value: &Value| !arrays.unique || !items.iter().any(|item| same_value(item, value));
            let Some(at) = (next..values.len()).find(|at| values.get(*at).is_some_and(new)) else {
                return Vec::new();
            };
            items.extend(values.get(at).cloned());
            if index == varied {
                variants = values.iter().take(limit).cloned().collect();
            }
            shared = Some((wants, values, if arrays.unique { at + 1 } else { at }));
            if !self.spend(1) {
                return Vec::new();
            }
        }
        if slots.is_empty() {
            return vec![Value::Array(items)];
        }
        let mut found = vec![Value::Array(items.clone())];
        for variant in variants {
            if let Some(item) = items.get_mut(varied) {
                *item = variant;
            }
            let array = Value::Array(items.clone());
            if found.len() < limit && !found.contains(&array) && (!arrays.unique || all_different(&items)) {
                found.push(array);
            }
        }
        found
    }

    /// Arrays in which two items are the same.
    fn repeat(&self, slots: &Slots<'a>, depth: u32) -> Vec<Value> {
        let count = slots.len();
        let pairs =
            (0..count.min(4)).flat_map(|first| (first + 1..count.min(5)).map(move |second| (first, second)));
        for (first, second) in pairs {
            let both: Vec<Want<'a>> =
                [first, second].iter().filter_map(|index| slots.get(*index)).flatten().copied().collect();
            let Some(twice) = self.solve(&both, "", depth + 1, 1).into_iter().next() else { continue };
            let items: Option<Vec<Value>> = slots
                .iter()
                .enumerate()
                .map(|(index, wants)| {
                    if index == first || index == second {
                        return Some(twice.clone());
                    }
                    self.solve(wants, "", depth + 1, 1).into_iter().next()
                })
                .collect();
            if let Some(items) = items {
                return vec![Value::Array(items)];
            }
        }
        Vec::new()
    }

    /// Whether a listed array meets the facts, as far as they are about whole arrays.
    pub(super) fn array_fits(&self, arrays: &ArrayFacts<'a>, items: &[Value]) -> bool {
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let checker = self.checker();
        let holds = |want: &Want<'a>, item: &Value| match want {
            Want::Holds(schema) => checker.accepts(schema, item),
            Want::Fails(schema) => !checker.accepts(schema, item),
            Want::Reach(_) | Want::Matches(_) | Want::Is(_) | Want::Nested => true,
        };
        count >= arrays.min
            && arrays.max.is_none_or(|max| count <= max)
            && (!arrays.unique || all_different(items))
            && (!arrays.repeated || !all_different(items))
            && items.iter().enumerate().all(|(index, item)| {
                self.item_wants(arrays, index).iter().all(|want| holds(want, item))
                    && arrays
                        .at
                        .iter()
                        .filter(|(at, _)| *at == index)
                        .all(|(_, instead)| holds(&instead.want, item))
            })
            && arrays.at.iter().all(|(at, _)| *at < items.len())
    }
}

fn same_wants(left: &[Want<'_>], right: &[Want<'_>]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|pair| match pair {
            (Want::Holds(left), Want::Holds(right)) | (Want::Fails(left), Want::Fails(right)) => {
                std::ptr::eq(*left, *right)
            }
            _ => false,
        })
}
