/**
 * Damka: draughts by any rules in the browser. This module exports boards, rules and the engine;
 * "damka/element" exports the board element.
 */

export { Board } from "./board.js";
export { Engine } from "./engine.js";
export { DamkaError, FenError, MoveError, RulesError, SearchError } from "./errors.js";
export { Move } from "./move.js";
export { formatFen, label, parseFen, squareOf } from "./notation.js";
export { Rules, loadRules, parameters, ruleSets, weightsFor } from "./rules.js";
export { init, kernelModule, memoryBytes } from "./runtime.js";
export { Analysis, SearchTable, Variation, Weights, loadWeights } from "./search.js";

/** @typedef {import("./board.js").Counter} Counter */
/** @typedef {import("./board.js").Piece} Piece */
/** @typedef {import("./board.js").Reason} Reason */
/** @typedef {import("./board.js").Result} Result */
/** @typedef {import("./engine.js").EngineOptions} EngineOptions */
/** @typedef {import("./errors.js").Fault} Fault */
/** @typedef {import("./rules.js").MaterialDraw} MaterialDraw */
/** @typedef {import("./rules.js").Parameter} Parameter */
/** @typedef {import("./rules.js").RulesInput} RulesInput */
/** @typedef {import("./rules.js").RulesParameters} RulesParameters */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {import("./runtime.js").InitOptions} InitOptions */
/** @typedef {import("./search.js").Handicap} Handicap */
/** @typedef {import("./search.js").Limits} Limits */
/** @typedef {import("./search.js").SearchOptions} SearchOptions */
