//! What the library promises, one file a promise. One binary, because compiling is what takes the time.
//!
//! Tests that need the independent test material find it through `SCHEMA_RESIDUAL_DATA`, by default
//! `../shared/data`. Without it they say so and pass; with `CI` set they fail.
// A test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod adversarial;
mod arbitrary;
mod bad_input;
mod baselines;
mod check;
#[cfg(feature = "cli")]
mod command;
mod containment;
mod field_reports;
mod generated;
mod generated_kinds;
mod guarantees;
mod guided;
mod known_failures;
mod material;
mod minimality;
mod nearby;
mod parallel;
mod readme;
mod support;
mod the_checks_can_fail;
mod verdicts;
mod witnesses;
mod worked_example;
