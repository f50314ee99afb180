//! Grouping: merges the states of a meeting into as few as possible.
//!
//! States that parted last are merged first: their path conditions have most in common, and the condition at
//! which they parted distinguishes them. A state that the strategy refuses to merge with its neighbour is
//! tried with the others.

use super::decide::Judge;
use crate::path::PathSoFar;
use crate::tree::TreeNodeId;
use semantics::{Machine, Parting, State};
use term::{TermId, TermPool, Work};

/// A state that has arrived, or what states that have became.
pub(crate) struct Member {
    pub state: State,
    pub path: PathSoFar,
    /// The nodes of the states that it is made of, where the tree has them.
    pub nodes: Vec<Option<TreeNodeId>>,
}

/// Where more are left than this only neighbours are merged.
const MOST_FOR_ALL_PAIRS: usize = 16;

/// Merges states that came from one fork, as far as the judge allows it.
pub(crate) fn merge_all(
    machine: &Machine,
    pool: &mut TermPool,
    judge: &mut Judge,
    parting: Parting,
    members: Vec<Member>,
) -> Vec<Member> {
    let mut merge = |pool: &mut TermPool, one: &Member, other: &Member| -> Option<Member> {
        pool.count_work(Work::STATE);
        let mut verdict = judge.look(machine.program, &one.state);
        let mut accepts = |pool: &mut TermPool, difference: &_| verdict.accepts(pool, difference);
        let both = (&one.state, &other.state);
        let state = machine.merge(pool, both, parting, &mut accepts)?;
        Some(Member {
            state,
            path: one.path.merged_with(&other.path),
            nodes: one.nodes.iter().chain(&other.nodes).copied().collect(),
        })
    };
    let assumed = |member: &Member| member.state.path_cond.since_parting(parting);
    let mut members: Vec<(Vec<TermId>, Member)> = (members.into_iter())
        .map(|member| (assumed(&member), member))
        .collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    // For each two neighbours how much they have in common; `None` where they are not merged.
    let in_common = |members: &[(Vec<TermId>, Member)], position: usize| {
        let (one, other) = (&members[position].0, &members[position + 1].0);
        Some(
            one.iter()
                .zip(other)
                .take_while(|(one, other)| one == other)
                .count(),
        )
    };
    let mut common: Vec<Option<usize>> = (1..members.len())
        .map(|position| in_common(&members, position - 1))
        .collect();
    while let Some((position, Some(_))) = (common.iter().copied().enumerate())
        .max_by_key(|(position, common)| (*common, std::cmp::Reverse(*position)))
    {
        match merge(pool, &members[position].1, &members[position + 1].1) {
            None => common[position] = None,
            Some(merged) => {
                members[position] = (assumed(&merged), merged);
                members.remove(position + 1);
                common.remove(position);
                for beside in [position.checked_sub(1), Some(position)]
                    .into_iter()
                    .flatten()
                {
                    if beside + 1 < members.len() {
                        common[beside] = in_common(&members, beside);
                    }
                }
            }
        }
    }
    let mut members: Vec<Member> = members.into_iter().map(|(_, member)| member).collect();
    if members.len() > MOST_FOR_ALL_PAIRS {
        return members;
    }
    let mut position = 0;
    while position < members.len() {
        // Neighbours were tried.
        let merged = (position + 2..members.len()).find_map(|other| {
            let merged = merge(pool, &members[position], &members[other])?;
            Some((other, merged))
        });
        match merged {
            Some((other, merged)) => {
                members[position] = merged;
                members.remove(other);
            }
            None => position += 1,
        }
    }
    members
}
