//! What a schema must look like for a surface to take it.

use serde::{Deserialize, Serialize};

use super::name::NameRule;

/// The rules of form. A profile states those that differ from the default, which is what to send where a
/// source is silent: a root object without combinators, bare references into `$defs`, no type arrays.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Structure {
    /// The root must say `type: "object"`.
    pub(crate) root_object: bool,
    /// `anyOf`, `oneOf`, `allOf`, `enum`, `const`, `not` may stand at the root.
    pub(crate) root_combinators: bool,
    /// `$ref` may stand at the root.
    pub(crate) root_reference: bool,
    /// Every property must be listed in `required`.
    pub(crate) all_required: bool,
    /// Every object must say `additionalProperties: false`.
    pub(crate) closed_objects: bool,
    /// Every node must say `type`, or be an `anyOf` or a `$ref`.
    pub(crate) type_required: bool,
    /// A node that declares properties says `type: "object"`, whether or not other nodes say a type.
    pub(crate) typed_objects: bool,
    /// Which arrays `type` may hold.
    pub(crate) type_arrays: TypeArrays,
    /// How "or null" is spelled.
    pub(crate) nullable: Nullable,
    /// What may stand beside `$ref`.
    pub(crate) reference_siblings: Siblings,
    /// Where a definition may refer to itself.
    pub(crate) recursion: Recursion,
    /// Which references are better replaced by what they refer to.
    pub(crate) inlining: Inlining,
    /// Every array must say `items`.
    pub(crate) items_required: bool,
    /// No assertion and no applicator may stand beside `anyOf`, `type` included.
    pub(crate) any_of_alone: bool,
    /// Nothing at all may stand beside `anyOf`, not even a description.
    pub(crate) any_of_bare: bool,
    /// The names in `required` must be in `properties`.
    pub(crate) required_declared: bool,
    /// Every object needs at least one required property.
    pub(crate) one_required: bool,
    /// An object may have no properties.
    pub(crate) empty_objects: bool,
    /// `type` is spelled `STRING`, `OBJECT`, ….
    pub(crate) uppercase_types: bool,
    /// Under which keyword definitions stand.
    pub(crate) definitions: Definitions,
    /// Definitions may stand at the root only.
    pub(crate) root_definitions: bool,
    /// How properties may be called; absent where the source does not say.
    pub(crate) property_names: Option<NameRule>,
    /// Names that a property must not have.
    pub(crate) reserved_property_names: Vec<String>,
    /// `enum` and `const` need `type` beside them.
    pub(crate) enum_needs_type: bool,
    /// `const` is sent as an `enum` of one value.
    pub(crate) constant_as_enum: bool,
    /// `allOf` is merged into its node wherever that is exact, though the keyword itself is accepted.
    pub(crate) merge_all_of: bool,
    /// `null` is written as `const: null`: the surface has no such `type`.
    pub(crate) null_as_constant: bool,
    /// `^` and `$` around a pattern are taken off.
    pub(crate) strip_anchors: bool,
    /// Which of the schemas `true` and `false` may stand where a schema stands.
    pub(crate) boolean_schemas: BooleanSchemas,
    /// How a tuple is written.
    pub(crate) tuples: Tuples,
    /// Every object lists its properties in `propertyOrdering`.
    pub(crate) property_ordering: bool,
    /// The schema as a whole must be valid under the 2020-12 metaschema.
    pub(crate) valid_2020: bool,
    /// What else the source says about form.
    pub(crate) notes: Vec<String>,
}

impl Default for Structure {
    fn default() -> Structure {
        Structure {
            root_object: true,
            root_combinators: false,
            root_reference: false,
            all_required: false,
            closed_objects: false,
            type_required: false,
            typed_objects: false,
            type_arrays: TypeArrays::None,
            nullable: Nullable::AnyOf,
            reference_siblings: Siblings::None,
            recursion: Recursion::Forbidden,
            inlining: Inlining::Never,
            items_required: false,
            any_of_alone: false,
            any_of_bare: false,
            required_declared: false,
            one_required: false,
            empty_objects: true,
            uppercase_types: false,
            definitions: Definitions::Defs,
            root_definitions: false,
            property_names: None,
            reserved_property_names: Vec::new(),
            enum_needs_type: false,
            constant_as_enum: false,
            merge_all_of: false,
            null_as_constant: false,
            strip_anchors: false,
            boolean_schemas: BooleanSchemas::None,
            tuples: Tuples::None,
            property_ordering: false,
            valid_2020: false,
            notes: Vec::new(),
        }
    }
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub(crate) enum $name { $($(#[$variant_doc])* $variant,)* }
    };
}
pub(super) use choice;

choice! {
    /// Which arrays `type` may hold.
    TypeArrays {
        /// None: one name only.
        None,
        /// One type and `null`.
        Nullable,
        /// Any.
        Any,
    }
}

choice! {
    /// How "or null" is spelled.
    Nullable {
        /// `type: ["string", "null"]`.
        TypeArray,
        /// `anyOf: […, {type: "null"}]`.
        AnyOf,
        /// `nullable: true`, as in OpenAPI 3.0.
        Marker,
        /// It cannot be said.
        None,
    }
}

choice! {
    /// What may stand beside `$ref`.
    Siblings {
        /// Nothing.
        None,
        /// Other keywords that begin with `$`.
        Dollar,
        /// Annotations.
        Annotations,
        /// Anything.
        Any,
    }
}

impl Siblings {
    /// Whether annotations may stand beside a reference.
    pub(crate) const fn takes_annotations(self) -> bool {
        matches!(self, Siblings::Annotations | Siblings::Any)
    }
}

choice! {
    /// Where a definition may refer to itself.
    Recursion {
        /// Anywhere.
        Allowed,
        /// Only inside a property that is not required.
        OptionalOnly,
        /// Nowhere.
        Forbidden,
    }
}

choice! {
    /// Which references are replaced by what they refer to.
    Inlining {
        /// None.
        Never,
        /// Those that are not part of a cycle.
        NonRecursive,
        /// All: the surface has no references, or none that can be relied on.
        Always,
    }
}

choice! {
    /// Which of the schemas `true` and `false` are taken, `additionalProperties` and `items` aside.
    BooleanSchemas {
        /// Neither.
        None,
        /// `true`.
        True,
        /// Both.
        Both,
    }
}

choice! {
    /// How a tuple is written.
    Tuples {
        /// Not at all.
        None,
        /// `prefixItems`.
        PrefixItems,
        /// `prefixItems` with `items: false`.
        Closed,
        /// `prefixItems` with `minItems` and `maxItems` equal to its length.
        FixedLength,
        /// `prefixItems` without `items`.
        WithoutItems,
    }
}

/// The keyword under which definitions stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Definitions {
    /// `$defs`.
    #[serde(rename = "$defs")]
    Defs,
    /// `definitions`.
    #[serde(rename = "definitions")]
    Definitions,
}

impl Definitions {
    /// The keyword as it is written.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Definitions::Defs => "$defs",
            Definitions::Definitions => "definitions",
        }
    }
}
