//! Good and bad examples for every format that is asserted.

/// Strings of this format, the plainest first; none where the format is not known.
pub(super) fn good(format: &str) -> &'static [&'static str] {
    match format {
        "date-time" => &["2024-01-31T12:00:00Z", "2024-01-31T12:00:00.123Z", "2024-01-31T12:00:00+01:00"],
        "date" => &["2024-01-31", "2020-02-29", "1999-12-31"],
        "time" => &["12:00:00Z", "23:59:59.5Z", "08:30:00+01:00"],
        "duration" => &["P1D", "PT1H", "P1Y2M3DT4H5M6S", "P2W"],
        "email" => &["a@b.co", "ada@example.com", "first.last@sub.example.org"],
        "idn-email" => &["a@b.co", "ada@example.com", "실례@실례.테스트"],
        "hostname" => &["a.co", "example.com", "localhost", "a", "www.example-site.org"],
        "x-hostname-rfc1034" => &["a.co", "example.com", "localhost", "a"],
        "idn-hostname" => &["a.co", "example.com", "localhost", "실례.테스트"],
        "ipv4" => &["127.0.0.1", "1.1.1.1", "192.168.100.200"],
        "ipv6" => &["::1", "::", "2001:db8::1", "2001:0db8:85a3:0000:0000:8a2e:0370:7334"],
        "uri" => &[
            "https://a.co",
            "http://a.co",
            "https://example.com/path",
            "urn:a",
            "a:b",
            "mailto:a@b.co",
            "ftp://a.co",
        ],
        "iri" => &["https://a.co", "http://a.co", "https://example.com/é", "urn:a", "a:b"],
        "uri-reference" => &["/a", "a", "#a", "https://a.co", "http://a.co", "../b?c", ""],
        "iri-reference" => &["/a", "a", "#é", "https://a.co", "http://a.co", ""],
        "uuid" => &["00000000-0000-4000-8000-000000000000", "123e4567-e89b-12d3-a456-426614174000"],
        "uri-template" => &["/a/{id}", "https://a.co/{id}", "a", ""],
        "json-pointer" => &["/a", "", "/a/0", "/a~1b"],
        "relative-json-pointer" => &["0", "1/a", "0#"],
        "regex" => &["^a$", "a", "[a-z]+", ""],
        "x-content-base64" => &["YQ==", "", "YWJj", "YWJjZGVm"],
        "x-content-json" => &["{}", "1", "[]", "\"a\"", "null"],
        "x-content-base64-json" => &["e30=", "MQ==", "W10=", "bnVsbA=="],
        _ => &[],
    }
}

/// Strings that are not of this format: near misses first, then short ones.
pub(super) fn bad(format: &str) -> &'static [&'static str] {
    match format {
        "date-time" => {
            &["2024-01-31", "2024-13-31T12:00:00Z", "2024-01-31 12:00:00", "2024-01-31T12:00:00", "a"]
        }
        "date" => &["2024-02-30", "2024-1-31", "31.01.2024", "a"],
        "time" => &["25:00:00Z", "12:00:00", "12:00", "a"],
        "duration" => &["1D", "P", "P1", "PT1D", "a"],
        "email" | "idn-email" => &["a.b.co", "@b.co", "a@", "a b@c.co", "a"],
        "hostname" | "x-hostname-rfc1034" | "idn-hostname" => &["-a.co", "a..co", "a b", "a_b.co", "-", ""],
        "ipv4" => &["256.0.0.1", "127.0.0", "1.2.3.4.5", "a"],
        "ipv6" => &["12345::", ":::1", "1::2::3", "127.0.0.1", "a"],
        "uri" | "iri" => {
            &["a b", "//a.co", "https://a b.co", "http://a.co/ ", "a", "/a", "http://[", "urn:a b"]
        }
        "uri-reference" | "iri-reference" => &["a b", "\\", "https://a b.co", "http://a.co/ ", "%", "^"],
        "uuid" => &["00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-00000000000g", "a"],
        "uri-template" => &["/a/{id", "{", "}", "https://a.co/{id"],
        "json-pointer" => &["a", "/~", "/a~2", "a/0"],
        "relative-json-pointer" => &["a", "-1", "01", "/a", ""],
        "regex" => &["[", "(", "a)", "*", "[a-"],
        "x-content-base64" => &["YQ=", "!", "Y", "YWJj!", "===="],
        "x-content-json" => &["{", "", "a", "[1,", "{\"a\":}"],
        "x-content-base64-json" => &["YQ==", "!", "e30", "ew=="],
        _ => &[],
    }
}

