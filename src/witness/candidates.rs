//! Candidates for the invariant of a loop: C expressions that may hold whenever it comes to its
//! condition.
//!
//! Path counters do not exist in C. Where a template says that x moves by c and y by d in each
//! iteration, they are eliminated: d·(x − x₀) = c·(y − y₀), and (x − x₀) mod c = 0 where c divides
//! the range of the type. All in unsigned arithmetic, which is what the machine does. x₀ is what
//! the text sets x to: a constant, or an expression over other variables.
//!
//! What is only known after an iteration is a disjunction with x = x₀. There, b is the loop's
//! condition and a is what the program asserts:
//!
//! ```text
//! x = x₀ ∨ b(x − c)    b held before the last iteration
//! x = x₀ ∨ b(x₀)       b held before the first iteration
//! x = x₀ ∨ a           an iteration makes it true
//! ```
//!
//! Where a loop has several ways, or inner loops, what each of them adds to variables
//! (`necessary::Growth`) is a vector. Relations that all vectors keep are candidates: of what variables
//! have moved by, x = y + z, and x ≤ Σ q·y.
//!
//! To these come comparisons of variables with each other, with constants of the program and with
//! what it uses as an index.
//!
//! # Deliberately absent
//! No proof: most candidates are wrong. Nothing with quantifiers, which witnesses do not have.

use super::expressions::{asserted, indices};
use super::instrument::expression;
use super::scope::{LoopText, Variable, condition, is_assigned, literals, variables};
use analysis::{Analysis, AnalysisOptions, Technique, Techniques, survey};
use frontend::TargetSpec;
use frontend::source_text::SourceText;
use necessary::{Additions, BuildOptions, Growth, NecessaryCondition};
use semantics::Machine;
use std::collections::{BTreeMap, BTreeSet};
use template::{Progression, Rule, Template};
use term::{Term, TermId, TermPool, Work};

/// No loop gets more candidates than this.
const MOST_CANDIDATES: usize = 80;

/// No variable gets more bounds by what ways through loops add.
const MOST_BOUNDS: usize = 12;

/// Each variable is taken to begin in one of so many ways, where several are compared.
const MOST_STARTS: usize = 2;

/// Which candidates are tried; each set has those of the sets before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Set {
    /// None: the iterations have nothing to do with the property.
    Trivial,
    /// What follows from the steps of templates.
    Steps,
    /// What holds before the first iteration or after it.
    Iterations,
    /// What all ways through loops keep.
    Ways,
    /// Comparisons too.
    Comparisons,
}

/// The steps of variables in the iterations of one template, by name.
pub(super) type Steps = Vec<(String, i64)>;

/// What is known of iterations.
#[derive(Default)]
pub(super) struct Moves {
    pub steps: Vec<Steps>,
    /// Of loops with their inner ones, by name.
    pub growths: Vec<Growth>,
}

impl Set {
    /// In the order in which they are tried.
    pub const ALL: [Set; 5] = [
        Set::Trivial,
        Set::Steps,
        Set::Iterations,
        Set::Ways,
        Set::Comparisons,
    ];

