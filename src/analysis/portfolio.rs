//! Techniques beside each other, in slices of work.
//!
//! Each technique is a run of its own over the same program ([`Engine`]). They advance in
//! slices, on one thread or on several, as they would on two threads whose clocks are the clocks of
//! work:
//!
//! ```text
//! compact   |--||--||--||--||--| decided at w of this clock
//! classic   |--|    |--|    |--     go on until theirs is at w, unless one of them
//! induction     |--|    |--|        decides before
//! ```
//!
//! # Invariants
//! - The verdict is that of the technique that decides first by these clocks, and of the first of
//!   those in the order of [`Technique::ALL`] where several need the same. So it does not depend on
//!   the number of threads, nor on how busy the machine is, as long as no limit of time or memory
//!   ends the run.
//! - A technique that is beaten is stopped at once; one on another thread that is behind the best
//!   goes on until it has come as far, for as long as the best took at most. Where it would have
//!   decided later still, the verdict is the same, by another technique.
//!
//! # Deliberately absent
//! What a technique does: that is the executor's, or the proof's.

use super::{Pace, Paces, Technique};
use crate::horn::Proof;
use crate::solver::Interrupt;
use crate::symex::{Advance, Confirmation, Executor, Findings, Report, Statistics, Witness};
use crate::term::{Clock, Work};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Terms are deep at times; memory that is not touched costs nothing.
const STACK: usize = 256 << 20;
/// For techniques that are behind the best in work, besides the time that that took: the clocks of
/// work go within a factor of two of each other.
const CATCHING_UP: Duration = Duration::from_secs(1);
/// So often a thread that is done looks how far the others are.
const GLANCE: Duration = Duration::from_millis(1);

/// A technique at work.
pub(super) trait Advancing {
    /// The clock of its work, for other threads to read.
    fn clock(&self) -> Clock;

    /// Its work so far.
    fn work(&self) -> Work;

    /// Goes on until its work has come to `until`, which one step may exceed. `confirm` replays
    /// witnesses; `progress` hears of every step.
    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance;

    /// Whether it is over and no other technique can know more.
    fn has_settled(&self) -> bool;

    /// What came out.
    fn finish(self: Box<Self>) -> Report;
}

impl Advancing for Executor<'_> {
    fn clock(&self) -> Clock {
        self.clock()
    }

    fn work(&self) -> Work {
        self.work()
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        self.advance(until, confirm, progress)
    }

    fn has_settled(&self) -> bool {
        self.has_settled()
    }

    fn finish(self: Box<Self>) -> Report {
        (*self).finish()
    }
}

impl Advancing for Proof<'_> {
    fn clock(&self) -> Clock {
        self.clock()
    }

    fn work(&self) -> Work {
        self.work()
    }

    fn advance(
        &mut self,
        until: Work,
        _: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        self.advance(until, progress)
    }

    fn has_settled(&self) -> bool {
        self.has_settled()
    }

    fn finish(self: Box<Self>) -> Report {
        (*self).finish()
    }
}

/// What one technique came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contribution {
    pub technique: Technique,
    /// Whether the verdict is its.
    pub decided: bool,
    /// Done until it was over, or at most until the verdict was known.
    pub work: Work,
}

/// How far a technique has come, as all threads see it.
struct Standing {
    technique: Technique,
    /// Of its work; there is none before it begins.
    clock: OnceLock<Clock>,
    /// Its work when it was over, without being stopped.
    over_at: OnceLock<Work>,
    is_over: AtomicBool,
    /// Stops it.
    stop: Interrupt,
}

/// What the threads of a run share.
struct Race {
    standings: Vec<Standing>,
    /// Of techniques that keep behind.
    paces: Paces,
    /// When the question was settled first so far, and the number of the technique that did it.
    best: Mutex<Option<(Work, usize)>>,
    began: Instant,
}

