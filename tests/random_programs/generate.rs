//! Random programs of two input bytes, as trees of statements.

use fastrand::Rng;

/// A statement with the statements inside it.
#[derive(Clone)]
pub enum Statement {
    Line(String),
    /// What stands before the braces, inside of them, and behind them.
    Block(String, Vec<Statement>, String),
}

/// A program: what stands before `main`, and its body.
#[derive(Clone)]
pub struct Program {
    pub before: Vec<Statement>,
    pub body: Vec<Statement>,
}

impl Program {
    /// The text for the analysis, and with `-DTRUTH` for the native runs.
    pub fn text(&self) -> String {
        let mut text = "#include \"prelude.h\"\n\n".to_owned();
        for statement in &self.before {
            write(&mut text, statement, 0);
        }
        text.push_str("int main(void) {\n");
        for statement in &self.body {
            write(&mut text, statement, 1);
        }
        text.push_str("    return 0;\n}\n");
        text
    }

    /// All programs that lack one of its statements, or have what is inside of it in its place.
    pub fn smaller(&self) -> Vec<Program> {
        let before = smaller(&self.before).into_iter().map(|before| Program {
            before,
            ..self.clone()
        });
        let body = smaller(&self.body).into_iter().map(|body| Program {
            body,
            ..self.clone()
        });
        body.chain(before).collect()
    }
}

fn write(text: &mut String, statement: &Statement, depth: usize) {
    let indent = "    ".repeat(depth);
    match statement {
        Statement::Line(line) => text.push_str(&format!("{indent}{line}\n")),
        Statement::Block(head, inside, tail) => {
            text.push_str(&format!("{indent}{head} {{\n"));
            for statement in inside {
                write(text, statement, depth + 1);
            }
            text.push_str(&format!("{indent}}}{tail}\n"));
        }
    }
}

fn smaller(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (position, statement) in statements.iter().enumerate() {
        let replaced = |by: Vec<Statement>| {
            let mut copy = statements.to_vec();
            copy.splice(position..=position, by);
            copy
        };
        all.push(replaced(Vec::new()));
        if let Statement::Block(head, inside, tail) = statement {
            all.push(replaced(inside.clone()));
            let with = |inside| Statement::Block(head.clone(), inside, tail.clone());
            all.extend(
                smaller(inside)
                    .into_iter()
                    .map(|one| replaced(vec![with(one)])),
            );
        }
    }
    all
}

const TYPES: [&str; 8] = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"];
/// Members of a structure that arrays are made of; one is a bit-field.
const MEMBERS: [&str; 4] = ["x", "y", "z", "w"];
const WIDE_TYPES: [&str; 4] = ["u32", "i32", "u64", "i64"];

