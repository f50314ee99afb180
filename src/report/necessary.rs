//! A necessary condition and its results.

use super::Environment;
use super::record::{InputRecord, ProgramRecord, ReasonRecord};
use ::necessary::{ConditionView, Decision, Rules, Side, SideAnswer, Verdict as Answer};
use analysis::{AnalysisOptions, NecessaryAnalysis, NecessaryOptions};
use frontend::Loaded;
use property::VerdictKind;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::time::Duration;
use symex::{Confirmation, Verdict};
use term::Work;

/// The result of `compact-se necessary`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NecessaryRecord {
    /// Version of this layout, 2.
    pub format: u32,
    pub environment: Environment,
    pub program: ProgramRecord,
    /// `all`, or `paper`.
    pub rules: String,
    /// Instances of each quantifier in φ̂^K.
    pub k: u64,
    pub verdict: VerdictKind,
    pub reasons: Vec<ReasonRecord>,
    /// Of the run that reached the target.
    pub inputs: Vec<InputRecord>,
    /// φ̂, its backbones and summaries in the paper's notation.
    pub condition: ConditionView,
    /// φ̂ as SMT-LIB 2.
    pub smt2: String,
    pub counts: ConditionCounts,
    /// φ̂.
    pub quantified: SideRecord,
    /// φ̂^K.
    pub instances: SideRecord,
    /// `quantified` or `instances`: whose answer took less work.
    pub decided_by: Option<String>,
    /// The answer about paths to undefined behaviour, where φ̂ is unsatisfiable.
    pub undefined_behaviour: Option<String>,
    /// Native runs with models, in order.
    pub guesses: Vec<GuessRecord>,
    /// Seconds and work.
    pub build: CostRecord,
    pub load_s: f64,
    /// Everything, loading and native runs included.
    pub total_s: f64,
}

/// Numbers of a condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConditionCounts {
    /// Disjuncts of φ̂.
    pub paths: usize,
    /// Backbones that they stand for.
    pub backbones: u64,
    /// Paths to undefined behaviour.
    pub undefined_paths: usize,
    pub loop_summaries: usize,
    pub lost_predicates: usize,
}

/// The results about φ̂ or φ̂^K.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SideRecord {
    /// `sat`, `unsat` or `open`.
    pub answer: String,
    /// Of making it from φ̂.
    pub build: CostRecord,
    /// Of the queries.
    pub solve: CostRecord,
}

/// Time and work.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CostRecord {
    pub seconds: f64,
    pub work_s: f64,
}

/// A native run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GuessRecord {
    /// The path of φ̂, from 1.
    pub path: usize,
    /// `quantified` or `instances`: whose model it was.
    pub by: String,
    /// `reached`, or what happened instead.
    pub result: String,
}

impl NecessaryRecord {
    /// The record of an analysis; times are of loading and in all.
    #[must_use]
    pub fn new(
        environment: Environment,
        options: &AnalysisOptions,
        necessary: &NecessaryOptions,
        loaded: &Loaded,
        analysis: &mut NecessaryAnalysis,
        (load, total): (Duration, Duration),
    ) -> NecessaryRecord {
        let program = &loaded.program;
        let pool = &mut analysis.pool;
        let condition = analysis.condition.view(pool, program);
        let formula = analysis.condition.formula(pool);
        let smt2 = pool.to_smt2(&[formula]);
        let inputs = match &analysis.verdict {
            Verdict::Reachable(witness) => (witness.inputs.iter())
                .map(|input| InputRecord::of(input, &loaded.input_types))
                .collect(),
            Verdict::Unreachable | Verdict::Unknown => Vec::new(),
        };
        let reasons = match analysis.verdict {
            Verdict::Unknown => analysis
                .reasons
                .iter()
                .map(|(reason, n)| ReasonRecord::of(reason, n, program))
                .collect(),
            Verdict::Reachable(_) | Verdict::Unreachable => Vec::new(),
        };
        let NecessaryAnalysis {
            condition: computed,
            decision,
            open,
            guesses,
            verdict,
            build,
            ..
        } = analysis;
        NecessaryRecord {
            format: 2,
            environment,
            program: ProgramRecord::of(&options.load, loaded.data_model.to_string()),
            rules: match necessary.build.rules {
                Rules::All => "all",
                Rules::OfThePaper => "paper",
                Rules::OfChains => "chains",
            }
            .to_owned(),
            k: necessary.decider.k,
            verdict: verdict.kind(),
            reasons,
            inputs,
            condition,
            smt2,
            counts: ConditionCounts {
                paths: computed.paths.len(),
                backbones: (computed.paths.iter().map(|path| path.n_backbones))
                    .fold(0, u64::saturating_add),
                undefined_paths: computed.open.len(),
                loop_summaries: computed.summaries.len(),
                lost_predicates: computed.lost.len(),
            },
            quantified: SideRecord::of(&decision.quantified),
            instances: SideRecord::of(&decision.instances),
            decided_by: decision.decided_by.map(|side| name_of(side).to_owned()),
            undefined_behaviour: open.as_ref().map(|open| answer_of(open).to_owned()),
            guesses: guesses
                .iter()
                .map(|guess| GuessRecord {
                    path: guess.path + 1,
                    by: name_of(guess.side).to_owned(),
                    result: result_of(&guess.result),
                })
                .collect(),
            build: CostRecord::of(build.1, build.0),
            load_s: load.as_secs_f64(),
            total_s: total.as_secs_f64(),
        }
    }

