//! Differences of the engine that are known, each with where it can be read.

use serde_json::Value;

/// The engine's documentation of JSON Schema; the profile has the version.
const DOCS: &str = "docs/json_schema.md";

/// Why the engine does not compile a schema, where that is known.
pub fn of_schema(error: &str) -> Option<String> {
    // Sending such a schema makes no sense: no answer satisfies it.
    if error.contains("Unsatisfiable schema") {
        return Some(format!("a schema that accepts nothing is refused ({DOCS})"));
    }
    // A property that a pattern names too has to satisfy both, which the engine cannot say of two references.
    error
        .contains("circular references with sibling keys")
        .then(|| format!("two references for one property, into a circle, are refused ({DOCS})"))
}

/// Why the engine judges an instance differently, where that is known.
pub fn of_instance(text: &str, wire: &Value, accepted: bool) -> Option<String> {
    if accepted {
        let reads_white_space = wire.to_string().contains(r"\\S");
        return (reads_white_space && text.contains('\u{feff}')).then(|| {
            "U+FEFF is white space to ECMA-262 and not to the engine's regular expressions".to_owned()
        });
    }
    let has_exponent = text.contains("e+") || text.contains("e-");
    if has_exponent {
        return Some(format!("numbers are not written with exponents under bounds or for integers ({DOCS})"));
    }
    if text.contains('\u{feff}') {
        return Some(
            "U+FEFF is white space to ECMA-262 and not to the engine's regular expressions".to_owned(),
        );
    }
    if text.contains('\u{7f}') {
        return Some("U+007F is not written into strings".to_owned());
    }
    let quotes_or_addresses =
        wire.to_string().contains("email") && (text.contains("\\\"@") || text.contains("@["));
    if quotes_or_addresses {
        return Some(
            "an e-mail address is not written with quotes or with an address in brackets (formats.rs)"
                .to_owned(),
        );
    }
    let embeds_address = wire.to_string().contains("ipv6") && text.contains(':') && text.contains('.');
    embeds_address
        .then(|| "an IPv6 address that ends in an IPv4 address is not written (formats.rs)".to_owned())
}
