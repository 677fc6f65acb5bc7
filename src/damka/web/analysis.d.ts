/** Types of the page Analyse. They are global; this file is not served. */

/** Coloured square, or an arrow if the squares differ: colour letter (G, R, B, Y), from, to. */
type TreeMark = [colour: string, from: number, to: number];

/** A move of the tree; the root has no move. Nodes are never modified, only replaced. */
interface TreeNode {
  id: number;
  /** 0 for the root, whose id is 1. */
  parent: number;
  /** Ids of the continuations; the first is the main line. */
  children: number[];
  /** Key of the move, with the huff before it: "(23)32-28"; "" for the root. */
  key: string;
  /** The move in the federation's notation. */
  text: string;
  pieces: string;
  turn: Side;
  /** Squares of the move, for the animation. */
  route: number[];
  captures: number[];
  crowns: boolean;
  /** Whether the move missed a capture. */
  offence?: boolean;
  /** Comment before the move, of the first move of a variation. */
  before: string;
  comment: string;
  /** Numeric annotation glyphs. */
  nags: number[];
  marks: TreeMark[];
  /** Other commands of the comment, such as clocks, unchanged. */
  commands: string;
  /** Seconds left to the side that moved. */
  clock?: number;
  /** Evaluation in the comment, from White's view: men, or moves to the win. */
  eval?: { score: number | null; win_in: number | null };
}

/** State that undo and redo restore. */
interface TreeSnapshot {
  nodes: Map<number, TreeNode>;
  tags: Record<string, string>;
  /** Start position as the library writes it. */
  fen: string;
  /** Id of the displayed node. */
  current: number;
}

interface TreeState extends TreeSnapshot {
  past: TreeSnapshot[];
  future: TreeSnapshot[];
  /** Id of the next new node. */
  next: number;
}

/** A position of a line, and the move before it, as `/api/line` returns them. */
interface LinePosition {
  ply: number;
  pieces: string;
  turn: Side;
  key?: string;
  text?: string;
  from?: number;
  to?: number;
  captures?: number[];
  crowns?: boolean;
  king?: boolean;
  route?: number[];
  huff?: number;
  offence?: boolean;
}

/** Why a move is possible, or not, with the text of its rule. */
interface LineExplanation {
  sentence: string;
  rule: RuleLink | null;
  more?: string | null;
  squares?: number[];
}

/** Response of `/api/line`. */
interface LineAnswer {
  positions: LinePosition[];
  fen: string;
  pieces: string;
  turn: Side;
  legal: Move[];
  offences: Move[];
  must: number[];
  huffable: number[];
  /** Square huffed before a move that is due. */
  huffed?: number;
  status: string;
  spoken: string;
  result: { winner: Side | null; reason: string; sentence: string } | null;
  counters: Counter[];
  refusal?: LineExplanation & { code: string } | null;
  why?: LineExplanation | null;
}

/** The displayed position, for the parts of the page. */
interface AnalysisPosition {
  /** Start position of the line. */
  fen: string;
  /** Keys of the moves from the start. */
  moves: string[];
  node: TreeNode;
  turn: Side;
  pieces: string;
}
