//! Speed of the solver chain on questions as an executor asks them, and its answers on a folder of
//! SMT-LIB files.
//!
//! ```text
//! cargo bench --bench solver                     # walks: questions a second, with links left out
//! cargo bench --bench solver -- FOLDER SECONDS   # files: each recipe on *.smt2, as a table
//! ```
//!
//! A folder that does not exist is skipped, and that is said.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark may end with a panic")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use compact_se::solver::quantifiers::{LazyPolicy, QuantifierPolicy};
use compact_se::solver::{
    ArrayTheory, Limits, Link, Query, Solver, SolverOptions, Statistics, Verdict, solve_file,
};
use compact_se::solver::{SolverPolicy, Z3Policy};
use compact_se::term::{CastOp, Sort, TermId, TermPool};

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    match arguments.as_slice() {
        [] => walks(),
        [folder] => files(Path::new(folder), Duration::from_secs(20)),
        [folder, seconds, ..] => {
            files(
                Path::new(folder),
                Duration::from_secs_f64(seconds.parse().unwrap()),
            );
        }
    }
}

/// Kinds of conditions along a path.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// x + c < y, x < c, x = c.
    Linear,
    /// s[x + c] = 'a', x < n.
    Text,
    /// s[c] = 'a': a parser on an input buffer.
    Buffer,
    /// Products, exclusive or.
    Mixed,
}

struct Walk {
    rng: fastrand::Rng,
    kind: Kind,
    symbols: Vec<TermId>,
    text: TermId,
}

impl Walk {
    fn condition(&mut self, pool: &mut TermPool) -> TermId {
        let x = self.symbols[self.rng.usize(0..self.symbols.len())];
        let y = self.symbols[self.rng.usize(0..self.symbols.len())];
        let c = pool.bv(32, self.rng.u64(0..40));
        let letter = pool.bv(8, 65 + self.rng.u64(0..5));
        let sum = pool.add(x, c);
        match (self.kind, self.rng.u32(0..6)) {
            (Kind::Linear, 0..=2) | (Kind::Mixed, 0..=1) => pool.slt(sum, y),
            (Kind::Linear, 3) | (Kind::Mixed, 2) => pool.ult(sum, c),
            (Kind::Linear, 4) => {
                let difference = pool.sub(x, y);
                pool.sle(difference, c)
            }
            (Kind::Linear, _) => pool.eq(x, c),
            (Kind::Text, 0) => pool.slt(sum, y),
            (Kind::Text, 1) => {
                let limit = pool.bv(32, 100);
                pool.slt(x, limit)
            }
            (Kind::Text, 2..=4) => {
                let read = pool.select(self.text, sum);
                pool.eq(read, letter)
            }
            (Kind::Text, _) => {
                let read = pool.select(self.text, sum);
                let wide = pool.cast(CastOp::ZExt, 32, read);
                pool.ult(wide, y)
            }
            (Kind::Buffer, 0..=3) => {
                let read = pool.select(self.text, c);
                pool.eq(read, letter)
            }
            (Kind::Buffer, _) => {
                let read = pool.select(self.text, c);
                pool.ult(read, letter)
            }
            (Kind::Mixed, 3) => {
                let three = pool.bv(32, 3);
                let product = pool.mul(three, x);
                let sum = pool.add(product, y);
                pool.slt(sum, x)
            }
            (Kind::Mixed, 4) => {
                let mixed = pool.xor(x, y);
                pool.ult(mixed, c)
            }
            (Kind::Mixed, _) => {
                let product = pool.mul(x, y);
                pool.eq(product, c)
            }
        }
    }
}

fn chains() -> Vec<(&'static str, SolverOptions)> {
    let all = SolverOptions::default;
    let bare = || SolverOptions {
        without: [Link::Cache, Link::Independent].into(),
        ..all()
    };
    let z3 = |z3: Z3Policy| SolverOptions {
        policy: SolverPolicy {
            z3,
            ..SolverPolicy::default()
        },
        ..bare()
    };
    vec![
        ("all links", all()),
        (
            "without cache",
            SolverOptions {
                without: [Link::Cache].into(),
                ..all()
            },
        ),
        (
            "without independent",
            SolverOptions {
                without: [Link::Independent].into(),
                ..all()
            },
        ),
        ("Z3 alone", bare()),
        (
            "Z3, one stack",
            z3(Z3Policy {
                n_stacks: 1,
                ..Z3Policy::default()
            }),
        ),
        (
            "Z3, fresh solvers",
            z3(Z3Policy {
                stacks: false,
                ..Z3Policy::default()
            }),
        ),
        (
            "Z3, functions",
            z3(Z3Policy {
                arrays: ArrayTheory::Functions,
                ..Z3Policy::default()
            }),
        ),
    ]
}

