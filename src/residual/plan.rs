//! What is left to check, before it is known which parts of it are trivial.
//!
//! Whether a recursive definition has anything left to check depends on itself, so derivation first writes
//! down a plan in which every definition may turn out to be trivial, and [`super::emit`] decides later.

use crate::adapt::branches::Test;
use crate::schema::Schema;
use crate::vocabulary::Keyword;

/// Index of a planned definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DefinitionId(pub(crate) usize);

/// What is left of one schema object of the source. Everything in it must hold.
#[derive(Debug)]
pub(crate) struct Plan<'s> {
    /// The schema object that this is left of.
    pub(crate) source: &'s Schema,
    pub(crate) steps: Vec<Step<'s>>,
}

/// One thing to check.
#[derive(Debug)]
pub(crate) enum Step<'s> {
    /// These keywords of the source as they are, to be reported as one loss of the first.
    Keep(Vec<Keyword>),
    /// Only these of the names in `required`.
    Required(Vec<&'s str>),
    /// The keyword needs its siblings: the whole schema object as it is.
    KeepWhole(Keyword),
    /// A reference to what is left of a definition. Where the converted schema says nothing about the value,
    /// all of the definition is left, and the loss is that of the reference.
    Reference {
        id: DefinitionId,
        says_nothing: bool,
    },
    /// A reference to the definition as it is: nothing finer was derived.
    KeepReference,
    /// Applicators whose parts are independent of each other.
    AllOf(Vec<Plan<'s>>),
    DependentSchemas(Vec<(&'s str, Plan<'s>)>),
    Properties(Properties<'s>),
    Items(Items<'s>),
    /// `anyOf`, or a `oneOf` whose branches exclude each other.
    AnyOf(Union<'s>),
    /// `if`/`then`/`else` as they are, unless nothing is left of either branch.
    Conditional(Vec<Plan<'s>>),
}

/// What is left of `properties`, `patternProperties` and `additionalProperties`.
#[derive(Debug)]
pub(crate) struct Properties<'s> {
    pub(crate) named: Vec<(&'s str, Plan<'s>)>,
    pub(crate) patterns: Vec<(&'s str, Plan<'s>)>,
    pub(crate) additional: Option<Plan<'s>>,
}

/// What is left of `prefixItems` and `items`.
#[derive(Debug)]
pub(crate) struct Items<'s> {
    pub(crate) prefix: Vec<Plan<'s>>,
    pub(crate) rest: Option<Plan<'s>>,
}

/// What is left of a union.
#[derive(Debug)]
pub(crate) struct Union<'s> {
    pub(crate) keyword: Keyword,
    pub(crate) branches: Vec<(Test, Plan<'s>)>,
    /// For each alternative of the view the branches whose test it passes for certain.
    pub(crate) passed: Vec<Vec<usize>>,
    /// For each alternative what is left, for its values alone, of the branches that they may be in.
    pub(crate) by_alternative: Vec<Vec<Plan<'s>>>,
}