/// What can be named where a statement stands.
#[derive(Clone, Default)]
struct Scope {
    /// Variables that may be assigned, with their types.
    variables: Vec<(String, &'static str)>,
    /// What loops count to: names of bytes.
    bytes: Vec<&'static str>,
    /// Variables that are only read.
    constants: Vec<String>,
    /// Arrays: name, type, length.
    arrays: Vec<(String, &'static str, u64)>,
    /// Heap blocks, in the same way.
    blocks: Vec<(String, &'static str, u64)>,
    /// Arrays of structures with the members of `MEMBERS`: name, length.
    records: Vec<(String, u64)>,
    /// Pointers that walk through an array: name, array, length.
    walkers: Vec<(String, String, u64)>,
    /// Floating-point variables.
    reals: Vec<String>,
    /// Pointers to `i32`, which may be null.
    pointers: Vec<String>,
    /// Functions of two parameters.
    functions: Vec<String>,
    is_in_loop: bool,
}

pub struct Generator {
    rng: Rng,
    n_names: u32,
}

/// The program of this seed.
pub fn program(seed: u64) -> Program {
    Generator {
        rng: Rng::with_seed(seed),
        n_names: 0,
    }
    .program()
}

impl Generator {
    fn program(&mut self) -> Program {
        let mut scope = Scope::default();
        let mut before = Vec::new();
        for _ in 0..self.rng.usize(0..3) {
            let (name, ty) = (self.name("g"), self.ty());
            let value = self.constant();
            before.push(line(format!("GLOBAL {ty} {name} = ({ty}){value};")));
            scope.variables.push((name, ty));
        }
        if self.rng.bool() {
            let (name, ty) = (self.name("table"), self.ty());
            let length = match self.rng.u8(0..4) {
                0 => 1 << self.rng.u32(4..9),
                _ => self.rng.u64(1..9),
            };
            let values = self.table(length, ty);
            let values = values.join(", ");
            let kind = if self.rng.bool() {
                "static const"
            } else {
                "GLOBAL"
            };
            before.push(line(format!(
                "{kind} {ty} {name}[{length}] = {{{values}}};"
            )));
            if kind == "GLOBAL" {
                scope.arrays.push((name, ty, length));
            } else {
                let mask = length.next_power_of_two() - 1;
                for index in ["a", "b", "(a ^ b)", "(a + 3 * b)"] {
                    let look_up = format!("AT({name}, {length}, {index} & {mask})");
                    let again = format!("AT({name}, {length}, {look_up} & {mask})");
                    scope.constants.push(if self.rng.u8(0..3) == 0 {
                        again
                    } else {
                        look_up
                    });
                }
            }
        }
        for _ in 0..self.rng.usize(0..3) {
            before.push(self.function(&mut scope));
        }
        let mut body = vec![
            line("u8 a = __VERIFIER_nondet_uchar();".to_owned()),
            line("u8 b = __VERIFIER_nondet_uchar();".to_owned()),
        ];
        scope.bytes.extend(["a", "b"]);
        scope.constants.extend(["a".to_owned(), "b".to_owned()]);
        self.declarations(&mut scope, &mut body);
        let n_statements = self.rng.usize(3..8);
        body.extend(self.statements(&scope, n_statements, 0));
        body.push(self.goal(&scope));
        Program { before, body }
    }

    /// The entries of a table: zeros, any numbers, classes in ranges, a line, flipped bits.
    fn table(&mut self, length: u64, ty: &str) -> Vec<String> {
        let kind = self.rng.u8(0..5);
        let (start, step) = (self.rng.u64(0..200), self.rng.u64(0..8));
        let flips: Vec<u64> = (0..8).map(|_| self.rng.u64(..)).collect();
        let mut class = self.constant();
        (0..length)
            .map(|k| match kind {
                0 => "0".to_owned(),
                1 => format!("({ty}){}", self.constant()),
                2 => {
                    if self.rng.u8(0..6) == 0 {
                        class = self.constant();
                    }
                    format!("({ty}){class}")
                }
                3 => format!("({ty}){}", start + step * k),
                _ => {
                    let bits = (0..8).filter(|bit| k >> bit & 1 == 1);
                    let value = bits.fold(start, |value, bit| value ^ flips[bit]);
                    format!("({ty})0x{value:x}u")
                }
            })
            .collect()
    }

    /// A copy or a fill of a part of an array, of a size that depends on the inputs, now and then
    /// out of bounds.
    fn block(&mut self, scope: &Scope) -> Vec<Statement> {
        let Some((to, ty, length)) = self.pick(&scope.arrays) else {
            return self.assignment(scope);
        };
        let size = match self.rng.u8(0..4) {
            0 => format!("((u32)({}) & 7)", self.expression(scope, 1)),
            1 => format!("{}", self.rng.u64(0..=length)),
            _ => format!("((u32)({}) % {})", self.expression(scope, 1), length + 1),
        };
        let start = format!("((u32)({}) % {length})", self.expression(scope, 1));
        let start = if self.rng.bool() {
            "0".to_owned()
        } else {
            start
        };
        let same_type = scope.arrays.iter().filter(|(_, other, _)| *other == ty);
        let sources: Vec<_> = same_type.cloned().collect();
        if self.rng.bool() {
            let byte = self.expression(scope, 1);
            return vec![line(format!(
                "FILL({to}, {length}, {start}, {byte}, {size});"
            ))];
        }
        let (from, _, from_length) = self.pick(&sources).expect("the array itself is one");
        let first = self.rng.u64(0..from_length);
        vec![line(format!(
            "COPY({to}, {length}, {start}, {from}, {from_length}, {first}, {size});"
        ))]
    }

    fn name(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    fn ty(&mut self) -> &'static str {
        TYPES[self.rng.usize(0..TYPES.len())]
    }

    fn wide_ty(&mut self) -> &'static str {
        WIDE_TYPES[self.rng.usize(0..WIDE_TYPES.len())]
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.rng.usize(0..of.len())].clone())
    }

