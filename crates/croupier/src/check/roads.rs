//! Road maps: every field of a line computed anew from its results.

use games::baccarat::roads::{
    BeadPlate, BigRoad, BigRoadCell, Cell, Columns, DerivedRoad, DragonTail, Mark, MarkCell,
    RESULTS_MAX, ask, derived, draw_marks, runs,
};
use games::baccarat::{Outcome, Side, Winner};
use serde_json::{Value, json};

use super::baccarat::winner_letter;
use super::line::{differences, list, text, wrong_type};
use super::{Code, Fault};

/// Checks a line of `roads.jsonl`. Only `id` and `kind` are taken over.
pub(super) fn check(line: &Value) -> Result<Vec<Fault>, Fault> {
    let (id, kind) = (text(line, "", "id")?, text(line, "", "kind")?);
    let rounds = list(line, "", "rounds")?;
    if rounds.len() > RESULTS_MAX {
        let (most, got) = (json!(RESULTS_MAX), json!(rounds.len()));
        return Err(Fault::new(Code::TooManyResults, "/rounds", most, got));
    }
    let mut outcomes = Vec::new();
    for (place, row) in rounds.iter().enumerate() {
        outcomes.push(outcome(&format!("/rounds/{place}"), row)?);
    }
    let mut computed = computed(&outcomes);
    computed["id"] = json!(id);
    computed["kind"] = json!(kind);
    Ok(differences("", line, &computed))
}

/// Reads a row `[outcome, pt, bt, pn, bn, pp, bp]`.
fn outcome(path: &str, row: &Value) -> Result<Outcome, Fault> {
    let items = row.as_array().map_or(&[][..], Vec::as_slice);
    let [winner, player_total, banker_total, flags @ ..] = items else {
        return Err(wrong_type(path.to_owned(), "[outcome, pt, bt, pn, bn, pp, bp]", row));
    };
    let [player_natural, banker_natural, player_pair, banker_pair] = flags else {
        return Err(wrong_type(path.to_owned(), "[outcome, pt, bt, pn, bn, pp, bp]", row));
    };
    let at = |place: usize| format!("{path}/{place}");
    let outcome = Outcome {
        winner: winner_of(at(0), winner)?,
        player_total: number(at(1), player_total, 9)?,
        banker_total: number(at(2), banker_total, 9)?,
        player_natural: number(at(3), player_natural, 1)? == 1,
        banker_natural: number(at(4), banker_natural, 1)? == 1,
        player_pair: number(at(5), player_pair, 1)? == 1,
        banker_pair: number(at(6), banker_pair, 1)? == 1,
    };
    if is_possible(&outcome) {
        return Ok(outcome);
    }
    let expected = json!("the higher total wins, and a natural is an eight or nine");
    Err(Fault::new(Code::Contradiction, path, expected, row.clone()))
}

fn winner_of(path: String, value: &Value) -> Result<Winner, Fault> {
    let letter = value.as_str().ok_or_else(|| wrong_type(path.clone(), "a text", value))?;
    let known = [Winner::Banker, Winner::Player, Winner::Tie].into_iter();
    let winner = known.into_iter().find(|w| winner_letter(*w).to_string() == letter);
    let unknown = || Fault::new(Code::UnknownValue, path, json!("B, P or T"), value.clone());
    winner.ok_or_else(unknown)
}

fn number(path: String, value: &Value, most: u8) -> Result<u8, Fault> {
    let number = value.as_u64().ok_or_else(|| wrong_type(path.clone(), "a number", value))?;
    let known = u8::try_from(number).ok().filter(|number| *number <= most);
    let expected = json!(format!("0 to {most}"));
    known.ok_or_else(|| Fault::new(Code::UnknownValue, path, expected, value.clone()))
}

/// True if the winner has the higher total and naturals are eights and nines.
fn is_possible(outcome: &Outcome) -> bool {
    let ahead = outcome.player_total.cmp(&outcome.banker_total);
    let winner = match outcome.winner {
        Winner::Player => ahead.is_gt(),
        Winner::Banker => ahead.is_lt(),
        Winner::Tie => ahead.is_eq(),
    };
    let natural = |flag: bool, total: u8| !flag || total >= 8;
    winner
        && natural(outcome.player_natural, outcome.player_total)
        && natural(outcome.banker_natural, outcome.banker_total)
}

/// The whole line as the roads on the screens are computed.
fn computed(outcomes: &[Outcome]) -> Value {
    let columns = Columns::of(outcomes);
    let rows: Vec<Value> = outcomes.iter().map(row).collect();
    let steps: Vec<String> = (0..=outcomes.len()).map(|n| ask_step(&outcomes[..n])).collect();
    json!({
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
