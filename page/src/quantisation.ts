// What is quantised in a graph, and in which numbers.
import { h } from "./dom";
import type { Facts } from "./graph/facts";
import { real } from "./numbers";
import type { Graph, Quantisation, QuantisationNumbers, Shape } from "./schema";
import { sizesText } from "./graph/words";
import { table } from "./table";

interface Row {
  name: string;
  op: string | null;
  shape: Shape;
  sizes?: string[];
  quantisation: Quantisation;
}

function valuesText(numbers: QuantisationNumbers | null): string {
  const values = numbers?.values?.filter((value) => value !== null) ?? [];
  if (values.length === 0) return "";
  const least = Math.min(...values), most = Math.max(...values);
  return least === most ? real(least) : `${real(least)} \u2026 ${real(most)}`;
}

function rowsOf(graph: Graph): Row[] {
  const weights = (graph.quantised_weights ?? []).map((weight) => ({ ...weight, op: null }));
  const seen = new Set<string>();
  const tensors = graph.products.flatMap((product): Row[] => {
    const key = `${product.from} ${product.output}`;
    if (!product.quantisation || seen.has(key)) return [];
    seen.add(key);
    return [{ name: product.name, op: product.from, shape: product.shape, sizes: product.sizes, quantisation: product.quantisation }];
  });
  return [...weights, ...tensors];
}

/** Nothing for a model in which nothing is quantised. */
export function quantisationSection(graph: Graph, show: (op: string) => void): HTMLElement | null {
  const rows = rowsOf(graph);
  if (rows.length === 0) return null;
  return h("details", { class: "quantisation" }, h("summary", {}, h("b", {}, "Quantisation"), ` ${rows.length} tensors and weights`),
    table("quantised tensors and weights", [
      { title: "tensor", key: (row) => row.name, cell: (row) =>
        row.op ? h("button", { type: "button", class: "link", on: { click: () => show(row.op!) } }, row.name) : row.name },
      { title: "shape", cell: (row) => sizesText(row) },
      { title: "dtype", key: (row) => row.quantisation.dtype ?? "", cell: (row) => row.quantisation.dtype ?? "" },
      { title: "scale", cell: (row) => valuesText(row.quantisation.scale), number: true },
      { title: "zero point", cell: (row) => valuesText(row.quantisation.zero_point), number: true },
      { title: "axis", cell: (row) => row.quantisation.axis ?? "", number: true },
    ], rows, 30));
}

/** Colours the ops by whether quantised values pass through them; nothing for a model in which nothing is quantised. */
export function colourByQuantisation(graph: Graph, facts: Facts): void {
  const quantised = new Set(graph.products.filter((product) => product.quantisation).flatMap((product) => [product.from, product.to]));
  if (quantised.size === 0) return;
  const computing = graph.ops.filter((op) => op.kind === "module" || op.kind === "functional");
  facts.colourings.push({
    name: "quantisation",
    shades: [{ words: "takes or gives quantised values", tone: "tone-good" }, { words: "stays in float", tone: "tone-warn" }],
    of: new Map(computing.map((op) => [op.name, quantised.has(op.name) ? 0 : 1])),
  });
}