    /// As text: the verdict first.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.verdict);
        for reason in &self.reasons {
            let place = if reason.place.is_empty() {
                String::new()
            } else {
                format!("{}: ", reason.place)
            };
            let _ = writeln!(text, "  {place}{}", reason.text);
        }
        if self.verdict == VerdictKind::Reachable {
            text.push_str(&super::inputs::in_words(&self.inputs));
        }
        text.push('\n');
        let _ = write!(text, "{}", self.condition);
        text.push('\n');
        text.push_str(&self.costs());
        text
    }

    /// The queries and runs with their times, a line each.
    #[must_use]
    pub fn costs(&self) -> String {
        let mut text = String::new();
        let cost = |cost: &CostRecord| format!("{:.3} s", cost.seconds);
        let _ = writeln!(text, "φ̂ built in {}", cost(&self.build));
        let _ = writeln!(
            text,
            "φ̂: {} in {}",
            self.quantified.answer,
            cost(&self.quantified.solve)
        );
        let _ = writeln!(
            text,
            "φ̂^{}: built in {}, {} in {}",
            self.k,
            cost(&self.instances.build),
            self.instances.answer,
            cost(&self.instances.solve)
        );
        if let Some(answer) = &self.undefined_behaviour {
            let _ = writeln!(text, "paths to undefined behaviour: {answer}");
        }
        for guess in &self.guesses {
            let formula = match guess.by.as_str() {
                "quantified" => "φ̂".to_owned(),
                _ => format!("φ̂^{}", self.k),
            };
            let _ = writeln!(
                text,
                "native run with a model of {formula}, path {}: {}",
                guess.path, guess.result
            );
        }
        text
    }
}

impl SideRecord {
    fn of(side: &SideAnswer) -> SideRecord {
        SideRecord {
            answer: answer_name(&side.verdict).to_owned(),
            build: CostRecord::of(side.build.1, side.build.0),
            solve: CostRecord::of(side.time, side.work),
        }
    }
}

impl CostRecord {
    fn of(time: Duration, work: Work) -> CostRecord {
        CostRecord {
            seconds: time.as_secs_f64(),
            work_s: work.as_seconds(),
        }
    }
}

fn name_of(side: Side) -> &'static str {
    match side {
        Side::Quantified => "quantified",
        Side::Instances => "instances",
    }
}

fn answer_of(decision: &Decision) -> &'static str {
    answer_name(decision.verdict())
}

fn answer_name(answer: &Answer) -> &'static str {
    match answer {
        Answer::Satisfiable { .. } => "sat",
        Answer::Unsatisfiable => "unsat",
        Answer::Open => "open",
    }
}

fn result_of(confirmation: &Confirmation) -> String {
    match confirmation {
        Confirmation::Confirmed(_) | Confirmation::Passed(_) => "reached".to_owned(),
        Confirmation::Skipped => "not run".to_owned(),
        Confirmation::Refuted(why) | Confirmation::Stopped(why) | Confirmation::Impossible(why) => {
            why.clone()
        }
    }
}
