//! The rules by which a schema is projected, each in a file of its own kind, each with its declared effect.
//!
//! A rule looks at one schema object and rewrites it in place; it says whether it did. The subschemas of
//! what it leaves are projected afterwards, so a rule may move unprojected schemas around freely. Rules
//! only ever see places whose loosening loosens the whole (see [`super::project`]).
//!
//! [`RULES`] is applied from the top, again from the top after every change, until nothing changes.

mod all_of;
mod annotations;
pub(crate) mod any_value;
mod arrays;
mod assertions;
mod literals;
mod objects;
mod references;
#[cfg(test)]
mod tests;
mod types;
mod unevaluated;
mod unions;

use super::context::Context;
use super::report::RuleEffect;
use crate::error::Error;
use crate::schema::Schema;

/// One rewrite of one schema object.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) declared: RuleEffect,
    /// Rewrites the schema object where the rule applies and says whether it did.
    pub(crate) apply: fn(&mut Schema, &mut Context<'_>) -> Result<bool, Error>,
}

macro_rules! rules {
    ($($module:ident :: $function:ident, $declared:ident;)*) => {
        /// Every rule, in the order in which they are tried.
        pub(crate) static RULES: &[Rule] = &[
            $(Rule {
                name: stringify!($function),
                declared: RuleEffect::$declared,
                apply: $module::$function,
            },)*
        ];
    };
}

rules! {
    references::inline_reference, Exact;
    references::cut_recursion, Widens;
    all_of::unwrap_all_of, Exact;
    all_of::merge_all_of, Exact;
    unevaluated::unevaluated_as_additional, Exact;
    unevaluated::unevaluated_as_items, Exact;
    unevaluated::drop_unevaluated, Widens;
    literals::constant_as_enum, Exact;
    literals::type_of_literals, Exact;
    literals::nothing_listed, Exact;
    unions::disjoint_one_of, Exact;
    unions::one_of_as_any_of, Widens;
    unions::simplify_any_of, Exact;
    unions::drop_root_union, Widens;
    unions::distribute, Exact;
    unions::join_lists, Exact;
    unions::first_branch, Narrows;
    unions::drop_union, Widens;
    all_of::drop_all_of, Widens;
    types::drop_null, Narrows;
    types::null_beside_a_type, Exact;
    types::type_beside_null, Widens;
    types::implied_type, Narrows;
    types::state_all_types, Exact;
    types::split_types, Exact;
    objects::unrequire_unspeakable, Widens;
    objects::open_unspeakable, Widens;
    objects::leave_out_unspeakable, Narrows;
    objects::loosen_pattern_properties, Widens;
    objects::declare_required, Exact;
    objects::drop_forbidden_property, Exact;
    objects::allow_forbidden_property, Widens;
    objects::close_object, Narrows;
    objects::drop_additional_properties, Widens;
    objects::open_empty_object, Widens;
    objects::require_one, Narrows;
    objects::state_openness, Exact;
    arrays::tuple_as_items, Widens;
    arrays::no_items, Exact;
    arrays::allow_items, Widens;
    arrays::declare_items, Exact;
    literals::drop_literals, Widens;
    assertions::drop_assertion, Widens;
    types::drop_unread, Widens;
    annotations::drop_annotation, Exact;
    any_value::spell_nothing, Widens;
    any_value::spell_any_value, Exact;
    any_value::narrow_any_value, Narrows;
    references::wrap_reference, Exact;
}
