//! Candidates for invariants, from states that executions come by.
//!
//! What all states of a predicate have in common is guessed to hold always: affine equations and
//! congruences between the parameters, residues of parameters and of their sums and differences, and
//! bounds of these and of what the program compares. Most of the guesses are wrong; the check drops them.

use super::check::Guess;
use super::compared::{Comparison, comparisons};
use super::hulls::edges;
use super::lattice::congruences;
use super::sample::{Samples, samples};
use super::system::{Parameter, Place, Predicate, System, ValueOf};
use flowgraph::{FunctionId, NodeId, Program};
use invariants::{Claim, Part, Relation};
use num_integer::gcd;
use property::Property;
use solver::horn::Formula;
use std::collections::BTreeSet;
use std::rc::Rc;

use term::{TermPool, Work};

/// Parameters that are compared with each other.
const MOST_PARAMETERS: usize = 10;
/// From fewer states nothing is guessed.
const FEWEST_STATES: usize = 3;
/// Larger numbers are chance.
const LARGEST: i128 = 1 << 40;
/// Work for a point of a plane, of which most is sorting. Estimated.
const POINT: Work = Work::units(100);
/// Larger moduli are chance.
const LARGEST_MODULUS: i128 = 1 << 12;

/// Σ factor · parameter, with what holds of it in all states.
struct Shape {
    form: Vec<i128>,
    relation: Relation,
}

/// Inequalities between two parameters with any small coefficients, for each predicate. The work is counted in
/// the pool.
pub(super) fn slopes(pool: &TermPool, system: &System, samples: &Samples) -> Guess {
    let each = system.predicates.iter().zip(&samples.states);
    let found = each.map(|(predicate, states)| {
        let numbers = numbers(predicate, |_| true);
        let is_small = |value: &i128| value.abs() < LARGEST;
        let mut found = Vec::new();
        for (first, one) in numbers.iter().enumerate() {
            for (second, other) in numbers.iter().enumerate().skip(first + 1) {
                pool.count_work(POINT * states.len() as u64);
                let points = states.iter().map(|state| (state[*one], state[*other]));
                let points = points.filter(|(x, y)| is_small(x) && is_small(y));
                found.extend(edges(points.collect()).into_iter().filter_map(|edge| {
                    let mut form = vec![0; numbers.len()];
                    [form[first], form[second]] = edge.factors;
                    let relation = Relation::AtMost(i64::try_from(edge.most).ok()?);
                    Some(formula(&numbers, &Shape { form, relation }))
                }));
            }
        }
        found
    });
    found.collect()
}

/// What the states of each predicate have in common: first without what pairs of parameters have that the
/// program does not compare, which is most of it, then all.
pub(super) fn candidates(system: &System, samples: &Samples) -> [Guess; 2] {
    let compared = comparisons(system);
    let each = system.predicates.iter().zip(&samples.states);
    let found = each.map(|(predicate, states)| {
        let numbers = numbers(predicate, |_| true);
        let compared = of_predicate(&compared, predicate, &numbers);
        let is_likely = |shape: &Shape| {
            let is_equation = matches!(
                shape.relation,
                Relation::Equal(_) | Relation::Residue { .. }
            );
            let n_parts = shape.form.iter().filter(|factor| **factor != 0).count();
            is_equation || n_parts == 1 || compared.iter().any(|(form, _)| *form == shape.form)
        };
        let shapes = shapes(&numbers, states, &compared);
        let formula = |shape: &Shape| formula(&numbers, shape);
        let likely = shapes.iter().filter(|shape| is_likely(shape));
        (
            likely.map(formula).collect::<Vec<_>>(),
            shapes.iter().map(formula).collect::<Vec<_>>(),
        )
    });
    let (likely, all) = found.unzip();
    [likely, all]
}

/// What the states at the headers of loops have in common, as claims about registers, in programs that
/// have a system of clauses; in others nothing is learnt. The work is counted in the pool.
#[must_use]
pub fn claims(
    pool: &TermPool,
    program: &Program,
    property: Property,
) -> Vec<((FunctionId, NodeId), Vec<Claim>)> {
    let Ok(system) = System::new(program, property) else {
        return Vec::new();
    };
    let samples = samples(pool, program, &system);
    let compared = comparisons(&system);
    let each = system.predicates.iter().zip(&samples.states);
    let each = each.filter_map(|(predicate, states)| {
        let Place::Node(node) = predicate.place else {
            return None;
        };
        let nest = program.function(predicate.function).loops();
        nest.loops.iter().find(|natural| natural.header == node)?;
        let of_register = |parameter: &Parameter| match parameter.value {
            // An address is not what clauses know of it.
            ValueOf::Register(reg) => system.is_number(predicate.function, reg).then_some(reg),
            _ => None,
        };
        let numbers = numbers(predicate, |parameter| of_register(parameter).is_some());
        let compared = of_predicate(&compared, predicate, &numbers);
        let claims = shapes(&numbers, states, &compared).into_iter();
        let claims = claims.filter_map(|shape| {
            let parts = numbers.iter().zip(&shape.form);
            let parts = parts.filter(|(_, factor)| **factor != 0);
            let form = parts.map(|(position, factor)| {
                let parameter = &predicate.parameters[*position];
                Some(Part {
                    factor: i64::try_from(*factor).ok()?,
                    reg: of_register(parameter)?,
                    is_unsigned: system.signs.is_unsigned(parameter.slot),
                })
            });
            Some(Claim {
                form: form.collect::<Option<_>>()?,
                relation: shape.relation,
            })
        });
        Some(((predicate.function, node), claims.collect()))
    });
    each.collect()
}

