//! Random trees against the naive evaluator; the term's text parses back to the same term.

use super::oracle::{Environment, Generator, World, check};

fn run(seed: u64, widths: &[u32], iterations: usize, depth: u32, with: impl Fn(&mut Generator)) {
    let mut generator = Generator::new(seed, widths);
    generator.multiples = true;
    with(&mut generator);
    let mut world = World::default();
    for iteration in 0..iterations {
        if iteration % 500 == 0 {
            world = World::default();
        }
        let width = widths[generator.rng.usize(0..widths.len())];
        let tree = generator.tree(width, depth);
        let mut environments: Vec<Environment> = (0..8).map(|_| generator.environment()).collect();
        let term = check(&mut world, &tree, &mut environments);
        let text = world.pool.to_text(term);
        let again = world.pool.parse(&text);
        assert_eq!(
            again,
            Ok(term),
            "{text}\n{}",
            again
                .clone()
                .map_or(String::new(), |t| world.pool.to_text(t))
        );
    }
}

#[test]
fn narrow_trees() {
    run(1, &[1, 2, 3, 4, 5], 12_000, 4, |_| {});
}

#[test]
fn deep_narrow_trees() {
    run(2, &[1, 3, 4, 8], 4_000, 6, |_| {});
}

#[test]
fn trees_of_machine_widths() {
    run(3, &[1, 8, 16, 32, 64], 8_000, 4, |_| {});
}

#[test]
fn trees_beyond_machine_words() {
    run(4, &[1, 8, 63, 64, 65, 128], 6_000, 4, |_| {});
}

#[test]
fn trees_with_quantifiers() {
    run(5, &[1, 2, 3, 4], 5_000, 5, |generator| {
        generator.quantifiers = true
    });
}

#[test]
fn trees_with_arrays() {
    run(6, &[1, 3, 4, 8], 6_000, 5, |generator| {
        generator.arrays = true
    });
}

#[test]
fn trees_with_everything() {
    run(7, &[1, 2, 3, 4], 4_000, 6, |generator| {
        generator.arrays = true;
        generator.quantifiers = true;
    });
}

#[test]
fn trees_with_long_quantifiers() {
    run(8, &[1, 4, 6, 8], 3_000, 5, |generator| {
        generator.arrays = true;
        generator.quantifiers = true;
        generator.most_bound_bits = 6;
    });
}
