//! Checking correctness witnesses.
//!
//! A loop invariant E becomes, where the loop evaluates its condition (a `do` loop: where its body
//! begins), an assertion of E, a *cut*, and an assumption of E. The executor then makes a proof by
//! induction of it: a state that comes to the cut for the first time goes on with everything
//! arbitrary that the loop changes, and ends where it comes there again. If neither an assertion
//! can fail nor the target be reached, each E holds at first and after each iteration, and all
//! together imply the property. Loops without an invariant are executed as always.
//!
//! An assertion whose evaluation ends the execution, since C does not define it or the machine
//! traps, has failed. The same in the assumption is none: then its invariant does not hold there.
//!
//! An assertion that fails in a proof shows only that the invariants are not inductive. Whether
//! one is violated from the start is then asked of an ordinary analysis, in which cuts do nothing and which
//! finds invariants of its own: where it shows that no assertion fails and the target is not reached, the
//! witness is confirmed as well. Where only the invariants or only the property can be shown, the answer says which.
//!
//! A property about errors is one about what the checks find. An error in an assertion is a failed assertion, one in
//! an assumption is none. Memory that is left, and variables whose block was left, are for the ordinary analysis.

use super::contracts;
use super::task::{Changed, Checked, EndedAt};
use super::violation::{is_in_block, statement};
use super::{CheckError, Judgement};
use crate::WitnessError;
use crate::claim::Claim;
use crate::instrument::Insertions;
use crate::places::Sources;
use crate::scope::condition;
use crate::yaml::{Contract, Invariant};
use analysis::{
    ByInvariants, SignedOverflow, Technique, Techniques, analyze, analyze_loaded, prove,
};
use flowgraph::Span;
use frontend::source_text::SourceText;
use frontend::{LoadError, Loaded, load};
use property::ErrorKind;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use symex::{Report, Verdict, Witness};
use term::Work;

/// Prefix of the functions that stand for failed assertions, with the number of the invariant.
const VIOLATED: &str = "compact_se_witness_violated_";

/// Marks in expressions whose evaluation may end an execution: what C does not define, or a trap.
const MAY_END: [char; 4] = ['/', '%', '*', '['];

/// For a proof by induction of a witness without invariants: that an insertion sort sorts takes 15 s.
const MOST_FOR_INDUCTION: Work = Work::seconds(20);

/// The function that stands for a cut.
const CUT: &str = "compact_se_witness_cut";

/// Where an invariant is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Head {
    /// Before the condition from the first to the second token, exclusively; it may be empty.
    Condition(usize, usize),
    /// Before what follows the token: the brace of the body of a `do` loop.
    Body(usize),
    /// Before the statement that begins at this token; no loop is cut.
    Statement(usize),
}

/// A program with the invariants in it.
pub(crate) struct Proof {
    changed: Changed,
    claim: Claim,
}

/// What a proof came to.
pub(crate) struct Outcome {
    /// The invariants that do not hold at first or after an iteration, or have no value there.
    pub failed: BTreeSet<usize>,
    /// Whether an execution ended at an unknown place, which may be an invariant.
    ended_somewhere: bool,
    /// Whether the target, or an error, is reachable from what the loops are cut to.
    pub reaches_target: bool,
    /// Whether all paths were followed to their ends.
    is_complete: bool,
    pub report: Report,
}

/// What an ordinary analysis says of the assertions and the property.
enum Analyzed {
    Holds,
    Violated(String),
    Open,
}

