//! What the library promises, one file a promise. One binary, because compiling is what takes the time.
//!
//! Tests that need the independent test material find it through `SCHEMA_RESIDUAL_DATA`, by default
//! `../shared/data`. Without it they say so and pass; with `CI` set they fail.

mod guarantees;
mod known_failures;
mod support;
mod the_checks_can_fail;
mod witnesses;
