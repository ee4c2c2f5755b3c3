// A chart that is drawn when it has a size, follows that size, and can be read as a table as well.
import uPlot from "uplot";
import { h } from "../dom";

export interface Chart {
  /** What a screen reader calls it. */
  label: string;
  height: number;
  data: uPlot.AlignedData;
  /** Everything but the size. */
  options: () => Omit<uPlot.Options, "width" | "height">;
  /** The same numbers for those who do not see it. */
  table: HTMLElement;
  /** Called with the point under the mouse when it is clicked. */
  onPick?: (index: number) => void;
}

/** A colour of the style sheet. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** What axes share. */
export function axis(label: string, more: uPlot.Axis = {}): uPlot.Axis {
  return { label, stroke: colour("dim"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line") },
    font: "11px system-ui", labelFont: "12px system-ui", labelSize: 18, ...more };
}

export function chartElement(chart: Chart): HTMLElement {
  const place = h("div", { class: "plot", role: "img", "aria-label": chart.label });
  let plot: uPlot | null = null;
  new ResizeObserver(() => {
    const width = place.clientWidth;
    if (width === 0) return;
    if (plot) plot.setSize({ width, height: chart.height });
    else plot = new uPlot({ ...chart.options(), width, height: chart.height }, chart.data, place);
  }).observe(place);
  if (chart.onPick)
    place.addEventListener("click", () => {
      const index = plot?.cursor.idx;
      if (typeof index === "number") chart.onPick?.(index);
    });
  return h("figure", {}, place, h("details", {}, h("summary", {}, "as a table"), chart.table));
}

/** `1e-5`; nothing for the ticks of a logarithmic axis that are too dense to be labelled. */
export function exponential(tick: number | null): string {
  return tick === null ? "" : tick.toExponential(0);
}

/** A line across a chart at one place of its x axis. */
export function verticalLine(at: number | null, stroke: string): uPlot.Plugin {
  return { hooks: { draw: (plot: uPlot) => {
    if (at === null) return;
    const x = Math.round(plot.valToPos(at, "x", true));
    plot.ctx.save();
    plot.ctx.strokeStyle = colour(stroke);
    plot.ctx.setLineDash([6, 4]);
    plot.ctx.lineWidth = 2;
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, plot.bbox.top);
    plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
    plot.ctx.stroke();
    plot.ctx.restore();
  } } };
}

/** Numbers below which a logarithm cannot show them are left out. */
export function positive(values: (number | null)[]): (number | null)[] {
  return values.map((value) => (value !== null && value > 0 ? value : null));
}
