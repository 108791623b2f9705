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
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
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
    /// Every result.
    pub bead_plate: BeadPlate,
    /// The streaks.
    pub big_road: BigRoad,
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
            bead_plate: BeadPlate::of(outcomes),
            big_road: BigRoad::draw(&columns, tail),
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
