//! Test suites in the format of Test-Comp: a folder with `metadata.xml` and `testcase-N.xml`.

use super::WitnessError;
use super::inputs::{Input, Origin};
use super::ktest::bytes_of;
use super::task::{Task, now, sha256, shown};
use frontend::{DataModel, Loaded, is_cplusplus};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

const METADATA_TYPE: &str = "test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format \
     test-metadata 1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\"";
const TESTCASE_TYPE: &str = "testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase \
     1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\"";
/// The property that a test which reaches the error serves.
const SPECIFICATION: &str = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )";

/// The content of `metadata.xml`.
pub(super) fn metadata(task: &Task) -> Result<Vec<u8>, WitnessError> {
    let Some(program) = task.files.first() else {
        return Err(WitnessError::Malformed("a task without files".to_owned()));
    };
    let architecture = match task.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let specification = if task.specification.contains("call(reach_error())") {
        SPECIFICATION
    } else {
        &task.specification
    };
    let producer = concat!("compact-se", " ", env!("CARGO_PKG_VERSION"));
    let fields = [
        (
            "sourcecodelang",
            if is_cplusplus(program) { "C++" } else { "C" }.to_owned(),
        ),
        ("producer", producer.to_owned()),
        ("specification", specification.to_owned()),
        ("programfile", shown(program)),
        ("programhash", sha256(program)?),
        ("entryfunction", "main".to_owned()),
        ("architecture", architecture.to_owned()),
        ("creationtime", now()),
    ];
    document(METADATA_TYPE, |writer| {
        writer
            .create_element("test-metadata")
            .write_inner_content(|writer| {
                for (name, text) in &fields {
                    let element = writer.create_element(*name);
                    element.write_text_content(BytesText::new(text))?;
                }
                Ok(())
            })?;
        Ok(())
    })
}

/// The content of `testcase-N.xml`: the results of all calls of what nobody defines, and memory that
/// the program makes symbolic, byte by byte. What no test case can give to the program is noted,
/// results of the C library's functions among it.
pub(super) fn testcase(
    loaded: &Loaded,
    inputs: &[Input],
    covers_error: bool,
    notes: &mut Vec<String>,
) -> Result<Vec<u8>, WitnessError> {
    let mut values = Vec::new();
    for input in inputs {
        if matches!(input.origin, Origin::MadeSymbolic) {
            // The format knows numbers only: a byte each.
            values.extend(bytes_of(input)?.iter().map(u8::to_string));
            continue;
        }
        let value = match (&input.origin, input.number()) {
            (Origin::Call { function, ty }, Some(value))
                if !is_of_the_library(loaded, function) =>
            {
                ty.kind.number(value)
            }
            _ => None,
        };
        match value {
            Some(value) => values.push(value.trim_end_matches('f').to_owned()),
            // Any value does.
            None if !input.input.matters => {}
            None => notes.push(format!(
                "no test case says {}",
                input.description(&loaded.program)
            )),
        }
    }
    document(TESTCASE_TYPE, |writer| {
        writer
            .create_element("testcase")
            .with_attributes(covers_error.then_some(("coversError", "true")))
            .write_inner_content(|writer| {
                for value in &values {
                    let element = writer.create_element("input");
                    element.write_text_content(BytesText::new(value))?;
                }
                Ok(())
            })?;
        Ok(())
    })
}

fn is_of_the_library(loaded: &Loaded, function: &str) -> bool {
    let mut stand_ins = loaded.stand_ins.iter();
    stand_ins.any(|stand_in| stand_in.name == function)
}

fn document(
    kind: &str,
    content: impl FnOnce(&mut Writer<&mut Vec<u8>>) -> io::Result<()>,
) -> Result<Vec<u8>, WitnessError> {
    let mut text = Vec::new();
    let mut writer = Writer::new_with_indent(&mut text, b' ', 2);
    let write = || {
        let declaration = BytesDecl::new("1.0", Some("UTF-8"), Some("no"));
        writer.write_event(Event::Decl(declaration))?;
        writer.write_event(Event::DocType(BytesText::from_escaped(kind)))?;
        content(&mut writer)
    };
    write().map_err(|error| WitnessError::Malformed(format!("cannot write XML: {error}")))?;
    text.push(b'\n');
    Ok(text)
}
