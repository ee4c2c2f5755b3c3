// The error of each op in the order in which they run, what it adds itself, and what is allowed.
import type uPlot from "uplot";
import { plotted, real } from "../numbers";
import type { OpError, Real } from "../schema";
import { h } from "../dom";
import { table, type Column } from "../table";
import { placeText, shortFile } from "../graph/words";
import { axis, chartElement, colour, exponential, positive, verticalLine } from "./chart";

type Show = (op: OpError) => void;

/** What is drawn of each op: a point, or a line between them. */
interface Curve {
  label: string;
  stroke: string;
  values: (number | null)[];
  line?: boolean;
}

function range(_plot: uPlot, least: number, most: number): [number, number] {
  return least > 0 && most > 0 ? [least / 2, most * 2] : [1e-8, 1];
}

function number(title: string, value: (op: OpError) => Real | null, missing: number): Column<OpError> {
  return { title, key: (op) => plotted(value(op)) ?? missing, cell: (op) => real(value(op)), number: true };
}

function opTable(caption: string, ops: OpError[], columns: Column<OpError>[], show: Show): HTMLElement {
  const anyCause = ops.some((op) => op.cause !== null);
  return table(caption, [
    { title: "op", key: (op) => op.op, cell: (op) => h("button", { type: "button", class: "link", on: { click: () => show(op) } }, op.op) },
    { title: "module", key: (op) => op.module ?? "", cell: (op) => op.module ?? "" },
    ...columns,
    ...(anyCause ? [{ title: "differs", prose: true, cell: (op: OpError) => op.cause ?? "" }] : []),
    { title: "source", cell: (op) => h("span", { title: op.source ?? "" }, shortFile(op.source ?? "")) },
  ], ops, 60);
}

function drawn(curve: Curve): uPlot.Series {
  const value = (_plot: uPlot, shown: number | null): string => (shown === null ? "" : real(shown));
  if (curve.line) return { label: curve.label, value, stroke: colour(curve.stroke), dash: [6, 4], width: 1.5, points: { show: false } };
  return { label: curve.label, value, stroke: colour(curve.stroke), paths: () => null, points: { show: true, size: 5, fill: colour(curve.stroke) } };
}

interface Axes {
  label: string;
  title: string;
  scale: uPlot.Scale;
  ticks?: (plot: uPlot, ticks: number[]) => string[];
}

function chart(ops: OpError[], axes: Axes, curves: Curve[], rows: HTMLElement, show: Show): HTMLElement {
  const first = ops.findIndex((op) => op.first_divergent);
  const shown = curves.filter((curve) => curve.values.some((value) => value !== null)); // without a point no axis has an end
  if (shown.length === 0) return rows;
  return chartElement({
    label: axes.label,
    height: 260,
    data: [ops.map((_, index) => index), ...shown.map((curve) => curve.values)],
    options: () => ({
      scales: { x: { time: false, range: (_plot, least, most) => [least - 0.5, most + 0.5] }, y: axes.scale },
      axes: [axis("op, in the order in which they run"), axis(axes.title, { size: 66, ...(axes.ticks ? { values: axes.ticks } : {}) })],
      series: [{ label: "op", value: (_plot, value) => (value === null ? "" : ops[value]?.op ?? "") }, ...shown.map(drawn)],
      plugins: [verticalLine(first < 0 ? null : first, "bad")],
    }),
    onPick: (index) => ops[index] && show(ops[index]),
    table: rows,
  });
}

export function opErrorChart(ops: OpError[], show: Show): HTMLElement {
  const rows = opTable("error of each op", ops, [
    number("error", (op) => op.error, Infinity), number("introduced", (op) => op.introduced, -1), number("allowed", (op) => op.tolerance, -1),
  ], show);
  return chart(ops, { label: "error of each op", title: "error", scale: { distr: 3, range }, ticks: (_plot, ticks) => ticks.map(exponential) }, [
    { label: "error", stroke: "bad", values: positive(ops.map((op) => plotted(op.error))) },
    { label: "introduced", stroke: "info", values: positive(ops.map((op) => plotted(op.introduced))) },
    { label: "allowed", stroke: "warn", values: positive(ops.map((op) => plotted(op.tolerance))), line: true },
  ], rows, show);
}

/** Of a quantised copy: what each layer keeps of the signal, on its own and with all that came before. */
export function layerNoiseChart(ops: OpError[], show: Show): HTMLElement {
  const rows = opTable("noise of each layer", ops, [
    number("own noise, dB", (op) => op.introduced_sqnr_db, Infinity), number("with what came before, dB", (op) => op.sqnr_db, Infinity),
    number("adds max |d|", (op) => op.introduced, -1), number("max |d|", (op) => op.error, -1),
  ], show);
  return chart(ops, { label: "noise of each layer", title: "signal to noise, dB", scale: {} }, [
    { label: "own noise", stroke: "info", values: ops.map((op) => plotted(op.introduced_sqnr_db)) },
    { label: "with what came before", stroke: "dim", values: ops.map((op) => plotted(op.sqnr_db)) },
  ], rows, show);
}

/** ` of layer1.0.conv1 at net.py:93` */
export function whereText(op: OpError): string {
  return `${op.module ? ` of ${op.module}` : ""}${op.source ? ` at ${placeText({ file: op.source, line: null })}` : ""}`;
}
