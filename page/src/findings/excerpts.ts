// The Python around findings, as far as the page has it.
import { h } from "../dom";
import { placeText } from "../graph/words";
import type { Excerpt, Place, Sources } from "../schema";
import { coloured } from "./python";

/** Lines before and after the one in question. */
const AROUND = 5;

export class Excerpts {
  private readonly byFile = new Map<string, Excerpt[]>();

  constructor(sources: Sources | null) {
    for (const excerpt of sources?.excerpts ?? [])
      this.byFile.set(excerpt.file, [...(this.byFile.get(excerpt.file) ?? []), excerpt]);
  }

  /** Lines `first` to `last`, as many of them as are there. */
  lines(file: string, first: number, last: number): Excerpt | null {
    const excerpt = this.byFile.get(file)?.find((each) => each.first <= last && each.first + each.lines.length > first);
    if (!excerpt) return null;
    const begin = Math.max(first, excerpt.first);
    return { file, first: begin, lines: excerpt.lines.slice(begin - excerpt.first, last - excerpt.first + 1) };
  }

  /** The code around a place, with its line marked; only its name where there is no code. */
  around(place: Place): HTMLElement {
    const title = h("div", { class: "place", title: place.file ?? "" }, placeText(place), place.role && h("span", { class: "dim" }, ` ${place.role}`));
    const { file, line } = place;
    const excerpt = file && line ? this.lines(file, line - AROUND, line + AROUND) : null;
    if (!excerpt) return h("div", { class: "code" }, title);
    const rows = coloured(excerpt.lines).map((pieces, index) => {
      const number = excerpt.first + index;
      return h("div", { class: number === line ? "line marked" : "line" }, h("span", { class: "gutter" }, number), h("code", {}, ...pieces));
    });
    return h("div", { class: "code" }, title, h("div", { class: "lines", tabindex: 0, role: "group", "aria-label": placeText(place) }, ...rows));
  }
}
