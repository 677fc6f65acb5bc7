/**
 * Types of the page, and its names for the types of messages (wire.d.ts). They are global, so
 * modules need no imports; this file is not served.
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
  /** Labels of squares 1, 2, …, if they are not their numbers. */
  names?: string[];
  /** Labels around an algebraic board: letters from left to right, digits from top to bottom, for White. */
  coordinates?: [string[], string[]];
  /** Whether all squares are played on: one colour, with lines between the squares. */
  lined?: true;
}

/** Curve from a score to winning chances: `Curve` in `damka.engine.chances`. */
interface Chances {
  pieces: number[];
  a: number[];
  b: number[];
  c: number[];
}

/** Return the sentence of a key with its {placeholders} filled. */
type Sentences = (key: string, values?: Record<string, string | number>) => string;

/** Position of the board editor. */
interface EditPosition {
  pieces: string;
  turn: Side;
}

/** Position of the board editor, and those that undo and redo show. */
interface EditState {
  position: EditPosition;
  past: EditPosition[];
  future: EditPosition[];
}

/** Data of the board editor about the game. */
interface EditData {
  /** Address of the editor. */
  path: string;
  /** Parameters that name the rules in requests. */
  query: string;
  /** The rules in a request for a new game. */
  rules: string | object;
  /** Pieces of the start position. */
  start: string;
  huffing: boolean;
  /** Equal for games with the same squares. */
  board: string;
  /** Labels of the colours for the first player, and for the second. */
  first: Record<Side, string>;
  second: Record<Side, string>;
  chances: Chances;
  /** Ranks of squares 1, 2, … in the order of their labels, if they are not ascending. */
  order?: number[];
}

interface PageData {
  lang: string;
  strings: Record<string, string>;
  rules?: RulesData;
  edit?: EditData;
  lesson?: LessonPage;
  /** Ids of levels, and the numbers of those of each course, by its fingerprint. */
  counted?: { ids: string[]; courses: Record<string, number[]> };
  kernel?: Kernel | null;
  /** `tables`: the maximum number of pieces of the server's endgame tables. */
  analysis?: { server: boolean; tables: number };
  levels: { level: number; name: string; sentence: string }[];
  default_level: number;
}

interface Prefs {
  sound: boolean;
  numbers: boolean;
  quick: boolean;
  confirm: boolean;
  /** Whether draw offers and resignation need a second tap. */
  sure: boolean;
  warn: boolean;
  /** Whether the computer's reply is delayed. */
  pace: boolean;
  turn: boolean;
  crown: boolean;
  plain: boolean;
  swap: boolean;
  /** Whether chat messages are shown. */
  chat: boolean;
}

/** Result of matching clicks with moves, for the next click. */
interface Resolution {
  /** The selected move, once it is unique. */
  move: Move | null;
  /** Displayed route of `move`: the first that fits the clicks. */
  route: number[];
  /** The moves that still fit. */
  moves: Move[];
  /** Their final squares. */
  ends: number[];
  /** Landings whose click distinguishes moves with the same end. */
  branches: number[];
  /** Path so far if every landing was clicked, else only the first square. */
  walked: number[];
}

/** A route that fits the clicks, and the index they reach on it. */
interface Fit {
  route: number[];
  at: number;
}

/** Return the index on a route that the clicks reach; -1 if they do not fit. */
type Follow = (route: number[], clicks: number[]) => number;

/** A move that fits the clicks, with its fitting routes. */
interface MoveMatch {
  move: Move;
  fits: Fit[];
}

/** Moves and huffs available to the player. */
interface Choices {
  legal: Move[];
  offences: Move[];
  must: number[];
  huffable: number[];
  side: Side | null;
  /** Whether `side` can premove: the other side is to move, or the moves are not known yet. */
  plan?: boolean;
}

/** A move chosen on the board; `legs` of its route are already shown. */
interface Chosen {
  move: Move;
  route: number[];
  legs: number;
}

/** A pressed pointer on the board. */
interface Press {
  id: number;
  square: number;
  x: number;
  y: number;
  /** Whether this press selected the piece. */
  fresh: boolean;
  moved: boolean;
  finger: boolean;
}

/** Callbacks to the board for pointer and keyboard input. */
interface GestureCallbacks {
  touch(): void;
  /** Return whether the press selected a piece. */
  press(square: number): boolean;
  /** Start a drag; return whether there is a piece to drag. */
  lift(square: number): boolean;
  drag(from: number, point: number[], over: number): void;
  endDrag(from: number): void;
  /** Called after `endDrag`; `to` is 0 outside the squares. */
  drop(from: number, to: number): void;
  /** `fresh` if this press selected the piece, `again` for the second tap of a double-click. */
  tap(square: number, fresh: boolean, again: boolean): void;
  release(): void;
  /** Move the focus by rows and columns. */
  go(down: number, right: number): void;
  /** Click the focused square. */
  enter(): void;
  /** Undo the last click; return false if there is none. */
  back(): boolean;
}

/** Result of a click, a drop or a key on the board. */
type BoardAction =
  | { do: "nothing" }
  /** A piece has been chosen; `previous` is the square of the one before, 0 if none. */
  | { do: "choose"; previous: number }
  /** The displayed square of the chosen piece has changed. */
  | { do: "path"; dropped: boolean }
  | { do: "release" }
  /** A move has been chosen; `dropped` is where the piece was dropped. */
  | { do: "play"; chosen: Chosen; dropped?: number }
  | { do: "attempt"; clicks: number[] }
  | { do: "huff"; square: number }
  | { do: "plan"; clicks: number[] };

/** Marks on the board. */
interface Marks {
  last: number[];
  held: number;
  must: number[];
  huffable: number[];
  ends: number[];
  branches: number[];
  /** Square of the chosen piece if its capture can end there, else 0. */
  home: number;
  /** Routes of the chosen piece's captures with several legs. */
  routes: number[][];
  offence: boolean;
  refused: number[];
  planned: number[];
  arrow: number[];
  noted: number[];
  /** The piece being huffed, and the side that huffs it. */
  huffed: { square: number; side: Side } | null;
}

/** Numbers of one side in a game. */
interface Statistics {
  moves: number;
  /** Captured pieces, and those of the longest capture. */
  captured: number;
  longest: number;
  /** Moves that missed a capture, and pieces of the opponent that were huffed. */
  missed: number;
  huffed: number;
  /** Milliseconds that its clock ran. */
  time: number;
}

/** Content of the status line. */
interface Line {
  text: string;
  /** The rule itself. */
  more?: string | null;
  rule?: RuleLink | null;
  /** Address of the lesson about the rule; "" for none. */
  lesson?: string;
  kind?: "" | "must" | "no" | "ask" | "wait";
  /** Buttons, and a link to the lesson about a notice of the guide. */
  answers?: { label: string; message?: ViewMessage; url?: string; main?: boolean }[];
}
