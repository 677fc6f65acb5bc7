/**
 * What the page and the server tell each other over a live connection. Made of
 * src/damka/live/messages.py by tools/wire_types.py; do not edit.
 */

type Side = "W" | "B";

/** Break the game off before both have moved. */
interface Abort {
  t: "abort";
  side?: Side | null;
}

/** What this viewer may do now. */
interface Can {
  undo: boolean;
  draw: boolean;
  resign: boolean;
  hint: boolean;
  rematch: boolean;
  huff: boolean;
  answer_draw: boolean;
  answer_undo: boolean;
  abort?: boolean;
  give_time?: boolean;
  claim?: boolean;
  answer_rematch?: boolean;
}

/**
 * Something that was said at the game, in the reader's language if it is a preset.
 *
 * `who` tells the senders at this game apart; `side` is that of a player, None for a spectator.
 */
interface ChatLine {
  t: "chat";
  id: number;
  room: "players" | "watchers";
  who: string;
  side: Side | null;
  name: string;
  text: string;
  preset: boolean;
  mine: boolean;
}

/** Claim the win or a draw, because the other side has been away for too long. */
interface Claim {
  t: "claim";
  draw: boolean;
}

/** The clock when the message was sent: milliseconds, as the server counts them. */
interface ClockInfo {
  kind: "days" | "delay" | "fischer" | "sudden";
  text: string;
  left: Record<Side, number>;
  running: Side | null;
  delay: number;
  due: number | null;
}

/** How near a draw is. */
interface Counter {
  kind: string;
  n: number;
  limit: number;
  sentence: string;
}

/**
 * What has changed since the last state, for pages that ask for changes.
 *
 * The first `keep` entries of the history stay, those of `add` follow; `changes` has the other
 * fields of the state, those that are not as they were.
 */
interface Delta {
  t: "delta";
  keep: number;
  add: HistoryEntry[];
  changes: Record<string, unknown>;
}

/** Offer a draw, or accept the one that the other side has offered. */
interface Draw {
  t: "draw";
  side?: Side | null;
}

/** Yes or no to the other side's offer; no to one's own withdraws it. */
interface DrawAnswer {
  t: "draw_answer";
  ok: boolean;
  side?: Side | null;
}

/** A message that was not obeyed. */
interface ErrorMessage {
  t: "error";
  code: string;
  message: string;
}

/** Look at the clock: a time seems to be over. The server's clock alone decides. */
interface Flag {
  t: "flag";
}

/** Give the other side more time. */
interface GiveTime {
  t: "give_time";
  side?: Side | null;
}

/** Show a good move. */
interface Hint {
  t: "hint";
}

/**
 * A good move, or a piece to huff first; and what it is worth in hundredths of a man.
 *
 * `won`: it wins, as far as search and tables see; then the score counts no men.
 */
interface HintAnswer {
  t: "hint";
  move: MoveInfo | null;
  huff: number | null;
  score: number;
  won: boolean;
  ply: number;
}

/** One ply that was played, with the huff before it. */
interface HistoryEntry {
  side: Side;
  move: MoveInfo;
  text: string;
  pieces: string;
  huff: number | null;
  offence: boolean;
}

/** Take the piece on `square`, which did not capture. */
interface Huff {
  t: "huff";
  ply: number;
  square: number;
  version?: number | null;
  side?: Side | null;
}

/** An open seat: the code under which it is taken, told to who invites. */
interface Invitation {
  side: Side;
  code: string;
  freed: boolean;
}

/** The lot that was drawn for the colours: the first player's side. */
interface Lot {
  drawn: boolean;
  you: Side;
}

/**
 * One move; `hub` is what the page sends back, to be taken as it is.
 *
 * Squares are the library's numbers; `text` is the move as the federation writes it. `routes` are
 * all ways to play it, where there are others than `route`.
 */
interface MoveInfo {
  hub: string;
  text: string;
  from: number;
  to: number;
  captures: number[];
  crowns: boolean;
  king: boolean;
  route: number[];
  routes?: number[][];
}

/** Play `move`, the hub text of a move in the last state; `ply` is that state's ply. */
interface MoveRequest {
  t: "move";
  ply: number;
  move: string;
  version?: number | null;
  side?: Side | null;
}

