//! Running the executor and keeping its tree.

use compact_se::flowgraph::{Program, verify};
use compact_se::solver::SolverOptions;
use compact_se::symex::{
    Budget, Confirmation, ExecutionOptions, ExecutionPolicy, Executor, FoldingPolicy, QueryWork,
    Report, SearchStrategy,
};
use compact_se::template::{Folding, TemplateTable};
use compact_se::term::{TermPool, Work};
use std::time::Duration;

/// How a tree is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    Classic,
    /// Templates of cycles.
    Cycles,
    /// Templates of whole loops too.
    Loops,
}

/// How far trees go.
#[derive(Clone, Copy)]
pub struct Reach {
    /// Steps of a path.
    pub steps: u64,
    /// Nodes of a tree.
    pub nodes: usize,
}

impl Technique {
    fn table(self) -> TemplateTable {
        match self {
            Technique::Classic => TemplateTable::empty(),
            Technique::Cycles => TemplateTable::new(100, Folding::Cycles),
            Technique::Loops => TemplateTable::new(100, Folding::Loops),
        }
    }
}

/// Parses and checks a program.
pub fn program(text: &str) -> Program {
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(error) = verify(&program) {
        panic!("{error:?}\n{text}");
    }
    program
}

/// The tree of a program; the search goes on behind the target.
pub fn tree(program: &Program, technique: Technique, reach: Reach) -> Report {
    execute(executor(program, technique, reach, Subsumed::Explored))
}

/// The tree of a program in which states that others subsume are closed.
pub fn closed_tree(program: &Program, technique: Technique, reach: Reach) -> Report {
    execute(executor(program, technique, reach, Subsumed::Closed))
}

/// What becomes of states that others subsume.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subsumed {
    Explored,
    Closed,
}

/// The same with all terms in a pool in which an executor of this program has run before.
pub fn tree_in(pool: TermPool, program: &Program, technique: Technique, reach: Reach) -> Report {
    let executor = executor(program, technique, reach, Subsumed::Explored);
    execute(executor.with_terms(pool))
}

fn executor(
    program: &Program,
    technique: Technique,
    reach: Reach,
    subsumed: Subsumed,
) -> Executor<'_> {
    let options = ExecutionOptions {
        // So that a tree that is cut is complete down to some node.
        search: SearchStrategy::Bfs,
        budget: Budget {
            // The machine may be busy: work decides.
            time: Duration::from_secs(600),
            work: Some(Work::seconds(2)),
            queries: QueryWork {
                most: Work::millis(300),
                first: None,
                ..QueryWork::default()
            },
            path_steps: reach.steps,
            ..Budget::default()
        },
        record_tree: Some(reach.nodes),
        subsumption: subsumed == Subsumed::Closed,
        // Trees are compared as the paper has them, with one template at a state.
        policy: ExecutionPolicy {
            folding: FoldingPolicy {
                every_template_first: 0,
                ..FoldingPolicy::default()
            },
            ..ExecutionPolicy::default()
        },
        ..ExecutionOptions::default()
    };
    Executor::new(
        program,
        SolverOptions::default().build(),
        technique.table(),
        options,
    )
}

fn execute(executor: Executor<'_>) -> Report {
    let mut go_on = |_: &_| Confirmation::Refuted("the whole tree is wanted".to_owned());
    executor.run(&mut go_on, &mut |_| ())
}
