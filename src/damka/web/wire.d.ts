/**
 * Messages of a live connection between the page and the server. Generated from
 * src/damka/live/messages.py by tools/wire_types.py; do not edit.
 */

type Side = "W" | "B";

/** Abort the game before both have moved. */
interface Abort {
  t: "abort";
  side?: Side | null;
}

/**
 * Reason why a move was legal, for the viewer who asked.
 *
 * `route` are the move's squares, `squares` those that the reason is about.
 */
interface AllowedMessage {
  t: "allowed";
  ply: number;
  sentence: string;
  rule: RuleLink | null;
  route: number[];
  squares: number[];
}

/** Actions available to this viewer. */
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
  analyse?: boolean;
}

/**
 * Line of the game's chat; presets are in the reader's language.
 *
 * `who` distinguishes the senders at this game; `side` is that of a player, None for a spectator.
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

/** The server's clock when the message was sent, in milliseconds. */
interface ClockInfo {
  kind: "days" | "delay" | "fischer" | "sudden";
  text: string;
  left: Record<Side, number>;
  running: Side | null;
  delay: number;
  due: number | null;
}

/** Progress towards a draw. */
interface Counter {
  kind: string;
  n: number;
  limit: number;
  sentence: string;
}

/**
 * Changes since the last state, for pages that request changes.
 *
 * The first `keep` entries of the history stay, those of `add` follow; `changes` has the other
 * fields of the state that changed.
 */
interface Delta {
  t: "delta";
  keep: number;
  add: HistoryEntry[];
  changes: Record<string, unknown>;
}

/** Offer a draw, or accept the other side's offer. */
interface Draw {
  t: "draw";
  side?: Side | null;
}

/** Accept or decline the other side's draw offer; `ok` false also withdraws one's own. */
interface DrawAnswer {
  t: "draw_answer";
  ok: boolean;
  side?: Side | null;
}

/** Error reply to a message that was refused. */
interface ErrorMessage {
  t: "error";
  code: string;
  message: string;
}

/** Check the clock: a flag seems to have fallen. Only the server's clock decides. */
interface Flag {
  t: "flag";
}

/** Give the other side more time. */
interface GiveTime {
  t: "give_time";
  side?: Side | null;
}

/** Guide of a guided game. */
interface GuideInfo {
  course: string;
  notices: GuideNotice[];
  end: string;
}

/** A rule that occurred for the first time, before the move after `ply`. */
interface GuideNotice {
  ply: number;
  sentence: string;
  squares: number[];
  url: string;
}

/** Request a hint: a good move. */
interface Hint {
  t: "hint";
}

/**
 * A good move, or a piece to huff first, with its score in hundredths of a man.
 *
 * With `won`, the search or a table has found a win, and the score is not in men.
 */
interface HintAnswer {
  t: "hint";
  move: MoveInfo | null;
  huff: number | null;
  score: number;
  won: boolean;
  ply: number;
}

/** One ply of the game, with the huff before it. */
interface HistoryEntry {
  side: Side;
  move: MoveInfo;
  text: string;
  pieces: string;
  huff: number | null;
  offence: boolean;
}

/** Huff the piece on `square`, which did not capture. */
interface Huff {
  t: "huff";
  ply: number;
  square: number;
  version?: number | null;
  side?: Side | null;
}

/** Open seat and its invitation code, which only the inviting player receives. */
interface Invitation {
  side: Side;
  code: string;
  freed: boolean;
}

/** Draw of lots for the colours: the first player's side. */
interface Lot {
  drawn: boolean;
  you: Side;
}

/**
 * One move; `hub` is the text that the page sends back unchanged.
 *
 * Squares are the library's numbers; `text` is the move as the federation writes it. `routes` are
 * all its routes, if there are others besides `route`.
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

/** Link to the rematch. */
interface NextGame {
  url: string;
}

/** Opening drawn by lot: a position, moves, or both. */
interface OpeningInfo {
  number: number;
  name: string;
  sentence: string;
}

/** Check that the server is reachable. */
interface Ping {
  t: "ping";
}

/** Player of a side. */
interface Player {
  kind: "computer" | "person";
  level: number | null;
  name: string;
  detail: string;
  rating?: string | null;
  diff?: number | null;
  guest?: boolean;
}

/** Reply to a ping. */
interface Pong {
  t: "pong";
}

/** Presence of a player in a game on two devices. */
interface Presence {
  here: boolean;
  claim: number | null;
}

/**
 * Reason why a move cannot be played, for the viewer who tried it.
 *
 * `more` is the rule itself, for the first refusal of a kind.
 */
interface RefusalMessage {
  t: "refusal";
  code: string;
  args: Record<string, unknown>;
  sentence: string;
  clicks: number[];
  must: number[];
  topic: string;
  rule: RuleLink | null;
  more: string | null;
  lesson?: string;
}

/** Offer a rematch. */
interface Rematch {
  t: "rematch";
}

/** Decline the other side's rematch offer; it is accepted by a request for the rematch. */
interface RematchAnswer {
  t: "rematch_answer";
  ok: boolean;
}

/** Resign the game. */
interface Resign {
  t: "resign";
  side?: Side | null;
}

/** Result of the game. */
interface ResultInfo {
  winner: Side | null;
  reason: string;
  sentence: string;
  rule: RuleLink | null;
}

/** A paragraph of the rules page. */
interface RuleLink {
  number: number;
  url: string;
}

/** Everything a viewer sees of a game; it replaces the page's previous state. */
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
  guide?: GuideInfo | null;
  time_used?: Record<Side, number> | null;
}

/** Status line under the board, or a question that replaces it. */
interface Status {
  sentence: string;
  news: string;
  rule: RuleLink | null;
}

/** Take back to this side's previous turn; between people, request it. */
interface Undo {
  t: "undo";
  side?: Side | null;
}

/** Accept or decline the other side's takeback request; `ok` false also withdraws one's own. */
interface UndoAnswer {
  t: "undo_answer";
  ok: boolean;
  side?: Side | null;
}

/** Question before a quiet move that misses a capture. */
interface Warn {
  squares: number[];
  sentence: string;
}

/** Spectators: the names of some members, and the number of others. */
interface WatcherList {
  t: "watchers";
  names: string[];
  guests: number;
  words?: string;
}

/** Start or stop sending the list of spectators, now and after each change. */
interface Watchers {
  t: "watchers";
  on: boolean;
}

/**
 * Explain why these squares, clicked in this order, or this typed text are not a move.
 *
 * The explanation names squares in the federation's notation.
 */
interface Why {
  t: "why";
  clicks?: number[];
  text?: string | null;
}

/** Explain why the rules allowed the move that led to `ply`, from 1 on. */
interface WhyAllowed {
  t: "why_allowed";
  ply: number;
}

type ServerMessage =
  | State
  | Delta
  | RefusalMessage
  | AllowedMessage
  | HintAnswer
  | ChatLine
  | WatcherList
  | ErrorMessage
  | Pong;

type ClientMessage =
  | MoveRequest
  | Why
  | WhyAllowed
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
