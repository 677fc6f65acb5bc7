/** The shapes that travel between server and page, and the page's own events. Types only. */

export type Side = "W" | "B";

/** A legal move as the server tells it: `routes` are all the ways to click it, canonical first. */
export interface Move {
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

export interface RuleLink {
  number: number;
  url: string;
}

export interface Entry {
  move: Move;
  text: string;
  pieces: string;
  huff: number | null;
  offence: boolean;
  side: Side;
}

export interface Player {
  kind: "person" | "computer";
  level?: number;
  name: string;
  detail: string;
}

export interface State {
  t: "state";
  version: number;
  id: string;
  ply: number;
  turn: Side;
  pieces: string;
  start: string;
  legal: Move[];
  offences: Move[];
  must: number[];
  huffable: number[];
  warn?: { squares: number[]; sentence: string } | null;
  history: Entry[];
  counters: { kind: string; n: number; limit: number; sentence: string }[];
  result: { winner: Side | null; reason: string; sentence: string; outcome: string; cause: string; rule: RuleLink | null } | null;
  players: Record<Side, Player>;
  you: Side[];
  taken: Record<Side, number>;
  first_ply_side: Side;
  draw_offer: Side | null;
  undo_offer: Side | null;
  draw_asks?: string | null;
  undo_asks?: string | null;
  thinking: boolean;
  can: {
    undo: boolean;
    draw: boolean;
    resign: boolean;
    hint: boolean;
    rematch: boolean;
    answer_draw: boolean;
    answer_undo: boolean;
    huff: boolean;
  };
  status: { sentence: string; rule: RuleLink | null };
  announce: string;
  lot: { drawn: boolean; you: Side } | null;
  next: { url: string } | null;
}

export interface Refusal {
  t: "refusal";
  code: string;
  sentence: string;
  clicks: number[];
  must: number[];
  rule: RuleLink | null;
}

export type Incoming =
  | State
  | Refusal
  | { t: "hint"; move: Move | null; score: number; ply: number; huff: number | null }
  | { t: "error"; code: string; message: string }
  | { t: "pong" };

export interface RulesData {
  name: string;
  title: string;
  url: string;
  width: number;
  height: number;
  cells: [number, number][];
  colours: Record<Side, string>;
  colour_names: Record<Side, string>;
  first: Side;
  theme: { light: string; dark: string; white: [string, string]; black: [string, string] };
  obligation: "forced" | "huff";
  numbers: Record<string, string>;
  algebraic: boolean;
}

export interface PageData {
  lang: string;
  strings: Record<string, string>;
  rules?: RulesData;
  levels: { level: number; sentence: string }[];
  default_level: number;
}

export interface Prefs {
  sound: boolean;
  numbers: boolean;
  quick: boolean;
  confirm: boolean;
  warn: boolean;
  turn: boolean;
  crown: boolean;
  plain: boolean;
  swap: boolean;
}

/** What the moves still possible after some clicks say about the next one. */
export interface Resolution {
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
