// How many elements err by how much: both axes are logarithmic.
import uPlot from "uplot";
import { count, plotted, real } from "../numbers";
import type { Histogram, Output } from "../schema";
import { table } from "../table";
import { axis, chartElement, colour, exponential, verticalLine } from "./chart";

function bounds(exponent: number): string {
  return `${real(2 ** exponent)} \u2264 |d| < ${real(2 ** (exponent + 1))}`;
}

/** Bins side by side, the empty ones as well. */
function filled(histogram: Histogram, allowed: number | null): { exponent: number; count: number }[] {
  const exponents = histogram.bins.map((bin) => bin.exponent);
  if (allowed !== null && allowed > 0) exponents.push(Math.floor(Math.log2(allowed)));
  const first = Math.min(...exponents) - 1, last = Math.max(...exponents) + 1;
  const counts = new Map(histogram.bins.map((bin) => [bin.exponent, bin.count]));
  return Array.from({ length: last - first + 1 }, (_, i) => ({ exponent: first + i, count: counts.get(first + i) ?? 0 }));
}

export function histogramChart(output: Output, histogram: Histogram): HTMLElement {
  const allowed = plotted(output.allowed);
  const bins = filled(histogram, allowed);
  const rows = [{ what: "equal", count: histogram.exact }, ...histogram.bins.map((bin) => ({ what: bounds(bin.exponent), count: bin.count }))];
  return chartElement({
    label: `histogram of the errors of ${output.name}`,
    height: 220,
    data: [bins.map((bin) => bin.exponent), bins.map((bin) => (bin.count > 0 ? bin.count : null))],
    options: () => ({
      scales: { x: { time: false, range: [bins[0]!.exponent - 0.5, bins[bins.length - 1]!.exponent + 1.5] },
        y: { distr: 3, range: (_plot, _least, most) => [0.5, Math.max(10, most * 1.5)] } },
      axes: [
        axis("|difference|", { values: (_plot, ticks) => ticks.map((tick) => exponential(2 ** tick)) }),
        axis("elements", { size: 60, values: (_plot, ticks) => ticks.map((tick: number | null) => (tick !== null && Number.isInteger(Math.log10(tick)) ? count(tick) : "")) }),
      ],
      series: [
        { label: "|d|", value: (_plot, value) => (value === null ? "" : bounds(value)) },
        { label: "elements", stroke: colour("info"), fill: colour("info-fill"),
          paths: uPlot.paths.bars!({ size: [0.9, 60], align: 1 }), points: { show: false } },
      ],
      plugins: [verticalLine(allowed !== null && allowed > 0 ? Math.log2(allowed) : null, "warn")],
    }),
    table: table(`errors of ${output.name}`, [
      { title: "difference", cell: (row) => row.what },
      { title: "elements", cell: (row) => count(row.count), number: true },
    ], rows),
  });
}
