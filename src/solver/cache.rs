//! Cache of answers to earlier queries, with models and unsatisfiable cores (counterexample cache).
//!
//! In this order:
//! 1. the same set of conjuncts: the same answer;
//! 2. a known unsatisfiable core that is a subset: `Unsat`;
//! 3. a model of an earlier query that satisfies all conjuncts: `Sat`. The candidates are the models that
//!    last satisfied one of the newest conjuncts, those of the oldest conjuncts (the parent's), and the most
//!    recent models. This also finds satisfiable supersets.
//!
//! An unsatisfiable set without a known core is its own core. `Unknown` is not cached.
//!
//! # Source
//! Cadar, Dunbar, Engler, *KLEE*, OSDI 2008, Section 3.3 (counterexample cache); the sets are found
//! by their newest conjunct here instead of by a set trie.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use super::{Answer, LinkStatistics, Query, Solver};
use term::{Assignment, TermId, TermPool, Work};

/// Settings of the cache.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct CachePolicy {
    /// Sets remembered before the older half is forgotten. Default: 200,000.
    pub max_sets: usize,
    /// Recent models that are tried. Default: 6.
    pub recent_models: usize,
    /// Iterations of quantifiers that trying one model may take. Default: 2,000.
    pub max_iterations: u64,
    /// Hand on the model that satisfies most conjuncts ([`Query::near`]). Default: true.
    pub nearest: bool,
}

impl Default for CachePolicy {
    fn default() -> CachePolicy {
        CachePolicy {
            max_sets: 200_000,
            recent_models: 6,
            max_iterations: 2_000,
            nearest: true,
        }
    }
}

#[derive(Clone)]
enum Known {
    Sat(Rc<Assignment>),
    Unsat(Rc<[TermId]>),
}

/// A map that forgets: entries live in the younger half until that is full, then in the older.
struct Halves<K, V> {
    young: FxHashMap<K, V>,
    old: FxHashMap<K, V>,
    capacity: usize,
}

impl<K: std::hash::Hash + Eq + Clone, V: Clone> Halves<K, V> {
    fn new(capacity: usize) -> Halves<K, V> {
        Halves {
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            capacity: (capacity / 2).max(1),
        }
    }

