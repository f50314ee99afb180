//! Straight-line code of terms: evaluation for many values of a few leaves.
//!
//! The evaluator looks terms up and allocates; a program computes on machine words, one operator per step. It
//! supports terms without binders, of at most 64 bits, whose only unknowns are the leaves. The leaves of the
//! body of a quantifier or sum are the iteration and the subterms that are constant over all iterations.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::bv::word;
use super::float;
use super::pool::{Map, TermData};
use super::{BinOp, CastOp, CmpOp, FloatCast, FloatOp, LookUpTable, TermId, TermPool, Work};

/// The program of a body has no more steps: it takes all of them in each iteration, where the evaluation of
/// terms takes only the branches that count.
const MOST_STEPS_OF_BODY: usize = 64;
/// No more programs of bodies are kept.
const MOST_BODIES: usize = 1 << 13;

/// One operator; operands are positions in the program.
#[derive(Debug)]
enum Instruction {
    Leaf(usize),
    Constant(u64),
    Sum(u64, Box<[(u64, usize)]>),
    Binary(BinOp, usize, usize),
    Compare(CmpOp, usize, usize),
    Not(usize),
    Extend(CastOp, usize),
    Extract(u32, usize),
    Concat(usize, usize),
    Ite(usize, usize, usize),
    Power(u64, usize),
    FloatBinary(FloatOp, usize, usize),
    FloatCast(FloatCast, usize),
    Read(Rc<LookUpTable>, usize),
    /// The cell of an array from outside.
    Cell(usize, usize),
    /// What was stored at the first if that is the second, else the last.
    Stored(usize, usize, usize, usize),
}

/// What a step computes: a term, or the value of an array at an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Computed {
    Term(TermId),
    Read(TermId, TermId),
}

/// Terms as functions of leaves.
#[derive(Debug)]
pub struct Program {
    /// Operators with their widths, operands first.
    steps: Vec<(u32, Instruction)>,
    roots: Vec<usize>,
}

impl Program {
    /// Number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True iff there is nothing to compute.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The work of running it once.
    #[must_use]
    pub fn work(&self) -> Work {
        let reads = self
            .steps
            .iter()
            .filter(|(_, step)| matches!(step, Instruction::Cell(..)));
        Work::PROGRAM_STEP * self.steps.len() as u64 + Work::EVALUATION * reads.count() as u64
    }

    /// Whether all roots, of width 1, are true for these values of the leaves; `values` is room to
    /// compute in.
    pub fn holds(&self, leaves: &[u64], values: &mut Vec<u64>) -> bool {
        self.run(leaves, values);
        self.roots.iter().all(|root| values[*root] == 1)
    }

