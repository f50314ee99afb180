//! Models of a necessary condition as guesses.
//!
//! A native run that reaches the target is not enough, since it may have undefined behaviour on its way. So
//! the program is first executed symbolically with the inputs of the guess, and only a path that reaches the
//! target by defined steps is run natively.

use crate::{AnalysisOptions, Technique};
use ::necessary::{AbstractPath, Decision, Side, Verdict as Answer};
use flowgraph::ProgramFacts;
use property::{Meaning, Reason, Reasons};
use semantics::{GivenInput, GivenInputs, Machine, PathCondition};
use solver::Limits;
use std::rc::Rc;
use symex::{
    Advance, Advancing, Confirmation, Executor, InputValue, Report, Verdict, Witness, WitnessInput,
    propose_inputs,
};
use template::TemplateTable;
use term::{TermId, TermPool, Work};

/// Objects of more bytes are not written down for an execution.
const MOST_BYTES: u64 = 1 << 24;

/// A model that was tried.
pub struct Guess {
    /// The path of φ̂ that it is of.
    pub path: usize,
    pub side: Side,
    pub result: Confirmation,
}

/// The program as it is executed with the inputs of a model.
pub(super) struct GuessRun<'p> {
    /// The number of the path, and the formula.
    made: (usize, Side),
    inputs: Vec<WitnessInput>,
    executor: Box<Executor<'p>>,
    /// The result of a native run.
    tried: Option<Confirmation>,
}

impl GuessRun<'_> {
    /// Continues for so much work. Gives the work that it was, too.
    pub fn advance(
        &mut self,
        work: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> (Advance, Work) {
        let (inputs, tried) = (&self.inputs, &mut self.tried);
        let mut confirm = |witness: &Witness| {
            let witness = Witness {
                inputs: inputs.clone(),
                ..witness.clone()
            };
            // Without a native run a guess is not more than that.
            let result = match confirm(&witness) {
                Confirmation::Skipped => Confirmation::Refuted("it was not run".to_owned()),
                result => result,
            };
            *tried = Some(result.clone());
            result
        };
        let before = self.executor.work();
        let executor = &mut self.executor;
        let advance = executor.advance(before + work, &mut confirm, &mut |_| ());
        (advance, self.executor.work() - before)
    }
}

/// The guesses of an analysis, and why they did not decide.
pub(super) struct Guesses<'p> {
    options: Rc<AnalysisOptions>,
    facts: ProgramFacts<'p>,
    pub limits: Limits,
    /// Instances of each quantifier in φ̂^K.
    k: u64,
    /// For each query for inputs, and for each execution with them.
    work: Work,
    pub tried: Vec<Guess>,
    pub reasons: Reasons,
}

