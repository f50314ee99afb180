//! Symbols of C++ and their names in the source (demangling).
//!
//! # Source
//! *Itanium C++ ABI*, Chapter 5.1, External Names (a.k.a. Mangling).

use cpp_demangle::{DemangleOptions, Symbol};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The prefix of C++ symbols.
const MANGLED: &str = "_Z";

fn demangled(symbol: &str, options: DemangleOptions) -> Option<String> {
    if !symbol.starts_with(MANGLED) {
        return None;
    }
    let parsed = Symbol::new(symbol).ok()?;
    parsed.demangle_with_options(&options).ok()
}

/// The name of a function or variable with its namespaces and classes, without parameters, as
/// `std::vector<int>::at`; the symbol itself where it is none of C++.
pub(super) fn in_source(symbol: &str) -> Cow<'_, str> {
    if symbol == "__cxa_pure_virtual" {
        return Cow::Borrowed("a pure virtual function");
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    demangled(symbol, options).map_or(Cow::Borrowed(symbol), Cow::Owned)
}

/// The same with the types of the parameters, as `area(Shape const&)`.
pub(super) fn with_parameters(symbol: &str) -> Cow<'_, str> {
    let options = DemangleOptions::new().no_return_type();
    demangled(symbol, options).map_or(Cow::Borrowed(symbol), Cow::Owned)
}

/// The name among these that is most like one that is missing; `None` where none is like it.
pub(super) fn nearest<'n>(missing: &str, names: &'n [String]) -> Option<&'n str> {
    let near = names.iter().map(|name| (distance(missing, name), name));
    let (distance, name) = near.min_by_key(|(distance, _)| *distance)?;
    (distance > 0 && distance * 4 <= missing.len()).then_some(name)
}

/// How many characters are to be inserted, deleted or changed.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, char) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, other) in to.iter().enumerate() {
            let changed = diagonal + usize::from(char != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

/// Template arguments with more bytes are left out where names are shown.
const LONGEST_ARGUMENTS: usize = 32;

/// A name with long template arguments left out, as `std::map<…>::at`, for people to read.
fn abbreviated(name: &str) -> Cow<'_, str> {
    const OPERATOR: &str = "operator";
    let mut short = String::new();
    // How many brackets are open, and where the text begins that is not in `short` yet.
    let (mut depth, mut start, mut at) = (0_u32, 0, 0);
    while let Some(next) = name[at..].chars().next() {
        if name[at..].starts_with(OPERATOR) {
            at += OPERATOR.len();
            at += name[at..].len() - name[at..].trim_start_matches(['<', '>', '-', '=']).len();
            continue;
        }
        match next {
            '<' => {
                if depth == 0 {
                    short.push_str(&name[start..at]);
                    start = at;
                }
                depth += 1;
            }
            '>' if depth > 0 => {
                depth -= 1;
                if depth == 0 && at - start > LONGEST_ARGUMENTS {
                    short.push_str("<…>");
                    start = at + 1;
                }
            }
            _ => {}
        }
        at += next.len_utf8();
    }
    if start == 0 {
        return Cow::Borrowed(name);
    }
    short.push_str(&name[start..]);
    Cow::Owned(short)
}

/// The name in the source for people to read, without long template arguments.
pub(super) fn briefly(symbol: &str) -> String {
    abbreviated(&in_source(symbol)).into_owned()
}

/// Whether a user may call this symbol so: by its symbol, or by its name with or without parameters.
pub(super) fn is_called(symbol: &str, name: &str) -> bool {
    let is_so = |known: Cow<'_, str>| {
        let without_spaces = |text: &str| text.replace(' ', "");
        without_spaces(&known) == without_spaces(name)
    };
    symbol == name
        || (symbol.starts_with(MANGLED)
            && (is_so(in_source(symbol)) || is_so(with_parameters(symbol))))
}

/// Names to show, each another one, in the order of the symbols: without parameters where that tells
/// them apart, else with, else with the symbol behind them, as the two forms of a constructor. Without
/// long template arguments where that tells them apart too.
pub(super) fn shown<'s>(symbols: impl Iterator<Item = &'s str> + Clone) -> Vec<String> {
    let mut short: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    let mut long: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    let mut brief: BTreeMap<String, usize> = BTreeMap::new();
    for symbol in symbols.clone() {
        let name = in_source(symbol);
        *brief.entry(abbreviated(&name).into_owned()).or_default() += 1;
        *short.entry(name).or_default() += 1;
        *long.entry(with_parameters(symbol)).or_default() += 1;
    }
    let name = |symbol: &str| {
        let (without, with) = (in_source(symbol), with_parameters(symbol));
        let briefly = abbreviated(&without);
        if brief[briefly.as_ref()] == 1 {
            briefly.into_owned()
        } else if short[&without] == 1 {
            without.into_owned()
        } else if long[&with] == 1 && !short.contains_key(&with) {
            with.into_owned()
        } else if symbol.starts_with(MANGLED) {
            format!("{with} [{symbol}]")
        } else {
            symbol.to_owned()
        }
    };
    symbols.map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_have_the_names_of_the_source() {
        assert_eq!(in_source("_ZN5Shape4areaEv"), "Shape::area");
        assert_eq!(in_source("_Znwm"), "operator new");
        assert_eq!(in_source("main"), "main");
        // Not C++, whatever it begins with.
        assert_eq!(in_source("_Zebra"), "_Zebra");
        assert!(is_called("_Z3addii", "add"));
        assert!(is_called("_Z3addii", "add(int,int)"));
        assert!(!is_called("_Z3addii", "add(int)"));
        assert!(!is_called("_Z3addii", "ad"));
    }

    #[test]
    fn long_template_arguments_are_left_out() {
        let arguments = "std::basic_string<char>, std::allocator<char>";
        for (name, expected) in [
            (format!("std::map<{arguments}>::at"), "std::map<…>::at"),
            (format!("A<int>::f<{arguments}>"), "A<int>::f<…>"),
            (format!("operator< <{arguments}>"), "operator< <…>"),
            ("std::vector<int>::at".to_owned(), "std::vector<int>::at"),
            (
                format!("Less<{arguments}>::operator<<"),
                "Less<…>::operator<<",
            ),
            ("A::operator->".to_owned(), "A::operator->"),
            ("main".to_owned(), "main"),
        ] {
            assert_eq!(abbreviated(&name), expected);
        }
    }

    #[test]
    fn no_two_symbols_have_one_name() {
        let symbols = [
            "_Z3addii",
            "_Z3adddd",
            "_ZN1AC1Ev",
            "_ZN1AC2Ev",
            "_Z1fv",
            "g",
        ];
        let expected = [
            "add(int, int)",
            "add(double, double)",
            "A::A() [_ZN1AC1Ev]",
            "A::A() [_ZN1AC2Ev]",
            "f",
            "g",
        ];
        assert_eq!(shown(symbols.into_iter()), expected);
    }
}