    /// The values of the roots for these values of the leaves, in order.
    pub fn results<'v>(
        &'v self,
        leaves: &[u64],
        values: &'v mut Vec<u64>,
    ) -> impl Iterator<Item = u64> + 'v {
        self.run(leaves, values);
        self.roots.iter().map(|root| values[*root])
    }

    /// How many entries the tables have that it reads; each read counts.
    #[must_use]
    pub fn n_entries(&self) -> u64 {
        let tables = self.steps.iter().map(|(_, step)| match step {
            Instruction::Read(table, _) => table.values().len() as u64,
            _ => 0,
        });
        tables.sum()
    }

    /// How many operations on floating-point numbers it has.
    #[must_use]
    pub fn n_floats(&self) -> u64 {
        let is_float = |step: &Instruction| {
            matches!(
                step,
                Instruction::FloatBinary(..) | Instruction::FloatCast(..)
            )
        };
        self.steps.iter().filter(|(_, step)| is_float(step)).count() as u64
    }

    fn run(&self, leaves: &[u64], values: &mut Vec<u64>) {
        let no_arrays = |_, _| unreachable!("only bodies read arrays from outside");
        self.run_with(leaves, &no_arrays, values);
    }

    fn run_with(&self, leaves: &[u64], cells: &impl Fn(usize, u64) -> u64, values: &mut Vec<u64>) {
        values.clear();
        for (width, step) in &self.steps {
            let value = self.value(*width, step, (leaves, cells), values);
            values.push(value & word::mask(*width));
        }
    }

    fn value(
        &self,
        width: u32,
        step: &Instruction,
        (leaves, cells): (&[u64], &impl Fn(usize, u64) -> u64),
        values: &[u64],
    ) -> u64 {
        let width_of = |operand: usize| self.steps[operand].0;
        match step {
            Instruction::Leaf(leaf) => leaves[*leaf],
            Instruction::Constant(value) => *value,
            Instruction::Sum(constant, terms) => {
                terms.iter().fold(*constant, |sum, (factor, term)| {
                    sum.wrapping_add(factor.wrapping_mul(values[*term]))
                })
            }
            Instruction::Binary(op, a, b) => word::binary(*op, width, values[*a], values[*b]),
            Instruction::Compare(op, a, b) => {
                u64::from(word::compare(*op, width_of(*a), values[*a], values[*b]))
            }
            Instruction::Not(a) => !values[*a],
            Instruction::Extend(CastOp::SExt, a) => {
                word::unsigned(64, word::signed(width_of(*a), values[*a]))
            }
            Instruction::Extend(_, a) => values[*a],
            Instruction::Extract(low, a) => values[*a] >> low,
            Instruction::Concat(high, low) => values[*high] << width_of(*low) | values[*low],
            Instruction::Ite(c, t, e) => values[if values[*c] == 1 { *t } else { *e }],
            Instruction::Power(base, exponent) => word::pow(*base, values[*exponent]),
            Instruction::FloatBinary(op, a, b) => {
                float::binary(*op, width_of(*a), values[*a], values[*b])
            }
            Instruction::FloatCast(op, a) => float::cast(*op, width_of(*a), width, values[*a]),
            Instruction::Read(table, index) => table.at(values[*index]),
            Instruction::Cell(array, index) => cells(*array, values[*index]),
            Instruction::Stored(at, index, value, below) => {
                values[if values[*at] == values[*index] {
                    *value
                } else {
                    *below
                }]
            }
        }
    }
}

/// The body of a quantifier or sum as a program, whose first leaf is the number of the iteration.
#[derive(Debug)]
pub(super) struct Body {
    program: Program,
    /// What is the same in all iterations: the other leaves.
    pub parts: Vec<TermId>,
    /// Arrays that are so.
    pub arrays: Vec<TermId>,
}

impl Body {
    /// The work of an iteration.
    pub fn work(&self) -> Work {
        self.program.work()
    }

    /// The value in one iteration; `leaves` are its number and the values of the parts, `cells` says what
    /// the arrays have at an index, and `values` is room to compute in.
    pub fn value(
        &self,
        leaves: &[u64],
        cells: &impl Fn(usize, u64) -> u64,
        values: &mut Vec<u64>,
    ) -> u64 {
        self.program.run_with(leaves, cells, values);
        values[self.program.roots[0]]
    }
}

/// The leaves of compiled terms.
enum Leaves<'l> {
    /// These, in order.
    Given(&'l [TermId]),
    /// The number of the iteration, and parts and arrays that do not depend on it as they are found.
    OfBody {
        parts: IndexSet<TermId, FxBuildHasher>,
        arrays: IndexSet<TermId, FxBuildHasher>,
    },
}

impl TermPool {
    /// The terms as a program of at most so many steps; `None` where they depend on something else
    /// than the leaves, have binders, or something has more than 64 bits.
    #[must_use]
    pub fn compile(&self, roots: &[TermId], leaves: &[TermId], most: usize) -> Option<Program> {
        self.compile_over(&mut Leaves::Given(leaves), roots, most)
    }

