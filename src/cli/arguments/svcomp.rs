//! Arguments of `svcomp`.

use super::{ArtefactArguments, DataModelArgument, ExecutionArguments, GranularityArgument};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct SvcompArguments {
    /// A task definition (.yml), or the files of one program (.c, .i)
    #[arg(required = true, value_name = "TASK")]
    pub files: Vec<PathBuf>,

    /// The property file; a task definition that names one property, or unreach-call among others,
    /// needs none
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Sizes of C types [default: what the task says, ILP32 where nothing is said]
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModelArgument>,

    /// C standard, for example gnu89
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,

    /// Let undefined behaviour keep the answer from being true, as `analyze` does. By default
    /// executions end there, since C defines none beyond
    #[arg(long)]
    pub undefined_is_open: bool,

    /// The effect of signed overflow [default: undefined; wrap with --undefined-is-open, and for bitcode,
    /// which does not record which operations are signed]
    #[arg(long, value_enum, value_name = "MEANING")]
    pub signed_overflow: Option<OverflowOfTaskArgument>,

    /// Granularity of the flowgraph: one basic block per edge, or one action per edge with comparisons as
    /// branchings (ATVA 2013, Appendix C)
    #[arg(long, value_enum, default_value = "block")]
    pub granularity: GranularityArgument,

    /// Write verdict, inputs and statistics as one JSON record
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    #[command(flatten)]
    pub artefacts: ArtefactArguments,
}

/// The same for a task, in which no error is looked for but that of its property.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowOfTaskArgument {
    /// The result is taken modulo 2^w, as `clang -fwrapv` makes it
    Wrap,
    /// Undefined behaviour: executions end there, and the answer is about the others
    Undefined,
}