/// Random walks of 20 conditions; both branches are asked at each.
fn walks() {
    for kind in [Kind::Linear, Kind::Text, Kind::Buffer, Kind::Mixed] {
        for (name, config) in chains() {
            let mut pool = TermPool::new();
            let mut solver = config.build();
            let symbols = (0..8).map(|_| pool.fresh("x", Sort::Bv(32))).collect();
            let text = pool.fresh(
                "s",
                Sort::Array {
                    index: 32,
                    value: 8,
                },
            );
            let rng = fastrand::Rng::with_seed(7);
            let mut walk = Walk {
                rng,
                kind,
                symbols,
                text,
            };
            let limits = Limits::default();
            let (mut n, mut longest) = (0u32, Duration::ZERO);
            let start = Instant::now();
            while n < 4_000 && start.elapsed() < Duration::from_secs(10) {
                let mut path: Vec<TermId> = Vec::new();
                for _ in 0..20 {
                    let condition = walk.condition(&mut pool);
                    let negated = pool.not(condition);
                    let mut possible = Vec::new();
                    for branch in [condition, negated] {
                        path.push(branch);
                        let asked = Instant::now();
                        if solver
                            .check(&mut pool, &Query::branch(&path, &limits))
                            .is_sat()
                        {
                            possible.push(branch);
                        }
                        longest = longest.max(asked.elapsed());
                        n += 1;
                        path.pop();
                    }
                    if possible.is_empty() {
                        break;
                    }
                    path.push(possible[walk.rng.usize(0..possible.len())]);
                }
            }
            let time = start.elapsed();
            let mut statistics = Statistics::new();
            solver.statistics(&mut statistics);
            let solved = statistics
                .iter()
                .find(|s| s.link == "z3")
                .map_or(0, |s| s.queries);
            println!(
                "{:8} {name:20} {:7.0} questions/s, {n} asked, {solved} by Z3 ({:.0}/s), longest {:.1} ms",
                format!("{kind:?}"),
                f64::from(n) / time.as_secs_f64(),
                solved as f64 / time.as_secs_f64(),
                longest.as_secs_f64() * 1e3,
            );
        }
    }
}

fn recipes() -> Vec<(&'static str, SolverOptions)> {
    let whole = QuantifierPolicy::default;
    let with = |quantifiers: QuantifierPolicy| SolverOptions {
        policy: SolverPolicy {
            quantifiers,
            ..SolverPolicy::default()
        },
        ..SolverOptions::default()
    };
    let lazy = |lazy: LazyPolicy| with(QuantifierPolicy { lazy, ..whole() });
    vec![
        ("whole", SolverOptions::default()),
        (
            "native quantifiers",
            SolverOptions {
                without: [Link::Sums, Link::Quantifiers].into(),
                ..SolverOptions::default()
            },
        ),
        (
            "no integers",
            SolverOptions {
                without: [Link::Integers].into(),
                ..SolverOptions::default()
            },
        ),
        (
            "no independent parts",
            SolverOptions {
                without: [Link::Independent].into(),
                ..SolverOptions::default()
            },
        ),
        (
            "no closed form",
            with(QuantifierPolicy {
                closed_form: false,
                ..whole()
            }),
        ),
        (
            "no narrowing",
            with(QuantifierPolicy {
                narrow: false,
                ..whole()
            }),
        ),
        (
            "no elimination",
            with(QuantifierPolicy {
                eliminate: false,
                ..whole()
            }),
        ),
        (
            "no lazy instances",
            lazy(LazyPolicy {
                max_iterations: 0,
                ..LazyPolicy::default()
            }),
        ),
        (
            "no symbolic instances",
            lazy(LazyPolicy {
                symbolic: false,
                ..LazyPolicy::default()
            }),
        ),
        (
            "no completion",
            lazy(LazyPolicy {
                completion: false,
                ..LazyPolicy::default()
            }),
        ),
    ]
}

/// Every recipe on every file, two at a time; a table in Markdown.
fn files(folder: &Path, timeout: Duration) {
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
        return;
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        .collect();
    paths.sort();
    println!(
        "{} files of {}, {} s each\n\n\
         | approach | decided | wrong | median, s | total, s | open |\n|---|---|---|---|---|---|",
        paths.len(),
        folder.display(),
        timeout.as_secs_f64()
    );
    for (name, config) in recipes() {
        let config = SolverOptions {
            query_timeout: Some(timeout),
            ..config
        };
        let queue = Mutex::new(paths.iter());
        let rows = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let Some(path) = queue.lock().unwrap().next() else {
                            break;
                        };
                        let report = solve_file(path, &config, &Limits::default()).unwrap();
                        rows.lock().unwrap().push((path, report));
                    }
                });
            }
        });
        let rows = rows.into_inner().unwrap();
        let mut times: Vec<f64> = rows.iter().map(|(_, r)| r.time.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let open: Vec<_> = rows
            .iter()
            .filter(|(_, report)| matches!(report.verdict, Verdict::Unknown(_)))
            .map(|(path, _)| path.file_stem().unwrap().to_string_lossy())
            .collect();
        let wrong = rows.iter().filter(|(_, report)| !report.agrees()).count();
        println!(
            "| {name} | {} | {wrong} | {:.3} | {:.1} | {} |",
            rows.len() - open.len(),
            times.get(times.len() / 2).copied().unwrap_or_default(),
            times.iter().sum::<f64>(),
            open.join(" ")
        );
    }
}
