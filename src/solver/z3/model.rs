//! Models of Z3 as assignments.

use std::collections::BTreeMap;

use super::raw::{ArrayShape, Ast};
use super::run::{RawModel, Table};
use super::translate::{Declared, Translator};
use term::{ArrayValue, Assignment, Bv, Sort, SymbolId, TermPool};

/// The values of exactly these symbols; a symbol that the model leaves open is left out, which
/// means 0. `None` when an array has a shape that is not a finite table.
pub(super) fn assignment(
    pool: &TermPool,
    translator: &Translator,
    model: &RawModel,
    symbols: impl IntoIterator<Item = SymbolId>,
) -> Option<Assignment> {
    let mut result = Assignment::new();
    for symbol in symbols {
        let Some(declared) = translator.declared(symbol) else {
            continue;
        };
        match (pool.symbol_sort(symbol), declared) {
            (Sort::Bv(width), Declared::Constant(constant)) => {
                if let Some(value) = model.constant(constant) {
                    result.set(symbol, Bv::from_biguint(width, &value.numeral()?));
                }
            }
            (Sort::Bv(width), Declared::Middle(middle, below)) => {
                if let Some(value) = model.constant(middle) {
                    let value = value.numeral()? << *below;
                    result.set(symbol, Bv::from_biguint(width, &value));
                }
            }
            (Sort::Array { index, value }, Declared::Constant(constant)) => {
                if let Some(ast) = model.constant(constant) {
                    result.set_array(symbol, array(model, ast, index, value)?);
                }
            }
            (Sort::Array { index, value }, Declared::Function(function)) => {
                if let Some(found) = model.function(function) {
                    result.set_array(symbol, table(&found, index, value)?);
                }
            }
            (Sort::Bv(_), Declared::Function(_)) => unreachable!("only arrays are functions"),
            (Sort::Array { .. }, Declared::Middle(..)) => unreachable!("an array is no word"),
        }
    }
    Some(result)
}

fn bits(ast: &Ast, width: u32) -> Option<Bv> {
    Some(Bv::from_biguint(width, &ast.numeral()?))
}

fn array(model: &RawModel, value: Ast, index_width: u32, width: u32) -> Option<ArrayValue> {
    let mut stored = BTreeMap::new();
    let mut rest = value;
    loop {
        match rest.array_shape()? {
            ArrayShape::Const(default) => {
                let default = bits(&default, width)?;
                return Some(ArrayValue {
                    default,
                    entries: stored,
                });
            }
            ArrayShape::Store(inner, index, value) => {
                // The outermost store of an index is the one that counts.
                stored
                    .entry(bits(&index, index_width)?)
                    .or_insert(bits(&value, width)?);
                rest = inner;
            }
            ArrayShape::Function(function) => {
                let mut found = match model.function(&function) {
                    Some(found) => table(&found, index_width, width)?,
                    None => ArrayValue::constant(Bv::zero(width)),
                };
                found.entries.extend(stored);
                return Some(found);
            }
        }
    }
}

fn table(found: &Table, index_width: u32, width: u32) -> Option<ArrayValue> {
    let default = match &found.otherwise {
        Some(otherwise) => bits(otherwise, width)?,
        None => Bv::zero(width),
    };
    let mut entries = BTreeMap::new();
    for (index, value) in &found.entries {
        entries.insert(bits(index, index_width)?, bits(value, width)?);
    }
    Some(ArrayValue { default, entries })
}
