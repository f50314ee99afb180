//! Random programs in microc, and the thesis' estimation of queries.

use super::reproduce;
use frontend::microc::{Integers, checked};

#[test]
fn generated_programs_are_well_typed() {
    let arguments = "generate --seed 5 --guarded --max-functions 2";
    let made = reproduce().args(arguments.split(' ')).output().unwrap();
    let text = String::from_utf8(made.stdout).unwrap();
    checked(&text, Integers::Wrapping).unwrap();
    let arguments = ["generate", "--loop-gen-prob", "1.5"];
    let refused = reproduce().args(arguments).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn costs_are_listed() {
    let arguments =
        "costs tests/microc/programs/counting.mc --merging-strategy recursive --kappa 1";
    let output = reproduce().args(arguments.split(' ')).assert().code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let mut lines = text.lines();
    let line = lines.find(|line| line.contains("while (i < n)")).unwrap();
    assert!(line.ends_with("i: 6, n: 4"), "{text}");
}
