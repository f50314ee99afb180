//! Inequalities between two numbers that all states satisfy: edges of convex hulls.
//!
//! States that executions come by are points of a plane for two of their numbers. Where three of them or more
//! lie on an edge of the convex hull of all, as for `y <= 100 * x`, that is hardly chance, and guessed to
//! hold always.
//!
//! # Source
//! Andrew, *Another Efficient Algorithm for Convex Hulls in Two Dimensions*, Information Processing Letters,
//! 1979.

use num_integer::gcd;

/// Larger coefficients are chance.
const LARGEST_FACTOR: i128 = 1 << 10;
/// So many points make an edge.
const FEWEST_ON_AN_EDGE: usize = 3;

type Point = (i128, i128);

/// a·x + b·y ≤ c.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub factors: [i128; 2],
    pub most: i128,
}

/// The edges of the convex hull on which several points lie, with small coefficients. Those of an octagon are
/// left out, and all where every point lies on one line.
pub(super) fn edges(mut points: Vec<Point>) -> Vec<Edge> {
    points.sort_unstable();
    points.dedup();
    let corners = hull(&points);
    if corners.len() < 3 {
        return Vec::new();
    }
    let ends = corners.iter().zip(corners.iter().cycle().skip(1));
    let edges = ends.filter_map(|(from, to)| Edge::through(*from, *to));
    let has_points = |edge: &Edge| {
        let on_it = points.iter().filter(|point| edge.at(**point) == edge.most);
        on_it.take(FEWEST_ON_AN_EDGE).count() == FEWEST_ON_AN_EDGE
    };
    edges.filter(has_points).collect()
}

impl Edge {
    /// With what lies to the left of the way between two points.
    fn through(from: Point, to: Point) -> Option<Edge> {
        let (a, b) = (to.1 - from.1, from.0 - to.0);
        let shared = gcd(a, b);
        let factors = [a / shared, b / shared];
        let is_small = factors.iter().all(|factor| factor.abs() <= LARGEST_FACTOR);
        let is_of_octagon = factors.iter().all(|factor| factor.abs() <= 1);
        let edge = Edge { factors, most: 0 };
        (is_small && !is_of_octagon).then(|| Edge {
            most: edge.at(from),
            ..edge
        })
    }

    fn at(&self, (x, y): Point) -> i128 {
        self.factors[0] * x + self.factors[1] * y
    }
}

/// The corners of the convex hull of sorted points, against the clock.
fn hull(points: &[Point]) -> Vec<Point> {
    let half = |points: &mut dyn Iterator<Item = &Point>| {
        let mut corners: Vec<Point> = Vec::new();
        for point in points {
            while let [.., before, last] = corners[..]
                && turn(before, last, *point) <= 0
            {
                corners.pop();
            }
            corners.push(*point);
        }
        corners.pop();
        corners
    };
    let mut corners = half(&mut points.iter());
    corners.extend(half(&mut points.iter().rev()));
    corners
}

/// Positive where the way turns left.
fn turn(from: Point, by: Point, to: Point) -> i128 {
    (by.0 - from.0) * (to.1 - from.1) - (by.1 - from.1) * (to.0 - from.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_found() {
        // 2x ≤ y ≤ 100x, of which both ends are reached.
        let points = (0..6).flat_map(|x| [2, 3, 50, 100].map(|slope| (x, slope * x)));
        let mut found = edges(points.collect());
        found.sort_by_key(|edge| edge.factors);
        assert_eq!(
            found,
            [
                Edge {
                    factors: [-100, 1],
                    most: 0
                },
                Edge {
                    factors: [2, -1],
                    most: 0
                },
            ]
        );
    }

    #[test]
    fn every_point_is_within() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let mut number = || i128::from(rng.i32(-6..6));
            let points: Vec<Point> = (0..40).map(|_| (number(), 3 * number())).collect();
            for edge in edges(points.clone()) {
                assert!(points.iter().all(|point| edge.at(*point) <= edge.most));
            }
        }
    }

    #[test]
    fn points_on_a_line_and_few_points_say_nothing() {
        assert!(edges((0..9).map(|x| (x, 7 * x)).collect()).is_empty());
        assert!(edges(vec![(0, 0), (5, 3), (9, 100)]).is_empty());
        assert!(edges(Vec::new()).is_empty());
    }
}