/// The positions of the parameters that are numbers and of these wanted ones.
fn numbers(predicate: &Predicate, is_wanted: impl Fn(&Parameter) -> bool) -> Vec<usize> {
    (predicate.parameters.iter().enumerate())
        .filter(|(_, parameter)| parameter.data.bits > 1 && is_wanted(parameter))
        .map(|(position, _)| position)
        .take(MOST_PARAMETERS)
        .collect()
}

/// What the program compares of these parameters: coefficients, and what their sum is compared with.
fn of_predicate(
    compared: &[Comparison],
    predicate: &Predicate,
    numbers: &[usize],
) -> Vec<(Vec<i128>, i128)> {
    let own = compared
        .iter()
        .filter(|one| one.function == predicate.function);
    own.filter_map(|comparison| {
        let mut form = vec![0; numbers.len()];
        for (value, factor) in &comparison.form {
            let mut positions = numbers.iter();
            let is_it = |position: &usize| predicate.parameters[*position].value == *value;
            form[positions.position(is_it)?] = *factor;
        }
        Some((form, comparison.with))
    })
    .collect()
}

/// What states have in common in these parameters, where the program compares some sums of them.
fn shapes(numbers: &[usize], states: &[Vec<i128>], compared: &[(Vec<i128>, i128)]) -> Vec<Shape> {
    let states: Vec<Vec<i128>> = states
        .iter()
        .map(|state| numbers.iter().map(|position| state[*position]).collect())
        .filter(|state: &Vec<i128>| state.iter().all(|value| value.abs() < LARGEST))
        .collect();
    if states.len() < FEWEST_STATES {
        return Vec::new();
    }
    let mut found = Vec::new();
    for equation in equations(&states, numbers.len()) {
        found.extend(i64::try_from(-equation[0]).ok().map(|value| Shape {
            form: equation[1..].to_vec(),
            relation: Relation::Equal(value),
        }));
    }
    let mut forms = forms(numbers.len());
    for congruence in congruences(&states, LARGEST_MODULUS).unwrap_or_default() {
        // Of the others the residues are known below.
        if !forms.contains(&congruence.form)
            && let (Ok(modulus), Ok(rest)) =
                (congruence.modulus.try_into(), congruence.rest.try_into())
        {
            found.push(Shape {
                form: congruence.form,
                relation: Relation::Residue { modulus, rest },
            });
        }
    }
    for (form, _) in compared {
        if !forms.contains(form) {
            forms.push(form.clone());
        }
    }
    for form in forms {
        let values: Vec<i128> = states.iter().map(|state| apply(&form, state)).collect();
        let compared = compared.iter().filter(|(other, _)| *other == form);
        let compared: Vec<i128> = compared.map(|(_, with)| *with).collect();
        let relations = residue(&values)
            .into_iter()
            .chain(bounds(&values, &compared));
        found.extend(relations.map(|relation| Shape {
            form: form.clone(),
            relation,
        }));
    }
    found
}

/// Coefficients of each parameter alone, and of sums and differences of two.
fn forms(n: usize) -> Vec<Vec<i128>> {
    let unit = |position: usize| {
        let mut form = vec![0; n];
        form[position] = 1;
        form
    };
    let mut found: Vec<Vec<i128>> = (0..n).map(unit).collect();
    for one in 0..n {
        for other in one + 1..n {
            for sign in [-1, 1] {
                let mut form = unit(one);
                form[other] = sign;
                found.push(form);
            }
        }
    }
    found
}

fn apply(form: &[i128], state: &[i128]) -> i128 {
    form.iter()
        .zip(state)
        .map(|(factor, value)| factor * value)
        .sum()
}

fn formula(numbers: &[usize], shape: &Shape) -> Rc<Formula> {
    let parts = shape.form.iter().copied().zip(numbers.iter().copied());
    shape.relation.of_sum(parts)
}

/// That all values leave one residue, if they do.
fn residue(values: &[i128]) -> Option<Relation> {
    let first = *values.first()?;
    let modulus = values.iter().fold(0, |all, value| gcd(all, value - first));
    if !(2..=LARGEST_MODULUS).contains(&modulus) {
        return None;
    }
    Some(Relation::Residue {
        modulus: i64::try_from(modulus).ok()?,
        rest: i64::try_from(first.rem_euclid(modulus)).ok()?,
    })
}

