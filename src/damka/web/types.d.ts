/**
 * The page's own shapes, and its names for those that travel (wire.d.ts). Types only, known to every
 * module without importing them; nothing of this file is served.
 */

type Move = MoveInfo;
type Entry = HistoryEntry;
type Refusal = RefusalMessage;
type Incoming = Exclude<ServerMessage, Delta>;

interface RulesData {
  title: string;
  width: number;
  height: number;
  cells: [number, number][];
  colour_names: Record<Side, string>;
  first: Side;
  theme: { light: string; dark: string; white: [string, string]; black: [string, string] };
  /** What is printed on squares 1, 2, …, where it is not their number. */
  names?: string[];
  /** Around an algebraic board: letters from left to right, digits from top to bottom, for White. */
  coordinates?: [string[], string[]];
  /** All squares are played on: they are of one colour, with lines between them. */
  lined?: true;
}

/** The sentence of a key, with its {placeholders} filled. */
type Sentences = (key: string, values?: Record<string, string | number>) => string;

interface PageData {
  lang: string;
  strings: Record<string, string>;
  rules?: RulesData;
  levels: { level: number; name: string; sentence: string }[];
  default_level: number;
}

interface Prefs {
  sound: boolean;
  numbers: boolean;
  quick: boolean;
  confirm: boolean;
  /** A draw offer and resigning need a second tap. */
  sure: boolean;
  warn: boolean;
  /** The computer's answer takes a moment. */
  pace: boolean;
  turn: boolean;
  crown: boolean;
  plain: boolean;
  swap: boolean;
  /** What others say at a game is shown. */
  chat: boolean;
}

/** What the moves still possible after some clicks say about the next one. */
interface Resolution {
  /** The one move the clicks mean, once they mean one. */
  move: Move | null;
  /** The route of `move` to show: the first that fits the clicks. */
  route: number[];
  /** The moves that still fit. */
  moves: Move[];
  /** Where they end. */
  ends: number[];
  /** Squares on the way whose click tells moves with the same end apart. */
  branches: number[];
  /** The way so far when every landing was clicked, else only the square it begins on. */
  walked: number[];
}

/** A route that fits some clicks, and how far they have come on it. */
interface Fit {
  route: number[];
  at: number;
}

/** How far some clicks come on a route; -1 when they do not fit it. */
type Follow = (route: number[], clicks: number[]) => number;

/** A move that fits some clicks, with those of its routes that do. */
interface Found {
  move: Move;
  fits: Fit[];
}

/** What a player may do on the board now. */
interface Choices {
  legal: Move[];
  offences: Move[];
  must: number[];
  huffable: number[];
  side: Side | null;
  /** The other side is to move: a move of `side` can be planned. */
  plan?: boolean;
}

/** A move chosen on the board; `legs` of its route have been gone already. */
interface Chosen {
  move: Move;
  route: number[];
  legs: number;
}

/** A pointer that is down on the board. */
interface Press {
  id: number;
  square: number;
  x: number;
  y: number;
  /** The piece was taken in hand by this very press. */
  fresh: boolean;
  moved: boolean;
  finger: boolean;
}

/** What the board hears of the pointer. */
interface Gestures {
  touch(): void;
  /** Returns whether the press took a piece in hand. */
  press(square: number): boolean;
  /** A drag begins; returns whether there is anything to drag. */
  lift(square: number): boolean;
  drag(from: number, point: number[], over: number): void;
  endDrag(from: number): void;
  /** After `endDrag`; `to` is 0 beside the squares. */
  drop(from: number, to: number): void;
  /** `fresh` when the press took the piece in hand. */
  tap(square: number, fresh: boolean): void;
  release(): void;
}

/** What is marked on the board. */
interface Marks {
  last: number[];
  held: number;
  must: number[];
  huffable: number[];
  ends: number[];
  branches: number[];
  offence: boolean;
  refused: number[];
  planned: number[];
  arrow: number[];
  /** A piece that is being huffed, by whom. */
  huffed: { square: number; side: Side } | null;
}

/** What the status line says. */
interface Line {
  text: string;
  rule?: RuleLink | null;
  kind?: "" | "must" | "no" | "ask" | "wait";
  answers?: { label: string; says: ViewMessage; main?: boolean }[];
}
