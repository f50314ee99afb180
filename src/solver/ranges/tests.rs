use super::*;
use term::Bv;

const WIDTH: u32 = 2;

/// Every x and y of two bits that satisfy x ∘ c, x ∘ y and y ∘ d, for all comparisons and constants, are in the ranges.
#[test]
fn what_a_conjunction_admits_is_in_the_ranges() {
    let (mut n_admitted, mut n_known) = (0, 0);
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.fresh(name, Sort::Bv(WIDTH)));
    let values: Vec<u64> = (0..1 << WIDTH).collect();
    let holds = |op, a: u64, b: u64| Bv::compare(op, &Bv::new(WIDTH, a), &Bv::new(WIDTH, b));
    for first in CmpOp::ALL {
        for between in CmpOp::ALL {
            for last in CmpOp::ALL {
                for (c, d) in values
                    .iter()
                    .flat_map(|c| values.iter().map(move |d| (*c, *d)))
                {
                    let (below, above) = (pool.bv(WIDTH, c), pool.bv(WIDTH, d));
                    let conjuncts = [
                        pool.compare(first, x, below),
                        pool.compare(between, x, y),
                        pool.compare(last, y, above),
                    ];
                    let ranges = Ranges::of(&pool, &conjuncts);
                    let pairs = values
                        .iter()
                        .flat_map(|a| values.iter().map(move |b| (*a, *b)));
                    for (a, b) in pairs {
                        if !(holds(first, a, c) && holds(between, a, b) && holds(last, b, d)) {
                            continue;
                        }
                        n_admitted += 1;
                        for (term, value) in [(x, a), (y, b)] {
                            let Some(range) = ranges.known(term) else {
                                continue;
                            };
                            n_known += 1;
                            assert!(
                                range.contains(&BigInt::from(value)),
                                "{conjuncts:?}: {value} is not in {range:?}"
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(n_known > n_admitted, "{n_known} of {n_admitted}");
}
