/** Written by the build: the element's style, from src/damka/web/static/board.css. */
export const STYLE: string;
