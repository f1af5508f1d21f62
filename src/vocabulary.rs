//! What each keyword of JSON Schema 2020-12 is and what its value holds.
//!
//! This is the only place that lists keywords. Everything that walks a schema asks [`Keyword::holds`]
//! where the subschemas are, so that position decides what is a schema and what is data: a property
//! called `pattern` is a property, and the contents of `const`, `enum`, `default` and `examples` are
//! never looked into.
//!
//! Source: JSON Schema Core and Validation, draft 2020-12,
//! <https://json-schema.org/draft/2020-12/json-schema-core> and
//! <https://json-schema.org/draft/2020-12/json-schema-validation>.

use std::fmt;

/// Where the subschemas are in a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// No subschema: the value is data.
    Data,
    /// The value is a reference to a definition.
    Reference,
    /// The value is one schema.
    Schema,
    /// The value is an array of schemas.
    Schemas,
    /// The value maps names to schemas.
    NamedSchemas,
}

impl Holds {
    /// The same for a member of a schema object that has not been lifted, in any draft.
    pub(crate) fn in_any_draft(name: &str, value: &serde_json::Value) -> Holds {
        match name {
            "$defs" | "definitions" | "dependencies" => Holds::NamedSchemas,
            "additionalItems" => Holds::Schema,
            "items" if value.is_array() => Holds::Schemas,
            name => Keyword::from_name(name).map_or(Holds::Data, Keyword::holds),
        }
    }
}

/// What a keyword does to an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Restricts the instance by itself.
    Assertion,
    /// Applies subschemas to the instance or to a part of it.
    Applicator,
    /// Changes no verdict.
    Annotation,
}

/// Keywords that have no meaning apart from each other and are therefore taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Group {
    /// `properties`, `patternProperties`, `additionalProperties`.
    Properties,
    /// `prefixItems`, `items`.
    Items,
    /// `contains`, `minContains`, `maxContains`.
    Contains,
    /// `if`, `then`, `else`.
    Conditional,
    /// A keyword that means the same whatever stands beside it.
    Alone(Keyword),
}

macro_rules! keywords {
    ($($variant:ident $name:literal $holds:ident $role:ident [$($applies:ident)*];)*) => {
        /// A keyword of draft 2020-12 that can stand in a lifted schema.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Keyword { $(#[doc = $name] $variant),* }

        impl Keyword {
            /// Every keyword, in the order of the table.
            pub(crate) const ALL: &'static [Keyword] = &[$(Keyword::$variant),*];

            /// The keyword of this name.
            pub(crate) fn from_name(name: &str) -> Option<Keyword> {
                match name { $($name => Some(Keyword::$variant),)* _ => None }
            }

            /// The name as it is written in a schema.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Keyword::$variant => $name),* }
            }

            /// Where this keyword's subschemas are.
            pub(crate) const fn holds(self) -> Holds {
                match self { $(Keyword::$variant => Holds::$holds),* }
            }

            /// What this keyword does to an instance.
            pub(crate) const fn role(self) -> Role {
                match self { $(Keyword::$variant => Role::$role),* }
            }

            /// The instance types it says something about; to all others it says nothing.
            pub(crate) const fn applies_to(self) -> Types {
                match self { $(Keyword::$variant => Types::EMPTY$(.with(Types::$applies))*),* }
            }
        }
    };
}

