/** What the build writes: the style of the element, from src/damka/web/static/board.css. */
export const STYLE: string;
