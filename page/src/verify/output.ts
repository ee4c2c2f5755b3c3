// One output: its verdicts, its errors as a picture and in figures, its worst elements.
import { badge } from "../badge";
import { histogramChart } from "../charts/histogram";
import { h } from "../dom";
import { count, real } from "../numbers";
import type { Element, Metrics, Output, Verification } from "../schema";
import { table } from "../table";
import { prose } from "../prose";

/** `logits`, with the sample and the step where there are several. */
export function titleOf(output: Output, report: Verification): string {
  const sample = report.samples > 1 ? `, sample ${output.sample}` : "";
  const step = report.steps > 1 ? `, step ${output.step}` : "";
  return output.name + sample + step;
}

function figures(output: Output, metrics: Metrics): HTMLElement {
  const rows: [string, string][] = [
    ["elements", count(metrics.elements)], ["not equal", count(metrics.unequal)],
    ["max |d|", real(metrics.max_abs)], ["mean |d|", real(metrics.mean_abs)], ["RMSE", real(metrics.rmse)],
    ["max relative", real(metrics.max_rel)], ["mean relative", real(metrics.mean_rel)],
    ["PCC", real(metrics.pcc)], ["concordance", real(metrics.concordance)], ["cosine", real(metrics.cosine)],
    ["max |reference|", real(metrics.reference_max)],
  ];
  if (metrics.max_ulp !== null) rows.push(["max ULP", count(metrics.max_ulp)]);
  if (metrics.fit) rows.push(["candidate \u2248", `${real(metrics.fit.scale)} \u00b7 reference + ${real(metrics.fit.bias)}`.replace("+ -", "\u2212 ")]);
  if (output.noise !== null) rows.push(["float64 noise", real(output.noise)]);
  return h("dl", { class: "figures" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function worst(output: Output, metrics: Metrics): HTMLElement | null {
  const elements = [...metrics.non_finite_samples, ...metrics.worst];
  if (elements.length === 0) return null;
  return table<Element>(`worst elements of ${output.name}`, [
    { title: "worst elements", cell: (row) => `(${row.index.join(", ")})` },
    { title: "reference", cell: (row) => real(row.reference), number: true },
    { title: "candidate", cell: (row) => real(row.candidate), number: true },
    { title: "difference", cell: (row) => real(row.difference), number: true },
  ], elements);
}

export function outputCard(output: Output, report: Verification): HTMLElement {
  const { metrics } = output;
  return h("section", { class: "card" },
    h("h3", {}, titleOf(output, report), " ", badge(output.passed ? "same" : "different", output.passed ? "good" : "bad")),
    h("ul", { class: "plain" },
      ...output.verdicts.map((verdict) => h("li", {}, h("b", { class: verdict.passed ? "good" : "bad" }, verdict.passed ? "\u2713 " : "\u2717 "),
        h("b", {}, verdict.check), ": ", ...prose(verdict.message))),
      ...output.notes.map((note) => h("li", {}, h("b", {}, "note: "), note))),
    metrics?.histogram && (metrics.histogram.bins.length > 0
      ? histogramChart(output, metrics.histogram)
      : h("p", {}, `${count(metrics.histogram.exact)} of ${count(metrics.elements)} elements are equal, and no difference can be drawn`)),
    metrics && figures(output, metrics),
    metrics && worst(output, metrics));
}