keywords! {
    Ref "$ref" Reference Applicator [ANY];
    Comment "$comment" Data Annotation [ANY];
    Title "title" Data Annotation [ANY];
    Description "description" Data Annotation [ANY];
    Default "default" Data Annotation [ANY];
    Deprecated "deprecated" Data Annotation [ANY];
    ReadOnly "readOnly" Data Annotation [ANY];
    WriteOnly "writeOnly" Data Annotation [ANY];
    Examples "examples" Data Annotation [ANY];
    ContentEncoding "contentEncoding" Data Annotation [STRING];
    ContentMediaType "contentMediaType" Data Annotation [STRING];
    ContentSchema "contentSchema" Schema Annotation [STRING];
    Type "type" Data Assertion [ANY];
    Enum "enum" Data Assertion [ANY];
    Const "const" Data Assertion [ANY];
    IntegerLiteral "x-integer-literal" Data Assertion [NUMBER];
    MultipleOf "multipleOf" Data Assertion [NUMBER];
    Minimum "minimum" Data Assertion [NUMBER];
    Maximum "maximum" Data Assertion [NUMBER];
    ExclusiveMinimum "exclusiveMinimum" Data Assertion [NUMBER];
    ExclusiveMaximum "exclusiveMaximum" Data Assertion [NUMBER];
    MinLength "minLength" Data Assertion [STRING];
    MaxLength "maxLength" Data Assertion [STRING];
    Pattern "pattern" Data Assertion [STRING];
    Format "format" Data Assertion [STRING];
    PrefixItems "prefixItems" Schemas Applicator [ARRAY];
    Items "items" Schema Applicator [ARRAY];
    Contains "contains" Schema Applicator [ARRAY];
    MinContains "minContains" Data Assertion [ARRAY];
    MaxContains "maxContains" Data Assertion [ARRAY];
    MinItems "minItems" Data Assertion [ARRAY];
    MaxItems "maxItems" Data Assertion [ARRAY];
    UniqueItems "uniqueItems" Data Assertion [ARRAY];
    UnevaluatedItems "unevaluatedItems" Schema Applicator [ARRAY];
    Properties "properties" NamedSchemas Applicator [OBJECT];
    PatternProperties "patternProperties" NamedSchemas Applicator [OBJECT];
    AdditionalProperties "additionalProperties" Schema Applicator [OBJECT];
    PropertyNames "propertyNames" Schema Applicator [OBJECT];
    Required "required" Data Assertion [OBJECT];
    MinProperties "minProperties" Data Assertion [OBJECT];
    MaxProperties "maxProperties" Data Assertion [OBJECT];
    DependentRequired "dependentRequired" Data Assertion [OBJECT];
    DependentSchemas "dependentSchemas" NamedSchemas Applicator [OBJECT];
    UnevaluatedProperties "unevaluatedProperties" Schema Applicator [OBJECT];
    AllOf "allOf" Schemas Applicator [ANY];
    AnyOf "anyOf" Schemas Applicator [ANY];
    OneOf "oneOf" Schemas Applicator [ANY];
    Not "not" Schema Applicator [ANY];
    If "if" Schema Applicator [ANY];
    Then "then" Schema Applicator [ANY];
    Else "else" Schema Applicator [ANY];
}

impl Keyword {
    /// The group of keywords that this one must be taken together with.
    pub(crate) const fn group(self) -> Group {
        match self {
            Keyword::Properties | Keyword::PatternProperties | Keyword::AdditionalProperties => {
                Group::Properties
            }
            Keyword::PrefixItems | Keyword::Items => Group::Items,
            Keyword::Contains | Keyword::MinContains | Keyword::MaxContains => Group::Contains,
            Keyword::If | Keyword::Then | Keyword::Else => Group::Conditional,
            alone => Group::Alone(alone),
        }
    }

    /// Whether the subschemas of this keyword apply to the instance itself, and not to a part of it.
    pub(crate) const fn is_in_place(self) -> bool {
        matches!(
            self,
            Keyword::AllOf
                | Keyword::AnyOf
                | Keyword::OneOf
                | Keyword::Not
                | Keyword::If
                | Keyword::Then
                | Keyword::Else
                | Keyword::DependentSchemas
        )
    }

    /// Whether the keyword can change a verdict.
    pub(crate) const fn constrains(self) -> bool {
        !matches!(self.role(), Role::Annotation)
    }
}

