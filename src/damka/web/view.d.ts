/** State machine of the game page: view, messages and effects. */

/** A sentence: the server's, or one of the page's by key. */
type Words = { text: string } | { key: string; values?: Record<string, string | number> };

/** A sentence shown until the player's next action: a refusal, a hint. */
interface Notice {
  words: Words[];
  /** The rule itself. */
  more?: string | null;
  kind?: Line["kind"];
  rule?: RuleLink | null;
  /** Address of the lesson about the rule. */
  lesson?: string;
}

/** How many notices of a guided game before the move after `ply` the player has confirmed. */
interface Confirmed {
  ply: number;
  n: number;
}

/** An animation step towards the server's state. */
type Step =
  | { kind: "pause"; side: Side }
  | { kind: "ring"; side: Side; square: number }
  | { kind: "huff"; side: Side; square: number; pieces: string }
  | { kind: "move"; side: Side; move: Move; route: number[]; legs: number; pieces: string };

/** An unconfirmed move of this player: waiting for a question's answer, or sent. */
interface OwnMove {
  phase: "unconfirmed" | "sent";
  move: Move;
  ply: number;
  /** Whether it is an offence and the player wants a warning. */
  warning: boolean;
}

/** Confirmations that the page asks for. */
type Question = "resign" | "draw" | "abort";

interface ViewState {
  /** The last applied state from the server. */
  game: State;
  /** The newest state, waiting for the end of the animation. */
  next: State | null;
  prefs: Prefs;
  /** Pieces on the board, or after the running animation. */
  pieces: string;
  last: number[];
  /** Moves on the board, in Hub notation: the game's, and the player's unconfirmed one. */
  line: string[];
  /** Animation: its number, 0 for none; the number of animations so far; the current step. */
  stage: number;
  stages: number;
  step: Step | null;
  /** State at the start of the animation. */
  from: State | null;
  own: OwnMove | null;
  /** Squares of the premove: none, its start, or start and end. */
  plan: number[];
  /** Ply of a sent premove until it is on the board; -1 for none. */
  sentAt: number;
  /** The displayed earlier position, null for the current one. */
  past: number | null;
  /** A question of the page itself. */
  question: Question | null;
  notice: Notice | null;
  /** Route of the hint's arrow. */
  arrow: number[];
  /** Squares that an explanation with this arrow is about. */
  noted: number[];
  hinting: boolean;
  /** Version at which the player declined to huff. */
  declinedAt: number;
  confirmed: Confirmed;
  turned: boolean;
  /** Whether the result sheet was put away. */
  dismissed: boolean;
  /** Number of taps on immobile pieces since the last move. */
  taps: number;
  /** Whether the drawing of lots is running: the page must not reveal the colours yet. */
  drawing: boolean;
  /** Result of the drawing of lots, shown until this player's first move. */
  lot: string;
  connected: boolean;
  /** Whether the page is trying to reconnect. */
  retrying: boolean;
  /** Whether the sent move has no answer yet. */
  silent: boolean;
  /** The opponent's program is loading: the sentence for a saved move, and that for the wait. */
  starting: { saved: string; waiting: string } | null;
}

/** Messages that change the view. */
type ViewMessage =
  | Exclude<Incoming, ChatLine | WatcherList>
  | { t: "connection"; up: boolean; retrying?: boolean }
  | { t: "silence" }
  | { t: "starting"; saved: string; waiting: string }
  | ({ t: "chosen" } & Chosen)
  | { t: "attempt"; clicks: number[] }
  | { t: "why"; text: string }
  | { t: "huff"; square: number }
  | { t: "plan"; clicks: number[] }
  | { t: "claim"; draw: boolean }
  | { t: "choosing"; resolution: Resolution | null }
  | { t: "step"; stage: number; step: Step }
  | { t: "staged"; stage: number }
  | { t: "commit" }
  | { t: "take_back" }
  | { t: "decline_huff" }
  | { t: "got_it" }
  | { t: "explain_again" }
  | { t: "answer"; what: "draw" | "undo" | "rematch"; ok: boolean }
  | { t: "ask"; what: "undo" | "hint" | "give_time" | Question }
  | { t: "confirm"; what: Question }
  | { t: "cancel" }
  | { t: "look"; position: number }
  | { t: "flip" }
  | { t: "dismiss" }
  | { t: "reopen" }
  | { t: "prefs"; prefs: Prefs }
  | { t: "ready" }
  | { t: "drawing"; on: true }
  | { t: "drawn"; text: string }
  | { t: "idle" }
  | { t: "failed"; text: string }
  | { t: "unsent" };

/** Effects of a message, in order. */
type Effect =
  | { do: "send"; message: object }
  | { do: "stage"; stage: number; steps: Step[] }
  | { do: "show" }
  | { do: "select"; clicks: number[] }
  | { do: "refuse"; clicks: number[] }
  | { do: "urge" }
  | { do: "speak"; words: Words[] }
  | { do: "sound"; name: import("./static/sound.js").Sound }
  | { do: "idle"; on: boolean }
  | { do: "rematch" }
  | { do: "confirmed"; confirmed: Confirmed }
  | { do: "celebrate" }
  | { do: "focus"; on: "answers" | "result" | "end" };
