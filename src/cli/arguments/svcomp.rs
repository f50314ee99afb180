//! Arguments of `svcomp`.

use super::{ArtefactArguments, ExecutionArguments, choice};
use ::flowgraph::Granularity;
use analysis::SignedOverflow;
use clap::Args;
use frontend::DataModel;
use std::path::PathBuf;

/// For a task no error is looked for but that of its property.
const OF_A_TASK: [SignedOverflow; 2] = [SignedOverflow::Wrap, SignedOverflow::Undefined];

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
    #[arg(long, value_parser = choice(DataModel::ALL, DataModel::name, DataModel::help), ignore_case = true)]
    pub data_model: Option<DataModel>,

    /// C standard, for example gnu89
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,

    /// Let undefined behaviour keep the answer from being true, as `analyze` does. By default
    /// executions end there, since C defines none beyond
    #[arg(long)]
    pub undefined_is_open: bool,

    /// The effect of signed overflow [default: undefined; wrap with --undefined-is-open, and for bitcode,
    /// which does not record which operations are signed]
    #[arg(long, value_parser = choice(OF_A_TASK, SignedOverflow::name, SignedOverflow::help), value_name = "MEANING")]
    pub signed_overflow: Option<SignedOverflow>,

    /// Granularity of the flowgraph: one basic block per edge, or one action per edge with comparisons as
    /// branchings (ATVA 2013, Appendix C)
    #[arg(long, value_parser = choice(Granularity::ALL, Granularity::name, Granularity::help), default_value = "block")]
    pub granularity: Granularity,

    /// Write verdict, inputs and statistics as one JSON record
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    #[command(flatten)]
    pub artefacts: ArtefactArguments,
}