impl Race {
    fn best(&self) -> MutexGuard<'_, Option<(Work, usize)>> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, number: usize) -> Work {
        self.standings[number]
            .clock
            .get()
            .map_or(Work::ZERO, Clock::read)
    }

    /// How a technique keeps behind, if its clock goes faster than its work since it has others
    /// beside it.
    fn pace(&self, number: usize) -> Option<&Pace> {
        let pace = self.paces.of(self.standings[number].technique);
        pace.filter(|_| self.standings.len() > 1)
    }

    /// The others whose clock a technique's work puts on too.
    fn beside(&self, number: usize) -> impl Iterator<Item = &Standing> {
        let lane = self.standings[number].technique.lane();
        let others = self.standings.iter().enumerate();
        others.filter_map(move |(other, standing)| {
            let is_beside = other != number && standing.technique.lane() == lane;
            is_beside.then_some(standing)
        })
    }

    /// The reading of a technique's clock when it has done this work: those beside it have done as
    /// much, or all of theirs.
    fn clock(&self, work: Work, number: usize) -> Work {
        if let Some(pace) = self.pace(number) {
            return pace.clock(work);
        }
        let others = self.beside(number).map(|other| match other.over_at.get() {
            Some(all) => work.min(*all),
            None => work,
        });
        work + others.sum()
    }

    /// The work that a technique has done by this reading of its clock.
    fn work_by(&self, clock: Work, number: usize) -> Work {
        if let Some(pace) = self.pace(number) {
            return pace.work_by(clock);
        }
        let mut over: Vec<Work> = self
            .beside(number)
            .filter_map(|other| other.over_at.get().copied())
            .collect();
        over.sort_unstable();
        let (mut done, mut left) = (Work::ZERO, clock);
        let mut n_going = 1 + self.beside(number).count() as u64;
        for all in over {
            let until = all.saturating_sub(done) * n_going;
            if until > left {
                break;
            }
            left = left - until;
            done = done.max(all);
            n_going -= 1;
        }
        done + left / n_going
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

    /// Stops techniques that are beaten, until none is left that could still be the best, or that
    /// takes too long to come as far: the clocks of work do not go evenly.
    fn await_others(&self) {
        let started = Instant::now();
        loop {
            let patience = CATCHING_UP + (started - self.began);
            if self.best().is_some() && started.elapsed() > patience {
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
    run: Run<'p>,
}

enum Run<'p> {
    Going(Box<dyn Advancing + 'p>),
    /// It is over; it settled the question, or is the first.
    Kept(Box<Report>),
    /// It is over and did not settle anything; what it needed was given back.
    Over(Box<Findings>),
}

impl<'p> Run<'p> {
    /// The technique at work, while it goes on.
    fn going(&mut self) -> Option<&mut (dyn Advancing + 'p)> {
        match self {
            Run::Going(technique) => Some(&mut **technique),
            Run::Kept(_) | Run::Over(_) => None,
        }
    }
}

impl Running<'_> {
    /// Puts an end to it; whether it settled the question.
    fn end(&mut self) -> bool {
        let ended = Run::Over(Box::default());
        let Run::Going(technique) = std::mem::replace(&mut self.run, ended) else {
            return false;
        };
        let has_settled = technique.has_settled();
        let report = technique.finish();
        self.run = if has_settled || self.number == 0 {
            Run::Kept(Box::new(report))
        } else {
            Run::Over(Box::new(report.split().0))
        };
        has_settled
    }

    fn report(self) -> Report {
        match self.run {
            Run::Going(technique) => technique.finish(),
            Run::Kept(report) => *report,
            Run::Over(findings) => Report::from(*findings),
        }
    }
}

/// How techniques take turns.
#[derive(Clone)]
pub(super) struct Turns {
    /// Threads, at most.
    pub n_threads: usize,
    /// The work of a turn.
    pub slice: Work,
    /// Of techniques that keep behind the others.
    pub paces: Paces,
    /// Whether the errors that any of them found are wanted, not those of the best only.
    pub gathers: bool,
}

/// What a run of several techniques came to.
pub(super) struct Outcome {
    pub report: Report,
    pub contributions: Vec<Contribution>,
}

/// Runs techniques on their threads, `build` makes that with a number on the thread on which it
/// runs. `confirm` replays witnesses; `progress` hears of the steps of those on the first thread.
pub(super) fn run<'p>(
    techniques: &[Technique],
    turns: Turns,
    interrupt: &Interrupt,
    build: &(dyn Fn(Technique, Interrupt) -> Box<dyn Advancing + 'p> + Sync),
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) -> Outcome {
    let standing = |technique: &Technique| Standing {
        technique: *technique,
        clock: OnceLock::new(),
        over_at: OnceLock::new(),
        is_over: AtomicBool::new(false),
        stop: interrupt.inner(),
    };
    let race = Race {
        standings: techniques.iter().map(standing).collect(),
        paces: turns.paces,
        best: Mutex::new(None),
        began: Instant::now(),
    };
    let n_threads = turns.n_threads.clamp(1, techniques.len());
    let slice = turns.slice;
    let on_thread = |thread: usize| {
        let numbers =
            (0..techniques.len()).filter(move |number| (*number).min(n_threads - 1) == thread);
        let build = |number: usize| {
            let standing = &race.standings[number];
            let run = build(techniques[number], standing.stop.clone());
            let clock = standing.clock.set(run.clock());
            clock.expect("each technique is built once");
            Running {
                number,
                technique: techniques[number],
                run: Run::Going(run),
            }
        };
        numbers.map(build).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads)
            .map(|thread| {
                let (race, on_thread) = (&race, &on_thread);
                let builder = std::thread::Builder::new().stack_size(STACK);
                let body = move || {
                    let mut running = on_thread(thread);
                    take_turns(race, &mut running, slice, confirm, &mut |_| ());
                    let findings = running.into_iter().map(|one| {
                        let number = one.number;
                        let (findings, rest) = one.report().split();
                        // Freeing can take longer than people wait for an answer.
                        std::mem::forget(rest);
                        (number, findings)
                    });
                    findings.collect::<Vec<(usize, Findings)>>()
                };
                builder
                    .spawn_scoped(scope, body)
                    .expect("the system has threads")
            })
            .collect();
        let mut running = on_thread(0);
        take_turns(&race, &mut running, slice, confirm, progress);
        let own = running.into_iter();
        let mut reports: Vec<(usize, Report)> = own.map(|one| (one.number, one.report())).collect();
        for other in others {
            match other.join() {
                Ok(found) => reports.extend(
                    found
                        .into_iter()
                        .map(|(number, findings)| (number, Report::from(findings))),
                ),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        reports.sort_by_key(|(number, _)| *number);
        let reports = reports.into_iter().map(|(_, report)| report).collect();
        conclude(techniques, &race, reports, turns.gathers)
    })
}

/// The techniques of a thread, which are over when it ends, be it by a panic.
struct Ends<'a>(&'a Race, Vec<usize>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        for number in &self.1 {
            self.0.standings[*number]
                .is_over
                .store(true, Ordering::Release);
        }
    }
}

