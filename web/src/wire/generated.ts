// Generated from the house's own types; `make types` writes it anew.

export type Code = string;

export type Phase = "closed" | "prepare" | "ready" | "betting" | "last-call" | "no-more-bets" | "dealing" | "decision" | "drawing" | "declared" | "settled" | "voided";

export type DealtBy = "robot" | "dealer";

export type VoidReason = { "pit": string } | "sealed-order-lost" | "out-of-cards";

export type GameName = "baccarat";

export type Ending = "won" | "pushed" | "lost" | "carried";

export type Step = "inspect" | "wash" | "shuffle" | "cut" | "place-white-card" | "load";

export type AnyOutcome = { "baccarat": Outcome };

export type Due = { "due": "turned" } | { "due": "burn", left: number, } | { "due": "white-card" } | { "due": "card", side: Side, nth: number, face_down: boolean, };

export type Side = "player" | "banker";

export type Winner = "player" | "banker" | "tie";

export type Outcome = { winner: Winner, player_total: number, banker_total: number, player_natural: boolean, banker_natural: boolean, player_pair: boolean, banker_pair: boolean, };

export type PrintedPay = { pays: Pays, when: string | null, };

export type Mark = "red" | "blue";

export type Cell = { 
/**
 * Counted from the left, without limit; what a window shows of it is the screen's business.
 */
column: number, 
/**
 * 0 ..= 5.
 */
row: number, };

export type Bead = { 
/**
 * Where it lies: columns of six, filled one after the other.
 */
cell: Cell, 
/**
 * Red, blue or green.
 */
winner: Winner, 
/**
 * The winner's total; for a tie the common total.
 */
score: number, 
/**
 * The winner, or on a tie both, had an eight or nine with two cards.
 */
natural: boolean, 
/**
 * The red dot, top left.
 */
banker_pair: boolean, 
/**
 * The blue dot, bottom right.
 */
player_pair: boolean, };

export type Entry = { 
/**
 * Which result it is, counted from 0 in the list of outcomes.
 */
result: number, 
/**
 * Who won: red for the Banker, blue for the Player.
 */
side: Side, 
/**
 * The winner's total.
 */
score: number, 
/**
 * The winner had an eight or nine with two cards.
 */
natural: boolean, 
/**
 * The Banker had a pair in this coup.
 */
banker_pair: boolean, 
/**
 * The Player had a pair in this coup.
 */
player_pair: boolean, };

export type TieMarks = { 
/**
 * How many.
 */
count: number, 
/**
 * The Banker had a pair in one of them.
 */
banker_pair: boolean, 
/**
 * The Player had a pair in one of them.
 */
player_pair: boolean, };

export type BigRoadCell = { 
/**
 * Where it is drawn.
 */
cell: Cell, 
/**
 * The win drawn there. None in the one cell that shows ties before any win.
 */
entry: Entry | null, 
/**
 * The ties marked on it.
 */
ties: TieMarks, };

export type MarkCell = { 
/**
 * Where it is drawn.
 */
cell: Cell, 
/**
 * Red or blue.
 */
mark: Mark, };

export type Asked = { 
/**
 * The next cell of the big road.
 */
big_road: Cell, 
/**
 * The next mark of the big eye boy; none if it would get none.
 */
big_eye_boy: MarkCell | null, 
/**
 * The next mark of the small road; none if it would get none.
 */
small_road: MarkCell | null, 
/**
 * The next mark of the cockroach road; none if it would get none.
 */
cockroach_road: MarkCell | null, };

export type AskRoad = { 
/**
 * If the Banker won next.
 */
banker: Asked, 
/**
 * If the Player won next.
 */
player: Asked, };

export type Statistics = { 
/**
 * Results in all.
 */
results: number, 
/**
 * Wins of the Banker.
 */
banker: number, 
/**
 * Wins of the Player.
 */
player: number, 
/**
 * Ties.
 */
tie: number, 
/**
 * Pairs of the Banker, whoever won.
 */
banker_pair: number, 
/**
 * Pairs of the Player, whoever won.
 */
player_pair: number, 
/**
 * Naturals of the Banker, whoever won.
 */
banker_natural: number, 
/**
 * Naturals of the Player, whoever won.
 */
player_natural: number, };

export type RoadMaps = { 
/**
 * Every result, oldest first.
 */
bead_plate: Array<Bead>, 
/**
 * The streaks, in the order of play.
 */
big_road: Array<BigRoadCell>, 
/**
 * Derived with offset one.
 */
big_eye_boy: Array<MarkCell>, 
/**
 * Derived with offset two.
 */
small_road: Array<MarkCell>, 
/**
 * Derived with offset three.
 */
cockroach_road: Array<MarkCell>, 
/**
 * The ask-road; none where the house does not offer it (STD-108).
 */
ask_road: AskRoad | null, 
/**
 * The counts.
 */
statistics: Statistics, };