/// Whether the invariants hold, are inductive and imply the property.
pub(super) fn check(checked: &Checked, claims: &[Invariant]) -> Result<Judgement, CheckError> {
    let proof = match Proof::new(checked, claims)? {
        Ok(proof) => proof,
        Err(why) => return Ok(Judgement::Unknown(why)),
    };
    let time = checked.options.execution.budget.time;
    let started = Instant::now();
    let left = || time.saturating_sub(started.elapsed());
    if claims.is_empty() {
        // Nothing helps to a proof by cuts.
        if proof.is_inductive(time / 3)? {
            return Ok(Judgement::Confirmed);
        }
        match proof.analyzed(claims, time / 2)? {
            Analyzed::Holds => return Ok(Judgement::Confirmed),
            Analyzed::Violated(why) => return Ok(Judgement::Rejected(why)),
            Analyzed::Open => {}
        }
    }
    let outcome = match proof.run(time / if claims.is_empty() { 6 } else { 2 }, None) {
        Err(CheckError::Load(LoadError::Clang { message, .. })) => {
            return Ok(Judgement::Unknown(format!(
                "clang rejects the invariants: {message}"
            )));
        }
        outcome => outcome?,
    };
    if outcome.is_proved() {
        return Ok(Judgement::Confirmed);
    }
    if !claims.is_empty() {
        match proof.analyzed(claims, left() * 2 / 3)? {
            Analyzed::Holds => return Ok(Judgement::Confirmed),
            Analyzed::Violated(why) => return Ok(Judgement::Rejected(why)),
            Analyzed::Open => {}
        }
    }
    let why = match outcome.failed.first() {
        Some(number) => format!("not inductive: {}", shown(&claims[*number])),
        None if outcome.reaches_target => "the invariants do not imply the property".to_owned(),
        None => {
            let reason = outcome.report.reasons.iter().next();
            reason.map_or_else(
                || "an execution ends in undefined behaviour at an unknown location".to_owned(),
                |(reason, _)| reason.to_string(),
            )
        }
    };
    Ok(Judgement::Unknown(if claims.is_empty() {
        why
    } else if outcome.do_invariants_hold() {
        format!("the invariants hold, but the property is undecided: {why}")
    } else if holds_by_itself(checked, left() * 3 / 4)? {
        format!("the property holds, but the invariants are undecided: {why}")
    } else {
        why
    }))
}

/// Whether an analysis shows the property without the invariants.
fn holds_by_itself(checked: &Checked, time: Duration) -> Result<bool, CheckError> {
    Ok(match Proof::new(checked, &[])? {
        Ok(proof) => matches!(proof.analyzed(&[], time)?, Analyzed::Holds),
        Err(_) => false,
    })
}

/// Whether the contracts and the invariants hold, are inductive and imply the property. What violates them there
/// need not be an execution of the program, so that nothing is rejected.
pub(super) fn check_with_contracts(
    checked: &Checked,
    claims: &[Invariant],
    contracts: &[Contract],
) -> Result<Judgement, CheckError> {
    let proof = match Proof::with_contracts(checked, claims, contracts)? {
        Ok(proof) => proof,
        Err(why) => return Ok(Judgement::Unknown(why)),
    };
    let time = checked.options.execution.budget.time;
    let outcome = match proof.run(time, None) {
        Err(CheckError::Load(LoadError::Clang { message, .. })) => {
            let why = format!("clang rejects the contracts: {message}");
            return Ok(Judgement::Unknown(why));
        }
        outcome => outcome?,
    };
    Ok(if outcome.is_proved() {
        Judgement::Confirmed
    } else {
        Judgement::Unknown(match outcome.failed.first() {
            Some(number) if *number < claims.len() => {
                format!("not inductive: {}", shown(&claims[*number]))
            }
            Some(number) => {
                let place = &contracts[*number - claims.len()].location;
                let name = place.function.as_deref().unwrap_or_default();
                format!("the contract of {name} is not inductive")
            }
            None => "the contracts do not imply the property".to_owned(),
        })
    })
}

fn shown(claim: &Invariant) -> String {
    format!("{} in line {}", claim.value, claim.location.line)
}

impl Proof {
    /// Inserts the invariants; or says which one is not understood.
    pub fn new(
        checked: &Checked,
        claims: &[Invariant],
    ) -> Result<Result<Proof, String>, CheckError> {
        Proof::with_contracts(checked, claims, &[])
    }

