//! Plausible values by the name of the property they stand in, so that a witness can be read.

/// Words for a property of this name, the most plausible first.
pub(super) fn for_name(name: &str) -> &'static [&'static str] {
    // The last part that says something decides: `billing_email`, `startDate`.
    const KNOWN: [(&str, &[&str]); 22] = [
        ("email", &["a@b.co"]),
        ("url", &["https://example.com"]),
        ("uri", &["https://example.com"]),
        ("link", &["https://example.com"]),
        ("date", &["2024-01-31"]),
        ("time", &["12:00:00Z"]),
        ("uuid", &["00000000-0000-4000-8000-000000000000"]),
        ("version", &["1.0.0"]),
        ("currency", &["EUR"]),
        ("country", &["FR"]),
        ("language", &["en"]),
        ("color", &["red"]),
        ("city", &["Paris"]),
        ("title", &["Notes"]),
        ("description", &["text"]),
        ("path", &["/tmp"]),
        ("file", &["a.txt"]),
        ("host", &["example.com"]),
        ("phone", &["+33123456789"]),
        ("query", &["cats"]),
        ("name", &["Ada", "Bob"]),
        ("id", &["a1", "b2"]),
    ];
    let lower = name.to_ascii_lowercase();
    KNOWN.iter().find(|(end, _)| lower.ends_with(end)).map_or(&[], |(_, words)| words)
}

/// Strings for no particular place.
pub(super) const PLAIN: &[&str] =
    &["a", "x", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];

/// Strings of many kinds, tried where something is to be avoided.
pub(super) const ODD: &[&str] = &[
    "!", "0", "", " ", "-", "A", "1", "a b", "é", "#", "/", ".", "!!", "a!", "00", "\n", "日本", "a/b", "__",
];

/// Names for properties that no schema declares.
pub(super) const EXTRA_NAMES: &[&str] = &[
    "extra", "other", "more", "x", "a", "b", "c", "key", "k1", "zz", "0", "1", "A", "X", "!", "$", "_", "-",
    "",
];
