//! Distances to uncovered locations, updated incrementally.
//!
//! Each location has the number of edges to the nearest one that is not covered. When a location becomes
//! covered, only those whose shortest paths all led there get a new distance. They are found level by level:
//! a location keeps its distance if a shortest path continues at a location that keeps its own. New distances
//! are computed from the nearest locations that kept theirs.
//!
//! # Invariants
//! - The distances equal those of a search from scratch.
//! - Covered locations stay covered.
//!
//! # Source
//! Ramalingam, Reps, *An incremental algorithm for a generalization of the shortest-path problem*, J. Algorithms
//! 21 (1996): for edges of length one, and targets that only go.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Distances in a graph whose locations are numbered through.
pub(super) struct Distances {
    /// For each location those from which an edge leads to it.
    sources: Vec<Vec<usize>>,
    /// For each location those to which an edge leads from it.
    targets: Vec<Vec<usize>>,
    covered: Vec<bool>,
    /// None where nothing that is not covered is ahead.
    distances: Vec<Option<u32>>,
    /// Locations whose distance is being computed again; all false in between.
    is_changing: Vec<bool>,
}

impl Distances {
    /// Nothing is covered.
    pub fn new(n_locations: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Distances {
        let mut sources = vec![Vec::new(); n_locations];
        let mut targets = vec![Vec::new(); n_locations];
        for (from, to) in edges {
            sources[to].push(from);
            targets[from].push(to);
        }
        Distances {
            sources,
            targets,
            covered: vec![false; n_locations],
            distances: vec![Some(0); n_locations],
            is_changing: vec![false; n_locations],
        }
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Edges to the nearest location that is not covered; `None` where there is none.
    pub fn of(&self, location: usize) -> Option<u32> {
        self.distances[location]
    }

    /// Covers a location; gives how many distances were computed again.
    pub fn cover(&mut self, location: usize) -> usize {
        if std::mem::replace(&mut self.covered[location], true) {
            return 0;
        }
        let changing = self.unsupported(location);
        // The nearest of those first: what it has is final.
        let mut pending: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
        for place in &changing {
            self.distances[*place] = None;
        }
        for place in &changing {
            let kept = self.targets[*place].iter();
            let kept = kept.filter_map(|next| self.distances[*next]).min();
            pending.extend(kept.map(|kept| Reverse((kept + 1, *place))));
        }
        while let Some(Reverse((distance, place))) = pending.pop() {
            if self.distances[place].is_some() {
                continue;
            }
            self.distances[place] = Some(distance);
            let behind = self.sources[place].iter();
            let behind = behind.filter(|source| self.distances[**source].is_none());
            // What leads here and has no distance had one before, and is one of those that change.
            pending.extend(behind.map(|source| Reverse((distance + 1, *source))));
        }
        for place in &changing {
            self.is_changing[*place] = false;
        }
        changing.len()
    }

    /// The locations of which each shortest way led to this one, and itself; they are marked as changing.
    fn unsupported(&mut self, location: usize) -> Vec<usize> {
        self.is_changing[location] = true;
        let mut changing = vec![location];
        let mut pending = VecDeque::from([(location, 0)]);
        // By distance: all of one distance are known before the next ones are examined.
        while let Some((place, distance)) = pending.pop_front() {
            for source in &self.sources[place] {
                let is_behind = self.distances[*source] == Some(distance + 1);
                if !is_behind || self.is_changing[*source] {
                    continue;
                }
                let supports = |next: &usize| {
                    self.distances[*next] == Some(distance) && !self.is_changing[*next]
                };
                if !self.targets[*source].iter().any(supports) {
                    self.is_changing[*source] = true;
                    changing.push(*source);
                    pending.push_back((*source, distance + 1));
                }
            }
        }
        changing
    }
}

#[cfg(test)]
mod tests {
    use super::Distances;
    use std::collections::VecDeque;

    /// Breadth first, backwards from all that is not covered.
    fn from_scratch(n: usize, edges: &[(usize, usize)], covered: &[bool]) -> Vec<Option<u32>> {
        let mut distances: Vec<Option<u32>> = covered
            .iter()
            .map(|covered| (!covered).then_some(0))
            .collect();
        let mut pending: VecDeque<usize> = (0..n).filter(|place| !covered[*place]).collect();
        while let Some(place) = pending.pop_front() {
            for (from, to) in edges {
                if *to == place && distances[*from].is_none() {
                    distances[*from] = distances[place].map(|distance| distance + 1);
                    pending.push_back(*from);
                }
            }
        }
        distances
    }

    #[test]
    fn distances_are_those_of_a_search_from_scratch() {
        let mut rng = fastrand::Rng::with_seed(14);
        let mut n_anew = 0;
        let mut n_all = 0;
        for _ in 0..400 {
            let n = rng.usize(1..24);
            // From trees to dense graphs, with loops, parallel edges, and parts apart.
            let n_edges = rng.usize(0..3 * n);
            let edges: Vec<(usize, usize)> = (0..n_edges)
                .map(|_| (rng.usize(..n), rng.usize(..n)))
                .collect();
            let mut distances = Distances::new(n, edges.iter().copied());
            let mut covered = vec![false; n];
            let mut order: Vec<usize> = (0..n).collect();
            rng.shuffle(&mut order);
            for place in order {
                covered[place] = true;
                n_anew += distances.cover(place);
                n_all += n;
                let found: Vec<Option<u32>> = (0..n).map(|place| distances.of(place)).collect();
                assert_eq!(
                    found,
                    from_scratch(n, &edges, &covered),
                    "{edges:?}, covered: {covered:?}"
                );
                assert_eq!(distances.cover(place), 0, "it is covered already");
            }
        }
        assert!(
            3 * n_anew < 2 * n_all,
            "{n_anew} of {n_all}: not all each time"
        );
    }

    #[test]
    fn only_what_led_there_is_computed_anew() {
        // 0 → 1 → 2 → 3, 1 → 4, and 5 → 6 apart.
        let mut distances = Distances::new(7, [(0, 1), (1, 2), (2, 3), (1, 4), (5, 6)]);
        assert_eq!(distances.cover(5), 1);
        assert_eq!(distances.cover(0), 1);
        assert_eq!(distances.cover(1), 2, "itself, and 0");
        assert_eq!(distances.cover(2), 1, "1 has 4 beside");
        assert_eq!(distances.cover(4), 3, "4, 1 and 0");
        let found: Vec<Option<u32>> = (0..7).map(|place| distances.of(place)).collect();
        let expected = [Some(3), Some(2), Some(1), Some(0), None, Some(1), Some(0)];
        assert_eq!(found, expected);
    }
}
