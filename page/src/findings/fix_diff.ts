// The change that a fix makes, line by line.
import { h } from "../dom";
import { prose } from "../prose";
import type { Edit, Fix } from "../schema";
import type { Excerpts } from "./excerpts";

/** Lines without change around those with one. */
const AROUND = 2;

interface Hunk {
  file: string;
  first: number;
  last: number;
  edits: Edit[];
}

/** Edits of neighbouring lines together. */
function hunksOf(edits: Edit[]): Hunk[] {
  const sorted = [...edits].sort((a, b) => a.file.localeCompare(b.file) || a.start.line - b.start.line || a.start.column - b.start.column);
  const hunks: Hunk[] = [];
  for (const edit of sorted) {
    const before = hunks[hunks.length - 1];
    if (before && before.file === edit.file && edit.start.line <= before.last + 2 * AROUND + 1) {
      before.edits.push(edit);
      before.last = Math.max(before.last, edit.end.line);
    } else hunks.push({ file: edit.file, first: edit.start.line, last: edit.end.line, edits: [edit] });
  }
  return hunks;
}

/** The lines with the edits in them; columns count code points, from 0. */
function edited(first: number, lines: string[], edits: Edit[]): string[] {
  const points = lines.map((line) => [...line]);
  for (const edit of [...edits].reverse()) {
    const begin = points[edit.start.line - first], end = points[edit.end.line - first];
    const head = begin?.slice(0, edit.start.column) ?? [];
    const tail = end?.slice(edit.end.column) ?? [];
    const made = [...head, ...edit.text, ...tail].join("").split("\n").map((line) => [...line]);
    points.splice(edit.start.line - first, edit.end.line - edit.start.line + 1, ...made);
  }
  return points.map((line) => line.join(""));
}

function line(sign: string, text: string): HTMLElement {
  const kind = sign === "+" ? "line added" : sign === "-" ? "line removed" : "line";
  return h("div", { class: kind }, h("span", { class: "gutter" }, sign), h("code", {}, text));
}

function hunk(part: Hunk, excerpts: Excerpts): HTMLElement[] {
  const head = h("div", { class: "place" }, `${part.file}:${part.first}`);
  const excerpt = excerpts.lines(part.file, part.first - AROUND, part.last + AROUND);
  if (!excerpt || excerpt.first > part.first || excerpt.first + excerpt.lines.length <= part.last)
    return [head, ...part.edits.flatMap((edit) => edit.text.split("\n").filter(Boolean).map((text) => line("+", text)))];
  const before = excerpt.lines, after = edited(excerpt.first, before, part.edits);
  let start = 0, end = 0;
  while (start < before.length && before[start] === after[start]) start++;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [head,
    ...before.slice(0, start).map((text) => line(" ", text)),
    ...before.slice(start, before.length - end).map((text) => line("-", text)),
    ...after.slice(start, after.length - end).map((text) => line("+", text)),
    ...before.slice(before.length - end).map((text) => line(" ", text))];
}

export function fixDiff(fix: Fix, excerpts: Excerpts): HTMLElement | null {
  const about = [fix.description, fix.hazard, fix.refusal && `not made: ${fix.refusal}`].filter(Boolean).join("; ");
  if (fix.edits.length === 0) return about ? h("p", { class: "dim" }, ...prose(`fix (${fix.applicability}): ${about}`)) : null;
  return h("details", { class: "fix" }, h("summary", {}, ...prose(`fix (${fix.applicability}): ${about}`)),
    h("div", { class: "code" }, h("div", { class: "lines", tabindex: 0, role: "group", "aria-label": "the change" },
      ...hunksOf(fix.edits).flatMap((part) => hunk(part, excerpts)))));
}
