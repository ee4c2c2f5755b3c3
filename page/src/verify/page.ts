// The page of `verify`.
import { badge } from "../badge";
import { layerNoiseChart, opErrorChart, whereText } from "../charts/op_errors";
import { graphOf } from "../documents";
import { h, setTitle } from "../dom";
import type { Facts } from "../graph/facts";
import { hierarchyOf } from "../graph/hierarchy";
import { GraphPane } from "../graph/pane";
import { currentLink, setLink } from "../link";
import type { OpError, Verification } from "../schema";
import { areLayers, colourByError, opInGraph } from "./op_colours";
import { outputCard } from "./output";
import { outputTable } from "./outputs";
import { prose } from "../prose";

/** With more outputs than that, those that differ are shown in full, and the table has the others. */
const MOST_CARDS = 40;

/** `same, in int8` */
function verdictText(report: Verification): string {
  if (!report.passed) return "different";
  return report.precision ? `same, in ${report.precision}` : "same";
}

function top(report: Verification): HTMLElement {
  const by = (backend: string | null): string => (backend ? ` (${backend})` : "");
  return h("header", { class: "top" },
    h("h1", {}, "Verification ", badge(verdictText(report), report.passed ? "good" : "bad")),
    h("p", {}, `${report.candidate}${by(report.backend)} compared with the reference ${report.reference}${by(report.reference_backend)}, checker ${report.checker}`),
    report.first_failure && h("p", { class: "bad" }, ...prose(report.first_failure)));
}

function list(title: string, lines: string[]): HTMLElement | null {
  return lines.length === 0 ? null : h("section", {}, h("h2", {}, title), h("ul", {}, ...lines.map((line) => h("li", {}, ...prose(line)))));
}

function firstDifference(first: OpError, show: (op: OpError) => void): HTMLElement {
  return h("p", {}, "The first op that differs is ",
    h("button", { type: "button", class: "link", on: { click: () => show(first) } }, first.op), whereText(first),
    ...(first.cause ? [": ", ...prose(first.cause)] : []), first.candidate ? `; the candidate has ${first.candidate} in its place.` : ".");
}

function errors(report: Verification, show: (op: OpError) => void): HTMLElement | null {
  if (report.ops.length === 0) return null;
  const layers = areLayers(report.ops);
  const first = report.ops.find((op) => op.first_divergent);
  const differing = report.ops.filter((op) => op.cause !== null && !op.first_divergent);
  return h("section", { class: "card op-errors" }, h("h2", {}, layers ? "Noise of each layer" : "Error of each op"),
    first && firstDifference(first, show),
    ...differing.map((op) => h("p", {}, h("button", { type: "button", class: "link", on: { click: () => show(op) } }, op.op), whereText(op), ": ", ...prose(op.cause ?? ""))),
    layers ? layerNoiseChart(report.ops, show) : opErrorChart(report.ops, show));
}

function left(report: Verification, show: (op: OpError) => void): HTMLElement {
  const failing = report.outputs.filter((output) => !output.passed);
  const shown = report.outputs.length <= MOST_CARDS ? report.outputs : failing.slice(0, MOST_CARDS);
  return h("div", { class: "left" },
    ...report.incidents.map((incident) => h("section", { class: `finding ${incident.failure ? "error" : "info"}` },
      h("h3", {}, incident.kind), h("p", {}, ...prose(incident.message)), incident.hint && h("p", { class: "note" }, h("b", {}, "help: "), ...prose(incident.hint)))),
    list("Samples", report.sample_names.flatMap((name, number) => (name ? [`sample ${number}: ${name}`] : []))),
    h("h2", {}, "Outputs"), report.outputs.length > 0 ? outputTable(report) : h("p", {}, "nothing was compared"),
    errors(report, show),
    ...shown.map((output) => outputCard(output, report)),
    list("Tolerances", report.advice.map((advice) => `${advice.output}: ${advice.flags ? `${advice.flags} \u2013 ` : ""}${advice.message}`)),
    list("Notes", report.notes));
}

export async function verifyPage(report: Verification, main: HTMLElement): Promise<void> {
  setTitle(`Verification of ${report.candidate}`);
  const graph = await graphOf(0);
  const facts: Facts = { colourings: [], notes: new Map() };
  if (report.ops.length > 0) colourByError(report, facts);
  const pane = graph ? new GraphPane(hierarchyOf(graph), facts, (op) => op !== null && setLink({ op })) : null;
  main.append(top(report), h("div", { class: pane ? "columns" : "" }, left(report, (op) => pane?.show(opInGraph(op))), pane && pane.element));
  pane?.start();
  const suspect = report.ops.find((op) => op.first_divergent) ?? report.ops.find((op) => op.cause !== null);
  const wanted = currentLink().op ?? (suspect && opInGraph(suspect));
  if (wanted !== undefined) pane?.show(wanted);
}