    fn constant(&mut self) -> String {
        match self.rng.u32(0..8) {
            0 => "0".to_owned(),
            1 => "(-1)".to_owned(),
            2 => format!("0x{:x}u", self.rng.u32(..)),
            3 => format!("{}", 1u64 << self.rng.u32(0..31)),
            4 => "(-2147483647 - 1)".to_owned(),
            _ => format!("{}", self.rng.u32(0..20)),
        }
    }

    /// A function of two parameters, which may call itself with a smaller first one.
    fn function(&mut self, scope: &mut Scope) -> Statement {
        let (name, result) = (self.name("f"), self.wide_ty());
        let mut inside = Scope {
            bytes: vec!["n"],
            constants: vec!["n".to_owned(), "x".to_owned()],
            functions: scope.functions.clone(),
            variables: scope.variables.clone(),
            ..Scope::default()
        };
        let mut body = vec![line("TICK".to_owned())];
        if self.rng.u8(0..3) == 0 {
            let value = self.expression(&inside, 2);
            body.push(line(format!("if (n == 0) return {value};")));
            let argument = self.expression(&inside, 2);
            let value = if self.rng.bool() {
                format!("{name}(n - 1, {argument})")
            } else {
                format!("{name}(n - 1, x) + {argument}")
            };
            body.push(line(format!("return {value};")));
        } else {
            let local = self.name("v");
            let (ty, value) = (self.ty(), self.expression(&inside, 2));
            body.push(line(format!("{ty} {local} = {value};")));
            inside.variables.push((local, ty));
            let n_statements = self.rng.usize(0..3);
            body.extend(self.statements(&inside, n_statements, 1));
            let value = self.expression(&inside, 2);
            body.push(line(format!("return {value};")));
        }
        scope.functions.push(name.clone());
        Statement::Block(
            format!("static {result} {name}(u8 n, {result} x)"),
            body,
            String::new(),
        )
    }