    /// The same with contracts, which count behind the invariants.
    pub fn with_contracts(
        checked: &Checked,
        claims: &[Invariant],
        contracts: &[Contract],
    ) -> Result<Result<Proof, String>, CheckError> {
        let mut heads: BTreeMap<Head, Vec<(usize, String)>> = BTreeMap::new();
        for (number, claim) in claims.iter().enumerate() {
            if claim.format != "c_expression" && claim.format != "C" {
                let what = format!("the format {} of an invariant is not known", claim.format);
                return Err(WitnessError::Malformed(what).into());
            }
            let head = match checked.token(&claim.location)? {
                None => Err("there is no code at its location".to_owned()),
                Some(token) => head(checked, claim, token),
            };
            let placed = head.and_then(|head| Ok((head, checked.expression(&claim.value, None)?)));
            match placed {
                Ok((head, expression)) => {
                    heads.entry(head).or_default().push((number, expression));
                }
                Err(why) => return Ok(Err(format!("{}: {why}", shown(claim)))),
            }
        }
        let mut insertions = Insertions::default();
        for (head, expressions) in &heads {
            insert(&checked.source, &mut insertions, *head, expressions);
        }
        let mut prelude = "extern void compact_se_witness_cut(void); \
                           extern void compact_se_assume(int);"
            .to_owned();
        if !contracts.is_empty() {
            let loaded = load(&checked.options.load)?;
            if contracts::uses_memory(&loaded.program) {
                let why = "contracts are checked in programs without memory only";
                return Ok(Err(why.to_owned()));
            }
            let violated = |number: usize| format!("{VIOLATED}{}", claims.len() + number);
            match contracts::insert(checked, &mut insertions, contracts, &violated) {
                Ok(declared) => prelude += &format!(" {declared}"),
                Err(why) => return Ok(Err(format!("a contract is not supported: {why}"))),
            }
        }
        let mut targets = Vec::new();
        for number in 0..claims.len() + contracts.len() {
            let _ = write!(prelude, " extern void {VIOLATED}{number}(void);");
            targets.push(format!("{VIOLATED}{number}"));
        }
        let mut changed = checked.changed(&prelude, insertions)?;
        changed.options.load.further_targets = targets;
        changed.options.load.allow_missing_target = true;
        Ok(Ok(Proof {
            changed,
            claim: checked.claim.clone(),
        }))
    }

    /// Whether the property follows from what induction guesses for loops cut at their headers, in the
    /// program with its checks for signed overflow or in the one without them. There must be no invariants,
    /// whose evaluation might end executions.
    fn is_inductive(&self, time: Duration) -> Result<bool, CheckError> {
        let mut options = self.changed.options.clone();
        options.techniques = Techniques::only(Technique::Induction);
        options.replay = true;
        options.execution.budget.time = time;
        options.execution.budget.work = Some(MOST_FOR_INDUCTION);
        let loaded = load(&options.load_options())?;
        let (report, _) = analyze_loaded(&options, &loaded, &mut |_| ());
        Ok(matches!(report.verdict, Verdict::Unreachable))
    }

    /// The proof by induction, within this time and work.
    pub fn run(&self, time: Duration, work: Option<Work>) -> Result<Outcome, CheckError> {
        let mut options = self.changed.options.clone();
        options.execution.budget.time = time;
        options.execution.budget.work = work;
        let sources = Sources::read(&options.load.inputs)?;
        let mut failed = BTreeSet::new();
        let mut reaches_target = false;
        let ByInvariants {
            loaded,
            report,
            is_complete,
        } = prove(&options, &mut |loaded, witness| {
            match self.place_of(&sources, loaded, witness) {
                At::Invariant(number) => {
                    failed.insert(number);
                }
                At::Assumption => return false,
                At::Program => reaches_target = true,
            }
            true
        })?;
        let mut ended_somewhere = false;
        for end in self.changed.ends(&sources, &loaded.program, &report) {
            match end {
                EndedAt::Program => {}
                EndedAt::Inserted { token, end } => {
                    failed.extend(asserted_at(&sources, token, end));
                }
                EndedAt::Unknown => ended_somewhere = true,
            }
        }
        Ok(Outcome {
            failed,
            ended_somewhere,
            reaches_target,
            is_complete,
            report,
        })
    }

