//! Road maps: the results of one shoe as players read them (BAC-140 to BAC-145).
//!
//! Everything here is computed anew from the list of outcomes, oldest first, so a voided or
//! corrected coup simply gives another list and another road. [`Columns`] are the logical streaks;
//! the three derived roads are computed from them alone. Drawing comes last: [`grid`] gives cells,
//! and nothing takes cells.
//!
//! ```
//! use games::baccarat::roads::{Columns, DerivedRoad, Mark, derived};
//! # use games::baccarat::{Outcome, Winner};
//! # let coup = |winner| Outcome { winner, player_total: 0, banker_total: 0,
//! #     player_natural: false, banker_natural: false, player_pair: false, banker_pair: false };
//! let columns = Columns::of(&[Winner::Banker, Winner::Player, Winner::Player].map(coup));
//! assert_eq!(columns.lengths(), [1, 2]);
//! assert_eq!(derived(&columns, DerivedRoad::BigEyeBoy), [Mark::Blue]);
//! ```

use serde::{Deserialize, Serialize};

use super::{Outcome, Side, Winner};

/// How many rows every road has.
pub const ROWS: usize = 6;

/// How many results a road shows at most; of a longer list the oldest are left out ([`recent`]).
/// A shoe of twelve decks gives no more than 156.
pub const RESULTS_MAX: usize = 1_000;

/// How many results the roads of a continuous shuffler keep (BAC-28), for use with [`recent`].
pub const CONTINUOUS_RESULTS: usize = 200;

/// The last `least` results and up to five older ones: what is left out goes by whole columns of
/// the bead plate, so that no bead ever changes its row.
pub fn recent(outcomes: &[Outcome], least: usize) -> &[Outcome] {
    let left_out = outcomes.len().saturating_sub(least) / ROWS * ROWS;
    &outcomes[left_out..]
}

fn within_bounds(outcomes: &[Outcome]) -> &[Outcome] {
    recent(outcomes, RESULTS_MAX - (ROWS - 1))
}

/// A place in a drawn road. Column 0 is the leftmost, row 0 the topmost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cell {
    /// Counted from the left, without limit; what a window shows of it is the screen's business.
    pub column: usize,
    /// 0 ..= 5.
    pub row: usize,
}

/// How a streak goes on once it has turned right. Both conventions are in use; they differ only
/// where two tails meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DragonTail {
    /// It goes down again as soon as the cell below is free.
    #[default]
    DropsAgain,
    /// It stays in its row.
    KeepsRow,
}

/// Where the entries of runs of these lengths are drawn, in their order.
///
/// The first entry of a run takes the top of the first free column right of the top of the run
/// before. Every further entry goes down, or right where the cell below is taken or there is no
/// row left (BAC-142). Draws one cell more than [`RESULTS_MAX`] at most.
pub fn grid(lengths: &[usize], tail: DragonTail) -> Vec<Cell> {
    let mut pen = Pen::default();
    let places = lengths.iter().flat_map(|&length| 0..length).take(RESULTS_MAX + 1);
    places.map(|place| if place == 0 { pen.start() } else { pen.go_on(tail) }).collect()
}

/// Draws one entry after the other.
#[derive(Default)]
struct Pen {
    taken: Vec<[bool; ROWS]>,
    next_start: usize,
    at: Cell,
    turned: bool,
}

impl Pen {
    fn is_free(&self, cell: Cell) -> bool {
        cell.row < ROWS && !self.taken.get(cell.column).is_some_and(|column| column[cell.row])
    }

    fn start(&mut self) -> Cell {
        let mut top = Cell { column: self.next_start, row: 0 };
        while !self.is_free(top) {
            top.column += 1;
        }
        self.next_start = top.column + 1;
        self.turned = false;
        self.mark(top)
    }

    fn go_on(&mut self, tail: DragonTail) -> Cell {
        let below = Cell { row: self.at.row + 1, ..self.at };
        let may_drop = match tail {
            DragonTail::DropsAgain => true,
            DragonTail::KeepsRow => !self.turned,
        };
        if may_drop && self.is_free(below) {
            return self.mark(below);
        }
        self.turned = true;
        self.mark(Cell { column: self.at.column + 1, ..self.at })
    }

    /// The cell is free: streaks run right and down only, and a younger one starts further right,
    /// so it would have had to cross an older one to find it on its right.
    fn mark(&mut self, cell: Cell) -> Cell {
        assert!(self.is_free(cell), "two entries of a road at one place: {cell:?}");
        if self.taken.len() <= cell.column {
            self.taken.resize(cell.column + 1, [false; ROWS]);
        }
        self.taken[cell.column][cell.row] = true;
        self.at = cell;
        cell
    }
}