/// The least and the largest of the values where the first half of them has it too, and beside 0 and what
/// values are compared with.
fn bounds(values: &[i128], compared: &[i128]) -> Vec<Relation> {
    let range = |values: &[i128]| Some((*values.iter().min()?, *values.iter().max()?));
    let (Some((least, most)), Some((early_least, early_most))) =
        (range(values), range(&values[..values.len().div_ceil(2)]))
    else {
        return Vec::new();
    };
    let borders = compared.iter().chain([&0]);
    let borders: BTreeSet<i128> = borders.flat_map(|one| one - 1..=one + 1).collect();
    let mut lower: BTreeSet<i128> = borders.range(..=least).copied().collect();
    let mut upper: BTreeSet<i128> = borders.range(most..).copied().collect();
    if least == early_least {
        lower.insert(least);
    }
    if most == early_most {
        upper.insert(most);
    }
    // The strongest imply the others, which may hold where these do not.
    let n = if compared.is_empty() { 2 } else { 4 };
    let lower = lower.into_iter().rev().take(n);
    let upper = upper.into_iter().take(n);
    let number = |bound: i128| i64::try_from(bound).ok();
    let lower = lower.filter_map(|bound| Some(Relation::AtLeast(number(bound)?)));
    let upper = upper.filter_map(|bound| Some(Relation::AtMost(number(bound)?)));
    lower.chain(upper).collect()
}

/// A basis of the equations a₀ + Σ aᵢ·xᵢ = 0 that hold of all states, with small integers; none where
/// the numbers become too large.
fn equations(states: &[Vec<i128>], n: usize) -> Vec<Vec<i128>> {
    let mut rows: Vec<(usize, Vec<i128>)> = Vec::new();
    for state in states {
        let mut row = vec![1];
        row.extend(state);
        for (pivot, known) in &rows {
            match eliminated(&row, known, *pivot) {
                Some(rest) => row = rest,
                None => return Vec::new(),
            }
        }
        let Some(pivot) = row.iter().position(|value| *value != 0) else {
            continue;
        };
        for (_, known) in &mut rows {
            match eliminated(known, &row, pivot) {
                Some(rest) => *known = rest,
                None => return Vec::new(),
            }
        }
        rows.push((pivot, row));
        if rows.len() > n {
            return Vec::new();
        }
    }
    let is_pivot = |column: usize| rows.iter().any(|(pivot, _)| *pivot == column);
    let free = (0..=n).filter(|column| !is_pivot(*column));
    free.filter_map(|free| {
        let mut scale: i128 = 1;
        for (pivot, row) in &rows {
            let factor = row[*pivot].abs() / gcd(row[*pivot], row[free]).max(1);
            scale = (scale / gcd(scale, factor).max(1)).checked_mul(factor)?;
        }
        let mut equation = vec![0; n + 1];
        equation[free] = scale;
        for (pivot, row) in &rows {
            equation[*pivot] = -(row[free].checked_mul(scale)? / row[*pivot]);
        }
        let is_small = equation[1..]
            .iter()
            .all(|value| value.abs() < LARGEST_MODULUS);
        (is_small && equation[0].abs() < LARGEST).then_some(equation)
    })
    .collect()
}

/// A multiple of `row` less one of `by`, so that the pivot's column is 0, divided by its divisor.
fn eliminated(row: &[i128], by: &[i128], pivot: usize) -> Option<Vec<i128>> {
    if row[pivot] == 0 {
        return Some(row.to_vec());
    }
    let divisor = gcd(row[pivot], by[pivot]);
    let (of_row, of_by) = (by[pivot] / divisor, row[pivot] / divisor);
    let mut rest = Vec::with_capacity(row.len());
    for (value, other) in row.iter().zip(by) {
        let (value, other) = (value.checked_mul(of_row)?, other.checked_mul(of_by)?);
        rest.push(value.checked_sub(other)?);
    }
    let divisor = rest.iter().fold(0, |all, value| gcd(all, *value)).max(1);
    rest.iter_mut().for_each(|value| *value /= divisor);
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_those_that_all_states_satisfy() {
        let states: Vec<Vec<i128>> = (0..6).map(|i| vec![2 * i + 3, 5 - 3 * i, i * i]).collect();
        let found = equations(&states, 3);
        assert_eq!(found.len(), 1, "{found:?}");
        for state in &states {
            assert_eq!(found[0][0] + apply(&found[0][1..], state), 0);
        }
        // x = 2i + 3 and y = 5 − 3i: 3x + 2y = 19.
        let ratio = (found[0][1], found[0][2], found[0][3]);
        assert!(ratio == (3, 2, 0) || ratio == (-3, -2, 0), "{ratio:?}");
    }

    #[test]
    fn nothing_is_common_to_states_in_general_position() {
        let states = vec![vec![0, 0], vec![1, 5], vec![7, 2], vec![3, 11]];
        assert!(equations(&states, 2).is_empty());
        assert_eq!(residue(&[0, 1, 7]), None);
        assert!(residue(&[4, 10, -2]).is_some());
    }
}
