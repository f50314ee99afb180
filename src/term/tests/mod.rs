//! Tests of the whole room; [`oracle`] is the slow obvious version of terms.

mod arrays;
mod exhaustive;
mod oracle;
mod parse;
mod quantifiers;
mod random;
mod ranges;
mod rules;
mod runs;
mod substitution;
mod sums;
mod summation;
mod tables;
mod text;
mod texts;