    /// Whether nothing is violated and no invariant overflows, where executions end at overflows: without a
    /// replay only the program with its checks is looked at.
    fn holds_with_checks(&self) -> Result<bool, CheckError> {
        let mut options = self.changed.options.clone();
        options.execution.budget.time /= 4;
        options.replay = false;
        let analysis = analyze(&options, &mut |_| ())?;
        let sources = Sources::read(&options.load.inputs)?;
        let program = &analysis.loaded.program;
        let ends = self.changed.ends(&sources, program, &analysis.report);
        Ok(matches!(analysis.report.verdict, Verdict::Unreachable)
            && ends.iter().all(|end| matches!(end, EndedAt::Program)))
    }

    /// What a way leads to that violates an invariant or the property.
    fn place_of(&self, sources: &Sources, loaded: &Loaded, witness: &Witness) -> At {
        if witness.error == ErrorKind::Target {
            return violated_at(sources, loaded, witness.target).map_or(At::Program, At::Invariant);
        }
        match self
            .changed
            .end_at(sources, &loaded.program, witness.target)
        {
            EndedAt::Inserted { token, end } => {
                asserted_at(sources, token, end).map_or(At::Assumption, At::Invariant)
            }
            EndedAt::Program | EndedAt::Unknown => At::Program,
        }
    }

    /// Whether some execution violates an invariant or the property, confirmed natively, or none does.
    fn analyzed(&self, claims: &[Invariant], time: Duration) -> Result<Analyzed, CheckError> {
        let mut options = self.changed.options.clone();
        options.execution.budget.time = time;
        options.replay = true;
        let analysis = analyze(&options, &mut |_| ())?;
        let sources = Sources::read(&options.load.inputs)?;
        let witness = match &analysis.report.verdict {
            Verdict::Reachable(witness) if analysis.replayed => witness,
            Verdict::Unreachable => {
                let program = &analysis.loaded.program;
                let mut ends = (self.changed.ends(&sources, program, &analysis.report)).into_iter();
                let has_failed = ends.any(|end| !matches!(end, EndedAt::Program));
                // These do not tell of executions that end in an expression.
                let is_silent = analysis.contributions.iter().any(|one| {
                    one.decided && matches!(one.technique, Technique::Horn | Technique::Necessary)
                });
                let may_end = claims.iter().any(|claim| claim.value.contains(MAY_END));
                let arithmetic = ['+', '-', '*', '<'];
                let has_arithmetic = options.signed_overflow() == SignedOverflow::Undefined
                    && (claims.iter()).any(|claim| claim.value.contains(arithmetic));
                let failed = has_failed || (is_silent && may_end);
                return Ok(
                    if failed || (has_arithmetic && !self.holds_with_checks()?) {
                        Analyzed::Open
                    } else {
                        Analyzed::Holds
                    },
                );
            }
            Verdict::Reachable(_) | Verdict::Unknown => return Ok(Analyzed::Open),
        };
        let inputs: Vec<String> = witness
            .inputs
            .iter()
            .filter_map(|input| match &input.value {
                symex::InputValue::Value(value) => {
                    Some(format!("{} = {}", input.name, value.to_bigint()))
                }
                symex::InputValue::Memory { .. } => None,
            })
            .collect();
        let with = if inputs.is_empty() {
            String::new()
        } else {
            format!(", with {}", inputs.join(", "))
        };
        let what = match self.place_of(&sources, &analysis.loaded, witness) {
            At::Invariant(number) if witness.error == ErrorKind::Target => {
                format!("{} is violated", shown(&claims[number]))
            }
            At::Invariant(number) => format!("{}: {}", shown(&claims[number]), witness.error),
            At::Program if !self.claim.is_violated_by(witness.error) => return Ok(Analyzed::Open),
            At::Program if witness.error == ErrorKind::Target => {
                "the property itself is violated".to_owned()
            }
            At::Program => {
                let spot = sources.spot(&analysis.loaded.program, witness.target);
                let line = spot.map(|spot| spot.place(spot.token).line - 1);
                let line = line.map_or_else(String::new, |line| format!(" in line {line}"));
                let error = witness.error;
                format!("the property itself is violated: {error}{line}")
            }
            At::Assumption => return Ok(Analyzed::Open),
        };
        Ok(Analyzed::Violated(format!("{what}{with}")))
    }
}

