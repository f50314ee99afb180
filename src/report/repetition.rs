//! Folds repetitions in a sequence, so that the path through an unrolled loop is readable.

/// Items that follow each other `times` times as a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repeated<'a, T> {
    pub block: &'a [T],
    pub times: usize,
}

/// No longer block is searched for.
const LONGEST_BLOCK: usize = 16;

/// The sequence as blocks, from the left: where something repeats, the shortest block that covers
/// the most; elsewhere single items. The blocks, written out, are the sequence.
pub(super) fn fold<T: PartialEq>(items: &[T]) -> Vec<Repeated<'_, T>> {
    let mut folded = Vec::new();
    let mut rest = items;
    while !rest.is_empty() {
        let mut best = Repeated {
            block: &rest[..1],
            times: 1,
        };
        for length in 1..=LONGEST_BLOCK.min(rest.len() / 2) {
            let block = &rest[..length];
            let times = rest
                .chunks_exact(length)
                .take_while(|chunk| *chunk == block)
                .count();
            if times > 1 && times * length > best.block.len() * best.times {
                best = Repeated { block, times };
            }
        }
        rest = &rest[best.block.len() * best.times..];
        folded.push(best);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let items: Vec<char> = text.chars().collect();
        let blocks = fold(&items).into_iter().map(|repeated| {
            let block: String = repeated.block.iter().collect();
            if repeated.times == 1 {
                block
            } else {
                format!("({block}){}", repeated.times)
            }
        });
        blocks.collect()
    }

    #[test]
    fn repetitions_fold() {
        assert_eq!(shown("abc"), "abc");
        assert_eq!(shown("aaaa"), "(a)4");
        assert_eq!(shown("xabababy"), "x(ab)3y");
        assert_eq!(shown("aabaab"), "(aab)2");
        assert_eq!(shown(""), "");
    }

    #[test]
    fn long_sequences_written_out_are_the_same() {
        let items: Vec<u32> = (0..500u32).map(|n| n * n % 7).collect();
        let unfolded: Vec<u32> = fold(&items)
            .into_iter()
            .flat_map(|repeated| repeated.block.repeat(repeated.times))
            .collect();
        assert_eq!(unfolded, items);
    }
}
