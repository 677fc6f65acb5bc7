/** Data of the page of a level: `damka.live.lessons`. */

interface LessonFrame {
  pieces: string;
  move?: Move;
  /** Square of a huffed piece, and the side that huffs. */
  huff?: number;
  side?: Side;
}

interface LessonQuestion {
  pieces: string;
  turn: Side;
  choices: Move[];
}

interface LessonLevel extends LessonQuestion {
  id: string;
  /** Fingerprint of the course. */
  course: string;
  stage: string;
  title: string;
  number: number;
  count: number;
  previous: string | null;
  next: string | null;
  rule: string;
  task: string;
  goal: { kind: LessonKind; asks: string; piece: number; options: number[] };
  /** Pieces before the moves of `lead`. */
  before: string;
  lead: LessonFrame[];
  moves: number;
  hints: number;
  demonstration: boolean;
  link: RuleLink | null;
}

type LessonKind = "move" | "sequence" | "select" | "count" | "land" | "huff" | "draw" | "win";

interface LessonVerdict {
  id: string;
  right: boolean;
  done: boolean;
  stars: number;
  sentence: string;
  frames: LessonFrame[];
  squares: number[];
  link: RuleLink | null;
  next?: LessonQuestion;
}

interface LessonHint {
  hint: string;
  squares: number[];
  more: number;
}

interface LessonPage {
  /** Address of the path. */
  course: string;
  /** Parameters that name the rules in requests. */
  query: string;
  level: LessonLevel;
}
