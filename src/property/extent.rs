//! Parts of a source file.

use flowgraph::Span;

/// From one place of a file to another of the same file, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub first: Span,
    pub last: Span,
}

impl Extent {
    /// Whether a place is in it; an unknown one is not.
    #[must_use]
    pub fn contains(self, place: Span) -> bool {
        // Of one file, places are in the order of lines and columns.
        place.line != 0 && self.first <= place && place <= self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_before_columns() {
        let place = |file, line, column| Span { file, line, column };
        let extent = Extent {
            first: place(1, 7, 20),
            last: place(1, 9, 4),
        };
        for inside in [place(1, 7, 20), place(1, 8, 1), place(1, 9, 4)] {
            assert!(extent.contains(inside), "{inside:?}");
        }
        for outside in [
            place(1, 7, 19),
            place(1, 9, 5),
            place(2, 8, 1),
            Span::UNKNOWN,
        ] {
            assert!(!extent.contains(outside), "{outside:?}");
        }
    }
}
