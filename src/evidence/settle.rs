//! What is shown without a witness: losses that are none, and whole directions in which nothing changes.

use std::collections::HashSet;

use serde_json::Value;

use super::search::Search;
use super::site::Site;
use crate::adapt::Finding;
use crate::containment::{Side, outside};
use crate::differential::classify::Sorted;
use crate::differential::isolate::Isolation;
use crate::error::Error;
use crate::redundant::Redundancy;
use crate::residual::{Loss, left_between, losses_between, reached, with_possible_types};
use crate::schema::{Document, Origin};
use crate::vocabulary::Keyword;

impl Search<'_> {
    /// Takes out the losses that are none, and settles both directions. Returns what is redundant.
    pub(super) fn settle(&mut self) -> Result<Vec<Loss>, Error> {
        let source = &self.conversion.lifted.document;
        let mut redundancy = Redundancy::new(source, &self.conversion.effective);
        let mut redundant = Vec::new();
        self.sites.retain(|site| {
            let is_redundant = site.widens() && site.is_open() && redundancy.take_out(site.loss);
            if is_redundant {
                redundant.push(site.loss);
            }
            !is_redundant
        });
        if !redundant.is_empty() {
            // What was one of two reasons to reject an instance may be the only one now.
            let document = redundancy.document();
            self.look_beside(document, &self.generator(document))?;
        }
        self.settle_widening(redundancy.document(), &mut redundant)?;
        self.settle_narrowing()?;
        Ok(redundant)
    }

    /// What is known of instances that only the conversion accepts. `source` means what the source means.
    fn settle_widening(&mut self, source: &Document, redundant: &mut Vec<Loss>) -> Result<(), Error> {
        if self.differential.widening != Finding::NoneFound {
            return Ok(());
        }
        let nothing_lost = !self.sites.iter().any(Site::widens)
            && (redundant.is_empty() || losses_between(source, &self.conversion.effective).is_empty());
        let finding =
            if nothing_lost { Finding::Excluded } else { outside(self.effective_side(), self.source_side()) };
        match finding {
            Finding::Excluded => {
                let widening = self.sites.iter().filter(|site| site.widens());
                redundant.extend(widening.map(|site| site.loss));
                self.sites.retain(|site| !site.widens());
                self.differential.widening = Finding::Excluded;
            }
            Finding::Instance(instance) => self.take_as_witness(source, &instance)?,
            Finding::NoneFound => {}
        }
        Ok(())
    }

    /// What is known of instances that only the source accepts. That there are none where no rule noted a
    /// loss is what the rules declare.
    fn settle_narrowing(&mut self) -> Result<(), Error> {
        self.leave_out_implied_narrowings();
        if self.differential.narrowing != Finding::NoneFound {
            return Ok(());
        }
        let nothing_lost = self.sites.iter().all(Site::widens);
        let finding =
            if nothing_lost { Finding::Excluded } else { outside(self.source_side(), self.effective_side()) };
        match finding {
            Finding::Excluded => {
                self.sites.retain(Site::widens);
                self.differential.narrowing = Finding::Excluded;
            }
            Finding::Instance(instance) => {
                self.take_as_witness(&self.conversion.lifted.document, &instance)?
            }
            Finding::NoneFound => {}
        }
        Ok(())
    }

    /// What a rule made narrower may have been as narrow for what is around it. What is enforced beyond the source
    /// is what is left of the conversion where the source holds. A rule rewrites the schema object that it names:
    /// where nothing of its rewrite is left, it takes no instance away; nor where no accepted instance gets to. The
    /// last narrowing stays, unless the whole is shown not to narrow.
    fn leave_out_implied_narrowings(&mut self) {
        let is_open_narrowing = |site: &Site| !site.widens() && site.is_open();
        if !self.sites.iter().any(is_open_narrowing) {
            return;
        }
        let effective = &self.conversion.effective;
        let source = &self.conversion.lifted.document;
        let reached = reached(source);
        let beyond = left_between(effective, &with_possible_types(source)).document;
        let (enforced, left) = (Rewritten::of(effective), Rewritten::of(&beyond));
        let is_implied = |site: &Site| {
            let Loss { origin, keyword } = site.loss;
            let of_rewrite = if enforced.has(origin, Some(keyword)) { Some(keyword) } else { None };
            let has_no_effect = enforced.has(origin, of_rewrite) && !left.has(origin, of_rewrite);
            is_open_narrowing(site) && (has_no_effect || !reached.contains(&origin))
        };
        let stays = |site: &Site| !site.widens() && !is_implied(site);
        if self.sites.iter().any(stays) || left.is_nothing() {
            self.sites.retain(|site| !is_implied(site));
        }
    }

    /// Counts an instance that was found for the whole, and gives it to the divergences that it shows.
    fn take_as_witness(&mut self, source: &Document, instance: &Value) -> Result<(), Error> {
        let sorted = self.look_at(instance)?;
        let violated = self.violated(instance)?;
        // It is not known which of several narrowings rejects it.
        let is_only_narrowing = self.sites.iter().filter(|site| !site.widens()).count() == 1;
        for site in self.sites.iter_mut().filter(|site| site.is_open()) {
            let shows = match sorted {
                Sorted::Agreed => false,
                Sorted::Narrowed => !site.widens() && is_only_narrowing,
                Sorted::Widened => {
                    let mut isolation =
                        Isolation::new(source, site.loss.origin, site.loss.keyword, self.leaves.patterns());
                    site.widens() && isolation.isolates(&violated, instance)?
                }
            };
            if shows {
                site.witness = Some(instance.clone());
            }
        }
        Ok(())
    }

    fn source_side(&self) -> Side<'_> {
        Side { document: &self.conversion.lifted.document, validator: &self.source }
    }

    fn effective_side(&self) -> Side<'_> {
        Side { document: &self.conversion.effective, validator: &self.effective }
    }
}

/// The keywords of a document, by the schema object of the source that they come from.
struct Rewritten(HashSet<(Origin, Option<Keyword>)>);

impl Rewritten {
    fn of(document: &Document) -> Rewritten {
        let keywords = document.everywhere().flat_map(|schema| {
            let constraining = schema.keywords().iter().filter(|(keyword, _)| keyword.constrains());
            constraining.flat_map(|(keyword, _)| [(schema.origin, Some(*keyword)), (schema.origin, None)])
        });
        Rewritten(keywords.collect())
    }

    fn has(&self, origin: Origin, keyword: Option<Keyword>) -> bool {
        self.0.contains(&(origin, keyword))
    }

    fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }
}