    fn get<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
        Q: std::hash::Hash + Eq + ?Sized,
    {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

/// Cores kept for one conjunct.
const CORES_EACH: usize = 8;
/// Newest and oldest conjuncts whose last model is tried.
const NEWEST: usize = 3;
/// Bits of the filter that says which conjuncts a core has.
type Signature = u64;
/// A core with its filter.
type Core = (Signature, Rc<[TermId]>);

/// See the module's head.
pub struct Cache<S> {
    options: CachePolicy,
    below: S,
    sets: Halves<Box<[TermId]>, Known>,
    /// Cores by their greatest conjunct.
    cores: Halves<TermId, Rc<[Core]>>,
    /// The model that last satisfied a conjunct.
    models: Halves<TermId, Rc<Assignment>>,
    recent: VecDeque<Rc<Assignment>>,
    statistics: LinkStatistics,
}

impl<S: Solver> Cache<S> {
    /// Asks `below` what it cannot answer.
    #[must_use]
    pub fn new(options: CachePolicy, below: S) -> Cache<S> {
        Cache {
            sets: Halves::new(options.max_sets),
            cores: Halves::new(options.max_sets),
            models: Halves::new(options.max_sets),
            recent: VecDeque::new(),
            below,
            options,
            statistics: LinkStatistics::new("cache"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        pool.count_work(Work::CONJUNCT * query.conjuncts.len() as u64);
        let mut set: Vec<TermId> = query.conjuncts.to_vec();
        set.sort_unstable();
        set.dedup();
        match self.sets.get(set.as_slice()) {
            Some(Known::Sat(model)) => {
                self.hit("same set");
                return Answer::Sat(model);
            }
            Some(Known::Unsat(core)) => {
                self.hit("same set");
                return Answer::Unsat(Some(core.to_vec()));
            }
            None => {}
        }
        if let Some(core) = self.contained_core(&set) {
            self.hit("core");
            return Answer::Unsat(Some(core.to_vec()));
        }
        let models = self.candidates(query.conjuncts);
        if let Some(model) = self.fitting_model(pool, query.conjuncts, &models) {
            self.hit("model");
            self.learn_model(query.conjuncts, model);
            self.sets.insert(set.into(), Known::Sat(Rc::clone(model)));
            return Answer::Sat(Rc::clone(model));
        }
        let near = self.nearest_model(pool, query.conjuncts, &models);
        let below = Query {
            near: near.or(query.near),
            ..*query
        };
        let answer = self.below.check(pool, &below);
        match &answer {
            Answer::Sat(model) => {
                self.learn_model(query.conjuncts, model);
                self.sets.insert(set.into(), Known::Sat(Rc::clone(model)));
            }
            Answer::Unsat(core) => {
                let mut core = core.clone().unwrap_or_else(|| set.clone());
                core.sort_unstable();
                core.dedup();
                let core: Rc<[TermId]> = core.into();
                self.learn_core(&core);
                self.sets.insert(set.into(), Known::Unsat(core));
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn hit(&mut self, how: &str) {
        self.statistics.hits += 1;
        self.statistics.event(how);
    }

    /// A core that is a subset of the sorted set.
    fn contained_core(&mut self, set: &[TermId]) -> Option<Rc<[TermId]>> {
        let have = signature(set);
        for conjunct in set {
            let Some(cores) = self.cores.get(conjunct) else {
                continue;
            };
            for (needed, core) in cores.iter() {
                if needed & !have == 0 && core.iter().all(|c| set.binary_search(c).is_ok()) {
                    return Some(Rc::clone(core));
                }
            }
        }
        None
    }

    fn learn_core(&mut self, core: &Rc<[TermId]>) {
        let Some(greatest) = core.last() else { return };
        let mut cores: Vec<_> = self
            .cores
            .get(greatest)
            .map(|cores| cores.to_vec())
            .unwrap_or_default();
        if cores.len() >= CORES_EACH {
            cores.remove(0);
        }
        cores.push((signature(core), Rc::clone(core)));
        self.cores.insert(*greatest, cores.into());
    }

    /// Earlier models that may fit, each once.
    fn candidates(&mut self, conjuncts: &[TermId]) -> Vec<Rc<Assignment>> {
        let newest = conjuncts.iter().rev().take(NEWEST);
        let oldest = conjuncts.iter().take(1);
        let mut candidates: Vec<Rc<Assignment>> = Vec::new();
        for conjunct in newest.chain(oldest) {
            candidates.extend(self.models.get(conjunct));
        }
        candidates.extend(self.recent.iter().cloned());
        let mut seen: Vec<*const Assignment> = Vec::new();
        candidates.retain(|model| {
            let pointer = Rc::as_ptr(model);
            let is_new = !seen.contains(&pointer);
            seen.push(pointer);
            is_new
        });
        candidates
    }

    /// True iff the exact evaluator confirms a conjunct under a model.
    fn holds(&self, pool: &TermPool, conjunct: TermId, model: &Assignment) -> bool {
        pool.evaluate_within(conjunct, model, self.options.max_iterations)
            .is_ok_and(|value| value.is_ones())
    }

    /// A model that satisfies all conjuncts.
    fn fitting_model<'m>(
        &self,
        pool: &TermPool,
        conjuncts: &[TermId],
        models: &'m [Rc<Assignment>],
    ) -> Option<&'m Rc<Assignment>> {
        models.iter().find(|model| {
            // The newest conjunct is the likeliest to fail.
            conjuncts
                .iter()
                .rev()
                .all(|conjunct| self.holds(pool, *conjunct, model))
        })
    }

    /// The model that satisfies most conjuncts, for a query with binders.
    fn nearest_model<'m>(
        &self,
        pool: &TermPool,
        conjuncts: &[TermId],
        models: &'m [Rc<Assignment>],
    ) -> Option<&'m Assignment> {
        let has_binder = |c: &_| pool.has_quantifier(*c) || pool.has_sum(*c);
        if !self.options.nearest || !conjuncts.iter().any(has_binder) {
            return None;
        }
        let n_failing = |model: &&Rc<Assignment>| {
            let failing = conjuncts.iter().filter(|c| !self.holds(pool, **c, model));
            failing.count()
        };
        models.iter().min_by_key(n_failing).map(|model| &**model)
    }

    fn learn_model(&mut self, conjuncts: &[TermId], model: &Rc<Assignment>) {
        for conjunct in conjuncts {
            self.models.insert(*conjunct, Rc::clone(model));
        }
        if let Some(position) = self
            .recent
            .iter()
            .position(|known| Rc::ptr_eq(known, model))
        {
            self.recent.remove(position);
        }
        self.recent.push_front(Rc::clone(model));
        self.recent.truncate(self.options.recent_models);
    }
}

fn signature(set: &[TermId]) -> Signature {
    set.iter().fold(0, |bits, term| {
        let mut hasher = FxBuildHasher.build_hasher();
        std::hash::Hash::hash(term, &mut hasher);
        bits | 1 << (hasher.finish() >> 58)
    })
}

counted_link!(Cache<S>);
