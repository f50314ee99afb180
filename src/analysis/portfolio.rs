//! The portfolio: techniques interleaved in slices of work.
//!
//! Each technique is a separate run over the same program ([`Advancing`]), on its own thread. They advance in
//! slices, one or several at a time, as on separate machines whose clocks count work; the technique with the
//! least work so far runs next, and a long step does not delay the others:
//!
//! ```text
//! compact   |--||--||--||--||--| decided at w of this clock
//! classic   |--|    |--|    |--     continue until their clocks are at w, unless
//! induction     |--|    |--|        one of them decides before
//! ```
//!
//! Classic execution runs alone until its first query about inputs ([`Paces::ahead`]): up to there it is one
//! concrete run of the program, which no other technique can shorten.
//!
//! # Invariants
//! - The verdict is that of the technique that decides first by these clocks, and of the first of those in
//!   the order of [`Technique::ALL`] where several need the same work. So it depends neither on the number of
//!   threads nor on the load of the machine, as long as no limit of time or memory ends the run.
//! - A technique that panics decides nothing; the decisions of the others stand.
//! - A technique that can no longer win is cancelled; one that is behind the winner continues until its clock
//!   is level, for at most as long as the winner took. If it would have decided later still, the verdict is
//!   the same, by another technique.
//!
//! # Deliberately absent
//! The work of a technique itself: see the executor and the proofs.

use super::{Defect, Pace, Paces, Technique, caught};
use property::Reason;
use serde::{Deserialize, Serialize};
use solver::Interrupt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use symex::{Advance, Advancing, Confirmation, Findings, Report, Statistics, Witness};
use term::{Clock, Work};

/// Bytes of the stack of a thread that handles terms, which are deep at times; memory that is not touched costs nothing.
pub const STACK: usize = 256 << 20;
/// For techniques that are behind the best in work, besides the time that that took: the clocks of
/// work go within a factor of two of each other.
const CATCHING_UP: Duration = Duration::from_secs(1);
/// A longer step abandons its permit and continues in parallel.
const LONG_STEP: Duration = Duration::from_millis(100);
/// The terms of a run that is abandoned are freed if they are no more than these, which takes some
/// hundredths of a second.
const MUCH_TO_FREE: usize = 1 << 18;
/// How often we check whether the technique that runs ahead has made a query.
const AHEAD_SLICE: Work = Work::millis(1);
/// So often a thread that is done looks how far the others are.
const GLANCE: Duration = Duration::from_millis(1);

/// The result of one technique.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contribution {
    pub technique: Technique,
    /// Whether the verdict is its.
    pub decided: bool,
    /// Done until it was over, or at most until the verdict was known.
    pub work: Work,
    /// The message of a panic that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defect: Option<String>,
}

/// How far a technique has come, as all threads see it.
struct Standing {
    technique: Technique,
    /// It begins so much later than others.
    late: Work,
    /// Of its work; there is none before it begins.
    clock: OnceLock<Clock>,
    /// Its work when its own means had an effect for the first time.
    effect_at: OnceLock<Work>,
    /// Its work when it was over, without being stopped.
    over_at: OnceLock<Work>,
    is_over: AtomicBool,
    /// A panic that ended it.
    defect: OnceLock<Defect>,
    /// Stops it.
    stop: Interrupt,
}

/// Data shared by the threads of a run.
struct Race {
    standings: Vec<Standing>,
    /// Of techniques that keep behind.
    paces: Paces,
    /// The number of the technique that runs alone at first, if there is one in addition to others.
    first: Option<usize>,
    /// The reading of its clock when the others begin; `None` where it has settled the question by itself.
    others_begin: OnceLock<Option<Work>>,
    /// When the question was settled first so far, and the number of the technique that did it.
    best: Mutex<Option<(Work, usize)>>,
    began: Instant,
}