    /// The candidates for a loop, without repetition.
    pub fn candidates(
        self,
        source: &SourceText,
        target: &TargetSpec,
        text: &LoopText,
        moves: &Moves,
    ) -> Vec<String> {
        let known = variables(source, text);
        let mut found = Vec::new();
        if self >= Set::Steps {
            for steps in &moves.steps {
                let moved: Vec<(&Variable, i64)> = steps
                    .iter()
                    .filter_map(|(name, step)| {
                        let variable = known.iter().find(|variable| variable.name == *name)?;
                        Some((variable, *step))
                    })
                    .collect();
                found.extend(moved.iter().flat_map(|moved| congruences(*moved)));
                found.extend(before_last_iteration(source, text, &moved));
                for (position, x) in moved.iter().enumerate() {
                    for y in &moved[position + 1..] {
                        found.extend(relations(*x, *y));
                    }
                }
            }
        }
        let is_moved = |variable: &&Variable| is_assigned(source, text, &variable.name);
        let moving: Vec<&Variable> = known.iter().filter(is_moved).collect();
        if self >= Set::Iterations {
            found.extend(before_first_iteration(source, text, &moving));
            found.extend(after_first_iteration(source, target, text, &moving));
        }
        if self >= Set::Comparisons {
            found.extend(comparisons(source, text, &known, &moving));
        }
        if self >= Set::Ways {
            for growth in &moves.growths {
                found.extend(kept_by_all_ways(growth, &known, &moving));
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|value| seen.insert(value.clone()));
        found.truncate(MOST_CANDIDATES);
        found
    }
}

/// x = x₀ ∨ b(x − c): the condition b of the loop held before the last iteration, if there was one.
fn before_last_iteration(
    source: &SourceText,
    text: &LoopText,
    moved: &[(&Variable, i64)],
) -> Vec<String> {
    let values = moved
        .iter()
        .map(|(variable, step)| {
            let name = &variable.name;
            (name.as_str(), format!("({name} - ({step}))"))
        })
        .collect();
    let (before, asked) = condition_with(source, text, &values);
    let asked_for = |variable: &Variable| asked.contains(variable.name.as_str());
    disjunctions(
        moved
            .iter()
            .map(|(variable, _)| *variable)
            .filter(|x| asked_for(x)),
        &before,
    )
}

/// x = x₀ ∨ b(x₀): the condition b of the loop held before the first iteration, if there was one.
fn before_first_iteration(
    source: &SourceText,
    text: &LoopText,
    moving: &[&Variable],
) -> Vec<String> {
    let mut found = Vec::new();
    for variable in moving {
        for start in &variable.starts {
            let values = BTreeMap::from([(variable.name.as_str(), format!("({start})"))]);
            let (first, asked) = condition_with(source, text, &values);
            if !asked.is_empty() {
                found.push(format!("{} == {start} || ({first})", variable.name));
            }
        }
    }
    found.retain(|value| expression(value, None).is_ok());
    found
}

/// a, and x = x₀ ∨ a: what the program asserts holds, or does so after the first iteration.
fn after_first_iteration(
    source: &SourceText,
    target: &TargetSpec,
    text: &LoopText,
    moving: &[&Variable],
) -> Vec<String> {
    let mut found = Vec::new();
    for condition in asserted(source, target, text) {
        found.extend(disjunctions(moving.iter().copied(), &condition));
        found.push(condition);
    }
    found
}

/// x = x₀ ∨ condition, for each start of each variable; none if the condition has effects.
fn disjunctions<'v>(variables: impl Iterator<Item = &'v Variable>, condition: &str) -> Vec<String> {
    let mut found: Vec<String> = variables
        .flat_map(|variable| {
            let starts = variable.starts.iter();
            starts.map(|start| format!("{} == {start} || ({condition})", variable.name))
        })
        .collect();
    found.retain(|value| expression(value, None).is_ok());
    found
}

/// The loop's condition with these words replaced, and which of them it mentions.
fn condition_with<'v>(
    source: &SourceText,
    text: &LoopText,
    values: &BTreeMap<&'v str, String>,
) -> (String, BTreeSet<&'v str>) {
    let mut written = String::new();
    let mut asked = BTreeSet::new();
    for token in condition(source, text.keyword).into_iter().flatten() {
        let word = source.word(token);
        match values.get_key_value(word) {
            Some((word, value)) => {
                asked.insert(*word);
                written.push_str(value);
            }
            None => written.push_str(word),
        }
        if !source.touches_next(token) {
            written.push(' ');
        }
    }
    (written.trim().to_owned(), asked)
}

/// Comparisons of what the loop changes with other variables, constants and indices.
fn comparisons(
    source: &SourceText,
    text: &LoopText,
    known: &[Variable],
    moving: &[&Variable],
) -> Vec<String> {
    let mut found = Vec::new();
    let constants = literals(source, text);
    let moves = |x: &Variable| moving.iter().any(|moved| moved.name == x.name);
    for x in known {
        // What the loop does not change keeps its value anyway.
        for y in known.iter().filter(|y| moves(x) || moves(y)) {
            if x.name != y.name && x.unsigned == y.unsigned {
                found.push(format!("{} <= {}", x.name, y.name));
            }
        }
        for constant in constants.iter().filter(|_| moves(x)) {
            if *constant < 0 && x.unsigned {
                continue;
            }
            found.push(format!("{} >= {constant}", x.name));
            found.push(format!("{} <= {constant}", x.name));
        }
    }
    for index in indices(source, text) {
        if moving.iter().any(|x| index.words.contains(&x.name)) {
            continue;
        }
        for x in moving {
            found.push(format!("{} <= {}", x.name, index.text));
            found.push(format!("{} >= {}", x.name, index.text));
        }
    }
    found
}

