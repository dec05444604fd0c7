// What a game tells beside the drawing of its board: scores and hands, in sentences and in columns.

import { element, worded } from "./drawing.js";

const WORD = /[a-z]{3}/;
const isSentence = (line) => WORD.test(line) && !/\S {2,}\S/.test(line);

/** The lines that are told; drawn: whether the board is, which is then not told once more in letters. */
export function lines(told, drawn) {
  const parts = told ? parted(told.split("\n")) : [];
  const shown = drawn ? parts.filter((part) => part.some((line) => WORD.test(line))) : parts;
  const kind = (line) => (isSentence(line) ? { class: "sentence" } : {});
  return shown.flat().map((line) => element("span", kind(line), ...worded(`${line}\n`)));
}

/** Sentences may be wrapped; what is drawn with letters, or in columns, may not: each such board is one part. */
function parted(all) {
  const begins = (k) => k === 0 || isSentence(all[k]) || isSentence(all[k - 1]);
  const parts = [];
  all.forEach((line, k) => (begins(k) ? parts.push([line]) : parts.at(-1).push(line)));
  return parts;
}
