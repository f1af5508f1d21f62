//! Guarantees 1 to 5 and 8, for every target, over everything that there is.

use crate::material::{data, maskbench, mcp_tools, suite};
use crate::support::{Counts, check_all};

#[test]
fn hold_on_the_json_schema_test_suite() {
    let Some(data) = data() else { return };
    check_all(&suite(&data)).conclude("JSON Schema Test Suite");
}

#[test]
fn hold_on_published_tools() {
    let Some(data) = data() else { return };
    let counts: Counts = check_all(&mcp_tools(&data));
    assert_eq!(counts.left_out.len(), 0, "no tool's schema may fail");
    counts.conclude("mcp-tools");
}

#[test]
fn hold_on_real_world_schemas() {
    let Some(data) = data() else { return };
    check_all(&maskbench(&data)).conclude("maskbench");
}
