//! Intervals of terms contain all values, compared with enumeration.

use crate::{Assignment, BinOp, Bv, CastOp, Sort, TermId, TermPool};

/// Signed quotients, remainders and shifts of narrow numbers by any constant, and by any number.
#[test]
fn signed_divisions_lie_in_their_intervals() {
    const NARROW: u32 = 3;
    const WIDE: u32 = 5;
    let mut n_useful = 0;
    for op in [BinOp::SDiv, BinOp::SRem, BinOp::AShr] {
        for (extension, by) in [CastOp::SExt, CastOp::ZExt]
            .into_iter()
            .flat_map(|extension| (0..1 << WIDE).map(move |by| (extension, Some(by))))
            .chain([(CastOp::SExt, None), (CastOp::ZExt, None)])
        {
            let mut pool = TermPool::new();
            let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Bv(NARROW)));
            let [of, other] = [x, y].map(|symbol| {
                let narrow = pool.symbol_term(symbol);
                pool.cast(extension, WIDE, narrow)
            });
            let by = by.map_or(other, |by| pool.bv(WIDE, by));
            let term = pool.binary(op, of, by);
            let (low, high) = pool.signed_bounds(term);
            let (least, most) = (pool.umin(term), pool.umax(term));
            for code in 0..1 << (2 * NARROW) {
                let mut assignment = Assignment::new();
                assignment.set(x, Bv::new(NARROW, code));
                assignment.set(y, Bv::new(NARROW, code >> NARROW));
                let value = pool.evaluate(term, &assignment).unwrap();
                let (unsigned, signed) = (value.to_u64().unwrap(), value.to_i64().unwrap());
                assert!((low..=high).contains(&signed), "{op:?} {signed}");
                assert!((least..=most).contains(&unsigned), "{op:?} {unsigned}");
            }
            n_useful += u32::from(high - low < (1 << WIDE) - 1);
        }
    }
    assert!(n_useful > 120, "{n_useful}");
}

#[test]
fn products_of_signed_values_have_ranges() {
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Sort::Bv(32));
    let y = pool.fresh("y", Sort::Bv(32));
    let (a, b) = (
        pool.cast(CastOp::SExt, 64, x),
        pool.cast(CastOp::SExt, 64, y),
    );
    let zero = pool.bv(64, 0);
    let square = pool.mul(a, a);
    assert_eq!(pool.slt(square, zero), TermId::FALSE);
    let product = pool.mul(a, b);
    assert_ne!(pool.slt(product, zero), TermId::FALSE);
    let (least, most) = (pool.bv(64, 1 << 62), pool.bv_signed(64, -(1 << 62)));
    assert_eq!(pool.slt(least, product), TermId::FALSE);
    assert_eq!(pool.slt(product, most), TermId::FALSE);
    assert_ne!(pool.eq(product, least), TermId::FALSE);
    // 2^63 − 1 bits are too few for a square of a 33-bit number to keep its sign.
    let wide = pool.fresh("wide", Sort::Bv(33));
    let wide = pool.cast(CastOp::SExt, 64, wide);
    let square = pool.mul(wide, wide);
    assert_ne!(pool.slt(square, zero), TermId::FALSE);
}