/// (x − x₀) mod c = 0, for each start of x.
fn congruences((x, step): (&Variable, i64)) -> Vec<String> {
    let step = step.unsigned_abs();
    let mut found = Vec::new();
    for start in &x.starts {
        // Wrapping around keeps the remainder modulo a power of two only.
        let power = 1u64 << step.trailing_zeros();
        for modulus in BTreeSet::from([step, power]) {
            if modulus > 1 {
                found.push(format!("{} % {modulus}U == 0", difference(x, start)));
            }
        }
    }
    found
}

/// d·(x − x₀) = c·(y − y₀), where both variables have the same width.
fn relations((x, c): (&Variable, i64), (y, d): (&Variable, i64)) -> Vec<String> {
    let mut found = Vec::new();
    if x.ty != y.ty || c == 0 || d == 0 {
        return found;
    }
    let divisor = gcd(c.unsigned_abs(), d.unsigned_abs());
    let divisor = i64::try_from(divisor).unwrap_or(1);
    let (c, d) = (c / divisor, d / divisor);
    for x0 in &x.starts {
        for y0 in &y.starts {
            let side = |factor: i64, variable: &Variable, start: &str| match factor {
                1 => difference(variable, start),
                _ => format!(
                    "{} * ({})({factor})",
                    difference(variable, start),
                    variable.ty
                ),
            };
            found.push(format!("{} == {}", side(d, x, x0), side(c, y, y0)));
        }
    }
    found
}

/// Relations that whatever an iteration of the loop, or of one around it, adds to variables keeps:
/// x = y + z, and x ≤ Σ q·y with a variable y of each loop that moves x, of what they have moved by; and
/// that x did not come back behind its start, so that nothing wraps around.
fn kept_by_all_ways(growth: &Growth, known: &[Variable], moving: &[&Variable]) -> Vec<String> {
    let mut found = Vec::new();
    let all: BTreeSet<&str> = growth
        .levels
        .iter()
        .flatten()
        .flatten()
        .map(|(n, _)| &**n)
        .collect();
    let variables = known
        .iter()
        .filter(|variable| all.contains(&*variable.name));
    let grown: Vec<Grown> = variables.filter_map(|v| Grown::of(growth, v)).collect();
    for x in grown
        .iter()
        .filter(|x| moving.iter().any(|moved| moved.name == x.variable.name))
    {
        let others = grown.iter().filter(|y| y.variable.name != x.variable.name);
        let others: Vec<&Grown> = others.filter(|y| y.variable.ty == x.variable.ty).collect();
        for (number, y) in others.iter().enumerate() {
            for z in &others[number + 1..] {
                if x.is_sum_of(y, z) {
                    found.extend(compared(x, "==", &[(1, y), (1, z)]));
                }
            }
        }
        for bound in x.bounds(&others) {
            found.extend(compared(x, bound.relation, &bound.parts));
        }
        let relation = if x.falls { "<=" } else { ">=" };
        let Variable { name, starts, .. } = x.variable;
        let starts = starts.iter().take(MOST_STARTS);
        found.extend(starts.map(|start| format!("{name} {relation} {start}")));
    }
    found
}

/// A variable that iterations raise, or lower: by how much, in either case.
struct Grown<'v> {
    variable: &'v Variable,
    falls: bool,
    /// For each loop, of each of the additions.
    by: Vec<Vec<i64>>,
}

/// A relation of a variable to a sum.
struct Bound<'a, 'v> {
    relation: &'static str,
    parts: Vec<(i64, &'a Grown<'v>)>,
}

