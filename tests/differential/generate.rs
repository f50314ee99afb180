//! Random programs with loops, in the flowgraph's text form.
//!
//! All arithmetic is on 8 bits, so that wrap-around is common. Each program has one or two loops
//! in a row, some with branches, some with a loop inside; their bodies draw from every kind of step
//! that a rule of Algorithm 1 is about, and from some that none is about.

use fastrand::Rng;
use std::fmt::Write;

const REGISTERS: [&str; 4] = ["%a", "%b", "%c", "%d"];

/// A program by seed.
pub fn program(seed: u64) -> String {
    let mut maker = Maker {
        rng: Rng::with_seed(seed),
        body: String::new(),
    };
    maker.body.push_str(
        "program block pointers 32 main @main\n\
         global @table 16 extern\n\
         global @cells 4 hex \"01000700\"\n",
    );
    let bytes = format!("hex \"{}\"", "0102030000000004".repeat(4));
    let content = ["zero", "extern", bytes.as_str()][maker.rng.usize(..3)];
    let _ = writeln!(maker.body, "global @buffer 32 {content}\n");
    maker.body.push_str("fn @main(%p: i8, %q: i8) -> i8 {\n");
    for reg in ["%a", "%b", "%c", "%d", "%t", "%x"] {
        let _ = writeln!(maker.body, "  reg {reg}: i8");
    }
    maker.start();
    let n_loops = if maker.one_in(3) { 2 } else { 1 };
    for number in 0..n_loops {
        maker.a_loop(number);
    }
    maker.end(n_loops);
    maker.body.push_str("}\n");
    maker.body
}

/// Where a loop with phases tests whether it goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    AtStart,
    /// Its branches look at quotients and remainders of the counter, too.
    AtEnd,
}

/// A program with one loop whose branches depend on counters, so that it has phases, or whose paths
/// take turns, or are reset; sometimes within another loop.
pub fn phases(seed: u64, tested: Tested) -> String {
    let mut maker = Maker {
        rng: Rng::with_seed(seed),
        body: String::new(),
    };
    maker.body.push_str(
        "program block pointers 32 main @main\n\
         global @cells 4 hex \"01000700\"\n\
         global @buffer 40 extern\n\
         fn @main(%p: i8, %q: i8) -> i8 {\n",
    );
    for reg in ["%a", "%b", "%c", "%d", "%t", "%x", "%i"] {
        let _ = writeln!(maker.body, "  reg {reg}: i8");
    }
    maker.start();
    maker.loop_with_phases(tested);
    maker.end(1);
    maker.body.push_str("}\n");
    maker.body
}

struct Maker {
    rng: Rng,
    body: String,
}

