//! Arguments of `svcomp` and `batch`.

use super::{
    ArtefactArguments, DataModelArgument, ExecutionArguments, GranularityArgument, LimitArguments,
    TechniqueArgument,
};
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

#[derive(Args, Debug)]
#[command(after_help = "\
  compact-se batch sv-benchmarks/c/loops --manifest runs.txt     one command per line
  parallel < runs.txt                                            run them here
  compact-se reproduce svcomp-loops --tasks sv-benchmarks/c/loops --results results    the table

Exit codes: 0 done, 2 error.")]
pub struct BatchArguments {
    /// Folder of the tasks: *.yml, or *_safe.i and *_unsafe.i of SV-COMP 2013
    #[arg(value_name = "DIR")]
    pub tasks: PathBuf,

    /// Folder for the results, a record for each run; finished runs are left out of the manifest
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,

    /// Write the manifest here [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,

    /// All techniques, templates alone, iteration by iteration alone, or the first and the last
    #[arg(long, value_enum, default_value = "default")]
    pub technique: TechniqueArgument,

    #[command(flatten)]
    pub limits: LimitArguments,
}

/// The same for a task, in which no error is looked for but that of its property.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowOfTaskArgument {
    /// The result is taken modulo 2^w, as `clang -fwrapv` makes it
    Wrap,
    /// Undefined behaviour: executions end there, and the answer is about the others
    Undefined,
}