impl<'v> Grown<'v> {
    fn of(growth: &Growth, variable: &'v Variable) -> Option<Grown<'v>> {
        let addition = |additions: &Additions| additions.get(&variable.name).copied().unwrap_or(0);
        let levels = growth.levels.iter();
        let by: Vec<Vec<i64>> = levels
            .map(|level| level.iter().map(addition).collect())
            .collect();
        let all = || by.iter().flatten();
        let falls = all().any(|step| *step < 0);
        if falls && all().any(|step| *step > 0) || all().any(|step| step.checked_neg().is_none()) {
            return None;
        }
        let by = by
            .into_iter()
            .map(|level| level.into_iter().map(i64::abs).collect());
        Some(Grown {
            variable,
            falls,
            by: by.collect(),
        })
    }

    fn is_moved_in(&self, level: usize) -> bool {
        self.by[level].iter().any(|step| *step != 0)
    }

    fn is_sum_of(&self, y: &Grown, z: &Grown) -> bool {
        let steps = |of: &Grown| -> Vec<i64> { of.by.iter().flatten().copied().collect() };
        let (x, y, z) = (steps(self), steps(y), steps(z));
        let is_moved = |steps: &[i64]| steps.iter().any(|step| *step != 0);
        is_moved(&y)
            && is_moved(&z)
            && (x.iter().zip(&y).zip(&z)).all(|((x, y), z)| y.checked_add(*z) == Some(*x))
    }

    /// x ≤ Σ q·y, or with = where each addition keeps that: a y for each loop that moves x.
    fn bounds<'a>(&self, others: &[&'a Grown<'v>]) -> Vec<Bound<'a, 'v>> {
        let mut bounds = vec![Bound {
            relation: "==",
            parts: Vec::new(),
        }];
        for level in (0..self.by.len()).filter(|level| self.is_moved_in(*level)) {
            let mut next = Vec::new();
            for bound in &bounds {
                for y in others {
                    let Some((q, is_equal)) = self.factor(y, level) else {
                        continue;
                    };
                    let mut parts = bound.parts.clone();
                    parts.push((q, *y));
                    next.push(Bound {
                        relation: if is_equal { bound.relation } else { "<=" },
                        parts,
                    });
                }
            }
            next.truncate(MOST_BOUNDS);
            bounds = next;
        }
        bounds.retain(|bound| !bound.parts.is_empty());
        bounds
    }

    /// The least q with x ≤ q·y for each addition of a loop, and whether they are equal.
    fn factor(&self, y: &Grown, level: usize) -> Option<(i64, bool)> {
        let mut q = 0;
        for (x, y) in self.by[level].iter().zip(&y.by[level]) {
            match (x, y) {
                (0, 0) => {}
                (_, 0) => return None,
                (x, y) => q = q.max(x / y + i64::from(x % y != 0)),
            }
        }
        let mut pairs = self.by[level].iter().zip(&y.by[level]);
        let is_equal = pairs.all(|(x, y)| y.checked_mul(q) == Some(*x));
        (q > 0).then_some((q, is_equal))
    }

    /// By how much it has moved since it was set to `start`, in unsigned arithmetic.
    fn since(&self, start: &str) -> String {
        let Variable { name, ty, .. } = self.variable;
        if self.falls {
            format!("(({ty})({start}) - ({ty}){name})")
        } else {
            difference(self.variable, start)
        }
    }
}