    /// The body of a quantifier or sum as a program; `None` where it has binders or many operators, or
    /// something has more than 64 bits. Kept for later evaluations.
    pub(super) fn body(&self, body: TermId) -> Option<Rc<Body>> {
        let mut bodies = self.bodies.borrow_mut();
        if let Some(known) = bodies.get(&body) {
            return known.clone();
        }
        if bodies.len() >= MOST_BODIES {
            bodies.clear();
        }
        let compiled = self.compile_body(body).map(Rc::new);
        bodies.insert(body, compiled.clone());
        compiled
    }

    fn compile_body(&self, body: TermId) -> Option<Body> {
        if self.has_quantifier(body) || self.has_sum(body) {
            return None;
        }
        let mut leaves = Leaves::OfBody {
            parts: IndexSet::default(),
            arrays: IndexSet::default(),
        };
        let program = self.compile_over(&mut leaves, &[body], MOST_STEPS_OF_BODY)?;
        let Leaves::OfBody { parts, arrays } = leaves else {
            unreachable!("leaves stay what they are")
        };
        Some(Body {
            program,
            parts: parts.into_iter().collect(),
            arrays: arrays.into_iter().collect(),
        })
    }

    fn compile_over(&self, leaves: &mut Leaves, roots: &[TermId], most: usize) -> Option<Program> {
        let mut steps = Vec::new();
        let mut places: Map<Computed, usize> = Map::default();
        let mut stack: Vec<(Computed, bool)> = Vec::new();
        stack.extend(
            roots
                .iter()
                .rev()
                .map(|root| (Computed::Term(*root), false)),
        );
        while let Some((place, ready)) = stack.pop() {
            if places.contains_key(&place) {
                continue;
            }
            if !ready && !self.is_leaf(place, leaves) {
                stack.push((place, true));
                self.operands(place, leaves, |operand| stack.push((operand, false)))?;
                if stack.len() > 8 * most {
                    return None;
                }
                continue;
            }
            let step = self.step_of(place, leaves, &places)?;
            if steps.len() == most {
                return None;
            }
            places.insert(place, steps.len());
            steps.push(step);
        }
        self.count_work(Work::CONSTRUCTION * steps.len() as u64);
        let roots = roots
            .iter()
            .map(|root| places[&Computed::Term(*root)])
            .collect();
        Some(Program { steps, roots })
    }

    fn is_leaf(&self, place: Computed, leaves: &Leaves) -> bool {
        let Computed::Term(term) = place else {
            return false;
        };
        self.is_const(term)
            || match leaves {
                Leaves::Given(leaves) => leaves.contains(&term),
                Leaves::OfBody { .. } => {
                    !self.may_mention_bound(term, 0)
                        || matches!(self.data(term), Some(TermData::Bound(0)))
                }
            }
    }

    /// The number of a leaf.
    fn leaf(&self, term: TermId, leaves: &mut Leaves) -> Option<usize> {
        match leaves {
            Leaves::Given(leaves) => leaves.iter().position(|leaf| *leaf == term),
            Leaves::OfBody { .. } if self.is_const(term) => None,
            Leaves::OfBody { parts, .. } if !self.may_mention_bound(term, 0) => {
                Some(1 + parts.insert_full(term).0)
            }
            Leaves::OfBody { .. } => {
                matches!(self.data(term), Some(TermData::Bound(0))).then_some(0)
            }
        }
    }

    /// Whether an array is read as one from outside.
    fn is_outside(&self, array: TermId, leaves: &Leaves) -> bool {
        let is_written_down = matches!(
            self.data(array),
            Some(TermData::Table(_) | TermData::ConstArray(_))
        );
        matches!(leaves, Leaves::OfBody { .. })
            && !is_written_down
            && !self.may_mention_bound(array, 0)
    }

