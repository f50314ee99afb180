//! `compact-se chains`: chain program form and constraint systems.

use super::arguments::ChainsArguments;
use super::progress::Progress;
use super::{bounds, output};
use ::navigation::ChainSystems;
use analysis::AnalysisOptions;
use anyhow::Result;
use frontend::load;
use process::Sentinel;
use report::{ChainsRecord, Environment};
use semantics::Machine;
use solver::{Deadline, Limits, Query};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use term::{TermId, TermPool};

/// Prints chains and systems, and asks which systems of root chains have a solution.
///
/// # Errors
/// If the program cannot be loaded or the record not be written.
pub(super) fn run(arguments: &ChainsArguments) -> Result<ExitCode> {
    for path in arguments.json.iter().chain(&arguments.html) {
        output::check_writable(path, &arguments.program.files)?;
    }
    let sentinel = Sentinel::start()?;
    let mut options = AnalysisOptions::new(arguments.program.load_options());
    let budget = &mut options.execution.budget;
    budget.time = Duration::from_secs(arguments.timeout);
    budget.memory = arguments.memory << 20;
    budget.interrupt = sentinel.interrupt();
    let progress = Progress::start("loading, building chains");
    let budget = &options.execution.budget;
    bounds::watch(&sentinel, budget, &progress, arguments.json.as_deref());
    let loaded = load(&options.load)?;
    let program = &loaded.program;
    let mut pool = TermPool::new();
    let execution = &options.execution;
    let machine = Machine::new(&mut pool, program).with_accesses(execution.accesses);
    let systems = ChainSystems::of(
        &machine,
        &mut pool,
        execution.property,
        &execution.budget.interrupt,
        arguments.most,
    );
    let started = Instant::now();
    let limits = Limits {
        work: Some(execution.policy.navigation.work_at_first),
        deadline: Deadline::after(execution.budget.time),
        interrupt: execution.budget.interrupt.clone(),
        ..Limits::default()
    };
    let mut solver = options.solver.build();
    let roots = systems.systems.iter();
    let roots = roots.filter(|system| systems.form.chain(system.chain).is_root());
    let has_solution: Vec<Option<bool>> = roots
        .clone()
        .map(|system| {
            let all: Vec<TermId> = system
                .bounds
                .iter()
                .copied()
                .chain([system.condition])
                .collect();
            let all: Vec<TermId> = all.iter().flat_map(|part| pool.conjuncts(*part)).collect();
            let answer = solver.check(&mut pool, &Query::new(&all, &limits));
            match (answer.is_sat(), answer.is_unsat()) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            }
        })
        .collect();
    let asked = started.elapsed();
    drop(progress);
    let left = roots.zip(&has_solution);
    let left = left.filter(|(_, has_solution)| **has_solution != Some(false));
    let constraints = left.map(|(system, _)| system.constraints.len()).sum();
    let count = |answer: Option<bool>| {
        has_solution
            .iter()
            .filter(|found| **found == answer)
            .count()
    };
    let record = ChainsRecord {
        format: 2,
        environment: Environment::current(None),
        program: report::record::ProgramRecord::of(&options.load, loaded.data_model.to_string()),
        root_chains: systems.form.n_root(),
        chains: systems.form.chains().len(),
        cut: systems.form.is_cut(),
        edges: systems
            .form
            .chains()
            .map(|(_, chain)| chain.edges.len())
            .sum(),
        eliminated: count(Some(false)) + systems.n_without,
        undecided: count(None),
        constraints,
        chains_s: systems.time.0.as_secs_f64(),
        systems_s: (systems.time.1 + asked).as_secs_f64(),
        view: systems.view(&mut pool, program, &has_solution),
    };
    sentinel.conclude();
    if let Some(path) = &arguments.json {
        output::write_json(path, &record)?;
    }
    if let Some(path) = &arguments.html {
        output::write(path, &record.to_html())?;
    }
    if arguments.dot {
        output::print(&systems.form.to_dot(program));
    } else {
        output::print(&record.to_text());
    }
    Ok(ExitCode::SUCCESS)
}
