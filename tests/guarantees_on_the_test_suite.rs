//! Guarantees 1 to 5 over the JSON Schema Test Suite, for every target.

mod common;

#[test]
fn no_violation_on_the_test_suite() {
    let Some(data) = common::data() else { return };
    common::check_all(&common::suite(&data)).conclude("JSON Schema Test Suite");
}
