/** Types of the module that the build writes from the library's parameters and rule sets (tools/js_package/data.py). */

export type Side = "W" | "B";

/** Minimum and maximum, or one number for both. */
export type Range = number | readonly [number, number];

/** Material of one side in a draw by material. */
export interface Force {
  men?: Range;
  kings?: Range;
  pieces?: Range;
}

/** A draw by the remaining material. */
export interface MaterialDraw {
  /** Moves of each side; 0 for an immediate draw. */
  moves: number;
  strong?: Force;
  weak?: Force;
  /** Total number of pieces on the board. */
  pieces?: Range;
  /** Whether the weak side's only king is on a corner-to-corner diagonal. */
  main_road?: boolean;
  /** Whether a king of the strong side is on one. */
  strong_main_road?: boolean;
  unchanged?: boolean;
}

/** Colours of the board, and of the pieces' faces and rims. */
export interface Theme {
  light: string;
  dark: string;
  white: readonly [string, string];
  black: readonly [string, string];
}

/** All parameters of the rules, documented in docs/rules/parameters.md. */
export interface RulesParameters {
  /** Small letters, digits and hyphens. */
  name: string;
  /** The playing squares. */
  squares: "dark" | "all";
  width: number;
  height: number;
  /** Side on which each player's nearest row has a corner playing square. */
  dark_corner: "left" | "right";
  /** Rows of men of each side at the start, and the empty rows behind them. */
  rows: number;
  rows_behind: number;
  /** The side that begins. */
  first: Side;
  objective: "normal" | "losing" | "breakthrough";
  move_lines: "diagonal" | "orthogonal" | "diagonal+orthogonal";
  capture_lines: "diagonal" | "orthogonal" | "diagonal+orthogonal";
  man_capture: "forward" | "all";
  man_takes_king: boolean;
  /** A man that reaches the last row in mid-capture stops there, continues as a man, or continues as a king. */
  promotion: "stop" | "pass" | "go";
  king_range: "short" | "flying";
  king_landing: "any" | "adjacent" | "killer";
  u_turn: boolean;
  king_streak: number;
  obligation: "forced" | "huff" | "free";
  /** Criteria of the choice between captures, in order of priority. */
  precedence: readonly ("count" | "value" | "with_king" | "kings" | "king_early" | "points")[];
  removal: "after" | "immediate";
  /** Number of occurrences of a position that draws; 0 for none. */
  repetition: number;
  /** The position with the same side to move counts, or only its pieces. */
  repetition_of: "position" | "pieces";
  /** How often the same move draws, and where: in the same position, or anywhere in the game. */
  same_move: number;
  same_move_in: "position" | "game";
  no_progress_moves: number;
  /** The moves of a game, after which it is a draw; 0 for no limit. */
  move_limit: number;
  /** Whose moves the last two count: those of each side, or of both together. */
  moves_by: "each" | "both";
  material_draws: readonly MaterialDraw[];
  rematch: "lots" | "alternate";
  /** Names of White and Black. */
  colours: readonly [string, string];
  /** Openings to draw by lot: texts such as "12. Kitchen opening: 9-13 22-18", or the name of a list. */
  ballots: string | readonly string[];
  /** Square labels: "A" for letters, "N" for numbers, and the corner where they begin. */
  notation: string;
  capture_sign: "x" | ":" | "-";
  game_type: number;
  title: Readonly<Record<string, string>>;
  summary: Readonly<Record<string, string>>;
  readings: readonly string[];
  sources: readonly string[];
  theme: Theme;
}

/** Conjunction of clauses; each clause needs one alternative: a parameter with one of the values. */
export type Condition = readonly (readonly (readonly [string, readonly unknown[]])[])[];

/** An entry of the table of parameters. */
export interface Parameter {
  readonly key: keyof RulesParameters;
  readonly kind: "choice" | "number" | "order" | "borrow" | "colours" | "text" | "table";
  /** The valid values, in words. */
  readonly expected: string;
  /** Without a default, a rule set without a base must have the parameter. */
  readonly default?: unknown;
  readonly values?: readonly unknown[];
  readonly bounds?: readonly [number, number];
  /** Conditions of values that are not always available. */
  readonly fits?: readonly (readonly [unknown, Condition])[];
  /** Fields of the kernel's record, with a mapping of values to numbers where they differ. */
  readonly kernel?: readonly (readonly [string, readonly (readonly [unknown, number])[] | null])[];
  /** Whether it affects play; a list maps values to those that a search distinguishes. */
  readonly play?: true | readonly (readonly [unknown, unknown])[];
}

export const PARAMETERS: readonly Parameter[];
/** Playing squares, width and height. */
export const BOARDS: readonly (readonly [string, number, number])[];
/** Values common to most rule sets, and the differing values of each. */
export const DEFAULTS: Partial<RulesParameters>;
export const SETS: Readonly<Record<string, Partial<RulesParameters>>>;
/** Names of the lists of openings. */
export const BALLOTS: readonly string[];
export const LANGUAGES: readonly string[];
export const TOPICS: readonly string[];
export const DEFAULT_THEME: Theme;
/** Files of weights, and the rule sets of each. */
export const WEIGHTS: readonly (readonly [() => URL, readonly string[]])[];
/** English labels for screen readers, and names of colours. */
export const WORDS: Readonly<Record<string, string>>;
export const COLOURS: Readonly<Record<string, string>>;
