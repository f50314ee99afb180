//! Assumptions that never hold: the code after them is unreachable because of them alone.
//!
//! They are checked when a program is *unreachable*, since the verdict would hide them. KLEE reports *invalid
//! klee_assume call (provably false)*.

use super::{AnalysisOptions, Techniques, in_turns};
use flowgraph::{GoalId, Program, Span, with_goals_as_targets, with_goals_at_assumptions};
use frontend::Loaded;
use property::{Checks, Property, VerdictKind};
use std::time::{Duration, Instant};
use symex::{Confirmation, Witness};
use term::Work;

/// No more assumptions are checked.
const MOST: usize = 16;

/// After so many that stay open nothing more is asked.
const MOST_OPEN: u32 = 3;

/// For each of its two queries.
const WORK: Work = Work::millis(100);

/// The places of assumptions that are reached and never hold. In so much time, and with little work of one technique:
/// where that does not decide, nothing is said.
pub(super) fn that_never_hold(
    options: &AnalysisOptions,
    loaded: &Loaded,
    time: Duration,
) -> Vec<Span> {
    let deadline = Instant::now() + time;
    let (program, assumptions) = with_goals_at_assumptions(&loaded.program);
    let mut never = Vec::new();
    let mut n_open = 0;
    for assumption in assumptions.into_iter().take(MOST) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || n_open == MOST_OPEN {
            break;
        }
        let verdict = |goal| is_passed(options, loaded, &program, goal, left);
        match verdict(assumption.behind) {
            VerdictKind::Reachable => {}
            VerdictKind::Unknown => n_open += 1,
            VerdictKind::Unreachable => {
                if verdict(assumption.before) == VerdictKind::Reachable {
                    never.push(assumption.place);
                }
            }
        }
    }
    never
}

/// Whether an execution passes a goal.
fn is_passed(
    options: &AnalysisOptions,
    loaded: &Loaded,
    program: &Program,
    goal: GoalId,
    time: Duration,
) -> VerdictKind {
    let mut options = options.clone();
    options.techniques = Techniques::only(options.primary());
    options.replay = false;
    options.execution.all_errors = false;
    options.execution.record_tree = None;
    options.execution.budget.time = time;
    options.execution.budget.work = Some(WORK);
    options.solver.transcripts = None;
    let property = Property {
        checks: Checks::NONE,
        ..options.property_of(loaded)
    };
    let program = with_goals_as_targets(program, &[goal].into_iter().collect());
    let confirm = |_: &Witness| Confirmation::Skipped;
    let outcome = in_turns(&options, &program, (property, None), &confirm, &mut |_| ());
    outcome.report.verdict.kind()
}