/// One result on the bead plate (BAC-141).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Bead {
    /// Where it lies: columns of six, filled one after the other.
    pub cell: Cell,
    /// Red, blue or green.
    pub winner: Winner,
    /// The winner's total; for a tie the common total.
    pub score: u8,
    /// The winner, or on a tie both, had an eight or nine with two cards.
    pub natural: bool,
    /// The red dot, top left.
    pub banker_pair: bool,
    /// The blue dot, bottom right.
    pub player_pair: bool,
}

/// The bead plate: every result, ties included, in columns of six (BAC-141).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BeadPlate {
    /// Oldest first.
    pub beads: Vec<Bead>,
}

impl BeadPlate {
    /// Lays a bead for each result.
    pub fn of(outcomes: &[Outcome]) -> BeadPlate {
        let lay = |(place, outcome): (usize, &Outcome)| Bead {
            cell: Cell { column: place / ROWS, row: place % ROWS },
            winner: outcome.winner,
            score: score(outcome),
            natural: is_natural(outcome),
            banker_pair: outcome.banker_pair,
            player_pair: outcome.player_pair,
        };
        BeadPlate { beads: within_bounds(outcomes).iter().enumerate().map(lay).collect() }
    }

    /// What a plate of so many columns shows: the last columns, scrolled by whole columns, so that
    /// every bead stays in its row.
    pub fn window(&self, columns: usize) -> &[Bead] {
        let gone = self.beads.len().div_ceil(ROWS).saturating_sub(columns);
        &self.beads[(gone * ROWS).min(self.beads.len())..]
    }
}

fn score(outcome: &Outcome) -> u8 {
    outcome.player_total.max(outcome.banker_total)
}

fn is_natural(outcome: &Outcome) -> bool {
    outcome.player_natural || outcome.banker_natural
}

/// The ties marked on one entry of the big road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TieMarks {
    /// How many.
    pub count: usize,
    /// The Banker had a pair in one of them.
    pub banker_pair: bool,
    /// The Player had a pair in one of them.
    pub player_pair: bool,
}

impl TieMarks {
    fn add(&mut self, tie: &Outcome) {
        self.count += 1;
        self.banker_pair |= tie.banker_pair;
        self.player_pair |= tie.player_pair;
    }
}

/// One result on the big road that was no tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Entry {
    /// Which result it is, counted from 0 in the list of outcomes.
    pub result: usize,
    /// Who won: red for the Banker, blue for the Player.
    pub side: Side,
    /// The winner's total.
    pub score: u8,
    /// The winner had an eight or nine with two cards.
    pub natural: bool,
    /// The Banker had a pair in this coup.
    pub banker_pair: bool,
    /// The Player had a pair in this coup.
    pub player_pair: bool,
}

/// A logical column of the big road: wins of one side in a row, ties skipped, of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streak {
    /// Who won them all.
    pub side: Side,
    /// At least one, oldest first, each with the ties that came after it. The very first entry
    /// also carries the ties before it.
    pub entries: Vec<(Entry, TieMarks)>,
}

/// The logical columns of the big road (BAC-142): the only thing derived roads are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    leading_ties: TieMarks,
    streaks: Vec<Streak>,
}

impl Columns {
    /// Sorts the results into streaks.
    pub fn of(outcomes: &[Outcome]) -> Columns {
        let shown = within_bounds(outcomes);
        let left_out = outcomes.len() - shown.len();
        let mut columns = Columns::default();
        for (place, outcome) in shown.iter().enumerate() {
            match outcome.winner {
                Winner::Banker => columns.win(Side::Banker, left_out + place, outcome),
                Winner::Player => columns.win(Side::Player, left_out + place, outcome),
                Winner::Tie => columns.tie(outcome),
            }
        }
        columns
    }

    /// The ties before the first win. They are already among the marks of the first entry, if
    /// there is one.
    pub fn leading_ties(&self) -> TieMarks {
        self.leading_ties
    }

    /// The streaks, oldest first; neighbours are of different sides.
    pub fn streaks(&self) -> &[Streak] {
        &self.streaks
    }

    /// How long each streak is.
    pub fn lengths(&self) -> Vec<usize> {
        self.streaks.iter().map(|streak| streak.entries.len()).collect()
    }