    fn declarations(&mut self, scope: &mut Scope, body: &mut Vec<Statement>) {
        for _ in 0..self.rng.usize(1..4) {
            let (name, ty) = (self.name("v"), self.ty());
            let value = self.expression(scope, 1);
            body.push(line(format!("{ty} {name} = {value};")));
            scope.variables.push((name, ty));
        }
        if self.rng.bool() {
            let (name, ty, length) = (self.name("array"), self.ty(), self.rng.u64(1..9));
            body.push(line(format!(
                "{ty} {name}[{length}] = {{{}}};",
                self.rng.u8(..)
            )));
            scope.arrays.push((name, ty, length));
        }
        if self.rng.u8(0..3) == 0 {
            let (name, ty, length) = (self.name("heap"), self.ty(), self.rng.u64(1..6));
            body.push(line(format!("HEAP({ty}, {name}, {length});")));
            scope.blocks.push((name, ty, length));
        }
        if self.rng.u8(0..4) == 0 {
            let name = self.name("pair");
            body.push(line(format!(
                "struct {{ u8 f; i32 g; u16 h : 5; i32 k : 7; }} {name} = {{{}}};",
                self.rng.u8(..)
            )));
            scope.variables.push((format!("{name}.f"), "u8"));
            scope.variables.push((format!("{name}.g"), "i32"));
            scope.variables.push((format!("{name}.h"), "u16"));
            scope.variables.push((format!("{name}.k"), "i32"));
        }
        if self.rng.u8(0..4) == 0 {
            self.union(scope, body);
        }
        if self.rng.u8(0..4) == 0 {
            let (name, length) = (self.name("records"), self.rng.u64(1..5));
            body.push(line(format!(
                "struct {{ i8 x; u16 y; i64 z; i32 w : 6; }} {name}[{length}] = {{{{{}}}}};",
                self.rng.u8(..)
            )));
            scope.records.push((name, length));
        }
        if self.rng.u8(0..4) == 0
            && let Some((array, ty, length)) = self.pick(&scope.arrays)
        {
            let name = self.name("walk");
            body.push(line(format!(
                "{ty} *{name} = {array} + {};",
                self.rng.u64(0..=length)
            )));
            scope.walkers.push((name, array, length));
        }
        if self.rng.u8(0..6) == 0 {
            let (name, ty) = (self.name("real"), ["float", "double"][self.rng.usize(0..2)]);
            body.push(line(format!("{ty} {name} = {};", self.real())));
            scope.reals.push(name);
        }
        if self.rng.u8(0..3) == 0 {
            let (name, pointer) = (self.name("int"), self.name("p"));
            body.push(line(format!("i32 {name} = {};", self.rng.u8(..))));
            scope.variables.push((name.clone(), "i32"));
            let start = if self.rng.bool() {
                "0".to_owned()
            } else {
                format!("&{name}")
            };
            body.push(line(format!("i32 *{pointer} = {start};")));
            scope.pointers.push(pointer);
        }
    }

    /// Words, halves, bytes and bit-fields in one place.
    fn union(&mut self, scope: &mut Scope, body: &mut Vec<Statement>) {
        let name = self.name("union");
        body.push(line(format!(
            "union {{ u32 w; i16 h; u8 b[4]; struct {{ i32 p : 5; u32 q : 14; i32 r : 13; }} s; }} \
             {name} = {{{}}};",
            self.constant()
        )));
        scope.variables.extend([
            (format!("{name}.w"), "u32"),
            (format!("{name}.h"), "i16"),
            (format!("{name}.s.p"), "i32"),
            (format!("{name}.s.q"), "u32"),
            (format!("{name}.s.r"), "i32"),
        ]);
        scope.arrays.push((format!("{name}.b"), "u8", 4));
    }

    /// A number that is exact in `float`.
    fn real(&mut self) -> String {
        ["0.0f", "-0.0f", "0.5f", "-1.25f", "3.0f", "16777216.0f"][self.rng.usize(0..6)].to_owned()
    }

    /// An element of an array of structures.
    fn record(&mut self, scope: &Scope) -> Option<String> {
        let (name, length) = self.pick(&scope.records)?;
        Some(format!(
            "AT({name}, {length}, {})",
            self.index(scope, length)
        ))
    }

    /// A member of an element of an array of structures.
    fn member(&mut self, scope: &Scope) -> Option<String> {
        let record = self.record(scope)?;
        Some(format!(
            "{record}.{}",
            MEMBERS[self.rng.usize(0..MEMBERS.len())]
        ))
    }

