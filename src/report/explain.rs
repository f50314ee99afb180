//! Explanations of loops: for each loop its cycles, the templates that cover it, the rule of each variable's
//! closed form, and the obstacles to more; and the technique and invariants that decided about the target.

use super::Sources;
use super::coverage::{coverage_in_words, hint};
use super::record::{ClosingRecord, ContractRecord, InvariantRecord, ReasonRecord, place};
use super::templates::{lines, loop_lines};
use analysis::{Contribution, Technique};
use flowgraph::{Function, Program, Span};
use property::{Reason, VerdictKind};
use serde::Serialize;
use symex::Report;
use template::{Coverage, LoopCoverage, NoTemplate, Obstacle, Rule, Template};
use term::TermPool;

/// The result of `compact-se explain`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplanationRecord {
    pub loops: Vec<ExplainedLoop>,
    /// Whether some function has more cycles than were examined.
    pub cycles_cut: bool,
    /// Functions with cyclic paths that are in no loop, as `goto` into a loop makes them.
    pub irreducible: Vec<String>,
    /// Operations at which paths ended that are not supported, so that nothing is known of loops behind them.
    pub unsupported: Vec<ReasonRecord>,
    /// The limit that ended the run before everything was executed, if one did.
    pub cut_short: Option<String>,
    /// States that necessary conditions closed, in a search for what is not covered.
    pub closed_by_conditions: Vec<ClosingRecord>,
    /// The decision about the target, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRecord>,
    /// Recursions that execution came to.
    pub recursions: usize,
    /// Those with a template.
    pub recursion_templates: usize,
}

/// The decision about the target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DecisionRecord {
    pub verdict: VerdictKind,
    /// By its name.
    pub technique: String,
    /// Iterations of a loop that were examined together; none without cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    pub invariants: Vec<InvariantRecord>,
    pub contracts: Vec<ContractRecord>,
    /// States that necessary conditions closed on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed_by_conditions: Vec<ClosingRecord>,
}

impl DecisionRecord {
    /// The decision in a report, with its technique; `None` if nothing was decided.
    #[must_use]
    pub fn new(
        report: &Report,
        contributions: &[Contribution],
        program: &Program,
    ) -> Option<DecisionRecord> {
        let verdict = report.verdict.kind();
        let mut deciding = contributions.iter().filter(|one| one.decided);
        let technique = deciding.next()?.technique;
        let is_proof = verdict == VerdictKind::Unreachable;
        (verdict != VerdictKind::Unknown).then(|| DecisionRecord {
            verdict,
            technique: technique.name().to_owned(),
            k: (technique == Technique::KInduction).then_some(report.statistics.k),
            invariants: if is_proof {
                InvariantRecord::all(&report.invariants, program)
            } else {
                Vec::new()
            },
            contracts: if is_proof {
                ContractRecord::all(&report.contracts)
            } else {
                Vec::new()
            },
            closed_by_conditions: ClosingRecord::all(&report.statistics.conditions, program),
        })
    }
}

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedLoop {
    /// From 1, through all functions.
    pub number: usize,
    /// After inlining.
    pub function: String,
    /// Of the header, as `file:line:column`; empty if not known.
    pub place: String,
    /// The header's source line.
    pub source: String,
    /// As `file:line` or `file:first-last`; empty if not known.
    pub lines: String,
    /// Which of the `copies` it is, from 1.
    pub copy: usize,
    /// How many loops of the function are this one in the source: a function that is inlined has one for
    /// each of its calls.
    pub copies: usize,
    /// Number of the loop around it.
    pub inside: Option<usize>,
    /// `loop-template`, `cycle-templates`, `outer-loop`, `nothing` or `not-met`.
    pub covered_by: String,
    /// The same in words.
    pub coverage: String,
    /// Those of loops inside of it left out.
    pub cycles: Vec<ExplainedCycle>,
    pub templates: Vec<ExplainedTemplate>,
    pub obstacles: Vec<ExplainedObstacle>,
}