    fn win(&mut self, side: Side, result: usize, outcome: &Outcome) {
        let entry = Entry {
            result,
            side,
            score: score(outcome),
            natural: is_natural(outcome),
            banker_pair: outcome.banker_pair,
            player_pair: outcome.player_pair,
        };
        match self.streaks.last_mut() {
            Some(streak) if streak.side == side => {
                streak.entries.push((entry, TieMarks::default()));
            }
            Some(_) => {
                self.streaks.push(Streak { side, entries: vec![(entry, TieMarks::default())] });
            }
            None => self.streaks.push(Streak { side, entries: vec![(entry, self.leading_ties)] }),
        }
    }

    fn tie(&mut self, outcome: &Outcome) {
        match self.streaks.last_mut().and_then(|streak| streak.entries.last_mut()) {
            Some((_, ties)) => ties.add(outcome),
            None => self.leading_ties.add(outcome),
        }
    }

    /// The column and row, both logical, where the next win of this side belongs.
    fn next_place(&self, side: Side) -> (usize, usize) {
        match self.streaks.last() {
            Some(streak) if streak.side == side => (self.streaks.len() - 1, streak.entries.len()),
            Some(_) | None => (self.streaks.len(), 0),
        }
    }
}

/// One cell of the drawn big road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BigRoadCell {
    /// Where it is drawn.
    pub cell: Cell,
    /// The win drawn there. None in the one cell that shows ties before any win.
    pub entry: Option<Entry>,
    /// The ties marked on it.
    pub ties: TieMarks,
}

/// The drawn big road (BAC-142).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BigRoad {
    /// In the order of play.
    pub cells: Vec<BigRoadCell>,
}

impl BigRoad {
    /// Draws the streaks.
    pub fn draw(columns: &Columns, tail: DragonTail) -> BigRoad {
        let leading = columns.leading_ties;
        if columns.streaks.is_empty() && leading.count > 0 {
            let only = BigRoadCell { cell: Cell::default(), entry: None, ties: leading };
            return BigRoad { cells: vec![only] };
        }
        let entries = columns.streaks.iter().flat_map(|streak| &streak.entries);
        let cells = entries
            .zip(grid(&columns.lengths(), tail))
            .map(|(&(entry, ties), cell)| BigRoadCell { cell, entry: Some(entry), ties })
            .collect();
        BigRoad { cells }
    }
}

/// The roads derived from the big road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DerivedRoad {
    /// Compares with the column one to the left.
    BigEyeBoy,
    /// Compares with the column two to the left.
    SmallRoad,
    /// Compares with the column three to the left.
    CockroachRoad,
}

impl DerivedRoad {
    /// All three, in the order they are shown.
    pub const ALL: [DerivedRoad; 3] =
        [DerivedRoad::BigEyeBoy, DerivedRoad::SmallRoad, DerivedRoad::CockroachRoad];

    /// How many columns to the left it compares with.
    pub const fn offset(self) -> usize {
        match self {
            DerivedRoad::BigEyeBoy => 1,
            DerivedRoad::SmallRoad => 2,
            DerivedRoad::CockroachRoad => 3,
        }
    }
}

/// A mark of a derived road. The colours say nothing about Banker and Player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Regular.
    Red,
    /// Irregular.
    Blue,
}

/// The marks of a derived road, oldest first (BAC-143).
pub fn derived(columns: &Columns, road: DerivedRoad) -> Vec<Mark> {
    let lengths = columns.lengths();
    let places =
        lengths.iter().enumerate().flat_map(|(c, &length)| (0..length).map(move |r| (c, r)));
    places.filter_map(|(column, row)| mark_at(&lengths, column, row, road)).collect()
}

/// The mark for the big road's entry at a logical column and row, if there is something to compare
/// with. Reads the lengths of finished columns only, those left of `column`.
fn mark_at(lengths: &[usize], column: usize, row: usize, road: DerivedRoad) -> Option<Mark> {
    let is_regular = match row {
        0 => {
            let finished = column.checked_sub(1)?;
            let compared = finished.checked_sub(road.offset())?;
            lengths[finished] == lengths[compared]
        }
        _ => lengths[column.checked_sub(road.offset())?] != row,
    };
    Some(if is_regular { Mark::Red } else { Mark::Blue })
}

/// The runs of equal marks, oldest first: the logical columns of a derived road.
pub fn runs(marks: &[Mark]) -> Vec<(Mark, usize)> {
    marks.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

/// One cell of a drawn derived road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MarkCell {
    /// Where it is drawn.
    pub cell: Cell,
    /// Red or blue.
    pub mark: Mark,
}

