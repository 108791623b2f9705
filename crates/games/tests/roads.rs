//! The road maps against the vectors: every field of every line, and every prefix.

use std::fmt;

use games::baccarat::roads::{
    BeadPlate, BigRoad, BigRoadCell, Cell, Columns, DerivedRoad, DragonTail, Mark, MarkCell, ask,
    derived, draw_marks, runs,
};
use games::baccarat::{Outcome, Side, Winner};
use serde_json::{Value, json};

const VECTORS: &str = include_str!("vectors/roads.jsonl");

/// How many differences of one line are told at most.
const MISMATCHES_MAX: usize = 100;

/// A field of a vector line that came out otherwise.
#[derive(Debug, PartialEq)]
struct Mismatch {
    /// The path to it, as `/big/cells/3/ties`.
    field: String,
    /// What the line says; null if it says nothing.
    expected: Value,
    /// What was computed; null if nothing was.
    got: Value,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.field, self.expected, self.got)
    }
}

/// Computes a line of `roads.jsonl` anew from its `rounds` and compares all its fields.
fn mismatches(line: &Value) -> Vec<Mismatch> {
    let rounds = line["rounds"].as_array().map(Vec::as_slice);
    let outcomes: Option<Vec<Outcome>> =
        rounds.and_then(|rounds| rounds.iter().map(outcome).collect());
    let Some(outcomes) = outcomes else {
        return vec![Mismatch {
            field: "/rounds".to_owned(),
            expected: json!("rows [outcome, pt, bt, pn, bn, pp, bp]"),
            got: line["rounds"].clone(),
        }];
    };
    let mut found = Vec::new();
    compare("", line, &computed(line, &outcomes), &mut found);
    found
}