    fn operands(
        &self,
        place: Computed,
        leaves: &Leaves,
        mut f: impl FnMut(Computed),
    ) -> Option<()> {
        match place {
            Computed::Read(array, index) if self.is_outside(array, leaves) => {
                f(Computed::Term(index))
            }
            Computed::Term(term) => match self.data(term)? {
                TermData::Select(array, index) => f(Computed::Read(*array, *index)),
                _ => self.for_each_child(term, |child, _| f(Computed::Term(child))),
            },
            Computed::Read(array, index) => match self.data(array)? {
                TermData::Table(_) => f(Computed::Term(index)),
                TermData::ConstArray(value) => f(Computed::Term(*value)),
                TermData::Store(below, at, value) => {
                    f(Computed::Term(*at));
                    f(Computed::Term(index));
                    f(Computed::Term(*value));
                    f(Computed::Read(*below, index));
                }
                TermData::Ite(c, t, e) => {
                    f(Computed::Term(*c));
                    f(Computed::Read(*t, index));
                    f(Computed::Read(*e, index));
                }
                _ => return None,
            },
        }
        Some(())
    }

    fn step_of(
        &self,
        place: Computed,
        leaves: &mut Leaves,
        places: &Map<Computed, usize>,
    ) -> Option<(u32, Instruction)> {
        let at = |term: &TermId| places[&Computed::Term(*term)];
        let (term, width) = match place {
            Computed::Term(term) => (term, self.width(term)),
            Computed::Read(array, index) => return self.read_step((array, index), leaves, places),
        };
        if width > 64 {
            return None;
        }
        if let Some(leaf) = self.leaf(term, leaves) {
            return Some((width, Instruction::Leaf(leaf)));
        }
        if let Some(value) = self.as_u64(term) {
            return Some((width, Instruction::Constant(value)));
        }
        let step = match self.data(term)? {
            TermData::Sum { constant, terms } => {
                let terms = terms.iter().map(|(factor, term)| (*factor, at(term)));
                Instruction::Sum(*constant, terms.collect())
            }
            TermData::Binary(op, a, b) => Instruction::Binary(*op, at(a), at(b)),
            TermData::Compare(op, a, b) => Instruction::Compare(*op, at(a), at(b)),
            TermData::Not(a) => Instruction::Not(at(a)),
            TermData::Cast(op, a) => Instruction::Extend(*op, at(a)),
            TermData::Extract { low, of } => Instruction::Extract(*low, at(of)),
            TermData::Concat { high, low } => Instruction::Concat(at(high), at(low)),
            TermData::Ite(c, t, e) => Instruction::Ite(at(c), at(t), at(e)),
            TermData::Power { base, exponent } => Instruction::Power(base.to_u64()?, at(exponent)),
            TermData::FloatBinary(op, a, b) => Instruction::FloatBinary(*op, at(a), at(b)),
            TermData::FloatCast(op, a) => Instruction::FloatCast(*op, at(a)),
            // The same value under another name.
            TermData::Select(array, index) => {
                Instruction::Extend(CastOp::ZExt, places[&Computed::Read(*array, *index)])
            }
            _ => return None,
        };
        Some((width, step))
    }

    fn read_step(
        &self,
        (array, index): (TermId, TermId),
        leaves: &mut Leaves,
        places: &Map<Computed, usize>,
    ) -> Option<(u32, Instruction)> {
        let at = |term: &TermId| places[&Computed::Term(*term)];
        let below = |array: &TermId| places[&Computed::Read(*array, index)];
        let is_outside = self.is_outside(array, leaves);
        let step = match (self.data(array)?, leaves) {
            (_, Leaves::OfBody { arrays, .. }) if is_outside => {
                Instruction::Cell(arrays.insert_full(array).0, at(&index))
            }
            (TermData::Table(table), _) => Instruction::Read(Rc::clone(table), at(&index)),
            (TermData::ConstArray(value), _) => Instruction::Extend(CastOp::ZExt, at(value)),
            (TermData::Store(inner, stored, value), _) => {
                Instruction::Stored(at(stored), at(&index), at(value), below(inner))
            }
            (TermData::Ite(c, t, e), _) => Instruction::Ite(at(c), below(t), below(e)),
            _ => return None,
        };
        let width = match self.sort(array) {
            super::Sort::Array { value, .. } => value,
            super::Sort::Bv(_) => return None,
        };
        (width <= 64).then_some((width, step))
    }
}
