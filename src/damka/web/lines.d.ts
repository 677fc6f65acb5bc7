/** Types of the engine's lines. They are global; this file is not served. */

/** Files of the JavaScript package; paths are relative to the static files. */
interface Kernel {
  module: string;
  /** Kernels that are not beside the module. */
  wasm?: { simd: string; plain: string };
}

/** A line, as in `damka.live.evaluations`; scores are for the side to move. */
interface EvaluationLine {
  /** Hundredths of a man. */
  score: number;
  /** Plies to a proved end, negative for a loss. */
  mate: number | null;
  /** Whether an endgame tablebase decides the score. */
  table: boolean;
  /** Keys. */
  moves: string[];
}

interface EvaluationData {
  depth: number;
  nodes: number;
  ms: number;
  lines: EvaluationLine[];
}

/** A line of this device, with its moves in the federation's notation and its positions. */
interface DeviceLine extends EvaluationLine {
  texts: string[];
  positions: { pieces: string; from: number; to: number }[];
}

interface DeviceEvaluation extends EvaluationData {
  lines: DeviceLine[];
}

/** A position to analyse: the keys of the moves from a start position. */
interface LinesRequest {
  fen: string;
  moves: string[];
  /** Number of lines, 1 to 5. */
  lines: number;
  /** Whether the other side is to move. */
  threat?: boolean;
  /** Time limit in milliseconds. */
  ms?: number;
  /** Whether only the server's endgame tables answer. */
  tables?: boolean;
}

/** A position to evaluate once. */
interface EvaluateRequest extends LinesRequest {
  nodes: number;
  /** Keys of the moves to choose from. */
  choices?: string[];
}

/** Lines so far, or the error of a failed search. */
interface LinesUpdate extends EvaluationData {
  lines: (EvaluationLine & Partial<DeviceLine>)[];
  nps: number;
  final: boolean;
  /** Whether only the first move keeps the result, by the tables. */
  only?: boolean;
  error?: string;
}

interface AnalysisSource {
  where: "device" | "server";
  /** Search a position in place of the one before. */
  start(request: LinesRequest, onUpdate: (update: LinesUpdate) => void): void;
  stop(): void;
  /** Search positions one after the other, besides the lines. */
  evaluate(request: EvaluateRequest, options?: { signal?: AbortSignal }): Promise<EvaluationData>;
  close(): void;
}
