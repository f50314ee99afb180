//! What is said over the integers of products, quotients and remainders that are not linear.
//!
//! The results are arbitrary but for these facts, which hold of all integers. They are about signs and
//! sizes, as proofs by invariants mostly need.

/// Facts about `product`, which is `lhs` times `rhs`.
pub(super) fn product(product: &str, lhs: &str, rhs: &str) -> String {
    let one_side = |one: &str, other: &str| {
        format!(
            "(=> (= {one} 0) (= {product} 0)) (=> (= {one} 1) (= {product} {other})) \
             (=> (= {one} (- 1)) (= {product} (- {other})))"
        )
    };
    let sizes = |lhs: &str, rhs: &str, product: &str| {
        format!(
            "(=> (and (>= {lhs} 1) (>= {rhs} 1)) (and (>= {product} {lhs}) (>= {product} {rhs})))"
        )
    };
    let minus = |text: &str| format!("(- {text})");
    let (less_lhs, less_rhs, less) = (minus(lhs), minus(rhs), minus(product));
    format!(
        "(and {} {} {} {} {} {})",
        one_side(lhs, rhs),
        one_side(rhs, lhs),
        sizes(lhs, rhs, product),
        sizes(&less_lhs, &less_rhs, product),
        sizes(&less_lhs, rhs, &less),
        sizes(lhs, &less_rhs, &less)
    )
}

/// Facts about `quotient`, which is `of` divided by `by`, rounded towards zero.
pub(super) fn quotient(quotient: &str, of: &str, by: &str) -> String {
    format!(
        "(and (=> (and (>= {of} 0) (>= {by} 1)) (and (>= {quotient} 0) (<= {quotient} {of}))) \
         (=> (and (>= {of} 1) (>= {by} 2)) (< {quotient} {of})) \
         (=> (and (>= {by} 1) (< {of} {by}) (>= {of} 0)) (= {quotient} 0)) \
         (=> (= {by} 1) (= {quotient} {of})))"
    )
}

/// Facts about `remainder`, which is left of `of` where it is divided by `by`.
pub(super) fn remainder(remainder: &str, of: &str, by: &str) -> String {
    format!(
        "(and (=> (and (>= {of} 0) (>= {by} 1)) \
         (and (>= {remainder} 0) (< {remainder} {by}) (<= {remainder} {of}))) \
         (=> (and (>= {of} 0) (< {of} {by})) (= {remainder} {of})))"
    )
}
