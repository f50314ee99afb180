//! microc: a small language with numbers, arrays, records, pointers and functions.
//!
//! ```text
//! .mc --parse--> Program --infer types--> Types --lower--> flowgraph
//!                   |                        |
//!                   +------- interpret <-----+--- replay
//! ```
//!
//! # The language
//! The grammar is in `grammar.pest`. Against listing 2.1 of the thesis
//! - a function has its body (`FunDecl` lacks `FunBlockStmt`), and may have several lists of
//!   variables,
//! - accesses to fields and elements can follow one another, as in `a[i].f[j]`,
//! - a number has one digit or more, and no letter behind it,
//! - lists of arguments, elements and fields have any length,
//! - `!` takes the operand next to it, as in C, where the listing has a whole expression,
//! - only a name can be called, since functions are no values in the thesis,
//! - comments are `//` to the end of the line, or between `/*` and `*/`.
//!
//! As there, `&&` and `||` are on one level and associate to the left.
//!
//! # Semantics
//! - Numbers have 32 bits and wrap around. Division is towards zero.
//! - `&&` and `||` evaluate their right operand only if it decides; they and comparisons give 1 or 0.
//! - An array or record is a reference to its elements, as in Section 5.2.2 of the thesis:
//!   assignment shares them.
//! - Variables live on when their function has returned, as cells do in Section 5.3.1.
//! - Errors are those of Section 2.4: division by zero, dereference of null, access out of the bounds
//!   of an array, use of a variable without a value. They end the program.
//! - Programs that are not well typed are refused.
//!
//! # Invariants
//! - Interpreter and flowgraph read inputs in the same order and err at the same places.
//!
//! # Deliberately absent
//! No execution of flowgraphs, no solver.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, master's thesis, Chapter 2.

pub mod ast;
mod nesting;
mod parse;
mod print;
mod types;
mod initialised;
mod integer;
mod targets;
mod marks;
mod interpret;
mod normalise;
mod graph;
mod lower;
mod replay;

pub use ast::Diagnostic;
pub use graph::ControlFlow;
pub use integer::Integer;
pub use interpret::{End, RunOptions, World, run};
pub use marks::Marks;
pub use normalise::normalise;
pub use parse::parse;
pub use print::head;
pub use targets::Targets;
pub use types::{Shape, Types, infer};

use self::ast::{Expression, ExpressionKind, Program};
use self::replay::Interpreted;
use super::llvm::check_readable;
use super::{DataModel, Goals, LoadError, LoadOptions, Loaded};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::path::Path;

/// Arithmetic of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    /// 32 bits, with wrap-around.
    Wrapping,
    /// Of any size; for the interpreter only, since the solver knows fixed widths.
    Exact,
}

impl Integers {
    pub const ALL: [Integers; 2] = [Integers::Wrapping, Integers::Exact];

    /// By option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Integers::Wrapping => "wrapping",
            Integers::Exact => "exact",
        }
    }

    /// What they are, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Integers::Wrapping => "32 bits; results wrap around",
            Integers::Exact => "Integers of any size",
        }
    }
}

/// Whether the file is one of microc, by the end of its name.
#[must_use]
pub fn is_microc(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "mc")
}

/// Reads, parses and checks the program in a file.
///
/// # Errors
/// If the file cannot be read, or is not a well-typed program with such numbers.
pub fn read(path: &Path, integers: Integers) -> Result<(Program, Types), LoadError> {
    check_readable(path)?;
    let text = std::fs::read_to_string(path).map_err(|error| LoadError::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    checked(&text, integers).map_err(|Diagnostic { at, message }| LoadError::Microc {
        path: path.to_owned(),
        line: at.line,
        column: at.column,
        message,
    })
}

/// Parses and checks the program in a text.
///
/// # Errors
/// The error and its location.
pub fn checked(text: &str, integers: Integers) -> Result<(Program, Types), Diagnostic> {
    let program = parse(text)?;
    let types = infer(&program)?;
    if integers == Integers::Wrapping {
        check_literals(&program)?;
    }
    Ok((program, types))
}

fn check_literals(program: &Program) -> Result<(), Diagnostic> {
    let mut too_large = None;
    for function in &program.functions {
        function.for_each_expression(&mut |expression: &Expression| {
            if let ExpressionKind::Number { value } = &expression.kind
                && i32::literal(value).is_none()
            {
                too_large.get_or_insert((expression.at, value.clone()));
            }
        });
    }
    let Some((at, value)): Option<(_, BigInt)> = too_large else {
        return Ok(());
    };
    let message = format!(
        "{value} does not fit 32 bits; `microc run --integers exact` computes with numbers of any size"
    );
    Err(Diagnostic::new(at, message))
}

/// Loads a program for analysis.
///
/// # Errors
/// Those of [`read`], further files, options that are for C only, and targets that the program
/// lacks.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    let [path] = options.inputs.as_slice() else {
        let mut inputs = options.inputs.iter();
        let path = inputs.find(|path| is_microc(path));
        return Err(LoadError::MicrocIsOneFile {
            path: path.cloned().unwrap_or_default(),
        });
    };
    refuse_options_for_c(options, path)?;
    let (program, types) = read(path, Integers::Wrapping)?;
    let file = path.display().to_string();
    let targets = Targets::find(&program, &file, &options.target).map_err(|target| {
        let functions: Vec<&str> = (program.functions.iter())
            .map(|function| function.name.text.as_str())
            .collect();
        LoadError::MissingTarget {
            target: target.to_string(),
            present: format!(
                "in microc a target is a function ({}) or a line with a statement (FILE:LINE)",
                functions.join(", ")
            ),
        }
    })?;
    let has_target = !targets.is_empty();
    if !(has_target || options.allow_missing_target || options.default_may_be_missing) {
        return Err(LoadError::MissingTarget {
            target: "of its own".to_owned(),
            present: "name a function or a line with --target".to_owned(),
        });
    }
    let target_places = targets.places(&file);
    let (marks, goals) = Marks::of(&program, &file, options.goals);
    let flowgraph = lower::lower(
        &program,
        &types,
        (&targets, &marks),
        lower::LoweringOptions {
            file,
            granularity: options.granularity,
            inline: options.inline,
        },
    )?;
    Ok(Loaded {
        goals,
        program: flowgraph,
        replayer: Box::new(Interpreted::new(program, targets, marks)),
        data_model: DataModel::Lp64,
        externals: Vec::new(),
        stand_ins: Vec::new(),
        input_types: BTreeMap::new(),
        has_target,
        target_places,
        environment: None,
        is_instrumented: false,
        faults_are_defined: true,
        stack: None,
        assumed: Vec::new(),
        notes: Vec::new(),
    })
}

fn refuse_options_for_c(options: &LoadOptions, path: &Path) -> Result<(), LoadError> {
    if !options.sanitizers.is_empty() {
        return Err(LoadError::MicrocWrapsAround {
            path: path.to_owned(),
        });
    }
    let given = [
        (options.data_model.is_some(), "a data model"),
        (options.standard.is_some(), "a C standard"),
        (!options.clang_args.is_empty(), "an argument for clang"),
        (options.entry.is_some(), "a function to start at"),
        (
            options.environment.is_some(),
            "a symbolic argument, standard input or file",
        ),
        (
            options.goals == Goals::ErrorCalls,
            "the coverage of calls of error functions",
        ),
    ];
    match given.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(LoadError::NotForMicroc {
            path: path.to_owned(),
            option: option.to_owned(),
        }),
        None => Ok(()),
    }
}
