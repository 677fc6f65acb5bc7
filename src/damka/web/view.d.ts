/** The game page as a state machine: its view, the messages that change it, what they cause. */

/** A sentence: the server's own, or one of the page's by its key. */
type Words = { text: string } | { key: string; values?: Record<string, string | number> };

/** Something said once, until the player goes on: a refusal, a hint. */
interface Notice {
  words: Words[];
  kind?: Line["kind"];
  rule?: RuleLink | null;
}

/** One thing after another that is shown on the board before the game stands as the server has it. */
type Step =
  | { kind: "beat"; side: Side }
  | { kind: "ring"; side: Side; square: number }
  | { kind: "huff"; side: Side; square: number; pieces: string }
  | { kind: "move"; side: Side; move: Move; route: number[]; legs: number; pieces: string };

/** A move of this player that the server has not confirmed: asked about, or on its way. */
interface OwnMove {
  phase: "held" | "sent";
  move: Move;
  ply: number;
  /** It leaves a capture out, and the player wants to be asked about that. */
  warning: boolean;
}

interface ViewState {
  /** The game as the server told it last, as far as it was taken up. */
  game: State;
  /** The newest state, which waits until the board stands still. */
  next: State | null;
  prefs: Prefs;
  /** What the board shows, or is about to show. */
  pieces: string;
  last: number[];
  /** The moves on the board, as hub texts: the game's, perhaps with an own one ahead. */
  line: string[];
  /** The steps under way: their number, 0 when the board stands still, and the present one. */
  stage: number;
  stages: number;
  step: Step | null;
  /** The state before the one whose steps are under way. */
  from: State | null;
  own: OwnMove | null;
  /** The position looked back at, null for the game itself. */
  past: number | null;
  /** A question of the page itself. */
  question: "resign" | "draw" | null;
  notice: Notice | null;
  /** The route that a hint points at. */
  arrow: number[];
  hinting: boolean;
  /** The version at which the player chose not to huff. */
  playedOn: number;
  turned: boolean;
  /** The sheet with the result was put away. */
  away: boolean;
  /** How often pieces that cannot move were tapped since the last move. */
  taps: number;
  /** Lots are being drawn: nothing tells yet who has which colour. */
  drawing: boolean;
  connected: boolean;
}

/** What changes the view. */
type ViewMessage =
  | Incoming
  | { t: "connection"; up: boolean }
  | ({ t: "chosen" } & Chosen)
  | { t: "attempt"; clicks: number[] }
  | { t: "why"; text: string }
  | { t: "huff"; square: number }
  | { t: "choosing"; resolution: Resolution | null }
  | { t: "step"; stage: number; step: Step }
  | { t: "staged"; stage: number }
  | { t: "commit" }
  | { t: "take_back" }
  | { t: "play_on" }
  | { t: "answer"; what: "draw" | "undo"; ok: boolean }
  | { t: "ask"; what: "undo" | "draw" | "resign" | "hint" }
  | { t: "sure"; what: "draw" | "resign" }
  | { t: "never_mind" }
  | { t: "look"; position: number }
  | { t: "flip" }
  | { t: "put_away" }
  | { t: "prefs"; prefs: Prefs }
  | { t: "drawing"; on: boolean }
  | { t: "patience" }
  | { t: "failed"; text: string };

/** What is to be done about a message, in this order. */
type Effect =
  | { do: "send"; message: object }
  | { do: "stage"; stage: number; steps: Step[] }
  | { do: "show" }
  | { do: "refuse"; clicks: number[] }
  | { do: "urge" }
  | { do: "speak"; words: Words[] }
  | { do: "sound"; name: import("./static/sound.js").Sound }
  | { do: "patience"; on: boolean }
  | { do: "focus"; on: "answers" | "moves" };
