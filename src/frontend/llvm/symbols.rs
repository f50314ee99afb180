//! Symbols of C++ and the names that stand in the source.
//!
//! # Source
//! *Itanium C++ ABI*, Chapter 5.1, External Names (a.k.a. Mangling).

use cpp_demangle::{DemangleOptions, Symbol};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a symbol of C++ begins with.
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
/// them apart, else with, else with the symbol behind them, as the two forms of a constructor.
pub(super) fn shown<'s>(symbols: impl Iterator<Item = &'s str> + Clone) -> Vec<String> {
    let mut short: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    let mut long: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for symbol in symbols.clone() {
        *short.entry(in_source(symbol)).or_default() += 1;
        *long.entry(with_parameters(symbol)).or_default() += 1;
    }
    let name = |symbol: &str| {
        let (without, with) = (in_source(symbol), with_parameters(symbol));
        if short[&without] == 1 {
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
