// The error of each op in the order in which they run, what it adds itself, and what is allowed.
import type uPlot from "uplot";
import { plotted, real } from "../numbers";
import type { OpError, Real } from "../schema";
import { h } from "../dom";
import { table, type Column } from "../table";
import { axis, chartElement, colour, exponential, positive, verticalLine } from "./chart";

function range(_plot: uPlot, least: number, most: number): [number, number] {
  return least > 0 && most > 0 ? [least / 2, most * 2] : [1e-8, 1];
}

function sqnr(title: string, value: (op: OpError) => Real | null): Column<OpError> {
  return { title, key: (op) => plotted(value(op)) ?? Infinity, cell: (op) => real(value(op)), number: true };
}

/** Signal to quantisation noise, where the candidate is quantised. */
function quantisationColumns(ops: OpError[]): Column<OpError>[] {
  if (ops.every((op) => op.sqnr_db === null)) return [];
  return [sqnr("SQNR dB", (op) => op.sqnr_db), sqnr("introduced SQNR dB", (op) => op.introduced_sqnr_db)];
}

export function opErrorChart(ops: OpError[], show: (op: string) => void): HTMLElement {
  const first = ops.findIndex((op) => op.first_divergent);
  const anyIntroduced = ops.some((op) => plotted(op.introduced) !== null);
  const points = (stroke: string, size: number): Partial<uPlot.Series> =>
    ({ stroke: colour(stroke), paths: () => null, points: { show: true, size, fill: colour(stroke) } });
  const written = (_plot: uPlot, value: number | null): string => (value === null ? "" : real(value));
  return chartElement({
    label: "error of each op",
    height: 260,
    data: [
      ops.map((_, index) => index),
      positive(ops.map((op) => plotted(op.error))),
      positive(ops.map((op) => plotted(op.introduced))),
      positive(ops.map((op) => plotted(op.tolerance))),
    ],
    options: () => ({
      scales: { x: { time: false }, y: { distr: 3, range } },
      axes: [axis("op, in the order in which they run"), axis("error", { size: 66, values: (_plot, ticks) => ticks.map(exponential) })],
      series: [
        { label: "op", value: (_plot, value) => (value === null ? "" : ops[value]?.op ?? "") },
        { label: "error", value: written, ...points("bad", 5) },
        { label: "introduced", show: anyIntroduced, value: written, ...points("info", 4) },
        { label: "allowed", stroke: colour("warn"), dash: [6, 4], width: 1.5, value: written, points: { show: false } },
      ],
      plugins: [verticalLine(first < 0 ? null : first, "bad")],
    }),
    onPick: (index) => ops[index] && show(ops[index].op),
    table: table("error of each op", [
      { title: "op", key: (op) => op.op, cell: (op) => h("button", { type: "button", class: "link", on: { click: () => show(op.op) } }, op.op) },
      { title: "module", key: (op) => op.module ?? "", cell: (op) => op.module ?? "" },
      { title: "error", key: (op) => plotted(op.error) ?? Infinity, cell: (op) => real(op.error), number: true },
      { title: "introduced", key: (op) => plotted(op.introduced) ?? -1, cell: (op) => real(op.introduced), number: true },
      { title: "allowed", key: (op) => plotted(op.tolerance) ?? -1, cell: (op) => real(op.tolerance), number: true },
      ...quantisationColumns(ops),
      { title: "source", cell: (op) => op.source ?? "" },
    ], ops, 60),
  });
}