/// What a violation is one of.
enum At {
    /// The assertion of the invariant with this number.
    Invariant(usize),
    /// The assumption of an invariant, which then does not hold there.
    Assumption,
    /// The property.
    Program,
}

impl Outcome {
    /// Whether the invariants hold and are inductive, whatever is with the property.
    fn do_invariants_hold(&self) -> bool {
        self.is_complete && self.failed.is_empty() && !self.ended_somewhere
    }

    /// Whether everything is proved.
    pub fn is_proved(&self) -> bool {
        matches!(self.report.verdict, Verdict::Unreachable)
            && self.failed.is_empty()
            && !self.ended_somewhere
    }
}

/// The number of the invariant whose assertion fails by the call at this place.
fn violated_at(sources: &Sources, loaded: &Loaded, place: Span) -> Option<usize> {
    let spot = sources.spot(&loaded.program, place)?;
    let word = spot.file.source.word(spot.token);
    word.strip_prefix(VIOLATED)?.parse().ok()
}

/// The number of the invariant whose assertion a token of inserted text belongs to: its call stands
/// behind the expression, before the cut.
fn asserted_at(sources: &Sources, token: usize, end: usize) -> Option<usize> {
    let source = sources.only()?;
    let behind = (token..source.tokens.len()).take_while(|at| source.tokens[*at].start < end);
    behind
        .map(|at| source.word(at))
        .take_while(|word| *word != CUT)
        .find_map(|word| word.strip_prefix(VIOLATED)?.parse().ok())
}

fn insert(
    source: &SourceText,
    insertions: &mut Insertions,
    head: Head,
    expressions: &[(usize, String)],
) {
    let mut asserts = String::new();
    for (number, expression) in expressions {
        let _ = write!(asserts, "if (!({expression})) {VIOLATED}{number}(); ");
    }
    let all: Vec<String> = expressions
        .iter()
        .map(|(_, expression)| format!("({expression})"))
        .collect();
    let cut = format!("{asserts}{CUT}(); compact_se_assume({});", all.join(" && "));
    let start = |token: usize| source.tokens[token].start;
    match head {
        Head::Condition(first, last) if first == last => {
            insertions.add(start(last), format!("__extension__({{ {cut} 1; }})"));
        }
        Head::Condition(first, last) => {
            insertions.add(start(first), format!("__extension__({{ {cut} 0; }}), ("));
            insertions.add(start(last), ")");
        }
        Head::Body(brace) => insertions.add(source.tokens[brace].end, format!(" {{ {cut} }} ")),
        Head::Statement(token) => insertions.add(start(token), format!("{{ {asserts}}} ")),
    }
}

/// Where an invariant at this token is evaluated.
fn head(checked: &Checked, claim: &Invariant, token: usize) -> Result<Head, String> {
    let source = &checked.source;
    if source.function_around(token).is_none() {
        return Err("it is in no function".to_owned());
    }
    if claim.kind == "location_invariant" {
        return match statement(checked, token) {
            Ok(_) if is_in_block(source, token) => Ok(Head::Statement(token)),
            _ => Err("no statement of a block begins at its location".to_owned()),
        };
    }
    if claim.kind != "loop_invariant" {
        return Err(format!("{} is not a known type", claim.kind));
    }
    let is_loop = |token: &usize| matches!(source.word(*token), "while" | "for" | "do");
    let mut tokens = checked.tokens_at(&claim.location, token);
    tokens
        .find(is_loop)
        .and_then(|keyword| loop_head(source, keyword))
        .ok_or_else(|| "no loop begins at its location".to_owned())
}

/// Where the loop with this keyword is cut.
fn loop_head(source: &SourceText, keyword: usize) -> Option<Head> {
    let open = keyword + 1;
    if source.word(keyword) == "do" {
        return source.is_mark(open, b'{').then_some(Head::Body(open));
    }
    let condition = condition(source, keyword)?;
    Some(Head::Condition(condition.start, condition.end))
}