/// A cycle of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedCycle {
    /// From 1, in the loop.
    pub number: usize,
    /// Locations along the core, the entry first and last.
    pub core: String,
    pub lines: String,
    /// Whether its entry is the loop's header. Others are only used where no states are
    /// closed (`--no-subsumption`).
    pub from_header: bool,
    /// How many templates it has, one a shape of pointers.
    pub templates: usize,
    /// Whether a template was requested.
    pub asked: bool,
}

/// A template of the loop or of one of its cycles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedTemplate {
    /// `the whole loop`, or `cycle` with its number.
    pub of: String,
    pub variables: Vec<ExplainedVariable>,
    /// Ways to leave.
    pub exits: usize,
    /// Whether these are the ways through the loop's path dependency automaton, with a closed form
    /// each.
    pub by_automaton: bool,
}

/// A variable that matters, and its closed form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedVariable {
    pub name: String,
    pub rule: String,
    /// After κ iterations.
    pub closed_form: String,
}

/// An obstacle to a template.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedObstacle {
    /// `the whole loop`, or `cycle` with its number.
    pub of: String,
    pub reason: String,
    /// Why the rules fail; empty where the reason says all.
    pub because: String,
    /// The variable or object that is to blame, if one is.
    pub variable: Option<String>,
    /// `file:line:column`, or empty.
    pub place: String,
    /// The source line there.
    pub source: String,
    /// The loop inside that is to blame, if one is.
    pub inner: Option<usize>,
    /// A hint.
    pub hint: String,
}

/// The name of a template for all paths.
const WHOLE: &str = "the whole loop";

impl ExplanationRecord {
    /// The explanation of what a run found out.
    #[must_use]
    pub fn new(report: &Report, program: &Program, sources: &Sources) -> ExplanationRecord {
        let known = report.table.coverage(program);
        let irreducible = program.function_ids().map(|id| program.function(id));
        let irreducible = irreducible.filter(|function| !function.loops().irreducible.is_empty());
        let explainer = Explainer {
            known: &known,
            pool: &report.pool,
            program,
            sources,
        };
        ExplanationRecord {
            loops: known.iter().map(|each| explainer.explain(each)).collect(),
            cycles_cut: report.table.statistics().cycles_cut,
            irreducible: irreducible.map(|function| function.name.clone()).collect(),
            unsupported: (report.reasons.iter())
                .filter(|(reason, _)| matches!(reason, Reason::Unsupported(..)))
                .map(|(reason, count)| ReasonRecord::of(reason, count, program))
                .collect(),
            cut_short: report.exhausted().map(|exhausted| exhausted.to_string()),
            closed_by_conditions: ClosingRecord::all(&report.statistics.conditions, program),
            decision: None,
            recursions: report.table.statistics().n_recursions,
            recursion_templates: report.table.statistics().n_recursion_templates,
        }
    }

    /// Only the loop of this number.
    #[must_use]
    pub fn only(mut self, number: usize) -> ExplanationRecord {
        self.loops.retain(|each| each.number == number);
        (self.closed_by_conditions).retain(|closing| closing.number == Some(number));
        self
    }
}

/// The input of explanations.
struct Explainer<'a> {
    known: &'a [LoopCoverage<'a>],
    pool: &'a TermPool,
    program: &'a Program,
    sources: &'a Sources,
}