/// The techniques of one thread advance, that whose clock is behind first.
fn take_turns(
    race: &Race,
    running: &mut [Running],
    slice: Work,
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) {
    let _ends = Ends(race, running.iter().map(|one| one.number).collect());
    loop {
        let open = running.iter_mut().filter_map(|one| {
            let (number, work) = (one.number, one.run.going()?.work());
            (!race.is_beaten(work, number)).then_some((race.clock(work, number), work, one))
        });
        let Some((_, work, next)) = open.min_by_key(|(clock, _, one)| (*clock, one.number)) else {
            return race.await_others();
        };
        let mut confirm = |witness: &Witness| match next.technique {
            Technique::Compact
            | Technique::Classic
            | Technique::Necessary
            | Technique::Navigation
            | Technique::Merging => confirm(witness),
            // What loops are cut to need not be what they do.
            Technique::Induction | Technique::Horn => {
                Confirmation::Refuted("loops are cut".to_owned())
            }
        };
        let Some(technique) = next.run.going() else {
            continue;
        };
        if technique.advance(work + slice, &mut confirm, progress) == Advance::Over {
            let work = technique.work();
            if next.end() {
                race.settled(next.number, work);
            }
            let standing = &race.standings[next.number];
            if !standing.stop.raised() {
                // Set once, since it is over once.
                let _ = standing.over_at.set(work);
            }
            standing.is_over.store(true, Ordering::Release);
        }
    }
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
        }
    });
    let contributions = contributions.collect();
    let chosen = best.map(|(_, number)| number).or_else(|| {
        let whole = |number: &usize| {
            techniques[*number].is_complete() && reports[*number].exhausted().is_none()
        };
        (0..reports.len()).find(whole)
    });
    let mut report = reports.remove(chosen.unwrap_or(0));
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
