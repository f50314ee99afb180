//! `compact-se tree`: shows the execution tree.

use super::arguments::TreeArguments;
use super::progress::Progress;
use super::{bounds, output};
use analysis::{CheckChoice, Techniques};
use anyhow::{Result, bail};
use process::Sentinel;
use report::{Sources, TreeView};
use std::process::ExitCode;
use symex::Verdict;

/// Executes, records the tree and shows it.
///
/// # Errors
/// If the program cannot be loaded or a file not be written.
pub(super) fn run(arguments: &TreeArguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.html {
        output::check_writable(path, &arguments.program.files)?;
    }
    let sentinel = Sentinel::start()?;
    let enough = sentinel.interrupt().inner();
    let mut options = arguments.execution.options_for(&arguments.program)?;
    options.execution.budget.interrupt = enough.clone();
    options.execution.record_tree = Some(arguments.max_nodes);
    options.techniques = Techniques::only(options.primary());
    options.replay = false;
    if arguments.program.target.is_empty() {
        // The property is that of `analyze`.
        options.checks = CheckChoice::Usual;
    }
    let most_states = arguments.max_nodes as u64;
    let mut progress = Progress::start("loading, finding templates");
    bounds::watch(&sentinel, &options.execution.budget, &progress, None);
    let analysis = analysis::analyze(&options, &mut |statistics| {
        progress.step(statistics);
        if statistics.n_states > most_states {
            // What is not recorded any more needs no execution either.
            enough.raise();
        }
    })?;
    // What is left is to draw as many nodes as were requested.
    sentinel.conclude();
    drop(progress);
    let program = &analysis.loaded.program;
    let sources = Sources::new(program, |file| std::fs::read_to_string(file).ok());
    let Some(tree) = &analysis.report.tree else {
        bail!("no tree was recorded")
    };
    let files: Vec<String> = arguments
        .program
        .files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let verdict = &analysis.report.verdict;
    let title = format!(
        "{}, {}: {}{}",
        files.join(" "),
        options.techniques.name(),
        verdict.name(),
        match verdict {
            Verdict::Reachable(_) => ", not replayed",
            _ => "",
        }
    );
    let terms = (&analysis.report.pool, &analysis.loaded.input_types);
    let view = TreeView::new(title, tree, program, terms, &sources);
    if let Some(path) = &arguments.html {
        output::write(path, &view.to_html())?;
    }
    if arguments.dot {
        output::print(&view.to_dot());
    } else if arguments.html.is_none() {
        output::print(&view.to_text(arguments.depth.unwrap_or(usize::MAX)));
    }
    if let Some(omission) = view
        .omission()
        .filter(|_| arguments.dot || arguments.html.is_some())
    {
        output::complain(&format!("note: {omission}"));
    }
    Ok(ExitCode::SUCCESS)
}