impl fmt::Display for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of instance types. `number` contains `integer`, as in the specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const EMPTY: Types = Types(0);
    pub(crate) const NULL: Types = Types(1);
    pub(crate) const BOOLEAN: Types = Types(2);
    pub(crate) const STRING: Types = Types(4);
    pub(crate) const INTEGER: Types = Types(8);
    pub(crate) const NUMBER: Types = Types(8 | 16);
    pub(crate) const ARRAY: Types = Types(32);
    pub(crate) const OBJECT: Types = Types(64);
    pub(crate) const ANY: Types = Types(127);

    /// The types one by one, whole numbers and other numbers together.
    pub(crate) const EACH: [Types; 6] =
        [Types::NULL, Types::BOOLEAN, Types::STRING, Types::NUMBER, Types::ARRAY, Types::OBJECT];

    /// The types in the order in which they are written; `number` stands before `integer`.
    const NAMED: [(&'static str, Types); 7] = [
        ("string", Types::STRING),
        ("number", Types::NUMBER),
        ("integer", Types::INTEGER),
        ("boolean", Types::BOOLEAN),
        ("object", Types::OBJECT),
        ("array", Types::ARRAY),
        ("null", Types::NULL),
    ];

    /// The type of this name.
    pub(crate) fn from_name(name: &str) -> Option<Types> {
        Some(match name {
            "string" => Types::STRING,
            "number" => Types::NUMBER,
            "integer" => Types::INTEGER,
            "boolean" => Types::BOOLEAN,
            "object" => Types::OBJECT,
            "array" => Types::ARRAY,
            "null" => Types::NULL,
            _ => return None,
        })
    }

    /// The types that a value of the `type` keyword lists.
    pub(crate) fn listed(value: &serde_json::Value) -> Types {
        use serde_json::Value;
        match value {
            Value::String(name) => Types::from_name(name).unwrap_or(Types::EMPTY),
            Value::Array(names) => names
                .iter()
                .filter_map(|name| Types::from_name(name.as_str()?))
                .fold(Types::EMPTY, Types::with),
            _ => Types::EMPTY,
        }
    }

    /// The type of an instance. A number without a fractional part is an `integer`.
    pub(crate) fn of(instance: &serde_json::Value) -> Types {
        use serde_json::Value;
        match instance {
            Value::Null => Types::NULL,
            Value::Bool(_) => Types::BOOLEAN,
            Value::String(_) => Types::STRING,
            Value::Number(number) if number.as_f64().is_some_and(|float| float.fract() == 0.0) => {
                Types::INTEGER
            }
            Value::Number(_) => Types::NUMBER,
            Value::Array(_) => Types::ARRAY,
            Value::Object(_) => Types::OBJECT,
        }
    }

    pub(crate) const fn with(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Types) -> Types {
        Types(self.0 & !other.0)
    }

    pub(crate) const fn contains(self, other: Types) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names that a `type` keyword for this set lists, fewest first: `number` covers `integer`.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Types::NAMED
            .iter()
            .filter(move |(name, types)| {
                self.contains(*types) && !(*name == "integer" && self.contains(Types::NUMBER))
            })
            .map(|(name, _)| *name)
    }

    /// The single types in this set, `number` and `integer` as one.
    pub(crate) fn each(self) -> impl Iterator<Item = Types> {
        self.names().filter_map(Types::from_name)
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_by_its_name() {
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::from_name(keyword.name()), Some(*keyword));
        }
        assert_eq!(Keyword::from_name("definitions"), None);
    }

    #[test]
    fn number_contains_integer() {
        assert!(Types::NUMBER.contains(Types::INTEGER));
        assert_eq!(Types::NUMBER.names().collect::<Vec<_>>(), ["number"]);
        assert_eq!(Types::INTEGER.with(Types::NULL).names().collect::<Vec<_>>(), ["integer", "null"]);
        assert_eq!(Types::of(&serde_json::json!(2.0)), Types::INTEGER);
        assert_eq!(Types::of(&serde_json::json!(2.5)), Types::NUMBER);
    }
}
