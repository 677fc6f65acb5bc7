/** What the build writes of the library's table of parameters and of its rule sets (tools/js_package/data.py). */

export type Side = "W" | "B";

/** Least and most, or one number for both. */
export type Range = number | readonly [number, number];

/** What one side has, in a draw by material. */
export interface Force {
  men?: Range;
  kings?: Range;
  pieces?: Range;
}

/** A draw by what is left on the board. */
export interface MaterialDraw {
  /** Moves of each side; 0 for at once. */
  moves: number;
  strong?: Force;
  weak?: Force;
  /** How many pieces stand on the board altogether. */
  pieces?: Range;
  /** The weak side's only king stands on a diagonal that joins two corners. */
  main_road?: boolean;
  /** A king of the strong side stands on one. */
  strong_main_road?: boolean;
  unchanged?: boolean;
}

/** The colours of the board and of the pieces: face and rim. */
export interface Theme {
  light: string;
  dark: string;
  white: readonly [string, string];
  black: readonly [string, string];
}

/** Every parameter of the rules; docs/rules/parameters.md says what each decides. */
export interface RulesParameters {
  /** Small letters, digits and hyphens. */
  name: string;
  /** Which squares are played on. */
  squares: "dark" | "all";
  width: number;
  height: number;
  /** Where the nearest row of each player has a playing square at its end. */
  dark_corner: "left" | "right";
  /** The rows of men that each side has at the start, and the empty rows behind them. */
  rows: number;
  rows_behind: number;
  /** The side that begins. */
  first: Side;
  objective: "normal" | "losing" | "breakthrough";
  move_lines: "diagonal" | "orthogonal" | "diagonal+orthogonal";
  capture_lines: "diagonal" | "orthogonal" | "diagonal+orthogonal";
  man_capture: "forward" | "all";
  man_takes_king: boolean;
  /** A man that reaches the last row in mid-capture: ends there, goes on as a man, or as a king. */
  promotion: "stop" | "pass" | "go";
  king_range: "short" | "flying";
  king_landing: "any" | "adjacent" | "killer";
  u_turn: boolean;
  king_streak: number;
  obligation: "forced" | "huff" | "free";
  /** What decides between captures, the first first. */
  precedence: readonly ("count" | "value" | "with_king" | "kings" | "king_early" | "points")[];
  removal: "after" | "immediate";
  /** The occurrence of a position that makes a draw, and of the same move in it; 0 for none. */
  repetition: number;
  same_move: number;
  no_progress_moves: number;
  material_draws: readonly MaterialDraw[];
  rematch: "lots" | "alternate";
  /** What White and Black are called. */
  colours: readonly [string, string];
  /** Openings to draw by lot: texts such as "12. Kitchen opening: 9-13 22-18", or the name of a list. */
  ballots: string | readonly string[];
  /** How squares are named: "A" for letters, "N" for numbers, and the corner where they begin. */
  notation: string;
  capture_sign: "x" | ":" | "-";
  game_type: number;
  title: Readonly<Record<string, string>>;
  summary: Readonly<Record<string, string>>;
  readings: readonly string[];
  sources: readonly string[];
  theme: Theme;
}

/** All of these must hold, and of each at least one alternative: a parameter with one of some values. */
export type Condition = readonly (readonly (readonly [string, readonly unknown[]])[])[];

/** An entry of the table of parameters. */
export interface Parameter {
  readonly key: keyof RulesParameters;
  readonly kind: "choice" | "number" | "order" | "borrow" | "colours" | "text" | "table";
  /** What may stand there, in words. */
  readonly expected: string;
  /** Without one, a rule set that starts from no other must have it. */
  readonly default?: unknown;
  readonly values?: readonly unknown[];
  readonly bounds?: readonly [number, number];
  /** When a value may be chosen, where not always. */
  readonly fits?: readonly (readonly [unknown, Condition])[];
  /** The fields of the kernel's record, with the number of each value where it is not the value. */
  readonly kernel?: readonly (readonly [string, readonly (readonly [unknown, number])[] | null])[];
  /** Whether it decides how a game is played; a list has what a search tells apart. */
  readonly play?: true | readonly (readonly [unknown, unknown])[];
}

export const PARAMETERS: readonly Parameter[];
/** The squares that are played on, width and height. */
export const BOARDS: readonly (readonly [string, number, number])[];
/** What most rule sets have, and what each has of its own. */
export const USUAL: Partial<RulesParameters>;
export const SETS: Readonly<Record<string, Partial<RulesParameters>>>;
/** The names of the lists of openings. */
export const BALLOTS: readonly string[];
export const LANGUAGES: readonly string[];
export const TOPICS: readonly string[];
export const DEFAULT_THEME: Theme;
/** Files of weights, and the rule sets that each serves. */
export const WEIGHTS: readonly (readonly [() => URL, readonly string[]])[];
/** The labels of the board for screen readers, and the names of colours, in English. */
export const WORDS: Readonly<Record<string, string>>;
export const COLOURS: Readonly<Record<string, string>>;
