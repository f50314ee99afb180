//! Intervals and linear sums of integers, against enumeration.

use crate::{Interval, LinearSum, Readings, word};
use fastrand::Rng;

/// Most ends that members of an interval have in tests.
const LIMIT: i128 = 9;

fn interval(rng: &mut Rng) -> Interval {
    let (one, other) = (rng.i128(-LIMIT..=LIMIT), rng.i128(-LIMIT..=LIMIT));
    Interval::new(one.min(other), one.max(other))
}

fn members(interval: Interval) -> impl Iterator<Item = i128> + Clone {
    interval.low..=interval.high
}

#[test]
fn operations_contain_the_results_for_all_members() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..400 {
        let (x, y) = (interval(&mut rng), interval(&mut rng));
        let [sum, difference, product] = [x.plus(&y), x.minus(&y), x.product(&y, false)];
        let square = x.product(&x, true).unwrap();
        for a in members(x) {
            for b in members(y) {
                assert!(sum.unwrap().contains(&(a + b)));
                assert!(difference.unwrap().contains(&(a - b)));
                assert!(product.unwrap().contains(&(a * b)));
                assert!(x.hull(&y).contains(&a) && x.hull(&y).contains(&b));
            }
            assert!(square.contains(&(a * a)) && square.low >= 0);
            assert_eq!(x.meet(&y).contains(&a), y.contains(&a));
        }
        for divisor in (-4..=4).filter(|divisor| *divisor != 0) {
            for (ends, quotients) in [
                (x, x.over(divisor)),
                (
                    Interval::at_least(x.low),
                    Interval::at_least(x.low).over(divisor),
                ),
                (
                    Interval::at_most(x.high),
                    Interval::at_most(x.high).over(divisor),
                ),
            ] {
                for a in -2 * LIMIT..=2 * LIMIT {
                    assert_eq!(quotients.contains(&a), ends.contains(&(divisor * a)));
                }
            }
        }
    }
}

#[test]
fn readings_of_words_are_of_the_same_words() {
    const WIDTH: u32 = 4;
    let mut rng = Rng::with_seed(2);
    let mut n_known = 0;
    for _ in 0..2000 {
        let mut readings = Readings::all(WIDTH);
        for signed in [false, true] {
            *readings.read_mut(signed) = readings.read(signed).meet(&interval(&mut rng));
        }
        let mut reconciled = readings;
        reconciled.reconcile();
        n_known += u32::from(reconciled != readings);
        let by = rng.i128(-LIMIT..=LIMIT);
        let moved = readings.moved(by);
        for value in 0..1 << WIDTH {
            let is_in = |readings: &Readings, value: u64| {
                [false, true].iter().all(|signed| {
                    let range = readings.read(*signed);
                    range.contains(&word::number(WIDTH, value, *signed))
                })
            };
            assert_eq!(is_in(&readings, value), is_in(&reconciled, value));
            let by = word::unsigned(WIDTH, i64::try_from(by).unwrap());
            let sum = value.wrapping_add(by) & word::mask(WIDTH);
            assert!(!is_in(&readings, value) || is_in(&moved, sum));
        }
        for signed in [false, true] {
            let range = readings.read(signed);
            let other = range.reread(WIDTH, !signed);
            for value in 0..1 << WIDTH {
                let number = word::number(WIDTH, value, signed);
                let reread = word::number(WIDTH, value, !signed);
                assert!(
                    !range.contains(&number) || other.is_none_or(|other| other.contains(&reread))
                );
            }
        }
    }
    assert!(n_known > 200, "{n_known}");
}

#[test]
fn ends_of_linear_sums_are_those_of_their_values() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..400 {
        let ranges = [(); 3].map(|()| interval(&mut rng));
        let factors = [(); 3].map(|()| rng.i128(-3..=3));
        let number = rng.i128(-LIMIT..=LIMIT);
        let mut sum = LinearSum::constant(number);
        for (variable, factor) in factors.iter().enumerate() {
            // In two parts, which may cancel each other.
            let part = rng.i128(-3..=3);
            sum.add(part, variable).unwrap();
            sum.add(factor - part, variable).unwrap();
        }
        assert!(sum.terms().values().all(|factor| *factor != 0));
        let value = |values: [i128; 3]| {
            let products = values
                .iter()
                .zip(factors)
                .map(|(value, factor)| value * factor);
            number + products.sum::<i128>()
        };
        let values = members(ranges[0]).flat_map(|x| {
            members(ranges[1]).flat_map(move |y| members(ranges[2]).map(move |z| [x, y, z]))
        });
        let values: Vec<i128> = values.map(value).collect();
        let of = |variable: &usize| Some(ranges[*variable]);
        assert_eq!(sum.least(&of).as_ref(), values.iter().min());
        assert_eq!(sum.greatest(&of).as_ref(), values.iter().max());
        if let Some((variable, root)) = sum.root() {
            let mut at_root = [0; 3];
            at_root[*variable] = root;
            assert_eq!(value(at_root), 0);
        }
        match sum.primitive() {
            Some((divisor, primitive)) => {
                let mut again = primitive.scaled(divisor).unwrap();
                again.add_number(number).unwrap();
                assert_eq!(again, sum);
                assert!(primitive.terms().values().next().unwrap().is_positive());
            }
            None => assert_eq!(sum.as_number(), Some(number)),
        }
        let half_bounded = |variable: &usize| Some(Interval::at_least(ranges[*variable].low));
        let has_least = factors.iter().all(|factor| *factor >= 0);
        assert_eq!(sum.least(&half_bounded).is_some(), has_least);
    }
}