export type Rejection = { 
/**
 * The stable code.
 */
code: Code, 
/**
 * The smallest total that would be accepted.
 */
min?: Chips, 
/**
 * The most that could be added, or that there is.
 */
max?: Chips, 
/**
 * The step of which the stake must be a multiple.
 */
step?: Chips, 
/**
 * What was expected, and what came.
 */
detail?: string, };

export type SeatView = { seat: Seat, 
/**
 * The name of who sits there; none for a free seat.
 */
name: string | null, 
/**
 * Connected.
 */
present: boolean, 
/**
 * Holds the shoe (BAC-131).
 */
holds_shoe: boolean, 
/**
 * Has the right to look at these hands first.
 */
holds: Array<Side>, };

export type HandView = { 
/**
 * The cards in order; none for a card that lies face down.
 */
cards: Array<Card | null>, 
/**
 * The total of the cards that lie open, once any does.
 */
total: number | null, };

export type CutView = { min: number, max: number, until: Timestamp, };

export type ShoeView = { number: number, 
/**
 * The robot's commitment to its order (OPS-69), and that of the shoe before.
 */
commitment: string | null, previous: string | null, 
/**
 * This round is the last before the shuffle (BAC-90).
 */
last_hand: boolean, 
/**
 * The step of the shoe procedure that is due.
 */
step: Step | null, 
/**
 * Where a seated player may cut: fewest and most cards, until the time given.
 */
cut: CutView | null, };

export type InsuranceOffer = { on: AnyBet, side: Side, pays: Pays, 
/**
 * It pays on a tie, not on a loss (BAC-82).
 */
on_tie: boolean, };

export type FaceView = { "game": "baccarat", player: HandView, banker: HandView, 
/**
 * The hands that are to be opened now.
 */
opening: Array<Side>, insurance: Array<InsuranceOffer>, outcome: AnyOutcome | null, 
/**
 * Bets that won, so that their zones light up.
 */
winners: Array<AnyBet>, };

export type FeltView = { table: number, name: string, preset: string, rules: string, dealt_by: DealtBy, practice: boolean, phase: Phase, 
/**
 * The open round, or the last one; its text form is `table-number`.
 */
round: number, 
/**
 * When the window or the decision ends.
 */
deadline: Timestamp | null, 
/**
 * How long the betting window is, for the countdown ring.
 */
bet_s: number, paused: boolean, disabled: boolean, closing: boolean, demonstration: boolean, 
/**
 * The last card was corrected.
 */
corrected: boolean, 
/**
 * Why the round is void.
 */
void: VoidReason | null, shoe: ShoeView, seats: Array<SeatView>, standing_allowed: boolean, ask_road: boolean, click_is_bet: boolean, face: FaceView, };

export type ZoneView = { on: AnyBet, stake: Chips, bettors: number, };

export type LayoutZone = { on: AnyBet, 
/**
 * Each ratio that the bet may be paid at, with the case it is for, as printed.
 */
pays: Array<PrintedPay>, 
/**
 * Commission on its winnings in per cent.
 */
commission_pct: number, min: Chips, max: Chips, step: Chips, };

export type MyBet = { bet: BetId, on: AnyBet, stake: Chips, carried: boolean, };

export type MyPayout = { bet: BetId, on: AnyBet, stake: Chips, ending: Ending, winnings: Chips, commission: Chips, };

export type MyRound = { table: number, round: number, shoe: number, at: Timestamp, player: Array<Card>, banker: Array<Card>, outcome: AnyOutcome | null, void: VoidReason | null, payouts: Array<MyPayout>, staked: Chips, returned: Chips, };

export type MineView = { table: number, round: number, seat: Seat | null, 
/**
 * On the layout; between rounds the stakes that are carried over.
 */
bets: Array<MyBet>, at_stake: Chips, 
/**
 * The cards that one holds and that nobody else sees yet.
 */
player_cards: Array<Card>, banker_cards: Array<Card>, 
/**
 * What one may do now: the buttons of the page.
 */
may: Array<string>, 
/**
 * What "repeat" would place.
 */
repeat: Array<ZoneView>, 
/**
 * The last round of this table that one had bets in.
 */
last: MyRound | null, };