impl Race {
    fn new(
        techniques: &[Technique],
        (paces, stack_may_end): (Paces, bool),
        interrupt: &Interrupt,
    ) -> Race {
        let standing = |technique: &Technique| Standing {
            technique: *technique,
            late: match stack_may_end && !technique.counts_calls() {
                true => paces.uncounted,
                false => Work::ZERO,
            },
            clock: OnceLock::new(),
            effect_at: OnceLock::new(),
            over_at: OnceLock::new(),
            is_over: AtomicBool::new(false),
            defect: OnceLock::new(),
            stop: interrupt.inner(),
        };
        let first = techniques.iter().position(|one| *one == Technique::Classic);
        let race = Race {
            standings: techniques.iter().map(standing).collect(),
            first: first.filter(|_| techniques.len() > 1 && paces.ahead > Work::ZERO),
            others_begin: OnceLock::new(),
            paces,
            best: Mutex::new(None),
            began: Instant::now(),
        };
        if race.first.is_none() {
            race.others_begin.get_or_init(|| Some(Work::ZERO));
        }
        race
    }

    /// Waits until it is known when a technique begins; whether it has anything to do.
    fn await_begin(&self, number: usize) -> bool {
        self.first == Some(number) || self.others_begin.wait().is_some()
    }

    /// The reading of a technique's clock when it begins; `None` if it does not, or that is not known yet.
    fn begin(&self, number: usize) -> Option<Work> {
        if self.first == Some(number) {
            return Some(Work::ZERO);
        }
        let begin = self.others_begin.get().copied().flatten()?;
        Some(begin + self.standings[number].late)
    }

    fn best(&self) -> MutexGuard<'_, Option<(Work, usize)>> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, number: usize) -> Work {
        self.standings[number]
            .clock
            .get()
            .map_or(Work::ZERO, Clock::read)
    }

    /// How a technique keeps behind the first tier; alone it does not.
    fn pace(&self, number: usize) -> Option<&Pace> {
        let pace = self.paces.of(self.standings[number].technique);
        pace.filter(|_| self.standings.len() > 1)
    }

    /// When its own means had an effect for the first time, as far as it is known.
    fn effect(&self, number: usize) -> Option<Work> {
        self.standings[number].effect_at.get().copied()
    }

    /// The reading of a technique's clock when it has done this work. They all go as fast as their work, if
    /// nothing keeps them behind.
    fn clock(&self, work: Work, number: usize) -> Work {
        if self.standings.len() == 1 {
            return work;
        }
        let counted = self.paces.idle.counted(work, self.effect(number));
        let clock = match self.pace(number) {
            Some(pace) => pace.clock(counted),
            None => counted,
        };
        self.begin(number).unwrap_or(Work::ZERO) + clock
    }

    /// The work that a technique has done by this reading of its clock.
    fn work_by(&self, clock: Work, number: usize) -> Work {
        if self.standings.len() == 1 {
            return clock;
        }
        let Some(begin) = self.begin(number) else {
            return Work::ZERO;
        };
        let clock = clock.saturating_sub(begin);
        let counted = match self.pace(number) {
            Some(pace) => pace.work_by(clock),
            None => clock,
        };
        self.paces.idle.work_of(counted, self.effect(number))
    }

    /// Whether a technique that has done this work cannot be the best any more.
    fn is_beaten(&self, work: Work, number: usize) -> bool {
        let clock = self.clock(work, number);
        self.best().is_some_and(|best| (clock, number) > best)
    }

    /// A technique settled the question.
    fn settled(&self, number: usize, work: Work) {
        let clock = self.clock(work, number);
        let mut best = self.best();
        if best.is_none_or(|best| (clock, number) < best) {
            *best = Some((clock, number));
        }
    }

    /// The question is settled: stops techniques that are beaten, until none is left that could still be the
    /// best, or that takes too long to come as far: the clocks of work do not go linearly.
    fn await_others(&self) {
        let started = Instant::now();
        loop {
            let patience = CATCHING_UP + (started - self.began);
            if started.elapsed() > patience {
                self.standings.iter().for_each(|other| other.stop.raise());
                return;
            }
            let mut is_open = false;
            for (number, standing) in self.standings.iter().enumerate() {
                if standing.is_over.load(Ordering::Acquire) {
                    continue;
                }
                if self.is_beaten(self.work(number), number) {
                    standing.stop.raise();
                } else {
                    is_open = true;
                }
            }
            if !is_open {
                return;
            }
            std::thread::sleep(GLANCE);
        }
    }
}

/// A technique on its thread.
struct Running<'p> {
    number: usize,
    technique: Technique,
    run: TechniqueRun<'p>,
}

