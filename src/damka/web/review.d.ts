/** Types of the review on the page Analyse. They are global; this file is not served. */

/** A search that the review needs, as in `damka.live.reviews`. */
interface ReviewRequest {
  ply: number;
  nodes: number;
  lines: number;
  /** Square to huff before the search. */
  huff: number | null;
  /** Keys of the moves to choose from. */
  moves: string[] | null;
}

interface ReviewEvaluation {
  request: ReviewRequest;
  evaluation: EvaluationData;
}

/** A turning point of the game. */
interface ReviewMoment {
  /** Number of the move, from 1. */
  ply: number;
  side: Side;
  kind: string;
  /** Whether a better move was possible. */
  mistake: boolean;
  /** Keys of the move and of the best one. */
  move: string;
  best: string;
  /** Square to huff before the best move. */
  huff: number | null;
  /** Winning chance that the move lost, 0 to 1. */
  lost: number;
  /** Keys of the line, which begins with the best move. */
  line: string[];
  /** Keys of the line that the move allows, which begins with it. */
  reply: string[];
  sentence: string;
  /** The position before the line, and those after its moves. */
  positions: { pieces: string; from: number | null; to: number | null }[];
}

interface ReviewData {
  moments: ReviewMoment[];
  accuracy: Record<Side, number>;
  /** White's winning chance in every position, 0 to 1. */
  graph: number[];
}

/** The game that is reviewed: its start, and the nodes of its moves. */
interface ReviewedGame {
  fen: string;
  keys: string[];
  root: TreeNode;
  nodes: TreeNode[];
  /** Whether the second player of the rules begins, 0 or 1. */
  offset: number;
  /** Rules, start and moves in one text. */
  name: string;
}

interface ReviewVerdict {
  right: boolean;
  lost: number;
  best: string;
  line: string[];
}
