//! Congruences that points have in common.
//!
//! The differences of points generate a lattice. With rows that generate it as a matrix A, row and column
//! operations lead to U·A·V = D, a diagonal matrix. Each difference x has x·V in the columns' multiples of D,
//! so that Σ Vᵢⱼ·xᵢ is divisible by Dⱼⱼ; all congruences of the points follow from these.
//!
//! # Source
//! Granger, *Static Analysis of Linear Congruence Equalities among Variables of a Program*, TAPSOFT 1991.

/// Σ factor · xᵢ leaves a rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Congruence {
    /// Above −modulus/2 and up to modulus/2; the first that can be is 1.
    pub form: Vec<i128>,
    /// Above 1.
    pub modulus: i128,
    /// From 0, below the modulus.
    pub rest: i128,
}

/// Congruences that generate those of all points, with moduli up to `most`; `None` where numbers become too large.
pub(super) fn congruences(points: &[Vec<i128>], most: i128) -> Option<Vec<Congruence>> {
    let (first, others) = points.split_first()?;
    let mut rows: Vec<Vec<i128>> = Vec::new();
    for point in others {
        let difference = point.iter().zip(first);
        insert(
            &mut rows,
            difference.map(|(one, other)| one - other).collect(),
        )?;
    }
    let moduli = diagonal(&rows, first.len())?;
    let moduli = moduli
        .into_iter()
        .filter(|(_, modulus)| (2..=most).contains(modulus));
    let found = moduli.map(|(form, modulus)| {
        let form = smallest(&form, modulus);
        let value: i128 = form
            .iter()
            .zip(first)
            .map(|(factor, value)| factor * value)
            .sum();
        Congruence {
            form,
            modulus,
            rest: value.rem_euclid(modulus),
        }
    });
    Some(found.collect())
}

/// Adds a row to rows in echelon form: they generate what they and the row did.
fn insert(rows: &mut Vec<Vec<i128>>, mut row: Vec<i128>) -> Option<()> {
    while let Some(pivot) = pivot(&row) {
        let place = rows.partition_point(|known| self::pivot(known) < Some(pivot));
        match rows.get_mut(place) {
            Some(known) if known[pivot] != 0 => {
                while row[pivot] != 0 {
                    let quotient = known[pivot] / row[pivot];
                    subtract(known, &row, quotient)?;
                    std::mem::swap(known, &mut row);
                }
            }
            _ => {
                rows.insert(place, row);
                break;
            }
        }
    }
    // Small numbers stay small.
    for lower in 1..rows.len() {
        let (above, below) = rows.split_at_mut(lower);
        let by = &below[0];
        let Some(pivot) = pivot(by) else { continue };
        for row in above {
            let quotient = row[pivot].div_euclid(by[pivot]);
            subtract(row, by, quotient)?;
        }
    }
    Some(())
}

fn pivot(row: &[i128]) -> Option<usize> {
    row.iter().position(|value| *value != 0)
}

/// Takes so many times one vector from another.
fn subtract(from: &mut [i128], vector: &[i128], times: i128) -> Option<()> {
    for (value, other) in from.iter_mut().zip(vector) {
        *value = value.checked_sub(other.checked_mul(times)?)?;
    }
    Some(())
}

/// The columns of V with the diagonal of D, for rows that are linearly independent.
fn diagonal(rows: &[Vec<i128>], n: usize) -> Option<Vec<(Vec<i128>, i128)>> {
    let rank = rows.len();
    // Each with its column of V below it.
    let mut columns: Vec<Vec<i128>> = (0..n)
        .map(|column| {
            let of_rows = rows.iter().map(|row| row[column]);
            let of_unit = (0..n).map(|other| i128::from(other == column));
            of_rows.chain(of_unit).collect()
        })
        .collect();
    for at in 0..rank {
        loop {
            let places = (at..n).flat_map(|column| (at..rank).map(move |row| (column, row)));
            let used = places.filter(|(column, row)| columns[*column][*row] != 0);
            let (column, row) = used.min_by_key(|(column, row)| columns[*column][*row].abs())?;
            columns.swap(at, column);
            columns.iter_mut().for_each(|column| column.swap(at, row));
            let pivot = columns[at].clone();
            for column in &mut columns[at + 1..] {
                let quotient = column[at] / pivot[at];
                subtract(column, &pivot, quotient)?;
            }
            for row in at + 1..rank {
                let quotient = pivot[row] / pivot[at];
                for column in &mut columns[at..] {
                    let product = column[at].checked_mul(quotient)?;
                    column[row] = column[row].checked_sub(product)?;
                }
            }
            let is_alone = columns[at][at + 1..rank].iter().all(|value| *value == 0)
                && columns[at + 1..].iter().all(|column| column[at] == 0);
            if is_alone {
                break;
            }
        }
    }
    let diagonal = columns.into_iter().take(rank).enumerate();
    let diagonal = diagonal.map(|(at, column)| (column[rank..].to_vec(), column[at].abs()));
    Some(diagonal.collect())
}

/// The same congruence with small factors.
fn smallest(form: &[i128], modulus: i128) -> Vec<i128> {
    let units = form.iter().map(|factor| factor.rem_euclid(modulus));
    let inverse = units
        .clone()
        .find_map(|unit| (1..modulus).find(|inverse| unit * inverse % modulus == 1));
    units
        .map(|factor| {
            let factor = factor * inverse.unwrap_or(1) % modulus;
            if 2 * factor > modulus {
                factor - modulus
            } else {
                factor
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ steps · vectors, from a first point.
    fn points(first: [i128; 3], vectors: &[[i128; 3]]) -> Vec<Vec<i128>> {
        let mut found = vec![first.to_vec()];
        for steps in 0..64 {
            let times = [steps % 4, steps / 4 % 4, steps / 16];
            let at = |position: usize| {
                let moved = vectors
                    .iter()
                    .zip(times)
                    .map(|(vector, times)| vector[position] * times);
                first[position] + moved.sum::<i128>()
            };
            found.push((0..3).map(at).collect());
        }
        found
    }

    #[test]
    fn a_sum_of_three_leaves_one_rest() {
        let found = congruences(
            &points([1, 0, 0], &[[1, -1, 0], [0, 1, -1], [3, 0, 0]]),
            100,
        )
        .unwrap();
        let expected = Congruence {
            form: vec![1, 1, 1],
            modulus: 3,
            rest: 1,
        };
        assert_eq!(found, [expected]);
    }

    #[test]
    fn all_points_satisfy_what_is_found() {
        for vectors in [
            [[2, 1, 0], [1, 3, 0], [0, 0, 4]],
            [[6, 4, 10], [4, 6, 2], [0, 0, 0]],
            [[5, 0, 0], [0, 7, 0], [3, 3, 3]],
        ] {
            let points = points([3, -8, 11], &vectors);
            let found = congruences(&points, 1000).unwrap();
            let product: i128 = found.iter().map(|one| one.modulus).product();
            assert!(product > 1, "{vectors:?}");
            for point in points {
                for one in &found {
                    let value = one.form.iter().zip(&point).map(|(factor, x)| factor * x);
                    assert_eq!(value.sum::<i128>().rem_euclid(one.modulus), one.rest);
                }
            }
        }
    }

    #[test]
    fn points_in_general_position_have_none() {
        assert_eq!(
            congruences(&points([0, 0, 0], &[[1, 0, 0], [0, 1, 0], [5, 7, 1]]), 100),
            Some(vec![])
        );
        assert_eq!(congruences(&[vec![4, 5]], 100), Some(vec![]));
    }
}