    /// A write to what is not in `variables`: members of structures in arrays, what a walking
    /// pointer points to, floating-point numbers; or a step of a walking pointer.
    fn place(&mut self, scope: &Scope) -> Vec<Statement> {
        let kind = self.rng.u8(0..3);
        if kind == 0
            && let Some(real) = self.pick(&scope.reals)
        {
            let (operator, operand) = (
                ["+=", "-=", "*=", "/=", "="][self.rng.usize(0..5)],
                self.real(),
            );
            let operand = match self.rng.u8(0..3) {
                0 => operand,
                _ => format!("(float)(i16)({})", self.expression(scope, 1)),
            };
            return vec![line(format!("{real} {operator} {operand};"))];
        }
        if kind <= 1
            && let Some((walker, array, length)) = self.pick(&scope.walkers)
        {
            let value = self.expression(scope, 2);
            return vec![line(match self.rng.u8(0..4) {
                0 => format!("{walker} = {array} + ((u32)({value}) % {});", length + 1),
                1 => format!("if ({walker} < {array} + {length}) {walker} += 1;"),
                2 => format!("if ({walker} != {array}) {walker}--;"),
                _ => format!("WALK({walker}, {array}, {length}) = {value};"),
            })];
        }
        if let Some(member) = self.member(scope) {
            if self.rng.u8(0..4) == 0 {
                let (to, from) = (self.record(scope), self.record(scope));
                let (to, from) = (to.expect("there is one"), from.expect("there is one"));
                // Of two, since there may be arrays of two types.
                if to.split(',').next() == from.split(',').next() {
                    return vec![line(format!("{to} = {from};"))];
                }
            }
            let operator = ["=", "=", "+=", "-=", "^="][self.rng.usize(0..5)];
            return vec![line(format!(
                "{member} {operator} {};",
                self.expression(scope, 2)
            ))];
        }
        self.assignment(scope)
    }

    fn statements(&mut self, scope: &Scope, n: usize, depth: u32) -> Vec<Statement> {
        (0..n).flat_map(|_| self.statement(scope, depth)).collect()
    }

    fn statement(&mut self, scope: &Scope, depth: u32) -> Vec<Statement> {
        let kind = if depth < 3 {
            self.rng.u32(0..20)
        } else {
            self.rng.u32(0..12)
        };
        match kind {
            0..=2 => self.assignment(scope),
            3 => self.place(scope),
            4 => self.block(scope),
            5 => {
                let (name, ty, value) = (self.name("unused"), self.ty(), self.expression(scope, 2));
                // Declared in a block of its own, since a jump may pass it.
                vec![line(format!("{{ {ty} {name} = {value}; (void){name}; }}"))]
            }
            6 => {
                let Some((array, _, length)) = self.pick(&scope.arrays) else {
                    return self.assignment(scope);
                };
                let (index, value) = (self.index(scope, length), self.expression(scope, 2));
                vec![line(format!("AT({array}, {length}, {index}) = {value};"))]
            }
            7 => {
                let Some((block, _, length)) = self.pick(&scope.blocks) else {
                    return self.assignment(scope);
                };
                let (index, value) = (self.index(scope, length), self.expression(scope, 2));
                let cell = format!("AT({block}, {length}, {index})");
                let operation = if self.rng.bool() {
                    format!("{cell} = {value};")
                } else {
                    format!("i64 unused = {cell}; (void)unused;")
                };
                vec![line(format!("{{ LIVE({block}) {operation} }}"))]
            }
            8 => {
                let Some((block, ..)) = self.pick(&scope.blocks) else {
                    return self.assignment(scope);
                };
                let condition = self.condition(scope, 1);
                vec![line(format!("if ({condition}) {{ FREE({block}); }}"))]
            }
            9 => {
                let Some(pointer) = self.pick(&scope.pointers) else {
                    return self.assignment(scope);
                };
                let targets: Vec<String> = (scope.variables.iter())
                    .filter(|(name, ty)| *ty == "i32" && !is_bit_field(name))
                    .map(|(name, _)| format!("&{name}"))
                    .chain(["(i32 *)0".to_owned()])
                    .collect();
                let (one, other) = (self.pick(&targets), self.pick(&targets));
                let (one, other) = (one.expect("null is one"), other.expect("null is one"));
                let condition = self.condition(scope, 1);
                vec![line(format!("{pointer} = {condition} ? {one} : {other};"))]
            }
            10 => {
                let Some(pointer) = self.pick(&scope.pointers) else {
                    return self.assignment(scope);
                };
                let value = self.expression(scope, 2);
                vec![line(match self.rng.u8(0..4) {
                    0 => format!("{{ i32 unused = DEREF({pointer}); (void)unused; }}"),
                    1 => format!("if ({pointer}) DEREF({pointer}) = {value};"),
                    _ => format!("DEREF({pointer}) = {value};"),
                })]
            }
            11 if scope.is_in_loop => {
                let condition = self.condition(scope, 1);
                let word = if self.rng.bool() { "break" } else { "continue" };
                vec![line(format!("if ({condition}) {word};"))]
            }
            11 => {
                let condition = self.condition(scope, 1);
                vec![line(format!("if ({condition}) abort();"))]
            }
            12..=14 => self.branch(scope, depth),
            15..=17 => self.iteration(scope, depth),
            18 => self.switch(scope, depth),
            _ => {
                let label = self.name("skip");
                let condition = self.condition(scope, 1);
                let mut all = vec![line(format!("if ({condition}) goto {label};"))];
                all.extend(self.statements(scope, 2, depth + 1));
                all.push(line(format!("{label}:;")));
                vec![Statement::Block(String::new(), all, String::new())]
            }
        }
    }

