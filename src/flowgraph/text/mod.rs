//! The text form of programs: printed, read, and written by hand in tests.
//!
//! ```text
//! program block pointers 32 main @main      // block or split; main by name
//! file "loop.c"                              // in the order of `Program::files`
//! global @table 8 const hex "0100000000000000", 4 = @main   // an address at byte 4
//! global @count 4 zero                       // or extern
//!
//! fn @main(%n: i32) -> i32 {                 // `entry b` before the brace if not the first node
//!   reg %i: i32                              // p32: a pointer of 32 bits
//!   node a at 3:1                            // line:column, then `in 1` for file 1
//!   node b
//!   a -> b: %i = 0:32 at 3:5
//!   b -> b:
//!     assume %i <s %n
//!     %i = (%i + 1:32)
//!   b -> c: assume %i >=s %n
//!   c -> d: return %i
//! }
//! ```
//!
//! A line holds one item. Steps are
//! `assume e`, `%a = e, %b = f` (parallel), `%a = load e`, `store value to address`,
//! `%a = alloca bytes "name"`, `%a = input "name"`, `%a = input "name" of "function"`,
//! `%a = call @f(e, f)`, `call *e(f)`, `return`, `return e`, `%a = malloc(e)` and the other
//! builtins, `%a = malloc(e) "name"`, `target`, `cut`, `goal 3`, `end exit` and the
//! other ends, `unsupported "what"`, `skip` (an assignment without targets). Several steps stand
//! on separate lines under their edge, or behind it with `;` between them.
//!
//! Expressions: registers `%a`, addresses `@name` of globals and functions, constants
//! `value:bits` (signed or unsigned, printed signed), `true` and `false` for one bit, operators
//! `+ - * udiv sdiv urem srem << >>u >>s & | ^ == != <u <=u >u >=u <s <=s >s >=s` with
//! parentheses around every one that is inside another, `!e` for `e ^ true`, `trunc(e, bits)`,
//! `zext(e, bits)`, `sext(e, bits)`, `ite(c, e, f)`; on floats `fadd(e, f)`, `fsub fmul fdiv feq
//! flt fle` and `fresize(e, bits)`, `sitofp uitofp fptosi fptoui fsqrt`. Names with other
//! characters than letters, digits and `_.$#` are quoted: `%"a b"`. Comments begin with `//`.
//!
//! # Invariants
//! - Reading what was printed gives the same program, spans and numbering included, if names are
//!   unique as `verify` demands; printing what was read gives the text back if it was printed.
//! - By hand, `node` lines may be left out: locations are numbered where they are first met.

mod lexer;
mod names;
mod parse;
mod print;

pub use names::Names;
pub use parse::{NameKind, ParseError, ParseProblem};
