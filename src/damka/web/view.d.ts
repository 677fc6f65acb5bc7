/** The game page as a state machine: its view, the messages that change it, and their effects. */

/** A sentence: the server's own, or one of the page's by its key. */
type Words = { text: string } | { key: string; values?: Record<string, string | number> };

/** A sentence that is shown until the player's next action: a refusal, a hint. */
interface Notice {
  words: Words[];
  kind?: Line["kind"];
  rule?: RuleLink | null;
}

/** A step of an animation that leads to the server's state. */
type Step =
  | { kind: "pause"; side: Side }
  | { kind: "ring"; side: Side; square: number }
  | { kind: "huff"; side: Side; square: number; pieces: string }
  | { kind: "move"; side: Side; move: Move; route: number[]; legs: number; pieces: string };

/** A move of this player that the server has not confirmed: held for a question, or sent. */
interface OwnMove {
  phase: "held" | "sent";
  move: Move;
  ply: number;
  /** It is an offence, and the player wants to be warned. */
  warning: boolean;
}

/** What the page asks before it is done. */
type Question = "resign" | "draw" | "abort";

interface ViewState {
  /** The last state from the server that was taken. */
  game: State;
  /** The newest state, which waits for the end of the animation. */
  next: State | null;
  prefs: Prefs;
  /** The pieces that the board shows, or will show after the animation. */
  pieces: string;
  last: number[];
  /** The moves on the board, as hub texts: the game's, and perhaps an own one that is not confirmed. */
  line: string[];
  /** The animation: its number, 0 for none; how many there were; its present step. */
  stage: number;
  stages: number;
  step: Step | null;
  /** The state from which the animation started. */
  from: State | null;
  own: OwnMove | null;
  /** The squares of a move that is planned while the opponent thinks: none, its start, both. */
  plan: number[];
  /** The ply at which a planned move was sent, until it is on the board; -1 for none. */
  sentAt: number;
  /** The earlier position that is shown, null for the game's. */
  past: number | null;
  /** A question of the page itself. */
  question: Question | null;
  notice: Notice | null;
  /** The route of the arrow for a hint. */
  arrow: number[];
  hinting: boolean;
  /** The version at which the player chose not to huff. */
  playedOn: number;
  turned: boolean;
  /** The dialog with the result was dismissed. */
  dismissed: boolean;
  /** How often pieces that cannot move were tapped since the last move. */
  taps: number;
  /** The drawing of lots is shown: the page must not give the colours away yet. */
  drawing: boolean;
  connected: boolean;
  /** What plays with the page is not ready: what is said of a move that was made, and of the wait. */
  starting: { saved: string; waiting: string } | null;
}

/** What changes the view. */
type ViewMessage =
  | Exclude<Incoming, ChatLine | WatcherList>
  | { t: "connection"; up: boolean }
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
  | { t: "play_on" }
  | { t: "answer"; what: "draw" | "undo" | "rematch"; ok: boolean }
  | { t: "ask"; what: "undo" | "hint" | "give_time" | Question }
  | { t: "sure"; what: Question }
  | { t: "never_mind" }
  | { t: "look"; position: number }
  | { t: "flip" }
  | { t: "dismiss" }
  | { t: "prefs"; prefs: Prefs }
  | { t: "drawing"; on: boolean }
  | { t: "patience" }
  | { t: "failed"; text: string }
  | { t: "unsent" };

/** What to do after a message, in this order. */
type Effect =
  | { do: "send"; message: object }
  | { do: "stage"; stage: number; steps: Step[] }
  | { do: "show" }
  | { do: "select"; clicks: number[] }
  | { do: "refuse"; clicks: number[] }
  | { do: "urge" }
  | { do: "speak"; words: Words[] }
  | { do: "sound"; name: import("./static/sound.js").Sound }
  | { do: "patience"; on: boolean }
  | { do: "rematch" }
  | { do: "focus"; on: "answers" | "moves" };