    fn assignment(&mut self, scope: &Scope) -> Vec<Statement> {
        let value = self.expression(scope, 3);
        let Some((name, _)) = self.pick(&scope.variables) else {
            return vec![line(format!("(void)({value});"))];
        };
        let operator = ["=", "=", "+=", "-=", "^=", "*=", "|="][self.rng.usize(0..7)];
        vec![line(format!("{name} {operator} {value};"))]
    }

    fn branch(&mut self, scope: &Scope, depth: u32) -> Vec<Statement> {
        let condition = self.condition(scope, 2);
        let n = self.rng.usize(1..3);
        let then = self.statements(scope, n, depth + 1);
        let mut all = vec![Statement::Block(
            format!("if ({condition})"),
            then,
            String::new(),
        )];
        if self.rng.bool() {
            let otherwise = self.statements(scope, 1, depth + 1);
            all.push(Statement::Block(
                "else".to_owned(),
                otherwise,
                String::new(),
            ));
            // Together they are one statement.
            return vec![Statement::Block(String::new(), all, String::new())];
        }
        all
    }

    fn iteration(&mut self, scope: &Scope, depth: u32) -> Vec<Statement> {
        let counter = self.name("k");
        let ty = ["u8", "u32", "i32", "u16"][self.rng.usize(0..4)];
        let mut inside = scope.clone();
        inside.constants.push(counter.clone());
        inside.is_in_loop = true;
        let byte = self
            .pick(&scope.bytes)
            .expect("there are inputs everywhere");
        let bound = match self.rng.u32(0..4) {
            0 if depth == 0 => byte.to_owned(),
            0 | 1 => format!("{byte} % 16"),
            2 => format!("{}", self.rng.u32(1..9)),
            _ => format!("({} & 31)", self.expression(scope, 1)),
        };
        let n = self.rng.usize(1..4);
        let mut body = vec![line("TICK".to_owned())];
        let head = match self.rng.u32(0..5) {
            0 => {
                body.extend(self.statements(&inside, n, depth + 1));
                let tail = format!(" while (++{counter} < (u32)({bound}));");
                let all = vec![
                    line(format!("u32 {counter} = 0;")),
                    Statement::Block("do".to_owned(), body, tail),
                ];
                return vec![Statement::Block(String::new(), all, String::new())];
            }
            1 => {
                body.extend(self.statements(&inside, n, depth + 1));
                format!("for ({ty} {counter} = ({ty})({bound}); {counter} != 0; {counter}--)")
            }
            2 => {
                let step = self.rng.u32(2..5);
                body.extend(self.statements(&inside, n, depth + 1));
                format!("for (u32 {counter} = 0; {counter} < (u32)({bound}); {counter} += {step})")
            }
            3 => {
                let condition = self.condition(scope, 1);
                body.extend(self.statements(&inside, n, depth + 1));
                format!("for (u32 {counter} = 0; {counter} < 40 && !({condition}); {counter}++)")
            }
            _ => {
                body.extend(self.statements(&inside, n, depth + 1));
                format!("for (u32 {counter} = 0; {counter} < (u32)({bound}); {counter}++)")
            }
        };
        vec![Statement::Block(head, body, String::new())]
    }