/// Draws the marks of a derived road like a big road of two colours.
pub fn draw_marks(marks: &[Mark], tail: DragonTail) -> Vec<MarkCell> {
    let lengths: Vec<usize> = runs(marks).into_iter().map(|(_, length)| length).collect();
    let cells = grid(&lengths, tail).into_iter();
    cells.zip(marks).map(|(cell, &mark)| MarkCell { cell, mark }).collect()
}

/// What the roads would show if the next result were a win of one side (BAC-145). It says nothing
/// about what the next result will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Asked {
    /// The next cell of the big road.
    pub big_road: Cell,
    /// The next mark of the big eye boy; none if it would get none.
    pub big_eye_boy: Option<MarkCell>,
    /// The next mark of the small road; none if it would get none.
    pub small_road: Option<MarkCell>,
    /// The next mark of the cockroach road; none if it would get none.
    pub cockroach_road: Option<MarkCell>,
}

impl Asked {
    /// What one derived road would get.
    pub const fn on(&self, road: DerivedRoad) -> Option<MarkCell> {
        match road {
            DerivedRoad::BigEyeBoy => self.big_eye_boy,
            DerivedRoad::SmallRoad => self.small_road,
            DerivedRoad::CockroachRoad => self.cockroach_road,
        }
    }
}

/// Asks the road for a win of this side.
pub fn ask(columns: &Columns, side: Side, tail: DragonTail) -> Asked {
    let (column, row) = columns.next_place(side);
    let lengths = columns.lengths();
    let next = |road| {
        let mut marks = derived(columns, road);
        marks.push(mark_at(&lengths, column, row, road)?);
        draw_marks(&marks, tail).pop()
    };
    let mut longer = lengths.clone();
    match row {
        0 => longer.push(1),
        _ => longer[column] += 1,
    }
    Asked {
        big_road: grid(&longer, tail).pop().unwrap_or_default(),
        big_eye_boy: next(DerivedRoad::BigEyeBoy),
        small_road: next(DerivedRoad::SmallRoad),
        cockroach_road: next(DerivedRoad::CockroachRoad),
    }
}

/// Both buttons of the ask-road (BAC-145).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AskRoad {
    /// If the Banker won next.
    pub banker: Asked,
    /// If the Player won next.
    pub player: Asked,
}

/// What was counted since the shoe began (BAC-144).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Statistics {
    /// Results in all.
    pub results: usize,
    /// Wins of the Banker.
    pub banker: usize,
    /// Wins of the Player.
    pub player: usize,
    /// Ties.
    pub tie: usize,
    /// Pairs of the Banker, whoever won.
    pub banker_pair: usize,
    /// Pairs of the Player, whoever won.
    pub player_pair: usize,
    /// Naturals of the Banker, whoever won.
    pub banker_natural: usize,
    /// Naturals of the Player, whoever won.
    pub player_natural: usize,
}

impl Statistics {
    /// Counts all the results given.
    pub fn of(outcomes: &[Outcome]) -> Statistics {
        let count = |counts: fn(&Outcome) -> bool| outcomes.iter().filter(|o| counts(o)).count();
        Statistics {
            results: outcomes.len(),
            banker: count(|o| o.winner == Winner::Banker),
            player: count(|o| o.winner == Winner::Player),
            tie: count(|o| o.winner == Winner::Tie),
            banker_pair: count(|o| o.banker_pair),
            player_pair: count(|o| o.player_pair),
            banker_natural: count(|o| o.banker_natural),
            player_natural: count(|o| o.player_natural),
        }
    }
}

/// All roads of one shoe, ready to draw (BAC-140).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RoadMaps {
    /// Every result, oldest first.
    pub bead_plate: Vec<Bead>,
    /// The streaks, in the order of play.
    pub big_road: Vec<BigRoadCell>,
    /// Derived with offset one.
    pub big_eye_boy: Vec<MarkCell>,
    /// Derived with offset two.
    pub small_road: Vec<MarkCell>,
    /// Derived with offset three.
    pub cockroach_road: Vec<MarkCell>,
    /// The ask-road; none where the house does not offer it (STD-108).
    pub ask_road: Option<AskRoad>,
    /// The counts.
    pub statistics: Statistics,
}

