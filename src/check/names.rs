//! Whether the surface knows a schema's keywords, and heeds them.

use serde_json::Value;

use super::positions::Node;
use super::{Consequence, Found, consequence};
use crate::vocabulary::Keyword;

/// Keywords that say of a node what type its instances are.
const GIVE_A_TYPE: [&str; 8] = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "not"];

pub(super) fn check(node: &Node<'_>, found: &mut Found<'_>) {
    let Some(members) = node.members() else { return };
    for (name, value) in members {
        let rule = match (name.as_str(), value) {
            ("items", Value::Array(_)) => "[draft7]",
            (name, _) => name,
        };
        let state = found.target.support_name(rule).state;
        // What is no constraint loses nothing by being ignored.
        if let Some(consequence) = consequence(state)
            && (consequence != Consequence::Ignored || constrains(rule))
        {
            found.keyword(&node.pointer(), rule, consequence, &format!("`{rule}`: {}", state.in_words()));
        }
    }
    let is_typed = GIVE_A_TYPE.iter().any(|keyword| node.has(keyword));
    let support = found.target.support_name("[bool]");
    if !is_typed && !support.sent {
        let consequence = consequence(support.state).unwrap_or(Consequence::Unstated);
        found.keyword(
            &node.pointer(),
            "[bool]",
            consequence,
            "a node without a keyword that gives it a type",
        );
    }
}

fn constrains(name: &str) -> bool {
    match name {
        "[draft7]" | "additionalItems" | "dependencies" | "$dynamicRef" | "$recursiveRef" => true,
        name => Keyword::from_name(name).is_some_and(Keyword::constrains),
    }
}
