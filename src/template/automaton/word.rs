//! Words: the sequences of paths that phases repeat.

use super::PathId;
use std::rc::Rc;
use term::TermId;

/// A letter of a word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Letter {
    /// One iteration along a path.
    Once(PathId),
    /// A word for as long as it follows itself, its first path at least once, until another path takes
    /// over: one path, or a turn within the turn.
    Repeated {
        word: Rc<[Letter]>,
        /// The path before and the one that takes over.
        left_by: (PathId, PathId),
    },
}

impl Letter {
    /// The path that is taken first.
    #[must_use]
    pub fn path(&self) -> PathId {
        match self {
            Letter::Once(path) => *path,
            Letter::Repeated { word, .. } => word[0].path(),
        }
    }

    /// The path that is taken last.
    #[must_use]
    pub fn last(&self) -> PathId {
        match self {
            Letter::Once(path) => *path,
            Letter::Repeated { left_by, .. } => left_by.0,
        }
    }

    /// Its paths, as they stand in it.
    #[must_use]
    pub fn paths(&self) -> Vec<PathId> {
        match self {
            Letter::Once(path) => vec![*path],
            Letter::Repeated { word, .. } => word.iter().flat_map(Letter::paths).collect(),
        }
    }
}

/// The turn within these words, or within what they repeat, that is entered by an edge: the word from
/// there on.
pub(super) fn turn_within(words: &[Letter], edge: (PathId, PathId)) -> Option<Vec<Letter>> {
    words.iter().find_map(|step| {
        let Letter::Repeated { word, .. } = step else {
            return None;
        };
        let n_steps = word.len();
        let entered = |position: usize| {
            let before = &word[(position + n_steps - 1) % n_steps];
            (before.last(), word[position].path())
        };
        let mut positions = 0..n_steps;
        let begins = positions.find(|position| n_steps > 1 && entered(*position) == edge);
        match begins {
            Some(position) => Some([&word[position..], &word[..position]].concat()),
            None => turn_within(word, edge),
        }
    })
}

/// The word of paths that take turns, from the edge on by which it is entered.
#[derive(Clone, Default, Debug)]
pub(super) struct Turn {
    pub word: Vec<Letter>,
    /// How many iterations each step is: over the entry, as it was before the edge.
    pub times: Vec<TermId>,
}

impl Turn {
    pub fn push(&mut self, step: Letter, times: TermId) {
        self.word.push(step);
        self.times.push(times);
    }

    /// Without the steps from this one on.
    pub fn truncate(&mut self, n_steps: usize) {
        self.word.truncate(n_steps);
        self.times.truncate(n_steps);
    }
}