/// Strings of this format with at least `length` characters, for formats that can be long.
pub(super) fn long(format: &str, length: usize) -> Vec<String> {
    let fill = |prefix: &str, unit: &str, suffix: &str| {
        let fixed = prefix.chars().count().saturating_add(suffix.chars().count());
        let units = length.saturating_sub(fixed).div_ceil(unit.len().max(1));
        format!("{prefix}{}{suffix}", unit.repeat(units))
    };
    match format {
        "date-time" => vec![fill("2024-01-31T12:00:00.0", "0", "Z")],
        "time" => vec![fill("12:00:00.0", "0", "Z")],
        "duration" => vec![fill("P1", "0", "D")],
        "email" | "idn-email" => {
            vec![
                fill("a", "a", "@b.co"),
                fill("a@a", "a", ".co"),
                fill("a@b", ".b", ".co"),
                fill("\"a", "a", "\"@b.co"),
                // What is longer than an address can be: the validators take a name before it.
                fill("Ada", "a", " <a@b.co>"),
            ]
        }
        "hostname" | "idn-hostname" | "x-hostname-rfc1034" => {
            vec![fill("a", "a", ".co"), fill("a", ".a", ""), fill("ab", ".a", "")]
        }
        "uri" | "iri" => {
            vec![fill("https://a.co/", "a", ""), fill("http://a.co/", "a", ""), fill("a:", "a", "")]
        }
        "uri-reference" | "iri-reference" | "json-pointer" => vec![fill("/", "a", "")],
        "uri-template" | "regex" => vec![fill("a", "a", "")],
        "relative-json-pointer" => vec![fill("0/", "a", "")],
        "x-content-base64" => vec![fill("", "YWJj", "")],
        "x-content-json" => vec![fill("\"", "a", "\"")],
        "x-content-base64-json" => vec![fill("ImFh", "YWFh", "YSJd").replace("YSJd", "YWEi")],
        _ => Vec::new(),
    }
}

/// Whether a string is of an extension format, which the validators do not know by themselves.
pub(super) fn extension(format: &str, text: &str) -> Option<bool> {
    let json = |bytes: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    match format {
        "x-content-base64" => Some(decode_base64(text).is_some()),
        "x-content-json" => Some(json(text.as_bytes())),
        "x-content-base64-json" => Some(decode_base64(text).is_some_and(|bytes| json(&bytes))),
        "x-hostname-rfc1034" => Some(is_rfc1034(text)),
        _ => None,
    }
}

fn is_rfc1034(text: &str) -> bool {
    let fits = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 255 && text.split('.').all(fits)
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let body = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let mut bits: u32 = 0;
    let mut held = 0;
    let mut bytes = Vec::new();
    for byte in body.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(digit)) & 0xFF_FFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xFF).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const FORMATS: [&str; 19] = [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ];

    #[test]
    fn every_example_is_what_it_is_said_to_be() {
        for format in FORMATS {
            let Ok(validator) = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft202012)
                .should_validate_formats(true)
                .build(&json!({"format": format}))
            else {
                panic!("{format}");
            };
            if validator.is_valid(&json!("\u{0}")) && format.starts_with("idn") {
                continue; // The crate's `idna` feature is off.
            }
            for text in good(format) {
                assert!(validator.is_valid(&json!(text)), "{format}: {text}");
            }
            for text in bad(format) {
                assert!(!validator.is_valid(&json!(text)), "{format}: {text}");
            }
            let long = long(format, 40);
            assert!(long.is_empty() || long.iter().any(|text| validator.is_valid(&json!(text))), "{format}");
        }
    }

    #[test]
    fn the_extension_formats_are_told_apart() {
        for format in ["x-content-base64", "x-content-json", "x-content-base64-json", "x-hostname-rfc1034"] {
            for text in good(format) {
                assert_eq!(extension(format, text), Some(true), "{format}: {text}");
            }
            for text in bad(format) {
                assert_eq!(extension(format, text), Some(false), "{format}: {text}");
            }
            for text in long(format, 41) {
                assert_eq!(extension(format, &text), Some(true), "{format}: {text}");
            }
        }
    }
}
