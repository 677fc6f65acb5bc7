/** Types of studies (`damka.live.studies`). They are global; this file is not served. */

/** A chapter; `pdn` is missing in lists. */
interface StudyChapter {
  id: string;
  title?: string;
  /** Its rules, as parameters of an address: "base=american". */
  query: string;
  /** English title of its rules. */
  game: string;
  revision?: number;
  pdn?: string;
}

interface StudyData {
  id: string;
  title: string;
  own: boolean;
  /** Id of the link for readers, null while the study is private. */
  share: string | null;
  /** ISO time. */
  updated: string;
  chapters: StudyChapter[];
}

/** A study in the list of its owner. */
interface StudyEntry {
  id: string;
  title: string;
  shared: boolean;
  updated: string;
  chapters: number;
  /** `query` of its chapters, each once. */
  games: string[];
}

/** A chapter to add. A browser's store also needs `query` and `game`. */
interface NewStudyChapter {
  title: string;
  pdn: string;
  query: string;
  game: string;
}

/** Response of `/api/studies/read`. */
interface ReadStudy {
  title: string;
  chapters: (StudyChapter & { pdn: string })[];
  faulty: number;
  more: boolean;
}

/** Result of a request to a store; without `ok`, an error code ("offline" without an answer) and its message. */
interface StudyAnswer<T = StudyData> {
  ok: boolean;
  data: T;
  error: string;
  message: string;
}

/** Change of a chapter; `revision` is the one that `pdn` replaces. */
interface StudyChapterChange {
  title?: string;
  pdn?: string;
  revision?: number;
  removed?: true;
}

/** Studies of an account or of this browser. */
interface StudyStore {
  where: "account" | "browser";
  list(): Promise<StudyAnswer<StudyEntry[]>>;
  /** With the texts of its chapters. */
  load(id: string): Promise<StudyAnswer>;
  create(title: string, chapters: NewStudyChapter[]): Promise<StudyAnswer>;
  change(id: string, change: { title?: string; order?: string[]; removed?: boolean }): Promise<StudyAnswer>;
  add(id: string, chapters: NewStudyChapter[], at?: number): Promise<StudyAnswer>;
  changeChapter(id: string, chapter: string, change: StudyChapterChange): Promise<StudyAnswer>;
}

/** Edits of a chapter that are not saved yet. */
interface StudyDraft {
  study: string;
  chapter: string;
  /** Revision of the chapter that was edited. */
  revision: number;
  tree: import("./static/study_tree.js").JsonTree;
  /** Identifies the window that writes it. */
  window: string;
  at: number;
}

/** Data embedded in the pages of studies (`damka.pages.studies`). */
interface StudyPageData {
  strings: Record<string, string>;
  /** Titles of the shipped rules, by `query`. */
  games: Record<string, string>;
  limits: { chapters: number; title: number };
  account: boolean;
  studies?: StudyEntry[] | null;
  study?: StudyData | null;
  /** Id of the shown chapter. */
  chapter?: string;
}
