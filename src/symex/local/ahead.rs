//! Look-ahead: paths without choice, executed on machine words (concretely).
//!
//! A loop that takes only one path, since all conditions are constants, is executed on words, if it is not
//! too long or cannot be handled otherwise: folding would lose the constants.

use super::{Course, LocalTechnique, Proposal, Standing};
use crate::concrete::Before;
use crate::path::PathSoFar;
use crate::run::Run;
use std::ops::ControlFlow;
use term::Work;

/// Follows the path from a state as long as it has no choice, and takes it where a fold would not
/// be better. Where each state that has a template is to be folded, as in the paper, nothing is
/// followed.
pub(super) struct LookAhead;

impl LocalTechnique for LookAhead {
    fn propose(&self, run: &mut Run, path: &mut PathSoFar, mut standing: Standing) -> Proposal {
        let folds = run.table.is_enabled();
        let is_wanted =
            (run.explored.is_some() || !folds) && run.concrete.begins_at(standing.state.location);
        if !is_wanted {
            return ControlFlow::Continue(standing);
        }
        let before = Before {
            on_words: path.on_words,
            n_steps_left: run.options.budget.path_steps - path.steps,
        };
        let watch = &mut run.watch;
        let ahead = run.concrete.look_ahead(
            &run.machine,
            &mut run.pool,
            &standing.state,
            &before,
            folds,
            &mut || watch.is_over(),
        );
        let n_actions = ahead.as_ref().map_or(0, |ahead| ahead.n_actions);
        run.pool.count_work(Work::ACTION_ON_WORDS * n_actions);
        if let Some(ahead) = &ahead {
            let depths = [&ahead.state, &standing.state].map(|state| state.callers.len());
            let n_frames = depths[0].saturating_sub(depths[1]);
            run.pool.count_work(Work::FRAME * n_frames as u64);
        }
        let stretch = &run.options.policy.stretch;
        let is_better =
            (ahead.as_ref()).is_some_and(|ahead| !folds || ahead.is_better_than_a_fold(stretch));
        standing.ahead = ahead.map(Box::new);
        if is_better {
            TakeAhead.propose(run, path, standing)
        } else {
            ControlFlow::Continue(standing)
        }
    }
}

/// Takes the path that was followed, where no fold led further.
pub(super) struct TakeAhead;

impl LocalTechnique for TakeAhead {
    fn propose(&self, _: &mut Run, _: &mut PathSoFar, standing: Standing) -> Proposal {
        let Standing { state, ahead } = standing;
        match ahead {
            Some(ahead) => ControlFlow::Break(Course::Ahead(ahead)),
            None => ControlFlow::Continue(Standing { state, ahead: None }),
        }
    }
}
