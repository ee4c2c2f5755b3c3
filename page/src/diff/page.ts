// The page of `diff`: both graphs, and what one has that the other does not.
import { badge } from "../badge";
import { graphOf } from "../documents";
import { h, setTitle } from "../dom";
import type { Facts } from "../graph/facts";
import { hierarchyOf } from "../graph/hierarchy";
import { GraphPane } from "../graph/pane";
import { placeText, shapeText } from "../graph/words";
import { count, plotted, plural, real } from "../numbers";
import type { ChangedTensor, DifferentPlace, Difference, Graph } from "../schema";
import { table } from "../table";
import { align } from "./align";

const WORDS: Record<string, string> = {
  "same-fingerprint": "the same structure and weights",
  "same-structure": "the same structure, other weights",
  "different-structure": "different structure",
};

function placeOf(title: string, place: DifferentPlace | null, show: (op: string) => void): HTMLElement | null {
  if (!place) return null;
  return h("p", {}, h("b", {}, `${title}: `),
    h("button", { type: "button", class: "link", on: { click: () => show(place.op) } }, place.op),
    place.module && ` in ${place.module}`, place.source && ` at ${placeText(place.source)}`,
    h("br"), h("code", {}, place.text));
}

function paneOf(graph: Graph, alone: Set<string>, other: Graph): GraphPane {
  const facts: Facts = { colourings: [], notes: new Map() };
  facts.colourings.push({
    name: "difference",
    shades: [{ words: "in both", tone: "" }, { words: "only here", tone: "tone-bad" }],
    of: new Map(graph.ops.filter((op) => op.kind !== "query").map((op) => [op.name, alone.has(op.name) ? 1 : 0])),
  });
  for (const name of alone) facts.notes.set(name, [`not in ${other.path}`]);
  return new GraphPane(hierarchyOf(graph), facts, () => undefined);
}

function changedTensors(tensors: ChangedTensor[]): HTMLElement | null {
  if (tensors.length === 0) return null;
  return table("changed tensors", [
    { title: "tensor", key: (row) => row.name, cell: (row) => row.name },
    { title: "type", cell: (row) => `${row.dtype} ${shapeText(row.shape)}` },
    { title: "differs by at most", key: (row) => plotted(row.difference) ?? Infinity, cell: (row) => real(row.difference), number: true },
    { title: "greatest value", key: (row) => plotted(row.greatest) ?? Infinity, cell: (row) => real(row.greatest), number: true },
  ], tensors, 20);
}

function list(graph: Graph, alone: Set<string>, show: (op: string) => void): HTMLElement {
  const names = [...alone];
  return h("details", { open: names.length > 0 && names.length <= 12 }, h("summary", {}, `${plural(names.length, "op")} only in ${graph.path}`),
    h("ul", { class: "names" }, ...names.slice(0, 200).map((name) =>
      h("li", {}, h("button", { type: "button", class: "link", on: { click: () => show(name) } }, name)))));
}

export async function diffPage(difference: Difference, main: HTMLElement): Promise<void> {
  setTitle(`${difference.first} and ${difference.second}`);
  const [first, second] = await Promise.all([graphOf(0), graphOf(1)]);
  const verdict = WORDS[difference.verdict] ?? difference.verdict;
  const head = h("header", { class: "top" },
    h("h1", {}, `${difference.first} and ${difference.second} `, badge(verdict, difference.verdict === "same-fingerprint" ? "good" : "warn")),
    h("p", {}, difference.difference ?? (difference.changed_tensors > 0 && `${count(difference.changed_tensors)} of ${plural(difference.tensors, "tensor")} differ`)));
  main.append(head);
  if (!first || !second) return;
  const { only } = align(first, second);
  const panes = [paneOf(first, only[0], second), paneOf(second, only[1], first)] as const;
  head.append(...[
    placeOf(difference.first, difference.first_place, (op) => panes[0].show(op)),
    placeOf(difference.second, difference.second_place, (op) => panes[1].show(op)),
    changedTensors(difference.changed),
    list(first, only[0], (op) => panes[0].show(op)), list(second, only[1], (op) => panes[1].show(op)),
  ].filter((each) => each !== null));
  main.append(h("div", { class: "columns even" }, ...panes.map((pane) => pane.element)));
  for (const pane of panes) pane.start();
  for (const [index, place] of [difference.first_place, difference.second_place].entries()) if (place) panes[index]!.show(place.op);
}