impl Maker {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn register(&mut self) -> &'static str {
        REGISTERS[self.rng.usize(..REGISTERS.len())]
    }

    fn constant(&mut self) -> String {
        let constants = [
            0, 1, 2, 3, 4, 5, 7, 10, 16, 40, 100, 127, 128, 200, 254, 255,
        ];
        format!("{}:8", constants[self.rng.usize(..constants.len())])
    }

    fn parameter(&mut self) -> &'static str {
        if self.rng.bool() { "%p" } else { "%q" }
    }

    /// Something that no step changes.
    fn invariant(&mut self) -> String {
        if self.one_in(3) {
            self.parameter().to_owned()
        } else {
            self.constant()
        }
    }

    fn operand(&mut self) -> String {
        if self.one_in(4) {
            self.register().to_owned()
        } else {
            self.invariant()
        }
    }

    fn condition(&mut self) -> String {
        let op = ["<u", "<u", "!=", "!=", "==", "<s", ">u", ">=s", "<=u"][self.rng.usize(..9)];
        format!("{} {op} {}", self.register(), self.operand())
    }

    fn edge(&mut self, from: &str, to: &str, steps: &[String]) {
        let _ = writeln!(self.body, "  {from} -> {to}: {}", steps.join("; "));
    }

    fn start(&mut self) {
        let mut steps = Vec::new();
        for reg in REGISTERS {
            let value = if self.one_in(3) {
                self.parameter().to_owned()
            } else {
                self.constant()
            };
            steps.push(format!("{reg} = {value}"));
        }
        self.edge("start", "head0", &steps);
    }

    /// An address in a global; masked, it is within the first 16 bytes.
    fn address(&mut self, global: &str, masked: bool) -> String {
        let reg = self.register();
        if masked {
            format!("@{global} + zext({reg} & 15:8, 32)")
        } else {
            format!("@{global} + zext({reg}, 32)")
        }
    }

    /// One step of a loop.
    fn step(&mut self) -> String {
        let x = self.register();
        let y = self.register();
        let k = self.constant();
        match self.rng.u32(0..29) {
            0..=3 => format!("{x} = {x} + 1:8"),
            4 => format!("{x} = {x} + {k}"),
            5 => format!("{x} = {x} - {k}"),
            6 => format!("{x} = {x} + {}", self.parameter()),
            7 => format!("{x} = {x} * {k}"),
            8 => format!("{x} = {x} * 3:8"),
            9 => format!("{x} = {k} - {x}"),
            10 => format!("{x} = {} - {x}", self.parameter()),
            11 => format!("{x} = {k}"),
            12 => format!("{x} = {y}"),
            13 => format!("{x} = {y} + {k}"),
            14 => format!("{x} = {x} + {y}"),
            15 => format!("{x} = {x} ^ 255:8"),
            16 => format!("{x} = {x} << 1:8"),
            17 => format!("{x} = ({y} & {k}) ^ {}", self.parameter()),
            18 => format!("{x} = {x} + ({y} + {y})"),
            19 => format!("store {x} to @cells + {}:32", self.rng.u32(0..4)),
            20 => {
                let cell = self.rng.u32(0..4);
                let store = format!("store %t to @cells + {cell}:32");
                format!("%t = load (@cells + {cell}:32); %t = %t + {k}; {store}")
            }
            21 => format!("{x} = load ({})", self.address("table", true)),
            22 => format!("{x} = input \"in\""),
            23 => format!("store {x} to {}", self.address("buffer", true)),
            24 => format!("store {x} to {}", self.address("buffer", false)),
            25 => format!("{x} = load ({})", self.address("buffer", false)),
            26 => format!("{x} = {x} + %a"),
            27 => format!("{x} = {x} - %a"),
            _ => format!("{x} = ite({y} <u {k}, {x} + 1:8, {x})"),
        }
    }

    /// A step with a closed form where other paths leave it out.
    fn occasional(&mut self) -> String {
        let x = ["%b", "%c", "%d"][self.rng.usize(..3)];
        match self.rng.u32(0..5) {
            0..=1 => format!("{x} = {x} + {}", self.invariant()),
            2 => format!("{x} = {x} + %a"),
            3 => format!("{x} = {}", self.constant()),
            _ => "store %p to @buffer + zext(%a, 32)".to_owned(),
        }
    }

    fn steps(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| self.step()).collect()
    }

    fn a_loop(&mut self, number: usize) {
        let node = |name: &str| format!("{name}{number}");
        let (head, body, join, exit) = (node("head"), node("body"), node("join"), node("head"));
        let exit = exit.replace(&number.to_string(), &(number + 1).to_string());
        let condition = if self.one_in(5) {
            "%a != %b".to_owned()
        } else {
            self.condition()
        };
        self.edge(&head, &body, &[format!("assume {condition}")]);
        self.edge(&head, &exit, &[format!("assume !({condition})")]);
        let mut here = body;
        if self.one_in(3) {
            let masked = !self.one_in(6);
            let global = if self.one_in(4) { "buffer" } else { "table" };
            let address = self.address(global, masked);
            here = self.early_exit(&here, &node("search"), &exit, &format!("load ({address})"));
        }
        if self.one_in(4) {
            here = self.early_exit(&here, &node("ask"), &exit, "input \"x\"");
        }
        if self.one_in(6) {
            here = self.inner_loop(&here, number);
        }
        let n_steps = self.rng.usize(1..4);
        if self.one_in(3) {
            let (left, right) = (node("left"), node("right"));
            let kind = self.rng.u32(0..4);
            let condition = if kind > 1 && self.rng.bool() {
                let test = node("test");
                let read = format!("%t = load ({})", self.address("table", true));
                self.edge(&here, &test, &[read]);
                here = test;
                format!("%t <u {}", self.constant())
            } else {
                self.condition()
            };
            self.edge(&here, &left, &[format!("assume {condition}")]);
            self.edge(&here, &right, &[format!("assume !({condition})")]);
            let one = self.steps(1);
            let (one, other) = match kind {
                0 => (one, self.steps(1)),
                1 => (one.clone(), one),
                // What some iterations do only: a sum, a flag, a write.
                _ => (vec![self.occasional()], vec!["%x = 0:8".to_owned()]),
            };
            self.edge(&left, &join, &one);
            self.edge(&right, &join, &other);
        } else {
            let steps = self.steps(n_steps);
            self.edge(&here, &join, &steps);
        }
        // Most loops count something, or few would ever end.
        let counted = if self.one_in(6) {
            self.steps(1)
        } else {
            vec!["%a = %a + 1:8".to_owned()]
        };
        self.edge(&join, &head, &counted);
    }

    /// `%a` counts iterations; `%b` and `%c` decide about paths and are moved by them.
    fn loop_with_phases(&mut self, tested: Tested) {
        let nested = self.one_in(4);
        let (head, exit) = if nested {
            let bound = self.rng.u32(1..4);
            self.edge("head0", "outer", &["%i = 0:8".to_owned()]);
            self.edge("outer", "head", &[format!("assume %i <u {bound}:8")]);
            self.edge("outer", "head1", &[format!("assume !(%i <u {bound}:8)")]);
            let reset = if self.rng.bool() {
                "%a = 0:8"
            } else {
                "%b = %p"
            };
            self.edge(
                "again",
                "outer",
                &[reset.to_owned(), "%i = %i + 1:8".to_owned()],
            );
            ("head", "again")
        } else {
            ("head0", "head1")
        };
        // Few iterations are enough, from wherever they begin.
        let guard = [
            "%a <u (%p & 31:8)",
            "%a <u (%p & 31:8)",
            "%a <u (%q & 31:8)",
            "%a <s (%q & 31:8)",
            "%a != (%p & 31:8)",
        ][self.rng.usize(..5)];
        match tested {
            Tested::AtStart => {
                self.edge(head, "body", &[format!("assume {guard}")]);
                self.edge(head, exit, &[format!("assume !({guard})")]);
            }
            Tested::AtEnd => {
                self.edge(head, "body", &["%x = 0:8".to_owned()]);
                self.edge("test", head, &[format!("assume {guard}")]);
                self.edge("test", exit, &[format!("assume !({guard})")]);
            }
        }
        let n_branches = self.rng.usize(1..3);
        let mut here = "body".to_owned();
        for number in 0..n_branches {
            let (branch, rest) = (format!("path{number}"), format!("rest{number}"));
            let border = self.invariant();
            let small = self.rng.u32(1..4);
            let n_tests = match tested {
                Tested::AtStart => 7,
                Tested::AtEnd => 11,
            };
            let test = match self.rng.u32(0..n_tests) {
                0..=1 => format!("%a <u {border}"),
                2 => format!("%b <u {border}"),
                3 => "%b <u %c".to_owned(),
                4 => format!("%d == {}:8", number),
                5 => format!("%c <u {small}:8"),
                6 => format!("%a == {border}"),
                7 => format!("(%a urem {}:8) == {number}:8", small + 2),
                8 => format!("(%a srem {}:8) == {number}:8", small + 2),
                9 => format!("(%a udiv {}:8) == {small}:8", small + 2),
                _ => format!("(%a sdiv {}:8) == {number}:8", small + 2),
            };
            self.edge(&here, &branch, &[format!("assume {test}")]);
            self.edge(&here, &rest, &[format!("assume !({test})")]);
            let steps = self.path_steps(number);
            self.edge(&branch, "join", &steps);
            here = rest;
        }
        let steps = self.path_steps(n_branches);
        self.edge(&here, "join", &steps);
        // Every run ends.
        let after = match tested {
            Tested::AtStart => head,
            Tested::AtEnd => "test",
        };
        self.edge("join", after, &["%a = %a + 1:8".to_owned()]);
    }

    /// What one path of a loop with phases does.
    fn path_steps(&mut self, number: usize) -> Vec<String> {
        let n_steps = self.rng.usize(1..3);
        let step = |maker: &mut Maker| match maker.rng.u32(0..11) {
            9 => "store %b to @buffer + zext(%a, 32)".to_owned(),
            10 => "%t = load (@buffer + zext(%a, 32)); %c = %c + %t".to_owned(),
            0..=1 => "%b = %b + 1:8".to_owned(),
            2..=3 => "%c = %c + 1:8".to_owned(),
            4 => "%c = 0:8".to_owned(),
            5 => format!("%d = {}:8", (number + 1) % 3),
            6 => "%d = 0:8".to_owned(),
            7 => format!("%c = %c + {}", maker.invariant()),
            _ => format!("store %b to @cells + {}:32", maker.rng.u32(0..4)),
        };
        (0..n_steps).map(|_| step(self)).collect()
    }

    /// A loop that counts `%d` up to something and does a step or none in each iteration.
    fn inner_loop(&mut self, here: &str, number: usize) -> String {
        let node = |name: &str| format!("inner{number}.{name}");
        let (head, body, after) = (node("head"), node("body"), node("after"));
        let start = if self.rng.bool() {
            self.operand()
        } else {
            "0:8".to_owned()
        };
        let bound = if self.rng.bool() {
            format!("{}:8", self.rng.u32(0..5))
        } else {
            self.operand()
        };
        let op = ["<u", "<u", "!=", "<s", "<=u"][self.rng.usize(..5)];
        self.edge(here, &head, &[format!("%d = {start}")]);
        self.edge(&head, &body, &[format!("assume %d {op} {bound}")]);
        self.edge(&head, &after, &[format!("assume !(%d {op} {bound})")]);
        let mut steps = Vec::new();
        if self.rng.bool() {
            steps.push(self.step());
        }
        steps.push("%d = %d + 1:8".to_owned());
        self.edge(&body, &head, &steps);
        after
    }

    /// Reads a value and leaves the loop where it is the wanted one.
    fn early_exit(&mut self, here: &str, name: &str, exit: &str, read: &str) -> String {
        let (test, go_on) = (format!("{name}.test"), format!("{name}.on"));
        let found = format!("{name}.found");
        let wanted = self.invariant();
        self.edge(here, &test, &[format!("%t = {read}")]);
        self.edge(&test, &go_on, &[format!("assume %t != {wanted}")]);
        self.edge(&test, &found, &[format!("assume %t == {wanted}")]);
        let x = self.register();
        self.edge(&found, exit, &[format!("{x} = {x} + %t")]);
        go_on
    }

    fn end(&mut self, n_loops: usize) {
        let last = format!("head{n_loops}");
        let condition = self.condition();
        self.edge(&last, "hit", &[format!("assume {condition}")]);
        self.edge(&last, "miss", &[format!("assume !({condition})")]);
        self.edge("hit", "stop", &["target".to_owned()]);
        self.body.push_str("  stop -> end: return 0:8\n");
        let mut kept = Vec::new();
        for (offset, reg) in REGISTERS.into_iter().enumerate() {
            if self.one_in(2) {
                kept.push(format!("store {reg} to @cells + {offset}:32"));
            }
        }
        kept.push("%x = 0:8".to_owned());
        self.edge("miss", "done", &kept);
        self.body.push_str("  done -> end: return %a\n");
    }
}
