//! Model completion: values of cells that no read of a formula determines.
//!
//! A model fixes an array at the cells that are read outside quantifiers; a quantifier reads many more.
//! Instead of an instance for each, the open cells are completed with the value of the nearest listed cell
//! below, a fresh value, the nearest value above, or 0. With this step 5 rounds suffice, without it 131.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::Reads;
use term::{ArrayValue, Assignment, Bv, Sort, SymbolId, SymbolValue, TermPool};

/// How open cells are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Filling {
    Lower,
    Fresh,
    Upper,
    Zero,
}

pub(super) const FILLINGS: [Filling; 4] = [
    Filling::Lower,
    Filling::Fresh,
    Filling::Upper,
    Filling::Zero,
];

/// Listed cells of each array: index to value.
pub(super) type Cells = BTreeMap<SymbolId, BTreeMap<Bv, Bv>>;

/// The cells that are read, and what the model says about them.
pub(super) fn listed(pool: &TermPool, reads: &Reads, model: &Assignment) -> Cells {
    let mut cells = Cells::new();
    for (array, indices) in reads.iter() {
        let Sort::Array { value: width, .. } = pool.symbol_sort(array) else {
            continue;
        };
        let zero = Bv::zero(width);
        let of_array = cells.entry(array).or_default();
        for index in indices {
            let Ok(index) = pool.evaluate(*index, model) else {
                continue;
            };
            let value = model
                .array(array)
                .map_or(&zero, |value| value.get(&index))
                .clone();
            of_array.insert(index, value);
        }
    }
    cells
}

/// The model with its arrays filled; `open` are cells that quantifiers read.
pub(super) fn filled(
    pool: &TermPool,
    model: &Assignment,
    cells: &Cells,
    open: &BTreeMap<SymbolId, BTreeSet<Bv>>,
    filling: Filling,
) -> Assignment {
    let mut result = model.clone();
    for (array, listed) in cells {
        let Sort::Array { value: width, .. } = pool.symbol_sort(*array) else {
            continue;
        };
        let default = match filling {
            Filling::Zero => Bv::zero(width),
            Filling::Fresh => fresh(model, cells, width),
            Filling::Lower => nearest(listed.values().next_back(), width),
            Filling::Upper => nearest(listed.values().next(), width),
        };
        let mut entries = listed.clone();
        if matches!(filling, Filling::Lower | Filling::Upper) {
            for index in open.get(array).into_iter().flatten() {
                let below = listed.range(..index).next_back();
                let above = listed.range(index..).next();
                let near = match filling {
                    Filling::Lower => below.or(above),
                    _ => above.or(below),
                };
                if let Some((_, value)) = near {
                    entries
                        .entry(index.clone())
                        .or_insert_with(|| value.clone());
                }
            }
        }
        result.set_array(*array, ArrayValue { default, entries });
    }
    result
}

fn nearest(value: Option<&Bv>, width: u32) -> Bv {
    value.cloned().unwrap_or_else(|| Bv::zero(width))
}

/// A small value that neither a cell nor a symbol has.
fn fresh(model: &Assignment, cells: &Cells, width: u32) -> Bv {
    let used: BTreeSet<u64> = cells
        .values()
        .flat_map(BTreeMap::values)
        .chain(model.iter().filter_map(|(_, value)| match value {
            SymbolValue::Bits(bits) => Some(bits),
            SymbolValue::Array(_) => None,
        }))
        .filter_map(Bv::to_u64)
        .collect();
    let value = (2..127).find(|value| !used.contains(value)).unwrap_or(127);
    Bv::new(width, value)
}