enum TechniqueRun<'p> {
    Going(Box<dyn Advancing + 'p>),
    /// It is over; it settled the question, or is the first.
    Kept(Box<Report>),
    /// It is over and did not settle anything; what it needed was given back.
    Over(Box<Findings>),
}

impl<'p> TechniqueRun<'p> {
    /// The technique at work, while it continues.
    fn going(&mut self) -> Option<&mut (dyn Advancing + 'p)> {
        match self {
            TechniqueRun::Going(technique) => Some(&mut **technique),
            TechniqueRun::Kept(_) | TechniqueRun::Over(_) => None,
        }
    }
}

impl Running<'_> {
    /// Puts an end to it; whether it settled the question.
    fn end(&mut self) -> bool {
        let ended = TechniqueRun::Over(Box::default());
        let TechniqueRun::Going(technique) = std::mem::replace(&mut self.run, ended) else {
            return false;
        };
        let has_settled = technique.has_settled();
        let report = technique.finish();
        self.run = if has_settled || self.number == 0 {
            TechniqueRun::Kept(Box::new(report))
        } else {
            TechniqueRun::Over(Box::new(report.split().0))
        };
        has_settled
    }

    fn report(self) -> Report {
        match self.run {
            TechniqueRun::Going(technique) => technique.finish(),
            TechniqueRun::Kept(report) => *report,
            TechniqueRun::Over(findings) => Report::from(*findings),
        }
    }
}

/// How techniques take turns.
#[derive(Clone)]
pub(super) struct Turns {
    /// Techniques that advance at a time, at most.
    pub n_threads: usize,
    /// The work of a turn.
    pub slice: Work,
    /// Of techniques that keep behind the others.
    pub paces: Paces,
    /// Whether the program may exceed the stack.
    pub stack_may_end: bool,
    /// Whether the errors that any of them found are wanted, not those of the best only.
    pub gathers: bool,
}

/// The result of a run of several techniques.
pub(super) struct Outcome {
    pub report: Report,
    pub contributions: Vec<Contribution>,
}

/// Runs techniques on their threads; `build` makes one on the thread on which it runs. `confirm`
/// replays witnesses; `progress` hears of the steps of the first technique.
pub(super) fn run<'p>(
    techniques: &[Technique],
    turns: Turns,
    interrupt: &Interrupt,
    build: &(dyn Fn(Technique, Interrupt) -> Box<dyn Advancing + 'p> + Sync),
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) -> Outcome {
    let race = Race::new(techniques, (turns.paces, turns.stack_may_end), interrupt);
    let places = Permits::new(turns.n_threads, &race);
    let take_turns = |number: usize, progress: &mut dyn FnMut(&Statistics)| {
        let standing = &race.standings[number];
        let _end = End(&race, number);
        if !race.await_begin(number) {
            return Report::from(Findings::default());
        }
        let run = {
            let _place = places.take(Work::ZERO, number);
            build(techniques[number], standing.stop.clone())
        };
        let clock = standing.clock.set(run.clock());
        clock.expect("each technique is built once");
        let mut one = Running {
            number,
            technique: techniques[number],
            run: TechniqueRun::Going(run),
        };
        if race.first == Some(number) {
            go_ahead(&race, &places, &mut one, confirm, progress);
        }
        take_turns(&race, &places, &mut one, turns.slice, confirm, progress);
        one.report()
    };
    // A technique with a defect is out, the others continue.
    let take_turns = |number: usize, progress: &mut dyn FnMut(&Statistics)| {
        caught(|| take_turns(number, progress)).unwrap_or_else(|defect| {
            let reason = Reason::Defect(techniques[number].name(), defect.0.clone());
            // Set once, since it panics once.
            let _ = race.standings[number].defect.set(defect);
            Report::from(Findings::open(reason))
        })
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..techniques.len())
            .map(|number| {
                let take_turns = &take_turns;
                let builder =
                    std::thread::Builder::new().name(techniques[number].name().to_owned());
                let builder = builder.stack_size(STACK);
                let body = move || {
                    let report = take_turns(number, &mut |_| ());
                    let is_much = report.pool.n_nodes() > MUCH_TO_FREE;
                    let (findings, rest) = report.split();
                    if is_much {
                        // Freeing can take longer than people wait for an answer.
                        std::mem::forget(rest);
                    }
                    findings
                };
                builder
                    .spawn_scoped(scope, body)
                    .expect("the system has threads")
            })
            .collect();
        let mut reports = vec![take_turns(0, progress)];
        for other in others {
            match other.join() {
                Ok(findings) => reports.push(Report::from(findings)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        conclude(techniques, &race, reports, turns.gathers)
    })
}

/// A technique's thread, with which it is over, be that by a panic.
struct End<'a>(&'a Race, usize);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let End(race, number) = *self;
        race.standings[number]
            .is_over
            .store(true, Ordering::Release);
        if race.first == Some(number) {
            // By a panic on its way ahead; else it is known before.
            race.others_begin.get_or_init(|| Some(race.work(number)));
        }
    }
}

