//! The command: the library's questions, asked about files.
//!
//! | file | what is in it |
//! |---|---|
//! | [`adapt`], [`check`], [`diff`], [`residual`], [`guard`], [`targets`], [`self_check`] | one subcommand each |
//! | [`baselines`] | the reference conversions that `self-check` reproduces |
//! | [`input`] | reading JSON that is exactly what it says |
//! | [`surface`] | which surface is meant |
//! | [`outcome`] | exit codes, printing, and what can go wrong |

mod adapt;
mod baselines;
mod check;
mod diff;
mod guard;
mod input;
mod outcome;
mod residual;
mod self_check;
mod surface;
mod targets;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Convert JSON Schema for a language model provider, see with concrete values what that cost, and check
/// what was lost.
#[derive(Parser)]
#[command(name = "schema-residual", version, after_help = outcome::EXIT_CODES)]
struct Command {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    Adapt(adapt::Arguments),
    Check(check::Arguments),
    Diff(diff::Arguments),
    Residual(residual::Arguments),
    Guard(guard::Arguments),
    Targets(targets::Arguments),
    SelfCheck(self_check::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse().question {
        Question::Adapt(arguments) => adapt::run(&arguments),
        Question::Check(arguments) => check::run(&arguments),
        Question::Diff(arguments) => diff::run(&arguments),
        Question::Residual(arguments) => residual::run(&arguments),
        Question::Guard(arguments) => guard::run(&arguments),
        Question::Targets(arguments) => targets::run(&arguments),
        Question::SelfCheck(arguments) => self_check::run(&arguments),
    };
    outcome::conclude(outcome)
}
