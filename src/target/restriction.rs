//! The values for which a keyword is enforced.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::State;
use crate::vocabulary::Types;

/// For which values of a keyword, and beside what, its [`State`] holds. Empty means: always. Outside of it
/// the keyword is not enforced, and is not to be sent; [`outside`](Restriction::outside) says what would
/// happen if it were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Restriction {
    /// `format`: these values only.
    pub(crate) formats: Option<Vec<String>>,
    /// `format`: of these, values outside of the format are let through: they are sent and checked again.
    pub(crate) loose_formats: Vec<String>,
    /// Only where the keyword's own value is below ten to this power.
    pub(crate) below_ten_to: Option<u32>,
    /// Counts and lengths up to this one.
    pub(crate) at_most: Option<u64>,
    /// These counts only.
    pub(crate) one_of: Option<Vec<u64>>,
    /// Only where `additionalProperties` is `false`.
    pub(crate) closed_only: bool,
    /// The other restrictions fall away where every declared property is required.
    pub(crate) unless_all_required: bool,
    /// `additionalProperties`: only `false`.
    pub(crate) only_false: bool,
    /// `enum`, `const`: members of these types only.
    #[serde(deserialize_with = "read_types", serialize_with = "write_types")]
    pub(crate) members: Option<Types>,
    /// `type`: these types only.
    #[serde(deserialize_with = "read_types", serialize_with = "write_types")]
    pub(crate) types: Option<Types>,
    /// `pattern`: not with any of these; such a pattern is what [`outside`](Restriction::outside) is about.
    pub(crate) regex: Vec<RegexFeature>,
    /// `pattern`: these are accepted, and skipped without a word.
    pub(crate) regex_ignored: Vec<RegexFeature>,
    /// `pattern`: repetition counts up to this one.
    pub(crate) repeat_at_most: Option<u64>,
    /// `$ref`: references of these forms only.
    pub(crate) references: Option<Vec<ReferenceForm>>,
    /// Bounds: only where `type` is `integer`.
    pub(crate) integer_only: bool,
    /// Only where the keyword's own value is a whole number.
    pub(crate) whole_values: bool,
    /// Not where one of these keywords stands beside it.
    pub(crate) beside: Vec<String>,
    /// Only where at least one of these keywords stands beside it.
    pub(crate) needs: Vec<String>,
    /// Inside the keyword's subschemas these keywords are not enforced.
    pub(crate) not_inside: Vec<String>,
    /// `oneOf`, `patternProperties`: only where the branches or patterns are provably disjoint.
    pub(crate) disjoint: bool,
    /// `allOf`, `patternProperties`: only with a single member.
    pub(crate) single: bool,
    /// What happens to a value outside. `unmentioned`: the source does not say.
    pub(crate) outside: State,
}

impl Restriction {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Restriction::default()
    }
}

/// Something a regular expression may use and a provider may refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RegexFeature {
    /// `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`.
    Lookaround,
    /// `\1`, `\k<name>`.
    Backreference,
    /// `\b`, `\B`.
    WordBoundary,
    /// `\p{…}`, `\P{…}`.
    UnicodeClass,
    /// `^`, `$`.
    Anchors,
    /// `(?i)`, `(?i:…)`.
    InlineFlags,
    /// `(?(1)…|…)`.
    Conditionals,
    /// `\cA`.
    ControlEscape,
    /// `{n,m}` with a large count; the number is stated nowhere.
    LargeRepeat,
    /// `\d`, `\w`, `\s` and their opposites.
    ShorthandClass,
    /// `[^\\]`: a class that excludes the backslash.
    ExcludedBackslash,
    /// `^` or `$` elsewhere than around the whole pattern.
    InnerAnchor,
    /// A pattern that does not begin with `^` and end with `$`.
    Unanchored,
}

/// How a reference may be spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReferenceForm {
    /// `#`.
    Root,
    /// `#/$defs/Name`.
    Definition,
    /// `#/…` to anywhere.
    Pointer,
    /// `#name`.
    Anchor,
}

fn read_types<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Types>, D::Error> {
    let Some(names) = Option::<Vec<String>>::deserialize(deserializer)? else { return Ok(None) };
    let mut types = Types::EMPTY;
    for name in names {
        let known = Types::from_name(&name);
        types = types
            .with(known.ok_or_else(|| serde::de::Error::custom(format!("`{name}` is not a JSON type")))?);
    }
    Ok(Some(types))
}

// The signature is the one that serde asks for.
fn write_types<S: Serializer>(types: &Option<Types>, serializer: S) -> Result<S::Ok, S::Error> {
    match types {
        Some(types) => serializer.collect_seq(types.names()),
        None => serializer.serialize_none(),
    }
}