export type DealerView = { table: number, round: number, phase: Phase, due: Due | null, step: Step | null, 
/**
 * What may be done now.
 */
may: Array<string>, 
/**
 * Cards that this dealer entered and that are not open yet.
 */
player_cards: Array<Card | null>, banker_cards: Array<Card | null>, correctable: boolean, zones: Array<ZoneView>, 
/**
 * The Banker total less the Player total.
 */
differential: number, diff_limit: Chips | null, 
/**
 * Until when a player may cut.
 */
cut_until: Timestamp | null, opening: Array<Side>, 
/**
 * The seat whose player has the right to open.
 */
holder: Seat | null, outcome: AnyOutcome | null, shown_until: Timestamp | null, shoe: number, last_hand: boolean, };

export type TileView = { table: number, name: string, game: GameName, preset: string, dealt_by: DealtBy, practice: boolean, phase: Phase, deadline: Timestamp | null, bet_s: number, min: Chips, max: Chips, seats: number, seats_free: number, standing_allowed: boolean, players: number, shoe: number, big_road: Array<BigRoadCell>, banker: number, player: number, tie: number, };

export type PlayerCommand = { "do": "sit", 
/**
 * Which.
 */
seat: Seat, } | { "do": "stand" } | { "do": "bet", 
/**
 * On what.
 */
on: AnyBet, 
/**
 * How much, in smallest units.
 */
stake: Chips, 
/**
 * On the box of this seat, which must be one's own (BAC-44).
 */
at_box: Seat | null, } | { "do": "cancel", 
/**
 * Which.
 */
bet: BetId, } | { "do": "lower", 
/**
 * Which.
 */
bet: BetId, 
/**
 * To how much.
 */
to: Chips, } | { "do": "move", 
/**
 * Which.
 */
bet: BetId, 
/**
 * Where to.
 */
to: AnyBet, } | { "do": "undo" } | { "do": "cancel-all" } | { "do": "repeat" } | { "do": "double" } | { "do": "open" } | { "do": "cut", 
/**
 * Cards in front of the cut card.
 */
at: number, } | { "do": "deal" } | { "do": "pass-shoe" };

export type DealerCommand = { "do": "open-table" } | { "do": "close-table" } | { "do": "new-shoe" } | { "do": "change-shoe" } | { "do": "step", 
/**
 * Which.
 */
step: Step, 
/**
 * Where the shoe was cut, if that is known.
 */
at: number | null, } | { "do": "open-round", 
/**
 * As a demonstration coup (BAC-27).
 */
demonstration: boolean, } | { "do": "close-bets" } | { "do": "extend-bets" } | { "do": "card", 
/**
 * Which.
 */
card: Card, } | { "do": "burn" } | { "do": "white-card" } | { "do": "take-back" } | { "do": "open" } | { "do": "declare" };

export type PitCommand = { "do": "void", 
/**
 * The round that is meant; without it, whichever is open.
 */
round: number | null, 
/**
 * Why, in words.
 */
reason: string, } | { "do": "pause" } | { "do": "unpause" } | { "do": "disable", 
/**
 * Why, in words.
 */
reason: string, } | { "do": "enable" } | { "do": "reset-roads" };

export type PlayerMessage = { "type": "watch", table: number, } | { "type": "unwatch", table: number, } | { "type": "command", id: CommandId, table: number, round: number | null, rules: string | null, command: PlayerCommand, } | { "type": "chat", table: number, text: string, } | { "type": "ping", at: number, };

export type DealerMessage = { "type": "watch", table: number, } | { "type": "unwatch", table: number, } | { "type": "command", id: CommandId, table: number, command: DealerCommand, } | { "type": "ping", at: number, };

export type Me = { "role": "player", player: PlayerId, name: string, } | { "role": "spectator" } | { "role": "dealer", staff: number, name: string, } | { "role": "pit-boss", staff: number, name: string, };

export type PartName = "felt" | "totals" | "roads" | "layout" | "mine" | "dealer";

export type ChatLine = { number: number, at: Timestamp, name: string, text: string, };

export type ServerMessage = { "type": "hello", version: number, now: Timestamp, me: Me, } | { "type": "pong", at: number, now: Timestamp, } | { "type": "lobby", now: Timestamp, tables: TileView[], } | { "type": "part", table: number, part: PartName, version: number, now: Timestamp, body: unknown, } | { "type": "balance", balance: Chips, } | { "type": "answer", id: CommandId, ok: boolean, refusal: Rejection | null, } | { "type": "refused", refusal: Rejection, } | { "type": "chat", table: number, line: ChatLine, };

export type Chips = number;

export type Pays = string;

export type Card = string;

export type AnyBet = string;

export type BetId = number;

export type Seat = number;

export type Timestamp = number;

export type CommandId = string;

export type PlayerId = number;

export type StaffId = number;
