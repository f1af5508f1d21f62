//! Promises about every profile that comes with the library.

use super::*;
use crate::vocabulary::Types;

fn all() -> Vec<Target> {
    registry::all()
        .map(|(id, text)| {
            let target = Target::from_json(text).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(target.id(), id, "the file is called after the target");
            target
        })
        .collect()
}

fn openai(extra: &str) -> Result<Target, Error> {
    Target::from_json(&format!(r#"{{"extends": "openai.strict", "id": "mine", {extra}}}"#))
}

fn reason(profile: Result<Target, Error>) -> String {
    profile.unwrap_err().to_string()
}

#[test]
fn every_listed_profile_is_offered() {
    let ids: Vec<_> = targets().iter().map(Target::id).collect();
    assert_eq!(ids, registry::all().map(|(id, _)| id).collect::<Vec<_>>());
    for id in &ids {
        assert_eq!(target(id).unwrap().id(), *id);
    }
}

#[test]
fn ids_are_unique() {
    let mut ids: Vec<_> = all().iter().map(|target| target.id().to_owned()).collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn every_keyword_is_stated_or_has_the_default_of_its_profile() {
    for target in all() {
        let stated = target.keywords.stated();
        for keyword in Keyword::ALL {
            let support = target.support(*keyword);
            if *keyword == Keyword::IntegerLiteral {
                assert_eq!((support.state, support.sent), (State::Unmentioned, false), "{}", target.id());
            } else if !stated.iter().any(|name| name == keyword.name()) {
                assert_eq!(support, target.keywords.default_support(), "{}: {keyword}", target.id());
            }
            // Whatever is enforced is sent, and what would fail the request is not.
            match support.state {
                State::Enforced => assert!(support.sent, "{}: {keyword}", target.id()),
                State::Rejected => assert!(!support.sent, "{}: {keyword}", target.id()),
                State::Ignored | State::Unmentioned => {}
            }
        }
    }
}

#[test]
fn what_makes_a_schema_is_enforced_or_at_least_sent() {
    let basics = [Keyword::Type, Keyword::Properties, Keyword::Required, Keyword::Items, Keyword::Enum];
    for target in all() {
        for keyword in basics {
            assert!(target.support(keyword).sent, "{}: {keyword}", target.id());
        }
    }
}

#[test]
fn every_profile_cites_a_source_with_a_date() {
    let year = |text: &str| text.contains("202");
    for target in all() {
        assert!(!target.label().is_empty() && !target.field().is_empty() && !target.version().is_empty());
        assert!(target.captured_at().len() >= 7 && year(target.captured_at()), "{}", target.id());
        assert!(target.source_url().starts_with("https://"), "{}", target.id());
        for source in target.sources() {
            assert!(source.url.starts_with("https://"), "{}: {}", target.id(), source.url);
        }
        assert!(target.sources().iter().any(|source| year(&source.read)), "{}", target.id());
        for name in target.keywords.stated() {
            let cited = target.support_name(name).source.as_deref();
            assert!(cited.is_none_or(|source| source.starts_with("https://")), "{}: {name}", target.id());
        }
    }
}

#[test]
fn names_inside_profiles_are_keywords() {
    let known = |name: &String| Keyword::from_name(name).is_some() || name == "$schema";
    for target in all() {
        for name in target.keywords.stated() {
            let restriction = &target.support_name(name).restriction;
            let mut mentioned =
                restriction.beside.iter().chain(&restriction.needs).chain(&restriction.not_inside);
            assert!(mentioned.all(known), "{}: {name}", target.id());
        }
        for branch in &target.semantics().branches {
            assert!(branch.on.iter().chain(&branch.keeps).all(known), "{}: {branch:?}", target.id());
        }
    }
}

#[test]
fn structure_and_keywords_agree() {
    for target in all() {
        let structure = target.structure();
        let inlined = structure.inlining == Inlining::Always;
        assert!(
            inlined || target.support(Keyword::Ref).sent,
            "{}: references neither sent nor inlined",
            target.id()
        );
        if structure.nullable == Nullable::Marker {
            assert_eq!(target.support_name("nullable").state, State::Enforced, "{}", target.id());
        }
        if structure.tuples != Tuples::None {
            assert!(target.support(Keyword::PrefixItems).sent, "{}", target.id());
        }
        if structure.closed_objects {
            let support = target.support(Keyword::AdditionalProperties);
            assert!(support.sent && support.restriction.only_false, "{}", target.id());
        }
    }
}

#[test]
fn the_subset_until_may_2025() {
    let legacy = target("openai.strict.legacy").unwrap();
    let states = |names: &str| {
        let names = names.split(' ').map(|name| legacy.support_name(name));
        names.map(|support| (support.state, support.documented)).collect::<Vec<_>>()
    };
    let enforced = "type properties required additionalProperties items enum anyOf $defs $ref const";
    assert!(states(enforced).iter().all(|answer| *answer == (State::Enforced, true)));
    assert!(states("$anchor $id description title").iter().all(|answer| *answer == (State::Ignored, true)));
    let rejected = "minLength maxLength pattern format minimum maximum multipleOf patternProperties \
        unevaluatedProperties propertyNames minProperties maxProperties unevaluatedItems contains \
        minContains maxContains minItems maxItems uniqueItems";
    assert!(states(rejected).iter().all(|answer| *answer == (State::Rejected, true)));
    let rest = "allOf oneOf not if exclusiveMinimum default prefixItems dependentRequired";
    assert!(states(rest).iter().all(|answer| *answer == (State::Unmentioned, false)));
    assert_eq!((legacy.limits().properties, legacy.limits().depth), (Some(100), Some(5)));
}

#[test]
fn an_unknown_target_lists_the_known_ones() {
    let message = target("openai.stict").unwrap_err().to_string();
    assert!(message.contains("openai.stict") && message.contains("gemini.parametersJsonSchema"), "{message}");
}

#[test]
fn an_unknown_field_is_an_error_that_names_it() {
    assert!(reason(openai(r#""lable": "x""#)).contains("`lable`"));
    assert!(reason(openai(r#""structure": {"root_objekt": true}"#)).contains("`root_objekt`"));
    assert!(reason(openai(r#""limits": {"width": 1}"#)).contains("`width`"));
    assert!(reason(openai(r#""keywords": {"minimun": {"state": "ignored"}}"#)).contains("`minimun`"));
    assert!(reason(openai(r#""keywords": {"[lenn]": {"state": "ignored"}}"#)).contains("`[lenn]`"));
    let misspelt = r#""keywords": {"enum": {"state": "ignored", "sended": true}}"#;
    assert!(reason(openai(misspelt)).contains("`sended`"));
    let unknown = r#""keywords": {"enum": {"state": "enforced", "restriction": {"most": 3}}}"#;
    assert!(reason(openai(unknown)).contains("`most`"));
    let misnamed = r#""keywords": {"type": {"state": "enforced", "restriction": {"types": ["text"]}}}"#;
    assert!(reason(openai(misnamed)).contains("`text`"));
    assert!(reason(Target::from_json("[1")).contains("line 1"));
}

#[test]
fn contradictions_and_gaps_are_errors() {
    let twice = r#""keywords": {"enum, type": {"state": "ignored"}, "enum": {"state": "rejected"}}"#;
    assert!(reason(openai(twice)).contains("`enum` is listed twice"));
    let unsent = r#""keywords": {"enum": {"state": "enforced", "sent": false}}"#;
    assert!(reason(openai(unsent)).contains("`enum`"));
    let rejected = r#""keywords": {"enum": {"state": "rejected", "sent": true}}"#;
    assert!(reason(openai(rejected)).contains("`enum`"));
    assert!(reason(openai(r#""sources": []"#)).contains("sources"));
    assert!(reason(openai(r#""sources": [{"url": "https://a", "read": ""}]"#)).contains("sources"));
    assert!(reason(Target::from_json(r#"{"extends": "openai.strict"}"#)).contains("`id`"));
    assert!(reason(Target::from_json(r#"{"extends": "nobody", "id": "a"}"#)).contains("`nobody`"));
    assert!(reason(Target::from_json("{}")).contains("sources"));
}

#[test]
fn a_profile_extends_another() {
    let mine = openai(
        r#""label": "Mine", "keywords": {"[len]": {"state": "ignored"}, "minLength": {"state": "enforced"}},
           "structure": {"all_required": false}, "limits": {"depth": 3}"#,
    )
    .unwrap();
    let base = target("openai.strict").unwrap();
    assert_eq!((mine.id(), mine.label()), ("mine", "Mine"));
    assert_eq!((mine.field(), mine.source_url()), (base.field(), base.source_url()));
    // A name by itself goes before the group that contains it.
    assert_eq!(mine.support(Keyword::MinLength).state, State::Enforced);
    assert_eq!(mine.support(Keyword::MaxLength).state, State::Ignored);
    assert_eq!(mine.support(Keyword::Pattern), base.support(Keyword::Pattern));
    assert!(!mine.structure().all_required && mine.structure().closed_objects);
    assert_eq!((mine.limits().depth, mine.limits().properties), (Some(3), Some(5000)));
}

#[test]
fn names_outside_the_vocabulary_are_answered() {
    let target =
        openai(r#""keywords": {"x-*": {"state": "ignored"}, "x-note": {"state": "rejected"}}"#).unwrap();
    assert_eq!(target.support_name("$defs").state, State::Enforced);
    assert_eq!(target.support_name("[bool]").state, State::Rejected);
    assert_eq!(target.support_name("x-anything").state, State::Ignored);
    assert_eq!(target.support_name("x-note").state, State::Rejected);
    assert_eq!(target.support_name("pattern"), target.support(Keyword::Pattern));
    assert_eq!(target.support_name("whatever").state, State::Unmentioned);
    assert_eq!(target.support(Keyword::IntegerLiteral).state, State::Unmentioned);
}

#[test]
fn restrictions_are_read() {
    let legacy = target("gemini.functionDeclarationParameters").unwrap();
    let members = legacy.support(Keyword::Enum).restriction.members;
    assert_eq!(members, Some(Types::STRING));
    let strict = target("openai.strict").unwrap();
    let pattern = &strict.support(Keyword::Pattern).restriction;
    assert_eq!(pattern.regex, [RegexFeature::Lookaround, RegexFeature::UnicodeClass]);
    assert_eq!(pattern.outside, State::Rejected);
    assert!(strict.support(Keyword::Minimum).restriction.is_empty());
}

#[test]
fn the_page_says_what_a_reader_needs() {
    let page = target("openai.strict").unwrap().to_string();
    for expected in [
        "openai.strict: OpenAI Structured Outputs",
        "sent as   Chat Completions response_format.json_schema.schema",
        "https://developers.openai.com/api/docs/guides/structured-outputs (text of 2025-11-30",
        "last seen 2026-09-14",
        "Enforced: the output is constrained by these",
        "formats: date-time, time, date, duration, email, hostname, ipv4, ipv6, uuid",
        "refused in a pattern: lookaround, unicode-class",
        "uniqueItems [not in the vendor's text]",
        "source: https://github.com/1jehuang/jcode/issues/687 (2026-07-31)",
        "minLength, maxLength",
        "and every keyword that is not listed here",
        "all required: yes",
        "depth: 10",
        "property order: yes",
        "tool: characters: [a-zA-Z0-9_-], max length: 64",
    ] {
        assert!(page.contains(expected), "{expected:?} is missing from\n{page}");
    }
    assert!(!page.contains("x-integer-literal"));
}