    fn switch(&mut self, scope: &Scope, depth: u32) -> Vec<Statement> {
        let value = self.expression(scope, 1);
        let inside = Scope {
            is_in_loop: false,
            ..scope.clone()
        };
        let mut cases = Vec::new();
        let has_ranges = self.rng.u8(0..3) == 0;
        let first = self.rng.i32(if has_ranges { -20..10 } else { 0..4 });
        for case in first..first + self.rng.i32(1..4) {
            let label = if has_ranges {
                let start = first + 16 * (case - first);
                format!("case {start} ... {}:", start + self.rng.i32(0..16))
            } else {
                format!("case {case}:")
            };
            let mut body = self.statements(&inside, 1, depth + 1);
            if self.rng.bool() {
                body.push(line("break;".to_owned()));
            }
            cases.push(Statement::Block(label, body, String::new()));
        }
        if self.rng.bool() {
            let body = self.statements(&inside, 1, depth + 1);
            cases.push(Statement::Block("default:".to_owned(), body, String::new()));
        }
        let head = if has_ranges {
            format!("switch ((i8)({value}))")
        } else {
            format!("switch ((i32)({value}) & 7)")
        };
        vec![Statement::Block(head, cases, String::new())]
    }

    /// Where the target is.
    fn goal(&mut self, scope: &Scope) -> Statement {
        let condition = match self.rng.u32(0..6) {
            0 => "1".to_owned(),
            1 => format!("a == {} && {}", self.rng.u8(..), self.condition(scope, 2)),
            2 => format!("({}) == {}", self.expression(scope, 2), self.constant()),
            _ => self.condition(scope, 2),
        };
        line(format!("if ({condition}) reach_error();"))
    }

    fn condition(&mut self, scope: &Scope, depth: u32) -> String {
        let (lhs, rhs) = (
            self.expression(scope, depth),
            self.expression(scope, depth.min(1)),
        );
        match self.rng.u32(0..10) {
            0..=6 => {
                let operator = ["==", "!=", "<", "<=", ">", ">="][self.rng.usize(0..6)];
                format!("({lhs} {operator} {rhs})")
            }
            7 => format!("({lhs} < {rhs} && {lhs} != {})", self.constant()),
            8 => format!("({lhs} == {rhs} || {rhs} > {})", self.rng.u8(..)),
            _ => format!("!({lhs} & {rhs})"),
        }
    }

    /// An index of an array of `length` elements, now and then out of bounds.
    fn index(&mut self, scope: &Scope, length: u64) -> String {
        let value = self.expression(scope, 1);
        match self.rng.u32(0..8) {
            0 => format!("(u8)({value})"),
            1 => format!("(i32)({value})"),
            2 => format!("((u32)({value}) & {})", length.next_power_of_two() - 1),
            3 => format!("{}", self.rng.u64(0..length)),
            _ => format!("((u32)({value}) % {length})"),
        }
    }