/// How far x has moved in relation to how far others have, for some of their starts.
fn compared(x: &Grown, relation: &str, parts: &[(i64, &Grown)]) -> Vec<String> {
    let mut sums = vec![String::new()];
    for (q, y) in parts {
        let starts = y.variable.starts.iter().take(MOST_STARTS);
        let terms: Vec<String> = starts
            .map(|start| match q {
                1 => y.since(start),
                _ => format!("{} * ({})({q})", y.since(start), y.variable.ty),
            })
            .collect();
        sums = sums
            .iter()
            .flat_map(|sum| {
                let plus = if sum.is_empty() { "" } else { " + " };
                terms.iter().map(move |term| format!("{sum}{plus}{term}"))
            })
            .collect();
    }
    let starts = x.variable.starts.iter().take(MOST_STARTS);
    starts
        .flat_map(|start| {
            let left = x.since(start);
            sums.iter()
                .map(move |sum| format!("{left} {relation} {sum}"))
        })
        .collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// x − start in unsigned arithmetic.
fn difference(x: &Variable, start: &str) -> String {
    match start {
        "0" => format!("(({}){})", x.ty, x.name),
        _ => format!("(({}){} - ({})({start}))", x.ty, x.name, x.ty),
    }
}

/// For computing templates where another technique gave the verdict.
const WORK_FOR_STEPS: Work = Work::seconds(2);

/// What ways through loops add to variables, by the summaries of necessary conditions with the
/// counters of chains.
pub(super) fn growths(analysis: &Analysis, options: &AnalysisOptions) -> Vec<Growth> {
    let mut pool = TermPool::new();
    let execution = &options.execution;
    let machine = Machine::new(&mut pool, &analysis.loaded.program);
    let machine = machine.with_accesses(execution.accesses);
    let build = BuildOptions {
        work: WORK_FOR_STEPS,
        ..BuildOptions::of_chains()
    };
    let interrupt = &execution.budget.interrupt;
    let property = execution.property;
    let condition = NecessaryCondition::of(&machine, &mut pool, &build, property, interrupt);
    let mut growths = condition.growths(&pool);
    for growth in &mut growths {
        for additions in growth.levels.iter_mut().flatten() {
            let of_symbols = std::mem::take(additions).into_iter();
            additions.extend(of_symbols.map(|(name, step)| (variable_of(&name).to_owned(), step)));
        }
    }
    growths
}

/// The constant steps of all templates that were computed, or are now.
pub(super) fn steps(analysis: &Analysis, options: &AnalysisOptions) -> Vec<Steps> {
    let surveyed;
    let report = if analysis.report.table.is_enabled() {
        &analysis.report
    } else {
        let mut options = options.clone();
        options.techniques = Techniques::only(Technique::Compact);
        options.execution.budget.work = Some(WORK_FOR_STEPS);
        surveyed = survey(&analysis.loaded.program, &options, &mut |_| ());
        &surveyed
    };
    let cycles = report.table.computed().flat_map(|(_, records)| records);
    let cycles = cycles.flat_map(|record| &record.templates);
    let loops = report.table.computed_loops();
    let loops = loops.flat_map(|(_, record)| &record.templates);
    let mut all: Vec<Steps> = cycles
        .chain(loops)
        .map(|template| steps_of(&report.pool, template))
        .collect();
    all.sort();
    all.dedup();
    all
}

fn steps_of(pool: &TermPool, template: &Template) -> Steps {
    let step = |progression: &Progression| {
        if progression.rule != Rule::Arithmetic {
            return None;
        }
        let start = pool.symbol_term(progression.symbol);
        let parts = pool.linear_terms(progression.value)?;
        let mut moved = parts.iter().filter(|(_, part)| *part != start);
        let (coefficient, part) = moved.next()?;
        if moved.next().is_some() || !is_kappa(pool, *part, template) {
            return None;
        }
        let unused = 64 - pool.width(start).min(64);
        let step = (coefficient << unused).cast_signed() >> unused;
        let name = variable_of(pool.symbol_name(progression.symbol));
        Some((name.to_owned(), step))
    };
    let mut steps: Steps = template.progressions.iter().filter_map(step).collect();
    steps.sort();
    steps.dedup();
    steps
}

/// The variable of C that a symbol is named after.
fn variable_of(symbol: &str) -> &str {
    symbol.split(['.', '#', '+']).next().unwrap_or_default()
}

/// Whether a term is κ, in whatever width.
fn is_kappa(pool: &TermPool, term: TermId, template: &Template) -> bool {
    let inner = match pool.view(term) {
        Term::Cast(_, inner) => inner,
        Term::Extract { low: 0, of } => of,
        _ => term,
    };
    pool.as_symbol(inner) == Some(template.kappa)
}

#[cfg(test)]
mod tests {
    use super::super::scope::loops;
    use super::*;

    #[test]
    fn each_set_has_its_forms() {
        let text = "\
unsigned size; int a[100];\n\
void main(void) {\n\
  unsigned n = 7, x = n, y = 0;\n\
  a[size / 2] = 3;\n\
  while (x > 0 && a[y] != 3) { x--; y++; }\n\
  if (y > n) reach_error();\n\
}\n";
        let source = SourceText::new(text.to_owned());
        let all = loops(&source);
        let steps: Vec<Steps> = vec![vec![("x".to_owned(), -1), ("y".to_owned(), 1)]];
        let moves = Moves {
            steps,
            growths: Vec::new(),
        };
        let found = |set: Set| set.candidates(&source, &TargetSpec::Default, &all[0], &moves);
        assert!(found(Set::Trivial).is_empty());
        let expected = [
            (
                Set::Steps,
                "((unsigned int)x - (unsigned int)(n)) == ((unsigned int)y) * (unsigned int)(-1)",
            ),
            (
                Set::Steps,
                "x == n || ((x - (-1)) > 0 && a[(y - (1))] != 3)",
            ),
            (Set::Iterations, "x == n || ((n) > 0 && a[y] != 3)"),
            (Set::Iterations, "y == 0 || (!(y > n))"),
            (Set::Iterations, "!(y > n)"),
            (Set::Comparisons, "y <= size / 2"),
            (Set::Comparisons, "x <= n"),
        ];
        for (set, value) in expected {
            let value = value.to_owned();
            assert!(found(set).contains(&value), "{value}: {:?}", found(set));
            let before = [Set::Trivial, Set::Steps, Set::Iterations];
            let earlier = before.into_iter().filter(|other| *other < set);
            for other in earlier {
                assert!(!found(other).contains(&value), "{value}");
            }
        }
    }
}
