//! Conversions, and numbers that are bits of others or put together of them.

use super::Writing;
use super::literals::written_mask;
use super::written::{Level, Sign, Written, type_name, widened};
use term::{CastOp, SymbolId, Term, TermId};

impl Writing<'_> {
    pub(super) fn cast(&self, bits: u32, op: CastOp, of: TermId, wanted: Sign) -> Option<Written> {
        let is_signed = op == CastOp::SExt;
        let from = self.pool().width(of);
        let ty = type_name(bits, is_signed);
        if from == 1 {
            let truth = self.truth(of, false)?;
            let written = match truth.sign {
                // A bit of a number, which C may read as unsigned; what is compared is an `int`.
                Sign::Unsigned => {
                    let ty = type_name(bits.max(32), true)?;
                    let text = format!("({ty}){}", truth.at(Level::Unary));
                    Written::new(text, Level::Unary, Sign::Signed)
                }
                Sign::Signed | Sign::Either => widened(bits, truth)?,
            };
            if is_signed {
                let text = format!("-{}", written.at(Level::Unary));
                return Some(Written::new(text, Level::Unary, Sign::Signed));
            }
            return Some(Written {
                sign: Sign::Signed,
                ..written
            });
        }
        let want = if is_signed {
            Sign::Signed
        } else {
            Sign::Unsigned
        };
        if type_name(from, true).is_none() && is_signed {
            return self.upper_bits(bits, of);
        }
        if type_name(from, true).is_none() {
            let text = format!("({}){}", ty?, self.value(of, want)?.at(Level::Unary));
            return Some(Written::new(text, Level::Unary, want));
        }
        let written = self.value(of, want)?;
        if bits <= 32 && type_name(bits, true).is_some() {
            // C computes in `int`s, which have room for each.
            return Some(Written {
                sign: Sign::Signed,
                ..written
            });
        }
        // What is signed is widened so to either type.
        let sign = match wanted {
            Sign::Either => want,
            sign => sign,
        };
        let ty = type_name(bits, sign == Sign::Signed)?;
        let text = format!("({ty}){}", written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, sign))
    }

    /// The upper bits of a number, which have its sign.
    pub(super) fn upper_bits(&self, bits: u32, part: TermId) -> Option<Written> {
        let pool = self.pool();
        let Term::Extract { low, of } = pool.view(part) else {
            return None;
        };
        let from = pool.width(of);
        if low + pool.width(part) != from || type_name(from, true).is_none() {
            return None;
        }
        let text = format!(
            "{} >> {low}",
            self.value(of, Sign::Signed)?.at(Level::Product)
        );
        let written = Written::new(text, Level::Shift, Sign::Signed);
        if from == bits {
            return Some(written);
        }
        let text = format!("({}){}", type_name(bits, true)?, written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, Sign::Signed))
    }

    /// Some bits of a number.
    pub(super) fn part(&self, bits: u32, low: u32, of: TermId, want: Sign) -> Option<Written> {
        if type_name(bits, true).is_none() {
            return self.bits_of(of, low, bits);
        }
        let from = self.pool().width(of);
        type_name(from, true)?;
        let is_signed = want != Sign::Unsigned;
        let ty = type_name(bits, is_signed)?;
        let written = self.value(of, Sign::Either)?;
        let text = match low {
            0 => format!("({ty}){}", written.at(Level::Unary)),
            low => format!("({ty})({} >> {low})", written.at(Level::Product)),
        };
        let sign = if is_signed {
            Sign::Signed
        } else {
            Sign::Unsigned
        };
        Some(Written::new(text, Level::Unary, sign))
    }

    /// So few bits of a number that C has no type for them.
    pub(super) fn bits_of(&self, of: TermId, low: u32, bits: u32) -> Option<Written> {
        let from = self.pool().width(of);
        if from > 64 || bits >= 64 || type_name(from, true).is_none() {
            return None;
        }
        let written = self.value(of, Sign::Either)?;
        let mask = written_mask((1u64 << bits) - 1);
        let text = match low {
            0 => format!("{} & {mask}", written.at(Level::Shift)),
            low => format!("{} >> {low} & {mask}", written.at(Level::Product)),
        };
        let written = Written::new(text, Level::BitAnd, Sign::Unsigned);
        if from <= 32 || bits > 32 {
            return Some(written);
        }
        let text = format!("(unsigned){}", written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, Sign::Unsigned))
    }

    /// One number above another.
    pub(super) fn concat(&self, bits: u32, high: TermId, low: TermId) -> Option<Written> {
        if let Some(written) = self.read(bits, high, low) {
            return Some(written);
        }
        let pool = self.pool();
        let ty = match bits {
            ..=32 => "unsigned",
            33..=64 => "unsigned long long",
            _ => return None,
        };
        let above = self.value(high, Sign::Unsigned)?.at(Level::Unary);
        let above = format!("({ty}){above} << {}", pool.width(low));
        let is_zero = pool.as_const(low).is_some_and(|low| low.is_zero());
        let written = if is_zero {
            Written::new(above, Level::Shift, Sign::Unsigned)
        } else {
            let below = self.value(low, Sign::Unsigned)?.at(Level::Unary);
            Written::new(format!("{above} | {below}"), Level::BitOr, Sign::Unsigned)
        };
        match type_name(bits, false).filter(|_| bits < 32) {
            Some(ty) => {
                let text = format!("({ty}){}", written.at(Level::Unary));
                Some(Written::new(text, Level::Unary, Sign::Unsigned))
            }
            None => Some(written),
        }
    }

    /// Bytes of an array that make one number, the lowest first.
    pub(super) fn read(&self, bits: u32, high: TermId, low: TermId) -> Option<Written> {
        let pool = self.pool();
        let ty = type_name(bits, true)?;
        let mut bytes = vec![high];
        let mut rest = low;
        while let Term::Concat { high, low } = pool.view(rest) {
            bytes.push(high);
            rest = low;
        }
        bytes.push(rest);
        bytes.reverse();
        let mut known: Option<(SymbolId, u64)> = None;
        for (position, byte) in (0..).zip(&bytes) {
            self.count()?;
            let Term::Select(array, index) = pool.view(*byte) else {
                return None;
            };
            let Term::Symbol(symbol) = pool.view(array) else {
                return None;
            };
            let start = pool.as_const(index)?.to_u64()?.checked_sub(position)?;
            let expected = *known.get_or_insert((symbol, start));
            if pool.width(*byte) != 8 || expected != (symbol, start) {
                return None;
            }
        }
        let (symbol, start) = known?;
        let name = self.name(symbol).to_owned();
        if start == 0 && self.reading(symbol, bits).is_some() {
            return self.variable(symbol, name, bits);
        }
        let name = self.pointer(symbol, name);
        let text = if self.has_elements(symbol, 8) {
            format!("*({ty} *)&{name}[{start}]")
        } else {
            format!("*({ty} *)((char *){name} + {start})")
        };
        Some(Written::new(text, Level::Unary, Sign::Signed))
    }
}