impl Explainer<'_> {
    fn explain(&self, known: &LoopCoverage) -> ExplainedLoop {
        let natural = known.natural();
        let function = self.program.function(known.function);
        let header = self.header(known, function);
        let inside = natural.parent.and_then(|parent| {
            let mut all = self.known.iter();
            all.find(|other| (other.function, other.id) == (known.function, parent))
        });
        let (copy, copies) = self.copies(known, function);
        let mut coverage = coverage_in_words(&known.coverage);
        if let Coverage::Cycles { .. } = known.coverage
            && known.revisits_states()
        {
            coverage.push_str(
                ", but its iterations change nothing relevant: they are executed until a state \
                 repeats, and closed there",
            );
        }
        ExplainedLoop {
            number: known.number,
            function: function.name.clone(),
            place: place(self.program, header),
            source: self.sources.line(header).to_owned(),
            lines: loop_lines(natural, self.program),
            copy,
            copies,
            inside: inside.map(|outer| outer.number),
            covered_by: kind(&known.coverage).to_owned(),
            coverage,
            cycles: (1..)
                .zip(&known.cycles)
                .map(|(number, cycle)| ExplainedCycle {
                    number,
                    core: cycle.cycle.describe_core(function),
                    lines: lines(&cycle.cycle, function, self.program),
                    from_header: cycle.cycle.entry == natural.header,
                    templates: cycle.templates.len(),
                    asked: !cycle.templates.is_empty() || !cycle.refused.is_empty(),
                })
                .collect(),
            templates: self.templates(known),
            obstacles: self.obstacles(known),
        }
    }

    /// Which one a loop is of those that are the same in the source, and how many these are.
    fn copies(&self, known: &LoopCoverage, function: &Function) -> (usize, usize) {
        let header = function.node(known.natural().header).span;
        if header.line == 0 || header.column == 0 {
            return (1, 1);
        }
        let of_function = self.known.iter();
        let of_function = of_function.filter(|other| other.function == known.function);
        let same = of_function.filter(|other| {
            let natural = other.natural();
            function.node(natural.header).span == header && natural.lines == known.natural().lines
        });
        let numbers: Vec<usize> = same.map(|other| other.number).collect();
        let before = numbers.iter().filter(|number| **number < known.number);
        (before.count() + 1, numbers.len())
    }

    /// The place of the header, or the first known one of the loop.
    fn header(&self, known: &LoopCoverage, function: &Function) -> Span {
        let natural = known.natural();
        let header = function.node(natural.header).span;
        let first = natural.lines.map(|lines| Span {
            file: lines.file,
            line: lines.first,
            column: 0,
        });
        match first {
            Some(first) if header.line == 0 => first,
            Some(_) | None => header,
        }
    }

    /// Those of the whole loop, or those of its cycles; equal ones for several shapes once.
    fn templates(&self, known: &LoopCoverage) -> Vec<ExplainedTemplate> {
        let whole = known.whole.iter().flat_map(|record| &record.templates);
        let whole = whole.map(|template| self.template(WHOLE.to_owned(), template));
        let cycles = (1..).zip(&known.cycles).flat_map(|(number, record)| {
            let templates = record.templates.iter();
            templates.map(move |template| self.template(format!("cycle {number}"), template))
        });
        let mut found: Vec<ExplainedTemplate> = Vec::new();
        for template in whole.chain(cycles) {
            if !found.contains(&template) {
                found.push(template);
            }
        }
        found
    }

    fn template(&self, of: String, template: &Template) -> ExplainedTemplate {
        let forms = template.closed_forms(self.pool).into_iter();
        ExplainedTemplate {
            of,
            variables: forms
                .map(|(name, rule, closed_form)| ExplainedVariable {
                    name,
                    rule: rule.name().to_owned(),
                    closed_form,
                })
                .collect(),
            exits: template.exits.len(),
            by_automaton: template.is_by_automaton(),
        }
    }

    /// The obstacles to a template of the whole loop, and of cycles from the header.
    fn obstacles(&self, known: &LoopCoverage) -> Vec<ExplainedObstacle> {
        let header = known.natural().header;
        let whole = known
            .whole
            .iter()
            .flat_map(|record| record.refused.values());
        let whole = whole.map(|reason| (WHOLE.to_owned(), reason));
        let numbered = (1..).zip(&known.cycles);
        let cycles = numbered
            .filter(|(_, record)| record.cycle.entry == header)
            .flat_map(|(number, record)| {
                let refused = record.refused.values();
                refused.map(move |reason| (format!("cycle {number}"), reason))
            });
        let mut found: Vec<ExplainedObstacle> = Vec::new();
        for (of, reason) in whole.chain(cycles) {
            let obstacle = self.obstacle(known, of, reason);
            let is_known = found.iter().any(|known| {
                (&known.reason, &known.because) == (&obstacle.reason, &obstacle.because)
            });
            if *reason != NoTemplate::Infeasible && !is_known {
                found.push(obstacle);
            }
        }
        found
    }

    fn obstacle(&self, known: &LoopCoverage, of: String, reason: &NoTemplate) -> ExplainedObstacle {
        let (variable, span) = blamed(reason);
        let inner = match reason {
            NoTemplate::InnerLoop { span, .. } => self.loop_inside(known, *span),
            _ => None,
        };
        ExplainedObstacle {
            of,
            reason: reason.to_string(),
            because: match reason {
                NoTemplate::NoProgression { why, .. } => why.to_string(),
                _ => String::new(),
            },
            variable: variable.map(str::to_owned),
            place: place(self.program, span),
            source: self.sources.line(span).to_owned(),
            inner,
            hint: hint(reason).to_owned(),
        }
    }

    /// The innermost loop inside of another one around a line.
    fn loop_inside(&self, outer: &LoopCoverage, at: Span) -> Option<usize> {
        let body = &outer.natural().body;
        let inside = self.known.iter().filter(|other| {
            let natural = other.natural();
            let is_around = natural.lines.is_some_and(|lines| {
                lines.file == at.file && (lines.first..=lines.last).contains(&at.line)
            });
            other.function == outer.function
                && other.id != outer.id
                && body.contains(natural.header.index())
                && is_around
        });
        inside
            .max_by_key(|other| other.natural().depth)
            .map(|other| other.number)
    }
}

