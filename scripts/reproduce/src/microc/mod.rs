//! Programs in microc for the thesis' tables: a generator, and the thesis' estimation of queries.

pub mod costs;
pub mod estimation;
pub mod generate;
pub mod generator;

pub use generator::Generator;
