//! Regions: clang's branchings in the source, from its coverage mapping.
//!
//! Clang's mapping from counters to the source lists each condition with its extent, including conditions
//! without code. It is read from clang's own listing (`-dump-coverage-mapping`):
//!
//! ```text
//! main:
//!   File 0, 6:16 -> 20:2 = #0
//!   Branch,File 0, 8:7 -> 8:8 = 0, 0
//! ```
//!
//! `#n` are counters; a branching without counters has a constant condition.
//!
//! # Deliberately absent
//! Regions within macros: their locations are in the macro's text.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// Line and column, both from 1.
pub(super) type Position = (u32, u32);

/// The regions of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Regions {
    /// As clang was given it.
    pub file: PathBuf,
    pub function: String,
    pub all: Vec<Region>,
}

/// A part of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Region {
    pub is_branching: bool,
    pub from: Position,
    /// Behind the last character.
    pub to: Position,
    /// The counters of which its counts are made; none where the count is always 0.
    pub counters: BTreeSet<u32>,
}

impl Region {
    pub fn contains(&self, position: Position) -> bool {
        self.from <= position && position < self.to
    }
}

/// Reads clang's listing for a file.
pub(super) fn read(file: &std::path::Path, listing: &str) -> Vec<Regions> {
    let mut functions: Vec<Regions> = Vec::new();
    for line in listing.lines() {
        if let Some(text) = line.strip_prefix("  ") {
            if let (Some(function), Some(region)) = (functions.last_mut(), region(text)) {
                function.all.push(region);
            }
        } else if let Some(name) = line.strip_suffix(':') {
            // Of a static function the file's name stands before it.
            let function = name.rsplit([':', ';']).next().unwrap_or(name).to_owned();
            functions.push(Regions {
                file: file.to_owned(),
                function,
                all: Vec::new(),
            });
        }
    }
    functions
}

fn region(text: &str) -> Option<Region> {
    let (is_branching, rest) = match text.strip_prefix("Branch,") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (places, counts) = rest.strip_prefix("File 0, ")?.split_once(" = ")?;
    let (from, to) = places.split_once(" -> ")?;
    let position = |text: &str| -> Option<Position> {
        let (line, column) = text.split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?))
    };
    let counters = counts.split('#').skip(1).filter_map(|rest| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    Some(Region {
        is_branching,
        from: position(from)?,
        to: position(to)?,
        counters: counters.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn listings_are_read() {
        let listing = "main:\n  File 0, 6:16 -> 20:2 = #0\n  Branch,File 0, 8:7 -> 8:8 = 0, 0\n  \
                       Branch,File 0, 9:19 -> 9:24 = #4, (#3 - #4)\n  Gap,File 0, 9:25 -> 9:26 = #4\n  \
                       Branch,File 1, 4:19 -> 4:26 = #6, (#0 - #6)\na.c:unused:\n  File 0, 3:26 -> 3:56 = 0\n";
        let functions = read(Path::new("a.c"), listing);
        let [main, unused] = functions.as_slice() else {
            panic!("{functions:?}");
        };
        assert_eq!((main.function.as_str(), main.all.len()), ("main", 3));
        assert!(main.all[1].counters.is_empty() && main.all[1].is_branching);
        assert_eq!(main.all[2].counters, BTreeSet::from([3, 4]));
        assert!(main.all[2].contains((9, 23)) && !main.all[2].contains((9, 24)));
        assert_eq!(unused.function, "unused");
        assert!(unused.all[0].counters.is_empty());
    }
}