/// Where techniques do a slice of their work: so many at a time. A step that takes long gives its place up
/// and continues in parallel, so that it does not delay others; one permit is reserved for those that never
/// keep behind, if there are several.
struct Permits {
    open: Mutex<Open>,
    changed: Condvar,
}

struct Open {
    n_places: usize,
    /// The readings of the clocks of those that wait, and their numbers.
    waiting: BTreeSet<(Work, usize)>,
    /// Since when techniques are at work, by their numbers.
    running: BTreeMap<usize, Instant>,
    /// The numbers of the techniques that keep behind.
    later: BTreeSet<usize>,
    /// How many of these may have a place.
    n_for_later: usize,
}

impl Open {
    /// Whose turn it is at this time, if there is a place.
    fn next(&self, now: Instant) -> Option<usize> {
        let is_short = |since: &Instant| now.saturating_duration_since(*since) < LONG_STEP;
        let short = self.running.iter().filter(|(_, since)| is_short(since));
        let short: Vec<usize> = short.map(|(number, _)| *number).collect();
        if short.len() >= self.n_places {
            return None;
        }
        let n_later = short.iter().filter(|one| self.later.contains(*one)).count();
        let may_later = n_later < self.n_for_later && self.running.len() < 2 * self.n_places;
        let mut waiting = self.waiting.iter().map(|(_, number)| *number);
        waiting.find(|number| may_later || !self.later.contains(number))
    }
}

impl Permits {
    fn new(n_threads: usize, race: &Race) -> Permits {
        let numbers = 0..race.standings.len();
        let later: BTreeSet<usize> = numbers.filter(|&one| race.pace(one).is_some()).collect();
        let n_places = n_threads.max(1);
        let has_others = later.len() < race.standings.len();
        Permits {
            open: Mutex::new(Open {
                n_places,
                waiting: BTreeSet::new(),
                running: BTreeMap::new(),
                later,
                n_for_later: if has_others {
                    (n_places - 1).max(1)
                } else {
                    n_places
                },
            }),
            changed: Condvar::new(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place; whose clock is behind has it first.
    fn take(&self, clock: Work, number: usize) -> Permit<'_> {
        let mut open = self.open();
        open.waiting.insert((clock, number));
        while open.next(Instant::now()) != Some(number) {
            let woken = self.changed.wait_timeout(open, LONG_STEP);
            (open, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
        open.waiting.remove(&(clock, number));
        open.running.insert(number, Instant::now());
        if !open.waiting.is_empty() {
            self.changed.notify_all();
        }
        Permit {
            places: self,
            number,
        }
    }
}

/// A place that a technique has.
struct Permit<'a> {
    places: &'a Permits,
    number: usize,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.places.open().running.remove(&self.number);
        self.places.changed.notify_all();
    }
}

/// How the witnesses of a technique are confirmed: those of a technique that cuts loops claim nothing.
fn confirm_of<'a>(
    technique: Technique,
    confirm: &'a (dyn Fn(&Witness) -> Confirmation + Sync),
) -> impl FnMut(&Witness) -> Confirmation + 'a {
    move |witness| match technique {
        Technique::Compact
        | Technique::Classic
        | Technique::Necessary
        | Technique::Navigation
        | Technique::Merging
        | Technique::Annotations => confirm(witness),
        // What loops are cut to need not be what they do.
        Technique::Induction | Technique::KInduction | Technique::Horn => {
            Confirmation::Refuted("loops are cut".to_owned())
        }
    }
}