/// The kind that records cite.
fn kind(coverage: &Coverage) -> &'static str {
    match coverage {
        Coverage::Whole => "loop-template",
        Coverage::Cycles { .. } => "cycle-templates",
        Coverage::Within { .. } => "outer-loop",
        Coverage::Nothing(_) => "nothing",
        Coverage::NotMet => "not-met",
    }
}

/// The variable or object at which the rules fail in the end, and its place.
fn blamed(reason: &NoTemplate) -> (Option<&str>, Span) {
    match reason {
        NoTemplate::NoProgression {
            variable,
            why,
            span,
            ..
        } => {
            let (mut variable, mut why, mut span) = (variable, why.as_ref(), *span);
            while let Obstacle::Other {
                variable: other,
                why: behind,
                span: at,
                ..
            } = why
            {
                (variable, why, span) = (other, behind.as_ref(), *at);
            }
            (Some(variable), span)
        }
        NoTemplate::PointerMoves { variable, span } => (Some(variable), *span),
        NoTemplate::WritesArray { object, span, .. } => (Some(object), *span),
        other => (None, other.span()),
    }
}

/// The pattern of a rule, by its name in records.
pub(super) fn meaning(rule: &str) -> Option<&'static str> {
    const RULES: [Rule; 11] = [
        Rule::Unchanged,
        Rule::Arithmetic,
        Rule::Polynomial,
        Rule::Geometric,
        Rule::Alternating,
        Rule::Returning,
        Rule::Sum,
        Rule::Flag,
        Rule::Comprehension,
        Rule::Frame,
        Rule::Reset,
    ];
    let rule = RULES.into_iter().find(|known| known.name() == rule)?;
    Some(match rule {
        Rule::Unchanged => "no iteration changes it",
        Rule::Arithmetic => "every iteration adds the same value (Algorithm 1, line 9)",
        Rule::Polynomial => "every iteration adds a value that grows by a constant",
        Rule::Geometric => "every iteration multiplies it by the same value (Algorithm 1, line 12)",
        Rule::Alternating => "every iteration subtracts it from the same value",
        Rule::Returning => "its values repeat from the second iteration on",
        Rule::Sum => "every iteration adds a value that has a closed form",
        Rule::Flag => "some iterations set it to one value, the others do not change it",
        Rule::Comprehension => "every iteration writes at an index that moves",
        Rule::Frame => "it is a variable of the returning frame",
        Rule::Reset => {
            "every iteration assigns it from values that have closed forms (Algorithm 1, line 15)"
        }
    })
}
