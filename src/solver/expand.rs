//! Expansion of binders, with the numbers of iterations given by a model.

use indexmap::IndexMap;

use term::{Assignment, CmpOp, SymbolId, Term, TermId, TermPool};

/// With [`Which::Sums`], quantifiers without sums over a constant number of up to this many
/// iterations are written out too.
const MAX_ITERATIONS: u64 = 64;
/// Passes in which limits that are symbols are put in.
const MAX_PASSES: usize = 8;

/// The binders to expand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// Sums, and quantifiers with sums in them.
    Sums,
    /// All whose limits have a value in the model; the others stay.
    All,
}

/// A query with binders written out.
pub(super) struct Expansion {
    /// Implies the query, and is implied by it together with the limits; with [`Which::Sums`],
    /// without sums.
    pub(super) conjuncts: Vec<TermId>,
    /// Limit = number, for those that were taken from the model; also among the conjuncts.
    pub(super) limits: Vec<TermId>,
}

struct Writer<'a> {
    which: Which,
    model: &'a Assignment,
    /// Limits and their values, in order of discovery.
    limits: IndexMap<TermId, TermId>,
    /// Instances left.
    left: u64,
}

/// `None` when it takes more than `max_instances`.
pub(super) fn expand(
    pool: &mut TermPool,
    conjuncts: &[TermId],
    which: Which,
    model: &Assignment,
    max_instances: u64,
) -> Option<Expansion> {
    let mut conjuncts = conjuncts.to_vec();
    let mut theta: IndexMap<SymbolId, TermId> = IndexMap::new();
    let mut limits: Vec<TermId> = Vec::new();
    for _ in 0..MAX_PASSES {
        // Limits that are symbols first: then all other places see their values.
        let mut writer = Writer {
            which,
            model,
            limits: IndexMap::new(),
            left: max_instances,
        };
        let mut written = Vec::with_capacity(conjuncts.len());
        for conjunct in &conjuncts {
            written.push(writer.write(pool, *conjunct)?);
        }
        let n_fixed = theta.len();
        let mut others = Vec::new();
        for (limit, value) in &writer.limits {
            let equation = pool.eq(*limit, *value);
            match fixes(pool, equation) {
                Some((symbol, value)) => {
                    if theta.insert(symbol, value).is_none() {
                        limits.push(equation);
                    }
                }
                None => others.push(equation),
            }
        }
        if theta.len() == n_fixed {
            limits.extend(others);
            written.extend(limits.iter().copied());
            let conjuncts = written
                .iter()
                .flat_map(|part| pool.conjuncts(*part))
                .filter(|part| *part != TermId::TRUE)
                .collect();
            return Some(Expansion { conjuncts, limits });
        }
        conjuncts = conjuncts
            .iter()
            .map(|conjunct| pool.substitute(*conjunct, &mut theta))
            .collect();
    }
    None
}

/// The symbol and its value, for an equation that is that.
fn fixes(pool: &TermPool, equation: TermId) -> Option<(SymbolId, TermId)> {
    let Term::Compare(CmpOp::Eq, symbol, value) = pool.view(equation) else {
        return None;
    };
    Some((
        pool.as_symbol(symbol)?,
        pool.is_const(value).then_some(value)?,
    ))
}

impl Writer<'_> {
    /// The term without sums.
    fn write(&mut self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let mut complete = true;
        let result = pool.replace_binders(term, &mut |pool, binder| {
            if !complete {
                return Some(binder);
            }
            match self.binder(pool, binder) {
                Ok(result) => result,
                Err(TooMany) => {
                    complete = false;
                    Some(binder)
                }
            }
        });
        complete.then_some(result)
    }

    /// Whether a binder with this limit is written out.
    fn is_wanted(&self, pool: &mut TermPool, binder: TermId, limit: TermId) -> bool {
        match self.which {
            Which::Sums => {
                pool.has_sum(binder) || pool.as_u64(limit).is_some_and(|n| n <= MAX_ITERATIONS)
            }
            Which::All => {
                let symbols = pool.symbols_of(limit);
                symbols
                    .iter()
                    .all(|symbol| self.model.get(*symbol).is_some())
            }
        }
    }

    fn binder(&mut self, pool: &mut TermPool, binder: TermId) -> Result<Option<TermId>, TooMany> {
        let (is_sum, limit) = match pool.view(binder) {
            Term::SumBelow { limit, .. } => (true, limit),
            Term::ForAll { limit, .. } => (false, limit),
            _ => unreachable!("a binder is a sum or a quantifier"),
        };
        if !self.is_wanted(pool, binder, limit) {
            return Ok(Some(binder));
        }
        let limit = self.write(pool, limit).ok_or(TooMany)?;
        let iterations = match pool.as_const(limit) {
            Some(iterations) => iterations,
            None => {
                let iterations = pool.evaluate(limit, self.model).map_err(|_| TooMany)?;
                let value = pool.constant(&iterations);
                self.limits.insert(limit, value);
                iterations
            }
        };
        let iterations = iterations.to_u64().ok_or(TooMany)?;
        if iterations > self.left {
            return Err(TooMany);
        }
        self.left -= iterations;
        let width = pool.width(limit);
        let mut instances = Vec::new();
        for iteration in 0..iterations {
            let iteration = pool.bv(width, iteration);
            let instance = pool.instantiate(binder, iteration);
            instances.push(self.write(pool, instance).ok_or(TooMany)?);
        }
        Ok(Some(if !is_sum {
            pool.conj(instances)
        } else {
            let width = pool.width(binder);
            let zero = pool.bv(width, 0);
            sum_of(pool, width, zero, &instances)
        }))
    }
}

/// More instances than allowed.
struct TooMany;

fn sum_of(pool: &mut TermPool, width: u32, zero: TermId, summands: &[TermId]) -> TermId {
    if width <= 64 {
        return pool.from_linear(&term::Linear {
            width,
            constant: 0,
            terms: summands.iter().map(|term| (1, *term)).collect(),
        });
    }
    summands.iter().fold(zero, |sum, term| pool.add(sum, *term))
}