/// The technique that goes ahead advances alone, until it has asked a query or done the work that it may do.
fn go_ahead(
    race: &Race,
    places: &Permits,
    one: &mut Running,
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) {
    let mut work = Work::ZERO;
    while let Some(run) = one.run.going() {
        work = run.work();
        if run.has_asked() || work >= race.paces.ahead {
            break;
        }
        let until = (work + AHEAD_SLICE).min(race.paces.ahead);
        if !advance_by(race, places, one, until, confirm, progress) {
            break;
        }
    }
    let has_settled = race.best().is_some();
    // Set once, since only one technique goes ahead.
    let _ = race.others_begin.set((!has_settled).then_some(work));
}

/// A technique advances until it is over or beaten.
fn take_turns(
    race: &Race,
    places: &Permits,
    one: &mut Running,
    slice: Work,
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) {
    while let Some(run) = one.run.going() {
        let until = run.work() + slice;
        if !advance_by(race, places, one, until, confirm, progress) {
            break;
        }
    }
    if race.best().is_some() {
        race.await_others();
    }
}

/// A technique that continues advances by a slice of work, when it has a place; not if it is beaten by then.
fn advance_by(
    race: &Race,
    places: &Permits,
    one: &mut Running,
    until: Work,
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) -> bool {
    let number = one.number;
    let Some(run) = one.run.going() else {
        return false;
    };
    let work = run.work();
    let _place = places.take(race.clock(work, number), number);
    if race.is_beaten(work, number) {
        return false;
    }
    let advance = run.advance(until, &mut confirm_of(one.technique, confirm), progress);
    let standing = &race.standings[number];
    if run.has_effect() {
        // At the end of a slice, before which no more work was reported.
        standing.effect_at.get_or_init(|| run.work());
    }
    if advance == Advance::Over {
        let work = run.work();
        if one.end() {
            race.settled(number, work);
        }
        if !standing.stop.raised() {
            // Set once, since it is over once.
            let _ = standing.over_at.set(work);
        }
        standing.is_over.store(true, Ordering::Release);
    }
    true
}