    fn expression(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 || self.rng.u32(0..6) == 0 {
            let names: Vec<String> = (scope.variables.iter())
                .map(|(name, _)| name.clone())
                .chain(scope.constants.iter().cloned())
                .collect();
            return match self.pick(&names) {
                Some(name) if self.rng.u32(0..4) > 0 => name,
                _ => self.constant(),
            };
        }
        let lhs = self.expression(scope, depth - 1);
        let rhs = self.expression(scope, depth - 1);
        match self.rng.u32(0..28) {
            0..=8 => {
                let operator = ["+", "-", "*", "&", "|", "^"][self.rng.usize(0..6)];
                format!("({lhs} {operator} {rhs})")
            }
            9 | 10 => {
                let operation = ["DIV", "REM"][self.rng.usize(0..2)];
                let ty = self.ty();
                let divisor = match self.rng.u32(0..3) {
                    0 => rhs,
                    1 => format!("({rhs} | 1)"),
                    _ => format!("{}", self.rng.u32(1..9)),
                };
                format!("{operation}({ty}, {lhs}, {divisor})")
            }
            11 | 12 => {
                let operation = ["SHL", "SHR"][self.rng.usize(0..2)];
                let ty = self.wide_ty();
                // Clang folds a shift of constants by too much, so that nothing is undefined.
                let byte = self.pick(&scope.bytes).unwrap_or("1");
                let amount = match self.rng.u32(0..4) {
                    0 if byte != "1" => format!("(u8)({byte} + {rhs})"),
                    0 | 1 => format!("{}", self.rng.u32(0..32)),
                    _ => format!("({rhs} & 31)"),
                };
                format!("{operation}({ty}, {lhs}, {amount})")
            }
            13..=15 => format!("({})({lhs})", self.ty()),
            16 => format!("(~{lhs})"),
            17 => format!("(-({lhs}))"),
            18 => {
                let condition = self.condition(scope, depth - 1);
                format!("({condition} ? {lhs} : {rhs})")
            }
            19 => self.condition(scope, depth - 1),
            20 => {
                let operation = ["CTZ", "CLZ"][self.rng.usize(0..2)];
                let one = if self.rng.u32(0..3) == 0 { "" } else { " | 64" };
                format!("{operation}((u32)({lhs}){one})")
            }
            21 => {
                let operation = ["popcount", "ffs"][self.rng.usize(0..2)];
                format!("(u32)__builtin_{operation}((u32)({lhs}))")
            }
            22 | 23 => match self.pick(&scope.arrays) {
                Some((array, _, length)) => {
                    format!("AT({array}, {length}, {})", self.index(scope, length))
                }
                None => format!("({lhs} - {rhs})"),
            },
            24 => match self.pick(&scope.functions) {
                Some(function) => format!("{function}((u8)({lhs}) & 15, {rhs})"),
                None => format!("({lhs} + {rhs})"),
            },
            25 => match self.pick(&scope.pointers) {
                Some(pointer) => format!("DEREF({pointer})"),
                None => format!("({lhs} ^ {rhs})"),
            },
            26 => match self.member(scope) {
                Some(member) => member,
                None => format!("(_Bool)({lhs})"),
            },
            _ => match (self.pick(&scope.walkers), self.pick(&scope.reals)) {
                (Some((walker, array, length)), _) => match self.rng.u8(0..3) {
                    0 => format!("(i64)({walker} - {array})"),
                    1 => format!("({walker} < {array} + (u32)({lhs}) % {length})"),
                    _ => format!("WALK({walker}, {array}, {length})"),
                },
                (None, Some(real)) => match self.rng.u8(0..2) {
                    0 => format!("TRUNC({real})"),
                    _ => format!("({real} < (float)(i16)({lhs}))"),
                },
                (None, None) => format!("({lhs} + {rhs})"),
            },
        }
    }
}

/// Whether a variable is a bit-field, which has no address.
fn is_bit_field(variable: &str) -> bool {
    variable.contains(".s.") || variable.ends_with(".k")
}

fn line(text: String) -> Statement {
    Statement::Line(text)
}
