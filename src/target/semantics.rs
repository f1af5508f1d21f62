//! What a surface reads differently from the standard, how much it takes, and how things may be called.

use serde::{Deserialize, Serialize};

use super::name::NameRule;
use super::structure::choice;

/// Where the surface's reading of a schema differs from the standard's. This shapes the effective schema.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Semantics {
    /// What `oneOf` means, where it is accepted.
    pub(crate) one_of: OneOf,
    /// What an object without `additionalProperties` is.
    pub(crate) absent_additional_properties: Absent,
    /// How `pattern` is matched.
    pub(crate) pattern: PatternMatch,
    /// How the names in `patternProperties` are matched.
    pub(crate) pattern_properties: PatternMatch,
    /// In a pattern, `.` matches line ends too.
    pub(crate) dot_matches_newline: bool,
    /// The capitals of `enum` and `const` strings come out as written.
    pub(crate) enum_casing: bool,
    /// What stands beside `$ref` is accepted and has no effect.
    pub(crate) reference_siblings_ignored: bool,
    /// Keys come out in the order of the schema.
    pub(crate) property_order: bool,
    /// Required properties come out before optional ones.
    pub(crate) required_first: bool,
    /// Names in `required` that are not in `properties` have no effect.
    pub(crate) required_undeclared_ignored: bool,
    /// An array with `prefixItems` has no further items.
    pub(crate) tuples_closed: bool,
    /// An array with `prefixItems` has all of them.
    pub(crate) tuples_full: bool,
    /// What the schema `{}` accepts.
    pub(crate) empty_schema: Empty,
    /// Where the surface compiles one branch of a node and drops everything beside it: the branches, the
    /// first that applies wins. Where none applies all keywords count, as in the standard.
    pub(crate) branches: Vec<Branch>,
    /// The mode in which anything is enforced at all, for example `VALIDATED`.
    pub(crate) enforced_only_in: Option<String>,
    /// What else is different.
    pub(crate) notes: Vec<String>,
}

impl Default for Semantics {
    fn default() -> Semantics {
        Semantics {
            one_of: OneOf::Exclusive,
            absent_additional_properties: Absent::Unstated,
            pattern: PatternMatch::Unstated,
            pattern_properties: PatternMatch::Unstated,
            dot_matches_newline: false,
            enum_casing: true,
            reference_siblings_ignored: false,
            property_order: false,
            required_first: false,
            required_undeclared_ignored: false,
            tuples_closed: false,
            tuples_full: false,
            empty_schema: Empty::Any,
            branches: Vec::new(),
            enforced_only_in: None,
            notes: Vec::new(),
        }
    }
}

choice! {
    /// What `oneOf` means.
    OneOf {
        /// Exactly one, as in the standard.
        Exclusive,
        /// The same as `anyOf`.
        AnyOf,
    }
}

choice! {
    /// What an object without `additionalProperties` is.
    Absent {
        /// Open, as in the standard.
        Open,
        /// Closed.
        Closed,
        /// Closed where it has `properties`, open where it has none.
        ClosedBesideProperties,
        /// The source does not say. To be on the safe side it counts as open.
        Unstated,
    }
}

choice! {
    /// How a regular expression is matched.
    PatternMatch {
        /// Anywhere in the string, as in the standard.
        Search,
        /// Against the whole string.
        Whole,
        /// The source does not say: only a pattern with `^` and `$` means the same either way.
        Unstated,
    }
}

choice! {
    /// What `{}` accepts.
    Empty {
        /// Everything, as in the standard.
        Any,
        /// Every object.
        Object,
    }
}

/// One way in which a surface reads a node when it reads only a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Branch {
    /// The branch is taken where one of these keywords stands in the node.
    pub(crate) on: Vec<String>,
    /// The keywords that then count beside those; all others are dropped.
    #[serde(default)]
    pub(crate) keeps: Vec<String>,
}

/// How large a schema may be. Absent: no number is published. These become warnings, not rewrites.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    /// Properties in the whole schema.
    pub(crate) properties: Option<usize>,
    /// Levels of nesting.
    pub(crate) depth: Option<usize>,
    /// The steps that count as a level.
    pub(crate) depth_counts: Vec<DepthStep>,
    /// `enum` members in the whole schema.
    pub(crate) enum_values: Option<usize>,
    /// Characters of property names, definition names, `enum` and `const` values together.
    pub(crate) name_characters: Option<usize>,
    /// Characters of the strings of one `enum`, once it has more than `enum_characters_above` members.
    pub(crate) enum_characters: Option<usize>,
    /// See `enum_characters`.
    pub(crate) enum_characters_above: Option<usize>,
    /// Characters of the schema as it is sent.
    pub(crate) schema_characters: Option<usize>,
    /// Branches of one `anyOf`.
    pub(crate) any_of_branches: Option<usize>,
    /// Optional properties, over all strict tools and the output schema of a request.
    pub(crate) optional_parameters: Option<usize>,
    /// Properties with `anyOf` or a type array, over all strict tools and the output schema of a request.
    pub(crate) union_parameters: Option<usize>,
    /// Properties, over all tools of a request.
    pub(crate) fields: Option<usize>,
    /// Strict tools of a request.
    pub(crate) strict_tools: Option<usize>,
    /// Tools of a request.
    pub(crate) tools: Option<usize>,
    /// Counts in `minItems`, `maxLength`, `{n,m}` and the like.
    pub(crate) repetitions: Option<usize>,
    /// Digits of an integer.
    pub(crate) integer_digits: Option<usize>,
    /// Seconds that the provider takes to compile a schema before it gives up.
    pub(crate) compile_seconds: Option<usize>,
    /// What else is limited.
    pub(crate) notes: Vec<String>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            properties: None,
            depth: None,
            depth_counts: vec![DepthStep::Properties, DepthStep::Items, DepthStep::AnyOf],
            enum_values: None,
            name_characters: None,
            enum_characters: None,
            enum_characters_above: None,
            schema_characters: None,
            any_of_branches: None,
            optional_parameters: None,
            union_parameters: None,
            fields: None,
            strict_tools: None,
            tools: None,
            repetitions: None,
            integer_digits: None,
            compile_seconds: None,
            notes: Vec::new(),
        }
    }
}

choice! {
    /// A step that counts as a level of nesting.
    DepthStep {
        /// Into a property.
        Properties,
        /// Into an array's items.
        Items,
        /// Into a branch of `anyOf`.
        AnyOf,
        /// Through a `$ref`.
        References,
    }
}

/// How things around the properties may be called. Absent: the source does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Names {
    /// A tool or function.
    pub(crate) tool: Option<NameRule>,
    /// A schema given a name for the output.
    pub(crate) schema: Option<NameRule>,
    /// A definition.
    pub(crate) definition: Option<NameRule>,
}
