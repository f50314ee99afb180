//! Violation witnesses: a waypoint for each input that one can express, then the target.

use super::WitnessError;
use super::inputs::{Input, Kind, Origin};
use super::places::{Sources, Spot};
use super::task::Task;
use super::yaml::{Constraint, Entry, Item, Place, Point, Waypoint};
use frontend::Loaded;
use frontend::source_text::TokenKind;
use symex::Witness;
use term::Bv;

/// The entry for a witness; what no waypoint can say is noted.
pub(super) fn entry(
    task: &Task,
    loaded: &Loaded,
    witness: &Witness,
    sources: &Sources,
    inputs: &[Input],
    notes: &mut Vec<String>,
) -> Result<Entry, WitnessError> {
    let mut points: Vec<Waypoint> = Vec::new();
    for input in in_order_of_places(inputs) {
        match waypoint(input)? {
            Some(point) => add(&mut points, point),
            None => notes.push(format!(
                "no waypoint says {}",
                input.description(&loaded.program)
            )),
        }
    }
    points.push(Waypoint {
        kind: "target".to_owned(),
        action: "follow".to_owned(),
        constraint: None,
        location: target(loaded, witness, sources)?,
    });
    let segments = points.into_iter().map(|waypoint| Item {
        segment: Some(vec![Point { waypoint }]),
        invariant: None,
        contract: None,
    });
    Ok(Entry {
        entry_type: "violation_sequence".to_owned(),
        metadata: task.metadata()?,
        content: segments.collect(),
    })
}

/// The inputs in the order in which an execution passes the places of their waypoints: what a variable
/// without a value holds is said at the next statement, behind the calls in its own declaration.
///
/// ```text
/// int rest, n = nondet();    events: rest, n
/// use(&rest, n);             places: n (line 1), rest (line 2)
/// ```
fn in_order_of_places<'i, 'w, 's>(inputs: &'i [Input<'w, 's>]) -> Vec<&'i Input<'w, 's>> {
    let mut ordered: Vec<&Input> = Vec::new();
    for input in inputs {
        let n_behind = (ordered.iter().rev())
            .take_while(|variable| is_declared_with(variable, input))
            .count();
        ordered.insert(ordered.len() - n_behind, input);
    }
    ordered
}

/// Whether a call stands in the declaration of a variable, behind its name.
fn is_declared_with(variable: &Input, call: &Input) -> bool {
    let are_such = matches!(
        (&variable.origin, &call.origin),
        (Origin::Variable, Origin::Call { .. })
    );
    let (true, Some(variable), Some(call)) = (are_such, variable.spot, call.spot) else {
        return false;
    };
    let next = variable.file.source.next_statement(variable.token);
    std::ptr::eq(variable.file, call.file)
        && variable.token < call.token
        && next.is_some_and(|next| call.token < next)
}

/// Assumptions at one place are one waypoint, since an execution passes the place once for all of
/// them.
fn add(points: &mut Vec<Waypoint>, point: Waypoint) {
    if let Some(last) = points.last_mut()
        && last.kind == "assumption"
        && point.kind == "assumption"
        && last.location == point.location
        && let (Some(known), Some(new)) = (&mut last.constraint, &point.constraint)
    {
        known.value = format!("{} && {}", known.value, new.value);
        return;
    }
    points.push(point);
}

fn waypoint(input: &Input) -> Result<Option<Waypoint>, WitnessError> {
    let Some(value) = input.number() else {
        return Ok(None);
    };
    let follow = |kind: &str, format: &str, value: String, location: Place| Waypoint {
        kind: kind.to_owned(),
        action: "follow".to_owned(),
        constraint: Some(Constraint {
            format: Some(format.to_owned()),
            value,
        }),
        location,
    };
    match &input.origin {
        Origin::Call { function, ty } => {
            let place = input.spot.map(|spot| {
                let end = spot.file.source.call_end(spot.token);
                // A macro's name stands where its call stands.
                spot.place(end.unwrap_or(spot.token))
            });
            let place = place.ok_or_else(|| WitnessError::UnknownPlace {
                what: format!("a call of {function}"),
            })?;
            let number = ty.kind.number(value);
            Ok(number.map(|number| {
                let constraint = format!("\\result == {number}");
                follow("function_return", "acsl_expression", constraint, place)
            }))
        }
        Origin::Variable => Ok(input.spot.and_then(|spot| {
            let next = spot.file.source.next_statement(spot.token)?;
            let number = variable_kind(spot, value)?.number(value)?;
            let constraint = format!("{} == {number}", input.name());
            Some(follow(
                "assumption",
                "c_expression",
                constraint,
                spot.place(next),
            ))
        })),
        Origin::MadeSymbolic | Origin::Other => Ok(None),
    }
}

/// How the bits of a variable are read that is declared here; `None` if the declaration does not
/// tell and it matters.
fn variable_kind(spot: Spot, value: &Bv) -> Option<Kind> {
    let source = &spot.file.source;
    let declaration: Vec<&str> = (0..spot.token)
        .rev()
        .take_while(|token| {
            !matches!(
                source.tokens[*token].kind,
                TokenKind::Mark(b';' | b'{' | b'}' | b')')
            )
        })
        .map(|token| source.word(token))
        .collect();
    let says = |words: &[&str]| declaration.iter().any(|word| words.contains(word));
    if says(&["*", "float", "double"]) {
        None
    } else if says(&["unsigned"]) {
        Some(Kind::Unsigned)
    } else if says(&["_Bool", "bool"]) {
        Some(Kind::Bool)
    } else if says(&["char", "short", "int", "long", "signed"]) || value.width() == 32 {
        Some(Kind::Signed)
    } else {
        let is_positive = value.extract(value.width() - 1, 1).to_u64() == Some(0);
        is_positive.then_some(Kind::Unsigned)
    }
}

fn target(loaded: &Loaded, witness: &Witness, sources: &Sources) -> Result<Place, WitnessError> {
    let spot = sources.spot(&loaded.program, witness.target);
    spot.map(|spot| spot.place(spot.token))
        .ok_or_else(|| WitnessError::UnknownPlace {
            what: "the target".to_owned(),
        })
}