/// The report of the best; without one that of the first that was not cut short, else of the first.
fn conclude(
    techniques: &[Technique],
    race: &Race,
    mut reports: Vec<Report>,
    gathers: bool,
) -> Outcome {
    let best = *race.best();
    let contributions = techniques.iter().enumerate().map(|(number, technique)| {
        let all = race.standings[number].over_at.get().copied();
        let decided = best.is_some_and(|(_, winner)| winner == number);
        let work = match best {
            Some((clock, _)) if !decided => {
                let by_then = race.work_by(clock, number);
                all.unwrap_or(by_then).min(by_then)
            }
            _ => all.unwrap_or_else(|| race.work(number)),
        };
        Contribution {
            technique: *technique,
            decided,
            work,
            defect: race.standings[number]
                .defect
                .get()
                .map(|defect| defect.0.clone()),
        }
    });
    let contributions = contributions.collect();
    let chosen = best.map(|(_, number)| number).or_else(|| {
        let whole = |number: &usize| {
            techniques[*number].is_complete()
                && reports[*number].exhausted().is_none()
                && race.standings[*number].defect.get().is_none()
        };
        (0..reports.len()).find(whole)
    });
    let mut report = reports.remove(chosen.unwrap_or(0));
    if best.is_none() {
        // What others have proved is no verdict for these reasons.
        let others = reports.iter().flat_map(|other| other.reasons.iter());
        let deep = others.filter(|(reason, _)| matches!(reason, Reason::DeepCalls(..)));
        deep.for_each(|(reason, _)| report.reasons.add(reason.clone()));
    }
    if gathers {
        for other in reports {
            report.gather_errors(other);
        }
    }
    Outcome {
        report,
        contributions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symex::Verdict;

    /// A technique that takes one step, in which it proves the program or panics, after some that ask nothing.
    struct One {
        clock: Clock,
        /// The work of the steps before, a millisecond each.
        before: Work,
        panics: bool,
    }

    impl Advancing for One {
        fn clock(&self) -> Clock {
            self.clock.clone()
        }

        fn advance(
            &mut self,
            until: Work,
            _: &mut dyn FnMut(&Witness) -> Confirmation,
            _: &mut dyn FnMut(&Statistics),
        ) -> Advance {
            while self.work() < self.before {
                if self.work() >= until {
                    return Advance::Goes;
                }
                self.clock.advance(Work::millis(1));
            }
            assert!(!self.panics, "broken");
            Advance::Over
        }

        fn has_asked(&self) -> bool {
            false
        }

        fn has_settled(&self) -> bool {
            true
        }

        fn finish(self: Box<Self>) -> Report {
            let mut report = Report::from(Findings::default());
            report.verdict = Verdict::Unreachable;
            report
        }
    }

    fn outcome(techniques: &[Technique], broken: &[Technique], before: Work) -> Outcome {
        let turns = Turns {
            n_threads: 2,
            slice: Work::millis(1),
            paces: Paces::default(),
            stack_may_end: false,
            gathers: false,
        };
        let build = |technique: Technique, _| -> Box<dyn Advancing> {
            Box::new(One {
                clock: Clock::default(),
                before: match technique {
                    Technique::Classic => before,
                    _ => Work::ZERO,
                },
                panics: broken.contains(&technique),
            })
        };
        let confirm = |_: &Witness| Confirmation::Skipped;
        let (interrupt, progress) = (Interrupt::new(), &mut |_: &Statistics| ());
        run(techniques, turns, &interrupt, &build, &confirm, progress)
    }

    #[test]
    fn a_technique_that_panics_is_out_and_the_others_go_on() {
        // Neither goes ahead. What the other decides does not beat the first of equals before it panics.
        let broken = Technique::Compact;
        let both = [broken, Technique::Induction];
        let found = outcome(&both, &[broken], Work::ZERO);
        assert!(matches!(found.report.verdict, Verdict::Unreachable));
        for contribution in found.contributions {
            let is_broken = contribution.technique == broken;
            assert_eq!(contribution.defect.is_some(), is_broken);
            assert_eq!(contribution.decided, !is_broken);
        }
        let found = outcome(&both, &both, Work::ZERO);
        assert!(matches!(found.report.verdict, Verdict::Unknown));
        let reasons: Vec<String> = found
            .report
            .reasons
            .iter()
            .map(|(why, _)| why.to_string())
            .collect();
        assert_eq!(reasons, ["compact ended by a defect of compact-se: broken"]);
    }

    #[test]
    fn classic_execution_goes_ahead_until_it_asks_a_question() {
        let both = [Technique::Compact, Technique::Classic];
        let ahead = Paces::default().ahead;
        for (before, first) in [
            (Work::ZERO, Technique::Classic),
            (ahead.saturating_sub(Work::millis(1)), Technique::Classic),
            // It goes ahead for so much work only: then the other begins, and is done at once.
            (ahead * 2, Technique::Compact),
        ] {
            let found = outcome(&both, &[], before);
            for contribution in found.contributions {
                assert_eq!(contribution.decided, contribution.technique == first);
                if contribution.technique != first {
                    let is_classic = contribution.technique == Technique::Classic;
                    let expected = if is_classic { ahead } else { Work::ZERO };
                    assert_eq!(contribution.work, expected);
                }
            }
        }
    }

    #[test]
    fn whose_clock_is_behind_goes_first_and_one_place_is_for_the_first_tier() {
        let [none, some] = [Work::ZERO, Work::units(5)];
        let now = Instant::now();
        let mut open = Open {
            n_places: 2,
            waiting: BTreeSet::from([(none, 1), (none, 2), (some, 0)]),
            running: BTreeMap::new(),
            later: BTreeSet::from([1, 2]),
            n_for_later: 1,
        };
        assert_eq!(open.next(now), Some(1));
        // The first has one of two places: the other is not for a technique that keeps behind.
        open.waiting.remove(&(none, 1));
        open.running.insert(1, now);
        assert_eq!(open.next(now), Some(0));
        open.waiting.remove(&(some, 0));
        assert_eq!(open.next(now), None);
        open.running.clear();
        assert_eq!(open.next(now), Some(2));
        open.running = BTreeMap::from([(0, now), (1, now)]);
        assert_eq!(open.next(now), None);
        // Long steps do not delay others.
        assert_eq!(open.next(now + 2 * LONG_STEP), Some(2));
    }
}