impl<'p> Guesses<'p> {
    pub fn new(
        options: Rc<AnalysisOptions>,
        facts: ProgramFacts<'p>,
        limits: Limits,
        k: u64,
        work: Work,
    ) -> Guesses<'p> {
        Guesses {
            options,
            facts,
            limits,
            k,
            work,
            tried: Vec::new(),
            reasons: Reasons::default(),
        }
    }

    /// A path that nothing excludes and that does not lead to the target.
    pub fn stays_open(&mut self, path: &AbstractPath) {
        let property = self.options.execution.property;
        if let Meaning::Open(reason) = property.meaning(&path.end) {
            self.reasons.add(reason);
        }
    }

    /// Runs the program with models of a path's condition: by the formula that was decided, then by
    /// the other one.
    pub fn guess(
        &mut self,
        (machine, pool): (&Machine, &mut TermPool),
        (number, path): (usize, &AbstractPath),
        decision: &Decision,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        for (side, formula) in self.formulas(pool, path, decision) {
            if let Some(inputs) = self.inputs(machine, pool, path, formula) {
                let found = self.run_with(pool, (number, side), inputs, confirm);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The formulas by whose models a path is tried, in this order; none where it does not lead to
    /// a violation.
    pub fn formulas(
        &mut self,
        pool: &mut TermPool,
        path: &AbstractPath,
        decision: &Decision,
    ) -> Vec<(Side, TermId)> {
        let property = self.options.execution.property;
        let Meaning::Violation(_) = property.meaning(&path.end) else {
            self.stays_open(path);
            return Vec::new();
        };
        let instances = path.first_instances(pool, self.k);
        let formula = |side| match (side, decision.verdict()) {
            (side, Answer::Satisfiable { formula, .. }) if decision.decided_by == Some(side) => {
                Some(*formula)
            }
            (Side::Quantified, _) => Some(path.condition),
            (Side::Instances, _) => instances,
        };
        let sides = match decision.decided_by {
            Some(Side::Instances) => [Side::Instances, Side::Quantified],
            Some(Side::Quantified) | None => [Side::Quantified, Side::Instances],
        };
        let mut formulas: Vec<(Side, TermId)> = Vec::new();
        for side in sides {
            if let Some(formula) = formula(side)
                && formulas.iter().all(|(_, asked)| *asked != formula)
            {
                formulas.push((side, formula));
            }
        }
        formulas
    }

    /// The inputs of a model of one of these formulas.
    pub fn inputs(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        path: &AbstractPath,
        formula: TermId,
    ) -> Option<Vec<WitnessInput>> {
        let mut state = path.state.clone();
        state.path_cond = PathCondition::default();
        state.path_cond.assume(pool, formula);
        let solver = self.options.solver.build();
        match propose_inputs(machine, pool, solver, &self.limits, &state, self.work) {
            Ok((inputs, _)) => Some(inputs),
            Err(reason) => {
                self.reasons.add(reason);
                None
            }
        }
    }

    /// Executes the program with these inputs, of a model of φ̂ or φ̂^K for the path with this number;
    /// on the way to a violation, `confirm` runs it natively. The work counts as that of the pool.
    pub fn run_with(
        &mut self,
        pool: &TermPool,
        made: (usize, Side),
        inputs: Vec<WitnessInput>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        let mut run = self.begin(made, inputs);
        loop {
            let (advance, work) = run.advance(self.work, confirm);
            pool.count_work(work);
            if advance == Advance::Over {
                return self.end(run);
            }
        }
    }

    /// The same, to be gone on with.
    pub fn begin(&self, made: (usize, Side), mut inputs: Vec<WitnessInput>) -> GuessRun<'p> {
        // The condition does not say on which of them the path does not depend.
        inputs.iter_mut().for_each(|input| input.matters = true);
        let mut execution = self.options.execution_for(Technique::Classic);
        execution.given_inputs = Some(inputs.iter().map(given).collect::<GivenInputs>());
        execution.subsumption = false;
        execution.record_tree = None;
        execution.budget.work = Some(self.work);
        if let Some(left) = self.limits.deadline.remaining() {
            execution.budget.time = left;
        }
        let solver = self.options.solver.build();
        let table = TemplateTable::empty();
        let executor = Executor::new(self.facts.clone(), solver, table, execution);
        GuessRun {
            made,
            inputs,
            executor: Box::new(executor),
            tried: None,
        }
    }

    /// The result of a run that is over.
    pub fn end(&mut self, run: GuessRun<'p>) -> Option<Witness> {
        let (path, side) = run.made;
        let report = run.executor.finish();
        let (found, result) = self.outcome(report, run.inputs, run.tried);
        self.tried.push(Guess { path, side, result });
        found
    }

    fn outcome(
        &mut self,
        report: Report,
        inputs: Vec<WitnessInput>,
        tried: Option<Confirmation>,
    ) -> (Option<Witness>, Confirmation) {
        if let Verdict::Reachable(witness) = report.verdict {
            let result = tried.unwrap_or(Confirmation::Skipped);
            return (Some(Witness { inputs, ..*witness }), result);
        }
        let result = tried.unwrap_or_else(|| {
            let why = report.reasons.iter().next();
            Confirmation::Refuted(why.map_or_else(
                || "the program does not reach the target with these inputs".to_owned(),
                |(reason, _)| reason.to_string(),
            ))
        });
        match &result {
            Confirmation::Impossible(why) => self.reasons.add(Reason::NotReplayable(why.clone())),
            Confirmation::Refuted(why) | Confirmation::Stopped(why) => {
                self.reasons.add(Reason::GuessRefuted(why.clone()));
            }
            Confirmation::Confirmed(_) | Confirmation::Passed(_) | Confirmation::Skipped => {}
        }
        (None, result)
    }
}

/// What the execution is given of an input.
fn given(input: &WitnessInput) -> GivenInput {
    match &input.value {
        InputValue::Value(value) => GivenInput::Value(value.clone()),
        InputValue::Memory {
            bytes,
            default,
            chunks,
            address: None,
        } if *bytes <= MOST_BYTES => {
            let Ok(n_bytes) = usize::try_from(*bytes) else {
                return GivenInput::Arbitrary;
            };
            let mut content = vec![*default; n_bytes];
            for (offset, chunk) in chunks {
                let offset = usize::try_from(*offset).unwrap_or(n_bytes);
                let place = content.iter_mut().skip(offset);
                place.zip(chunk).for_each(|(byte, given)| *byte = *given);
            }
            GivenInput::Memory(content.into())
        }
        InputValue::Memory { .. } => GivenInput::Arbitrary,
    }
}