fn compare(path: &str, expected: &Value, got: &Value, found: &mut Vec<Mismatch>) {
    if found.len() >= MISMATCHES_MAX || expected == got {
        return;
    }
    match (expected, got) {
        (Value::Object(left), Value::Object(right)) => {
            let more = right.keys().filter(|key| !left.contains_key(*key));
            for key in left.keys().chain(more) {
                let path = format!("{path}/{key}");
                match (left.get(key), right.get(key)) {
                    (Some(a), Some(b)) => compare(&path, a, b, found),
                    (a, b) => found.push(Mismatch {
                        field: path,
                        expected: a.cloned().unwrap_or_default(),
                        got: b.cloned().unwrap_or_default(),
                    }),
                }
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (place, (a, b)) in left.iter().zip(right).enumerate() {
                compare(&format!("{path}/{place}"), a, b, found);
            }
        }
        _ => found.push(Mismatch {
            field: path.to_owned(),
            expected: expected.clone(),
            got: got.clone(),
        }),
    }
}

/// Reads a row `[outcome, pt, bt, pn, bn, pp, bp]`; none if it is no such row.
fn outcome(row: &Value) -> Option<Outcome> {
    let [winner, numbers @ ..] = row.as_array()?.as_slice() else { return None };
    let numbers: Option<Vec<u8>> =
        numbers.iter().map(|n| n.as_u64().and_then(|n| u8::try_from(n).ok())).collect();
    let [player_total, banker_total, flags @ ..] = &numbers?[..] else { return None };
    let flags: Option<Vec<bool>> = flags
        .iter()
        .map(|flag| match flag {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })
        .collect();
    let [player_natural, banker_natural, player_pair, banker_pair] = flags?[..] else {
        return None;
    };
    Some(Outcome {
        winner: match winner.as_str()? {
            "B" => Winner::Banker,
            "P" => Winner::Player,
            "T" => Winner::Tie,
            _ => return None,
        },
        player_total: *player_total,
        banker_total: *banker_total,
        player_natural,
        banker_natural,
        player_pair,
        banker_pair,
    })
}

/// The whole line as this program computes it. Only `id` and `kind` are taken over.
fn computed(line: &Value, outcomes: &[Outcome]) -> Value {
    let columns = Columns::of(outcomes);
    let rows: Vec<Value> = outcomes.iter().map(row).collect();
    let steps: Vec<String> = (0..=outcomes.len()).map(|n| ask_step(&outcomes[..n])).collect();
    json!({
        "id": line["id"],
        "kind": line["kind"],
        "outcomes": outcomes.iter().map(|o| winner_letter(o.winner)).collect::<String>(),
        "rounds": rows,
        "bead": bead_plate(outcomes),
        "big": big_road(&columns),
        "big_eye": derived_road(&columns, DerivedRoad::BigEyeBoy),
        "small": derived_road(&columns, DerivedRoad::SmallRoad),
        "cockroach": derived_road(&columns, DerivedRoad::CockroachRoad),
        "ask": { "B": asked(&columns, Side::Banker), "P": asked(&columns, Side::Player) },
        "ask_steps": steps,
    })
}

fn row(o: &Outcome) -> Value {
    let flags = [o.player_natural, o.banker_natural, o.player_pair, o.banker_pair].map(u8::from);
    let [player_natural, banker_natural, player_pair, banker_pair] = flags;
    json!([
        winner_letter(o.winner).to_string(),
        o.player_total,
        o.banker_total,
        player_natural,
        banker_natural,
        player_pair,
        banker_pair
    ])
}

fn bead_plate(outcomes: &[Outcome]) -> Vec<Value> {
    let plate = BeadPlate::of(outcomes);
    let bead = plate.beads.iter().map(|bead| {
        json!({
            "c": bead.cell.column,
            "r": bead.cell.row,
            "o": winner_letter(bead.winner).to_string(),
            "score": bead.score,
            "nat": bead.natural,
            "bp": bead.banker_pair,
            "pp": bead.player_pair,
        })
    });
    bead.collect()
}

fn big_road(columns: &Columns) -> Value {
    let drawn = BigRoad::draw(columns, DragonTail::DropsAgain).cells;
    let kept = BigRoad::draw(columns, DragonTail::KeepsRow).cells;
    let start = |result| {
        let is_it = |cell: &&BigRoadCell| cell.entry.is_some_and(|entry| entry.result == result);
        drawn.iter().find(is_it).map(|cell| cell.cell.column)
    };
    let streaks: Vec<Value> = columns
        .streaks()
        .iter()
        .map(|streak| {
            let results: Vec<usize> = streak.entries.iter().map(|(e, _)| e.result).collect();
            json!({
                "side": side_letter(streak.side).to_string(),
                "len": results.len(),
                "start": results.first().and_then(|first| start(*first)),
                "rounds": results,
            })
        })
        .collect();
    json!({
        "leading_ties": columns.leading_ties().count,
        "columns": streaks,
        "cells": drawn.iter().map(big_road_cell).collect::<Vec<Value>>(),
        "cells_keep_row": where_other(
            drawn.iter().map(|cell| cell.cell),
            kept.iter().map(|cell| cell.cell),
        ),
    })
}

fn big_road_cell(drawn: &BigRoadCell) -> Value {
    let BigRoadCell { cell, entry, ties } = drawn;
    match entry {
        None => json!({ "c": cell.column, "r": cell.row, "s": null, "ties": ties.count }),
        Some(entry) => json!({
            "c": cell.column,
            "r": cell.row,
            "s": side_letter(entry.side).to_string(),
            "i": entry.result,
            "ties": ties.count,
            "bp": entry.banker_pair,
            "pp": entry.player_pair,
            "nat": entry.natural,
            "score": entry.score,
            "tbp": ties.banker_pair,
            "tpp": ties.player_pair,
        }),
    }
}

fn derived_road(columns: &Columns, road: DerivedRoad) -> Value {
    let marks = derived(columns, road);
    let drawn = draw_marks(&marks, DragonTail::DropsAgain);
    let kept = draw_marks(&marks, DragonTail::KeepsRow);
    let runs: Vec<Value> = runs(&marks)
        .into_iter()
        .map(|(mark, length)| json!([mark_letter(mark).to_string(), length]))
        .collect();
    let cells: Vec<Value> = drawn
        .iter()
        .map(|MarkCell { cell, mark }| {
            json!([cell.column, cell.row, mark_letter(*mark).to_string()])
        })
        .collect();
    json!({
        "marks": marks.into_iter().map(mark_letter).collect::<String>(),
        "columns": runs,
        "cells": cells,
        "cells_keep_row": where_other(
            drawn.iter().map(|cell| cell.cell),
            kept.iter().map(|cell| cell.cell),
        ),
    })
}

/// The cells of the other convention where they differ, else null.
fn where_other(drawn: impl Iterator<Item = Cell>, kept: impl Iterator<Item = Cell>) -> Value {
    let kept: Vec<Cell> = kept.collect();
    match drawn.eq(kept.iter().copied()) {
        true => Value::Null,
        false => kept.into_iter().map(place).collect(),
    }
}

fn asked(columns: &Columns, side: Side) -> Value {
    let asked = ask(columns, side, DragonTail::DropsAgain);
    let next = |road| {
        asked.on(road).map(|MarkCell { cell, mark }| {
            json!({ "mark": mark_letter(mark).to_string(), "cell": place(cell) })
        })
    };
    json!({
        "big": place(asked.big_road),
        "big_eye": next(DerivedRoad::BigEyeBoy),
        "small": next(DerivedRoad::SmallRoad),
        "cockroach": next(DerivedRoad::CockroachRoad),
    })
}

fn ask_step(outcomes: &[Outcome]) -> String {
    let columns = Columns::of(outcomes);
    let mut letters = String::new();
    for side in [Side::Banker, Side::Player] {
        let asked = ask(&columns, side, DragonTail::DropsAgain);
        let letter = |road| asked.on(road).map_or('-', |next| mark_letter(next.mark));
        letters.extend(DerivedRoad::ALL.map(letter));
    }
    letters
}

fn place(cell: Cell) -> Value {
    json!([cell.column, cell.row])
}

fn winner_letter(winner: Winner) -> char {
    match winner {
        Winner::Banker => 'B',
        Winner::Player => 'P',
        Winner::Tie => 'T',
    }
}

fn side_letter(side: Side) -> char {
    match side {
        Side::Banker => 'B',
        Side::Player => 'P',
    }
}

fn mark_letter(mark: Mark) -> char {
    match mark {
        Mark::Red => 'r',
        Mark::Blue => 'b',
    }
}

fn lines() -> Vec<Value> {
    VECTORS.lines().map(|line| serde_json::from_str(line).expect("a vector line is JSON")).collect()
}

#[test]
fn every_field_of_every_vector_line_is_as_computed() {
    let lines = lines();
    assert_eq!(lines.len(), 91);
    for line in &lines {
        let told: Vec<String> = mismatches(line).iter().map(Mismatch::to_string).collect();
        assert!(told.is_empty(), "{} ({}):\n{}", line["id"], line["kind"], told.join("\n"));
    }
}

/// Where the vectors speak of the second convention, and of asking, they must really do so.
#[test]
fn vectors_reach_both_conventions_in_all_four_roads() {
    let lines = lines();
    for road in ["big", "big_eye", "small", "cockroach"] {
        assert!(lines.iter().any(|line| line[road]["cells_keep_row"].is_array()), "{road}");
        assert!(lines.iter().any(|line| line[road]["cells_keep_row"].is_null()), "{road}");
    }
    let steps = |line: &Value| line["ask_steps"].as_array().map_or(0, Vec::len);
    assert!(lines.iter().map(steps).sum::<usize>() > 3_000);
}

/// The comparison is no rubber stamp: each single value that is changed is reported.
#[test]
fn a_changed_value_anywhere_is_reported_at_its_place() {
    let line = lines().into_iter().find(|line| line["id"] == "seq-49").expect("seq-49 is there");
    let mut leaves = Vec::new();
    for key in ["outcomes", "bead", "big", "big_eye", "small", "cockroach", "ask", "ask_steps"] {
        collect_leaves(&format!("/{key}"), &line[key], &mut leaves);
    }
    assert!(leaves.len() > 1_000, "{}", leaves.len());
    let right = computed(&line, &outcomes_of(&line));
    for leaf in leaves {
        let mut wrong = line.clone();
        *wrong.pointer_mut(&leaf).expect("a leaf") = json!("changed");
        let mut found = Vec::new();
        compare("", &wrong, &right, &mut found);
        let fields: Vec<&str> = found.iter().map(|m| m.field.as_str()).collect();
        assert_eq!(fields, [leaf.as_str()]);
    }
}

fn outcomes_of(line: &Value) -> Vec<Outcome> {
    let rounds = line["rounds"].as_array().expect("rounds are a list");
    rounds.iter().map(|row| outcome(row).expect("a row of a round")).collect()
}

fn collect_leaves(path: &str, value: &Value, leaves: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(k, v)| collect_leaves(&format!("{path}/{k}"), v, leaves));
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(n, v)| collect_leaves(&format!("{path}/{n}"), v, leaves)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            leaves.push(path.to_owned());
        }
    }
}

#[test]
fn lines_that_are_no_vector_are_reported_and_do_not_panic() {
    let nonsense = [
        json!(null),
        json!([]),
        json!({ "rounds": 7 }),
        json!({ "rounds": [["X", 0, 0, 0, 0, 0, 0]] }),
        json!({ "rounds": [["B", 0, 300, 0, 0, 0, 0]] }),
        json!({ "rounds": [["B", 0, 7, 0, 0, 0, 2]] }),
        json!({ "rounds": [["B", 0, 7, 0, 0, 0]] }),
        json!({ "rounds": [["B", 0, 7, 0, 0, 0, 0, 0]] }),
        json!({ "rounds": [[]] }),
        json!({ "rounds": [] }),
    ];
    for line in nonsense {
        assert!(!mismatches(&line).is_empty(), "{line}");
    }
}
