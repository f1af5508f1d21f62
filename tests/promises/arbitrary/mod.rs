//! Arbitrary schemas of draft 2020-12, small and of every kind.
//!
//! Nothing is kept out but ill-founded recursion: a schema that reaches itself on the same instance means
//! nothing. References are placed freely, and those that close such a circle are taken out again.
//!
//! | file | what is in it |
//! |---|---|
//! | [`chance`] | choosing |
//! | [`keywords`] | schemas, keyword by keyword |
//! | [`places`] | where the schemas of a document are, and what a reference means |
//! | [`links`] | anchors, resources and references, put where the schemas are |
//! | [`shrinking`] | smaller schemas |

mod chance;
mod keywords;
mod links;
pub mod places;
mod shrinking;

use std::fmt;

use quickcheck::{Arbitrary, Gen};
use serde_json::Value;

use chance::Chance;

/// A schema.
#[derive(Clone, PartialEq)]
pub struct Arbitrarily(pub Value);

impl fmt::Debug for Arbitrarily {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl Arbitrary for Arbitrarily {
    fn arbitrary(random: &mut Gen) -> Self {
        let mut chance = Chance { random };
        let mut root = keywords::document(&mut chance);
        links::add(&mut chance, &mut root);
        Arbitrarily(links::well_founded(root))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(shrinking::smaller(&self.0).into_iter().map(|value| Arbitrarily(links::well_founded(value))))
    }
}

/// Two schemas, more often than not the second a variation of the first, as a conversion is.
#[derive(Clone, Debug)]
pub struct Pair {
    pub source: Arbitrarily,
    pub converted: Arbitrarily,
}

impl Arbitrary for Pair {
    fn arbitrary(random: &mut Gen) -> Self {
        let source = Arbitrarily::arbitrary(random);
        let mut chance = Chance { random };
        if chance.one_in(4) {
            return Pair { source, converted: Arbitrarily::arbitrary(random) };
        }
        let mut converted = source.0.clone();
        for _ in 0..1 + chance.below(3) {
            let smaller = shrinking::smaller(&converted);
            if !smaller.is_empty() {
                converted = smaller[chance.below(smaller.len())].clone();
            }
        }
        let converted = Arbitrarily(links::well_founded(converted));
        // What a conversion narrows counts as well as what it widens.
        if chance.one_in(3) {
            Pair { source: converted, converted: source }
        } else {
            Pair { source, converted }
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let (left, right) = (self.clone(), self.clone());
        let sources = left.source.shrink().map(move |source| Pair { source, ..left.clone() });
        let converted = right.converted.shrink().map(move |converted| Pair { converted, ..right.clone() });
        Box::new(sources.chain(converted))
    }
}