/** The rematch. */
interface NextGame {
  url: string;
}

/** The opening that was drawn by lot: a position, moves, or both. */
interface OpeningInfo {
  number: number;
  name: string;
  sentence: string;
}

/** Is the server there? */
interface Ping {
  t: "ping";
}

/** Who plays a side. */
interface Player {
  kind: "computer" | "person";
  level: number | null;
  name: string;
  detail: string;
  rating?: string | null;
  diff?: number | null;
  guest?: boolean;
}

/** It is. */
interface Pong {
  t: "pong";
}

/** Whether a player of a game on two devices is there. */
interface Presence {
  here: boolean;
  claim: number | null;
}

/** Why a move cannot be played, to the one who asked. */
interface RefusalMessage {
  t: "refusal";
  code: string;
  args: Record<string, unknown>;
  sentence: string;
  clicks: number[];
  must: number[];
  topic: string;
  rule: RuleLink | null;
}

/** Offer to play again. */
interface Rematch {
  t: "rematch";
}

/** No to the other side's offer to play again; yes is a request for the rematch. */
interface RematchAnswer {
  t: "rematch_answer";
  ok: boolean;
}

/** Give the game up. */
interface Resign {
  t: "resign";
  side?: Side | null;
}

/** How the game ended. */
interface ResultInfo {
  winner: Side | null;
  reason: string;
  sentence: string;
  outcome: string;
  cause: string;
  rule: RuleLink | null;
}

/** A paragraph of the rules page. */
interface RuleLink {
  number: number;
  url: string;
}

/** Everything a viewer sees of a game; it replaces whatever the page had. */
interface State {
  t: "state";
  version: number;
  id: string;
  language: string;
  ply: number;
  turn: Side;
  pieces: string;
  start: string;
  legal: MoveInfo[];
  offences: MoveInfo[];
  must: number[];
  huffable: number[];
  warn: Warn | null;
  history: HistoryEntry[];
  taken: Record<Side, number>;
  counters: Counter[];
  result: ResultInfo | null;
  players: Record<Side, Player>;
  you: Side[];
  draw_offer: Side | null;
  draw_asks: string | null;
  undo_offer: Side | null;
  undo_asks: string | null;
  thinking: boolean;
  can: Can;
  status: Status;
  huff_asks: Status | null;
  announce: string;
  lot: Lot | null;
  next: NextGame | null;
  online?: boolean;
  clock?: ClockInfo | null;
  presence?: Record<Side, Presence> | null;
  watching?: number;
  invitation?: Invitation | null;
  rematch_offer?: Side | null;
  rematch_asks?: string | null;
  rated?: boolean;
  no_draw?: string | null;
  opening?: OpeningInfo | null;
}

/** The line under the board, or a question that stands in its place. */
interface Status {
  sentence: string;
  news: string;
  rule: RuleLink | null;
}

/** Take back to this side's previous turn; between people, ask for it. */
interface Undo {
  t: "undo";
  side?: Side | null;
}

/** Yes or no to the other side's request; no to one's own withdraws it. */
interface UndoAnswer {
  t: "undo_answer";
  ok: boolean;
  side?: Side | null;
}

/** What to ask before a quiet move that leaves a capture. */
interface Warn {
  squares: number[];
  sentence: string;
}

/** Who watches: the names of some members, and how many there are besides. */
interface WatcherList {
  t: "watchers";
  names: string[];
  guests: number;
  words?: string;
}

/** Tell who watches, now and whenever that changes; or no more. */
interface Watchers {
  t: "watchers";
  on: boolean;
}

/**
 * Why can these squares, clicked in this order, or else this text, not be a move?
 *
 * The text has the squares as the federation prints them.
 */
interface Why {
  t: "why";
  clicks?: number[];
  text?: string | null;
}

type ServerMessage =
  | State
  | Delta
  | RefusalMessage
  | HintAnswer
  | ChatLine
  | WatcherList
  | ErrorMessage
  | Pong;

type ClientMessage =
  | MoveRequest
  | Why
  | Huff
  | Undo
  | UndoAnswer
  | Draw
  | DrawAnswer
  | Resign
  | Abort
  | GiveTime
  | Claim
  | Flag
  | Rematch
  | RematchAnswer
  | Hint
  | Watchers
  | Ping;