impl RoadMaps {
    /// Draws all roads.
    pub fn of(outcomes: &[Outcome], tail: DragonTail) -> RoadMaps {
        let columns = Columns::of(outcomes);
        let drawn = |road| draw_marks(&derived(&columns, road), tail);
        let ask_road = AskRoad {
            banker: ask(&columns, Side::Banker, tail),
            player: ask(&columns, Side::Player, tail),
        };
        RoadMaps {
            bead_plate: BeadPlate::of(outcomes).beads,
            big_road: BigRoad::draw(&columns, tail).cells,
            big_eye_boy: drawn(DerivedRoad::BigEyeBoy),
            small_road: drawn(DerivedRoad::SmallRoad),
            cockroach_road: drawn(DerivedRoad::CockroachRoad),
            ask_road: Some(ask_road),
            statistics: Statistics::of(outcomes),
        }
    }

    /// The same without the ask-road.
    pub fn without_ask_road(self) -> RoadMaps {
        RoadMaps { ask_road: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    use super::*;

    fn coup(letter: char) -> Outcome {
        let (winner, player_total, banker_total) = match letter {
            'B' => (Winner::Banker, 2, 7),
            'P' => (Winner::Player, 6, 1),
            'T' => (Winner::Tie, 5, 5),
            other => panic!("no result is written {other}"),
        };
        Outcome {
            winner,
            player_total,
            banker_total,
            player_natural: false,
            banker_natural: false,
            player_pair: false,
            banker_pair: false,
        }
    }

    fn shoe(letters: &str) -> Vec<Outcome> {
        letters.chars().map(coup).collect()
    }

    fn marks(letters: &str, road: DerivedRoad) -> String {
        let letter = |mark| match mark {
            Mark::Red => 'r',
            Mark::Blue => 'b',
        };
        derived(&Columns::of(&shoe(letters)), road).into_iter().map(letter).collect()
    }

    /// Cells as (column, row).
    fn big_road(letters: &str, tail: DragonTail) -> Vec<(usize, usize)> {
        let road = BigRoad::draw(&Columns::of(&shoe(letters)), tail);
        road.cells.iter().map(|drawn| (drawn.cell.column, drawn.cell.row)).collect()
    }

    fn tie_counts(letters: &str) -> Vec<(Option<Side>, usize)> {
        let road = BigRoad::draw(&Columns::of(&shoe(letters)), DragonTail::default());
        road.cells.iter().map(|drawn| (drawn.entry.map(|e| e.side), drawn.ties.count)).collect()
    }

    #[test]
    fn case_15_a_tail_turns_before_an_older_tail_of_its_own_colour() {
        for tail in [DragonTail::DropsAgain, DragonTail::KeepsRow] {
            let cells = big_road("BBBBBBBBPBBBBBB", tail);
            let first = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)];
            assert_eq!(cells[..8], first);
            assert_eq!(cells[8], (1, 0));
            assert_eq!(cells[9..], [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 4)]);
        }
    }

    #[test]
    fn case_16_a_turned_tail_drops_again_or_keeps_its_row() {
        let shoe = "BBBBBBBBPBBBBBBB";
        assert_eq!(big_road(shoe, DragonTail::DropsAgain)[14..], [(3, 4), (3, 5)]);
        assert_eq!(big_road(shoe, DragonTail::KeepsRow)[14..], [(3, 4), (4, 4)]);
        // The shortest case, and one where the dropped tail goes on in the lowest row.
        let (seven, ten) = ("BBBBBBBPPPPPPP", "BBBBBBBBBPPPPPPPPPP");
        assert_eq!(big_road(seven, DragonTail::DropsAgain)[12..], [(2, 4), (2, 5)]);
        assert_eq!(big_road(seven, DragonTail::KeepsRow)[12..], [(2, 4), (3, 4)]);
        assert_eq!(big_road(ten, DragonTail::DropsAgain)[16..], [(4, 4), (4, 5), (5, 5)]);
        assert_eq!(big_road(ten, DragonTail::KeepsRow)[16..], [(4, 4), (5, 4), (6, 4)]);
    }

    #[test]
    fn case_18_leading_ties_wait_for_the_first_win() {
        assert_eq!(tie_counts("TT"), [(None, 2)]);
        assert_eq!(big_road("TT", DragonTail::default()), [(0, 0)]);
        let maps = RoadMaps::of(&shoe("TT"), DragonTail::default());
        assert_eq!(maps.big_eye_boy.len() + maps.small_road.len() + maps.cockroach_road.len(), 0);
        assert_eq!(tie_counts("TTB"), [(Some(Side::Banker), 2)]);
        assert_eq!(big_road("TTB", DragonTail::default()), [(0, 0)]);
        assert_eq!(tie_counts("TTBTP"), [(Some(Side::Banker), 3), (Some(Side::Player), 0)]);
    }

    #[test]
    fn case_19_later_ties_are_added_to_the_right_entry() {
        let [banker, player] = [Some(Side::Banker), Some(Side::Player)];
        assert_eq!(tie_counts("BTBTP"), [(banker, 1), (banker, 1), (player, 0)]);
        assert_eq!(big_road("BTBTP", DragonTail::default()), [(0, 0), (0, 1), (1, 0)]);
        assert_eq!(tie_counts("BTTPT"), [(banker, 2), (player, 1)]);
    }

    #[test]
    fn case_21_the_bead_plate_scrolls_by_whole_columns() {
        let full = BeadPlate::of(&shoe(&"BPTBPP".repeat(6)));
        assert_eq!(full.window(6), full.beads);
        let plate = BeadPlate::of(&shoe(&("BPTBPP".repeat(6) + "T")));
        let window = plate.window(6);
        assert_eq!(window.len(), 31);
        assert_eq!(window[..30], full.beads[6..]);
        assert_eq!(window[30].cell, Cell { column: 6, row: 0 });
        assert_eq!(plate.window(0), []);
        assert_eq!(plate.window(usize::MAX), plate.beads);
    }

    #[test]
    fn case_22_derived_roads_start_beside_the_second_entry_else_at_the_next_column() {
        assert_eq!(marks("BPB", DerivedRoad::BigEyeBoy), "r");
        assert_eq!(marks("BPP", DerivedRoad::BigEyeBoy), "b");
        assert_eq!(marks("BP", DerivedRoad::BigEyeBoy), "");
        assert_eq!(marks("BPBP", DerivedRoad::SmallRoad), "r");
        assert_eq!(marks("BPBB", DerivedRoad::SmallRoad), "b");
        assert_eq!(marks("BPB", DerivedRoad::SmallRoad), "");
        assert_eq!(marks("BPBPB", DerivedRoad::CockroachRoad), "r");
        assert_eq!(marks("BPBPP", DerivedRoad::CockroachRoad), "b");
        assert_eq!(marks("BPBP", DerivedRoad::CockroachRoad), "");
    }

    #[test]
    fn case_24_a_corrected_and_a_voided_coup_give_another_road() {
        let mut results = shoe("BBPBPP");
        results[2] = coup('B');
        results.remove(4);
        let maps = RoadMaps::of(&results, DragonTail::default());
        assert_eq!(maps, RoadMaps::of(&shoe("BBBBP"), DragonTail::default()));
        assert_eq!(Columns::of(&results).lengths(), [4, 1]);
        assert_eq!(maps.big_eye_boy.len() + maps.small_road.len() + maps.cockroach_road.len(), 0);
    }

    #[test]
    fn case_25_a_new_shoe_begins_with_empty_roads() {
        let nothing = RoadMaps::of(&[], DragonTail::default());
        assert!(nothing.bead_plate.is_empty() && nothing.big_road.is_empty());
        assert_eq!(nothing.statistics, Statistics::default());
        let (old, new) = (shoe("PPB"), shoe("B"));
        assert_eq!(Columns::of(&old).lengths(), [2, 1]);
        let first = RoadMaps::of(&new, DragonTail::default()).big_road[0];
        assert_eq!(first.cell, Cell { column: 0, row: 0 });
        assert_eq!(first.entry.map(|entry| (entry.side, entry.result)), Some((Side::Banker, 0)));
    }

    #[test]
    fn the_worked_example_and_its_two_questions() {
        let letters = "BBTPBBBPPPP";
        assert_eq!(marks(letters, DerivedRoad::BigEyeBoy), "bbrbrrb");
        assert_eq!(marks(letters, DerivedRoad::SmallRoad), "rbbbrr");
        assert_eq!(marks(letters, DerivedRoad::CockroachRoad), "rbr");
        let columns = Columns::of(&shoe(letters));
        for (side, mark) in [(Side::Player, Mark::Red), (Side::Banker, Mark::Blue)] {
            let asked = ask(&columns, side, DragonTail::default());
            for road in DerivedRoad::ALL {
                assert_eq!(asked.on(road).map(|next| next.mark), Some(mark), "{road:?}");
            }
        }
    }

    #[test]
    fn statistics_count_pairs_and_naturals_whoever_won() {
        let mut results = shoe("BBPT");
        results[0].player_pair = true;
        results[2].banker_natural = true;
        results[3].banker_pair = true;
        results[3].player_pair = true;
        let counted = Statistics::of(&results);
        let expected = Statistics {
            results: 4,
            banker: 2,
            player: 1,
            tie: 1,
            banker_pair: 1,
            player_pair: 2,
            banker_natural: 1,
            player_natural: 0,
        };
        assert_eq!(counted, expected);
    }

    #[test]
    fn a_list_that_is_too_long_loses_whole_bead_columns() {
        for length in [RESULTS_MAX - 5, RESULTS_MAX, RESULTS_MAX + 1, 3 * RESULTS_MAX + 2] {
            let results = shoe(&"BPPTBB".repeat(length / 6 + 1)[..length]);
            let plate = BeadPlate::of(&results);
            let left_out = length - plate.beads.len();
            assert_eq!(left_out % ROWS, 0);
            assert!((RESULTS_MAX - 5..=RESULTS_MAX).contains(&plate.beads.len()));
            let columns = Columns::of(&results);
            assert_eq!(columns.streaks()[0].entries[0].0.result, left_out);
        }
        let streak = Columns::of(&shoe(&"B".repeat(2 * RESULTS_MAX)));
        let drawn = BigRoad::draw(&streak, DragonTail::default()).cells.len();
        let last = ask(&streak, Side::Banker, DragonTail::default()).big_road;
        assert_eq!(last, Cell { column: drawn - 5, row: 5 });
        assert_eq!(recent(&shoe(&"P".repeat(207)), CONTINUOUS_RESULTS).len(), 201);
        assert_eq!(grid(&[usize::MAX, 3], DragonTail::default()).len(), RESULTS_MAX + 1);
        assert_eq!(grid(&[0, 2, 0], DragonTail::default()).len(), 2);
    }

    #[test]
    fn the_screens_get_plain_fields() {
        let mut results = shoe("TB");
        results[0].player_pair = true;
        let maps = RoadMaps::of(&results, DragonTail::default()).without_ask_road();
        let big_road = &serde_json::to_value(&maps).expect("road maps are JSON")["big_road"];
        let expected = serde_json::json!([{
            "cell": { "column": 0, "row": 0 },
            "entry": {
                "result": 1, "side": "banker", "score": 7, "natural": false,
                "banker_pair": false, "player_pair": false,
            },
            "ties": { "count": 1, "banker_pair": false, "player_pair": true },
        }]);
        assert_eq!(*big_road, expected);
    }

    /// Shoes from choppy to sticky: from the second letter on, each result changes the side, goes
    /// on or is a tie, with a weight that differs from shoe to shoe.
    fn any_shoe() -> impl Strategy<Value = Vec<Outcome>> {
        (1u32..20, 0u32..6).prop_flat_map(|(sticky, tie)| {
            let step = prop_oneof![sticky => Just('s'), 4 => Just('c'), tie => Just('T')];
            prop::collection::vec(step, 0..120).prop_map(|steps| {
                let mut side = 'B';
                let mut results = Vec::new();
                for step in steps {
                    side = match (step, side) {
                        ('c', 'B') => 'P',
                        ('c', _) => 'B',
                        (_, same) => same,
                    };
                    results.push(coup(if step == 'T' { 'T' } else { side }));
                }
                results
            })
        })
    }

    /// Runs a law on many shoes and returns how often it reached what it is about.
    fn reached(law: impl Fn(&[Outcome]) -> Result<bool, TestCaseError>) -> usize {
        let reached = std::cell::Cell::new(0);
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
        TestRunner::new(config)
            .run(&any_shoe(), |results| {
                reached.set(reached.get() + usize::from(law(&results)?));
                Ok(())
            })
            .unwrap_or_else(|failure| panic!("{failure}"));
        reached.get()
    }

    #[test]
    fn ties_on_the_road_are_the_ties_in_the_shoe() {
        let with_ties = reached(|results| {
            let road = BigRoad::draw(&Columns::of(results), DragonTail::default());
            let marked: usize = road.cells.iter().map(|drawn| drawn.ties.count).sum();
            prop_assert_eq!(marked, Statistics::of(results).tie);
            Ok(marked > 0)
        });
        assert!(with_ties > 20, "{with_ties}");
    }

    #[test]
    fn column_lengths_sum_to_the_wins_and_neighbours_differ() {
        let several = reached(|results| {
            let columns = Columns::of(results);
            let counted = Statistics::of(results);
            let lengths = columns.lengths();
            prop_assert_eq!(lengths.iter().sum::<usize>(), counted.banker + counted.player);
            prop_assert!(columns.streaks().windows(2).all(|two| two[0].side != two[1].side));
            prop_assert!(lengths.iter().all(|&length| length > 0));
            Ok(lengths.len() > 1)
        });
        assert!(several > 20, "{several}");
    }

    #[test]
    fn no_two_cells_share_a_place_and_all_lie_in_six_rows() {
        let conventions_differ = reached(|results| {
            let columns = Columns::of(results);
            let mut drawn = Vec::new();
            for tail in [DragonTail::DropsAgain, DragonTail::KeepsRow] {
                let cells = grid(&columns.lengths(), tail);
                let places: BTreeSet<Cell> = cells.iter().copied().collect();
                prop_assert_eq!(places.len(), cells.len());
                prop_assert!(cells.iter().all(|cell| cell.row < ROWS));
                for road in DerivedRoad::ALL {
                    let marks = draw_marks(&derived(&columns, road), tail);
                    let places: BTreeSet<Cell> = marks.iter().map(|mark| mark.cell).collect();
                    prop_assert_eq!(places.len(), marks.len());
                }
                drawn.push(cells);
            }
            Ok(drawn[0] != drawn[1])
        });
        assert!(conventions_differ > 5, "{conventions_differ}");
    }

    #[test]
    fn the_two_questions_are_both_unanswered_or_of_opposite_colours() {
        let answered = reached(|results| {
            let columns = Columns::of(results);
            let [banker, player] =
                [Side::Banker, Side::Player].map(|side| ask(&columns, side, DragonTail::default()));
            for road in DerivedRoad::ALL {
                let marks = (banker.on(road), player.on(road));
                let opposite = match marks {
                    (None, None) => true,
                    (Some(a), Some(b)) => a.mark != b.mark,
                    (Some(_), None) | (None, Some(_)) => false,
                };
                prop_assert!(opposite, "{:?} {:?}", road, marks);
            }
            Ok(DerivedRoad::ALL.iter().all(|&road| banker.on(road).is_some()))
        });
        assert!(answered > 20, "{answered}");
    }

    /// What was asked is what is drawn once it has happened.
    #[test]
    fn the_answer_is_what_the_next_result_draws() {
        let answered = reached(|results| {
            let columns = Columns::of(results);
            let mut answers = 0;
            for (side, letter) in [(Side::Banker, 'B'), (Side::Player, 'P')] {
                for tail in [DragonTail::DropsAgain, DragonTail::KeepsRow] {
                    let asked = ask(&columns, side, tail);
                    let longer = [results, &[coup(letter)]].concat();
                    let next = Columns::of(&longer);
                    let last = BigRoad::draw(&next, tail).cells.last().map(|drawn| drawn.cell);
                    prop_assert_eq!(last, Some(asked.big_road));
                    for road in DerivedRoad::ALL {
                        let before = derived(&columns, road).len();
                        let drawn = draw_marks(&derived(&next, road), tail);
                        prop_assert_eq!(drawn.get(before).copied(), asked.on(road));
                        answers += drawn.len() - before;
                    }
                }
            }
            Ok(answers > 0)
        });
        assert!(answered > 20, "{answered}");
    }

    /// The rule as it is printed beside the screens: look left, at this place and the one above;
    /// and a new column gets the opposite of what the old one would have got, had it gone on.
    fn mark_by_looking(
        lengths: &[usize],
        column: usize,
        row: usize,
        offset: usize,
    ) -> Option<Mark> {
        if row == 0 {
            let old = column.checked_sub(1)?;
            return mark_by_looking(lengths, old, lengths[old], offset).map(|mark| match mark {
                Mark::Red => Mark::Blue,
                Mark::Blue => Mark::Red,
            });
        }
        let length = lengths[column.checked_sub(offset)?];
        let is_there = |row: usize| row < length;
        Some(if is_there(row) == is_there(row - 1) { Mark::Red } else { Mark::Blue })
    }

    #[test]
    fn marks_are_those_found_by_looking_left() {
        let straight_down = reached(|results| {
            let columns = Columns::of(results);
            let lengths = columns.lengths();
            for road in DerivedRoad::ALL {
                let mut looked = Vec::new();
                for (column, &length) in lengths.iter().enumerate() {
                    let offset = road.offset();
                    let look = |row| mark_by_looking(&lengths, column, row, offset);
                    looked.extend((0..length).filter_map(look));
                }
                prop_assert_eq!(derived(&columns, road), looked);
            }
            Ok(lengths.windows(2).any(|two| two[1] > two[0] + 1 && two[1] > ROWS))
        });
        assert!(straight_down > 20, "{straight_down}");
    }
}
