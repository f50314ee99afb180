//! Facts about a program that several rooms need, each computed once, on demand.
//!
//! Loops and liveness belong to a function, which never changes once it is built: they are stored with it
//! ([`Function::loops`], [`Function::liveness`], [`Function::sure_ends`]), so that all programs with this
//! function share them. Facts about the whole program are in [`ProgramFacts`], which the techniques of an
//! analysis share.
//!
//! # Invariants
//! - A fact is valid for the function or program as it is: a copy of a function begins without facts, since
//!   it may be changed before its use.
//!
//! # Deliberately absent
//! No facts that depend on a state or on options: closed forms are in the room `template`.

use super::{
    BitSet, DifferenceLiveness, Distances, Function, Liveness, LoopNest, PostDominators, Program,
    SureEnds, distances_to_target,
};
use std::sync::{Arc, OnceLock};

/// The facts about a function that were requested so far.
#[derive(Debug, Default)]
pub(super) struct FunctionFacts {
    loops: OnceLock<Arc<LoopNest>>,
    liveness: OnceLock<Arc<Liveness>>,
    differences: OnceLock<Arc<DifferenceLiveness>>,
    post_dominators: OnceLock<Arc<PostDominators>>,
    sure_ends: OnceLock<Arc<SureEnds>>,
}

/// None: the copy may be changed.
impl Clone for FunctionFacts {
    fn clone(&self) -> FunctionFacts {
        FunctionFacts::default()
    }
}

impl Function {
    /// Its natural loops.
    #[must_use]
    pub fn loops(&self) -> &Arc<LoopNest> {
        self.facts
            .loops
            .get_or_init(|| Arc::new(LoopNest::of(self)))
    }

    /// Its live registers.
    #[must_use]
    pub fn liveness(&self) -> &Arc<Liveness> {
        let liveness = || Arc::new(Liveness::of(self));
        self.facts.liveness.get_or_init(liveness)
    }

    /// Its live registers, where differences are told from values.
    #[must_use]
    pub fn differences(&self) -> &Arc<DifferenceLiveness> {
        let differences = || Arc::new(DifferenceLiveness::of(self));
        self.facts.differences.get_or_init(differences)
    }

    /// Where the ways that part at its branchings meet again.
    #[must_use]
    pub fn post_dominators(&self) -> &Arc<PostDominators> {
        let post_dominators = || Arc::new(PostDominators::of(self));
        self.facts.post_dominators.get_or_init(post_dominators)
    }

    /// Where its paths can only end.
    #[must_use]
    pub fn sure_ends(&self) -> &Arc<SureEnds> {
        let sure_ends = || Arc::new(SureEnds::of(self));
        self.facts.sure_ends.get_or_init(sure_ends)
    }
}

/// A program with what is known of it as a whole; copies share that.
#[derive(Clone, Debug)]
pub struct ProgramFacts<'p> {
    program: &'p Program,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    distances: OnceLock<Distances>,
    places: OnceLock<Arc<[BitSet]>>,
}

impl<'p> From<&'p Program> for ProgramFacts<'p> {
    fn from(program: &'p Program) -> ProgramFacts<'p> {
        ProgramFacts {
            program,
            shared: Arc::default(),
        }
    }
}

impl<'p> ProgramFacts<'p> {
    /// The program itself.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// How far it is to a target.
    #[must_use]
    pub fn distances(&self) -> &Distances {
        let distances = || distances_to_target(self.program);
        self.shared.distances.get_or_init(distances)
    }

    /// Locations that each infinite path passes infinitely often, by function: targets of retreating edges
    /// and entries of functions that are called.
    #[must_use]
    pub fn places(&self) -> &Arc<[BitSet]> {
        self.shared.places.get_or_init(|| places(self.program))
    }
}

fn places(program: &Program) -> Arc<[BitSet]> {
    let functions = program.function_ids().zip(&program.functions);
    let places = functions.map(|(id, function)| {
        let mut here = BitSet::new(function.n_nodes());
        let nest = function.loops();
        for natural in &nest.loops {
            here.insert(natural.header.index());
        }
        for edge in &nest.irreducible {
            here.insert(function.target(*edge).index());
        }
        if id != program.main {
            here.insert(function.entry.index());
        }
        here
    });
    places.collect()
}
