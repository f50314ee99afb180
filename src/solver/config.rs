//! The configuration of the solver, and construction of the chain from it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Solver;
use super::cache::{Cache, CachePolicy};
use super::enumeration::{Enumeration, EnumerationPolicy};
use super::independent::Independent;
use super::integers::{IntegerPolicy, Integers};
use super::log::Log;
use super::numerals::Numerals;
use super::polynomials::{PolynomialPolicy, Polynomials};
use super::products::{ProductPolicy, Products};
use super::quantifiers::{QuantifierPolicy, Quantifiers};
use super::relevant::Relevant;
use super::simplify::Simplify;
use super::sums::{SumPolicy, Sums};
use super::transcript::{Transcribed, Transcripts};
use super::z3::{self, Z3Policy};
use term::Work;

/// How array symbols are handed to Z3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ArrayTheory {
    /// As arrays, with select and store.
    Arrays,
    /// As uninterpreted functions; a read over stores becomes a chain of choices.
    Functions,
}

/// Links that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Link {
    /// [`super::independent`] and [`super::relevant`].
    Independent,
    /// [`super::cache`].
    Cache,
    /// [`super::quantifiers`]; without it quantifiers go to Z3 as they are.
    Quantifiers,
    /// [`super::sums`]; without it bounded sums go to Z3 as functions that quantifiers define.
    Sums,
    /// [`super::integers`]; without it there are only bit-vectors.
    Integers,
    /// [`super::enumeration`]; without it no values are tried.
    Enumeration,
    /// [`super::polynomials`]; without it equations between products are decided by bits.
    Polynomials,
    /// [`super::products`]; without it products are never separate numbers.
    Products,
    /// [`super::numerals`]; without it numbers that are written in digits are decided by bits.
    Numerals,
}

impl Link {
    pub const ALL: [Link; 9] = [
        Link::Independent,
        Link::Cache,
        Link::Sums,
        Link::Quantifiers,
        Link::Enumeration,
        Link::Integers,
        Link::Polynomials,
        Link::Products,
        Link::Numerals,
    ];

    /// By option and in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Link::Independent => "independent",
            Link::Cache => "cache",
            Link::Quantifiers => "quantifiers",
            Link::Sums => "sums",
            Link::Integers => "integers",
            Link::Enumeration => "enumeration",
            Link::Polynomials => "polynomials",
            Link::Products => "products",
            Link::Numerals => "numerals",
        }
    }

    /// What it does, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Link::Independent => "Solver: separate queries for parts that share no symbol",
            Link::Cache => "Solver: cache of earlier answers",
            Link::Quantifiers => "Solver: elimination of bounded quantifiers",
            Link::Sums => "Solver: elimination of bounded sums",
            Link::Integers => "Solver: integer arithmetic in addition to bit-vectors",
            Link::Enumeration => "Solver: enumeration of all values where few bits are unknown",
            Link::Polynomials => "Solver: ring arithmetic for equations between products",
            Link::Products => "Solver: abstraction of products of unknown numbers",
            Link::Numerals => "Solver: abstraction of numbers that are read digit by digit",
        }
    }
}

/// The numbers that steer the chain.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolverPolicy {
    /// Earlier answers.
    pub cache: CachePolicy,
    /// Elimination of bounded quantifiers.
    pub quantifiers: QuantifierPolicy,
    /// Elimination of bounded sums.
    pub sums: SumPolicy,
    /// Integers in addition to bit-vectors.
    pub integers: IntegerPolicy,
    /// Enumeration of all values where few bits are unknown.
    pub enumeration: EnumerationPolicy,
    /// Products of unknown numbers as numbers of their own.
    pub products: ProductPolicy,
    /// Z3.
    pub z3: Z3Policy,
}

/// A solver chain. `SolverOptions::default().build()` is the recommended one.
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    /// Links to leave out, for measurements: `[Link::Cache].into()`. Default: none.
    pub without: BTreeSet<Link>,
    /// Work for a query that does not bring its own. Default: no limit.
    pub query_work: Option<Work>,
    /// Time for a query that does not bring its own: an outer limit. Default: none.
    pub query_timeout: Option<Duration>,
    /// Folder for the queries that are really solved, as `000042-unsat.smt2`; made if missing.
    /// Default: none.
    pub log: Option<PathBuf>,
    /// Where answers are written down, and given again from. Default: nowhere.
    pub transcripts: Option<Transcripts>,
    /// The numbers that steer.
    pub policy: SolverPolicy,
    /// Settings of ring arithmetic.
    pub polynomials: PolynomialPolicy,
}

impl SolverOptions {
    /// The chain: Relevant, Simplify, Independent, Cache, Log, Sums, Quantifiers,
    /// Transcript, Numerals, Polynomials, Products, Enumeration, Integers, Turns.
    ///
    /// # Panics
    /// When the libz3 that is loaded is not the expected version.
    #[must_use]
    pub fn build(&self) -> Box<dyn Solver> {
        let with = |link: Link| !self.without.contains(&link);
        let mut chain: Box<dyn Solver> = Box::new(z3::link(self.policy.z3.clone()));
        if with(Link::Integers) {
            let percent = self.policy.z3.products_percent;
            chain = Box::new(Integers::new(self.policy.integers.clone(), percent, chain));
        }
        if with(Link::Enumeration) {
            chain = Box::new(Enumeration::new(self.policy.enumeration.clone(), chain));
        }
        if with(Link::Products) {
            chain = Box::new(Products::new(self.policy.products.clone(), chain));
        }
        if with(Link::Polynomials) {
            chain = Box::new(Polynomials::new(self.polynomials.clone(), chain));
        }
        if with(Link::Numerals) {
            chain = Box::new(Numerals::new(chain));
        }
        if let Some(transcripts) = &self.transcripts {
            chain = Box::new(Transcribed::new(transcripts, chain));
        }
        if with(Link::Quantifiers) {
            chain = Box::new(Quantifiers::new(self.policy.quantifiers.clone(), chain));
        }
        if with(Link::Sums) {
            chain = Box::new(Sums::new(self.policy.sums.clone(), chain));
        }
        if let Some(folder) = &self.log {
            chain = Box::new(Log::new(folder.clone(), chain));
        }
        if with(Link::Cache) {
            chain = Box::new(Cache::new(self.policy.cache.clone(), chain));
        }
        if with(Link::Independent) {
            chain = Box::new(Independent::new(chain));
        }
        chain = Box::new(Simplify::new(self.query_work, self.query_timeout, chain));
        if with(Link::Independent) {
            chain = Box::new(Relevant::new(chain));
        }
        chain
    }
}
